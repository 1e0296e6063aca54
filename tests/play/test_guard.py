"""`WindowGuard` on fake windows: moved, covered, closed."""

from __future__ import annotations

import math
import platform
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tables import JumpingClock
from waiting import wait_for

from bot.desktop.ports import Box, Window, Windows
from bot.game.types import Clock, SystemClock
from bot.play.guard import PASSES, WindowGuard, require_whole_board
from games.errors import BoardUnplayable, ProgramExited

BOARD: Box = (120, 150, 200, 160)
GAME = Window(7, "Mines", 42, (100, 120, 300, 250), (98, 100, 304, 272), 1, is_shown=True)


class GuardedDesktop(Windows):
    """Fake windows."""

    def __init__(self, *windows: Window) -> None:
        self.windows = list(windows)
        self.focused: list[int] = []

    def all(self) -> list[Window] | None:
        return self.windows

    def focus(self, id: int) -> None:
        self.focused.append(id)


class ProgramWithPopup:
    """A running program with one popup."""

    popups, is_closed = 1, False
    pids: frozenset[int] | set[int] = frozenset()

    @property
    def window(self) -> Window:
        if self.is_closed:
            raise ProgramExited("xdemineur went away: start again")
        return GAME

    def dismiss_popups(self, patience: float = 0.0) -> int:
        was, self.popups = self.popups, 0
        return was


def guard_of(
    desk: Any,
    running: ProgramWithPopup | None = None,
    clock: Clock | None = None,
    say: Callable[[str], object] = print,
    obey: Callable[[], object] = print,
) -> WindowGuard:
    return WindowGuard(desk, BOARD, say, obey, running, clock or SystemClock())  # type: ignore[arg-type]


def other(box: Box, level: int, title: str = "Notes", is_shown: bool = True) -> Window:
    return Window(9, title, 43, box, box, level, is_shown)


def test_guard_unchanged_window_passes() -> None:
    desk = GuardedDesktop(other((0, 0, 900, 900), 0), GAME)  # the board's window is the topmost at its centre
    guard = guard_of(desk)
    guard.check()
    assert guard.window == GAME.outer
    guard.focus()
    assert desk.focused == [7]


