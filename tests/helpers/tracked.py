"""Boards during a game, in skins of known programs and in random skins, for tests of tracking."""

from __future__ import annotations

import cv2
import numpy as np
from drawing import draw, lattice_for, readers, skin_of, tiles_of

from benchmarks.random_skins import random_skin
from games.minesweeper import UNKNOWN, Board, Move
from vision.frame import Frame
from vision.lattice import Lattice
from vision.skins import Skin, Tile
from vision.track.tracker import Tracker

PROGRAMS = ("ace-minesweeper", "gnome-mines", "kmines", "sgt-mines", "xdemineur")
HIDDEN = "......\n......\n......\n......\n......\n......"
OPENED = "001...\n112...\n......\n......\n......\n......"
FLAGGED = "001...\n112F..\n......\n......\n......\n......"
LOST = "001..*\n112*..\n.*....\n....!.\n......\n.*...*"
LOOKS = [*(skin_of(name) for name in PROGRAMS), *(random_skin(seed) for seed in (0, 5, 21))]


def name_of(look: Skin) -> str:
    return look.name


def sized(look: Skin, side: int) -> Skin:
    """The same look with cells of another size (pixels)."""
    tiles = tuple(
        Tile(state, cv2.resize(pixels, (side, side), interpolation=cv2.INTER_AREA).astype(np.uint8))
        for state, pixels in tiles_of(look).items()
    )
    return Skin(look.name, tiles)


def reader_on(look: Skin, board: str = HIDDEN, skin: Skin | None = None) -> Tracker:
    """A reader before the first observation of a board of this size and look."""
    return readers().reader(lattice_for(Board.parse(board), look, 24, 32), skin)


def picture(board: str, look: Skin) -> Frame:
    return draw(Board.parse(board), look)


def opened_one(look: Skin, skin: Skin | None = None) -> Tracker:
    """A reader that has observed the first opening."""
    reader = reader_on(look, skin=skin)
    assert right(reader.observe(picture(HIDDEN, look)).board, HIDDEN)
    reader.notify_moves([Move("open", 0)], certain=True)
    assert right(reader.observe(picture(OPENED, look)).board, OPENED)
    return reader


def wrong(seen: Board, true: str, mines_alike: bool = False) -> list[str]:
    """The misread cells; with `mines_alike`, all mines count as equal."""
    board = Board.parse(true)
    if mines_alike:
        board, seen = (
            each.with_states({k: "*" for k in range(len(each)) if each.shown_mines >> k & 1})
            for each in (board, seen)
        )
    return [
        f"{seen.name(k)} is {board[k]}, read as {seen[k]}"
        for k in range(len(seen))
        if seen[k] not in (board[k], UNKNOWN)
    ]


def right(seen: Board, true: str) -> bool:
    """Whether all cells are read; no cell may be misread."""
    assert wrong(seen, true) == []
    return seen.unread == 0


def with_cell(frame: Frame, lattice: Lattice, cell: int, change: np.ndarray | int) -> Frame:
    """The picture with one cell replaced, or brighter by a number of grey levels."""
    x, y, x2, y2 = lattice.rectangle(cell)
    pixels = frame.pixels.copy()
    if isinstance(change, int):
        pixels[y:y2, x:x2] = np.clip(pixels[y:y2, x:x2].astype(int) + change, 0, 255)
    else:
        pixels[y:y2, x:x2] = change
    return Frame(pixels)


def lit(board: str, look: Skin, cell: int) -> Frame:
    """A board with one brighter cell."""
    lattice = lattice_for(Board.parse(board), look, 24, 32)
    return with_cell(picture(board, look), lattice, cell, 40)
