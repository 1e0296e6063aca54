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
from games.logic import Constraint, ModelGraph, bits, build_model_graph, cell_set
from games.minesweeper.board import DIGITS, MINE, Board
from games.minesweeper.variants import PLAIN, get_variant

MOST_STEPS = 1_500_000  # of counting: some seconds, once for all boards of a size
WIDEST = 10  # cells in the shorter lines of a board that is counted
MOST_TRIES = 100_000  # layouts drawn until one keeps the rules and the promise of the first click
SAMPLE = 3_000  # layouts of mines anywhere that are tried against the rules, …
ENOUGH = 15  # … of which so many must keep them to go on like that


def sample_layout(variant: str, rows: int, columns: int, mines: int, forbidden: int, rng: Random) -> int:
    """The set of the mines, uniform, outside the cell set `forbidden`. Raises UsageError if none is found."""
    layouts = layout_graph(variant, rows, columns, mines)
    stated = get_variant(variant).states(rows, columns, mines) if layouts is None else ()
    for _ in range(MOST_TRIES):
        found = layouts.sample(1, rng)[0] if layouts else _anywhere(rows * columns, mines, rng)
        if not found & forbidden and _keeps(found, stated):
            return found
    raise UsageError(
        f"{columns}x{rows}/{mines} by the rules of {variant} leaves no room for the promised first click: "
        "take another promise, or fewer mines"
    )


@lru_cache(maxsize=8)
def layout_graph(variant: str, rows: int, columns: int, mines: int) -> ModelGraph | None:
    """All layouts by the rules of a variant; None where mines laid anywhere keep them often enough.

    Raises UsageError when there is no layout, or too many states to count them.
    """
    cells = rows * columns
    stated = get_variant(variant).states(rows, columns, mines)
    rng = Random(0)
    if sum(_keeps(_anywhere(cells, mines, rng), stated) for _ in range(SAMPLE)) >= ENOUGH:
        return None
    name = f"{columns}x{rows}/{mines}"
    found = None
    if min(rows, columns) <= WIDEST:
        whole = Constraint((1 << cells) - 1, mines, mines)
        lines = [[row * columns + column for column in range(columns)] for row in range(rows)]
        short = lines if columns <= rows else list(map(list, zip(*lines, strict=True)))
        found = build_model_graph(
            [*stated, whole], MOST_STEPS, exact=True, order=[k for line in short for k in line]
        )
    if found is None:
        raise UsageError(f"{name} by the rules of {variant} is too large to deal: take a smaller board")
    if not found.count:
        raise UsageError(f"{name} has no layout by the rules of {variant}: take another number of mines")
    return found


def _anywhere(cells: int, mines: int, rng: Random) -> int:
    return cell_set(rng.sample(range(cells), mines))


def _keeps(layout: int, stated: tuple[Constraint, ...]) -> bool:
    return all(c.low <= (c.cells & layout).bit_count() <= c.high for c in stated)


HEAD = 4  # bytes before the first mine
LONGEST = 255  # columns or rows that one byte can say


def encode_mbf(rows: int, columns: int, mines: int) -> bytes:
    """A field with these mines (a set). Raises UsageError where it is too large for the form."""
    if max(rows, columns) > LONGEST:
        raise UsageError(f"{columns}x{rows} does not fit into an MBF file: take at most {LONGEST} of each")
    places = [byte for k in bits(mines) for byte in reversed(divmod(k, columns))]
    return bytes([columns, rows, *divmod(mines.bit_count(), 256), *places])