def test_guard_dialog_over_centre_is_a_cover() -> None:
    """The board was located just before the dialog opened: the dialog is not its window."""
    left, top, width, height = BOARD
    dialog = (left + width // 4, top + height // 4, width // 2, height // 2)
    guard = guard_of(GuardedDesktop(GAME, other(dialog, 2, "Well done")), clock=JumpingClock())
    assert guard.board_window == GAME
    with pytest.raises(BoardUnplayable, match="the board is covered by 'Well done'"):
        guard.check()


MOVED = r"'Mines' moved from 300x250 at \(100, 120\) to "


@pytest.mark.parametrize(
    ("now", "error", "message"),
    [
        ([replace(GAME, box=(110, 120, 300, 250))], BoardUnplayable, MOVED),
        ([replace(GAME, box=(100, 121, 300, 250))], BoardUnplayable, MOVED),
        ([replace(GAME, box=(100, 120, 300, 251))], BoardUnplayable, MOVED),
        ([replace(GAME, is_shown=False)], BoardUnplayable, "'Mines' is hidden or minimised"),
        ([], ProgramExited, "'Mines' went away"),
    ],
)
def test_guard_changed_window_raises(now: list[Window], error: type[Exception], message: str) -> None:
    desk = GuardedDesktop(GAME)
    guard = guard_of(desk)
    desk.windows = now
    with pytest.raises(error, match=message) as caught:
        guard.check()
    assert "\n" not in str(caught.value)


def test_guard_resized_window_can_be_followed() -> None:
    desk = GuardedDesktop(GAME)
    guard = guard_of(desk)
    sizes = [guard.has_resized]
    desk.windows = [replace(GAME, box=(90, 100, 400, 350))]
    sizes.append(guard.has_resized)
    guard.update_box((100, 110, 300, 260))
    sizes.append(guard.has_resized)
    guard.check()
    desk.windows = []
    sizes.append(guard.has_resized)
    assert sizes == [False, True, False, False]


class CoveredBoard(GuardedDesktop):
    """Another window covers the board at these times (seconds)."""

    def __init__(self, is_covered: Callable[[float], bool], title: str = "Notes") -> None:
        super().__init__(GAME)
        self.is_covered = is_covered
        self.cover = other((310, 300, 50, 50), level=2, title=title)
        self.clock = JumpingClock()
        self.said: list[str] = []
        self.asked = 0
        self.guard = guard_of(self, None, self.clock, self.said.append, self.obey)

    def all(self) -> list[Window] | None:
        return [*self.windows, self.cover] if self.is_covered(self.clock.time) else self.windows

    def obey(self) -> None:
        self.asked += 1


def test_guard_lasting_cover_raises_with_title() -> None:
    desk = CoveredBoard(lambda _: True)
    with pytest.raises(BoardUnplayable, match="covered by 'Notes'"):
        desk.guard.check()
    assert PASSES < desk.clock.time < PASSES + 1
    with pytest.raises(BoardUnplayable, match="covered by a window without a title"):
        CoveredBoard(lambda _: True, "").guard.check()


def test_guard_flickering_cover_after_refusal() -> None:
    """The board is free for a moment, but the next press could hit the window."""
    guard = CoveredBoard(lambda time: time % 0.1 > 0.07).guard
    guard.check()  # nothing was refused, and nothing covers the board now
    with pytest.raises(BoardUnplayable, match="covered by 'Notes'"):
        guard.check(was_refused=True)


class Grabbed(GuardedDesktop):
    """Another program grabs the pointer until `until` (seconds)."""

    def __init__(self, clock: JumpingClock, until: float) -> None:
        super().__init__(GAME)
        self.clock, self.until = clock, until

    @property
    def is_pointer_grabbed(self) -> bool:
        return self.clock.time < self.until


@pytest.mark.parametrize(("until", "is_noted"), [(0.02, False), (4.0, True)])
def test_guard_grabbed_pointer_waits(until: float, is_noted: bool) -> None:
    """A window manager's grab of some milliseconds is not worth a note."""
    clock, said = JumpingClock(), list[str]()
    guard_of(Grabbed(clock, until), None, clock, said.append).check()
    assert until <= clock.time < until + 1
    assert bool(said) == is_noted
    with pytest.raises(BoardUnplayable, match="another program has grabbed the mouse"):
        guard_of(Grabbed(clock, 1e9), None, clock).check()


def test_guard_brief_cover_waits_and_notes_once() -> None:
    desk = CoveredBoard(lambda time: time <= 2)
    desk.guard.check()
    assert desk.said == ["the board is covered by 'Notes': waiting for it to disappear"]
    assert 2 < desk.clock.time < 3
    assert desk.asked > 10  # the user can stop Sapper at any time


def test_guard_window_moved_under_cover_raises() -> None:
    def move() -> None:
        desk.windows[0] = replace(GAME, box=(0, 0, 300, 250))

    desk = CoveredBoard(lambda _: True)
    with pytest.raises(BoardUnplayable, match="moved from"):
        guard_of(desk, clock=desk.clock, obey=move).check()
    assert desk.clock.time < 1


@pytest.mark.parametrize(
    "window",
    [
        other((310, 300, 50, 50), level=0),  # below
        other((320, 300, 50, 50), level=2),  # next to the board
        other((98, 100, 304, 20), level=2),  # over the title bar
        other((0, 0, 900, 900), level=2, is_shown=False),
    ],
)
def test_guard_windows_off_board_are_ignored(window: Window) -> None:
    guard_of(GuardedDesktop(*sorted((GAME, window), key=lambda each: each.level))).check()


def test_guard_desktop_without_windows_passes() -> None:
    for desk in (Windows(), GuardedDesktop()):
        guard = guard_of(desk)
        guard.check()
        guard.focus()
        assert guard.window is None
        assert guard.dismiss_popup() is False


def test_guard_started_program_is_asked() -> None:
    running = ProgramWithPopup()
    guard = guard_of(GuardedDesktop(GAME), running)
    guard.check()
    assert [guard.dismiss_popup(), guard.dismiss_popup()] == [True, False]
    running.is_closed = True
    with pytest.raises(ProgramExited, match="went away"):
        guard.check()


@pytest.fixture
def asleep() -> Iterator[subprocess.Popen[bytes]]:
    """An idle process."""
    with subprocess.Popen(["sleep", "60"]) as process:
        yield process
        process.kill()


def stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGSTOP)
    while ") T " not in Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8"):
        pass


