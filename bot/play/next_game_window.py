"""Window, dialogs and menus of a program between two games.

`ProgramWindows` tracks the windows of the program. `GameWindow` presses keys, clicks next to the board, and
detects the dialogs and menus that open.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from bot.desktop.ports import Box, Window, boxes_overlap, window_at, window_ids, window_of
from bot.game.types import Clock, SystemClock
from bot.play import widgets
from bot.play.finder import BoardFinder, DesktopAccess, LocatedBoard, clip_to_screen
from bot.play.next_game_actions import RestartAction
from bot.play.widgets import ButtonCandidate, Menu, Point, Rectangle
from games.errors import ProgramExited
from strategies.isolation.supervisor import process_name
from vision.frame import Frame, Pixels

SMALLEST = 40  # points; a smaller window is a hint or an icon
SUCCESSOR = 3.0  # seconds within which a program that closes its window usually opens the next one
LOOK = 0.5  # seconds between two checks for it


@dataclass
class ProgramWindows:
    """The window `id` of the board, and the other windows of its program.

    `room` is the size of the board (width, height; points). `before` contains the windows that existed on the
    screen when the first game began.
    """

    access: DesktopAccess
    id: int
    room: tuple[int, int]
    before: frozenset[int]
    clock: Clock
    _pids: set[int] = field(default_factory=set)  # process ids of the program's windows
    _began_in: int = field(init=False)  # the window in which the last game began

    def __post_init__(self) -> None:
        self._began_in = self.id

    def own(self) -> Window:
        """The window of the board, or its successor. Raises ProgramExited."""
        window = self.access.windows.get(self.id)
        if window is None or not window.is_shown:
            window = self._successor()
        if window is None:
            raise ProgramExited("the window of the game went away: open it and start again")
        if window.pid is not None:
            self._pids.add(window.pid)
        return window

    def all(self) -> list[Window]:
        """The visible windows of the program, lowest first."""
        return [
            window
            for window in self.access.windows.all() or ()
            if window.is_shown
            and (
                window.id == self.id
                or self.access.windows.same_program(window.id, self.id)
                or window.pid in self._pids
            )
        ]

    def dialogs(self) -> list[Window]:
        """Windows opened since the first game began, except menus, lowest first."""
        return [
            window
            for window in self.all()
            if window.id not in self.before
            and window.id != self.id
            and min(window.box[2:]) >= SMALLEST
            and not self.access.windows.is_popup(window.id)
        ]

    def popups(self, known: frozenset[int]) -> list[Window]:
        """Menus, lists and hints that are not among the `known` windows, uppermost first."""
        return [
            window
            for window in reversed(self.all())
            if window.id not in known and self.access.windows.is_popup(window.id)
        ]

    def on_game_start(self, seen: LocatedBoard) -> bool:
        """Use the window of this board from now on; returns whether it is another one."""
        window = window_of(self.access.windows, seen.box)
        if window is None or window.id == self._began_in:
            return False
        self.id = self._began_in = window.id
        self.before = window_ids(self.access.windows)
        return True

    def picture(self, box: Box) -> Frame:
        """Capture a part of the screen. Raises BoardNotFound if it is outside the screen."""
        return self.access.grabber.grab(clip_to_screen(box, self.access.controls.screen))

    def _successor(self) -> Window | None:
        """The window that replaces a closed one; None if there is none.

        Some programs open a window for each game. It has room for the board. Others return to a window with
        a menu, which covers at least half as much; a smaller one is a dialog.
        """
        width, height = self.room
        deadline = self.clock.now() + SUCCESSOR
        while True:
            is_late = self.clock.now() > deadline
            for window in reversed(self.dialogs()):
                across, down = window.box[2:]
                if (across >= width and down >= height) or (is_late and 2 * across * down >= width * height):
                    self.id = window.id
                    return window
            if is_late:
                return None
            self.clock.sleep(LOOK)

    @property
    def has_followed(self) -> bool:
        """Whether the window in which the last game began has been replaced by another one."""
        return self.id != self._began_in


AFTER = 0.5  # seconds for a program to handle an answer
REACTS, POLL = 1.0, 0.05  # seconds for a program to show an effect; between two checks
DRAWS = 0.2  # seconds for a new window to be drawn
PARK = 0.35  # share of the height of a dialog; its buttons are below that
CELL = 24.0  # pixels; assumed cell size in a window without a board


@dataclass
class GameWindow:
    """The window of a game, its dialogs and menus. `seen` is the board of the first game in this window."""

    access: DesktopAccess
    finder: BoardFinder
    windows: ProgramWindows
    seen: LocatedBoard
    clock: Clock
    _program: str = ""
    _fields: list[RestartAction] = field(default_factory=list)  # places that open lists of values
    _lists: list[Box] = field(default_factory=list)  # the boxes of these lists
    _shown: frozenset[int] = frozenset()  # the windows before the last action with an effect
    _then: Frame | None = None  # the image of the window before that action
    _had_effect: bool = True  # of the last action
    _menu: Menu | None = None  # opened by the last action

    @property
    def program(self) -> str:
        """The key in the memory: the command, and the title of the window without digits."""
        if not self._program:
            window = self.windows.own()
            title = re.sub(r"[\W\d_]+", "-", window.title.lower()).strip("-")
            self._program = f"{process_name(window.pid) or 'program'}: {title[:60]}"
        return self._program

    def look(self) -> LocatedBoard:
        """The board. Raises ProgramExited and the errors of `BoardFinder.find`."""
        self.windows.own()
        found = self.finder.find()
        self.windows.own()
        return found

    def act(self, action: RestartAction) -> bool:
        """Press a key or click; returns whether the board or the list of windows changes.

        Late effects of an earlier action count for this one. A place is clicked only if no other window
        covers it, an entry only if a menu is open. Raises ProgramExited, Interrupted.
        """
        window, menu = self.windows.own(), self._menu
        self._menu = None
        if self._had_effect:
            self._shown, self._then = self._ids(), self.windows.picture(window.box)
        if action.kind == "key":
            self.access.windows.focus(window.id)
            self.access.controls.press(action.key)
        elif action.kind == "entry":
            if menu is None or action.number >= len(menu.entries):
                return False
            self._click(*menu.entries[action.number], menu.window)
        else:
            self._click(*action.point(self.seen.box, self._cell), window.id)
        self._had_effect = self._has_changed()
        return self._had_effect

    def close_menus(self) -> None:
        """Close menus that clicks in the game have opened, such as the context menu of a browser.

        Waits while another program grabs the mouse. Raises BoardUnplayable if it does not release it.
        """
        if any(min(each.box[2:]) >= SMALLEST for each in self.windows.popups(self.windows.before)):
            self.act(RestartAction("key", "escape"))
        self.access.controls.wait_for_release()

    def menu(self) -> Menu | None:
        """The menu that the last action opened in a window of its own, or None."""
        for window in self.windows.popups(self._shown):
            return self._keep_menu(window.id, self.windows.picture(window.box), window.box)
        return None

    def menu_over_board(self, action: RestartAction) -> Menu | None:
        """The menu that this last action drew over the window of the board, or None."""
        window = self.windows.own()
        now = self.windows.picture(window.box)
        if action.kind != "place" or self._then is None:
            return None
        x, y = action.point(self.seen.box, self._cell)
        box = widgets.find_opened_menu(
            self._then.pixels, now.pixels, ((x - now.left) * now.scale, (y - now.top) * now.scale)
        )
        if box is None:
            return None
        part = now.crop(*box)
        left, top = part.point(0, 0)
        size = round(box[2] / now.scale), round(box[3] / now.scale)
        return self._keep_menu(window.id, part, (round(left), round(top), *size))

    def _keep_menu(self, window: int, picture: Frame, box: Box) -> Menu | None:
        entries = tuple(picture.point(*each) for each in widgets.menu_entries(picture.pixels))
        self._menu = Menu(window, box, entries) if entries else None
        return self._menu

    def is_field(self, action: RestartAction, menu: Menu) -> bool:
        """Whether this menu lists the values of a field; if so, `places` excludes the field from now on.

        A field that was clicked has the focus, so a key may open its list again.
        """
        if action.kind == "place" and menu.is_of_field(action.width * self._cell):
            self._fields.append(action)
            self._lists.append(menu.box)
            return True
        return action.kind == "key" and any(
            menu.box[2:] == each[2:] and boxes_overlap(menu.box, each) for each in self._lists
        )

    def places(self, is_hidden: bool) -> list[RestartAction]:
        """The places of button candidates, the likeliest first; `is_hidden`: no board is visible.

        Raises ProgramExited, BoardNotFound if the window is outside the screen.
        """
        now, board, cell, excluded = self._view()
        found = widgets.restart_buttons(now.pixels, self._at_start(now), board, cell, is_hidden, excluded)
        return self._clicks(now, found)

    @property
    def has_followed(self) -> bool:
        """Whether another window has replaced the one in which the last game began."""
        return self.windows.has_followed

    def similar_places(self, action: RestartAction, seen: LocatedBoard) -> list[RestartAction]:
        """The boxes next to the board `seen` that look like a clicked box, without the last one."""
        now, board, cell, excluded = self._view(seen)
        x, y = action.point(self.seen.box, self._cell)
        place = (x - now.left) * now.scale, (y - now.top) * now.scale
        return self._clicks(now, widgets.similar_buttons(now.pixels, board, cell, place, excluded))

    def places_without_board(self) -> list[RestartAction]:
        """The places of bordered buttons in a window without a board, in reading order."""
        now, _, cell, excluded = self._view()
        return self._clicks(now, widgets.window_buttons(now.pixels, min(cell, CELL), excluded))

    def _view(self, seen: LocatedBoard | None = None) -> tuple[Frame, Rectangle, float, list[Point]]:
        """The image of the window, and in its pixels the box of the board, the cell size and the fields."""
        box = self.windows.own().box
        now = self.windows.picture(box)
        left, top, width, height = (seen or self.seen).box
        fields = [action.point(self.seen.box, self._cell) for action in self._fields]
        points = [((x - now.left) * now.scale, (y - now.top) * now.scale) for x, y in fields]
        board = _scaled((left - box[0], top - box[1], width, height), now.scale)
        return now, board, self.seen.lattice.pitch, points

    def _clicks(self, now: Frame, found: list[ButtonCandidate]) -> list[RestartAction]:
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
        return self.seen.lattice.pitch / self.seen.scale

    def dialog(self) -> int | None:
        """The uppermost dialog of the program, or None. Raises ProgramExited."""
        self.windows.own()
        dialogs = self.windows.dialogs()
        return dialogs[-1].id if dialogs else None

    def contains(self, window: int, seen: LocatedBoard) -> bool:
        """Whether that window contains this board."""
        found = window_of(self.access.windows, seen.box)
        return found is not None and found.id == window

    def answer(self, dialog: int, key: str) -> None:
        """Press a key in a dialog. Raises Interrupted."""
        self.access.windows.focus(dialog)
        self.access.controls.press(key)
        self.wait()

    def dismiss(self, dialog: int) -> None:
        """Close a dialog with its close button. Raises Interrupted."""
        self.access.controls.check()
        self.access.windows.dismiss(dialog)
        self.wait()

    def wait(self) -> None:
        """Give the program a moment."""
        self.clock.sleep(AFTER)

    def on_game_start(self, seen: LocatedBoard) -> None:
        """Use this board for the next game, and its window if it is another one."""
        self._had_effect = True
        if self.windows.on_game_start(seen):
            self.seen = seen

    def choices(self, dialog: int) -> int:
        """The number of buttons of a dialog."""
        return len(self._buttons(dialog))

    def choose(self, dialog: int, number: int) -> None:
        """Click a button of a dialog, counted from 0 at the left. Raises Interrupted."""
        places = self._buttons(dialog)
        if number < len(places):
            self._click(*places[number], dialog)
            self.wait()

    def choose_only(self, dialog: int) -> None:
        """Click the button of a dialog that has only one; small squares are options. Raises Interrupted."""
        places = self._buttons(dialog, is_wide=True)
        if len(places) == 1:
            self._click(*places[0], dialog)
            self.wait()

    def _buttons(self, dialog: int, is_wide: bool = False) -> list[tuple[float, float]]:
        window = self.access.windows.get(dialog)
        if window is None:
            return []
        picture = self.windows.picture(window.box)
        found = [each for each in widgets.find_buttons(picture.pixels, CELL) if each.is_boxed]
        found = [each for each in found if not (is_wide and each.is_narrow)]
        below = [each.centre for each in found if each.centre[1] > PARK * picture.height]
        return sorted(picture.point(*centre) for centre in below)

    def _ids(self) -> frozenset[int]:
        return frozenset(window.id for window in self.windows.all())

    def _has_changed(self) -> bool:
        """Wait up to REACTS; whether the last action changed the board image or the list of windows."""
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

    def _click(self, x: float, y: float, on: int) -> None:
        uppermost = window_at(self.access.windows, x, y)
        left, top, width, height = uppermost.box if uppermost is not None else (0, 0, 0, 0)
        is_inside = left <= x < left + width and top <= y < top + height
        if uppermost is not None and uppermost.id == on and is_inside:
            self.access.controls.forget_pointer()
            self.access.controls.click(x, y)
            self.access.controls.forget_pointer()

    def _at_start(self, now: Frame) -> Pixels | None:
        """The same part of the screen at the start of the first game; None if it was not captured."""
        frame = self.seen.frame
        left, top = round((now.left - frame.left) * frame.scale), round((now.top - frame.top) * frame.scale)
        if min(left, top) < 0 or left + now.width > frame.width or top + now.height > frame.height:
            return None
        return frame.crop(left, top, now.width, now.height).pixels


def game_window(access: DesktopAccess, finder: BoardFinder, seen: LocatedBoard) -> GameWindow | None:
    """The window of a board; None if the desktop does not report it."""
    window = window_of(access.windows, seen.box)
    if window is None:
        return None
    clock = SystemClock()
    windows = ProgramWindows(access, window.id, seen.box[2:], window_ids(access.windows), clock)
    return GameWindow(access, finder, windows, seen, clock)


def _scaled(box: Box, scale: float) -> Rectangle:
    left, top, width, height = (round(side * scale) for side in box)
    return left, top, width, height
