"""Names of cells for people: `r3c5` (the default), `R4C6` (counted from 1) or `F4` (a letter for the column).

Inside Sapper, in files and in JSON, a cell is always `r3c5` (`Board.name`). Texts are renamed when they are
shown, so that messages, proofs and the texts of plugins use the same coordinates.
"""

from __future__ import annotations

import re
from typing import Literal, get_args

Coordinates = Literal["r0c0", "R1C1", "A1"]  # the name of the first cell
STYLES: tuple[Coordinates, ...] = get_args(Coordinates)

# not a part of a file name
_NAME = re.compile(r"(?<![\w./\\])r(\d{1,4})c(\d{1,4})(?![\w/\\]|\.\w)")
_LETTERS = 26


def rename_cells(text: str, style: Coordinates) -> str:
    """The text with each cell such as `r3c5` in this style."""
    if style == "r0c0":
        return text
    return _NAME.sub(lambda found: cell_name(int(found[1]), int(found[2]), style), text)


def cell_name(row: int, column: int, style: Coordinates) -> str:
    """The name of a cell in this style; `row` and `column` count from 0."""
    if style == "A1":
        return f"{column_label(column, style)}{row + 1}"
    return f"R{row + 1}C{column + 1}" if style == "R1C1" else f"r{row}c{column}"


def row_label(row: int, style: Coordinates) -> str:
    """The label of a row."""
    return str(row if style == "r0c0" else row + 1)


def column_label(column: int, style: Coordinates) -> str:
    """The label of a column: a number, or A to Z, AA, AB and so on."""
    if style != "A1":
        return row_label(column, style)
    letters, left = "", column + 1
    while left:
        left, letter = divmod(left - 1, _LETTERS)
        letters = chr(ord("A") + letter) + letters
    return letters


def standard_name(text: str) -> str:
    """`r3c5` for a cell that is written as `F4` or `R4C6`; other text is unchanged."""
    if (found := re.fullmatch(r"R(\d{1,4})C(\d{1,4})", text)) and int(found[1]) and int(found[2]):
        return f"r{int(found[1]) - 1}c{int(found[2]) - 1}"
    if (found := re.fullmatch(r"([A-Za-z]{1,3})(\d{1,4})", text)) and int(found[2]):
        column = 0
        for letter in found[1].upper():
            column = _LETTERS * column + ord(letter) - ord("A") + 1
        return f"r{int(found[2]) - 1}c{column - 1}"
    return text