def test_guard_stopped_program_is_waited_for(asleep: subprocess.Popen[bytes]) -> None:
    said: list[str] = []
    waits: list[bool] = []

    def go_on() -> None:
        waits.append(True)
        asleep.send_signal(signal.SIGCONT)

    guard = guard_of(GuardedDesktop(replace(GAME, pid=asleep.pid)), None, JumpingClock(), said.append, go_on)
    assert not guard.wait_until_responsive()
    stop(asleep)
    assert not guard_of(GuardedDesktop(replace(GAME, pid=None))).wait_until_responsive()  # it is unknown
    assert guard.wait_until_responsive()
    assert said == ["the program does not answer: waiting for it"]
    assert waits


def test_guard_hung_program_raises(asleep: subprocess.Popen[bytes]) -> None:
    guard = guard_of(GuardedDesktop(replace(GAME, pid=asleep.pid)), clock=JumpingClock())
    stop(asleep)
    with pytest.raises(BoardUnplayable, match="does not answer for 30 seconds"):
        guard.wait_until_responsive()


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers of system calls differ")
@pytest.mark.parametrize(
    ("waits", "seconds"),
    [
        ("poll().poll()", math.inf),
        ("poll().poll(60000)", 60.0),
        ("poll().poll(20)", 0.02),
        ("epoll().poll(60)", 60.0),
        ("epoll().poll(0.02)", 0.02),
    ],
)
def test_guard_program_with_timer_sleep_time(waits: str, seconds: float) -> None:
    words = [sys.executable, "-c", f"import select\nwhile True:\n    select.{waits}"]
    with subprocess.Popen(words) as process:
        guard = guard_of(GuardedDesktop(replace(GAME, pid=process.pid)))
        wait_for(lambda: guard.program_sleep_time() == seconds)
        process.kill()


def test_guard_asleep_ignores_other_processes(asleep: subprocess.Popen[bytes]) -> None:
    """A session bus and its services do not draw the board."""
    window = replace(GAME, pid=asleep.pid)
    running = ProgramWithPopup()
    running.pids = {1, 2, 3, 4, asleep.pid}
    guard = guard_of(GuardedDesktop(window), running)
    wait_for(lambda: guard.program_sleep_time() > 0)


@pytest.mark.parametrize(
    ("cover", "is_refused"),
    [
        ((310, 100, 300, 300), True),  # it begins where the last visible column ends
        ((100, 300, 300, 200), True),  # below the last visible row
        ((345, 100, 300, 300), False),  # more than a cell away
        ((300, 100, 300, 300), True),  # over its right edge
        ((150, 180, 60, 40), False),  # inside the board: the guard waits until it is gone
    ],
)
@pytest.mark.parametrize("is_own", [False, True])
def test_window_of_another_program_at_border_is_refused(cover: Box, is_refused: bool, is_own: bool) -> None:
    desk = GuardedDesktop(GAME, other(cover, 2))
    desk.same_program = lambda *_: is_own  # type: ignore[method-assign]  # a dialog of the program is no cover
    problem = pytest.raises(BoardUnplayable, match="'Notes' may cover part of the board: move it away")
    with problem if is_refused and not is_own else nullcontext():
        require_whole_board(desk, (120, 150, 190, 150), 10, 8)
