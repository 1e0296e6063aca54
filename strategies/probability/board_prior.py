"""Whether a board can be, and how likely its numbers are: what vision asks when it learns a skin."""

from __future__ import annotations

from functools import lru_cache
from math import fsum, log, log1p

from games.errors import Contradiction
from games.logic import Constraint, bits, connected_components
from games.minesweeper import EXPLODED, MINE, SAFE, WRONG_FLAG, Board, board_knowledge
from strategies.probability.counts import (
    ComponentCounts,
    CountedComponent,
    LayoutCounts,
    count_component,
    count_components,
)
from strategies.probability.risks import possible_totals

ODDS = 0.22  # a mine against no mine, where the mine total is not known
FEWEST, RARER = 0.08, 4  # of the cells, mines of a game; fewer are rarer by this power (chosen, not counted)
USUAL = 0.1  # nats for each cell of one that takes more
CAP = 20_000  # steps spent on one component; of the layouts of the mines
REMEMBERED = 4096  # components of boards, and their counts


class UniformMinePrior:
    """Weighs boards by counting the layouts of their mines."""

    def log_likelihood(self, board: Board) -> float | None:
        """How likely the numbers of a board are, in nats, where mines lie at random; None: impossible.

        That the open cells are safe is given: whoever opened them chose them. Where the mine total is not
        known, a board with room for few mines is unlikely: usual levels have 9 in a hundred (8x8, 6) or more.
        """
        try:
            census = (
                _census(board)
                if board.variant == "plain"
                else count_components(board_knowledge(board), cap=CAP)
            )
        except Contradiction:
            return None
        left = possible_totals(census)
        if not left.rest or not all(left.components):
            return None
        odds = _odds(census.total)
        likely = _likely_total(board) if board.mines is None else 0.0
        parts = (_weigh(part, odds) - part.cells.bit_count() * log1p(odds) for part in census.components)
        return likely + fsum(parts)


def _census(board: Board) -> ComponentCounts:
    """What `count_components` finds under the plain rules; Contradiction where a number has no room.

    Cells that single numbers settle are one part by themselves: what is left of the others is small. Boards
    that are weighed one after the other differ in a few cells, so most of these parts are remembered.
    """
    safe, mines = board.cells_showing(SAFE + WRONG_FLAG), board.cells_showing(MINE + EXPLODED)
    free = rest = board.not_open & ~safe & ~mines
    clues = []
    for k in bits(board.open):
        around = board.around[k]
        if cells := around & free:
            clues.append((cells, int(board[k]) - (around & mines).bit_count()))
            rest &= ~cells
        elif int(board[k]) != (around & mines).bit_count():
            raise Contradiction(f"{board.name(k)} has no room")
    settled, left = _settled(clues)
    open_clues = [Constraint(cells, number, number) for cells, number in left]
    parts = [_component(tuple(part)) for part in connected_components(open_clues)]
    total = None
    if board.mines is not None:
        number = board.mines - mines.bit_count()
        total = Constraint(free, number, number, is_global=True)
    return ComponentCounts((*settled, *parts), rest, total)


def _settled(clues: list[tuple[int, int]]) -> tuple[list[CountedComponent], dict[tuple[int, int], None]]:
    """The cells that single numbers settle, as a part with one layout, and what the others then say.

    A clue is a set of cells and how many of them are mines. Raises Contradiction.
    """
    mines = safe = 0
    left, before = dict.fromkeys(clues), -1
    while before != mines | safe:
        before = mines | safe
        clues, left = list(left), {}
        for stated, count in clues:
            cells, number = stated & ~(mines | safe), count - (stated & mines).bit_count()
            size = cells.bit_count()
            if not 0 <= number <= size:
                raise Contradiction("a number has no room")
            if number == size:
                mines |= cells
            elif number == 0:
                safe |= cells
            else:
                left[cells, number] = None
    if not mines | safe:
        return [], left
    size = (mines | safe).bit_count()
    one = tuple(int(m == mines.bit_count()) for m in range(size + 1))
    return [CountedComponent((mines | safe,), (True,), (), LayoutCounts(one, ()))], left


@lru_cache(maxsize=REMEMBERED)
def _component(clues: tuple[Constraint, ...]) -> CountedComponent:
    """What clues that hang together leave possible."""
    universe = 0
    for clue in clues:
        universe |= clue.cells
    return count_component(clues, universe, CAP, each_class=False)


def _odds(total: Constraint | None) -> float:
    if total is None or not total.size:
        return ODDS
    share = total.high / total.size
    return min(max(share / max(1.0 - share, 1e-3), 0.02), 2.0)


def _likely_total(board: Board) -> float:
    """How likely a game has no more mines than this board has room for, in nats."""
    room = (board.not_open & ~board.cells_showing(SAFE + WRONG_FLAG)).bit_count()
    return RARER * min(0.0, log(max(room, 1) / (FEWEST * len(board))))


def _weigh(part: CountedComponent, odds: float) -> float:
    """The weight of all layouts of a component, in nats; of one that is too tangled, a usual one."""
    if part.layouts is None:
        return USUAL * part.cells.bit_count()
    most = max(part.layouts.all)
    return log(most) + log(fsum(n / most * odds**m for m, n in enumerate(part.layouts.all)))
