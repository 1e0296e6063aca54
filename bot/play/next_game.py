"""Start the next game of a program without a program file.

`NextGameFinder` tries dialogs, the action that worked last time, keys and buttons, in order of increasing
cost and risk. `RestartAttempt` follows one action through menus and pages until a new board appears, or
undoes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from bot.play.finder import LocatedBoard
from bot.play.next_game_actions import LONGEST, RestartAction, RestartMemory, RestartPath
from bot.play.next_game_window import GameWindow
from bot.play.widgets import Menu
from games.errors import AmbiguousBoard, BoardNotFound, BoardUnplayable
from games.minesweeper import Board


def is_hidden(ended: LocatedBoard | None, before: LocatedBoard) -> bool:
    """Whether the board of a finished game is not visible, or only a part of it is."""
    return ended is None or not _has_same_size(ended, before) or ended.board.unread == ended.board.everything


def is_new_game(seen: LocatedBoard, last: Board, before: LocatedBoard) -> bool:
    """Whether a program has started its next game by itself after a game that ended on the board `last`.

    A late click may have opened a few of its cells. If `last` has no open cell, the mine that was hit may
    look like a closed cell: then the board must look exactly as it did `before` that game.
    """
    board = seen.board
    if is_new_board(seen, None):
        if not last.open:
            return same_picture(seen, before)
        return not board.unread & last.open  # otherwise it may be the old board, misread
    is_reset = (board.rows, board.columns) == (last.rows, last.columns) and last.open & board.closed
    return bool(is_reset) and not seen.is_finished and 2 * board.closed.bit_count() >= len(board)


def same_picture(seen: LocatedBoard, other: LocatedBoard) -> bool:
    """Whether two boards look exactly the same, regardless of their positions."""
    now, then = (each.frame.crop(*each.lattice.box).pixels for each in (seen, other))
    return np.array_equal(now, then)


RESET = 0.25  # share of the cells; if more are closed again and all are readable, the game is new


def is_new_board(seen: LocatedBoard, ended: LocatedBoard | None) -> bool:
    """Whether this is the board of a new game: not finished, and closed where the `ended` one was open.

    Some programs open the first cells themselves, perhaps more of them than a lost game had open. If fewer
    cells than RESET are closed again and the previous game may still be running, the new board must have at
    most half as many open cells. If the previous game was lost on its first click, its unreadable cell must
    have changed.
    """
    board = seen.board
    if seen.is_finished or (ended is not None and not _has_same_size(seen, ended)):
        return False
    reset = ended.board.open & board.closed if ended is not None else 0
    if reset.bit_count() >= RESET * len(board) and not board.unread:
        return True
    if 2 * board.closed.bit_count() < len(board):
        return False
    if not board.open or ended is None:
        is_unchanged = ended is not None and not ended.board.open and board.unread & ended.board.unread
        return not board.open and not is_unchanged
    has_at_most_half = 2 * board.open.bit_count() <= ended.board.open.bit_count()
    return has_at_most_half or (ended.is_finished and bool(reset))


def is_other_level(seen: LocatedBoard | None, before: LocatedBoard) -> bool:
    """Whether this is a closed board of another size: another level."""
    if seen is None or seen.board.open or seen.board.unread:
        return False
    return not _has_same_size(seen, before)


def _has_same_size(seen: LocatedBoard, other: LocatedBoard) -> bool:
    return (seen.board.rows, seen.board.columns) == (other.board.rows, other.board.columns)


MOST_WAITS = 3  # for a board that is changing after an action
MOST_ENTRIES = 4  # entries tried in a menu of levels
MOST_OPTIONS = 5  # actions tried on a page without a board
LEAVING = ("enter", "space")  # keys that leave a page without buttons
HELP = "start the next game by hand and run sapper again, or describe the program in a file for --program"


@dataclass
class RestartAttempt:
    """Tries actions that may start the next game, after a game that began on the board `before`.

    `ended` is the current board, None if it is not visible. `succeeded` is the path that led to a new board.
    `is_level`: the last path led to a board of another size. `asking` lists the paths that opened a dialog.
    `pressed` are the keys that were tried.
    Anything else that an action opens is closed with Escape, and similar actions are not tried again.
    """

    window: GameWindow
    before: LocatedBoard
    ended: LocatedBoard | None = None
    succeeded: RestartPath = ()
    is_level: bool = False
    asking: list[RestartPath] = field(default_factory=list)
    pressed: list[str] = field(default_factory=list)
    _failed: list[RestartAction] = field(default_factory=list)

    def is_excluded(self, action: RestartAction) -> bool:
        """Whether a similar action has failed: another key, or a place in the same row.

        SHORTCUTS are not similar to other keys, and a smiley in a row of words is not similar to the words.
        """
        if action.kind == "key":
            return action.key not in SHORTCUTS and any(other.kind == "key" for other in self._failed)
        return any(
            action.kind == other.kind
            and action.side == other.side
            and abs(action.y - other.y) < 0.5
            and action.is_face == other.is_face
            and bool(action.width) == bool(other.width)
            for other in self._failed
        )

    def follow(self, path: RestartPath) -> LocatedBoard | None:
        """Perform the last action of this path (the others are done); return the new board, if any.

        Raises BoardUnplayable if the action hides the board permanently.
        """
        action = path[-1]
        self.is_level = False
        if not self._act(action):
            return None
        menu = self.window.menu()
        if menu is not None:
            return self._follow_menu(menu, path)
        seen, dialog = self._look_until_still(), self.window.dialog()
        if dialog is not None:
            if seen is not None and self.window.contains(dialog, seen) and self._is_next(seen):
                self.succeeded = path
                return seen
            self.asking.append(path)
            self.close_dialog(dialog)
            return self._give_up(path)
        return self._follow_image(seen, path)

    def _act(self, action: RestartAction) -> bool:
        """Perform one action; returns whether it had an effect."""
        if action.kind == "key" and action.key not in self.pressed:
            self.pressed.append(action.key)
        if action.kind != "dialog":
            return self.window.act(action)
        dialog = self.window.dialog()
        if dialog is None:
            return False
        if action.key:
            self.window.answer(dialog, action.key)
        else:
            self.window.choose_only(dialog)
        return self.window.dialog() != dialog

    def accept_dialog(self, path: RestartPath) -> LocatedBoard | None:
        """The new board after accepting the dialog that this path opens: some programs ask for a size.

        The default answer is tried first, then the button of a dialog that has only one.
        """
        for answer in (RestartAction("dialog", ANSWERS[0]), RestartAction("dialog")):
            is_open = self.window.dialog() is not None or all(self._redo(each) for each in path)
            new = self.follow((*path, answer)) if is_open else None
            if new is not None:
                return new
        dialog = self.window.dialog()
        if dialog is not None:
            self.close_dialog(dialog)
        return None

    def _follow_image(self, seen: LocatedBoard | None, path: RestartPath) -> LocatedBoard | None:
        if seen is not None and is_new_board(seen, self.ended or self.before):
            self.succeeded = path
            return seen
        if is_other_level(seen, self.before):
            self.is_level = True
        elif is_hidden(seen, self.before):
            if self.ended is None and self.window.has_followed:
                self._look_at_page()  # raises if the window clips a board: that is no page
            menu = self.window.menu_over_board(path[-1])
            if menu is not None:
                return self._follow_menu(menu, path)
            return self.follow_page(path) if self.ended is not None else None
        return None

    def _is_next(self, seen: LocatedBoard) -> bool:
        """Whether a board in a separate window is new; its cells may still be unread."""
        return is_new_board(seen, self.before) or same_picture(seen, self.before)

    def repeat(self, path: RestartPath) -> LocatedBoard | None:
        """Follow a remembered path; return the new board, or None if it leads to none."""
        for number, action in enumerate(path):
            if action.side == "over" and action.kind == "place" and not is_hidden(self.look(), self.before):
                return None  # the click would open a cell
            if number == len(path) - 1:
                return self.follow(path)
            if not self._redo(action):
                return None
        return None

    def _redo(self, action: RestartAction) -> bool:
        """Repeat an action that opened a menu or a page; returns whether it had an effect."""
        if not self._act(action):
            return False
        if self.window.menu() is None:
            self._look_until_still()
            self.window.menu_over_board(action)
        return True

    def _follow_menu(self, menu: Menu, path: RestartPath) -> LocatedBoard | None:
        """Try the first entry of a menu, and further ones only if the previous one chose another level.

        The last entry is never tried, because it usually quits the program.
        """
        if self.window.is_field(path[-1], menu) or len(path) == LONGEST:
            self._press_escape()
            return None
        for number in range(min(len(menu.entries) - 1, MOST_ENTRIES)):
            if number and not all(self._redo(action) for action in path):
                break
            new = self.follow((*path, RestartAction("entry", number=number)))
            if new is not None:
                return new
            if not self.is_level:
                break
        return self._leave(path)

    def follow_page(self, path: RestartPath = ()) -> LocatedBoard | None:
        """Try the buttons of a page without a board, except the last, then the keys that leave the page.

        If the buttons choose levels, the first level with a board of the current size is chosen. An empty
        path cannot reopen the page, so the search ends when an action has left it.
        """
        tried: list[RestartAction] = []
        while len(path) < LONGEST and len(tried) < MOST_OPTIONS:
            places = self.window.places_without_board()
            places = places[: max(1, len(places) - 1)]
            action = _first_new([*places, *_keys(LEAVING)], tried)
            if action is None:
                break
            tried.append(action)
            new = self.follow((*path, action))
            if new is not None:
                return new
            if (self.is_level or not is_hidden(self._look_at_page(), self.before)) and not (
                path and all(self._redo(each) for each in path)
            ):
                break
        return self._leave(path)

    def _leave(self, path: RestartPath) -> LocatedBoard | None:
        """Leave a menu or a page with Escape, unless it has led to another level, and give this path up."""
        if self.is_level or not path:
            return None
        self._press_escape()
        return self._give_up(path)

    def other_level(self, path: RestartPath) -> LocatedBoard | None:
        """The board of another size to which the last path led, if it is still visible."""
        seen = self.look() if self.is_level else None
        if not is_other_level(seen, self.before):
            return None
        self.succeeded = path
        return seen

    def _press_escape(self) -> None:
        self.window.act(RestartAction("key", "escape"))

    def _give_up(self, path: RestartPath) -> LocatedBoard | None:
        """Exclude the first action of this path, unless a new board has appeared late.

        Raises BoardUnplayable if the board has disappeared.
        """
        seen = self.look()
        if self.has_begun(seen):
            self.succeeded = path
            return seen
        self._failed.append(path[0])
        if self.ended is not None and len(path) == 1 and seen is None:
            raise BoardUnplayable(f"the board disappeared after {path[0].text}: {HELP}")
        return None

    def has_begun(self, seen: LocatedBoard | None) -> bool:
        """Whether this is a new board that looks different from the ended one, if that was visible."""
        if seen is None or not is_new_board(seen, self.ended or self.before):
            return False
        return self.ended is None or not same_picture(seen, self.ended)

    def close_dialog(self, dialog: int) -> bool:
        """Close a dialog with Escape or its close button; returns whether it closed."""
        self.window.answer(dialog, "escape")
        if self.window.dialog() == dialog:
            self.window.dismiss(dialog)
        return self.window.dialog() != dialog

    def _look_until_still(self) -> LocatedBoard | None:
        """Wait until the board is new or unchanged, at most a few times: some programs reset cell by cell."""
        ended = self.ended or self.before
        for _ in range(MOST_WAITS):
            seen = self.look()
            is_still = seen is not None and (seen.board == ended.board or is_new_board(seen, ended))
            if is_still or self.window.dialog() is not None:
                return seen
            self.window.wait()
        return self.look()

    def _look_at_page(self) -> LocatedBoard | None:
        """The board, or None. Raises AmbiguousBoard and BoardUnplayable: boxes here may be cells."""
        try:
            return self.window.look()
        except BoardNotFound:
            return None

    def look(self) -> LocatedBoard | None:
        """The board; None unless exactly one is visible."""
        try:
            return self.window.look()
        except (BoardNotFound, AmbiguousBoard, BoardUnplayable):
            return None


KEYS = ("f2", "n", "r")  # Windows programs; puzzle collections; pygame programs
PAGE_KEYS = ("f5",)  # reloads a web page: some pages begin with a choice of level
LAST_KEYS = ("space", "enter", "ctrl+n")  # "press any key"; menu shortcut: some programs ask for a size first
# new game, reload, new document: these neither type text nor press a button, whatever other keys do
SHORTCUTS = ("f2", "f5", "ctrl+n")
ANSWERS = ("enter", "space")  # keys that press the default button of a dialog
MOST_PLACES, MOST_LETTERS = 6, 3  # clicks on candidates with a border, and without
MOST_DIALOGS = 4  # consecutive dialogs
MOST_ASKING = 2  # paths to a dialog whose default answer is accepted


@dataclass
class NextGameFinder:
    """Starts new games in a `window`, and remembers in `known` what worked.

    It tries the default answers of a dialog, the remembered path, keys, buttons and menus: cheap and harmless
    actions first.
    """

    window: GameWindow
    known: RestartMemory = field(default_factory=RestartMemory)

    def next_board(self, before: LocatedBoard, last: Board) -> LocatedBoard:
        """A new board after a game that began on the board `before` and ended on the board `last`.

        Raises ProgramExited, and BoardUnplayable if no action starts a game.
        """
        seen = self._next_board(before, last)
        self.window.on_game_start(seen)
        return seen

    def _next_board(self, before: LocatedBoard, last: Board) -> LocatedBoard:
        self.window.close_menus()
        attempt = RestartAttempt(self.window, before)
        ended = attempt.look()
        if is_hidden(ended, before) and self.window.dialog() is None:  # a message in the window hides it
            self.window.act(RestartAction("key", ANSWERS[0]))
            ended = attempt.look()
        if self.window.dialog() is None and ended is not None and is_new_game(ended, last, before):
            return ended
        remembered = self.known.of(self.window.program)
        new = self._answer_dialogs(attempt, before, remembered[:1])
        if new is not None:
            return new
        ended = attempt.look()
        attempt = RestartAttempt(self.window, before, None if is_hidden(ended, before) else ended)
        known_path = remembered if remembered and remembered[0].kind != "dialog" else ()
        new = attempt.repeat(known_path) or self._other_size(attempt, known_path)
        if new is None and attempt.ended is None and self.window.has_followed:
            new = attempt.follow_page() or attempt.other_level(())
        if new is None:
            new = self._try_actions(attempt, known_path)
        if new is not None:
            if attempt.succeeded:
                self.known.remember(self.window.program, attempt.succeeded)
            return new
        late = attempt.look()
        if late is not None and attempt.has_begun(late):
            return late
        keys = ", ".join(attempt.pressed)
        raise BoardUnplayable(
            f"no next game: neither the keys {keys} nor any button starts a game here: {HELP}"
        )

    def _try_actions(self, attempt: RestartAttempt, known_path: RestartPath) -> LocatedBoard | None:
        for action in self._actions(attempt):
            if (action,) == known_path or attempt.is_excluded(action):
                continue
            new = attempt.follow((action,)) or self._other_size(attempt, (action,))
            if new is not None:
                return new
        return next(filter(None, map(attempt.accept_dialog, attempt.asking[:MOST_ASKING])), None)

    def _other_size(self, attempt: RestartAttempt, path: RestartPath) -> LocatedBoard | None:
        """The board after a path that led to another level, preferably a board of the previous size.

        Similar buttons next to the clicked one may choose the other levels.
        """
        seen = attempt.other_level(path)
        while seen is not None and path[-1].kind == "place" and len(path) < LONGEST:
            action = _first_new(self.window.similar_places(path[-1], seen), path)
            if action is None:
                break
            path = (*path, action)
            new = attempt.follow(path)
            if new is not None:
                return new
            seen = attempt.other_level(path)
        return seen

    def _actions(self, attempt: RestartAttempt) -> Iterator[RestartAction]:
        yield from _keys(KEYS)
        yield from self._places(attempt, MOST_PLACES, lambda action: action.width > 0)
        yield from _keys(PAGE_KEYS)
        yield from self._places(attempt, MOST_LETTERS, lambda action: not action.width)
        yield from _keys(LAST_KEYS)

    def _places(
        self, attempt: RestartAttempt, most: int, is_wanted: Callable[[RestartAction], bool]
    ) -> Iterator[RestartAction]:
        """At most `most` places, most likely first; each is searched for in the current image."""
        tried: list[RestartAction] = []
        while len(tried) < most:
            places = self.window.places(attempt.ended is None)
            action = _first_new(filter(is_wanted, places), tried)
            if action is None:
                return
            tried.append(action)
            if action.side != "over" or attempt.ended is None:  # otherwise the click would open a cell
                yield action

    def _answer_dialogs(
        self, attempt: RestartAttempt, before: LocatedBoard, remembered: Sequence[RestartAction]
    ) -> LocatedBoard | None:
        """Give dialogs their default answers; return the new board if these lead to one."""
        first = [action for action in remembered if action.kind == "dialog"]
        defaults = (RestartAction("dialog", key) for key in ANSWERS)
        answers = [*first, *(action for action in defaults if action not in first)]
        for _ in range(MOST_DIALOGS):
            dialog = self.window.dialog()
            if dialog is None:
                return None
            worked = self._answer(attempt, dialog, answers)
            seen = attempt.look()
            if seen is not None and self.window.dialog() is None and is_new_board(seen, before):
                if worked is not None:
                    self.known.remember(self.window.program, (worked,))
                return seen
            if worked is None:
                raise BoardUnplayable(f"a dialog of the program does not close: {HELP}")
        raise BoardUnplayable(f"the program opens one dialog after another: {HELP}")

    def _answer(
        self, attempt: RestartAttempt, dialog: int, answers: Sequence[RestartAction]
    ) -> RestartAction | None:
        """Close a dialog with a key, a button or Escape; returns the action that did it."""
        for action in answers:
            self.window.answer(dialog, action.key)
            if self.window.dialog() != dialog:
                return action
        for number in range(min(self.window.choices(dialog), 2)):
            self.window.choose(dialog, number)
            if self.window.dialog() != dialog:
                return answers[0]
        return RestartAction("dialog", "escape") if attempt.close_dialog(dialog) else None


def _first_new(actions: Iterable[RestartAction], tried: Sequence[RestartAction]) -> RestartAction | None:
    """The first action that resembles none of those tried."""
    return next((each for each in actions if not any(each.is_like(other) for other in tried)), None)


def _keys(names: Sequence[str]) -> Iterator[RestartAction]:
    return (RestartAction("key", name) for name in names)