def decode_mbf(data: bytes) -> tuple[int, int, int]:
    """(rows, columns, mines as a set). Raises InvalidFile."""
    if len(data) < HEAD or not data[0] or not data[1]:
        raise InvalidFile("it is no MBF file: columns, rows and the number of mines are missing")
    columns, rows, count = data[0], data[1], 256 * data[2] + data[3]
    if len(data) != HEAD + 2 * count:
        raise InvalidFile(f"it is no MBF file: {count} mines take {HEAD + 2 * count} bytes, not {len(data)}")
    mines = 0
    for place in range(HEAD, len(data), 2):
        column, row = data[place], data[place + 1]
        if column >= columns or row >= rows:
            raise InvalidFile(f"a mine at r{row}c{column} is not on the {columns}x{rows} board")
        mines |= 1 << (row * columns + column)
    if mines.bit_count() != count or not 0 < count < rows * columns:
        raise InvalidFile(f"{count} mines do not make a game, or one is named twice")
    return rows, columns, mines


WHOLE = frozenset(DIGITS + MINE)  # what the cells of a whole board show
MOST_DIGITS = 9  # of a number in a boards file
MOST_CELLS = 40_000  # of a simulated board: 200x200
# the usual levels: rows, columns, mines
LEVELS: Mapping[str, tuple[int, int, int]] = MappingProxyType(
    {"beginner": (9, 9, 10), "intermediate": (16, 16, 40), "expert": (16, 30, 99)}
)


@dataclass(frozen=True, slots=True)
class Deal:
    """An order of cells from which the mines are laid once the first click is known.

    `order` is the beginning of a random permutation of the cells. After the first click f the mines are the
    first `mines` cells of it that are not forbidden: f itself for *safe*, f and its neighbours for *zero*,
    nothing for *none* (the boards file of the design). By the rules of a `variant` that does not let mines be
    anywhere, the order only seeds the draw of a layout, and each that keeps the promise is as likely.
    """

    rows: int
    columns: int
    mines: int
    order: tuple[int, ...]
    variant: str = PLAIN

    @classmethod
    def random(cls, rows: int, columns: int, mines: int, seed: int | str, variant: str = PLAIN) -> Deal:
        """A deal from a seed. Raises UsageError when the mines do not fit."""
        cells = rows * columns
        if not 0 <= mines < cells:
            raise UsageError(f"{mines} mines do not fit on {columns}x{rows}: take 0 to {cells - 1}")
        order = tuple(random.Random(seed).sample(range(cells), cells))
        return cls(rows, columns, mines, order, variant)

    @classmethod
    def of(cls, rows: int, columns: int, mines: int) -> Deal:
        """The deal that puts mines just there (a set), as long as they keep clear of the first click."""
        order = (*bits(mines), *bits(((1 << rows * columns) - 1) & ~mines))
        return cls(rows, columns, mines.bit_count(), order)

    @property
    def line(self) -> str:
        """What a boards file holds of it, behind the game's number."""
        return " ".join(map(str, self.order[: self.mines + 9]))

    def lay(self, first: int, first_click: str) -> int:
        """The set (int) of the mines after a first click on `first`, which is *safe*, *zero* or *none*.

        Raises UsageError when the cells that are not forbidden are too few.
        """
        forbidden = protected_cells(self.rows, self.columns, first, first_click, self.variant)
        if not get_variant(self.variant).is_free:
            rng = random.Random(" ".join(map(str, self.order)))
            return sample_layout(self.variant, self.rows, self.columns, self.mines, forbidden, rng)
        allowed = [k for k in self.order[: self.mines + 9] if not forbidden >> k & 1]
        if len(allowed) < self.mines:
            raise UsageError(
                f"{self.mines} mines do not leave a {first_click} first click on "
                f"{self.columns}x{self.rows}: take fewer mines"
            )
        return cell_set(allowed[: self.mines])


def protected_cells(rows: int, columns: int, first: int, first_click: str, variant: str = PLAIN) -> int:
    """The set of cells that hold no mine after a first click on `first` that is *safe*, *zero* or *none*."""
    if first_click == "zero":
        return get_variant(variant).counted(rows, columns)[first] | 1 << first
    return 1 << first if first_click == "safe" else 0


