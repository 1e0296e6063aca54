"""What strategies are worth exactly on a small board: every layout of the mines, played to its end.

Layouts that show the same board so far are played together: the strategies are asked once for each board that
can come up. Such a board is always come to in the same way, so the layouts at hand are all that it leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb

from bot.game.plan import Planner
from bot.game.types import GameRules
from bot.simulation.simulated_game import GAVE_UP, GameStart, cpu_time, simulated_rules, warm_up
from games.errors import UsageError
from games.logic import bits, cell_set
from games.minesweeper import DIGITS, Board, Move, flood_open, protected_cells
from games.minesweeper.variants import get_variant
from strategies import Reasoner, Strategy

MOST_LAYOUTS = 2_000_000


@dataclass(frozen=True, slots=True)
class ExactValue:
    """The exact share of layouts won. `positions` boards were decided on, in `seconds` of CPU time.

    `first` is the cell of the first click. `faults` are what strategies did wrong, a line each.
    """

    won: int
    layouts: int
    first: int
    positions: int
    seconds: float
    slowest: float
    faults: tuple[str, ...]

    @property
    def value(self) -> Fraction:
        """The probability of a win."""
        return Fraction(self.won, self.layouts)


@dataclass(frozen=True, slots=True)
class _BoardNode:
    """A board that has come up, its open cells (a set), and the mines (sets) that may be behind it."""

    board: Board
    opened: int
    layouts: list[int]


def exact_value(
    strategies: Sequence[Strategy],
    board: Board,
    opening: GameStart,
    progress: Callable[[int, int], None] = lambda done, layouts: None,
) -> ExactValue:
    """Play every layout of a fresh board with a known total.

    `progress` hears how many layouts are done, and of how many. Raises Usage when there are more than
    `MOST_LAYOUTS`, or no room for the promised first click.
    """
    asked = _CachedPlayer(strategies, simulated_rules(board.mines or 0, opening.first_click, board.variant))
    first = opening.start
    if first is None:
        moves = asked.moves(board)
        first = moves[0].cell if moves else 0
    layouts = list(_layouts(board, first, opening))
    if not layouts:
        raise UsageError(
            f"there is no such layout by the rules of {board.variant}: take another number of mines"
        )
    won = done = 0
    waiting = list(_after(_BoardNode(board, 0, layouts), 1 << first))
    while waiting:
        node = waiting.pop()
        if node.opened.bit_count() + (board.mines or 0) == len(board):
            won += len(node.layouts)
            done += len(node.layouts)
        else:
            further = list(_after(node, cell_set(move.cell for move in asked.moves(node.board))))
            done += len(node.layouts) - sum(len(child.layouts) for child in further)
            waiting += further
        progress(done, len(layouts))
    return ExactValue(
        won,
        len(layouts),
        first,
        len(asked.spent),
        sum(asked.spent),
        max(asked.spent, default=0.0),
        tuple(dict.fromkeys(asked.faults)),
    )


class _CachedPlayer:
    """The strategies, asked about one board after the other, each as if it were a game of its own."""

    def __init__(self, strategies: Sequence[Strategy], rules: GameRules) -> None:
        self._strategies = strategies
        self._rules = rules
        self.spent: list[float] = []
        self.faults: list[str] = []
        warm_up(strategies)

    def moves(self, board: Board) -> tuple[Move, ...]:
        """The cells to open next; none when the game is given up."""
        reasoner = Reasoner(self._strategies)
        planner = Planner(reasoner, self._rules)
        begun = cpu_time(self._strategies)
        moves = planner.plan(board).moves
        self.spent.append(cpu_time(self._strategies) - begun)
        self.faults += map(str, reasoner.faults)
        self.faults += () if moves else (GAVE_UP,)
        return moves


def _layouts(board: Board, first: int, opening: GameStart) -> Iterator[int]:
    """Every set of mines that the rules and the first click's promise allow; all are equally likely."""
    forbidden = protected_cells(board.rows, board.columns, first, opening.first_click, board.variant)
    allowed = list(bits(board.everything & ~forbidden))
    mines = board.mines or 0
    count = comb(len(allowed), mines)
    if not count:
        raise UsageError(
            f"{mines} mines do not leave a {opening.first_click} first click on "
            f"{board.columns}x{board.rows}: take fewer mines"
        )
    if count > MOST_LAYOUTS:
        raise UsageError(
            f"{count:,} layouts are too many to play: take a smaller board (at most {MOST_LAYOUTS:,} layouts)"
        )
    stated = get_variant(board.variant).states(board.rows, board.columns, mines)
    every = map(cell_set, combinations(allowed, mines))
    return (
        layout for layout in every if all(c.low <= (c.cells & layout).bit_count() <= c.high for c in stated)
    )


def _after(node: _BoardNode, cells: int) -> Iterator[_BoardNode]:
    """The boards that opening these cells leads to; layouts that have a mine among them are lost."""
    around = node.board.around
    shut = node.board.everything & ~node.opened
    found: dict[tuple[int, str], list[int]] = {}
    for mines in node.layouts if cells else ():
        if mines & cells:
            continue
        opened = flood_open(cells, mines, shut, around)
        numbers = "".join([DIGITS[(around[k] & mines).bit_count()] for k in bits(opened)])
        found.setdefault((opened, numbers), []).append(mines)
    for (opened, numbers), layouts in found.items():
        shown = node.board.with_states(dict(zip(bits(opened), numbers, strict=True)))
        yield _BoardNode(shown, node.opened | opened, layouts)
