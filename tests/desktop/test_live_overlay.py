"""Overlay on X11: visible, not captured, transparent to clicks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from live import check_f8_hides_advice, check_play_with_overlay, heard, program_on, session_on
from numpy.typing import NDArray
from staging import Bystander, x_display
from waiting import stays, wait_for, wait_until_still
from Xlib import XK, X
from Xlib.ext.xtest import fake_input

from bot.desktop.backends import Desktop
from bot.desktop.ports import Backend, Box, Overlay
from bot.desktop.x11.windows import X11Windows
from bot.play.guard import WindowGuard
from bot.programs.runner import RunningProgram
from games.errors import MissingRequirement
from vision.frame import Capture, MssCapture, Pixels

pytestmark = pytest.mark.live


@pytest.fixture
def screen() -> Iterator[Capture]:
    with MssCapture() as grabber:
        yield grabber


@contextmanager
def covered(desktop: Desktop, screen: Capture, running: RunningProgram) -> Iterator[tuple[Overlay, Box]]:
    """An overlay that covers the window of a program; its box."""
    left, top, width, height = box = running.window.box
    with desktop.open_overlay(screen) as overlay:
        overlay.attach_at(left + width / 2, top + height / 2)
        drawing = np.full((height, width, 4), (0, 255, 0, 255), np.uint8)
        overlay.show(drawing, left, top)
        wait_for(lambda: bool(green(screen.grab(box).pixels).all()))
        yield overlay, box


def green(pixels: Pixels) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (pixels == (0, 255, 0)).all(axis=2)
    return found


@pytest.mark.parametrize("name", ["xdemineur", "gnome-mines", "kmines"])
def test_overlay_x11_visible_but_not_captured(desktop: Desktop, screen: Capture, name: str) -> None:
    with program_on(desktop, name, "16x16/40") as running:
        lower = lower_half(running.window.box)
        before = wait_until_still(screen, lower)
        with covered(desktop, screen, running) as (overlay, box):
            assert np.array_equal(overlay.clean_capture.grab(lower).pixels, before)
            whole = overlay.clean_capture.grab(None).pixels
            left, top, width, height = lower
            assert np.array_equal(whole[top : top + height, left : left + width], before)
            assert green(screen.grab(box).pixels).all()  # visible again
        wait_for(lambda: np.array_equal(screen.grab(lower).pixels, before))


def lower_half(box: Box) -> Box:
    """Of a window: no clock runs there."""
    left, top, width, height = box
    return left, top + height // 2, width, height - height // 2


def test_overlay_passes_clicks_and_is_no_cover(desktop: Desktop, screen: Capture, tmp_path: Path) -> None:
    with program_on(desktop, "sgt-mines", "9x9/10") as running, session_on(desktop, running) as session:
        found = session.finder.find()
        with covered(desktop, screen, running) as (overlay, box):
            guard = WindowGuard(desktop.windows, found.box, print, desktop.controls.check, running)
            guard.check()
            before = overlay.clean_capture.grab(box).pixels
            x, y = found.lattice.centre(40)
            assert desktop.controls.click(*found.frame.point(x, y), target=guard.target)
            wait_for(lambda: not np.array_equal(overlay.clean_capture.grab(box).pixels, before))
            with Bystander(tmp_path, box) as bystander:  # another window is a cover
                assert not desktop.controls.click(*found.frame.point(x, y), target=guard.target)
                assert bystander.presses == []


def test_overlay_window_above_covers_it(desktop: Desktop, screen: Capture, tmp_path: Path) -> None:
    with (
        program_on(desktop, "xdemineur", "16x16/40") as running,
        covered(desktop, screen, running) as (overlay, box),
    ):
        with Bystander(tmp_path, box):
            wait_for(lambda: not green(screen.grab(box).pixels).any())
            overlay.poll_keys()
            overlay.show(np.full((*box[:1:-1], 4), (0, 255, 0, 255), np.uint8), *box[:2])
            assert stays(lambda: not green(screen.grab(box).pixels).any())
            assert not green(overlay.clean_capture.grab(box).pixels).any()
        wait_for(lambda: bool(green(screen.grab(box).pixels).all()))


def test_overlay_raised_window_stays_below(desktop: Desktop, screen: Capture) -> None:
    """A click raises the board's window in many window managers; the marks return without any call."""
    with (
        program_on(desktop, "gnome-mines", "16x16/40") as running,
        covered(desktop, screen, running) as (_, box),
    ):
        target = desktop.windows.target(running.window.id)
        assert target is not None
        with x_display() as display:
            display.create_resource_object("window", target.top).configure(stack_mode=X.Above)
        wait_for(lambda: bool(green(screen.grab(box).pixels).all()))


def test_overlay_window_moves_disappears(desktop: Desktop, screen: Capture) -> None:
    with (
        program_on(desktop, "xdemineur", "16x16/40") as running,
        covered(desktop, screen, running) as (overlay, box),
    ):
        assert isinstance(desktop.windows, X11Windows)
        desktop.windows.move(running.window.id, box[0] + 90, box[1] + 60)
        wait_for(lambda: overlay.poll_keys() == [] and not green(screen.grab(box).pixels).any())


def test_overlay_x11_keys_reported_once(desktop: Desktop, screen: Capture) -> None:
    with desktop.open_overlay(screen, ["F6", "F8"]) as overlay:
        assert overlay.taken == ()
        with desktop.open_overlay(screen, ["F8", "F9"]) as other:
            assert other.taken == ("F8",)
        assert heard(overlay, desktop, "f8", "f6", "f7", "f8", least=3) == ["F8", "F6", "F8"]


def test_overlay_x11_keys_within_one_millisecond(desktop: Desktop, screen: Capture) -> None:
    with desktop.open_overlay(screen, ["F6", "F8"]) as overlay, x_display() as display:
        for name in ("F8", "F6", "F8"):
            code = display.keysym_to_keycode(XK.string_to_keysym(name))
            fake_input(display, X.KeyPress, code)
            fake_input(display, X.KeyRelease, code)
        display.sync()
        assert heard(overlay, desktop, least=3) == ["F8", "F6", "F8"]


def test_overlay_unsupported_desktop_raises(desktop: Desktop, screen: Capture) -> None:
    without = Desktop(Backend(), desktop.controls, is_virtual=False)
    with pytest.raises(MissingRequirement, match="X11"):
        without.open_overlay(screen)


@pytest.mark.parametrize("name", ["xdemineur", pytest.param("sgt-mines", marks=pytest.mark.campaign)])
def test_play_x11_overlay_plays_and_replays(name: str, tmp_path: Path) -> None:
    words = ("--program", name, "--size", "16x16", "--mines", "40", "--virtual")
    check_play_with_overlay(tmp_path, *words)


def test_advise_x11_overlay_f8_hides_it(desktop: Desktop, screen: Capture) -> None:
    with program_on(desktop, "xdemineur", "16x16/40") as running:
        lower = lower_half(running.window.box)
        wait_until_still(screen, lower)
        check_f8_hides_advice(desktop, lambda: screen.grab(lower).pixels, 16)
