"""MBF, the form in which Minesweeper Arbiter and other programs of the community keep one board.

A byte each for columns and rows, two for the number of mines (the high one first), then a column and a row
for each mine: "Minesweeper board format", minesweepergame.com, wiki.
"""

from __future__ import annotations

from games.errors import InvalidFile, Usage
from games.logic import bits

HEAD = 4  # bytes before the first mine
LONGEST = 255  # columns or rows that one byte can say


def to_mbf(rows: int, columns: int, mines: int) -> bytes:
    """A field with these mines (a set). Raises Usage where it is too large for the form."""
    if max(rows, columns) > LONGEST:
        raise Usage(f"{columns}x{rows} does not fit into an MBF file: take at most {LONGEST} of each")
    places = [byte for k in bits(mines) for byte in reversed(divmod(k, columns))]
    return bytes([columns, rows, *divmod(mines.bit_count(), 256), *places])


def from_mbf(data: bytes) -> tuple[int, int, int]:
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
