"""The process of a known program: its command, a home and an environment of its own, what it said last.

The windows of a known program: its board, and the popups that it opens beside it.

A known program, started, watched, given new games, and ended.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from bot.desktop.backends import Desktop
from bot.desktop.input import Input
from bot.desktop.ports import X_TOOLKITS, Box, ScreenWindows, Toolkits, Window
from bot.programs.program import BoardSize, Program, ProgramLevel, State, UiStep, find_executable
from bot.shutdown import Closeable
from games.errors import BoardUnplayable, MissingRequirement, ProgramExited, UsageError
from strategies.isolation.supervisor import SupervisedProcess


class ProgramProcess:
    """A program that was started, in a private home folder; `close` ends it with all that it started.

    `words` stand for `{word}` in its command, its files and its environment. Raises MissingRequirement when it is
    not installed.
    """

    def __init__(
        self, program: Program, level: ProgramLevel, words: Mapping[str, str], toolkits: Toolkits = X_TOOLKITS
    ) -> None:
        command = start_command(program, level, words)
        with ExitStack() as stack:
            home = Path(
                stack.enter_context(
                    tempfile.TemporaryDirectory(prefix="sapper-home-", ignore_cleanup_errors=True)
                )
            )
            for path, content in program.files.items():
                file = home / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(substitute(content, words), encoding="utf-8")
            environment = private_environment(os.environ, home, toolkits)
            environment.update({key: substitute(text, words) for key, text in program.environment.items()})
            self._output = home / "output"
            self._kept = SupervisedProcess(command, environment, self._output)
            stack.callback(self._kept.close)
            self._open = stack.pop_all()

    @property
    def pids(self) -> set[int]:
        """The processes that belong to it now."""
        return self._kept.pids()

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._kept.poll() is None

    @property
    def last_words(self) -> str:
        """The last line that it printed, for an error message."""
        try:
            lines = self._output.read_text(errors="replace").split("\n")
        except OSError:
            return ""
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f" (it said: {last[:120]})" if last else ""

    def close(self) -> None:
        """End it; a second time does nothing."""
        self._open.close()


def placeholders(
    program: Program, level: ProgramLevel, size: BoardSize, screen: tuple[int, int]
) -> dict[str, str]:
    """What stands for `{columns}` and its like, with the words of the program file; `screen` in points."""
    width, height = screen
    return {
        "columns": str(size.columns),
        "rows": str(size.rows),
        "mines": str(size.mines),
        "window_width": str(width * 9 // 10),
        "window_height": str(height * 8 // 10),
        **program.words,
        **level.words,
    }


def start_command(program: Program, level: ProgramLevel, words: Mapping[str, str]) -> list[str]:
    """The command that starts a program. Raises MissingRequirement when it is not installed."""
    command = [substitute(word, words) for word in level.command or program.command]
    path = find_executable(command[0])
    if path is None:
        how = f"apt-get install {program.package}" if program.package else "install it"
        raise MissingRequirement(f"{program.name} ({command[0]}) is not installed: {how}")
    bus = []
    if program.session_bus:
        if shutil.which("dbus-run-session") is None:
            raise MissingRequirement(f"{program.name} wants dbus-run-session: apt-get install dbus-daemon")
        bus = ["dbus-run-session", "--"]
    return [*bus, path, *command[1:]]


def substitute(text: str, words: Mapping[str, str]) -> str:
    """The text with every `{word}` that is known replaced; other braces stay."""
    return re.sub(r"\{(\w+)\}", lambda match: words.get(match[1], match[0]), text)


def private_environment(
    outer: Mapping[str, str], home: Path, toolkits: Toolkits = X_TOOLKITS
) -> dict[str, str]:
    """The variables for a program: this session's display, but a home, a bus and a language of its own.

    `toolkits` are those that say on which desktop its windows open (None: unset).
    """
    environment = {key: text for key, text in outer.items() if not key.startswith(("QT_", "PYTHON", "LC_"))}
    cookies = outer.get("XAUTHORITY") or str(Path(outer.get("HOME", "/"), ".Xauthority"))
    folders = {
        "XDG_CONFIG_HOME": ".config",
        "XDG_DATA_HOME": ".local/share",
        "XDG_CACHE_HOME": ".cache",
        "XDG_STATE_HOME": ".local/state",
        "XDG_RUNTIME_DIR": ".run",
    }
    for name, folder in folders.items():
        path = home / folder
        path.mkdir(parents=True, mode=0o700, exist_ok=True)
        environment[name] = str(path)
    environment |= {
        "HOME": str(home),
        "XAUTHORITY": cookies,
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "LANGUAGE": "",
        "DBUS_SESSION_BUS_ADDRESS": "disabled:",
        "NO_AT_BRIDGE": "1",  # GTK: start no accessibility bus
    }
    for name, text in toolkits.items():
        if text is None:
            environment.pop(name, None)
        else:
            environment[name] = text
    return environment


class ProgramWindowTracker:
    """Those that came after this was made and are no other process's, as far as known (`pids`)."""

    def __init__(self, program: Program, windows: ScreenWindows, pids: Callable[[], set[int]]) -> None:
        self._program = program
        self._windows = windows
        self._pids = pids
        self._before = frozenset(window.id for window in windows.all() or [])

    def shown(self) -> list[Window]:
        """All that are shown, lowest first."""
        pids = self._pids()
        return [
            window
            for window in self._windows.all() or ()
            if window.id not in self._before
            and window.is_shown
            and (window.pid is None or not pids or window.pid in pids)
        ]

    def titled(self) -> Window | None:
        """The first that has the title that the program file names."""
        pattern = re.compile(self._program.window, re.IGNORECASE)
        return next((window for window in self.shown() if pattern.search(window.title)), None)

    def popup(self, board: int) -> tuple[Window, tuple[UiStep, ...]] | None:
        """The uppermost popup that the program file knows, and how to put it away; `board` is none."""
        if not self._program.popups:
            return None
        for window in reversed(self.shown()):
            if window.id == board:
                continue
            for popup in self._program.popups:
                if re.search(popup.title, window.title, re.IGNORECASE):
                    return window, popup.steps
        return None

    def wait_until_gone(self, id: int) -> None:
        """Until a window is gone or hidden, but no longer than a second."""
        deadline = time.monotonic() + 1.0
        while time.monotonic() < deadline:
            window = self._windows.get(id)
            if window is None or not window.is_shown:
                return
            time.sleep(0.02)


