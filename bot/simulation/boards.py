"""The boards that simulated games are played on: from a seed, or from a boards file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from games.errors import Usage
from games.minesweeper import LEVELS, Board, Deal, forbidden_by, read_deals
from games.minesweeper.dealing import MOST_CELLS
from games.minesweeper.variants import PLAIN, variant_of


def board_of(level: str | None, size: tuple[int, int] | None, mines: int | None) -> tuple[int, int, int]:
    """(columns, rows, mines) of a level, or of a size and its mines; Expert for nothing. Raises Usage."""
    if (size is None) != (mines is None):
        raise Usage("--size and --mines go together, such as --size 30x16 --mines 99")
    if size is None or mines is None:
        rows, columns, count = LEVELS[level or "expert"]
        return columns, rows, count
    if level is not None:
        raise Usage("take one of --level, and --size with --mines")
    if not 0 < mines < size[0] * size[1]:
        raise Usage(
            f"{mines} mines do not make a game on {size[0]}x{size[1]}: "
            f"take 1 to {max(size[0] * size[1] - 1, 1)} with --mines"
        )
    return *size, mines


class RandomDeals(Mapping[int, Deal]):
    """Deals from a seed, by number, each made when it is asked for."""

    def __init__(
        self, rows: int, columns: int, mines: int, seed: str, games: int, variant: str = PLAIN
    ) -> None:
        self._board = (rows, columns, mines)
        self._seed = seed
        self._variant = variant
        self._games = range(games)

    def __getitem__(self, game: int) -> Deal:
        if game not in self._games:
            raise KeyError(game)
        return Deal.random(*self._board, f"{self._seed}/{game}", self._variant)

    def __iter__(self) -> Iterator[int]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)


@dataclass(frozen=True, slots=True)
class Course:
    """Boards of one size and variant.

    `name` is for people; `boards` is the same for the same boards and no others.
    """

    rows: int
    columns: int
    mines: int
    name: str
    boards: str
    deals: Mapping[int, Deal]
    variant: str = PLAIN

    @classmethod
    def random(cls, size: tuple[int, int], mines: int, seed: str, games: int, variant: str = PLAIN) -> Self:
        """So many boards of this size (columns, rows) from a seed."""
        columns, rows = size
        deals = RandomDeals(rows, columns, mines, seed, games, variant)
        name = f"{columns}x{rows}/{mines}" + ("" if variant == PLAIN else f" {variant}")
        return cls(rows, columns, mines, name, f"{name} from seed {seed}", deals, variant)

    @classmethod
    def load(cls, path: Path, games: int | None = None) -> Self:
        """The first `games` boards of a boards file, all of them for None. Raises InvalidFile."""
        deals = read_deals(path, games)
        one = next(iter(deals.values()))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        name = f"{one.columns}x{one.rows}/{one.mines} of {path.name}"
        return cls(one.rows, one.columns, one.mines, name, f"boards file {digest}", deals)


def start_on(
    name: str | None, rows: int, columns: int, mines: int, first_click: str, variant: str = PLAIN
) -> int | None:
    """The cell that a game is to begin with (`r0c0`), None when the strategies choose.

    Raises Usage when the board is too large, there is no such cell, or the mines leave no room for what the
    first click is promised, or for the rules of the variant.
    """
    if rows * columns > MOST_CELLS:
        raise Usage(f"{columns}x{rows} is too large to simulate: take at most {MOST_CELLS} cells")
    board = Board.fresh(rows, columns)
    start = None
    if name is not None:
        start = next((k for k in range(len(board)) if board.name(k) == name), None)
        if start is None:
            raise Usage(f"'{name}' is no cell of {columns}x{rows}: use r0c0 to r{rows - 1}c{columns - 1}")
    rules = variant_of(variant)
    if first_click not in rules.promises:
        raise Usage(
            f"by the rules of {variant} no first click can be {first_click}: take {rules.promises[0]}"
        )
    if not rules.is_free:
        Deal.random(rows, columns, mines, 0, variant).lay(start or 0, first_click)
    forbidden = forbidden_by(
        rows, columns, start or 0, first_click, variant
    )  # nowhere fewer than in a corner
    if len(board) - forbidden.bit_count() < mines:
        raise Usage(
            f"{mines} mines do not leave a {first_click} first click on {columns}x{rows}: take fewer mines"
        )
    return start
