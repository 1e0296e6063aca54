"""Start, control and stop a known program.

`RunningProgram` runs it with its own home folder and environment, finds its windows, starts new games and
closes popups.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from bot.desktop.backends import Desktop
from bot.desktop.input import Input
from bot.desktop.ports import X_TOOLKITS, Box, Toolkits, Window, Windows, window_ids
from bot.programs.program import BoardSize, Program, ProgramLevel, State, UiStep, find_executable
from bot.shutdown import Closeable
from games.errors import BoardUnplayable, MissingRequirement, ProgramExited, UsageError
from strategies.isolation.supervisor import SupervisedProcess


def placeholders(
    program: Program, level: ProgramLevel, size: BoardSize, screen: tuple[int, int]
) -> dict[str, str]:
    """Values of the placeholders, with the words of the program file; `screen` is in points."""
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
    """The command line that starts a program. Raises MissingRequirement if it is not installed."""
    command = [substitute(word, words) for word in level.command or program.command]
    path = find_executable(command[0])
    if path is None:
        how = f"apt-get install {program.package}" if program.package else "install it"
        raise MissingRequirement(f"{program.name} ({command[0]}) is not installed: {how}")
    bus = []
    if program.session_bus:
        if shutil.which("dbus-run-session") is None:
            raise MissingRequirement(f"{program.name} requires dbus-run-session: apt-get install dbus-daemon")
        bus = ["dbus-run-session", "--"]
    return [*bus, path, *command[1:]]


def substitute(text: str, words: Mapping[str, str]) -> str:
    """Replace each known `{word}`; other braces are kept."""
    return re.sub(r"\{(\w+)\}", lambda match: words.get(match[1], match[0]), text)


def private_environment(
    outer: Mapping[str, str], home: Path, toolkits: Toolkits = X_TOOLKITS
) -> dict[str, str]:
    """Environment for a program: this session's display, but a separate home, bus and language.

    `toolkits` contains the variables that select the desktop for its windows.
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
        "NO_AT_BRIDGE": "1",  # GTK: no accessibility bus
    }
    for name, text in toolkits.items():
        if text is None:
            environment.pop(name, None)
        else:
            environment[name] = text
    return environment


TAIL = 10_000  # bytes of its output that are searched for the last line
PATIENCE = 20.0  # seconds; for a program to show its window
REPLACE_TIMEOUT = 3.0  # seconds; for a program to replace its window
STILL = 0.25  # seconds; position and size must be unchanged this long before the window counts as ready
MAX_POPUPS = 8  # popups closed in one call


