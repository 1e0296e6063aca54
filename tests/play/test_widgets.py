"""Buttons and menus detected in drawn windows and in fixtures."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.play.widgets import Menu, find_opened_menu, menu_entries, restart_buttons, similar_buttons
from vision.frame import Frame, Pixels
from vision.locate.locate import locate_lattice

SCREENS = Path(__file__).resolve().parents[2] / "fixtures" / "screens"
Box = tuple[int, int, int, int]
BOARD, CELL = (40, 100, 240, 240), 24.0


def window(*boxes: Box, text: str = "") -> Pixels:
    """A grey window with a board in it, and boxes with a border (left, top, width, height)."""
    pixels = np.full((420, 320, 3), 192, np.uint8)
    left, top, width, height = BOARD
    for k in range(11):
        cv2.line(pixels, (left, top + k * 24), (left + width, top + k * 24), (60, 60, 60), 1)
        cv2.line(pixels, (left + k * 24, top), (left + k * 24, top + height), (60, 60, 60), 1)
    for x, y, w, h in boxes:
        cv2.rectangle(pixels, (x, y), (x + w, y + h), (240, 240, 240), -1)
        cv2.rectangle(pixels, (x, y), (x + w, y + h), (0, 0, 0), 1)
    if text:
        cv2.putText(pixels, text, (40, 380), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    return pixels


def order(pixels: Pixels, *boxes: Box, before: Pixels | None = None, over: bool = False) -> list[int]:
    """The indices of the boxes that are buttons, the likeliest first."""
    numbers = []
    for button in restart_buttons(pixels, before, BOARD, CELL, over):
        x, y = button.centre
        for number, (left, top, width, height) in enumerate(boxes):
            if abs(x - left - width / 2) < 3 and abs(y - top - height / 2) < 3:
                numbers.append(number)
    return numbers


FACE, COUNTER, CLOCK = (144, 50, 32, 32), (44, 52, 60, 30), (216, 52, 60, 30)
NEW, OPTIONS, QUIT = (10, 10, 60, 24), (80, 10, 60, 24), (150, 10, 60, 24)
SMILEY = (170, 10, 30, 24)
RESTART = (120, 360, 80, 30)


@pytest.mark.parametrize(
    ("boxes", "tried"),
    [
        ((FACE,), [0]),
        ((COUNTER, FACE, CLOCK), [1, 0]),  # the smiley first, the last box never
        ((RESTART, FACE), [1, 0]),
        (((42, 40, 219, 50), COUNTER, FACE), [2, 1]),  # on a panel
        ((NEW, OPTIONS, QUIT), [0]),
        ((NEW, OPTIONS, SMILEY), [2, 0]),  # the only small square among words
        ((NEW, SMILEY, (230, 10, 30, 24)), [0]),  # two small squares
        ((RESTART,), [0]),
        (((120, 72, 70, 30),), [0]),  # touches the board
        (((290, 4, 24, 24),), []),  # the close button
        (((100, 150, 72, 30),), []),  # over the board
        (((120, 360, 80, 4), (10, 360, 6, 30)), []),  # wrong sizes
        (((284, 120, 32, 30), (284, 160, 32, 30), (284, 200, 32, 30)), [0]),  # a column: the top one
    ],
)
def test_buttons_order_of_candidates(boxes: tuple[tuple[int, int, int, int], ...], tried: list[int]) -> None:
    assert order(window(*boxes), *boxes) == tried


def test_buttons_icon_is_part_of_its_button() -> None:
    (button,) = restart_buttons(window(RESTART, (152, 367, 16, 16)), None, BOARD, CELL, False)
    assert button.box[2] > 70


LEVELS = ((10, 50, 60, 24), (80, 50, 70, 24), (160, 50, 60, 24), (230, 50, 50, 24))


@pytest.mark.parametrize(("clicked", "others"), [(0, [1, 2]), (1, [0, 2]), (None, [])])
def test_buttons_similar_row_without_last(clicked: int | None, others: list[int]) -> None:
    place = (170.0, 200.0) if clicked is None else (LEVELS[clicked][0] + 30.0, 62.0)
    found = similar_buttons(window(*LEVELS, RESTART), BOARD, CELL, place)
    assert [each.centre[0] for each in found] == pytest.approx(
        [LEVELS[k][0] + LEVELS[k][2] / 2 for k in others], abs=3
    )


def test_buttons_changed_at_end_come_first() -> None:
    one, other = (60, 360, 60, 30), (290, 200, 28, 30)
    before = window(one, other)
    for box in (one, other):
        now = before.copy()
        cv2.putText(now, "x", (box[0] + 8, box[1] + 20), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1)
        assert order(now, one, other, before=before)[0] == (one, other).index(box)


def test_buttons_in_message_count_without_board() -> None:
    message, button = (60, 140, 200, 140), (120, 230, 80, 28)
    picture = window(message, button)
    assert order(picture, button) == []
    assert order(picture, button, over=True) == [0]


def test_buttons_text_comes_after_boxes() -> None:
    picture = window(COUNTER, text="New game")
    found = restart_buttons(picture, None, BOARD, CELL, False)
    assert [button.is_boxed for button in found] == sorted((b.is_boxed for b in found), reverse=True)
    assert any(not button.is_boxed and abs(button.centre[1] - 375) < 8 for button in found)


@pytest.mark.parametrize(
    ("name", "first"),
    [("xdemineur/lost", "above, in the middle"), ("gnome-mines/lost", "right of the board")],
)
def test_buttons_first_choice_on_fixtures(name: str, first: str) -> None:
    frame = Frame.load(SCREENS / f"{name}.png")
    lattice = locate_lattice(frame)
    left, top, width, _ = lattice.box
    found = restart_buttons(frame.pixels, None, lattice.box, lattice.pitch, False)
    assert found
    x, y = found[0].centre
    where = "above, in the middle" if y < top and abs(x - left - width / 2) < lattice.pitch else ""
    assert (where or ("right of the board" if x > left + width else "elsewhere")) == first


ENTRIES = ("New game", "Options", "Quit")


def menu(*entries: str, lit: int | None = None, rule_below: int | None = None) -> Pixels:
    """A menu with a border, maybe a highlighted entry and a separator."""
    pixels = np.full((8 + 24 * len(entries), 140, 3), 236, np.uint8)
    cv2.rectangle(pixels, (0, 0), (139, pixels.shape[0] - 1), (90, 90, 90), 1)
    for k, text in enumerate(entries):
        top = 4 + 24 * k
        if k == lit:
            cv2.rectangle(pixels, (2, top), (137, top + 22), (250, 250, 250), -1)
            cv2.rectangle(pixels, (2, top), (137, top + 22), (120, 120, 120), 1)
        cv2.putText(pixels, text, (12, top + 16), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 0), 1, cv2.LINE_AA)
        if k == rule_below:
            cv2.line(pixels, (4, top + 23), (135, top + 23), (120, 120, 120), 1)
    return pixels


def entries_of(pixels: Pixels) -> list[int]:
    return [int((y - 4) // 24) for _, y in menu_entries(pixels)]


@pytest.mark.parametrize("lit", [None, 0, 1])
@pytest.mark.parametrize("rule_below", [None, 0])
def test_menu_each_text_line_is_entry(lit: int | None, rule_below: int | None) -> None:
    assert entries_of(menu(*ENTRIES, lit=lit, rule_below=rule_below)) == [0, 1, 2]


@pytest.mark.parametrize("pixels", [menu("New game"), np.full((90, 140, 3), 200, np.uint8), menu()])
def test_menu_hint_or_empty_box_is_none(pixels: Pixels) -> None:
    assert menu_entries(pixels) == []


@pytest.mark.parametrize("is_pressed", [False, True])
def test_menu_over_board_found_below_click(is_pressed: bool) -> None:
    before = window()
    now, drawn = before.copy(), menu(*ENTRIES)
    now[26 : 26 + drawn.shape[0], 6 : 6 + drawn.shape[1]] = drawn
    if is_pressed:
        cv2.rectangle(now, (4, 2), (56, 24), (160, 90, 30), -1)
    box = find_opened_menu(before, now, (30, 12))
    assert box is not None
    left, top, width, height = box
    found = menu_entries(now[top : top + height, left : left + width])
    assert [round((top + y - 26 - 4) // 24) for _, y in found] == [0, 1, 2]


def test_menu_change_elsewhere_is_none() -> None:
    before = window()
    now = before.copy()
    now[200:290, 200:290] = 40
    assert find_opened_menu(before, now, (30, 12)) is None
    assert find_opened_menu(before, before, (30, 12)) is None


@pytest.mark.parametrize(("width", "is_field"), [(0.0, False), (50.0, False), (130.0, True), (180.0, True)])
def test_menu_as_wide_as_field_is_value_list(width: float, is_field: bool) -> None:
    assert Menu(1, (0, 0, 140, 80), ((70.0, 12.0), (70.0, 36.0))).is_of_field(width) is is_field
