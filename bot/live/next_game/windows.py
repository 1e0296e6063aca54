"""The windows of a program whose games follow each other: that of the board, its dialogs and menus."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.desktop import Box, Window, window_at
from bot.desktop.x11 import belongs, is_popup
from bot.live.finding import Seen, Surroundings, inside
from bot.loop import Clock
from games.errors import ProgramGone
from vision.frame import Frame

SMALLEST = 40  # points; a window that is less wide and high is a hint or an icon
MAKES = 3.0  # seconds in which a program that has closed the window of a game has mostly made another
LOOK = 0.5  # seconds between two looks whether it has


@dataclass
class GameWindows:
    """The window `id` of a board that has `room` (width, height; points), and the others of its program.

    `before` are the windows of the screen that were there when the first game began.
    """

    around: Surroundings
    id: int
    room: tuple[int, int]
    before: frozenset[int]
    clock: Clock
    _pids: set[int] = field(default_factory=set)  # of the program, as its windows say
    _began_in: int = field(init=False)  # the window in which the last game began

    def __post_init__(self) -> None:
        self._began_in = self.id

    def own(self) -> Window:
        """The window of the board, or what the program has made in its place. Raises ProgramGone."""
        window = self.around.windows.get(self.id)
        if window is None or not window.is_shown:
            window = self._successor()
        if window is None:
            raise ProgramGone("the window of the game went away: open it and start again")
        if window.pid is not None:
            self._pids.add(window.pid)
        return window

    def all(self) -> list[Window]:
        """All that the program shows, lowest first."""
        return [
            window
            for window in self.around.windows.all() or ()
            if window.is_shown
            and (
                window.id == self.id
                or belongs(self.around.windows, window.id, self.id)
                or window.pid in self._pids
            )
        ]

    def dialogs(self) -> list[Window]:
        """Those that came since the first game began, and are no menus, lowest first."""
        return [
            window
            for window in self.all()
            if window.id not in self.before
            and window.id != self.id
            and min(window.box[2:]) >= SMALLEST
            and not is_popup(self.around.windows, window.id)
        ]

    def popups(self, known: frozenset[int]) -> list[Window]:
        """Menus, lists and hints that came up since these were `known`, uppermost first."""
        return [
            window
            for window in reversed(self.all())
            if window.id not in known and is_popup(self.around.windows, window.id)
        ]

    def begins(self, seen: Seen) -> bool:
        """The next game begins on this board; whether it lies in another window, which is the board's now."""
        left, top, width, height = seen.box
        window = window_at(self.around.windows, left + width / 2, top + height / 2)
        if window is None or window.id == self._began_in:
            return False
        self.id = self._began_in = window.id
        self.before = shown_on(self.around)
        return True

    def picture(self, box: Box) -> Frame:
        """What is to be seen in a part of the screen. Raises NoBoard where it lies beyond the edges."""
        return self.around.grabber.grab(inside(box, self.around.hands.screen))

    def _successor(self) -> Window | None:
        """The window that the program made in place of the one that is gone; None where it makes none.

        Some make a window for each game. It has room for the board; a smaller one is a dialog.
        """
        width, height = self.room
        deadline = self.clock.now() + MAKES
        while True:
            for window in reversed(self.dialogs()):
                if window.box[2] >= width and window.box[3] >= height:
                    self.id = window.id
                    return window
            if self.clock.now() > deadline:
                return None
            self.clock.sleep(LOOK)


def shown_on(around: Surroundings) -> frozenset[int]:
    """The windows that are there now."""
    return frozenset(each.id for each in around.windows.all() or ())
