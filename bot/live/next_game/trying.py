"""One way to the next game: made, and followed through menus and other pages to a fresh board, or back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from bot.live.finding import Seen
from bot.live.next_game.fresh import is_another, is_fresh, is_hidden, looks_like
from bot.live.next_game.menus import Menu
from bot.live.next_game.ways import LONGEST, Acts, Way
from games.errors import ManyBoards, NoBoard, Unplayable

MOST_WAITS = 3  # for a board that changes, after what may have started a game
MOST_ENTRIES = 4  # of a menu that chooses a level
MOST_OPTIONS = 5  # of a page without a board
ON = ("enter", "space")  # what goes on from a page that offers nothing to be clicked on
HELP = "start the next game by hand and run sapper again, or describe the program in a file for --program"


class Desk(Protocol):
    """The screen, the keys and the mouse, as far as asking for a game needs them.

    Everything raises ProgramGone when the board's window is gone.
    """

    @property
    def program(self) -> str:
        """What the program is remembered by."""

    def look(self) -> Seen:
        """The board. Raises NoBoard where there is none."""

    def act(self, way: Way) -> bool:
        """Press, or click; whether anything came of it. Nothing is clicked where another window lies."""

    def put_menus_away(self) -> None:
        """Close the menus that the game has open."""

    def menu(self, way: Way) -> Menu | None:
        """The menu that the last act, this one, has opened in a window of its own; None for none."""

    def menu_over_board(self, way: Way) -> Menu | None:
        """The same, drawn over the window of the board, which cannot be read."""

    def is_field(self, way: Way, menu: Menu) -> bool:
        """Whether a menu offers the values of a field: then it is left alone from now on."""

    def places(self, is_hidden: bool) -> list[Way]:
        """Where something that looks like a button is, the likeliest first; `is_hidden`: no board shows."""

    def places_without_board(self) -> list[Way]:
        """All that looks like a button in a window that shows no board, as one reads it."""

    def dialog(self) -> int | None:
        """The uppermost window that the program has opened since the first game began; None for none."""

    def holds(self, window: int, seen: Seen) -> bool:
        """Whether this board lies in that window."""

    def answer(self, dialog: int, key: str) -> None:
        """Press a key in a dialog."""

    def dismiss(self, dialog: int) -> None:
        """Close a dialog as its frame does."""

    def wait(self) -> None:
        """Give the program a moment."""

    def begins(self, seen: Seen) -> None:
        """The next game begins on this board."""

    def choices(self, dialog: int) -> int:
        """How many buttons a dialog has."""

    def choose(self, dialog: int, number: int) -> None:
        """Click on a button of a dialog, counted from 0 from the left."""


@dataclass
class Trial:
    """Tries ways to the next game after one that began on the board `before`.

    `ended` is the board as it is now, None where it is not to be seen. `worked` are the acts that brought up
    a fresh board. What brings up something that leads nowhere is answered with Escape, and nothing of its
    kind is tried again.
    """

    desk: Desk
    before: Seen
    ended: Seen | None = None
    worked: Acts = ()
    _spoiled: list[Way] = field(default_factory=list)
    _is_level: bool = False  # the last path brought up a board of another size

    def is_spoiled(self, way: Way) -> bool:
        """Whether a way is of the kind of one that led nowhere: another key, the same row.

        A face in a row of words is none of them.
        """
        return any(
            way.kind == other.kind
            and (
                way.kind == "key"
                or (
                    way.side == other.side
                    and abs(way.y - other.y) < 0.5
                    and way.is_face == other.is_face
                    and bool(way.width) == bool(other.width)
                )
            )
            for other in self._spoiled
        )

    def of(self, path: Acts) -> Seen | None:
        """The fresh board that the last of these acts brings up, those before it made; None for none.

        Raises Unplayable when the board does not come back from what else it brings up.
        """
        way = path[-1]
        self._is_level = False
        if not self.desk.act(way):
            return None
        menu = self.desk.menu(way)
        if menu is not None:
            return self._through(menu, path)
        seen, dialog = self._look_until_still(), self.desk.dialog()
        if dialog is not None:
            if seen is not None and self.desk.holds(dialog, seen) and self._is_next(seen):
                self.worked = path
                return seen
            self.is_put_away(dialog)
            return self._come_back(path)
        return self._led_to(seen, path)

    def _is_next(self, seen: Seen) -> bool:
        """Whether this, in a window of its own, is the board of a new game; it may not be read yet."""
        return is_fresh(seen, self.before) or looks_like(seen, self.before)

    def _led_to(self, seen: Seen | None, path: Acts) -> Seen | None:
        """The same, where this is to be seen after them."""
        if seen is not None and is_fresh(seen, self.ended or self.before):
            self.worked = path
            return seen
        if is_another(seen, self.before):
            self._is_level = True
        elif is_hidden(seen, self.before):
            menu = self.desk.menu_over_board(path[-1])
            if menu is not None:
                return self._through(menu, path)
            return self._beyond(path) if self.ended is not None else None
        return None

    def repeat(self, path: Acts) -> Seen | None:
        """The fresh board that these acts bring up, as they did before; None where they do not."""
        for number, way in enumerate(path):
            if way.side == "over" and way.kind == "place" and not is_hidden(self.look(), self.before):
                return None  # a cell lies there
            if number == len(path) - 1:
                return self.of(path)
            if not self._redo(way):
                return None
        return None

    def _redo(self, way: Way) -> bool:
        """Make an act again that opened a menu, or another page; whether it did anything."""
        if not self.desk.act(way):
            return False
        if self.desk.menu(way) is None:
            self._look_until_still()
            self.desk.menu_over_board(way)
        return True

    def _through(self, menu: Menu, path: Acts) -> Seen | None:
        """What the first entry of a menu starts; others only where the one before chose another level.

        The last one is never taken: it is the way out.
        """
        if self.desk.is_field(path[-1], menu) or len(path) == LONGEST:
            self._leave()
            return None
        for number in range(min(len(menu.entries) - 1, MOST_ENTRIES)):
            if number and not all(self._redo(way) for way in path):
                break
            fresh = self.of((*path, Way("entry", number=number)))
            if fresh is not None:
                return fresh
            if not self._is_level:
                break
        self._leave()
        return self._come_back(path)

    def _beyond(self, path: Acts) -> Seen | None:
        """What a page without a board leads to: its buttons but for the last, then keys that go on.

        Of levels it is the first that has a board of the size that is played.
        """
        tried: list[Way] = []
        while len(path) < LONGEST and len(tried) < MOST_OPTIONS:
            places = self.desk.places_without_board()
            places = places[: max(1, len(places) - 1)]
            options = [*places, *(Way("key", key) for key in ON)]
            way = next((way for way in options if not any(way.is_like(other) for other in tried)), None)
            if way is None:
                break
            tried.append(way)
            fresh = self.of((*path, way))
            if fresh is not None:
                return fresh
            if (self._is_level or not is_hidden(self.look(), self.before)) and not all(
                self._redo(way) for way in path
            ):
                break
        self._leave()
        return self._come_back(path)

    def _leave(self) -> None:
        """Leave what has come up."""
        self.desk.act(Way("key", "escape"))

    def _come_back(self, path: Acts) -> Seen | None:
        """These acts led nowhere; or else, later than was looked for, to the fresh board that is there now.

        Raises Unplayable where no board comes back.
        """
        seen = self.look()
        if self.has_begun(seen):
            self.worked = path
            return seen
        self._spoiled.append(path[0])
        if self.ended is not None and len(path) == 1 and seen is None:
            raise Unplayable(f"{path[0].text} brought up something else than a board: {HELP}")
        return None

    def has_begun(self, seen: Seen | None) -> bool:
        """Whether this is a fresh board, and not the picture of the one that has ended."""
        ended = self.ended or self.before
        return seen is not None and is_fresh(seen, ended) and not looks_like(seen, ended)

    def is_put_away(self, dialog: int) -> bool:
        """Answer a dialog with Escape, or close it as its frame does; whether that helped."""
        self.desk.answer(dialog, "escape")
        if self.desk.dialog() == dialog:
            self.desk.dismiss(dialog)
        return self.desk.dialog() != dialog

    def _look_until_still(self) -> Seen | None:
        """The board once it is fresh, or as it was, or has had time: some programs take cell by cell away."""
        ended = self.ended or self.before
        for _ in range(MOST_WAITS):
            seen = self.look()
            is_still = seen is not None and (seen.board == ended.board or is_fresh(seen, ended))
            if is_still or self.desk.dialog() is not None:
                return seen
            self.desk.wait()
        return self.look()

    def look(self) -> Seen | None:
        """The board; None where none is to be seen, or more than one."""
        try:
            return self.desk.look()
        except (NoBoard, ManyBoards, Unplayable):
            return None