def read_deals(path: Path, most: int | None = None) -> dict[int, Deal]:
    """The games of a boards file by number, in the file's order; the first `most` of them.

    An MBF file (by its name) is one game; whole boards as text are one each. Raises InvalidFile with the line
    number.
    """
    if path.suffix.lower() == ".mbf":
        return {0: _read_mbf(path)}
    try:
        lines = read_external_text(path, LARGEST_FILE).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InvalidFile(f"{path}: cannot be read as a boards file ({why}): name another") from error
    if is_solved_board(lines):
        return dict(islice(_whole(path, lines), most))
    head = lines[0].split() if lines else []
    if len(head) < 5 or head[0] != "#" or not all(map(_is_number, head[2:5])):
        raise InvalidFile(f"{path}, line 1: write '# name WIDTH HEIGHT MINES'")
    columns, rows, mines = map(int, head[2:5])
    if not 0 < mines < columns * rows:
        raise InvalidFile(
            f"{path}, line 1: {mines} mines do not make a game on {columns}x{rows}: "
            f"take 1 to {max(columns * rows - 1, 1)}"
        )
    if columns * rows > MOST_CELLS:
        raise InvalidFile(f"{path}, line 1: {columns}x{rows} is too large: at most {MOST_CELLS} cells")
    deals = dict(islice(_deals(path, lines, rows, columns, mines), most))
    if not deals:
        raise InvalidFile(f"{path}: holds no game: write one a line below line 1")
    return deals


def is_solved_board(lines: Iterable[str]) -> bool:
    """Whether these lines are whole boards as text: mines and numbers, nothing hidden."""
    rows = [line.strip() for line in lines if line.strip() and not line.startswith(("#", "mines", "variant"))]
    return bool(rows) and any(MINE in row for row in rows) and all(set(row) <= WHOLE for row in rows)


def _whole(path: Path, lines: Iterable[str]) -> Iterator[tuple[int, Deal]]:
    """The boards that stand one below the other, each with a comment, a blank line or its mines between."""
    size = None
    for game, (_, rows) in enumerate(r for r in groupby(map(str.strip, lines), _is_row) if r[0]):
        board = Board.parse("\n".join(rows))
        mines = board.cells_showing(MINE)
        around = board.around
        wrong = [k for k in bits(board.open) if int(board[k]) != (around[k] & mines).bit_count()]
        if wrong:
            raise InvalidFile(
                f"{path}: board {game}, {board.name(wrong[0])} does not count its mines: correct it"
            )
        if size not in (None, (board.rows, board.columns, mines.bit_count())):
            raise InvalidFile(
                f"{path}: board {game} has another size or total than those above it: part them"
            )
        size = board.rows, board.columns, mines.bit_count()
        yield game, Deal.of(board.rows, board.columns, mines)


def _is_row(line: str) -> bool:
    return bool(line) and set(line) <= WHOLE


def first_click_in(path: Path) -> str | None:
    """The cell of the first click that a file's first line names, as `sapper generate` does; else None."""
    try:
        found = re.search(rb" at (r\d+c\d+)", read_external(path, LARGEST_FILE)[:1000].partition(b"\n")[0])
    except OSError as error:
        raise InvalidFile(f"{path}: cannot be read ({error.strerror}): name another") from error
    return found[1].decode() if found else None


def _read_mbf(path: Path) -> Deal:
    try:
        return Deal.of(*decode_mbf(read_external(path, LARGEST_TEXT_FILE)))
    except OSError as error:
        raise InvalidFile(f"{path}: cannot be read ({error.strerror}): name another") from error
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
            raise InvalidFile(f"{where}: {len(order)} cells, {needed} are needed: write more of them")
        if max(order) >= cells:
            raise InvalidFile(f"{where}: cell {max(order)} is out of range: use 0 to {cells - 1}")
        if len(set(order)) < len(order):
            raise InvalidFile(f"{where}: a cell is named twice: name each once")
        if game in seen:
            raise InvalidFile(f"{where}: game {game} was dealt before: number every game once")
        seen.add(game)
        yield game, Deal(rows, columns, mines, tuple(order))


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= MOST_DIGITS
