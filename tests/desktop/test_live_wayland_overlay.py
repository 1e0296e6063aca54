"""Overlay on Wayland: visible, not captured, transparent to clicks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest
from headless_sway import Sway, sway
from live import check_f8_hides_advice, check_play_with_overlay, heard, on_sway, program_on, session_on
from numpy.typing import NDArray
from waiting import wait_for, wait_until_still

from bot.desktop.backends import Desktop
from bot.desktop.ports import Box, Overlay
from bot.programs.runner import RunningProgram
from vision.frame import Pixels

pytestmark = pytest.mark.live
GREEN = (0, 255, 0)


@pytest.fixture(scope="module")
def plain() -> Iterator[Sway]:
    with sway() as running:
        yield running


@contextmanager
def marked(
    running: Sway, desktop: Desktop, program: RunningProgram, scale: int = 1
) -> Iterator[tuple[Overlay, Box]]:
    """An overlay with a green chessboard over the window of a program; its box, points."""
    left, top, width, height = box = program.window.box
    with desktop.open_grabber() as screen, desktop.open_overlay(screen) as overlay:
        overlay.attach_at(left + width / 2, top + height / 2)
        wait_until_still(overlay.clean_capture, box)
        overlay.show(squares(width * scale, height * scale), left, top)
        green = greens(running, box, scale)
        elsewhere = green != (squares(*green.shape[::-1])[:, :, 3] > 0)
        assert elsewhere.mean() < 0.01  # the pointer may lie there
        yield overlay, box


def squares(width: int, height: int) -> NDArray[np.uint8]:
    drawing = np.zeros((height, width, 4), np.uint8)
    is_even = (np.arange(height)[:, None] // 8 + np.arange(width) // 8) % 2 == 0
    drawing[is_even] = (*GREEN, 255)
    return drawing


def seen(running: Sway, box: Box, scale: int = 1) -> Pixels:
    """A part of the screen, as grim captures it."""
    left, top, width, height = (scale * each for each in box)
    picture = cv2.imread(str(running.picture()))
    assert picture is not None
    return picture[top : top + height, left : left + width].astype(np.uint8)


def greens(running: Sway, box: Box, scale: int = 1) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (seen(running, box, scale) == GREEN).all(axis=2)
    return found


@pytest.mark.parametrize(
    ("name", "layout", "scale"),
    [("gnome-mines", "8x8/10", 1), ("sgt-mines", "9x9/10", 1), ("gnome-mines", "8x8/10", 2)],
)
def test_overlay_visible_but_not_captured(
    name: str, layout: str, scale: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        sway(scale) as running,
        on_sway(running, monkeypatch) as desktop,
        program_on(desktop, name, layout) as program,
    ):
        with marked(running, desktop, program, scale) as (overlay, box):
            before = overlay.clean_capture.grab(box).pixels
            assert not (before == GREEN).all(axis=2).any()
            assert greens(running, box, scale).any(), "a capture does not remove the overlay"
            left, top, width, height = (scale * each for each in box)
            whole = overlay.clean_capture.grab().pixels
            assert np.array_equal(whole[top : top + height, left : left + width], before)
            assert greens(running, box, scale).any()
        assert not greens(running, box, scale).any()


def test_overlay_passes_clicks_and_follows_change(plain: Sway, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        on_sway(plain, monkeypatch) as desktop,
        program_on(desktop, "sgt-mines", "9x9/10") as program,
        session_on(desktop, program) as session,
    ):
        found = session.finder.find()
        with marked(plain, desktop, program) as (overlay, box):
            before = overlay.clean_capture.grab(box).pixels
            assert desktop.controls.click(*found.frame.point(*found.lattice.centre(40)))
            wait_for(lambda: not np.array_equal(overlay.clean_capture.grab(box).pixels, before))
            assert not greens(plain, box).any()
            wait_until_still(overlay.clean_capture, box)
            wait_for(lambda: bool(greens(plain, box).any()))
            assert not (overlay.clean_capture.grab(box).pixels == GREEN).all(axis=2).any()


def test_overlay_covered_or_moved_disappears(plain: Sway, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        on_sway(plain, monkeypatch) as desktop,
        program_on(desktop, "sgt-mines", "9x9/10") as program,
        marked(plain, desktop, program) as (overlay, box),
    ):
        with program_on(desktop, "gnome-mines", "8x8/10") as above:
            plain.do(f"[con_id={above.window.id}] move absolute position {box[0]} {box[1]}")
            wait_for(lambda: overlay.poll_keys() == [] and not greens(plain, box).any())
        wait_for(lambda: overlay.poll_keys() == [] and bool(greens(plain, box).any()))
        plain.do(f"[con_id={program.window.id}] move absolute position {box[0] + 60} {box[1] + 40}")
        wait_for(lambda: overlay.poll_keys() == [] and not greens(plain, box).any())


def test_overlay_keys_reported_once_per_press(plain: Sway, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        on_sway(plain, monkeypatch) as desktop,
        desktop.open_grabber() as screen,
        desktop.open_overlay(screen, ["F6", "F8"]) as overlay,
    ):
        assert overlay.taken == ()
        assert heard(overlay, desktop, "f8", "f6", "f7", "f8", least=3) == ["F8", "F6", "F8"]


def test_advise_overlay_f8_hides_it(plain: Sway, monkeypatch: pytest.MonkeyPatch) -> None:
    with on_sway(plain, monkeypatch) as desktop, program_on(desktop, "sgt-mines", "9x9/10") as program:
        box = program.window.box
        check_f8_hides_advice(desktop, lambda: seen(plain, box), 9, plain.variables)


def test_play_with_overlay_plays_and_replays(plain: Sway, tmp_path: Path) -> None:
    words = ("--program", "sgt-mines", "--size", "9x9", "--mines", "10")
    check_play_with_overlay(tmp_path, *words, env=plain.variables)
