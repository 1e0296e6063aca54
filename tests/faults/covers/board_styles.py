"""Board styles of the test program for covers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

Colour = tuple[int, int, int]
Tile = NDArray[np.uint8]

CELL = 28  # pixels
DIGITS = [(0, 0, 0), (0, 0, 230), (0, 120, 0), (220, 0, 0), (0, 0, 110), (110, 0, 0), (0, 110, 110),
          (20, 20, 20), (110, 110, 110)]  # fmt: skip
BRIGHT = [(0, 0, 0), (90, 170, 255), (110, 220, 110), (255, 110, 110), (190, 130, 255), (240, 180, 80),
          (80, 220, 220), (240, 240, 240), (180, 180, 180)]  # fmt: skip


@dataclass(frozen=True)
class Style:
    """Colours of a style; `paint(state, parity)` draws the ground of a cell."""

    ground: Colour
    hidden: Colour
    opened: Colour
    digits: tuple[Colour, ...]
    paint: Callable[[bool, int], Tile]

    @cache  # noqa: B019 - the styles live as long as the program
    def tile(self, state: str, parity: int) -> Tile:
        """The picture of a cell; `parity` is that of its row and column."""
        picture = self.paint(state in ".F", parity).copy()
        middle = CELL // 2
        if state == "F":
            corners = np.array([(middle, 6), (middle, 15), (7, 10)])
            cv2.fillPoly(picture, [corners], (220, 30, 30), cv2.LINE_AA)
            cv2.line(picture, (middle, 6), (middle, 22), (20, 20, 20), 2)
        elif state == "*":
            picture[2:-2, 2:-2] = (230, 60, 60)
            cv2.circle(picture, (middle, middle), 8, (10, 10, 10), -1, cv2.LINE_AA)
        elif state not in ".0":
            colour = self.digits[int(state)]
            (wide, high), _ = cv2.getTextSize(state, cv2.FONT_HERSHEY_DUPLEX, 0.6, 1)
            place = (CELL - wide) // 2, (CELL + high) // 2
            cv2.putText(picture, state, place, cv2.FONT_HERSHEY_DUPLEX, 0.6, colour, 1, cv2.LINE_AA)
        return picture


def _plain(colour: Colour) -> Tile:
    tile = np.empty((CELL, CELL, 3), np.uint8)
    tile[:] = colour
    return tile


def _flat(is_hidden: bool, parity: int) -> Tile:
    tile = _plain((176, 184, 204) if is_hidden else (234, 234, 234))
    tile[-1], tile[:, -1] = (128, 132, 144), (128, 132, 144)
    return tile


def _bevel(is_hidden: bool, parity: int) -> Tile:
    tile = _plain((192, 192, 192))
    if is_hidden:
        for k in range(3):
            tile[CELL - 1 - k, k:] = tile[k:, CELL - 1 - k] = (128, 128, 128)
            tile[k, : CELL - k] = tile[: CELL - k, k] = (255, 255, 255)
    else:
        tile[0] = tile[:, 0] = (128, 128, 128)
    return tile


def _checked(is_hidden: bool, parity: int) -> Tile:
    hidden, opened = ((170, 215, 81), (162, 209, 73)), ((229, 194, 159), (215, 184, 153))
    return _plain((hidden if is_hidden else opened)[parity])


def _rounded(is_hidden: bool, parity: int) -> Tile:
    tile = _plain((24, 26, 32))
    colour, far = ((70, 80, 104) if is_hidden else (38, 41, 50)), CELL - 3
    for box in (((2, 6), (far, far - 4)), ((6, 2), (far - 4, far))):
        cv2.rectangle(tile, *box, colour, -1)
    for place in ((6, 6), (6, far - 4), (far - 4, 6), (far - 4, far - 4)):
        cv2.circle(tile, place, 4, colour, -1, cv2.LINE_AA)
    return tile


def _blank(is_hidden: bool, parity: int) -> Tile:
    """Hidden cells are raised; open cells have no lines at all."""
    return _bevel(True, parity) if is_hidden else _plain((215, 215, 215))


STYLES = {
    "flat": Style((250, 250, 250), (176, 184, 204), (234, 234, 234), tuple(DIGITS), _flat),
    "bevel": Style((192, 192, 192), (192, 192, 192), (192, 192, 192), tuple(DIGITS), _bevel),
    "checked": Style((74, 117, 44), (170, 215, 81), (229, 194, 159), tuple(DIGITS), _checked),
    "rounded": Style((24, 26, 32), (70, 80, 104), (38, 41, 50), tuple(BRIGHT), _rounded),
    "blank": Style((192, 192, 192), (192, 192, 192), (215, 215, 215), tuple(DIGITS), _blank),
}
