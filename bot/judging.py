"""Whether a board can be, and how likely its numbers are: what vision asks when it learns a look."""

from __future__ import annotations

from math import fsum, log, log1p

from games.errors import Contradiction
from games.minesweeper import Board, knowledge_of
from strategies.counting import Census, Component, take_census
from strategies.joining import possible

ODDS = 0.22  # a mine against no mine, where nobody told the mine total
USUAL = 0.1  # nats for each cell of one that takes more
CAP = 20_000  # steps spent on one component; of the layouts of the mines


class Solver:
    """Weighs boards by counting the layouts of their mines."""

    def weigh(self, board: Board) -> float | None:
        """How likely the numbers of a board are, in nats, where mines lie at random; None: impossible.

        That the open cells are safe is given: whoever opened them chose them.
        """
        try:
            census = take_census(knowledge_of(board), cap=CAP)
        except Contradiction:
            return None
        left = possible(census)
        if not left.rest or not all(left.components):
            return None
        odds = _odds(census)
        return fsum(_weigh(part, odds) - part.cells.bit_count() * log1p(odds) for part in census.components)


def _odds(census: Census) -> float:
    if census.total is None or not census.total.size:
        return ODDS
    share = census.total.high / census.total.size
    return min(max(share / max(1.0 - share, 1e-3), 0.02), 2.0)


def _weigh(part: Component, odds: float) -> float:
    """The weight of all layouts of a component, in nats; of one that is too tangled, a usual one."""
    if part.layouts is None:
        return USUAL * part.cells.bit_count()
    most = max(part.layouts.all)
    return log(most) + log(fsum(n / most * odds**m for m, n in enumerate(part.layouts.all)))
