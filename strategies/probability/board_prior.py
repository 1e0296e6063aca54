"""Board prior for vision: whether a board is possible, and how likely its numbers are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import exp, fsum, log, log1p

from games.errors import Contradiction, UsageError
from games.logic import Constraint, bits, connected_components, union_cells
from games.logic.propagation import PropagationProblem, propagate
from games.minesweeper import EXPLODED, MINE, SAFE, WRONG_FLAG, Board, board_knowledge
from games.minesweeper.variants import PLAIN, get_variant
from strategies.probability.counts import ComponentCounts, CountedComponent, LayoutCounts, count_component
from strategies.probability.risks import possible_totals

ODDS = 0.22  # of a mine, if the mine total is unknown
MIN_DENSITY = 0.08  # mines per cell; boards with room for fewer are penalized (chosen, not measured)
RARITY_POWER = 4  # exponent of that penalty
UNCOUNTED_WEIGHT = 0.1  # nats per cell of a component that exceeds the cap
CAP = 20_000  # steps spent on counting one component
CACHED_COMPONENTS = 4096


@dataclass(frozen=True)
class UniformMinePrior:
    """Board prior under which all layouts of the mines are equally likely.

    `variant` is the name of the variant whose boards the reader asks about.
    """

    variant: str = PLAIN

    def log_likelihood(self, board: Board) -> float | None:
        """Log likelihood of a board's numbers, in nats, for random mines; None if the board is impossible.

        Conditional on the open cells being safe, because the player chose them. If the mine total is
        unknown, boards with room for few mines are penalized: usual levels have 9 % mines (8x8 with 6) or
        more. Rules for the placement of mines exclude boards, but do not change their likelihood: they join
        all hidden cells into one component, which is too large to count.
        """
        try:
            census = _census(board)
            if not _is_placeable(board):
                return None
        except Contradiction:
            return None
        if not possible_totals(census).is_consistent:
            return None
        odds = _odds(census.total)
        likely = _likely_total(board) if board.mines is None else 0.0
        parts = (_weigh(part, odds) - part.cells.bit_count() * log1p(odds) for part in census.components)
        return likely + fsum(parts)


def _is_placeable(board: Board) -> bool:
    """Whether the variant may allow mines that explain the numbers; bounds propagation only.

    Balance states no rule until the mine total is known. Raises Contradiction.
    """
    if get_variant(board.variant).is_free:
        return True
    try:
        problem = PropagationProblem.as_numbered(board_knowledge(board).given)
    except UsageError:
        return board.mines is None
    return propagate(problem, 0, 0)[2] is None


def _census(board: Board) -> ComponentCounts:
    """Count a board by its numbers alone. Raises Contradiction for a number that is impossible.

    Cells that single numbers decide form a component of their own, so the others are small. Successive boards
    differ in a few cells, so most of their components are cached.
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
    """Return the cells that single clues decide, as a component with one layout, and the remaining clues.

    A clue is a cell set and its number of mines. Raises Contradiction.
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


@lru_cache(maxsize=CACHED_COMPONENTS)
def _component(clues: tuple[Constraint, ...]) -> CountedComponent:
    universe = union_cells(clues)
    return count_component(clues, universe, CAP, each_class=False)


def _odds(total: Constraint | None) -> float:
    if total is None or not total.size:
        return ODDS
    share = total.high / total.size
    return min(max(share / max(1.0 - share, 1e-3), 0.02), 2.0)


def _likely_total(board: Board) -> float:
    """Penalty in nats for a board with room for few mines."""
    room = (board.not_open & ~board.cells_showing(SAFE + WRONG_FLAG)).bit_count()
    return RARITY_POWER * min(0.0, log(max(room, 1) / (MIN_DENSITY * len(board))))


def _weigh(part: CountedComponent, odds: float) -> float:
    """Log weight of all layouts of a component, in nats; a typical value if it was not counted."""
    if part.layouts is None:
        return UNCOUNTED_WEIGHT * part.cells.bit_count()
    nats = [log(n) + m * log(odds) for m, n in enumerate(part.layouts.all) if n]
    most = max(nats)  # a large component has many mines, so its weight may be less than a float holds
    return most + log(fsum(exp(each - most) for each in nats))
