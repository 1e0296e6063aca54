"""Whether a board can be, and how likely its numbers are: what vision asks when it learns a skin."""

from __future__ import annotations

from functools import lru_cache
from math import fsum, log, log1p

from games.errors import Contradiction
from games.logic import Constraint, Knowledge, bits
from games.minesweeper import EXPLODED, MINE, SAFE, WRONG_FLAG, Board, knowledge_of
from strategies.counting import Census, Component, possible, take_census

ODDS = 0.22  # a mine against no mine, where the mine total is not known
USUAL = 0.1  # nats for each cell of one that takes more
CAP = 20_000  # steps spent on one component; of the layouts of the mines
REMEMBERED = 4096  # parts of boards, and what they weigh

Clue = tuple[int, int, int]  # its cell, the cells (a set) that it counts, and how many mines they hold


class Solver:
    """Weighs boards by counting the layouts of their mines."""

    def weigh(self, board: Board) -> float | None:
        """How likely the numbers of a board are, in nats, where mines lie at random; None: impossible.

        That the open cells are safe is given: whoever opened them chose them.
        """
        if board.mines is None and board.variant == "plain":
            return _weigh_apart(board)
        try:
            census = take_census(knowledge_of(board), cap=CAP)
        except Contradiction:
            return None
        left = possible(census)
        if not left.rest or not all(left.components):
            return None
        odds = _odds(census)
        return fsum(_weigh(part, odds) - part.cells.bit_count() * log1p(odds) for part in census.components)


def _weigh_apart(board: Board) -> float | None:
    """The same where no total ties the numbers together: parts that share no cell are weighed on their own.

    Boards that are weighed one after the other differ in a few cells, so most parts were met before.
    """
    groups: list[tuple[int, list[Clue]]] = []
    safe, mines = board.having(SAFE + WRONG_FLAG), board.having(MINE + EXPLODED)
    free = board.not_open & ~safe & ~mines
    for k in bits(board.open):
        around = board.around[k]
        cells, number = around & free, int(board[k]) - (around & mines).bit_count()
        if not 0 <= number <= cells.bit_count():
            return None
        if cells:
            own = [(k, cells, number)]
            apart = []
            for held, clues in groups:
                if held & cells:
                    cells |= held
                    own = clues + own
                else:
                    apart.append((held, clues))
            groups = [*apart, (cells, own)]
    found = [_weigh_part(tuple(sorted(clues))) for _, clues in groups]
    if None in found:
        return None
    known = mines.bit_count() * log(ODDS) - (mines | safe).bit_count() * log1p(ODDS)
    return fsum([known, *(weight for weight in found if weight is not None)])


@lru_cache(maxsize=REMEMBERED)
def _weigh_part(clues: tuple[Clue, ...]) -> float | None:
    """What clues weigh that hang together."""
    universe = 0
    for _, cells, _ in clues:
        universe |= cells
    try:
        given = [Constraint(cells, number, number, place) for place, cells, number in clues]
        census = take_census(Knowledge.of(universe, given), cap=CAP)
    except Contradiction:
        return None
    if not all(possible(census).components):
        return None
    return fsum(_weigh(part, ODDS) - part.cells.bit_count() * log1p(ODDS) for part in census.components)


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
