"""Simulated programs between two games, for tests of starting the next game; no screen, no mouse."""

from __future__ import annotations

from drawing import draw, lattice_for, skin_of

from bot.play.finder import LocatedBoard
from bot.play.next_game import KEYS, PAGE_KEYS, NextGameFinder
from bot.play.next_game_actions import RestartAction, RestartMemory
from bot.play.widgets import Menu
from games.errors import BoardNotFound
from games.minesweeper import Board

SKIN = skin_of("xdemineur")
FRESH, OPENED = "....\n....\n....\n....", "1...\n....\n....\n...."
LOST, WON = "11..\n11..\n..!.\n....", "0000\n0000\n0011\n001F"
LARGER, WIDE = "\n".join(["......"] * 6), "......\n......"
FACE = RestartAction("place", "", "above", 0.0, -1.0, width=1.0)
BUTTON = RestartAction("place", "", "below", 0.0, 1.0, width=3.0)
MENU = RestartAction("place", "", "above", -2.0, -2.0)  # letters
MESSAGE = RestartAction("place", "", "over", 0.0, 0.5, width=3.0)
BEFORE_LETTERS = [*KEYS, FACE, BUTTON, *PAGE_KEYS]


def seen(text: str) -> LocatedBoard:
    board = Board.parse(text)
    return LocatedBoard(draw(board, SKIN), lattice_for(board, SKIN, 24, 32), board, SKIN)


class GameProgram:
    """A program that starts a game after the action `starts`; the action `spoils` hides the board.

    `shows` is its board, or None if no board is visible. Each key in `answers` closes one dialog over the
    board. With `is_lost`, Escape does not restore the board.
    """

    program = "a program: mines"
    has_followed = False

    def __init__(
        self,
        starts: str | RestartAction,
        shows: str | None = LOST,
        spoils: str | RestartAction = "",
        answers: str = "",
        is_lost: bool = False,
    ) -> None:
        self.is_lost = is_lost
        self.done: list[str | RestartAction] = []
        self.starts, self.shows, self.spoils = starts, shows, spoils
        self.dialogs = answers.split()
        self.starting: list[str | None] = []  # boards shown before the fresh board, and that board
        self.waits = 0
        self.buttons = 0
        self.pages = 0

    def look(self) -> LocatedBoard:
        if self.dialogs or self.shows is None:
            raise BoardNotFound("something else")
        return seen(self.shows)

    def close_menus(self) -> None:
        """No menu is open."""

    def _do(self, what: str | RestartAction) -> None:
        self.done.append(what)
        if what == self.starts:
            self.shows, *self.starting = [*self.starting, FRESH]
        elif what == self.spoils:
            self.shows = None
        elif what == "escape" and self.shows is None and not self.is_lost:
            self.shows = LOST

    def act(self, way: RestartAction) -> bool:
        before = self.shows, self.dialogs, self.pages
        self._do(way.key if way.kind == "key" else way)
        return before != (self.shows, self.dialogs, self.pages)

    def menu(self) -> Menu | None:
        return None

    def menu_over_board(self, way: RestartAction) -> Menu | None:
        return None

    def is_field(self, way: RestartAction, menu: Menu) -> bool:
        return False

    def places(self, is_hidden: bool) -> list[RestartAction]:
        return [FACE, BUTTON, MENU, *([MESSAGE] if is_hidden else [])]

    def places_without_board(self) -> list[RestartAction]:
        return []

    def similar_places(self, way: RestartAction, seen: LocatedBoard) -> list[RestartAction]:
        return []

    def dialog(self) -> int | None:
        return len(self.dialogs) or None

    def contains(self, window: int, seen: LocatedBoard) -> bool:
        return False

    def answer(self, dialog: int, key: str) -> None:
        self.done.append(f"dialog {key}")
        if key == self.dialogs[0]:
            self.dialogs.pop(0)
            if not self.dialogs and self.starts == "dialog":
                self.shows = FRESH

    def dismiss(self, dialog: int) -> None:
        self.answer(dialog, "closed")

    def wait(self) -> None:
        self.waits += 1
        if self.starting:
            self.shows, self.starting = self.starting[0], self.starting[1:]

    def on_game_start(self, seen: LocatedBoard) -> None:
        self.began = seen

    def choices(self, dialog: int) -> int:
        return self.buttons

    def choose(self, dialog: int, number: int) -> None:
        self.answer(dialog, f"button {number}")

    def choose_only(self, dialog: int) -> None:
        self.answer(dialog, "button")


def place(x: float, is_face: bool = False) -> RestartAction:
    """A box in a row above the board."""
    return RestartAction("place", "", "above", x, -1.0, is_face, width=1.0)


def next_board(
    program: GameProgram, known: RestartMemory | None = None, board: str = FRESH
) -> list[str | RestartAction]:
    """Start the next game; return the actions that led to this board."""
    program.done = []
    finder = NextGameFinder(program, known or RestartMemory())  # type: ignore[arg-type]
    begun = finder.next_board(seen(FRESH), Board.parse(LOST))
    assert begun.board == Board.parse(board)
    assert program.began == begun
    return program.done


class SizeDialog(GameProgram):
    """A program whose FACE opens a dialog that asks for the size; `accepts` starts a game."""

    def __init__(self, accepts: str) -> None:
        super().__init__("nothing")
        self.accepts = accepts

    def act(self, way: RestartAction) -> bool:
        self.dialogs = ["escape"] if way == FACE else self.dialogs
        return super().act(way) or way == FACE

    def answer(self, dialog: int, key: str) -> None:
        self.done.append(f"dialog {key}")
        if key in ("escape", self.accepts):
            self.dialogs = []
            self.shows = FRESH if key == self.accepts else self.shows


class LevelRow(GameProgram):
    """A row of level buttons, with a board of another size for each; the last one quits."""

    def __init__(self, boards: list[str]) -> None:
        super().__init__("nothing")
        self.boards = boards
        self.row = [place(float(k)) for k in range(len(boards) + 1)]

    def act(self, way: RestartAction) -> bool:
        self.done.append(way.key or way)
        if way in self.row:
            self.shows = self.boards[self.row.index(way)]
        return way in self.row

    def places(self, is_hidden: bool) -> list[RestartAction]:
        return self.row[:1]

    def similar_places(self, way: RestartAction, seen: LocatedBoard) -> list[RestartAction]:
        return [each for each in self.row[:-1] if each != way]


class Levels(GameProgram):
    """A program that starts with a page (or a menu) of levels, with a board of another size for each.

    The action `head` opens the page. `boards` has a board for each level.
    """

    def __init__(self, head: RestartAction, boards: list[str], is_menu: bool) -> None:
        super().__init__("nothing")
        self.head, self.boards, self.is_menu = head, boards, is_menu

    def act(self, way: RestartAction) -> bool:
        self.done.append(way.key if way.kind == "key" else way)
        if way == self.head:
            self.pages, self.shows = 1, None
        elif way.kind == "entry" or (way.kind == "place" and way.side == "over"):
            number = way.number if way.kind == "entry" else round(way.x)
            assert self.pages, "nothing is open"
            self.pages, self.shows = 0, self.boards[number]
        elif way.key == "escape" and self.pages:
            self.pages, self.shows = 0, LOST
        else:
            return False
        return True

    def menu(self) -> Menu | None:
        middles = tuple((0.0, float(k)) for k in range(len(self.boards)))
        return Menu(1, (0, 0, 9, 9), middles) if self.pages and self.is_menu else None

    def places_without_board(self) -> list[RestartAction]:
        return [RestartAction("place", "", "over", float(k), 0.0, width=3.0) for k in range(len(self.boards))]
