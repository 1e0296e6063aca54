"""A known program, started, watched, given new games, and ended."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from bot.desktop.hands import Hands
from bot.desktop.ports import X_TOOLKITS, ScreenWindows, Toolkits
from bot.desktop.processes import Kept
from bot.desktop.windows import Box, Window, windows_over
from bot.programs.description import Layout, Level, Program, State, Step
from games.errors import MachineLacks, ProgramGone, Unplayable, Usage

PATIENCE = 20.0  # seconds that a program gets to show its window
BETWEEN = 3.0  # seconds that a program gets to put one window in the place of another
STILL = 0.25  # seconds that the window's place and size must not change before it counts as started
MOST_POPUPS = 8  # one after another
GAMES_FOLDERS = ("/usr/games", "/usr/local/games")  # where Debian keeps games; not in every PATH


class RunningProgram:
    """One running program; a context manager that ends it, and all that it started, by process id.

    It runs with a private home folder, so that nobody's settings or scores are touched, in the C language, so
    that its window has the title that the program file names. Everything raises ProgramGone when the process
    or its window went away; starting raises MachineLacks when the program is not installed, and Usage when
    it has no such board.
    """

    def __init__(
        self,
        program: Program,
        layout: Layout,
        windows: ScreenWindows,
        hands: Hands,
        toolkits: Toolkits = X_TOOLKITS,
    ) -> None:
        self.program = program
        self.layout = layout
        self._windows = windows
        self._hands = hands
        self._toolkits = toolkits
        self._level: Level = program.level(layout)
        self._kept: Kept | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._before: frozenset[int] = frozenset()
        self._id = 0

    @classmethod
    def start(
        cls,
        program: Program,
        layout: Layout,
        windows: ScreenWindows,
        hands: Hands,
        toolkits: Toolkits = X_TOOLKITS,
    ) -> Self:
        """Start a program and wait until its window is there and has come to rest.

        `toolkits` are the variables that make it open its windows on this desktop (None: unset), those of an
        X screen by default.
        """
        running = cls(program, layout, windows, hands, toolkits)
        try:
            running._start()
        except BaseException:
            running.close()
            raise
        return running

    @classmethod
    def attach(cls, program: Program, windows: ScreenWindows, hands: Hands, window: int) -> Self:
        """A program that runs already, in this window. It is never ended, and cannot be restarted.

        Its `layout` is the program's default one, whatever the window shows.
        """
        running = cls(program, program.default, windows, hands)
        running._before = frozenset(each.id for each in windows.all() or [])
        running._id = window
        return running

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def window(self) -> Window:
        """The program's window as it is now, screen pixels. Raises ProgramGone."""
        deadline = time.monotonic() + BETWEEN
        while (window := self._shown()) is None and self._kept is not None and self._is_running():
            if time.monotonic() > deadline:
                break
            time.sleep(0.02)
        if window is None:
            raise ProgramGone(f"{self.program.name} went away{self._last_words()}: start again")
        return window

    @property
    def pids(self) -> set[int]:
        """The processes that were started with it; none where a person started it."""
        return self._kept.pids() if self._kept is not None else set()

    def is_alive(self) -> bool:
        """Whether the process runs and its window is shown."""
        return self._shown() is not None

    def other_windows_over(self, box: Box) -> list[Window]:
        """What covers a part of a box (screen pixels), uppermost first; its own popups too."""
        return windows_over(self._windows, self.window.id, box)

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
        if self._kept is None:
            raise Usage(f"only a {self.program.name} that Sapper started can be restarted: use --program")
        self._end()
        self._start()

    def dismiss_popups(self, seconds: float = 0.0) -> int:
        """Put away the popups that the program file knows, for at least so long; how many there were.

        Raises Unplayable when one does not go away.
        """
        deadline = time.monotonic() + seconds
        known: dict[int, int] = {}
        while True:
            popup = self._popup()
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
                self._wait_until_gone(window.id)
            elif time.monotonic() >= deadline:
                return len(known)
            else:
                time.sleep(0.02)

    def focus(self) -> None:
        """Let the program have the keyboard."""
        self._windows.focus(self.window.id)

    def close(self) -> None:
        """End the program; a second time does nothing."""
        self._end()

    def _start(self) -> None:
        everything = self._windows.all() or []
        self._before = frozenset(window.id for window in everything)
        self._folder = tempfile.TemporaryDirectory(prefix="sapper-home-", ignore_cleanup_errors=True)
        home = Path(self._folder.name)
        words = self._words()
        for path, content in self.program.files.items():
            file = home / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(fill(content, words), encoding="utf-8")
        environment = private_environment(os.environ, home, self._toolkits)
        environment.update({key: fill(text, words) for key, text in self.program.environment.items()})
        self._kept = Kept(self._command(words), environment, home / "output")
        self._id = self._wait_for_window().id
        for step in (
            self._level.after_start if self._level.after_start is not None else self.program.after_start
        ):
            self.focus()
            self._do(step, self.window.box)
        self._wait_until_still()

    def _command(self, words: Mapping[str, str]) -> list[str]:
        command = [fill(word, words) for word in self._level.command or self.program.command]
        path = find_program(command[0])
        if path is None:
            package = self.program.package
            how = f"apt-get install {package}" if package else "install it"
            raise MachineLacks(f"{self.program.name} ({command[0]}) is not installed: {how}")
        bus = []
        if self.program.session_bus:
            if shutil.which("dbus-run-session") is None:
                raise MachineLacks(f"{self.program.name} wants dbus-run-session: apt-get install dbus-daemon")
            bus = ["dbus-run-session", "--"]
        return [*bus, path, *command[1:]]

    def _words(self) -> dict[str, str]:
        width, height = self._windows.size
        return {
            "columns": str(self.layout.columns),
            "rows": str(self.layout.rows),
            "mines": str(self.layout.mines),
            "window_width": str(width * 9 // 10),
            "window_height": str(height * 8 // 10),
            **self.program.words,
            **self._level.words,
        }

    def _wait_for_window(self) -> Window:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if not self._is_running():
                raise ProgramGone(
                    f"{self.program.name} ended at once{self._last_words()}: start it by hand to see why"
                )
            window = self._titled_window()
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
        if (window is None or not window.is_shown) and self._kept is not None and self._is_running():
            window = self._titled_window()
            self._id = window.id if window is not None else self._id
        return window if window is not None and window.is_shown else None

    def _titled_window(self) -> Window | None:
        """The first of its windows that has the title that the program file names."""
        pattern = re.compile(self.program.window, re.IGNORECASE)
        return next((window for window in self._own_windows() if pattern.search(window.title)), None)

    def _own_windows(self) -> list[Window]:
        """The shown windows that came after the start and are no other process's, as far as known."""
        pids = self.pids
        return [
            window
            for window in self._windows.all() or ()
            if window.id not in self._before
            and window.is_shown
            and (window.pid is None or not pids or window.pid in pids)
        ]

    def _wait_until_still(self) -> None:
        """Until the window has kept its place and size for a while."""
        deadline = time.monotonic() + PATIENCE
        since, last = time.monotonic(), self.window.box
        while time.monotonic() - since < STILL and time.monotonic() < deadline:
            time.sleep(0.03)
            box = self.window.box
            if box != last:
                since, last = time.monotonic(), box

    def _popup(self) -> tuple[Window, tuple[Step, ...]] | None:
        if not self.program.popups:
            return None
        for window in reversed(self._own_windows()):
            if window.id == self._id:
                continue
            for popup in self.program.popups:
                if re.search(popup.title, window.title, re.IGNORECASE):
                    return window, popup.steps
        return None

    def _wait_until_gone(self, id: int, seconds: float = 1.0) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            window = self._windows.get(id)
            if window is None or not window.is_shown:
                return
            time.sleep(0.02)

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
        return self._kept is None or self._kept.poll() is None

    def _last_words(self) -> str:
        """The last line that the program printed, for the error message."""
        if self._folder is None:
            return ""
        try:
            lines = Path(self._folder.name, "output").read_text(errors="replace").split("\n")
        except OSError:
            return ""
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f" (it said: {last[:120]})" if last else ""

    def _end(self) -> None:
        if self._kept is not None:
            self._kept.close()
            self._kept = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def find_program(command: str) -> str | None:
    """Where a command is, in PATH or where distributions keep games; None when it is not installed."""
    folders = os.pathsep.join([os.environ.get("PATH", os.defpath), *GAMES_FOLDERS])
    return shutil.which(command, path=folders)


def fill(text: str, words: Mapping[str, str]) -> str:
    """The text with every `{word}` that is known replaced; other braces stay."""
    return re.sub(r"\{(\w+)\}", lambda match: words.get(match[1], match[0]), text)


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
