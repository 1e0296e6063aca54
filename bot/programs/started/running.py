"""A known program, started, watched, given new games, and ended."""

from __future__ import annotations

import time
from typing import Self

from bot.closing import Closing
from bot.desktop import X_TOOLKITS, Box, Hands, ScreenWindows, Toolkits, Window
from bot.programs.description import BoardSize, Program, State, Step
from bot.programs.started.own_windows import OwnWindows
from bot.programs.started.process import ProgramProcess, words_of
from games.errors import ProgramGone, Unplayable, Usage

PATIENCE = 20.0  # seconds that a program gets to show its window
BETWEEN = 3.0  # seconds that a program gets to put one window in the place of another
STILL = 0.25  # seconds that the window's place and size must not change before it counts as started
MOST_POPUPS = 8  # one after another


class RunningProgram(Closing):
    """One running program; a context manager that ends it, and all that it started, by process id.

    It runs with a private home folder, so that nobody's settings or scores are touched, in the C language, so
    that its window has the title that the program file names. Everything raises ProgramGone when the process
    or its window went away; starting raises MachineLacks when the program is not installed, and Usage when
    it has no such board.
    """

    def __init__(
        self,
        program: Program,
        size: BoardSize,
        windows: ScreenWindows,
        hands: Hands,
        toolkits: Toolkits = X_TOOLKITS,
    ) -> None:
        self.program = program
        self.size = size
        self._windows = windows
        self._hands = hands
        self._toolkits = toolkits
        self._level = program.level(size)
        self._process: ProgramProcess | None = None
        self._own = OwnWindows(program, windows, lambda: self.pids)
        self._id = 0

    @classmethod
    def start(
        cls,
        program: Program,
        size: BoardSize,
        windows: ScreenWindows,
        hands: Hands,
        toolkits: Toolkits = X_TOOLKITS,
    ) -> Self:
        """Start a program and wait until its window is there and has come to rest.

        `toolkits` are the variables that make it open its windows on this desktop (None: unset), those of an
        X screen by default.
        """
        running = cls(program, size, windows, hands, toolkits)
        try:
            running._start()
        except BaseException:
            running.close()
            raise
        return running

    @classmethod
    def attach(cls, program: Program, windows: ScreenWindows, hands: Hands, window: int) -> Self:
        """A program that runs already, in this window. It is never ended, and cannot be restarted.

        Its `size` is the program's default one, whatever the window shows.
        """
        running = cls(program, program.default, windows, hands)
        running._id = window
        return running

    @property
    def window(self) -> Window:
        """The program's window as it is now, screen pixels. Raises ProgramGone."""
        deadline = time.monotonic() + BETWEEN
        while (window := self._shown()) is None and self._is_ours and self._is_running():
            if time.monotonic() > deadline:
                break
            time.sleep(0.02)
        if window is None:
            raise ProgramGone(f"{self.program.name} went away{self._last_words()}: start again")
        return window

    @property
    def pids(self) -> set[int]:
        """The processes that were started with it; none where a person started it."""
        return self._process.pids if self._process is not None else set()

    @property
    def _is_ours(self) -> bool:
        """Whether Sapper started it."""
        return self._process is not None

    def is_alive(self) -> bool:
        """Whether the process runs and its window is shown."""
        return self._shown() is not None

    def new_game(self, board: Box, after: State = "playing") -> None:
        """Get a fresh board, in the way that the program file names for this state.

        `board` is the place of the board on the screen, pixels; it may be elsewhere afterwards.
        """
        self.dismiss_popups()
        self.focus()
        for step in self.program.new_game[after]:
            self._do(step, board)

    def restart(self) -> None:
        """End the program and start it again: the way to a fresh board that always works.

        Raises Usage for a program that Sapper did not start.
        """
        if not self._is_ours:
            raise Usage(f"only a {self.program.name} that Sapper started can be restarted: use --program")
        self.close()
        self._start()

    def dismiss_popups(self, seconds: float = 0.0) -> int:
        """Put away the popups that the program file knows, for at least so long; how many there were.

        Raises Unplayable when one does not go away.
        """
        deadline = time.monotonic() + seconds
        known: dict[int, int] = {}
        while True:
            popup = self._own.popup(self._id)
            if popup is not None:
                window, steps = popup
                known[window.id] = known.get(window.id, 0) + 1
                if known[window.id] > 3 or len(known) > MOST_POPUPS:
                    raise Unplayable(
                        f"the window '{window.title}' does not go away: close it, then start again"
                    )
                self._windows.focus(window.id)
                for step in steps:
                    self._do(step, window.box)
                self._own.wait_until_gone(window.id)
            elif time.monotonic() >= deadline:
                return len(known)
            else:
                time.sleep(0.02)

    def focus(self) -> None:
        """Let the program have the keyboard."""
        self._windows.focus(self.window.id)

    def close(self) -> None:
        """End the program; a second time does nothing."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def _start(self) -> None:
        self._own = OwnWindows(self.program, self._windows, lambda: self.pids)
        words = words_of(self.program, self._level, self.size, self._windows.size)
        self._process = ProgramProcess(self.program, self._level, words, self._toolkits)
        self._id = self._wait_for_window().id
        steps = self._level.after_start
        for step in self.program.after_start if steps is None else steps:
            self.focus()
            self._do(step, self.window.box)
        self._wait_until_still()

    def _wait_for_window(self) -> Window:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if not self._is_running():
                raise ProgramGone(
                    f"{self.program.name} ended at once{self._last_words()}: start it by hand to see why"
                )
            window = self._own.titled()
            if window is not None:
                return window
            time.sleep(0.02)
        raise ProgramGone(
            f"{self.program.name} showed no window titled '{self.program.window}' within {PATIENCE:.0f} s: "
            "start it by hand to see what it shows"
        )

    def _shown(self) -> Window | None:
        """The program's window, or the one that a program which still runs has put in its place."""
        window = self._windows.get(self._id) if self._is_running() else None
        if (window is None or not window.is_shown) and self._is_ours and self._is_running():
            window = self._own.titled()
            self._id = window.id if window is not None else self._id
        return window if window is not None and window.is_shown else None

    def _wait_until_still(self) -> None:
        """Until the window has kept its place and size for a while."""
        deadline = time.monotonic() + PATIENCE
        since, last = time.monotonic(), self.window.box
        while time.monotonic() - since < STILL and time.monotonic() < deadline:
            time.sleep(0.03)
            box = self.window.box
            if box != last:
                since, last = time.monotonic(), box

    def _do(self, step: Step, board: Box) -> None:
        match step.do:
            case "key":
                self._hands.press(step.key)
            case "click":
                self._hands.click(*spot(step, board, self.window.box))
            case "wait":
                time.sleep(step.seconds)
            case "popups":
                self.dismiss_popups(step.seconds)
            case "restart":
                self.restart()

    def _is_running(self) -> bool:
        """Whether the process runs; of a program that ran before, its window alone shows it."""
        return self._process is None or self._process.is_running

    def _last_words(self) -> str:
        return self._process.last_words if self._process is not None else ""


def spot(step: Step, board: Box, window: Box) -> tuple[float, float]:
    """Where a click step means, given where the board and the window are."""
    left, top, width, height = board
    areas: dict[str, Box] = {
        "board": board,
        "window": window,
        "above": (left, window[1], width, top - window[1]),
        "below": (left, top + height, width, window[1] + window[3] - top - height),
        "left": (window[0], top, left - window[0], height),
        "right": (left + width, top, window[0] + window[2] - left - width, height),
    }
    area = areas[step.area]
    return area[0] + step.x * area[2], area[1] + step.y * area[3]
