"""The guess that is least likely to lose now: exact probabilities, counted from all layouts.

Where two cells are equally safe, one next to a clue comes first (its number is likelier to say something),
then one with fewer neighbours (likelier to be a zero), then the lower index. The first click: a corner when
only the cell itself is promised, or nothing; a cell inside the board, two from the edges (three on boards of
Expert's size), when the neighbours are promised too (`docs/reasoning.md` has the figures).
"""

from __future__ import annotations

from games.logic import bits
from games.minesweeper import Guess, Position
from strategies.counting import take_census
from strategies.hookspecs import hookimpl
from strategies.joining import Risks, risks

NAME = "lowest-risk"
LARGE = 400  # cells; Expert has 480, Intermediate 256


@hookimpl
def guess(position: Position) -> list[Guess]:
    """Every cell that may be opened and is not known to be a mine, the safest first."""
    cells = position.openable & ~position.knowledge.true
    if position.first_click in ("safe", "zero"):
        promised = _first(position, cells)
        if promised is not None:
            return [promised]
    found = risks(take_census(position.knowledge, (1 << position.cells) - 1))
    false = position.knowledge.false
    ranked = sorted(
        (
            0.0 if false >> k & 1 else round(found.of(k), 9),
            k not in found.by_cell,
            position.counts[k].bit_count(),
            k,
        )
        for k in bits(cells)
    )
    return [Guess(k, 1.0 - risk, _reason(risk, k, found)) for risk, _, _, k in ranked]


def _first(position: Position, cells: int) -> Guess | None:
    """The best cell for a first click that cannot lose; None when it may not be opened."""
    if position.first_click == "safe":
        return next(
            (
                Guess(k, 1.0, "the first click is safe; a corner opens most")
                for k in _corners(position)
                if cells >> k & 1
            ),
            None,
        )
    inset = 3 if position.cells >= LARGE else 2
    row, column = min(inset, (position.rows - 1) // 2), min(inset, (position.columns - 1) // 2)
    cell = row * position.columns + column
    if not cells >> cell & 1:
        return None
    return Guess(cell, 1.0, "the first click opens a zero; away from the edges it opens most")


def _corners(position: Position) -> tuple[int, ...]:
    last = position.cells - 1
    return 0, position.columns - 1, last - position.columns + 1, last


def _reason(risk: float, cell: int, found: Risks) -> str:
    share = f"{100 * risk:.1f} %"
    if found.estimated >> cell & 1:
        return f"a mine with about {share}: too many layouts to count, estimated from the clues beside it"
    if cell in found.by_cell:
        return f"a mine in {share} of the layouts that the clues allow"
    return f"next to no clue; a mine with {share}"
