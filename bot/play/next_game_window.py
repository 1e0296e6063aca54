"""Window, dialogs and menus of a program between two games.

`ProgramWindows` tracks the windows of the program. `GameWindow` presses keys, clicks beside the board, and
detects the dialogs and menus that open.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from bot.desktop.ports import Box, Window, window_at
from bot.game.types import Clock, SystemClock
from bot.play.finder import BoardFinder, DesktopAccess, LocatedBoard, clip_to_screen
from bot.play.next_game_actions import RestartAction
from bot.play.widgets import (
    ButtonCandidate,
    Menu,
    Point,
    Rectangle,
    find_buttons,
    find_opened_menu,
    menu_entries,
    restart_buttons,
    window_buttons,
)
from games.errors import ProgramExited
from strategies.isolation.supervisor import process_name
from vision.frame import Frame, Pixels

SMALLEST = 40  # points; a window that is less wide and high is a hint or an icon
MAKES = 3.0  # seconds in which a program that has closed the window of a game has mostly made another
LOOK = 0.5  # seconds between two looks whether it has


@dataclass
class ProgramWindows:
    """The window `id` of a board that has `room` (width, height; points), and the others of its program.

    `before` are the windows of the screen that were there when the first game began.
    """

    around: DesktopAccess
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
            raise ProgramExited("the window of the game went away: open it and start again")
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
                or self.around.windows.same_program(window.id, self.id)
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
            and not self.around.windows.is_popup(window.id)
        ]

    def popups(self, known: frozenset[int]) -> list[Window]:
        """Menus, lists and hints that came up since these were `known`, uppermost first."""
        return [
            window
            for window in reversed(self.all())
            if window.id not in known and self.around.windows.is_popup(window.id)
        ]

    def on_game_start(self, seen: LocatedBoard) -> bool:
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
        return self.around.grabber.grab(clip_to_screen(box, self.around.hands.screen))

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


def shown_on(around: DesktopAccess) -> frozenset[int]:
    """The windows that are there now."""
    return frozenset(each.id for each in around.windows.all() or ())


AFTER = 0.5  # seconds that a program gets to take an answer
REACTS, POLL = 1.0, 0.05  # seconds that a program gets to show what an act did; between two looks at it
DRAWS = 0.2  # seconds that a window which has come up gets to be drawn
PARK = 0.35  # of a dialog's height: its buttons are below that
CELL = 24.0  # pixels; the size of a cell where a dialog is looked at, which has none


@dataclass
class GameWindow:
    """A `Desk` for one of `windows`, in which the board lay where `seen` says when the first game began."""

    around: DesktopAccess
    finder: BoardFinder
    windows: ProgramWindows
    seen: LocatedBoard
    clock: Clock
    _program: str = ""
    _fields: list[RestartAction] = field(default_factory=list)  # places that offer values
    _shown: frozenset[int] = frozenset()  # the windows of the program before the last act that showed
    _then: Frame | None = None  # its window before that
    _is_old: bool = True  # both are: the last act showed
    _menu: Menu | None = None  # what the last act has opened

    @property
    def program(self) -> str:
        """What the program is remembered by: its command and its window's title without figures."""
        if not self._program:
            window = self.windows.own()
            title = re.sub(r"[\W\d_]+", "-", window.title.lower()).strip("-")
            self._program = f"{process_name(window.pid) or 'program'}: {title[:60]}"
        return self._program

    def look(self) -> LocatedBoard:
        """The board. Raises what `Finder.find` raises, and ProgramGone."""
        self.windows.own()
        found = self.finder.find()
        self.windows.own()
        return found

    def act(self, way: RestartAction) -> bool:
        """Press, or click; whether the board looks otherwise then, or windows have come or gone.

        What an act before it did too late to be seen counts for this one. Nothing is clicked where another
        window lies, and nothing chosen where no menu is open. Raises ProgramGone, Interrupted.
        """
        window, menu = self.windows.own(), self._menu
        self._menu = None
        if self._is_old:
            self._shown, self._then = self._ids(), self.windows.picture(window.box)
        if way.kind == "key":
            self.around.windows.focus(window.id)
            self.around.hands.press(way.key)
        elif way.kind == "entry":
            if menu is None or way.number >= len(menu.entries):
                return False
            self._click(*menu.entries[way.number], menu.window)
        else:
            self._click(*way.point(self.seen.box, self._cell), window.id)
        self._is_old = self._shows()
        return self._is_old

    def close_menus(self) -> None:
        """Close what a click in the game has brought up, as a browser does for the right button."""
        if any(min(each.box[2:]) >= SMALLEST for each in self.windows.popups(self.windows.before)):
            self.act(RestartAction("key", "escape"))

    def menu(self, way: RestartAction) -> Menu | None:
        """The menu that this act, the last one, has opened in a window of its own; None for none."""
        for window in self.windows.popups(self._shown):
            picture = self.windows.picture(window.box)
            entries = tuple(picture.point(*each) for each in menu_entries(picture.pixels))
            self._menu = Menu(window.id, window.box, entries) if entries else None
            return self._menu
        return None

    def menu_over_board(self, way: RestartAction) -> Menu | None:
        """The same, drawn over the window of the board, which cannot be read."""
        window = self.windows.own()
        now = self.windows.picture(window.box)
        if way.kind != "place" or self._then is None:
            return None
        x, y = way.point(self.seen.box, self._cell)
        place = ((x - now.left) * now.scale, (y - now.top) * now.scale)
        box = find_opened_menu(self._then.pixels, now.pixels, place)
        if box is None:
            return None
        part = now.crop(*box)
        entries = tuple(part.point(*each) for each in menu_entries(part.pixels))
        left, top = part.point(0, 0)
        place_of = (round(left), round(top), round(box[2] / now.scale), round(box[3] / now.scale))
        self._menu = Menu(window.id, place_of, entries) if entries else None
        return self._menu

    def is_field(self, way: RestartAction, menu: Menu) -> bool:
        """Whether this menu offers the values of a field: that is left alone from now on."""
        is_field = way.kind == "place" and menu.is_of_field(way.width * self._cell)
        if is_field:
            self._fields.append(way)
        return is_field

    def places(self, is_hidden: bool) -> list[RestartAction]:
        """Where something that looks like a button is, the likeliest first.

        Raises ProgramGone, and Unplayable for a window that leaves the screen.
        """
        now, board, cell, left_out = self._view()
        found = restart_buttons(now.pixels, self._at_start(now), board, cell, is_hidden, left_out)
        return self._ways(now, found)

    def places_without_board(self) -> list[RestartAction]:
        """All that looks like a button with a border, in a window that shows no board, as one reads it."""
        now, _, cell, left_out = self._view()
        return self._ways(now, window_buttons(now.pixels, min(cell, CELL), left_out))

    def _view(self) -> tuple[Frame, Rectangle, float, list[Point]]:
        """The window's picture; in its pixels the board's place, a cell's size and what offers values."""
        box = self.windows.own().box
        now = self.windows.picture(box)
        left, top, width, height = self.seen.box
        fields = [way.point(self.seen.box, self._cell) for way in self._fields]
        points = [((x - now.left) * now.scale, (y - now.top) * now.scale) for x, y in fields]
        board = _scaled((left - box[0], top - box[1], width, height), now.scale)
        return now, board, self.seen.lattice.pitch, points

    def _ways(self, now: Frame, found: list[ButtonCandidate]) -> list[RestartAction]:
        box, cell = self.seen.box, self._cell
        return [
            RestartAction.click_at(
                *now.point(*each.centre), box, cell, each.is_smiley, each.box[2] / now.scale * each.is_boxed
            )
            for each in found
        ]

    @property
    def _cell(self) -> float:
        """The size of a cell, points."""
        return self.seen.lattice.pitch / self.seen.frame.scale

    def dialog(self) -> int | None:
        """The uppermost window that the program has opened since the first game began. Raises ProgramGone."""
        self.windows.own()
        dialogs = [window.id for window in self.windows.dialogs()]
        return dialogs[-1] if dialogs else None

    def contains(self, window: int, seen: LocatedBoard) -> bool:
        """Whether this board lies in that window, with nothing over its middle."""
        left, top, width, height = seen.box
        lies_in = window_at(self.around.windows, left + width / 2, top + height / 2)
        return lies_in is not None and lies_in.id == window

    def answer(self, dialog: int, key: str) -> None:
        """Press a key in a dialog. Raises Interrupted."""
        self._press(dialog, key)

    def dismiss(self, dialog: int) -> None:
        """Close a dialog as its frame does. Raises Interrupted."""
        self.around.hands.check()
        self.around.windows.dismiss(dialog)
        self.clock.sleep(AFTER)

    def wait(self) -> None:
        """Give the program a moment."""
        self.clock.sleep(AFTER)

    def on_game_start(self, seen: LocatedBoard) -> None:
        """The next game begins on this board; where it lies in another window, that is the program's now."""
        self._is_old = True
        if self.windows.on_game_start(seen):
            self.seen = seen

    def choices(self, dialog: int) -> int:
        """How many buttons a dialog has."""
        return len(self._choices(dialog))

    def choose(self, dialog: int, number: int) -> None:
        """Click on a button of a dialog, counted from 0 from the left. Raises Interrupted."""
        places = self._choices(dialog)
        if number < len(places):
            self._click(*places[number], dialog)
            self.clock.sleep(AFTER)

    def _choices(self, dialog: int) -> list[tuple[float, float]]:
        window = self.around.windows.get(dialog)
        if window is None:
            return []
        picture = self.windows.picture(window.box)
        found = [each for each in find_buttons(picture.pixels, CELL) if each.is_boxed]
        below = [each.centre for each in found if each.centre[1] > PARK * picture.height]
        return sorted(picture.point(*centre) for centre in below)

    def _ids(self) -> frozenset[int]:
        """The windows of the program."""
        return frozenset(window.id for window in self.windows.all())

    def _shows(self) -> bool:
        """Whether the last act shows within a moment: in the place of the board, or by its windows."""
        assert self._then is not None
        left, top = round(self.seen.box[0] - self._then.left), round(self.seen.box[1] - self._then.top)
        size = tuple(round(side * self._then.scale) for side in self.seen.box[2:])
        then = self._then.crop(round(left * self._then.scale), round(top * self._then.scale), *size)
        deadline = self.clock.now() + REACTS
        while True:
            if self._ids() != self._shown:
                self.clock.sleep(DRAWS)
                return True
            now = self.windows.picture(self.seen.box)
            if now.pixels.shape != then.pixels.shape or not np.array_equal(now.pixels, then.pixels):
                return True
            if self.clock.now() > deadline:
                return False
            self.clock.sleep(POLL)

    def _press(self, window: int, key: str) -> None:
        self.around.windows.focus(window)
        self.around.hands.press(key)
        self.clock.sleep(AFTER)

    def _click(self, x: float, y: float, on: int) -> None:
        """Click on a place of this window; nothing where another one lies there."""
        uppermost = window_at(self.around.windows, x, y)
        left, top, width, height = uppermost.box if uppermost is not None else (0, 0, 0, 0)
        is_inside = left <= x < left + width and top <= y < top + height
        if uppermost is not None and uppermost.id == on and is_inside:
            self.around.hands.forget_pointer()
            self.around.hands.click(x, y)
            self.around.hands.forget_pointer()

    def _at_start(self, now: Frame) -> Pixels | None:
        """The same part of the picture when the first game began; None where it was not seen."""
        frame = self.seen.frame
        left, top = round((now.left - frame.left) * frame.scale), round((now.top - frame.top) * frame.scale)
        if min(left, top) < 0 or left + now.width > frame.width or top + now.height > frame.height:
            return None
        return frame.crop(left, top, now.width, now.height).pixels


def game_window(around: DesktopAccess, finder: BoardFinder, seen: LocatedBoard) -> GameWindow | None:
    """The desk of the window in which a board lies; None where the desktop does not say which that is."""
    left, top, width, height = seen.box
    window = window_at(around.windows, left + width / 2, top + height / 2)
    if window is None:
        return None
    clock = SystemClock()
    windows = ProgramWindows(around, window.id, seen.box[2:], shown_on(around), clock)
    return GameWindow(around, finder, windows, seen, clock)


def _scaled(box: Box, scale: float) -> Rectangle:
    left, top, width, height = (round(side * scale) for side in box)
    return left, top, width, height