class RunningProgram(Closeable):
    """A running program; a context manager that ends it and all its child processes.

    The private home folder protects the user's settings and scores; the C locale determines the window title.
    All methods raise ProgramExited if the process or its window is gone; starting raises MissingRequirement
    if the program is not installed, and UsageError if it does not offer the board size.
    """

    def __init__(
        self,
        program: Program,
        size: BoardSize,
        windows: Windows,
        controls: Input,
        toolkits: Toolkits = X_TOOLKITS,
        window: int = 0,  # of a program that Sapper did not start
    ) -> None:
        self.program = program
        self.size = size
        self._windows = windows
        self._controls = controls
        self._toolkits = toolkits
        self._level = program.level(size)
        self._process: SupervisedProcess | None = None
        self._open = ExitStack()  # ends the process and removes its home folder
        self._output = Path(os.devnull)
        self._before = window_ids(self._windows)  # windows that belong to other programs
        self._id = window

    @classmethod
    def start(cls, desktop: Desktop, program: Program, size: BoardSize | None = None) -> Self:
        """Start a known program on a desktop, by default with its default size.

        Waits until its window is visible and no longer moves. Raises MissingRequirement if the desktop does
        not report its windows.
        """
        if desktop.windows.size is None:
            raise MissingRequirement(
                "--program requires an X11 or sway desktop: use --virtual, or start the program yourself "
                "and leave out --program"
            )
        running = cls(
            program, size or program.default, desktop.windows, desktop.controls, desktop.backend.toolkits
        )
        try:
            running._start()
        except BaseException:
            running.close()
            raise
        return running

    @classmethod
    def attach(cls, program: Program, windows: Windows, controls: Input, window: int) -> Self:
        """Attach to a running program in this window. It is never ended and cannot be restarted.

        `size` is the program's default size, regardless of the window's board.
        """
        return cls(program, program.default, windows, controls, window=window)

    @property
    def window(self) -> Window:
        """The current state of the program's window, screen pixels. Raises ProgramExited."""
        deadline = time.monotonic() + REPLACE_TIMEOUT
        while (window := self._shown()) is None and self._is_ours and self._is_running():
            if time.monotonic() > deadline:
                break
            time.sleep(0.02)
        if window is None:
            raise ProgramExited(f"{self.program.name} went away{self._last_output()}: start again")
        return window

    @property
    def pids(self) -> set[int]:
        """Its process ids; none for a program that Sapper did not start."""
        return self._process.pids() if self._process is not None else set()

    @property
    def _is_ours(self) -> bool:
        return self._process is not None

    def new_game(self, board: Box, after: State = "playing") -> None:
        """Start a new game with the steps for the state `after`.

        `board` is the screen area of the board, pixels; it may move. A restart needs no window: some programs
        end themselves after each game.
        """
        steps = self.program.new_game[after]
        needs_window = not steps or steps[0].do != "restart"
        if needs_window:
            self.dismiss_popups()
        self._controls.wait_for_release()
        if needs_window:
            self.focus()
        for step in steps:
            self._do(step, board)

    def restart(self) -> None:
        """End the program and start it again, which always gives a new game.

        Raises UsageError for a program that Sapper did not start.
        """
        if not self._is_ours:
            raise UsageError(f"cannot restart a {self.program.name} that Sapper did not start: use --program")
        self.close()
        self._start()

    def dismiss_popups(self, seconds: float = 0.0) -> int:
        """Close known popups for at least this time; return their number.

        Raises BoardUnplayable if a popup does not close.
        """
        deadline = time.monotonic() + seconds
        attempts: dict[int, int] = {}
        while True:
            popup = self._popup()
            if popup is not None:
                window, steps = popup
                attempts[window.id] = attempts.get(window.id, 0) + 1
                if attempts[window.id] > 3 or len(attempts) > MAX_POPUPS:
                    raise BoardUnplayable(
                        f"the window '{window.title}' does not close: close it and start again"
                    )
                self._windows.focus(window.id)
                for step in steps:
                    self._do(step, window.box)
                self._wait_until_gone(window.id)
            elif time.monotonic() >= deadline:
                return len(attempts)
            else:
                time.sleep(0.02)

    def focus(self) -> None:
        """Give the program's window the keyboard focus."""
        self._windows.focus(self.window.id)

    def close(self) -> None:
        """End the program; idempotent."""
        self._open.close()
        self._process = None

    def _start(self) -> None:
        self._before = window_ids(self._windows)
        screen = self._windows.size
        assert screen is not None  # `start` has checked it
        self._run(placeholders(self.program, self._level, self.size, screen))
        self._id = self._wait_for_window().id
        steps = self._level.after_start
        for step in self.program.after_start if steps is None else steps:
            self.focus()
            self._do(step, self.window.box)
        self._wait_until_still()

    def _run(self, words: Mapping[str, str]) -> None:
        """Start the process in a private home folder. Raises MissingRequirement."""
        command = start_command(self.program, self._level, words)
        with ExitStack() as stack:
            folder = tempfile.TemporaryDirectory(prefix="sapper-home-", ignore_cleanup_errors=True)
            home = Path(stack.enter_context(folder))
            for path, content in self.program.files.items():
                file = home / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(substitute(content, words), encoding="utf-8")
            environment = private_environment(os.environ, home, self._toolkits)
            added = self.program.environment.items()
            environment.update({key: substitute(text, words) for key, text in added})
            self._output = home / "output"
            self._process = SupervisedProcess(command, environment, self._output)
            stack.callback(self._process.close)
            self._open = stack.pop_all()

    def _own_windows(self) -> list[Window]:
        """The visible windows opened since the start, except those of other processes, lowest first."""
        pids = self.pids
        return [
            window
            for window in self._windows.all() or ()
            if window.id not in self._before
            and window.is_shown
            and (window.pid is None or not pids or window.pid in pids)
        ]

    def _titled(self) -> Window | None:
        """The first window with the title in the program file."""
        pattern = re.compile(self.program.window, re.IGNORECASE)
        return next((window for window in self._own_windows() if pattern.search(window.title)), None)

    def _popup(self) -> tuple[Window, tuple[UiStep, ...]] | None:
        """The topmost known popup and the steps that close it."""
        if not self.program.popups:
            return None
        for window in reversed(self._own_windows()):
            for popup in self.program.popups if window.id != self._id else ():
                if re.search(popup.title, window.title, re.IGNORECASE):
                    return window, popup.steps
        return None

    def _wait_until_gone(self, id: int) -> None:
        """Wait up to one second until a window is gone or hidden."""
        deadline = time.monotonic() + 1.0
        while time.monotonic() < deadline:
            window = self._windows.get(id)
            if window is None or not window.is_shown:
                return
            time.sleep(0.02)

    def _wait_for_window(self) -> Window:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if not self._is_running():
                raise ProgramExited(
                    f"{self.program.name} exited at once{self._last_output()}: start it yourself to see why"
                )
            window = self._titled()
            if window is not None:
                return window
            time.sleep(0.02)
        raise ProgramExited(
            f"{self.program.name} showed no window titled '{self.program.window}' within {PATIENCE:.0f} s: "
            "start it yourself to see its window"
        )

    def _shown(self) -> Window | None:
        """The program's window, or the window that has replaced it."""
        window = self._windows.get(self._id) if self._is_running() else None
        if (window is None or not window.is_shown) and self._is_ours and self._is_running():
            window = self._titled()
            self._id = window.id if window is not None else self._id
        return window if window is not None and window.is_shown else None

    def _wait_until_still(self) -> None:
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
                self._controls.press(step.key)
            case "click":
                self._controls.click(*step_position(step, board, self.window.box))
            case "wait":
                time.sleep(step.seconds)
            case "popups":
                self.dismiss_popups(step.seconds)
            case "restart":
                self.restart()

    def _is_running(self) -> bool:
        """Whether the process is running; true for attached programs."""
        return self._process is None or self._process.poll() is None

    def _last_output(self) -> str:
        """The last line of its output, for an error message."""
        try:
            with self._output.open("rb") as file:
                file.seek(max(0, self._output.stat().st_size - TAIL))
                lines = file.read(TAIL).decode(errors="replace").split("\n")
        except OSError:
            return ""
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f" (last output: {last[:120]})" if last else ""


def step_position(step: UiStep, board: Box, window: Box) -> tuple[float, float]:
    """The screen position of a click step, for these board and window areas."""
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
