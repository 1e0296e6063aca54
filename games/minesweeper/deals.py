"""Deals: the mines of simulated games, from a seed, a boards file or an MBF file.

Layouts of a variant are uniform. If enough random layouts satisfy the rules, rejection sampling is used;
otherwise all layouts are counted and one is sampled (`games.logic.model_count`). The first-click guarantee is
met by rejection. MBF is the one-board format of Minesweeper Arbiter and other programs: one byte each for
columns and rows, two for the number of mines (big-endian), then a column and a row byte for each mine
("Minesweeper board format", minesweepergame.com, wiki).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, islice
from pathlib import Path
from random import Random
from types import MappingProxyType

from games.errors import InvalidFile, UsageError
from games.external import LARGEST_FILE, LARGEST_TEXT_FILE, read_external, read_external_text
from games.logic import Constraint, bits, cell_set
from games.logic.model_count import ModelGraph, build_model_graph
from games.minesweeper.board import DIGITS, MINE, Board
from games.minesweeper.variants import PLAIN, get_variant

WIDEST = 10  # cells in the shorter dimension of a board whose layouts are counted
MAX_TRIES = 100_000  # samples until one satisfies the rules and the first-click guarantee
SAMPLE = 3_000  # unrestricted layouts that are tested against the rules
ENOUGH = 15  # of these must satisfy the rules for rejection sampling


def sample_layout(variant: str, rows: int, columns: int, mines: int, forbidden: int, rng: Random) -> int:
    """A uniform layout (set of mines) without mines in `forbidden`. Raises UsageError if none is found."""
    layouts = layout_graph(variant, rows, columns, mines)
    stated = get_variant(variant).states(rows, columns, mines) if layouts is None else ()
    for _ in range(MAX_TRIES):
        found = layouts.sample(1, rng)[0] if layouts else _unrestricted(rows * columns, mines, rng)
        if not found & forbidden and _satisfies(found, stated):
            return found
    raise UsageError(
        f"the rules of {variant} do not allow the first-click guarantee on {columns}x{rows}/{mines}: "
        "use a different guarantee, or fewer mines"
    )


@lru_cache(maxsize=8)
def layout_graph(variant: str, rows: int, columns: int, mines: int) -> ModelGraph | None:
    """All layouts of a variant; None if unrestricted layouts satisfy its rules often enough.

    Raises UsageError if there is no layout, or if counting takes too many states.
    """
    cells = rows * columns
    stated = get_variant(variant).states(rows, columns, mines)
    rng = Random(0)
    if sum(_satisfies(_unrestricted(cells, mines, rng), stated) for _ in range(SAMPLE)) >= ENOUGH:
        return None
    name = f"{columns}x{rows}/{mines}"
    found = None
    if min(rows, columns) <= WIDEST:
        whole = Constraint((1 << cells) - 1, mines, mines)
        lines = [[row * columns + column for column in range(columns)] for row in range(rows)]
        short = lines if columns <= rows else list(map(list, zip(*lines, strict=True)))
        found = build_model_graph([*stated, whole], exact=True, order=[k for line in short for k in line])
    if found is None:
        raise UsageError(f"{name} is too large to deal under the rules of {variant}: use a smaller board")
    if not found.count:
        raise UsageError(f"{name} has no layout under the rules of {variant}: use a different mine total")
    return found


def _unrestricted(cells: int, mines: int, rng: Random) -> int:
    return cell_set(rng.sample(range(cells), mines))


def _satisfies(layout: int, stated: tuple[Constraint, ...]) -> bool:
    return all(c.holds(layout) for c in stated)


HEAD = 4  # bytes before the first mine
LONGEST = 255  # columns or rows, because each has one byte


def encode_mbf(rows: int, columns: int, mines: int) -> bytes:
    """Encode a set of mines. Raises UsageError if the board is too large for the format."""
    if max(rows, columns) > LONGEST:
        raise UsageError(
            f"{columns}x{rows} does not fit into an MBF file: use at most {LONGEST} columns and rows"
        )
    places = [byte for k in bits(mines) for byte in reversed(divmod(k, columns))]
    return bytes([columns, rows, *divmod(mines.bit_count(), 256), *places])


def decode_mbf(data: bytes) -> tuple[int, int, int]:
    """Decode rows, columns and the set of mines. Raises InvalidFile."""
    if len(data) < HEAD or not data[0] or not data[1]:
        raise InvalidFile("not an MBF file: columns, rows and the number of mines are missing")
    columns, rows, count = data[0], data[1], 256 * data[2] + data[3]
    if len(data) != HEAD + 2 * count:
        raise InvalidFile(f"not an MBF file: {count} mines take {HEAD + 2 * count} bytes, not {len(data)}")
    mines = 0
    for place in range(HEAD, len(data), 2):
        column, row = data[place], data[place + 1]
        if column >= columns or row >= rows:
            raise InvalidFile(f"a mine at r{row}c{column} is not on the {columns}x{rows} board")
        mines |= 1 << (row * columns + column)
    if mines.bit_count() != count or not 0 < count < rows * columns:
        raise InvalidFile(f"{count} mines do not make a game, or a mine occurs twice")
    return rows, columns, mines


SOLVED = frozenset(DIGITS + MINE)  # the cell states of a solved board
MOST_DIGITS = 9  # of a number in a boards file
MOST_CELLS = 40_000  # of a simulated board: 200x200
LEVELS: Mapping[str, tuple[int, int, int]] = MappingProxyType(  # rows, columns, mines
    {"beginner": (9, 9, 10), "intermediate": (16, 16, 40), "expert": (16, 30, 99)}
)


@dataclass(frozen=True, slots=True)
class Deal:
    """An order of cells that determines the mines once the first click is known.

    `order` is the start of a random permutation of the cells. After the first click f, the mines are its
    first `mines` permitted cells: all except f for *safe*, except f and its neighbours for *zero*, all for
    *none*. If the `variant` restricts the layouts, the order is only the seed for a uniform sample of the
    layouts that satisfy the first-click guarantee.
    """

    rows: int
    columns: int
    mines: int
    order: tuple[int, ...]
    variant: str = PLAIN

    @classmethod
    def random(cls, rows: int, columns: int, mines: int, seed: int | str, variant: str = PLAIN) -> Deal:
        """A deal from a seed. Raises UsageError if the mines do not fit."""
        cells = rows * columns
        if not 0 <= mines < cells:
            raise UsageError(f"{mines} mines do not fit on {columns}x{rows}: use 0 to {cells - 1}")
        order = tuple(random.Random(seed).sample(range(cells), cells))
        return cls(rows, columns, mines, order, variant)

    @classmethod
    def of(cls, rows: int, columns: int, mines: int) -> Deal:
        """The deal with this set of mines, unless the first click is at one of them."""
        order = (*bits(mines), *bits(((1 << rows * columns) - 1) & ~mines))
        return cls(rows, columns, mines.bit_count(), order)

    @property
    def line(self) -> str:
        """Its line in a boards file, without the game number."""
        return " ".join(map(str, self.order[: self.mines + 9]))

    def lay(self, first: int, first_click: str) -> int:
        """The set of mines after a first click on `first` with the guarantee *safe*, *zero* or *none*.

        Raises UsageError if too few cells are permitted.
        """
        forbidden = protected_cells(self.rows, self.columns, first, first_click, self.variant)
        if not get_variant(self.variant).is_free:
            rng = random.Random(" ".join(map(str, self.order)))
            return sample_layout(self.variant, self.rows, self.columns, self.mines, forbidden, rng)
        allowed = [k for k in self.order[: self.mines + 9] if not forbidden >> k & 1]
        if len(allowed) < self.mines:
            raise UsageError(
                f"{self.mines} mines do not leave a {first_click} first click on "
                f"{self.columns}x{self.rows}: use fewer mines"
            )
        return cell_set(allowed[: self.mines])


def protected_cells(rows: int, columns: int, first: int, first_click: str, variant: str = PLAIN) -> int:
    """The set of cells that the first-click guarantee *safe*, *zero* or *none* keeps free of mines."""
    if first_click == "zero":
        return get_variant(variant).around(rows, columns)[first] | 1 << first
    return 1 << first if first_click == "safe" else 0


def read_deals(path: Path, most: int | None = None) -> dict[int, Deal]:
    """The first `most` games of a boards file by number, in file order.

    A file with the extension .mbf contains one game; each solved board in a text file is one game. Raises
    InvalidFile with the line number.
    """
    if path.suffix.lower() == ".mbf":
        return {0: _read_mbf(path)}
    try:
        lines = read_external_text(path, LARGEST_FILE).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InvalidFile(f"{path}: cannot read the boards file ({why}): use a different file") from error
    if is_solved_board(lines):
        return dict(islice(_solved_boards(path, lines), most))
    head = lines[0].split() if lines else []
    if len(head) < 5 or head[0] != "#" or not all(map(_is_number, head[2:5])):
        raise InvalidFile(f"{path}, line 1: write '# name WIDTH HEIGHT MINES'")
    columns, rows, mines = map(int, head[2:5])
    if not 0 < mines < columns * rows:
        raise InvalidFile(
            f"{path}, line 1: {mines} mines do not make a game on {columns}x{rows}: "
            f"use 1 to {max(columns * rows - 1, 1)}"
        )
    if columns * rows > MOST_CELLS:
        raise InvalidFile(f"{path}, line 1: {columns}x{rows} is too large: at most {MOST_CELLS} cells")
    deals = dict(islice(_deals(path, lines, rows, columns, mines), most))
    if not deals:
        raise InvalidFile(f"{path}: contains no game: write one per line below line 1")
    return deals


def is_solved_board(lines: Iterable[str]) -> bool:
    """Whether these lines are boards as text that show mines and numbers only."""
    rows = [line.strip() for line in lines if line.strip() and not line.startswith(("#", "mines", "variant"))]
    return bool(rows) and any(MINE in row for row in rows) and all(set(row) <= SOLVED for row in rows)


def _solved_boards(path: Path, lines: Iterable[str]) -> Iterator[tuple[int, Deal]]:
    """The boards in these lines, separated by comments, blank lines or lines with the mine total."""
    size = None
    groups = groupby(map(str.strip, lines), lambda line: bool(line) and set(line) <= SOLVED)
    for game, (_, rows) in enumerate(group for group in groups if group[0]):
        board = Board.parse("\n".join(rows))
        mines = board.cells_showing(MINE)
        around = board.around
        wrong = [k for k in bits(board.open) if int(board[k]) != (around[k] & mines).bit_count()]
        if wrong:
            raise InvalidFile(
                f"{path}: board {game}, {board.name(wrong[0])} shows a wrong number: correct it"
            )
        if size not in (None, (board.rows, board.columns, mines.bit_count())):
            raise InvalidFile(
                f"{path}: board {game} differs in size or mine total from those above: use separate files"
            )
        size = board.rows, board.columns, mines.bit_count()
        yield game, Deal.of(board.rows, board.columns, mines)


def first_click_in(path: Path) -> str | None:
    """The first click in the first line of a file by `sapper generate`; None if it has none."""
    try:
        found = re.search(rb" at (r\d+c\d+)", read_external(path, LARGEST_FILE)[:1000].partition(b"\n")[0])
    except OSError as error:
        raise InvalidFile(f"{path}: cannot be read ({error.strerror}): use a different file") from error
    return found[1].decode() if found else None


def _read_mbf(path: Path) -> Deal:
    try:
        return Deal.of(*decode_mbf(read_external(path, LARGEST_TEXT_FILE)))
    except OSError as error:
        raise InvalidFile(f"{path}: cannot be read ({error.strerror}): use a different file") from error
    except InvalidFile as error:
        raise InvalidFile(f"{path}: {error}") from error


def _deals(path: Path, lines: list[str], rows: int, columns: int, mines: int) -> Iterator[tuple[int, Deal]]:
    cells, seen = rows * columns, set()
    needed = min(mines + 9, cells)
    for number, line in enumerate(lines[1:], 2):
        words = line.split()
        if not words or line.startswith("#"):
            continue
        where = f"{path}, line {number}"
        if not all(map(_is_number, words)):
            raise InvalidFile(f"{where}: write the game's number, then cells as numbers")
        game, *order = map(int, words)
        if len(order) < needed:
            raise InvalidFile(f"{where}: {len(order)} cells, but {needed} are required: add more")
        if max(order) >= cells:
            raise InvalidFile(f"{where}: cell {max(order)} is out of range: use 0 to {cells - 1}")
        if len(set(order)) < len(order):
            raise InvalidFile(f"{where}: a cell occurs twice: name each cell once")
        if game in seen:
            raise InvalidFile(f"{where}: game {game} occurs twice: use each number once")
        seen.add(game)
        yield game, Deal(rows, columns, mines, tuple(order))


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= MOST_DIGITS
