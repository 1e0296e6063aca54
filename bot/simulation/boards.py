"""Boards of simulated games: from a seed, from a boards file, or generated to meet requirements."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Self

from bot.game.plan import Planner
from bot.game.types import Plan
from bot.simulation.simulated_game import Promise, simulated_rules
from games.errors import UsageError
from games.external import LARGEST_FILE, read_external
from games.minesweeper import DIGITS, LEVELS, MINE, Board, Deal, Minefield, Move, read_deals
from games.minesweeper.deals import MOST_CELLS, protected_cells
from games.minesweeper.minefield import bv3, find_openings
from games.minesweeper.variants import PLAIN, get_variant
from strategies import Reasoner, Strategy


def parse_board_size(
    level: str | None, size: tuple[int, int] | None, mines: int | None
) -> tuple[int, int, int]:
    """Return (columns, rows, mines) of a level, or of a size and mines; default Expert. Raises UsageError."""
    if (size is None) != (mines is None):
        raise UsageError("--size and --mines require each other: use both, such as --size 30x16 --mines 99")
    if size is None or mines is None:
        rows, columns, total = LEVELS[level or "expert"]
        return columns, rows, total
    if level is not None:
        raise UsageError("--level excludes --size and --mines: use one or the other")
    columns, rows = size
    most = max(columns * rows - 1, 1)
    if not 0 < mines < columns * rows:
        raise UsageError(f"{mines} mines are not possible on {columns}x{rows}: use 1 to {most} with --mines")
    return columns, rows, mines


@dataclass(frozen=True, eq=False)
class RandomDeals(Mapping[int, Deal]):
    """Numbered deals from a seed, created on access."""

    rows: int
    columns: int
    mines: int
    seed: str
    games: int
    variant: str = PLAIN

    def __getitem__(self, game: int) -> Deal:
        if game not in range(self.games):
            raise KeyError(game)
        return Deal.random(self.rows, self.columns, self.mines, f"{self.seed}/{game}", self.variant)

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.games))

    def __len__(self) -> int:
        return self.games


@dataclass(frozen=True, slots=True)
class BoardSet:
    """Boards of one size and variant; `name` is for display, `boards` identifies the boards."""

    rows: int
    columns: int
    mines: int
    name: str
    boards: str
    deals: Mapping[int, Deal]
    variant: str = PLAIN

    @classmethod
    def random(cls, size: tuple[int, int], mines: int, seed: str, games: int, variant: str = PLAIN) -> Self:
        """Create boards of a size (columns, rows) from a seed."""
        columns, rows = size
        deals = RandomDeals(rows, columns, mines, seed, games, variant)
        name = f"{columns}x{rows}/{mines}" + ("" if variant == PLAIN else f" {variant}")
        return cls(rows, columns, mines, name, f"{name} from seed {seed}", deals, variant)

    @classmethod
    def load(cls, path: Path, games: int | None = None) -> Self:
        """Load the first `games` boards of a boards file (None: all). Raises InvalidFile."""
        deals = read_deals(path, games)
        deal = next(iter(deals.values()))
        digest = hashlib.sha256(read_external(path, LARGEST_FILE)).hexdigest()[:16]
        name = f"{deal.columns}x{deal.rows}/{deal.mines} of {path.name}"
        return cls(deal.rows, deal.columns, deal.mines, name, f"boards file {digest}", deals)


def first_click_cell(
    name: str | None, rows: int, columns: int, mines: int, first_click: str, variant: str = PLAIN
) -> int | None:
    """Return the first cell of a game by its name (`r0c0`); None if the strategies choose it.

    Raises UsageError if the board is too large, the cell does not exist, or the mines leave no room for the
    guaranteed first click or the rules of the variant.
    """
    if rows * columns > MOST_CELLS:
        raise UsageError(f"{columns}x{rows} is too large to simulate: use at most {MOST_CELLS} cells")
    board = Board.fresh(rows, columns)
    start = None
    if name is not None:
        start = next((k for k in range(len(board)) if board.name(k) == name), None)
        if start is None:
            raise UsageError(
                f"'{name}' is not a cell of {columns}x{rows}: use r0c0 to r{rows - 1}c{columns - 1}"
            )
    rules = get_variant(variant)
    rules.check_first_click(first_click)
    if not rules.is_free:
        Deal.random(rows, columns, mines, 0, variant).lay(start or 0, first_click)
    # a corner protects the fewest cells
    forbidden = protected_cells(rows, columns, start or 0, first_click, variant)
    if len(board) - forbidden.bit_count() < mines:
        raise UsageError(no_room(mines, first_click, columns, rows))
    return start


def no_room(mines: int, first_click: str, columns: int, rows: int) -> str:
    """The message for mines that leave no room for the guaranteed first click."""
    return f"{mines} mines leave no room for a {first_click} first click on {columns}x{rows}: use fewer mines"


Range = tuple[int, int]  # minimum and maximum


@dataclass(frozen=True)
class BoardRequest:
    """Requirements for generated boards: size, first click (`start` is a cell), and limits.

    `no_guess`: certain moves win the game. `needs` names a strategy: certain moves win with it and the
    strategies before it, but not without it. `tries` is the maximum number of deals per board.
    """

    rows: int
    columns: int
    mines: int
    start: int
    first_click: Promise = "zero"
    no_guess: bool = False
    needs: str | None = None
    bv3: Range | None = None
    openings: Range | None = None
    tries: int = 20_000
    variant: str = PLAIN


@dataclass(frozen=True)
class GeneratedBoard:
    """A generated board: mines (a cell set), figures, and the winning plans if certain moves must win.

    `tried` is the number of deals it took.
    """

    deal: Deal
    mines: int
    bv3: int
    openings: int
    tried: int
    plans: tuple[Plan, ...] = ()

    @property
    def solved(self) -> Board:
        """The board with all numbers and mines."""
        deal = self.deal
        around = get_variant(deal.variant).counted(deal.rows, deal.columns)
        numbers = (DIGITS[(counted & self.mines).bit_count()] for counted in around)
        cells = "".join(MINE if self.mines >> k & 1 else number for k, number in enumerate(numbers))
        return Board(deal.rows, deal.columns, cells, deal.mines, deal.variant)


def generate(request: BoardRequest, strategies: Sequence[Strategy], seed: str) -> Iterator[GeneratedBoard]:
    """Generate boards endlessly, reproducible from seed and strategies.

    Raises UsageError if a board takes too many tries, or if the mines leave no room for the first click.
    """
    certain = [strategy for strategy in strategies if strategy.has_deduce]
    cheaper = []
    if request.needs is not None:
        names = [strategy.name for strategy in certain]
        if request.needs not in names:
            raise UsageError(
                f"--needs: {request.needs} finds no certain moves: use one of {', '.join(names)}"
            )
        place = names.index(request.needs)
        certain, cheaper = certain[: place + 1], certain[:place]
    numbers = count()
    while True:
        for tried in range(1, request.tries + 1):
            found = _generate_one(request, f"{seed}/{next(numbers)}", tried, certain, cheaper)
            if found is not None:
                yield found
                break
        else:
            raise UsageError(
                f"none of {request.tries} boards of {request.columns}x{request.rows} with {request.mines} "
                "mines meets the requirements: use fewer requirements, fewer mines, or more --tries"
            )


def _generate_one(
    request: BoardRequest, seed: str, tried: int, certain: Sequence[Strategy], cheaper: Sequence[Strategy]
) -> GeneratedBoard | None:
    """Deal the board of a seed; None if it does not meet the requirements."""
    rows, columns = request.rows, request.columns
    drawn = Deal.random(rows, columns, request.mines, seed, request.variant)
    mines = drawn.lay(request.start, request.first_click)
    field = rows, columns, mines, request.variant
    figures = bv3(*field), len(find_openings(*field))
    for figure, limits in zip(figures, (request.bv3, request.openings), strict=True):
        if limits is not None and not limits[0] <= figure <= limits[1]:
            return None
    # the order of a restricted variant is only a seed: it gives these mines with this first click
    deal = Deal.of(rows, columns, mines) if request.variant == PLAIN else drawn
    if not request.no_guess and request.needs is None:
        return GeneratedBoard(deal, mines, *figures, tried)
    plans = certain_win(deal, request, certain)
    if plans is None or (cheaper and certain_win(deal, request, cheaper) is not None):
        return None
    return GeneratedBoard(deal, mines, *figures, tried, plans)


def certain_win(deal: Deal, request: BoardRequest, strategies: Sequence[Strategy]) -> tuple[Plan, ...] | None:
    """Return the plans that win after the first click by certain moves alone; None if a guess is needed."""
    field = Minefield(deal, "none" if deal.variant == PLAIN else request.first_click)
    rules = simulated_rules(deal.mines, request.first_click, deal.variant)
    planner = Planner(Reasoner(strategies), rules, thorough=False)
    field.play([Move("open", request.start)])
    plans = []
    while not field.is_won:
        plan = planner.plan(field.board)
        if plan.guess is not None or not plan.moves or field.is_lost:
            return None
        plans.append(plan)
        field.play(plan.moves)
    return tuple(plans)
