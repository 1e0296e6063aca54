"""Boards that a person hands over: as text, on standard input, or in a screenshot."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from games.errors import InvalidFile, Unplayable
from games.minesweeper import Board
from games.minesweeper.board import LARGEST_TEXT

if TYPE_CHECKING:
    from vision.frame import Frame
    from vision.recognise import Fit
    from vision.skin import Skin

PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"BM")  # how PNG, JPEG and BMP files begin
MOST_CELLS = 40_000  # of a board to reason on: 200x200


def read_board(name: str, skin: str | None = None) -> Board:
    """The board in a text file or a screenshot; `-` is text on standard input.

    Raises InvalidFile with the row and column of what is wrong, and what `sapper read` raises for pictures.
    """
    if name == "-":
        return parse_board("standard input", sys.stdin.buffer.read(4 * LARGEST_TEXT + 1))
    path = Path(name)
    try:
        with path.open("rb") as file:
            data = file.read(4 * LARGEST_TEXT + 1)
    except OSError as error:
        raise InvalidFile(
            f"{name}: {error.strerror}: name a board as text, a screenshot, or - for standard input"
        ) from error
    if data.startswith(PICTURES):
        from vision.skin import load_known_skins, load_skin

        return fit_picture(path, [load_skin(skin)] if skin else load_known_skins(), bool(skin)).reading.board
    return parse_board(name, data)


def parse_board(name: str, data: bytes) -> Board:
    """The board in these bytes. Raises InvalidFile, naming where they are from."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidFile(
            f"{name}: neither text nor a PNG, JPEG or BMP picture: give a board as text or a screenshot"
        ) from error
    try:
        board = Board.parse(text)
    except InvalidFile as error:
        raise InvalidFile(f"{name}: {error}") from error
    if len(board) > MOST_CELLS:
        raise InvalidFile(
            f"{name}: {board.columns}x{board.rows} cells, row {MOST_CELLS // board.columns} and what follows "
            f"are too many: give a board of at most {MOST_CELLS} cells"
        )
    return board


def fit_picture(image: str | Path, skins: Sequence[Skin], named: bool = False) -> Fit:
    """The skin that fits a screenshot, and what it reads; `-` is a picture on standard input.

    Where none fits the board is worked out from the picture alone, unless somebody `named` the skin. Raises
    Unplayable when nothing can be read.
    """
    from vision.frame import Frame

    name = "standard input" if image == "-" else str(image)
    frame = Frame.decode(sys.stdin.buffer.read(), name) if image == "-" else Frame.load(Path(image))
    return fit_frame(frame, name, skins, named)


def fit_frame(frame: Frame, name: str, skins: Sequence[Skin], named: bool = False) -> Fit:
    """What `fit_picture` does, for a picture that was loaded already; `name` is what messages call it."""
    from bot.judging import Solver
    from vision.locating import locate
    from vision.recognise import Fit, best_fit
    from vision.single import read_unknown

    lattice = locate(frame)
    fit = best_fit(frame, lattice, skins)
    if fit is None and not named:
        reading = read_unknown(frame, lattice, Solver())
        fit = Fit(None, lattice, reading, float(reading.confidence.mean()))
    if fit is None or not fit.reading.confidence.any():
        raise Unplayable(f"{name}: no known skin fits the {lattice.size} board: teach it with 'sapper learn'")
    return fit
