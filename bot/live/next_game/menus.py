"""Menus that a click opens: in a window of their own, or drawn over the window of the game."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from bot.desktop import Box
from bot.live.next_game.buttons import Point, Rectangle
from vision.frame import Pixels

INK = 24  # of 255; what differs by more from its neighbour is ink
LINE = 0.6  # of the width or the height of a menu: what has ink so far is a border or a rule
RIM = 3  # pixels; the border of a menu
TEXT = (5, 40)  # pixels; the height of the text of an entry
GAP = 2  # pixels; between the dots of one line of text
ENTRIES = (2, 20)  # a hint has one line, and a page has many
NEAR = 12  # pixels; how far from what was clicked its menu opens
JOINS = 15  # pixels; parts of what has changed that are so near are one
FILLED = 0.6  # of its width that a menu drawn over a window has changed: its ground covers what was there
FIELD = 0.35  # of the width of a box: what opens below it, and is as wide but for so much, offers values


@dataclass(frozen=True)
class Menu:
    """A menu in the window `window`; its `box` on the screen, and the middles of its `entries`, in points."""

    window: int
    box: Box
    entries: tuple[Point, ...]

    def is_of_field(self, width: float) -> bool:
        """Whether it offers the values of a field so wide (points; 0 for letters, which are none)."""
        return bool(width) and abs(self.box[2] - width) < FIELD * width


def entries_in(pixels: Pixels) -> list[Point]:
    """The middles of the lines of text in the picture of a menu, from the top; [] where it is no menu."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY).astype(np.int16)[:, RIM:-RIM]
    if grey.shape[1] < TEXT[1] or grey.shape[0] < TEXT[0]:
        return []
    across = np.abs(np.diff(grey, axis=1)) > INK
    down = np.abs(np.diff(grey, axis=0)) > INK
    is_rule = np.append(down.mean(axis=1) > LINE, False)
    has_ink = (across & (across.mean(axis=0) < LINE)).any(axis=1) & ~is_rule
    rows: list[tuple[int, int]] = []
    for y in np.flatnonzero(has_ink):
        if rows and y - rows[-1][1] <= GAP:
            rows[-1] = rows[-1][0], int(y)
        else:
            rows.append((int(y), int(y)))
    texts = [(top, bottom) for top, bottom in rows if TEXT[0] <= bottom - top + 1 <= TEXT[1]]
    if not ENTRIES[0] <= len(texts) <= ENTRIES[1]:
        return []
    return [(pixels.shape[1] / 2, (top + bottom + 1) / 2) for top, bottom in texts]


def opened_over(before: Pixels, now: Pixels, place: Point) -> Rectangle | None:
    """Where a menu was drawn over a window by a click at this place; None where nothing like one was."""
    if before.shape != now.shape:
        return None
    changed = (np.abs(now.astype(np.int16) - before).max(axis=2) > INK).astype(np.uint8)
    joined = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((JOINS, JOINS), np.uint8))
    count, parts, boxes, _ = cv2.connectedComponentsWithStats(joined)
    x, y = place
    for part in range(1, count):
        left, top, width, height, _ = (int(n) for n in boxes[part])
        if not (left - NEAR <= x <= left + width + NEAR and top - 2 * NEAR <= y <= top + height + NEAR):
            continue
        wide = np.count_nonzero(parts[top : top + height, left : left + width] == part, axis=1)
        rows = np.flatnonzero(wide > FILLED * width)  # without what was clicked, which is narrower
        below = rows[rows > y - top + NEAR / 2]
        if len(below) >= ENTRIES[0] * TEXT[0]:
            return left, top + int(below[0]), width, int(below[-1] - below[0]) + 1
    return None
