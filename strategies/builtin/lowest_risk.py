"""Guess the cell with the lowest exact mine probability.

Ties go to cells next to a clue (their number is more likely to be useful), then to cells with fewer
neighbours (more likely to be zero), then to the lower index. A guaranteed first click comes from
`strategies.guesser`; without a guarantee, a corner is opened first.
"""

from __future__ import annotations

from games.logic import bits
from games.minesweeper import Guess, Position
from strategies.guesser import promised_first_click
from strategies.hookspecs import hookimpl
from strategies.probability.risks import MineProbabilities, mine_probabilities

NAME = "lowest-risk"


@hookimpl
def guess(position: Position) -> list[Guess]:
    """Return all cells that may be opened and are not known mines, safest first."""
    cells = position.openable & ~position.knowledge.true
    first = promised_first_click(position)
    if first is not None:
        return [first]
    found = mine_probabilities(position.knowledge, (1 << position.cells) - 1)
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


def _reason(risk: float, cell: int, found: MineProbabilities) -> str:
    share = f"{100 * risk:.1f} %"
    if found.estimated >> cell & 1:
        return f"a mine with about {share}: too many layouts to count, estimated from the clues beside it"
    if cell in found.by_cell:
        return f"a mine in {share} of the layouts that the clues allow"
    return f"next to no clue; a mine with {share}"
