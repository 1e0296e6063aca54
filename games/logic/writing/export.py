"""Proofs that a checker from elsewhere can confirm: an OPB problem and a VeriPB proof, version 1.2.

The problem holds the constraints as the game states them. The proof has a line for each deduction that a
certain cell rests on, and ends each cell with an `e` line. `Propagation` becomes `u` (reverse unit
propagation), `Linear` becomes `p` (reverse Polish: sums, literal axioms, division), `Split` becomes `u` lines
for its cases, the deepest first. Premises are meant as they were reduced at the time: units that the proof
has derived before do that for `u`; in `p` lines the known cells are cancelled one by one. Gocht, "Certifying
correctness for combinatorial algorithms", 2022, describes the format.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from games.logic.bits import bits
from games.logic.constraint import Constraint
from games.logic.knowledge import Knowledge
from games.logic.writing.lineage import Lineage
from games.logic.writing.sums import Half
from games.logic.writing.veripb import ProofWriter


@dataclass(frozen=True, slots=True)
class Written:
    """The two files as text. `counts` says how many lines of each kind (`u`, `p`, `e`) the proof has."""

    problem: str
    proof: str
    counts: dict[str, int]

    @property
    def lines(self) -> int:
        """The lines of the proof that derive something."""
        return self.counts["u"] + self.counts["p"]


def export(
    knowledge: Knowledge, cells: int | None = None, name: Callable[[int], str] = str, remark: str = ""
) -> Written:
    """The problem and a proof that these known cells (a set; all that are known by default) are as known.

    `name` gives what a cell is called in the comments; `remark` is put near the head of both files.
    """
    known = knowledge.true | knowledge.false
    wanted = known if cells is None else cells & known
    lineage = Lineage(knowledge)
    variables = {k: f"x{place}" for place, k in enumerate(bits(knowledge.universe), 1)}
    problem, halves, count = _problem(knowledge, variables, name, remark)
    writer = ProofWriter(lineage, variables, name, halves, count)
    return Written(problem, *writer.write(wanted, remark))


def _problem(
    knowledge: Knowledge, variables: dict[int, str], name: Callable[[int], str], remark: str
) -> tuple[str, dict[tuple[int | None, Constraint, int], Half], int]:
    """The OPB text, the inequalities that it states, and how many they are."""
    halves: dict[tuple[int | None, Constraint, int], Half] = {}
    lines: list[str] = []
    number = statements = 0
    for constraint in dict.fromkeys(knowledge.given):
        cells, low, high = constraint.cells, constraint.low, constraint.high
        if low <= 0 and high >= constraint.size:
            continue
        lines.append(f"* {constraint.source}" if constraint.source is not None else "* stated")
        terms = " ".join(f"+1 {variables[k]}" for k in bits(cells))
        lower, upper = Half(number + 1, cells, 1, low), Half(number + 2, cells, -1, -high)
        if low == high:
            lines.append(f"{terms} = {low} ;")
            statements += 1
        else:
            if low > 0:
                lines.append(f"{terms} >= {low} ;")
                statements += 1
            else:
                upper = Half(number + 1, cells, -1, -high)
            if high < constraint.size:
                lines.append(f"{terms.replace('+1', '-1')} >= {-high} ;")
                statements += 1
        if low == high or low > 0:
            halves[None, constraint, 1] = lower
            number += 1
        if low == high or high < constraint.size:
            halves[None, constraint, -1] = upper
            number += 1
    head = [f"* #variable= {len(variables)} #constraint= {statements}"]
    head += [f"* {remark}"] if remark else []
    head += [f"* {variable} = {name(k)}" for k, variable in variables.items()]
    return "\n".join((*head, *lines)) + "\n", halves, number
