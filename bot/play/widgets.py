"""Detect buttons and menus in the image of a window.

A button is a bordered or filled box of a typical size, or a line of letters. A menu is a list of text lines,
in a window of its own or drawn over the window of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.desktop.ports import Box, boxes_overlap
from vision.frame import Pixels

Rectangle = tuple[int, int, int, int]  # left, top, width, height in pixels
Point = tuple[float, float]  # x, y in pixels
Picture = NDArray[np.integer[Any] | np.floating[Any]]  # (height, width); OpenCV results

LARGEST = (9.0, 3.0)  # cells; maximum width and height of a button
ALWAYS_ALLOWED = (220, 36)  # pixels; a button may always be this large, however small the cells are
LOWEST, LETTERS = 12, 8  # pixels; minimum heights of a button and of letters: anything lower is a line or dot
NARROW = 0.6  # cells; minimum height of a nearly square box: letters can be that high
JOINED = 8  # pixels; maximum gap between the letters of one line
BUTTON_LINE = 40  # pixels; a straight line of this length is not part of a letter
BUTTON_REACH = 4.0  # cells; maximum distance of a button from the board
OFF = 0.6  # cells; maximum horizontal distance from the middle of the board of a centred button
SQUARE = 1.6  # maximum ratio of width to height of a smiley
TOUCH = 0.2  # cells; maximum overlap of a button with the board: positions are off by a pixel or two
CELL_AT_MOST = 1.3  # cells; a box of this size over the board is a cell
ONE = 0.4  # minimum ratio of the areas within and around one border
BOXY = 0.7  # share of its bounding box that a box fills
CORNER = (3.0, 1.6)  # cells, left and down from the top right corner: the close button
BAR = 36  # pixels; maximum distance of a menu bar from the top of the window
SHADES = 64  # number of grey levels
KIND = 0.8  # share of the pixels with equal grey levels in two boxes of the same kind
UNLIKE = 2  # pixels; minimum difference in height or top of two boxes of different kinds


@dataclass(frozen=True, slots=True)
class ButtonCandidate:
    """A possible button: a box with a border or a background of its own (`is_boxed`), or letters.

    `is_smiley` marks the only small square in a row of wider boxes. `shades` is the distribution of its grey
    levels.
    """

    box: Rectangle
    is_boxed: bool
    is_smiley: bool = False
    shades: tuple[float, ...] = ()

    @property
    def centre(self) -> tuple[float, float]:
        """Its centre, pixels."""
        left, top, width, height = self.box
        return left + width / 2, top + height / 2

    @property
    def is_narrow(self) -> bool:
        """Whether it is nearly square, so it may be a letter of a headline."""
        return self.box[2] < SQUARE * self.box[3]


def find_buttons(pixels: Pixels, cell: float) -> list[ButtonCandidate]:
    """All candidates with the size of a button, boxes first; `cell` is the size of a cell, pixels."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    edges = cv2.Canny(grey, 40, 120)
    wide = cv2.getStructuringElement(cv2.MORPH_RECT, (max(3, min(JOINED, round(0.5 * cell))), 3))
    lines = cv2.morphologyEx(edges, cv2.MORPH_OPEN, np.ones((1, BUTTON_LINE), np.uint8))
    lines = cv2.max(lines, cv2.morphologyEx(edges, cv2.MORPH_OPEN, np.ones((BUTTON_LINE, 1), np.uint8)))
    joined = cv2.morphologyEx(cv2.subtract(edges, lines), cv2.MORPH_CLOSE, wide)
    thick = cv2.dilate(edges, np.ones((2, 2), np.uint8))
    found: list[ButtonCandidate] = []
    for picture, boxed in ((thick, True), (edges, True), (joined, False)):
        contours, _ = cv2.findContours(picture, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in sorted(contours, key=cv2.contourArea, reverse=True):
            left, top, width, height = box = _rectangle(contour)
            is_box = cv2.contourArea(contour) > BOXY * width * height
            if not has_button_size(width, height, cell, boxed) or (boxed and not is_box):
                continue
            button = ButtonCandidate(
                box, boxed, shades=_shades(grey[top : top + height, left : left + width])
            )
            if any(_is_same(button.box, other.box) for other in found):
                continue
            if boxed or not any(_contains(other.box, button.centre) for other in found):
                found.append(button)
    return [each for each in found if not _is_icon(each, found)]


def has_button_size(width: int, height: int, cell: float, is_boxed: bool = True) -> bool:
    """Whether a box, or letters, have the size of a button; a narrow box must be about as high as a cell."""
    widest, highest = (max(small, cells * cell) for small, cells in zip(ALWAYS_ALLOWED, LARGEST, strict=True))
    lowest = LETTERS
    if is_boxed:
        lowest = max(LOWEST, round(NARROW * cell)) if width < SQUARE * height else LOWEST
    return lowest <= height <= highest and 0.7 * height <= width <= widest


def _is_icon(button: ButtonCandidate, found: Sequence[ButtonCandidate]) -> bool:
    """Whether this is the only content of a larger box, at its centre."""
    for outer in found:
        if outer.is_boxed and _holds(outer.box, button.box) and _are_centred(outer.box, button.box):
            held = [each.box for each in found if _holds(outer.box, each.box)]
            if all(_are_centred(outer.box, box) for box in held):
                return True
    return False


def _rectangle(contour: Picture) -> Rectangle:
    left, top, width, height = cv2.boundingRect(contour)
    return int(left), int(top), int(width), int(height)


def window_buttons(now: Pixels, cell: float, left_out: Sequence[Point] = ()) -> list[ButtonCandidate]:
    """The boxes of a window without a board, in reading order, wide ones first.

    Boxes that contain one of the points `left_out` are excluded.
    """
    boxes = [each for each in find_buttons(now, cell) if each.is_boxed]
    found = [
        each
        for each in boxes
        if not any(_holds(each.box, other.box) for other in boxes)
        and not _is_close_button(each.box, now.shape[1], cell)
        and not any(_contains(each.box, point) for point in left_out)
    ]
    return sorted(found, key=lambda each: (each.is_narrow, round(each.centre[1] / cell), each.centre[0]))


def restart_buttons(
    now: Pixels,
    before: Pixels | None,
    board: Rectangle,
    cell: float,
    is_over: bool,
    left_out: Sequence[Point] = (),
) -> list[ButtonCandidate]:
    """The buttons of a window that may start its next game, the likeliest first.

    `now` is the image of the window, `before` the same when the game began, `board` the box of the board.
    Excluded are candidates over the board (unless a message covers it: `is_over`), far from it, at the close
    button of the window, or on one of the points `left_out`. Of several similar boxes in a row or column,
    only the first and the middle one remain, because the others are options or quit the program.
    """
    everything = [
        each
        for each in find_buttons(now, cell)
        if _is_near(each.box, board, cell, is_over) and not any(_contains(each.box, p) for p in left_out)
    ]
    boxes = [each for each in everything if each.is_boxed]
    boxes = [each for each in boxes if not any(_holds(each.box, other.box) for other in boxes)]
    middle = board[0] + board[2] / 2
    found = [
        replace(each, is_smiley=_is_smiley(each, boxes))
        for each in everything
        if not _is_close_button(each.box, now.shape[1], cell)
        and (each in boxes or not each.is_boxed)
        and _may_be_tried(each, boxes, middle, cell)
    ]

    def rank(button: ButtonCandidate) -> tuple[float, float]:
        x, y = button.centre
        left, top, width, height = board
        off = abs(x - left - width / 2) / cell
        score = 2.0 * button.is_boxed + 2.0 * (off < OFF) + 1.5 * _has_changed(button.box, now, before)
        score += 1.0 * button.is_smiley - 0.9 * (button.is_boxed and button.is_narrow and off >= OFF)
        score += 1.0 * (top < y < top + height) + 0.5 * (y < top) + 0.5 * (not button.is_boxed and y < BAR)
        return -score, off

    return sorted(found, key=rank)


def similar_buttons(
    now: Pixels, board: Rectangle, cell: float, place: Point, left_out: Sequence[Point] = ()
) -> list[ButtonCandidate]:
    """The boxes in a row or column with the box at this place that look like it, except the last one.

    `board` is the box of the board, which contains none of them.
    """
    boxes = [each for each in window_buttons(now, cell, left_out) if not boxes_overlap(each.box, board)]
    clicked = next((each for each in boxes if _contains(each.box, place)), None)
    if clicked is None:
        return []
    alike = [each for each in boxes if _are_as_high(each.box, clicked.box) and _are_of_a_kind(each, clicked)]
    row = [each for each in alike if _are_in_a_row(each.box, clicked.box)]
    column = [each for each in alike if _are_in_a_column(each.box, clicked.box)]
    line = sorted(row if len(row) > 1 else column, key=lambda each: each.centre)
    return [each for each in line[:-1] if each is not clicked]


def _is_near(box: Rectangle, board: Rectangle, cell: float, is_over: bool) -> bool:
    """Whether a box is next to the board, above or below it, or, with `is_over`, on it."""
    x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
    left, top, right, bottom = board[0], board[1], board[0] + board[2], board[1] + board[3]
    touch = TOUCH * cell
    is_across = box[0] < right - touch and left + touch < box[0] + box[2]
    if is_across and box[1] < bottom - touch and top + touch < box[1] + box[3]:
        is_cell = max(box[2:]) < CELL_AT_MOST * cell
        return is_over and not is_cell and left < x < right and top < y < bottom
    reach = BUTTON_REACH * cell
    return left - reach <= x <= right + reach and top - reach <= y <= bottom + reach


def _is_close_button(box: Rectangle, width: int, cell: float) -> bool:
    x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
    return x > width - CORNER[0] * cell and y < CORNER[1] * cell


def _may_be_tried(
    button: ButtonCandidate, boxes: Sequence[ButtonCandidate], middle: float, cell: float
) -> bool:
    """Whether this is the first of several similar boxes, or a smiley between two counters."""
    if not button.is_boxed:
        return True
    left, top, width, height = button.box
    alike = [each.box for each in boxes if _are_as_high(each.box, button.box)]
    column = [box for box in alike if _are_in_a_column(box, button.box)]
    row = [each.box for each in boxes if _are_in_a_row(each.box, button.box) and _are_of_a_kind(each, button)]
    if top > min(box[1] for box in column):
        return False
    if left == min(box[0] for box in row):
        return True
    if _is_smiley(button, boxes):
        return True
    is_square = width < SQUARE * height and abs(button.centre[0] - middle) < OFF * cell
    return is_square and left < max(box[0] for box in row)


def _is_smiley(button: ButtonCandidate, boxes: Sequence[ButtonCandidate]) -> bool:
    """Whether this is the only small square in a row of wider boxes, which are words."""
    row = [each.box for each in boxes if each.is_boxed and _are_in_a_row(each.box, button.box)]
    square = [box for box in row if box[2] < SQUARE * box[3]]
    return button.is_boxed and len(row) > 1 and square == [button.box]


def _contains(box: Rectangle, point: Point) -> bool:
    return box[0] <= point[0] < box[0] + box[2] and box[1] <= point[1] < box[1] + box[3]


def _are_of_a_kind(one: ButtonCandidate, other: ButtonCandidate) -> bool:
    """Whether two boxes have the same height or background: a field and a button differ in both."""
    is_level = max(abs(one.box[3] - other.box[3]), abs(one.box[1] - other.box[1])) < UNLIKE
    return is_level or sum(map(min, zip(one.shades, other.shades, strict=True))) > KIND


def _shades(grey: Picture) -> tuple[float, ...]:
    """The share of each grey level, smoothed over its neighbours."""
    counts = np.bincount(grey.astype(np.uint8).ravel() // (256 // SHADES), minlength=SHADES)
    spread = np.convolve(counts, (0.25, 0.5, 0.25), mode="same")
    return tuple((spread / spread.sum()).tolist())


def _are_as_high(one: Rectangle, other: Rectangle) -> bool:
    return abs(one[3] - other[3]) < 0.4 * other[3]


def _are_in_a_row(one: Rectangle, other: Rectangle) -> bool:
    return _are_as_high(one, other) and abs(one[1] - other[1]) < 0.4 * other[3]


def _are_in_a_column(one: Rectangle, other: Rectangle) -> bool:
    return abs(one[0] - other[0]) < 0.2 * other[2] and abs(one[2] - other[2]) < 0.2 * other[2]


def _holds(one: Rectangle, other: Rectangle) -> bool:
    """Whether a box is the background of another one, not a button."""
    inside = (
        one[0] <= other[0]
        and one[1] <= other[1]
        and other[0] + other[2] <= one[0] + one[2]
        and other[1] + other[3] <= one[1] + one[3]
    )
    return inside and other[2] < 0.8 * one[2]


def _has_changed(box: Rectangle, now: Pixels, before: Pixels | None) -> bool:
    if before is None or before.shape != now.shape:
        return False
    left, top, width, height = box
    part = np.s_[top : top + height, left : left + width]
    return not np.array_equal(now[part], before[part])


def _is_same(one: Rectangle, other: Rectangle) -> bool:
    """Whether two boxes are the inside and the outside of one border."""
    smaller, larger = sorted((one[2] * one[3], other[2] * other[3]))
    return smaller > ONE * larger and _are_centred(one, other)


def _are_centred(one: Rectangle, other: Rectangle) -> bool:
    return all(
        a[0] <= b[0] + b[2] / 2 < a[0] + a[2] and a[1] <= b[1] + b[3] / 2 < a[1] + a[3]
        for a, b in ((one, other), (other, one))
    )


INK = 24  # of 255; minimum difference between a pixel of ink and its neighbour
MENU_LINE = 0.6  # share of the width or height of a menu; a line with more ink is a border or a separator
RIM = 3  # pixels; the border of a menu
TEXT = (5, 40)  # pixels; minimum and maximum height of the text of an entry
GAP = 2  # pixels; maximum gap within one line of text
ENTRIES = (2, 20)  # minimum and maximum number of entries: a hint has one line, a page has many
MENU_REACH = 12  # pixels; maximum distance of a menu from the click that opened it
JOINS = 15  # pixels; changed areas within this distance are joined
FILLED = 0.6  # share of its width that a menu changes in each row, because its background is opaque
FIELD = 0.35  # maximum relative difference in width between a field and its list of values


@dataclass(frozen=True)
class Menu:
    """A menu in the window `window`; its `box` and the centres of its `entries` are in points."""

    window: int
    box: Box
    entries: tuple[Point, ...]

    def is_of_field(self, width: float) -> bool:
        """Whether it lists the values of a field of this width (points; 0 for letters)."""
        return bool(width) and abs(self.box[2] - width) < FIELD * width


def menu_entries(pixels: Pixels) -> list[Point]:
    """The centres of the text lines in the image of a menu, from the top; [] if it is not a menu."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY).astype(np.int16)[:, RIM:-RIM]
    if grey.shape[1] < TEXT[1] or grey.shape[0] < TEXT[0]:
        return []
    across = np.abs(np.diff(grey, axis=1)) > INK
    down = np.abs(np.diff(grey, axis=0)) > INK
    is_rule = np.append(down.mean(axis=1) > MENU_LINE, False)
    has_ink = (across & (across.mean(axis=0) < MENU_LINE)).any(axis=1) & ~is_rule
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


def find_opened_menu(before: Pixels, now: Pixels, place: Point) -> Rectangle | None:
    """The box of a menu that a click at this place drew over a window, or None."""
    if before.shape != now.shape:
        return None
    changed = (np.abs(now.astype(np.int16) - before).max(axis=2) > INK).astype(np.uint8)
    joined = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((JOINS, JOINS), np.uint8))
    count, parts, boxes, _ = cv2.connectedComponentsWithStats(joined)
    x, y = place
    for part in range(1, count):
        left, top, width, height, _ = (int(n) for n in boxes[part])
        if not (
            left - MENU_REACH <= x <= left + width + MENU_REACH
            and top - 2 * MENU_REACH <= y <= top + height + MENU_REACH
        ):
            continue
        wide = np.count_nonzero(parts[top : top + height, left : left + width] == part, axis=1)
        rows = np.flatnonzero(wide > FILLED * width)  # without the clicked button, which is narrower
        below = rows[rows > y - top + MENU_REACH / 2]
        if len(below) >= ENTRIES[0] * TEXT[0]:
            return left, top + int(below[0]), width, int(below[-1] - below[0]) + 1
    return None
