"""The next game on a program that nobody described: keys and buttons, each checked by what it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bot.live.finding import Seen
from bot.live.next_game.ways import KnownWays, Way, in_order
from games.errors import ManyBoards, NoBoard, Unplayable
from games.minesweeper import Board

KEYS = ("f2", "n", "f5")  # Windows' own way; puzzles; a page in a browser
MENU_KEYS = ("ctrl+n",)  # of menus: some ask for a size first, and the board is gone then
ANSWERS = ("enter", "space")  # what presses the button that a dialog offers
MOST_PLACES = 5  # that are clicked on
MOST_DIALOGS = 4  # one after another
MOST_WAITS = 3  # for a board that changes, after what may have started a game
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

    def press(self, key: str) -> None:
        """Press a key in the board's window."""

    def places(self, is_hidden: bool) -> list[Way]:
        """Where something that looks like a button is, the likeliest first; `is_hidden`: no board shows."""

    def click(self, way: Way) -> None:
        """Click on a place of the board's window; nothing where another window lies there."""

    def dialog(self) -> int | None:
        """The uppermost window that the program has opened since the first game began; None for none."""

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
class Restarter:
    """Asks for fresh boards at a `desk`, and remembers in `known` what worked.

    First what a dialog offers; then what worked before; then `keys`, what looks like a button, and
    `menu_keys`. What brings up something that is neither the board nor a dialog is answered with Escape, and
    nothing of its kind is tried again.
    """

    desk: Desk
    known: KnownWays = field(default_factory=KnownWays)
    keys: Sequence[str] = KEYS
    menu_keys: Sequence[str] = MENU_KEYS

    def next_board(self, before: Seen, last: Board) -> Seen:
        """A fresh board after a game that began on the board `before` and showed `last` when it ended.

        Raises Unplayable when nothing brings one up, and ProgramGone.
        """
        seen = self._next_board(before, last)
        self.desk.begins(seen)
        return seen

    def _next_board(self, before: Seen, last: Board) -> Seen:
        ended = self._look()
        if _is_hidden(ended, before) and self.desk.dialog() is None:  # by a message in its own window
            self.desk.press(ANSWERS[0])
            ended = self._look()
        if self.desk.dialog() is None and ended is not None and has_begun(ended, last):
            return ended
        remembered = self.known.of(self.desk.program)
        fresh = self._answer_dialogs(before, remembered)
        if fresh is not None:
            return fresh
        ended = self._look()
        ended = None if _is_hidden(ended, before) else ended
        first = remembered if remembered and remembered.kind != "dialog" else None
        spoiled: list[Way] = []
        for stage in ("keys", "places", "menus"):
            ways = [Way("key", key) for key in (self.keys if stage == "keys" else self.menu_keys)]
            if stage == "keys":
                ways = in_order(first, ways)
            elif stage == "places":
                ways = self.desk.places(ended is None)[:MOST_PLACES]
            fresh = self._try(ways, before, ended, spoiled)
            if fresh is not None:
                return fresh
        keys = ", ".join((*self.keys, *self.menu_keys))
        raise Unplayable(f"neither the keys {keys} nor what looks like a button starts a game here: {HELP}")

    def _answer_dialogs(self, before: Seen, remembered: Way | None) -> Seen | None:
        """What dialogs offer is taken; a fresh board if that brings one up."""
        answers = [Way("dialog", key) for key in ANSWERS]
        if remembered is not None and remembered.kind == "dialog":
            answers = in_order(remembered, answers)
        for _ in range(MOST_DIALOGS):
            dialog = self.desk.dialog()
            if dialog is None:
                return None
            worked = self._answer(dialog, answers)
            seen = self._look()
            if seen is not None and self.desk.dialog() is None and is_fresh(seen, before):
                if worked is not None:
                    self.known.keep(self.desk.program, worked)
                return seen
            if worked is None:
                raise Unplayable(f"a dialog of the program does not go away: {HELP}")
        raise Unplayable(f"the program opens one dialog after another: {HELP}")

    def _answer(self, dialog: int, answers: Sequence[Way]) -> Way | None:
        """Make a dialog go away: its own key, its buttons, Escape. What did it, None for nothing."""
        for way in answers:
            self.desk.answer(dialog, way.key)
            if self.desk.dialog() != dialog:
                return way
        for number in range(min(self.desk.choices(dialog), 2)):
            self.desk.choose(dialog, number)
            if self.desk.dialog() != dialog:
                return answers[0]
        return Way("dialog", "escape") if self._is_put_away(dialog) else None

    def _is_put_away(self, dialog: int) -> bool:
        """Answer a dialog with Escape, or close it as its frame does; whether that helped."""
        self.desk.answer(dialog, "escape")
        if self.desk.dialog() == dialog:
            self.desk.dismiss(dialog)
        return self.desk.dialog() != dialog

    def _try(self, ways: Sequence[Way], before: Seen, ended: Seen | None, spoiled: list[Way]) -> Seen | None:
        """The fresh board that one of these ways brings up; None for none.

        What brings up something else is `spoiled`, and what is like it is left out.
        """
        for way in ways:
            is_in_the_way = way.side == "over" and ended is not None  # a cell lies there, and no message
            if is_in_the_way or any(_is_alike(way, other) for other in spoiled):
                continue
            if way.kind == "key":
                self.desk.press(way.key)
            else:
                self.desk.click(way)
            seen, dialog = self._look_until_still(ended or before), self.desk.dialog()
            if dialog is None and seen is not None and is_fresh(seen, ended or before):
                self.known.keep(self.desk.program, way)
                return seen
            if dialog is not None or (seen is None and ended is not None):
                spoiled.append(way)
                if dialog is not None:
                    self._is_put_away(dialog)
                else:
                    self.desk.press("escape")
                if ended is not None and self._look() is None:
                    raise Unplayable(f"{way.text} brought up something else than a board: {HELP}")
        return None

    def _look_until_still(self, ended: Seen) -> Seen | None:
        """The board once it is fresh, or as it was, or has had time: some programs take cell by cell away."""
        for _ in range(MOST_WAITS):
            seen = self._look()
            is_still = seen is not None and (seen.board == ended.board or is_fresh(seen, ended))
            if is_still or self.desk.dialog() is not None:
                return seen
            self.desk.wait()
        return self._look()

    def _look(self) -> Seen | None:
        try:
            return self.desk.look()
        except (NoBoard, ManyBoards, Unplayable):
            return None


