"""The windows of a known program: its board, and the popups that it opens beside it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from bot.desktop import ScreenWindows, Window
from bot.programs.description import Program, Step


class OwnWindows:
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

    def popup(self, board: int) -> tuple[Window, tuple[Step, ...]] | None:
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
