"""Covers of the test program: banners, tooltips, toasts and dialogs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from board_styles import CELL, Colour, Style
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Grid = NDArray[np.bool_]  # (rows, columns): the open cells
Box = tuple[int, int, int, int]  # left, top, right, bottom, pixels of the window

WHITE, INK, AMBER = (255, 255, 255), (32, 34, 38), (255, 246, 204)


@dataclass(frozen=True)
class Cover:
    """A cover at `box`.

    `opacity` is 0 to 1. `text` lines, a `border` (pixels), a `shadow` (pixels), rounded corners (`radius`,
    pixels), and a vertical change of colour (`gradient`, grey levels) are optional. It disappears after
    `lasts` milliseconds unless 0. It moves by `moves` (x, y) pixels per step, `steps` times. With `dims`, the
    rest of the window is darker, and ignores clicks as well.
    """

    box: Box
    colour: Colour
    opacity: float = 1.0
    text: int = 0
    border: int = 0
    shadow: int = 0
    radius: int = 0
    gradient: int = 0
    lasts: int = 0
    moves: tuple[int, int] | None = None
    steps: int = 0
    dims: float = 0.0

    def contains(self, x: int, y: int) -> bool:
        """Whether a click at this place of the window hits the cover."""
        left, top, right, bottom = self.box
        return bool(self.dims) or (left <= x < right and top <= y < bottom)

    def moved(self) -> Cover:
        """The cover one step later."""
        assert self.moves is not None
        (dx, dy), (left, top, right, bottom) = self.moves, self.box
        box = left + dx, top + dy, right + dx, bottom + dy
        return replace(self, box=box, steps=self.steps - 1, moves=self.moves if self.steps > 1 else None)

    def paint(self, picture: Picture) -> None:
        """Draw the cover over a picture of the window (in place)."""
        if self.dims:
            picture[:] = (picture * (1 - self.dims)).astype(np.uint8)
        left, top, right, bottom = self.box
        for k in range(self.shadow):
            x, y = left + 2 + k, top + 2 + k
            _part(picture, (x, y, right + 1 + k, bottom + 1 + k))[:] = (
                _part(picture, (x, y, right + 1 + k, bottom + 1 + k)) * 0.9
            ).astype(np.uint8)
        wide, high = right - left, bottom - top
        if wide <= 0 or high <= 0:
            return
        drawn = np.empty((high, wide, 3), np.float32)
        drawn[:] = self.colour
        drawn += np.linspace(-self.gradient, self.gradient, high, dtype=np.float32)[:, None, None]
        drawn = np.clip(drawn, 0, 255).astype(np.uint8)
        ink = (20, 20, 20) if sum(self.colour) > 380 else (235, 235, 235)
        for k in range(self.text):
            place = 8, 20 + 18 * k
            cv2.putText(
                drawn, "We use cookies, OK?"[k:], place, cv2.FONT_HERSHEY_SIMPLEX, 0.45, ink, 1, cv2.LINE_AA
            )
        if self.border:
            cv2.rectangle(drawn, (0, 0), (wide - 1, high - 1), (70, 90, 160), 2 * self.border - 1)
        mask = np.full((high, wide), 1.0 if not self.radius else 0.0, np.float32)
        if self.radius:
            r = min(self.radius, wide // 2 - 1, high // 2 - 1)
            cv2.rectangle(mask, (r, 0), (wide - 1 - r, high - 1), 1.0, -1)
            cv2.rectangle(mask, (0, r), (wide - 1, high - 1 - r), 1.0, -1)
            for place in ((r, r), (r, high - 1 - r), (wide - 1 - r, r), (wide - 1 - r, high - 1 - r)):
                cv2.circle(mask, place, r, 1.0, -1)
        x, y = max(0, -left), max(0, -top)
        part = _part(picture, self.box)
        drawn, mask = (each[y : y + part.shape[0], x : x + part.shape[1]] for each in (drawn, mask))
        share = self.opacity * mask[..., None]
        part[:] = (part * (1 - share) + drawn * share).astype(np.uint8)


def _part(picture: Picture, box: Box) -> Picture:
    left, top, right, bottom = (max(0, each) for each in box)
    return picture[top:bottom, left:right]


def _spot(grid: Grid, rows: int, columns: int, share: float) -> tuple[int, int]:
    """(row, column) of the first cell of a block with about this share of open cells."""
    places = [
        (abs(grid[r : r + rows, c : c + columns].mean() - share), r, c)
        for r in range(grid.shape[0] - rows + 1)
        for c in range(grid.shape[1] - columns + 1)
    ]
    return min(places)[1:]


def _over(grid: Grid, edge: int, size: tuple[int, int], share: float, shift: tuple[int, int] = (0, 0)) -> Box:
    """The box over `size` (rows, columns) cells, shifted by (x, y) pixels."""
    row, column = _spot(grid, *size, share)
    left, top = edge + column * CELL + shift[0], edge + row * CELL + shift[1]
    return left, top, left + size[1] * CELL, top + size[0] * CELL


def _bar(grid: Grid, edge: int, high: int, at_top: bool = False) -> Box:
    """A box as wide as the window at its bottom (or top)."""
    tall, wide = 2 * edge + grid.shape[0] * CELL, 2 * edge + grid.shape[1] * CELL
    return (0, 0, wide, high) if at_top else (0, tall - high, wide, tall)


def _middle(grid: Grid, edge: int, wide: int, high: int) -> Box:
    x, y = edge + grid.shape[1] * CELL // 2, edge + grid.shape[0] * CELL // 2
    return x - wide // 2, y - high // 2, x - wide // 2 + wide, y - high // 2 + high


Make = Callable[[Grid, Style, int], Cover]
OFF = (9, 11)  # pixels: off the lines of the cells
COVERS: Mapping[str, Make] = {
    "banner": lambda g, s, e: Cover(_bar(g, e, 95), WHITE, text=2),
    "banner top": lambda g, s, e: Cover(_bar(g, e, 110, at_top=True), (40, 90, 200), text=1),
    "cookie notice": lambda g, s, e: Cover(_bar(g, e, 118), INK, text=4),
    "plain bar": lambda g, s, e: Cover(_bar(g, e, 100), (250, 210, 90)),
    "opened aligned": lambda g, s, e: Cover(_over(g, e, (3, 5), 0.0), s.opened),
    "opened off": lambda g, s, e: Cover(_over(g, e, (3, 5), 0.0, OFF), s.opened),
    "opened mixed": lambda g, s, e: Cover(_over(g, e, (3, 5), 0.5, OFF), s.opened),
    "hidden aligned": lambda g, s, e: Cover(_over(g, e, (3, 5), 0.0), s.hidden),
    "hidden off": lambda g, s, e: Cover(_over(g, e, (3, 5), 0.0, OFF), s.hidden),
    "hidden mixed": lambda g, s, e: Cover(_over(g, e, (3, 5), 0.5, OFF), s.hidden),
    "ground": lambda g, s, e: Cover(_over(g, e, (3, 5), 0.2, OFF), s.ground),
    "dialog": lambda g, s, e: Cover(_middle(g, e, 210, 120), WHITE, text=3, border=1),
    "dialog shadow": lambda g, s, e: Cover(_middle(g, e, 190, 110), (236, 236, 240), text=2, shadow=6),
    "dialog dimmed": lambda g, s, e: Cover(_middle(g, e, 180, 100), WHITE, text=2, dims=0.5),
    "dim all": lambda g, s, e: Cover(_bar(g, e, 2000, at_top=True), (0, 0, 0), opacity=0.5),
    "dim part": lambda g, s, e: Cover(_over(g, e, (4, 6), 0.2, OFF), (0, 0, 0), opacity=0.5),
    "veil": lambda g, s, e: Cover(_over(g, e, (4, 6), 0.0, OFF), WHITE, opacity=0.6),
    "tooltip": lambda g, s, e: Cover(_over(g, e, (1, 3), 0.0, OFF), AMBER, text=1, border=1),
    "tooltip plain": lambda g, s, e: Cover(_over(g, e, (1, 2), 0.0, (5, 8)), AMBER),
    "toast": lambda g, s, e: Cover(_over(g, e, (2, 5), 0.3, OFF), (50, 50, 54), text=1, radius=9),
    "toast green": lambda g, s, e: Cover(_over(g, e, (2, 4), 0.0, OFF), (40, 150, 80), radius=12),
    "over opened": lambda g, s, e: Cover(_over(g, e, (3, 4), 1.0, (-6, -7)), WHITE),
    "column": lambda g, s, e: Cover(_over(g, e, (g.shape[0], 1), 0.0, (6, 0)), (220, 220, 228)),
    "gradient": lambda g, s, e: Cover(_over(g, e, (3, 5), 0.0, OFF), (180, 190, 210), gradient=30),
    "slides in": lambda g, s, e: Cover(
        (*_bar(g, e, 0)[:3], _bar(g, e, 0)[3] + 100), (255, 250, 240), moves=(0, -10), steps=10
    ),
    "wanders": lambda g, s, e: Cover(
        _over(g, e, (3, 4), 0.0, OFF), s.opened, moves=(-1, 0), steps=120
    ),
    "passes": lambda g, s, e: Cover(_over(g, e, (3, 5), 0.0, OFF), s.opened, lasts=3000),
    "passes hidden": lambda g, s, e: Cover(_over(g, e, (3, 5), 0.1, OFF), s.hidden, lasts=2500),
    "passes dialog": lambda g, s, e: Cover(_middle(g, e, 200, 110), WHITE, text=2, border=1, lasts=4000),
}  # fmt: skip
