"""Model enumeration as Minesweeper Mace4 describes it: every layout of a group of clues, one by one.

`reduce_cell_state_variation` there: what is the same in all models is certain, the rest stays unknown. It
hands the frontier as a whole to Mace4; here each independent group is listed for itself, so the numbers
of models add up where they would multiply.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from games.logic import Constraint, bits, cell_set
from strategies.external.ladr import MOST_CLAUSES, clause_count, clauses, naming, problem, run

MOST_MODELS = 20_000  # of one group, begun ones included; above that none are listed
ALL_MODELS, EXHAUSTED = 3, 2  # the exit codes of Mace4 that may be believed
MACE4_OPTIONS = ("-c", "-m", "-1", "-n", "2")


@dataclass(frozen=True, slots=True)
class Variation:
    """What all models agree on (sets of cells), and what they do not ("unknown" in Minesweeper Mace4)."""

    mines: int
    safe: int
    unknown: int


def enumerate_models(constraints: Sequence[Constraint]) -> list[int] | None:
    """Every layout (the set of its mines) of the cells in these constraints; None above `MOST_MODELS`.

    Cell by cell, along the constraints; a beginning that a constraint rules out is not gone on with.
    """
    rules = [(c.cells, c.low, c.high) for c in constraints]
    found, seen = [0], 0
    for cell in _along(constraints):
        seen |= cell
        about = [
            (cells, low - (cells & ~seen).bit_count(), high) for cells, low, high in rules if cells & cell
        ]
        found = [
            layout
            for earlier in found
            for layout in (earlier, earlier | cell)
            if all(low <= (layout & cells).bit_count() <= high for cells, low, high in about)
        ]
        if len(found) > MOST_MODELS:
            return None
    return found


def _along(constraints: Sequence[Constraint]) -> list[int]:
    """The cells (sets of one): constraint after constraint, the one with the fewest new cells next."""
    order: list[int] = []
    seen, waiting = 0, [c.cells for c in constraints]
    while waiting:
        cells = min(waiting, key=lambda c: (not c & seen, (c & ~seen).bit_count()))
        waiting.remove(cells)
        order += [1 << k for k in bits(cells & ~seen)]
        seen |= cells
    return order


def reduce_cell_state_variation(models: Sequence[int], cells: int) -> Variation:
    """What the states of each cell come down to, over all models: a mine, safe, or unknown."""
    always, ever = cells, 0
    for model in models:
        always &= model
        ever |= model
    return Variation(always, cells & ~ever, ever & ~always)


def models_by_mace4(program: Path, constraints: Sequence[Constraint]) -> list[int] | None:
    """The same list by a Mace4; None where its answer may not be believed or a constraint is too long.

    Raises MachineLacks when the program does not run.
    """
    if any(clause_count(constraint) > MOST_CLAUSES for constraint in constraints):
        return None
    name = naming()
    text = problem([clause for constraint in constraints for clause in clauses(constraint, name)])
    answer = run(program, MACE4_OPTIONS, text)
    return read_models(answer.output, answer.code)


def read_models(output: str, code: int) -> list[int] | None:
    """The models in Mace4's output, cells named `m_0_K`; None unless its exit code says that these are all.

    Stopped early (out of time, of memory, interrupted), cells look constant that are not.
    """
    if code == EXHAUSTED:
        return []
    if code != ALL_MODELS:
        return None
    blocks = re.findall(r"interpretation\( *2,.*?\]\s*\)\.", output, re.DOTALL)
    ended = re.search(r"Exiting with (\d+) models?\.", output)
    if not ended or int(ended[1]) != len(blocks):
        return None
    return [
        cell_set(
            int(k) for k, state in re.findall(r"relation\(m_0_(\d+), \[ *([01]) *\]", block) if state == "1"
        )
        for block in blocks
    ]
