"""What a menu looks like in a picture: its entries, and where it was drawn over a window."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.play.widgets import Menu, find_opened_menu, menu_entries
from vision.frame import Pixels

ENTRIES = ("New game", "Options", "Quit")


def menu(*entries: str, lit: int | None = None, rule_below: int | None = None) -> Pixels:
    """A menu with a border; one entry may be lit, and a rule drawn below one."""
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


def lines(pixels: Pixels) -> list[int]:
    """Which entries the middles that were found lie on."""
    return [int((y - 4) // 24) for _, y in menu_entries(pixels)]


@pytest.mark.parametrize("lit", [None, 0, 1])
@pytest.mark.parametrize("rule_below", [None, 0])
def test_menu_each_text_line_is_entry(lit: int | None, rule_below: int | None) -> None:
    assert lines(menu(*ENTRIES, lit=lit, rule_below=rule_below)) == [0, 1, 2]


@pytest.mark.parametrize("pixels", [menu("New game"), np.full((90, 140, 3), 200, np.uint8), menu()])
def test_menu_hint_or_empty_box_is_none(pixels: Pixels) -> None:
    assert menu_entries(pixels) == []


def window() -> Pixels:
    """A window with a word in its bar and cells below."""
    pixels = np.full((300, 300, 3), 200, np.uint8)
    cv2.putText(pixels, "Game", (8, 18), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    for k in range(11):
        cv2.line(pixels, (20, 30 + 24 * k), (260, 30 + 24 * k), (60, 60, 60), 1)
        cv2.line(pixels, (20 + 24 * k, 30), (20 + 24 * k, 270), (60, 60, 60), 1)
    return pixels


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