def _is_alike(way: Way, spoiled: Way) -> bool:
    """Whether a way is of the kind of one that brought up something else: another key, the same row.

    A face in a row of words is none of them.
    """
    return way.kind == spoiled.kind and (
        way.kind == "key"
        or (way.side == spoiled.side and abs(way.y - spoiled.y) < 0.5 and way.is_face == spoiled.is_face)
    )


def _is_hidden(ended: Seen | None, before: Seen) -> bool:
    """Whether the board of a game that has ended is not to be seen: none is, or only a part of it."""
    if ended is None:
        return True
    board, whole = ended.board, before.board
    return (board.rows, board.columns) != (whole.rows, whole.columns) or board.unread == board.everything


def has_begun(seen: Seen, last: Board) -> bool:
    """Whether a program has started its next game by itself, after one that showed `last` when it ended.

    A click that was made before that was seen may have opened something of it.
    """
    board = seen.board
    if is_fresh(seen, None):
        return not board.unread & (last.open or board.everything)  # or it may be the old one, badly read
    is_open = (board.rows, board.columns) == (last.rows, last.columns) and last.open & board.closed
    return bool(is_open) and not seen.is_finished and 2 * board.closed.bit_count() >= len(board)


def is_fresh(seen: Seen, ended: Seen | None) -> bool:
    """Whether this is the board of a new game: not over, and closed where the one that has ended was open.

    Programs that open the first cells themselves may open more than a lost game had. Where the one before is
    not known to be over, the new one must also be less open by half. Where it was lost by its first click,
    the cell that cannot be read must have changed.
    """
    board = seen.board
    if seen.is_finished or 2 * board.closed.bit_count() < len(board):
        return False
    if ended is not None and (board.rows, board.columns) != (ended.board.rows, ended.board.columns):
        return False
    if not board.open or ended is None:
        is_as_it_was = ended is not None and not ended.board.open and board.unread & ended.board.unread
        return not board.open and not is_as_it_was
    is_less = 2 * board.open.bit_count() <= ended.board.open.bit_count()
    return is_less or (ended.is_finished and bool(ended.board.open & board.closed))
