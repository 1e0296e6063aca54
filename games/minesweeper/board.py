"""Boards as displayed, and moves.

A `Board` is immutable, of any size, and has a text form that round-trips. A cell set is an int: bit k is cell
k, numbered row by row (k = row * columns + column).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple, get_args

from games.errors import ArgumentError, InvalidFile
from games.logic import bits, cell_set
from games.minesweeper.variants import get_variant

HIDDEN, FLAG, QUESTION = ".", "F", "?"
MINE, EXPLODED, WRONG_FLAG = "*", "!", "x"
SAFE = "-"  # hidden and known safe
UNKNOWN = "~"  # the reader is not sure
DIGITS = "012345678"
STATES = HIDDEN + DIGITS + FLAG + QUESTION + MINE + EXPLODED + WRONG_FLAG + SAFE + UNKNOWN
MINES_SHOWN = MINE + EXPLODED + WRONG_FLAG  # a program shows these only when the game is lost
CLOSED = HIDDEN + QUESTION + SAFE  # can be opened with one click
_LETTERS = STATES.encode()
HEADERS = ", or a line such as 'mines 99'"  # in an error message
LARGEST_TEXT = 1_000_000  # characters of the text form of a board


@dataclass(frozen=True)
class Board:
    """The displayed state of every cell.

    `cells` contains rows * columns letters of `STATES`, row by row. `mines` is the mine total, None if it is
    unknown. `variant` is the name of the rules, "plain" for the standard rules.
    """

    rows: int
    columns: int
    cells: str
    mines: int | None = None
    variant: str = "plain"
    _by_states: dict[str, int] = field(default_factory=dict, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        kinds = tuple(map(type, (self.rows, self.columns, self.cells, self.variant)))
        if kinds != (int, int, str, str):
            got = ", ".join(kind.__name__ for kind in kinds)
            raise ArgumentError(
                f"a board of {got}: pass two whole numbers, the letters of the cells, a variant"
            )
        if self.rows < 1 or self.columns < 1 or len(self.cells) != self.rows * self.columns:
            raise ArgumentError(
                f"{len(self.cells)} cells do not fill {self.columns}x{self.rows}: pass rows x columns letters"
            )
        if wrong := self.cells.encode("utf-8", "replace").translate(None, _LETTERS):
            raise ArgumentError(f"{wrong.decode()[:20]!r}: not cell states: use the letters {STATES}")

    def __reduce__(self) -> tuple[type[Board], tuple[object, ...]]:
        return Board, (self.rows, self.columns, self.cells, self.mines, self.variant)  # without the caches

    @classmethod
    def fresh(cls, rows: int, columns: int, mines: int | None = None, variant: str = "plain") -> Board:
        """A board of hidden cells."""
        return cls(rows, columns, HIDDEN * (rows * columns), mines, variant)

    @classmethod
    def parse(cls, text: str) -> Board:
        """Read the text form. Raises InvalidFile with the row and column of the error."""
        if not isinstance(text, str):
            raise ArgumentError(f"a board of type {type(text).__name__}: pass its text")
        if len(text) > LARGEST_TEXT:
            raise InvalidFile(f"the text is {len(text)} characters long: a board has at most {LARGEST_TEXT}")
        mines: int | None = None
        variant = "plain"
        grid: list[str] = []
        for number, line in enumerate(map(str.strip, text.splitlines()), 1):
            if not line or (line.startswith("#") and not grid):
                continue
            if not grid and (word := re.fullmatch(r"mines\s+(\d{1,9})", line)):
                mines = int(word[1])
            elif not grid and (word := re.fullmatch(r"variant\s+([\w-]+)", line)):
                variant = word[1]
            else:
                for column, letter in enumerate(line):
                    if letter not in STATES:
                        raise InvalidFile(
                            f"line {number}, r{len(grid)}c{column}: '{letter}' is not a cell state "
                            f"(use one of {STATES}{HEADERS if not grid else ''})"
                        )
                if grid and len(line) != len(grid[0]):
                    raise InvalidFile(
                        f"line {number}, row {len(grid)}: {len(line)} cells, but the rows above have "
                        f"{len(grid[0])}: make all rows equally long"
                    )
                grid.append(line)
        if not grid:
            raise InvalidFile("the text contains no board: write one line of cells for each row")
        board = cls(len(grid), len(grid[0]), "".join(grid), mines, variant)
        if mines is not None and mines > board.not_open.bit_count():
            raise InvalidFile(
                f"'mines {mines}', but only {board.not_open.bit_count()} cells are not open: "
                "correct the total or the rows"
            )
        return board

    def __str__(self) -> str:
        head = []
        if self.mines is not None:
            head.append(f"mines {self.mines}")
        if self.variant != "plain":
            head.append(f"variant {self.variant}")
        return "\n".join(head + list(self.grid))

    @property
    def grid(self) -> tuple[str, ...]:
        """The rows as text."""
        return tuple(self.cells[r * self.columns : (r + 1) * self.columns] for r in range(self.rows))

    @property
    def __array_interface__(self) -> dict[str, object]:
        """For numpy: `np.asarray(board)` is (rows, columns), one letter for each cell, read-only."""
        letters = self.cells.encode("utf-32-le" if sys.byteorder == "little" else "utf-32-be")
        kind = f"{'<' if sys.byteorder == 'little' else '>'}U1"
        return {"version": 3, "shape": (self.rows, self.columns), "typestr": kind, "data": letters}

    def __getitem__(self, cell: int) -> str:
        return self.cells[cell]

    def __len__(self) -> int:
        return len(self.cells)

    def cells_showing(self, states: str) -> int:
        """The set of cells that show one of these states."""
        if states not in self._by_states:
            cells, found = self.cells, 0
            if any(state in cells for state in states):
                found = int(cells[::-1].encode().translate(_binary_digits(states)), 2)
            self._by_states[states] = found
        return self._by_states[states]

    @property
    def everything(self) -> int:
        """The set of all cells."""
        return (1 << len(self.cells)) - 1

    @property
    def open(self) -> int:
        """The cells that show a number (0 to 8)."""
        return self.cells_showing(DIGITS)

    @property
    def not_open(self) -> int:
        """The cells that show no number and may be mines."""
        return self.everything & ~self.open

    @property
    def closed(self) -> int:
        """The cells that one click opens: hidden, question mark, hidden and known safe."""
        return self.cells_showing(CLOSED)

    @property
    def flagged(self) -> int:
        """The flags on the board: claims, not facts."""
        return self.cells_showing(FLAG)

    @property
    def unread(self) -> int:
        """The cells with an unknown state."""
        return self.cells_showing(UNKNOWN)

    @property
    def unfinished_zeros(self) -> int:
        """The zeros with closed neighbours: an opening that is still being drawn, or a held button."""
        closed = self.closed
        return cell_set(k for k in bits(self.cells_showing("0")) if self.around[k] & closed)

    @property
    def shown_mines(self) -> int:
        """The cells that show a mine, an exploded mine or a wrong flag."""
        return self.cells_showing(MINES_SHOWN)

    @cached_property
    def around(self) -> tuple[int, ...]:
        """For each cell, the set of cells that its number counts: its neighbours under the standard rules.

        Raises UsageError for an unknown variant, or one whose numbers may exceed 8.
        """
        return get_variant(self.variant).around(self.rows, self.columns)

    def name(self, cell: int) -> str:
        """The displayed name of a cell: `r3c5`, row and column from 0."""
        return f"r{cell // self.columns}c{cell % self.columns}"

    def names(self, cells: int) -> list[str]:
        """The names of the cells of a cell set, in ascending order."""
        return [self.name(k) for k in bits(cells)]

    def cell(self, name: str) -> int:
        """The cell with a name such as `r3c5`. Raises InvalidFile if there is no such cell."""
        match = re.fullmatch(r"r(\d+)c(\d+)", name)
        if not match or int(match[1]) >= self.rows or int(match[2]) >= self.columns:
            raise InvalidFile(
                f"'{name}' is not a cell of this board: use r0c0 to r{self.rows - 1}c{self.columns - 1}"
            )
        return int(match[1]) * self.columns + int(match[2])

    def with_states(self, changes: Mapping[int, str]) -> Board:
        """This board with different states of some cells."""
        letters = list(self.cells)
        for k, state in changes.items():
            if not 0 <= k < len(letters):
                raise ArgumentError(f"cell {k}: this board has the cells 0 to {len(letters) - 1}")
            letters[k] = state
        return replace(self, cells="".join(letters))

    def with_variant(self, variant: str) -> Board:
        """This board with the rules of a variant."""
        return self if variant == self.variant else replace(self, variant=variant)

    def with_mines(self, mines: int | None) -> Board:
        """This board with a different mine total."""
        return self if mines == self.mines else replace(self, mines=mines)


@lru_cache(maxsize=256)
def _binary_digits(states: str) -> bytes:
    """Translation table: "1" for these states, "0" for all others."""
    return bytes.maketrans(STATES.encode(), b"".join(b"1" if each in states else b"0" for each in STATES))


MoveKind = Literal["open", "flag", "unflag", "chord"]


class Move(NamedTuple):
    """One act on one cell.

    `open` opens a closed cell, `flag` marks it as a mine, and `unflag` removes the mark. `chord` opens all
    unflagged neighbours of an open cell if its number equals the number of flags next to it.
    """

    kind: MoveKind
    cell: int

    def text(self, board: Board) -> str:
        """`open r3c5`."""
        return f"{self.kind} {board.name(self.cell)}"

    @classmethod
    def parse(cls, text: str, board: Board) -> Move:
        """Read `open r3c5`. Raises InvalidFile."""
        match text.split():
            case [("open" | "flag" | "unflag" | "chord") as kind, name]:
                return cls(kind, board.cell(name))
        raise InvalidFile(f"'{text}' is not a move: write one of {', '.join(get_args(MoveKind))} and a cell")
