"""Watches the window that a board is in: stop when it moves, is covered or goes away."""

from __future__ import annotations

from bot.desktop.windows import Box, Window, Windows, window_at, windows_over
from bot.programs.running import RunningProgram
from games.errors import ProgramGone, Unplayable


class WindowGuard:
    """Guards one board. `board` is its box on the screen, in the pixels that windows are counted in.

    `running` is the program when Sapper started it; it knows which popups may be put away. Where the desktop
    does not say which windows it has, this guards nothing, and only the picture of the board itself tells.
    """

    def __init__(self, windows: Windows, board: Box, running: RunningProgram | None = None) -> None:
        self._windows = windows
        self._board = board
        self._running = running
        left, top, width, height = board
        self._window = running.window if running else window_at(windows, left + width / 2, top + height / 2)
        self._size = windows.extent(self._window.id) if self._window else None

    @property
    def window(self) -> Box | None:
        """The outer box of the board's window, None when it is not known."""
        return self._window.outer if self._window else None

    @property
    def board_window(self) -> Window | None:
        """The board's window as it was when its board was found, None when it is not known."""
        return self._window

    @property
    def title(self) -> str:
        """The title of the board's window, "" when it is not known."""
        return self._window.title if self._window else ""

    def focus(self) -> None:
        """Give the window the keyboard: some programs pause, and hide the board, without it."""
        if self._window:
            self._windows.focus(self._window.id)

    @property
    def has_resized(self) -> bool:
        """Whether the window has another size than when its board was found: cells lie elsewhere now."""
        size = self._windows.extent(self._window.id) if self._window else None
        return size is not None and size != self._size

    def follow(self, board: Box) -> None:
        """From now on guard the board here, in the window as it is now."""
        now = self._now() if self._window else None
        self._board, self._window = board, now or self._window
        self._size = self._windows.extent(self._window.id) if self._window else None

    def _now(self) -> Window | None:
        """The window as it is now, None when it is gone. Raises ProgramGone."""
        assert self._window is not None
        return self._running.window if self._running else self._windows.get(self._window.id)

    def check(self) -> None:
        """Raise ProgramGone when the window is gone, Unplayable when it moved or the board is covered."""
        if self._window is None:
            return
        now = self._now()
        if now is None or not now.is_shown:
            raise ProgramGone(f"the window '{self._window.title}' went away: open it and start again")
        if now.box != self._window.box:
            raise Unplayable(
                f"the window '{now.title}' moved from {_place(self._window.box)} to {_place(now.box)}: "
                "leave it where it is and start again"
            )
        over = windows_over(self._windows, now.id, self._board)
        if over:
            raise Unplayable(f"the board is covered by '{over[0].title or 'a window'}': take that away")

    def clear(self) -> bool:
        """Put away the popups that the program is known to open; whether there were any."""
        return bool(self._running and self._running.dismiss_popups())


def _place(box: Box) -> str:
    return f"{box[2]}x{box[3]} at ({box[0]}, {box[1]})"
