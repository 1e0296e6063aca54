"""Exact win probability of strategies on a small board: play every layout to its end.

Layouts that look alike so far are played together, so the strategies plan once per reachable board. A board
is always reached on the same path, so these layouts are all that are consistent with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb

from bot.game.plan import Planner
from bot.game.types import GameRules
from bot.simulation.boards import no_room
from bot.simulation.simulated_game import GAVE_UP, GameStart, cpu_time, simulated_rules, warm_up
from games.errors import UsageError
from games.logic import bits, cell_set
from games.minesweeper import DIGITS, Board, Move
from games.minesweeper.deals import protected_cells
from games.minesweeper.minefield import flood_open
from games.minesweeper.variants import get_variant
from strategies import Reasoner, Strategy

MOST_LAYOUTS = 2_000_000


@dataclass(frozen=True, slots=True)
class ExactValue:
    """Exact number of layouts won, after planning `positions` boards in `seconds` of CPU time.

    `first` is the cell of the first click, `slowest` the longest decision in seconds. `faults` describe
    errors of strategies, one line each.
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
    """A reachable board, its open cells (a cell set), and the mine layouts (cell sets) it allows."""

    board: Board
    opened: int
    layouts: list[int]


def exact_value(
    strategies: Sequence[Strategy],
    board: Board,
    opening: GameStart,
    progress: Callable[[int, int], None] | None = None,
) -> ExactValue:
    """Play every layout of a fresh board with a known total.

    `progress` is called with the number of finished layouts and the total. Raises UsageError if there are
    more than `MOST_LAYOUTS`, or no room for the guaranteed first click.
    """
    player = _FreshPlayer(strategies, simulated_rules(board.mines or 0, opening.first_click, board.variant))
    first = opening.start
    if first is None:
        moves = player.moves(board)
        first = moves[0].cell if moves else 0
    layouts = list(_layouts(board, first, opening))
    if not layouts:
        raise UsageError(f"the rules of {board.variant} allow no layout: use another number of mines")
    won = done = 0
    waiting = list(_after(_BoardNode(board, 0, layouts), 1 << first))
    while waiting:
        node = waiting.pop()
        if node.opened.bit_count() + (board.mines or 0) == len(board):
            won += len(node.layouts)
            done += len(node.layouts)
        else:
            children = list(_after(node, cell_set(move.cell for move in player.moves(node.board))))
            done += len(node.layouts) - sum(len(child.layouts) for child in children)
            waiting += children
        if progress is not None:
            progress(done, len(layouts))
    return ExactValue(
        won,
        len(layouts),
        first,
        len(player.spent),
        sum(player.spent),
        max(player.spent, default=0.0),
        tuple(dict.fromkeys(player.faults)),
    )


class _FreshPlayer:
    """Plans each board with a fresh reasoner, as if it were a game of its own."""

    def __init__(self, strategies: Sequence[Strategy], rules: GameRules) -> None:
        self._strategies = strategies
        self._rules = rules
        self.spent: list[float] = []  # seconds of CPU time per decision
        self.faults: list[str] = []
        warm_up(strategies)

    def moves(self, board: Board) -> tuple[Move, ...]:
        reasoner = Reasoner(self._strategies)
        planner = Planner(reasoner, self._rules)
        begun = cpu_time(self._strategies)
        moves = planner.plan(board).moves
        self.spent.append(cpu_time(self._strategies) - begun)
        self.faults += map(str, reasoner.faults)
        self.faults += () if moves else (GAVE_UP,)
        return moves


def _layouts(board: Board, first: int, opening: GameStart) -> Iterator[int]:
    """Yield every layout that the rules and the first-click guarantee allow; all are equally likely."""
    forbidden = protected_cells(board.rows, board.columns, first, opening.first_click, board.variant)
    allowed = list(bits(board.everything & ~forbidden))
    mines = board.mines or 0
    count = comb(len(allowed), mines)
    if not count:
        raise UsageError(no_room(mines, opening.first_click, board.columns, board.rows))
    if count > MOST_LAYOUTS:
        raise UsageError(
            f"{count:,} layouts are too many to play: use a smaller board (at most {MOST_LAYOUTS:,} layouts)"
        )
    stated = get_variant(board.variant).states(board.rows, board.columns, mines)
    every = map(cell_set, combinations(allowed, mines))
    return (
        layout for layout in every if all(c.low <= (c.cells & layout).bit_count() <= c.high for c in stated)
    )


def _after(node: _BoardNode, cells: int) -> Iterator[_BoardNode]:
    """Yield the boards after opening these cells; layouts with a mine among them are lost."""
    around = node.board.around
    hidden = node.board.everything & ~node.opened
    found: dict[tuple[int, str], list[int]] = {}
    for mines in node.layouts if cells else ():
        if mines & cells:
            continue
        opened = flood_open(cells, mines, hidden, around)
        numbers = "".join([DIGITS[(around[k] & mines).bit_count()] for k in bits(opened)])
        found.setdefault((opened, numbers), []).append(mines)
    for (opened, numbers), layouts in found.items():
        board = node.board.with_states(dict(zip(bits(opened), numbers, strict=True)))
        yield _BoardNode(board, node.opened | opened, layouts)
