"""Start the next game of a program without a program file.

`NextGameFinder` tries dialogs, the action that worked last time, keys and buttons, in the order of cost and
risk. `RestartAttempt` follows one action through menus and pages until a new board appears, or undoes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from bot.play.finder import LocatedBoard
from bot.play.next_game_actions import LONGEST, Acts, RestartAction, RestartMemory
from bot.play.next_game_window import GameWindow
from bot.play.widgets import Menu
from games.errors import AmbiguousBoard, BoardNotFound, BoardUnplayable
from games.minesweeper import Board


def is_hidden(ended: LocatedBoard | None, before: LocatedBoard) -> bool:
    """Whether the board of a game that has ended is not to be seen: none is, or only a part of it."""
    if ended is None:
        return True
    board, whole = ended.board, before.board
    return (board.rows, board.columns) != (whole.rows, whole.columns) or board.unread == board.everything


def is_new_game(seen: LocatedBoard, last: Board, before: LocatedBoard) -> bool:
    """Whether a program has started its next game by itself, after one that showed `last` when it ended.

    A click that was made before that was seen may have opened something of it. Where `last` shows nothing
    open, the mine that was hit may look like a shut cell: then the board must look as it did `before` it.
    """
    board = seen.board
    if is_new_board(seen, None):
        if not last.open:
            return same_picture(seen, before)
        return not board.unread & last.open  # or it may be the old one, badly read
    is_open = (board.rows, board.columns) == (last.rows, last.columns) and last.open & board.closed
    return bool(is_open) and not seen.is_finished and 2 * board.closed.bit_count() >= len(board)


def same_picture(seen: LocatedBoard, other: LocatedBoard) -> bool:
    """Whether two boards are the same picture, wherever they lie."""
    now, then = (each.frame.crop(*each.lattice.box).pixels for each in (seen, other))
    return np.array_equal(now, then)


def is_new_board(seen: LocatedBoard, ended: LocatedBoard | None) -> bool:
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


def is_other_level(seen: LocatedBoard | None, before: LocatedBoard) -> bool:
    """Whether this is a closed board of another size: another level."""
    if seen is None or seen.board.open or seen.board.unread:
        return False
    return (seen.board.rows, seen.board.columns) != (before.board.rows, before.board.columns)


MOST_WAITS = 3  # for a board that changes, after what may have started a game
MOST_ENTRIES = 4  # of a menu that chooses a level
MOST_OPTIONS = 5  # of a page without a board
ON = ("enter", "space")  # what goes on from a page that offers nothing to be clicked on
HELP = "start the next game by hand and run sapper again, or describe the program in a file for --program"


@dataclass
class RestartAttempt:
    """Tries ways to the next game after one that began on the board `before`.

    `ended` is the board as it is now, None where it is not to be seen. `worked` are the acts that brought up
    a fresh board. What brings up something that leads nowhere is answered with Escape, and nothing of its
    kind is tried again.
    """

    desk: GameWindow
    before: LocatedBoard
    ended: LocatedBoard | None = None
    succeeded: Acts = ()
    _spoiled: list[RestartAction] = field(default_factory=list)
    _is_level: bool = False  # the last path brought up a board of another size

    def is_spoiled(self, way: RestartAction) -> bool:
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

    def of(self, path: Acts) -> LocatedBoard | None:
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
            if seen is not None and self.desk.contains(dialog, seen) and self._is_next(seen):
                self.succeeded = path
                return seen
            self.is_put_away(dialog)
            return self._come_back(path)
        return self._led_to(seen, path)

    def _is_next(self, seen: LocatedBoard) -> bool:
        """Whether this, in a window of its own, is the board of a new game; it may not be read yet."""
        return is_new_board(seen, self.before) or same_picture(seen, self.before)

    def _led_to(self, seen: LocatedBoard | None, path: Acts) -> LocatedBoard | None:
        """The same, where this is to be seen after them."""
        if seen is not None and is_new_board(seen, self.ended or self.before):
            self.succeeded = path
            return seen
        if is_other_level(seen, self.before):
            self._is_level = True
        elif is_hidden(seen, self.before):
            menu = self.desk.menu_over_board(path[-1])
            if menu is not None:
                return self._through(menu, path)
            return self._beyond(path) if self.ended is not None else None
        return None

    def repeat(self, path: Acts) -> LocatedBoard | None:
        """The fresh board that these acts bring up, as they did before; None where they do not."""
        for number, way in enumerate(path):
            if way.side == "over" and way.kind == "place" and not is_hidden(self.look(), self.before):
                return None  # a cell lies there
            if number == len(path) - 1:
                return self.of(path)
            if not self._redo(way):
                return None
        return None

    def _redo(self, way: RestartAction) -> bool:
        """Make an act again that opened a menu, or another page; whether it did anything."""
        if not self.desk.act(way):
            return False
        if self.desk.menu(way) is None:
            self._look_until_still()
            self.desk.menu_over_board(way)
        return True

    def _through(self, menu: Menu, path: Acts) -> LocatedBoard | None:
        """What the first entry of a menu starts; others only where the one before chose another level.

        The last one is never taken: it is the way out.
        """
        if self.desk.is_field(path[-1], menu) or len(path) == LONGEST:
            self._leave()
            return None
        for number in range(min(len(menu.entries) - 1, MOST_ENTRIES)):
            if number and not all(self._redo(way) for way in path):
                break
            fresh = self.of((*path, RestartAction("entry", number=number)))
            if fresh is not None:
                return fresh
            if not self._is_level:
                break
        self._leave()
        return self._come_back(path)

    def _beyond(self, path: Acts) -> LocatedBoard | None:
        """What a page without a board leads to: its buttons but for the last, then keys that go on.

        Of levels it is the first that has a board of the size that is played.
        """
        tried: list[RestartAction] = []
        while len(path) < LONGEST and len(tried) < MOST_OPTIONS:
            places = self.desk.places_without_board()
            places = places[: max(1, len(places) - 1)]
            options = [*places, *(RestartAction("key", key) for key in ON)]
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
        self.desk.act(RestartAction("key", "escape"))

    def _come_back(self, path: Acts) -> LocatedBoard | None:
        """These acts led nowhere; or else, later than was looked for, to the fresh board that is there now.

        Raises Unplayable where no board comes back.
        """
        seen = self.look()
        if self.has_begun(seen):
            self.succeeded = path
            return seen
        self._spoiled.append(path[0])
        if self.ended is not None and len(path) == 1 and seen is None:
            raise BoardUnplayable(f"{path[0].text} brought up something else than a board: {HELP}")
        return None

    def has_begun(self, seen: LocatedBoard | None) -> bool:
        """Whether this is a fresh board, and not the picture of the one that has ended."""
        ended = self.ended or self.before
        return seen is not None and is_new_board(seen, ended) and not same_picture(seen, ended)

    def is_put_away(self, dialog: int) -> bool:
        """Answer a dialog with Escape, or close it as its frame does; whether that helped."""
        self.desk.answer(dialog, "escape")
        if self.desk.dialog() == dialog:
            self.desk.dismiss(dialog)
        return self.desk.dialog() != dialog

    def _look_until_still(self) -> LocatedBoard | None:
        """The board once it is fresh, or as it was, or has had time: some programs take cell by cell away."""
        ended = self.ended or self.before
        for _ in range(MOST_WAITS):
            seen = self.look()
            is_still = seen is not None and (seen.board == ended.board or is_new_board(seen, ended))
            if is_still or self.desk.dialog() is not None:
                return seen
            self.desk.wait()
        return self.look()

    def look(self) -> LocatedBoard | None:
        """The board; None where none is to be seen, or more than one."""
        try:
            return self.desk.look()
        except (BoardNotFound, AmbiguousBoard, BoardUnplayable):
            return None


KEYS = ("f2", "n", "r")  # Windows' own way; puzzles; what games in a window of pygame say
PAGE_KEYS = ("f5",)  # of a browser: some pages begin with a choice of level
LAST_KEYS = ("space", "enter", "ctrl+n")  # "press any key"; of menus: some ask for a size first
ANSWERS = ("enter", "space")  # what presses the button that a dialog offers
MOST_PLACES, MOST_LETTERS = 6, 3  # with a border, and without, that are clicked on
MOST_DIALOGS = 4  # one after another


@dataclass
class NextGameFinder:
    """Asks for fresh boards at a `desk`, and remembers in `known` what worked.

    First what a dialog offers; then what worked before; then keys, what looks like a button, and what looks
    like a menu, the cheapest and the least that can go wrong first.
    """

    desk: GameWindow
    known: RestartMemory = field(default_factory=RestartMemory)

    def next_board(self, before: LocatedBoard, last: Board) -> LocatedBoard:
        """A fresh board after a game that began on the board `before` and showed `last` when it ended.

        Raises Unplayable when nothing brings one up, and ProgramGone.
        """
        seen = self._next_board(before, last)
        self.desk.on_game_start(seen)
        return seen

    def _next_board(self, before: LocatedBoard, last: Board) -> LocatedBoard:
        self.desk.close_menus()
        trial = RestartAttempt(self.desk, before)
        ended = trial.look()
        if is_hidden(ended, before) and self.desk.dialog() is None:  # by a message in its own window
            self.desk.act(RestartAction("key", ANSWERS[0]))
            ended = trial.look()
        if self.desk.dialog() is None and ended is not None and is_new_game(ended, last, before):
            return ended
        remembered = self.known.of(self.desk.program)
        fresh = self._answer_dialogs(trial, before, remembered[:1])
        if fresh is not None:
            return fresh
        ended = trial.look()
        trial.ended = None if is_hidden(ended, before) else ended
        paths = [remembered] if remembered and remembered[0].kind != "dialog" else []
        for path in paths:
            fresh = trial.repeat(path)
            if fresh is not None:
                return self._begun_by(trial, fresh)
        for way in self._ways(trial):
            if (way,) in paths or trial.is_spoiled(way):
                continue
            fresh = trial.of((way,))
            if fresh is not None:
                return self._begun_by(trial, fresh)
        late = trial.look()  # what the last one did may have taken longer
        if late is not None and trial.has_begun(late):
            return late
        keys = ", ".join((*KEYS, *PAGE_KEYS, *LAST_KEYS))
        raise BoardUnplayable(
            f"neither the keys {keys} nor what looks like a button starts a game here: {HELP}"
        )

    def _begun_by(self, trial: RestartAttempt, fresh: LocatedBoard) -> LocatedBoard:
        self.known.remember(self.desk.program, trial.succeeded)
        return fresh

    def _ways(self, trial: RestartAttempt) -> Iterator[RestartAction]:
        """Ways that are tried one by one."""
        yield from _keys(KEYS)
        yield from self._places(trial, MOST_PLACES, lambda way: way.width > 0)
        yield from _keys(PAGE_KEYS)
        yield from self._places(trial, MOST_LETTERS, lambda way: not way.width)
        yield from _keys(LAST_KEYS)

    def _places(
        self, trial: RestartAttempt, most: int, counts: Callable[[RestartAction], bool]
    ) -> Iterator[RestartAction]:
        """So many places, the likeliest first; they are looked for again each time."""
        tried: list[RestartAction] = []
        while len(tried) < most:
            places = self.desk.places(trial.ended is None)
            news = (way for way in places if counts(way) and not any(way.is_like(other) for other in tried))
            way = next(news, None)
            if way is None:
                return
            tried.append(way)
            if way.side != "over" or trial.ended is None:  # a cell lies there, and no message
                yield way

    def _answer_dialogs(
        self, trial: RestartAttempt, before: LocatedBoard, remembered: Sequence[RestartAction]
    ) -> LocatedBoard | None:
        """What dialogs offer is taken; a fresh board if that brings one up."""
        first = [way for way in remembered if way.kind == "dialog"]
        answers = [*first, *(way for key in ANSWERS if (way := RestartAction("dialog", key)) not in first)]
        for _ in range(MOST_DIALOGS):
            dialog = self.desk.dialog()
            if dialog is None:
                return None
            worked = self._answer(trial, dialog, answers)
            seen = trial.look()
            if seen is not None and self.desk.dialog() is None and is_new_board(seen, before):
                if worked is not None:
                    self.known.remember(self.desk.program, (worked,))
                return seen
            if worked is None:
                raise BoardUnplayable(f"a dialog of the program does not go away: {HELP}")
        raise BoardUnplayable(f"the program opens one dialog after another: {HELP}")

    def _answer(
        self, trial: RestartAttempt, dialog: int, answers: Sequence[RestartAction]
    ) -> RestartAction | None:
        """Make a dialog go away: its own key, its buttons, Escape. What did it, None for nothing."""
        for way in answers:
            self.desk.answer(dialog, way.key)
            if self.desk.dialog() != dialog:
                return way
        for number in range(min(self.desk.choices(dialog), 2)):
            self.desk.choose(dialog, number)
            if self.desk.dialog() != dialog:
                return answers[0]
        return RestartAction("dialog", "escape") if trial.is_put_away(dialog) else None


def _keys(names: Sequence[str]) -> Iterator[RestartAction]:
    return (RestartAction("key", name) for name in names)
