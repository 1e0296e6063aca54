"""Watch the window of the board: stop if it moves, stays covered or disappears, or its program hangs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil

from bot.desktop.ports import (
    GRABBED,
    Box,
    PressTarget,
    Window,
    Windows,
    intersection,
    window_of,
    windows_over,
)
from bot.game.types import Clock, SystemClock
from bot.programs.runner import RunningProgram
from games.errors import BoardUnplayable, ProgramExited
from strategies.isolation.supervisor import descendants, process_state, sleep_time

PASSES = 10.0  # seconds in which notifications and tooltips usually disappear
POLL = 0.05  # seconds between two checks
SETTLES = 0.25  # seconds that the board must stay free after an obstacle
SETTLE_POLL = 0.01  # seconds between two checks in this time
ANSWER = 0.25  # seconds; idle programs answer within 0.04
HANGS = 30.0  # seconds before an unresponsive program is given up
MOST_PROCESSES = 3  # of a program whose drawing can be watched; browsers have more
STOPPED, BUSY = {"T", "t"}, {"T", "t", "R", "D"}  # states of processes that are not waiting for input


@dataclass(eq=False)
class WindowGuard:
    """Guards one board. `board` is its box on the screen, in the units of window boxes.

    `target` is the window that must be under the pointer at a click; None if it cannot be checked.
    `running` is the program, if known; it can dismiss its popups. On desktops that do not report their
    windows, the guard accepts everything. While it waits, it calls `say` once with the reason, and `obey`
    repeatedly, which raises Interrupted if the user stops Sapper or took the mouse.
    """

    windows: Windows
    board: Box
    say: Callable[[str], object]
    obey: Callable[[], object]
    running: RunningProgram | None = None
    clock: Clock = field(default_factory=SystemClock)
    target: PressTarget | None = field(init=False)
    _dialogs: set[int] = field(default_factory=set, init=False)  # of the program, that have covered the board

    def __post_init__(self) -> None:
        self._window = self.running.window if self.running else window_of(self.windows, self.board)
        self._size = self.windows.extent(self._window.id) if self._window else None
        self.target = self._aim()

    def _aim(self) -> PressTarget | None:
        return self.windows.target(self._window.id) if self._window else None

    @property
    def window(self) -> Box | None:
        """The outer box of the board's window; None if unknown."""
        return self._window.outer if self._window else None

    @property
    def board_window(self) -> Window | None:
        """The state of the window when the board was located; None if unknown."""
        return self._window

    @property
    def title(self) -> str:
        """The title of the board's window, or ""."""
        return self._window.title if self._window else ""

    def focus(self) -> None:
        """Focus the window: some programs pause and hide the board without focus."""
        if self._window:
            self.windows.focus(self._window.id)

    @property
    def has_resized(self) -> bool:
        """Whether the window was resized since the board was located, so its cells may have moved."""
        size = self.windows.extent(self._window.id) if self._window else None
        return size is not None and size != self._size

    def update_box(self, board: Box) -> None:
        """Guard the board at this position, in the current state of its window."""
        now = self._now() if self._window else None
        self.board, self._window = board, now or self._window
        self._size = self.windows.extent(self._window.id) if self._window else None
        self.target = self._aim()

    def _now(self) -> Window | None:
        """The current state of the window; None if it is gone. Raises ProgramExited."""
        assert self._window is not None
        if self.running is None:
            return self.windows.get(self._window.id)
        try:
            return self.running.window
        except ProgramExited:
            hidden = self.windows.get(self._window.id)
            if hidden is None or hidden.is_shown:
                raise
            return hidden

    def _open_window(self, last: Window) -> Window:
        now = self._now()
        if now is None:
            raise ProgramExited(f"the window '{last.title}' went away: open it and start again")
        return now

    def require_window(self) -> None:
        """Raise ProgramExited if the window is gone."""
        if self._window is not None:
            self._open_window(self._window)

    def check(self, was_refused: bool = False) -> None:
        """Return when the board can be clicked, after waiting for a temporary cover or grab to disappear.

        Raises ProgramExited if the window is gone, BoardUnplayable if it moved, is hidden or stays covered,
        or another program keeps the mouse. Once something was in the way, or a press `was_refused`, the board
        must stay free for a moment: a window manager may hold back a press until the next window is raised.
        """
        if self._window is None:
            return
        deadline: float | None = None
        is_reported = False
        free_at = self.clock.now() + SETTLES if was_refused else 0.0
        while (obstacle := self._cover() or self._grab()) is not None or self.clock.now() < free_at:
            if obstacle is None:
                self.clock.sleep(SETTLE_POLL)
                continue
            free_at = self.clock.now() + SETTLES
            problem, remedy = obstacle
            if deadline is None:
                if self.dismiss_popup():
                    continue
                deadline = self.clock.now() + PASSES
            elif not is_reported:  # a window manager holds the mouse for a moment after each press
                is_reported = True
                self.say(f"{problem}: waiting for it to disappear")
            if self.clock.now() > deadline:
                raise BoardUnplayable(f"{problem}: {remedy}")
            self.obey()
            self.clock.sleep(POLL)
        self.target = self._aim()

    def has_new_dialog(self) -> bool:
        """Whether only windows of the program cover the board, one of them for the first time."""
        if self._window is None:
            return False
        over = windows_over(self.windows, self._window.id, self.board)
        if not all(self.windows.same_program(each.id, self._window.id) for each in over):
            return False
        new = {each.id for each in over} - self._dialogs
        self._dialogs |= new
        return bool(new)

    def _grab(self) -> tuple[str, str] | None:
        if not self.windows.is_pointer_grabbed:
            return None
        return GRABBED, "close it"

    def _cover(self) -> tuple[str, str] | None:
        """What covers the board, and the remedy; None if visible. Raises ProgramExited, BoardUnplayable."""
        assert self._window is not None
        now = self._open_window(self._window)
        if not now.is_shown:
            raise BoardUnplayable(
                f"the window '{self._window.title}' is hidden or minimised: show it and start again"
            )
        if now.box != self._window.box:
            raise BoardUnplayable(
                f"the window '{now.title}' moved from {_place(self._window.box)} to {_place(now.box)}: "
                "leave it where it is and start again"
            )
        over = windows_over(self.windows, now.id, self.board)
        return (f"the board is covered by {_name(over[0])}", "uncover it") if over else None

    def wait_while_stopped(self) -> None:
        """Wait if the program is stopped (SIGSTOP), because it handles every press later.

        Raises BoardUnplayable after HANGS seconds.
        """
        if self._states() & STOPPED:
            self.wait_until_responsive()

    def wait_until_responsive(self) -> bool:
        """Wait until the program handles its input; returns whether it was late.

        A click that seems lost may only be late. Raises BoardUnplayable after HANGS seconds.
        """
        deadline: float | None = None
        while self._is_late():
            if deadline is None:
                deadline = self.clock.now() + HANGS
                self.say("the program does not answer: waiting for it")
            if self.clock.now() > deadline:
                raise BoardUnplayable(f"the program does not answer for {HANGS:.0f} seconds: restart it")
            self.obey()
            self.clock.sleep(POLL)
        return deadline is not None

    def _is_late(self) -> bool:
        """Whether the program is stopped or busy. A sleeping program without an answer never answers."""
        if self._window is None:
            return False
        answers = self.windows.is_responsive(self._window.id, ANSWER)
        if answers:
            return False
        return bool(self._states() & (STOPPED if answers is None else BUSY))

    def _states(self) -> set[str]:
        """The states of the program's processes, as far as known."""
        pid = self._window.pid if self._window else None
        pids = {pid} if pid is not None or self.running is None else self.running.pids
        return {process_state(each) for each in pids}

    def program_sleep_time(self) -> float:
        """The seconds for which the program waits, after handling its input; 0.0 if it is awake or unknown.

        Only the window's process and its descendants draw the board, not a session bus or its services.
        """
        pid = self._window.pid if self._window is not None else None
        pids = {pid} | descendants(pid) if pid is not None else self.running.pids if self.running else set()
        return min(map(sleep_time, pids)) if 0 < len(pids) <= MOST_PROCESSES else 0.0

    def dismiss_popup(self) -> bool:
        """Dismiss known popups of the program; returns whether there were any."""
        return bool(self.running and self.running.dismiss_popups())


def _place(box: Box) -> str:
    return f"{box[2]}x{box[3]} at ({box[0]}, {box[1]})"


def require_whole_board(windows: Windows, board: Box, columns: int, rows: int) -> None:
    """Raise BoardUnplayable if the window of another program is less than a cell from the board's border.

    It may cover further cells, and the visible part alone would look like a smaller board. Windows inside the
    board are temporary messages.
    """
    own = window_of(windows, board)
    if own is None:
        return
    left, top, width, height = board
    across, down = ceil(width / columns), ceil(height / rows)
    around = intersection((left - across, top - down, width + 2 * across, height + 2 * down), own.box)
    if around is None:
        return
    for each in windows_over(windows, own.id, around):
        is_inside = intersection(each.outer, around) == intersection(each.outer, board)
        if not is_inside and not windows.same_program(each.id, own.id):
            raise BoardUnplayable(f"{_name(each)} may cover part of the board: move it away")


def _name(window: Window) -> str:
    return f"'{window.title}'" if window.title else "a window without a title"
