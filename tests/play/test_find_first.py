"""The first board of a session: readable, a game, and the only one on the desktop."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from drawing import draw, readers, skin_of

from bot.desktop.ports import Window, Windows
from bot.play.finder import BoardFinder, DesktopAccess
from games.errors import AmbiguousBoard, BoardNotFound
from games.minesweeper import Board
from vision.frame import Frame, Pixels

FRESH = Board.fresh(8, 8)
LEFT, RIGHT = (20, 20, 300, 300), (360, 20, 320, 340)


class StillDesktop(Windows):
    """A still desktop with windows, and a pointer at its corner."""

    pointer = (0.0, 0.0)
    screen = (0, 0, 700, 400)

    def __init__(self, pixels: Pixels, *boxes: tuple[int, int, int, int]) -> None:
        self.pixels = pixels
        self.boxes = boxes

    def all(self) -> list[Window] | None:
        return [
            Window(k, f"window {k}", None, box, box, k, is_shown=True) for k, box in enumerate(self.boxes)
        ]

    def grab(self, region: tuple[int, int, int, int] | None) -> Frame:
        left, top, width, height = region or self.screen
        return Frame(self.pixels[top : top + height, left : left + width], left, top)

    def finder(self, window: str | None = None) -> BoardFinder:
        """A finder on this desktop."""
        desk: Any = self
        return BoardFinder(DesktopAccess(desk, desk, self), readers(), window=window)


def desktop(*pictures: tuple[Frame | Pixels, tuple[int, int, int, int]]) -> Pixels:
    """A desktop with pictures at the corners of boxes."""
    pixels = np.full((400, 700, 3), (90, 60, 30), np.uint8)
    for picture, (left, top, width, height) in pictures:
        shown = picture.pixels if isinstance(picture, Frame) else picture
        pixels[top : top + height, left : left + width] = (200, 200, 200)
        pixels[top : top + shown.shape[0], left : left + shown.shape[1]] = shown[:height, :width]
    return pixels


def rounded_board() -> Pixels:
    """A fresh board of tiles without visible lines."""
    pixels = np.full((330, 310, 3), (200, 200, 200), np.uint8)
    for row in range(6):
        for column in range(6):
            x, y = 20 + 44 * column, 30 + 44 * row
            cv2.rectangle(pixels, (x + 5, y + 5), (x + 38, y + 38), (120, 120, 120), -1)
            cv2.rectangle(pixels, (x + 7, y + 7), (x + 34, y + 34), (225, 225, 225), -1)
    return pixels


def calendar() -> Pixels:
    """The days of a month in a table."""
    pixels = np.full((330, 310, 3), 255, np.uint8)
    for day in range(42):
        x, y = 10 + 40 * (day % 7), 20 + 40 * (day // 7)
        cv2.rectangle(pixels, (x, y), (x + 40, y + 40), (130, 130, 130))
        cv2.putText(pixels, str(day % 31 + 1), (x + 8, y + 26), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1)
    return pixels


def test_find_first_second_window_with_board_refused() -> None:
    board = draw(FRESH, skin_of("xdemineur"), 20, 20)
    desk = StillDesktop(desktop((board, LEFT), (rounded_board(), RIGHT)), LEFT, RIGHT)
    with pytest.raises(AmbiguousBoard, match=r"2 boards found .*--window"):
        desk.finder().find_first()
    with pytest.raises(AmbiguousBoard, match=r"2 windows .*: name a longer part, or close the others"):
        desk.finder("window").find_first()
    with pytest.raises(BoardNotFound, match="title"):
        desk.finder("Solitaire").find_first()
    assert desk.finder("window 0").find_first().lattice.size == "8x8"
    assert desk.finder("window 1").find_first().lattice.size == "6x6"
    text = np.full((330, 310, 3), 255, np.uint8)
    for line in range(12):
        cv2.putText(text, "a line of text", (12, 30 + 24 * line), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 1)
    other = StillDesktop(desktop((board, LEFT), (text, RIGHT)), LEFT, RIGHT)
    assert other.finder().find_first().lattice.size == "8x8"


def test_find_first_calendar_refused() -> None:
    desk = StillDesktop(desktop((calendar(), RIGHT)), RIGHT)
    assert desk.finder().find().is_mostly_unread
    for window in (None, "window 0"):
        with pytest.raises(BoardNotFound, match="does not show a game"):
            desk.finder(window).find_first()


def test_find_first_empty_table_needs_window() -> None:
    table = np.full((330, 310, 3), 255, np.uint8)
    table[20:301:28, 10:291] = table[20:301, 10:291:28] = 150
    desk = StillDesktop(desktop((table, RIGHT)), RIGHT)
    with pytest.raises(BoardNotFound, match=r"looks like an empty table; .* --window"):
        desk.finder().find_first()
    assert desk.finder("window 0").find_first().lattice.size == "10x10"


def test_find_no_board_names_open_windows() -> None:
    message = r"or name its window with --window \(open: 'window 0', 'window 1'\)"
    with pytest.raises(BoardNotFound, match=message):
        StillDesktop(desktop(), LEFT, RIGHT).finder().find()
    with pytest.raises(BoardNotFound, match=r"try again$"):
        StillDesktop(desktop()).finder().find()