PATIENCE = 20.0  # seconds that a program gets to show its window
BETWEEN = 3.0  # seconds that a program gets to put one window in the place of another
STILL = 0.25  # seconds that the window's place and size must not change before it counts as started
MOST_POPUPS = 8  # one after another


class RunningProgram(Closeable):
    """One running program; a context manager that ends it, and all that it started, by process id.

    It runs with a private home folder, so that nobody's settings or scores are touched, in the C language, so
    that its window has the title that the program file names. Everything raises ProgramExited when the process
    or its window went away; starting raises MissingRequirement when the program is not installed, and UsageError when
    it has no such board.
    """

    def __init__(
        self,
        program: Program,
        size: BoardSize,
        windows: ScreenWindows,
        hands: Input,
        toolkits: Toolkits = X_TOOLKITS,
    ) -> None:
        self.program = program
        self.size = size
        self._windows = windows
        self._hands = hands
        self._toolkits = toolkits
        self._level = program.level(size)
        self._process: ProgramProcess | None = None
        self._own = ProgramWindowTracker(program, windows, lambda: self.pids)
        self._id = 0

    @classmethod
    def start(cls, desktop: Desktop, program: Program, size: BoardSize | None = None) -> Self:
        """Start a known program on a desktop, with its default size where none is named.

        Waits until its window is there and has come to rest. Raises MissingRequirement where the desktop does not
        say which windows it has.
        """
        if not isinstance(desktop.windows, ScreenWindows):
            raise MissingRequirement(
                "programs can be started on an X11 or a sway desktop only: use --virtual, or start it by "
                "hand and leave out --program"
            )
        running = cls(program, size or program.default, desktop.windows, desktop.hands, desktop.toolkits)
        try:
            running._start()
        except BaseException:
            running.close()
            raise
        return running

    @classmethod
    def attach(cls, program: Program, windows: ScreenWindows, hands: Input, window: int) -> Self:
        """A program that runs already, in this window. It is never ended, and cannot be restarted.

        Its `size` is the program's default one, whatever the window shows.
        """
        running = cls(program, program.default, windows, hands)
        running._id = window
        return running

    @property
    def window(self) -> Window:
        """The program's window as it is now, screen pixels. Raises ProgramExited."""
        deadline = time.monotonic() + BETWEEN
        while (window := self._shown()) is None and self._is_ours and self._is_running():
            if time.monotonic() > deadline:
                break
            time.sleep(0.02)
        if window is None:
            raise ProgramExited(f"{self.program.name} went away{self._last_words()}: start again")
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

        Raises UsageError for a program that Sapper did not start.
        """
        if not self._is_ours:
            raise UsageError(
                f"only a {self.program.name} that Sapper started can be restarted: use --program"
            )
        self.close()
        self._start()

    def dismiss_popups(self, seconds: float = 0.0) -> int:
        """Put away the popups that the program file knows, for at least so long; how many there were.

        Raises BoardUnplayable when one does not go away.
        """
        deadline = time.monotonic() + seconds
        known: dict[int, int] = {}
        while True:
            popup = self._own.popup(self._id)
            if popup is not None:
                window, steps = popup
                known[window.id] = known.get(window.id, 0) + 1
                if known[window.id] > 3 or len(known) > MOST_POPUPS:
                    raise BoardUnplayable(
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
        self._own = ProgramWindowTracker(self.program, self._windows, lambda: self.pids)
        words = placeholders(self.program, self._level, self.size, self._windows.size)
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
                raise ProgramExited(
                    f"{self.program.name} ended at once{self._last_words()}: start it by hand to see why"
                )
            window = self._own.titled()
            if window is not None:
                return window
            time.sleep(0.02)
        raise ProgramExited(
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

    def _do(self, step: UiStep, board: Box) -> None:
        match step.do:
            case "key":
                self._hands.press(step.key)
            case "click":
                self._hands.click(*step_position(step, board, self.window.box))
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


def step_position(step: UiStep, board: Box, window: Box) -> tuple[float, float]:
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
