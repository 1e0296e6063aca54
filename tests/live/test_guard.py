"""The guard of a window: moved, covered, gone, on a desktop of made-up windows."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tables import JumpingClock

from bot.desktop.ports import Box, Window, Windows
from bot.play.guard import PASSES, WindowGuard
from games.errors import BoardUnplayable, ProgramExited

BOARD: Box = (120, 150, 200, 160)
GAME = Window(7, "Mines", 42, (100, 120, 300, 250), (98, 100, 304, 272), 1, is_shown=True)


class Desk(Windows):
    """Windows that a test moves about."""

    def __init__(self, *windows: Window) -> None:
        self.windows = list(windows)
        self.focused: list[int] = []

    def all(self) -> list[Window] | None:
        return self.windows

    def focus(self, id: int) -> None:
        self.focused.append(id)


class Program:
    """A running program as far as a guard knows one."""

    def __init__(self, window: Window) -> None:
        self._window: Window | None = window
        self.popups = 0

    @property
    def window(self) -> Window:
        if self._window is None:
            raise ProgramExited("xdemineur went away: start again")
        return self._window

    def close(self) -> None:
        self._window = None

    def dismiss_popups(self, patience: float = 0.0) -> int:
        was, self.popups = self.popups, 0
        return was


def other(box: Box, level: int, title: str = "Notes", is_shown: bool = True) -> Window:
    return Window(9, title, 43, box, box, level, is_shown)


def test_guard_unchanged_window_passes() -> None:
    desk = Desk(GAME)
    guard = WindowGuard(desk, BOARD)
    guard.check()
    assert guard.window == GAME.outer
    guard.focus()
    assert desk.focused == [7]


@pytest.mark.parametrize("box", [(110, 120, 300, 250), (100, 121, 300, 250), (100, 120, 300, 251)])
def test_guard_moved_or_resized_window_raises(box: Box) -> None:
    desk = Desk(GAME)
    guard = WindowGuard(desk, BOARD)
    desk.windows = [replace(GAME, box=box)]
    with pytest.raises(BoardUnplayable, match=r"'Mines' moved from 300x250 at \(100, 120\) to ") as caught:
        guard.check()
    assert "\n" not in str(caught.value)


def test_guard_resized_window_can_be_followed() -> None:
    desk = Desk(GAME)
    guard = WindowGuard(desk, BOARD)
    told = [guard.has_resized]
    desk.windows = [replace(GAME, box=(90, 100, 400, 350))]
    told.append(guard.has_resized)
    guard.update_box((100, 110, 300, 260))
    told.append(guard.has_resized)
    guard.check()
    desk.windows = []
    told.append(guard.has_resized)
    assert told == [False, True, False, False]


def test_guard_closed_window_raises() -> None:
    desk = Desk(GAME)
    guard = WindowGuard(desk, BOARD)
    desk.windows = []
    with pytest.raises(ProgramExited, match="'Mines' went away"):
        guard.check()


def test_guard_minimised_window_raises() -> None:
    desk = Desk(GAME)
    guard = WindowGuard(desk, BOARD)
    desk.windows = [replace(GAME, is_shown=False)]
    with pytest.raises(BoardUnplayable, match="'Mines' is hidden or minimised"):
        guard.check()


class Covered:
    """A board under a window that goes away by itself after `lasts` seconds; None: it stays."""

    def __init__(self, lasts: float | None, title: str = "Notes") -> None:
        self.desk = Desk(GAME, other((310, 300, 50, 50), level=2, title=title))
        self.clock = JumpingClock()
        self.lasts = lasts
        self.said: list[str] = []
        self.asked = 0
        self.guard = WindowGuard(self.desk, BOARD, None, self.clock, self.said.append, self.obey)

    def obey(self) -> None:
        self.asked += 1
        if self.lasts is not None and self.clock.time > self.lasts:
            self.desk.windows = [GAME]


def test_guard_lasting_cover_raises_with_title() -> None:
    scene = Covered(None)
    with pytest.raises(BoardUnplayable, match="covered by 'Notes'"):
        scene.guard.check()
    assert PASSES < scene.clock.time < PASSES + 1
    with pytest.raises(BoardUnplayable, match="covered by a window without a title"):
        Covered(None, "").guard.check()


def test_guard_brief_cover_waits_and_notes_once() -> None:
    scene = Covered(2.0)
    scene.guard.check()
    assert scene.said == ["the board is covered by 'Notes': waiting for it to go"]
    assert 2 < scene.clock.time < 3
    assert scene.asked > 10  # what a person wants is asked all the while


def test_guard_window_moved_under_cover_raises() -> None:
    scene = Covered(None)

    def moved() -> None:
        scene.desk.windows[0] = replace(GAME, box=(0, 0, 300, 250))

    scene.guard = WindowGuard(scene.desk, BOARD, None, scene.clock, obey=moved)
    with pytest.raises(BoardUnplayable, match="moved from"):
        scene.guard.check()
    assert scene.clock.time < 1


@pytest.mark.parametrize(
    "window",
    [
        other((310, 300, 50, 50), level=0),  # below
        other((320, 300, 50, 50), level=2),  # beside the board, edge to edge
        other((98, 100, 304, 20), level=2),  # over the title only
        other((0, 0, 900, 900), level=2, is_shown=False),
    ],
)
def test_guard_windows_off_board_are_ignored(window: Window) -> None:
    desk = Desk(*sorted((GAME, window), key=lambda each: each.level))
    guard = WindowGuard(desk, BOARD)
    guard.check()


def test_guard_board_window_is_topmost_at_centre() -> None:
    assert WindowGuard(Desk(other((0, 0, 900, 900), 0), GAME), BOARD).window == GAME.outer


def test_guard_desktop_without_windows_passes() -> None:
    for desk in (Windows(), Desk()):
        guard = WindowGuard(desk, BOARD)
        guard.check()
        guard.focus()
        assert guard.window is None
        assert guard.dismiss_popup() is False


def test_guard_started_program_is_asked() -> None:
    running = Program(GAME)
    guard = WindowGuard(Desk(GAME), BOARD, running)  # type: ignore[arg-type]
    guard.check()
    running.popups = 1
    assert guard.dismiss_popup() is True
    assert guard.dismiss_popup() is False
    running.close()
    with pytest.raises(ProgramExited, match="went away"):
        guard.check()


@pytest.fixture
def asleep() -> Iterator[subprocess.Popen[bytes]]:
    """A process that waits for nothing in particular."""
    with subprocess.Popen(["sleep", "60"]) as process:
        yield process
        process.kill()


def stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGSTOP)
    while ") T " not in Path(f"/proc/{process.pid}/stat").read_text():
        pass


def test_guard_stopped_program_is_waited_for(asleep: subprocess.Popen[bytes]) -> None:
    said: list[str] = []
    waits: list[bool] = []

    def go_on() -> None:
        waits.append(True)
        asleep.send_signal(signal.SIGCONT)

    guard = WindowGuard(
        Desk(replace(GAME, pid=asleep.pid)), BOARD, clock=JumpingClock(), say=said.append, obey=go_on
    )
    assert not guard.wait_until_responsive()
    stop(asleep)
    assert guard.wait_until_responsive()
    assert said == ["the program does not answer: waiting for it"]
    assert waits


def test_guard_hung_program_raises(asleep: subprocess.Popen[bytes]) -> None:
    guard = WindowGuard(Desk(replace(GAME, pid=asleep.pid)), BOARD, clock=JumpingClock())
    stop(asleep)
    with pytest.raises(BoardUnplayable, match="does not answer for 30 seconds"):
        guard.wait_until_responsive()


def test_guard_unknown_program_is_not_waited_for() -> None:
    assert not WindowGuard(Desk(replace(GAME, pid=None)), BOARD).wait_until_responsive()
