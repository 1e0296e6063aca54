"""The window of a program between two games: keys, clicks beside its board, and the dialogs that it opens."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bot.desktop import Box, Window, command_of, window_at
from bot.desktop.x11 import belongs, dismiss
from bot.live.finding import Finder, Seen, Surroundings, inside
from bot.live.next_game.buttons import Rectangle, buttons_in, near_board
from bot.live.next_game.ways import Way
from bot.loop import Clock, SystemClock
from games.errors import ProgramGone
from vision.frame import Frame, Pixels

AFTER = 0.5  # seconds that a program gets to show what a key or a click did
SMALLEST = 40  # points; a window that is less wide and high is a hint or an icon
MAKES = 3.0  # seconds in which a program that has closed the window of a game has mostly made another
PARK = 0.35  # of a dialog's height: its buttons are below that
CELL = 24.0  # pixels; the size of a cell where a dialog is looked at, which has none


@dataclass
class WindowDesk:
    """A `Desk` for the window `id`, in which the board lay where `seen` says when the first game began.

    `before` are the windows that were there then.
    """

    around: Surroundings
    finder: Finder
    id: int
    seen: Seen
    before: frozenset[int]
    clock: Clock = field(default_factory=SystemClock)
    _program: str = ""
    _pids: set[int] = field(default_factory=set)  # of the program, as its windows say
    _began_in: int = field(init=False)  # the window in which the last game began

    def __post_init__(self) -> None:
        self._began_in = self.id

    @property
    def program(self) -> str:
        """What the program is remembered by: its command and its window's title without figures."""
        if not self._program:
            window = self._window()
            title = re.sub(r"[\W\d_]+", "-", window.title.lower()).strip("-")
            self._program = f"{command_of(window.pid) or 'program'}: {title[:60]}"
        return self._program

    def look(self) -> Seen:
        """The board. Raises what `Finder.find` raises, and ProgramGone."""
        self._window()
        found = self.finder.find()
        self._window()
        return found

    def press(self, key: str) -> None:
        """Press a key in the board's window. Raises ProgramGone, Interrupted."""
        self._press(self._window().id, key)

    def places(self, is_hidden: bool) -> list[Way]:
        """Where something that looks like a button is, the likeliest first.

        Raises ProgramGone, and Unplayable for a window that leaves the screen.
        """
        box = self._window().box
        now = self.around.grabber.grab(inside(box, self.around.hands.screen))
        left, top, width, height = self.seen.box
        scale = now.scale
        board = _scaled((left - box[0], top - box[1], width, height), scale)
        cell = self.seen.lattice.pitch
        found = near_board(now.pixels, self._at_start(now), board, cell, is_hidden)
        return [
            Way.to_place(*now.point(*each.centre), self.seen.box, cell / scale, each.is_face)
            for each in found
        ]

    def click(self, way: Way) -> None:
        """Click on a place of the board's window; nothing where another window lies there.

        Raises ProgramGone, Interrupted.
        """
        window = self._window()
        x, y = way.point(self.seen.box, self.seen.lattice.pitch / self.seen.frame.scale)
        left, top, width, height = window.box
        uppermost = window_at(self.around.windows, x, y)
        is_inside = left <= x < left + width and top <= y < top + height
        if is_inside and uppermost is not None and uppermost.id == window.id:
            self._click(x, y)

    def dialog(self) -> int | None:
        """The uppermost window that the program has opened since the first game began. Raises ProgramGone."""
        self._window()
        dialogs = [window.id for window in self._dialogs()]
        return dialogs[-1] if dialogs else None

    def answer(self, dialog: int, key: str) -> None:
        """Press a key in a dialog. Raises Interrupted."""
        self._press(dialog, key)

    def dismiss(self, dialog: int) -> None:
        """Close a dialog as its frame does. Raises Interrupted."""
        self.around.hands.check()
        dismiss(self.around.windows, dialog)
        self.clock.sleep(AFTER)

    def wait(self) -> None:
        """Give the program a moment."""
        self.clock.sleep(AFTER)

    def begins(self, seen: Seen) -> None:
        """The next game begins on this board; where it lies in another window, that is the program's now."""
        left, top, width, height = seen.box
        window = window_at(self.around.windows, left + width / 2, top + height / 2)
        if window is not None and window.id != self._began_in:
            self.id = self._began_in = window.id
            self.seen, self.before = seen, _ids(self.around)

    def choices(self, dialog: int) -> int:
        """How many buttons a dialog has."""
        return len(self._choices(dialog))

    def choose(self, dialog: int, number: int) -> None:
        """Click on a button of a dialog, counted from 0 from the left. Raises Interrupted."""
        places = self._choices(dialog)
        if number < len(places):
            x, y = places[number]
            uppermost = window_at(self.around.windows, x, y)
            if uppermost is not None and uppermost.id == dialog:
                self._click(x, y)

    def _choices(self, dialog: int) -> list[tuple[float, float]]:
        window = self.around.windows.get(dialog)
        if window is None:
            return []
        picture = self.around.grabber.grab(inside(window.box, self.around.hands.screen))
        found = [each for each in buttons_in(picture.pixels, CELL) if each.is_boxed]
        below = [each.centre for each in found if each.centre[1] > PARK * picture.height]
        return sorted(picture.point(*centre) for centre in below)

    def _dialogs(self) -> list[Window]:
        """The windows of the program that came since, lowest first."""
        return [
            window
            for window in self.around.windows.all() or ()
            if window.is_shown
            and window.id not in self.before
            and window.id != self.id
            and min(window.box[2:]) >= SMALLEST
            and (belongs(self.around.windows, window.id, self.id) or window.pid in self._pids)
        ]

    def _press(self, window: int, key: str) -> None:
        self.around.windows.focus(window)
        self.around.hands.press(key)
        self.clock.sleep(AFTER)

    def _click(self, x: float, y: float) -> None:
        self.around.hands.let_go()
        self.around.hands.click(x, y)
        self.around.hands.let_go()
        self.clock.sleep(AFTER)

    def _window(self) -> Window:
        window = self.around.windows.get(self.id)
        if window is None or not window.is_shown:
            window = self._successor()
        if window is None:
            raise ProgramGone("the window of the game went away: open it and start again")
        if window.pid is not None:
            self._pids.add(window.pid)
        return window

    def _successor(self) -> Window | None:
        """The window that the program made in place of the one that is gone; None where it makes none.

        Some make a window for each game. It has room for the board; a smaller one is a dialog.
        """
        width, height = self.seen.box[2:]
        deadline = self.clock.now() + MAKES
        while True:
            for window in reversed(self._dialogs()):
                if window.box[2] >= width and window.box[3] >= height:
                    self.id = window.id
                    return window
            if self.clock.now() > deadline:
                return None
            self.clock.sleep(AFTER)

    def _at_start(self, now: Frame) -> Pixels | None:
        """The same part of the picture when the first game began; None where it was not seen."""
        frame = self.seen.frame
        left, top = round((now.left - frame.left) * frame.scale), round((now.top - frame.top) * frame.scale)
        if min(left, top) < 0 or left + now.width > frame.width or top + now.height > frame.height:
            return None
        return frame.cut(left, top, now.width, now.height).pixels


def desk_of(around: Surroundings, finder: Finder, seen: Seen) -> WindowDesk | None:
    """The desk of the window in which a board lies; None where the desktop does not say which that is."""
    left, top, width, height = seen.box
    window = window_at(around.windows, left + width / 2, top + height / 2)
    if window is None:
        return None
    return WindowDesk(around, finder, window.id, seen, _ids(around))


def _ids(around: Surroundings) -> frozenset[int]:
    """The windows that are there now."""
    return frozenset(each.id for each in around.windows.all() or ())


def _scaled(box: Box, scale: float) -> Rectangle:
    left, top, width, height = (round(side * scale) for side in box)
    return left, top, width, height
