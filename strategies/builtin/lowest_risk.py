"""The guess that is least likely to lose now: exact probabilities, counted from all layouts.

Where two cells are equally safe, one next to a clue comes first (its number is likelier to say something),
then one with fewer neighbours (likelier to be a zero), then the lower index. The first click is that of
`strategies.guesser`; where nothing is promised, a corner.
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
    """Every cell that may be opened and is not known to be a mine, the safest first."""
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
