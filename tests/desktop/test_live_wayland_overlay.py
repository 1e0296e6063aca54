"""Overlay on Wayland: visible, not captured, transparent to clicks."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest
from headless_sway import Sway, sway
from live import heard, on_sway, program_on, session_on
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
            assert desktop.hands.click(*found.frame.point(*found.lattice.centre(40)))
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
        before = seen(plain, box)
        command = [sys.executable, "-m", "bot", "advise", "--overlay", "--json", "--mines", "10"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=plain.variables) as child:
            try:
                assert child.stdout is not None
                first = json.loads(child.stdout.readline())
                wait_for(lambda: not np.array_equal(seen(plain, box), before))
                desktop.hands.press("f8")
                wait_for(lambda: np.array_equal(seen(plain, box), before))
            finally:
                child.send_signal(signal.SIGINT)
    assert (child.returncode, len(first["rows"])) == (0, 9)


def test_play_with_overlay_plays_and_replays(plain: Sway, tmp_path: Path) -> None:
    done = plain.run(
        sys.executable, "-m", "bot", "play", "--program", "sgt-mines", "--size", "9x9", "--mines", "10",
        "--games", "2", "--overlay", "--record", str(tmp_path), "--json", seconds=180,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    games = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(game["result"] in ("won", "lost"), game["wrong_certain"]) for game in games] == [(True, 0)] * 2
    again = plain.run(sys.executable, "-m", "bot", "replay", *map(str, tmp_path.iterdir()), seconds=180)
    assert again.returncode == 0, again.stdout
