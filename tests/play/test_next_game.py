"""`NextGameFinder` on fake programs without a program file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from drawing import draw, lattice_for, skin_of

from bot.play.finder import LocatedBoard
from bot.play.next_game import KEYS, LAST_KEYS, PAGE_KEYS, NextGameFinder, is_new_board, is_new_game
from bot.play.next_game_actions import FILE, RestartAction, RestartMemory
from bot.play.next_game_window import GameWindow
from bot.play.widgets import Menu
from games.errors import BoardNotFound, BoardUnplayable, InvalidFile
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
    board. With `is_lost`, Escape does not restore the board. `boards` has the boards after other actions, and
    `row` is the row of buttons above the board, whose last one quits.
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
        boards: Mapping[Any, str | None] | None = None,
        row: Sequence[RestartAction] = (),
    ) -> None:
        self.is_lost = is_lost
        self.boards = boards or {}
        self.row = row
        self.done: list[str | RestartAction] = []
        self.starts, self.shows, self.spoils = starts, shows, spoils
        self.dialogs = answers.split()
        self.starting: list[str | None] = []  # boards shown before the fresh board, and that board
        self.waits = 0
        self.buttons = 0

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
        elif what in self.boards:
            self.shows = self.boards[what]
        elif what == self.spoils:
            self.shows = None
        elif what == "escape" and self.shows is None and not self.is_lost:
            self.shows = LOST

    def act(self, way: RestartAction) -> bool:
        before = self.shows, self.dialogs
        self._do(way.key if way.kind == "key" else way)
        return before != (self.shows, self.dialogs)

    def menu(self) -> Menu | None:
        return None

    def menu_over_board(self, way: RestartAction) -> Menu | None:
        return None

    def is_field(self, way: RestartAction, menu: Menu) -> bool:
        return False

    def places(self, is_hidden: bool) -> list[RestartAction]:
        return [*self.row[:1]] or [FACE, BUTTON, MENU, *([MESSAGE] if is_hidden else [])]

    def places_without_board(self) -> list[RestartAction]:
        return []

    def similar_places(self, way: RestartAction, seen: LocatedBoard) -> list[RestartAction]:
        return [each for each in self.row[:-1] if each != way]

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


class Levels(GameProgram):
    """A program that starts with a page (or a menu) of levels, with a board of another size for each.

    The action `head` opens the page. `boards` has a board for each level.
    """

    def __init__(
        self, head: RestartAction, boards: list[str], is_menu: bool, shows: str | None = LOST
    ) -> None:
        self.levels = [
            RestartAction("entry", number=k)
            if is_menu
            else RestartAction("place", "", "over", float(k), width=3.0)
            for k in range(len(boards))
        ]
        super().__init__("nothing", shows, boards={head: None, **dict(zip(self.levels, boards, strict=True))})
        self.is_menu = is_menu

    def menu(self) -> Menu | None:
        middles = tuple((0.0, float(k)) for k in range(len(self.levels)))
        return Menu(1, (0, 0, 9, 9), middles) if self.is_menu and self.shows is None else None

    def places_without_board(self) -> list[RestartAction]:
        return [] if self.is_menu else self.levels


@pytest.mark.parametrize(
    ("starts", "before"),
    [
        ("r", [*KEYS[:2]]),
        (FACE, [*KEYS]),
        (BUTTON, [*KEYS, FACE]),
        ("f5", [*KEYS, FACE, BUTTON]),
        (MENU, BEFORE_LETTERS),
        ("enter", [*BEFORE_LETTERS, MENU, "space"]),
    ],
)
def test_new_game_working_way_is_tried_first(
    starts: str | RestartAction, before: list[str | RestartAction], tmp_path: Path
) -> None:
    assert next_board(GameProgram(starts), RestartMemory(tmp_path)) == [*before, starts]
    assert next_board(GameProgram(starts), RestartMemory(tmp_path)) == [starts]


ESCAPED = ["dialog enter", "dialog space", "dialog escape"]
SPOILED = ["f2", "n", "enter", "space", "escape"]  # n opens a window: no other letter, space or Enter


@pytest.mark.parametrize(
    ("program", "done"),
    [
        (GameProgram("f2", FRESH), []),  # it has started by itself
        (GameProgram("dialog", answers="enter"), ["dialog enter"]),
        (GameProgram("dialog", answers="space"), ["dialog enter", "dialog space"]),
        (GameProgram("dialog", answers="enter enter"), ["dialog enter", "dialog enter"]),  # two dialogs
        (GameProgram("dialog", answers="escape"), ESCAPED),
        (GameProgram("dialog", answers="closed"), [*ESCAPED, "dialog closed"]),
        (GameProgram(FACE, answers="enter"), ["dialog enter", *KEYS, FACE]),  # the dialog starts no game
        (GameProgram(FACE, spoils="n"), [*SPOILED, FACE]),
        (GameProgram("f5", spoils="n"), [*SPOILED, FACE, BUTTON, "f5"]),
        (GameProgram("ctrl+n", spoils="n"), [*SPOILED, FACE, BUTTON, "f5", MENU, "ctrl+n"]),
    ],
)
def test_new_game_actions(program: GameProgram, done: list[str | RestartAction]) -> None:
    assert next_board(program) == done


def test_new_game_dialog_buttons_left_to_right() -> None:
    program = GameProgram("dialog")
    program.dialogs, program.buttons = ["button 1"], 3
    assert next_board(program)[-2:] == ["dialog button 0", "dialog button 1"]


def test_new_game_lasting_dialog_is_reported() -> None:
    with pytest.raises(BoardUnplayable, match="a dialog of the program does not close: start the next game"):
        next_board(GameProgram("f2", answers="never"))


def test_new_game_options_dialog_closed_tries_face() -> None:
    options, face = place(-3.0), place(1.0, is_face=True)
    quits = place(3.0)

    class Row(GameProgram):
        def places(self, is_hidden: bool) -> list[RestartAction]:
            return [options, quits, face]

        def act(self, way: RestartAction) -> bool:
            super().act(way)
            self.dialogs = ["closed"] if way == options else []
            return way in (options, face)

    done = next_board(Row(face))
    assert done == [*KEYS, options, "dialog escape", "dialog closed", face]


def test_new_game_slow_change_gets_time() -> None:
    program = GameProgram(FACE)
    program.starting = [None, "11..\n11..\n1...\n1..."]
    assert next_board(program) == [*KEYS, FACE]
    assert program.waits == 2


def test_new_game_message_in_window_answered_first() -> None:
    class Hidden(GameProgram):  # parts of the covered board look like a board
        def act(self, way: RestartAction) -> bool:
            self.shows = LOST if way.key == "enter" else self.shows
            return super().act(way)

    for shown in (None, "~~~~\n~~~~", "~~~~\n~~~~\n~~~~\n~~~~"):
        assert next_board(Hidden("f2", shows=shown)) == ["enter", "f2"]


def test_new_game_remembered_way_still_known(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(
        '{"a program: mines": {"kind": "key", "key": "f5", "side": "above", "x": 0, "y": 0}}'
    )
    assert next_board(GameProgram("f5"), RestartMemory(tmp_path)) == ["f5"]


def test_new_game_late_board_is_taken() -> None:
    class Slow(GameProgram):
        def wait(self) -> None:
            """No effect."""

        def act(self, way: RestartAction) -> bool:
            if self.shows is None:
                self.shows = FRESH
            elif way.key == "f5":
                self.shows = None
            self.done.append(way.key or way)
            return self.shows != LOST

    assert next_board(Slow("f5")) == [*KEYS, FACE, BUTTON, "f5", "enter"]

    class Slower(GameProgram):  # no effect is visible until the end
        def look(self) -> LocatedBoard:
            return seen(FRESH if len(self.done) > len(BEFORE_LETTERS) + len(LAST_KEYS) else LOST)

    assert next_board(Slower("nothing")) == [*BEFORE_LETTERS, MENU, *LAST_KEYS]


def test_new_game_lost_board_stops_attempts() -> None:
    program = GameProgram("r", spoils="n", is_lost=True)
    with pytest.raises(BoardUnplayable, match="the board disappeared after the key n"):
        next_board(program)
    assert program.done == ["f2", "n", "enter", "space", "escape"]


def test_new_game_message_button_without_board() -> None:
    assert next_board(GameProgram(MESSAGE, None))[-1] == MESSAGE
    known = RestartMemory()
    known.remember(GameProgram.program, (MESSAGE,))
    assert MESSAGE not in next_board(GameProgram(FACE), known)  # would click a cell


@pytest.mark.parametrize(
    ("now", "before", "is_new"),
    [
        (FRESH, LOST, True),
        (LOST, LOST, False),
        (WON, WON, False),
        (OPENED, WON, True),
        (OPENED, OPENED, False),
        ("0011\n001.\n111.\n....", WON, True),  # a large opening
        ("0011\n001.\n111.\n....", "0000\n0000\n0011\n001.", True),  # after a win that shows no mine
        ("0011\n001.\n11~.\n....", "0000\n0000\n0011\n001.", False),  # may be a message
        ("0000\n00..\n0011\n001F", WON, False),
        ("....\n.12.\n.11.\n....", "1...\n....\n...*\n....", True),  # opened by the program
        ("11..\n11..\n....\n....", "1...\n....\n....\n....", False),  # not a loss
        ("....\n.~..\n....\n....", "....\n.~..\n....\n....", False),  # lost by its first click
        ("....\n....\n....\n....", "....\n.~..\n....\n....", True),
        ("....\n.~..\n....\n....", LOST, True),
        ("...\n...", LOST, False),  # another size: other options
    ],
)
def test_new_game_fresh_board_told_from_ended_one(now: str, before: str, is_new: bool) -> None:
    assert is_new_board(seen(now), seen(before)) is is_new


@pytest.mark.parametrize(
    ("now", "last", "begun"),
    [
        (FRESH, WON, True),
        ("....\n....\n..12\n..1.", WON, True),  # a late click opened some cells
        ("11..\n11..\n....\n....", "11..\n11..\n....\n....", False),
        (LOST, LOST, False),
        ("....\n.~..\n....\n....", FRESH, False),  # a first click that hit a mine
        ("....\n....\n..~.\n....", LOST, True),
        ("~...\n~...\n..~.\n....", LOST, False),  # the same, with unread numbers
    ],
)
def test_new_game_automatic_program_left_alone(now: str, last: str, begun: bool) -> None:
    assert is_new_game(seen(now), Board.parse(last), seen(FRESH)) is begun


def test_new_game_mine_like_cover_is_no_new_game() -> None:
    """Lost by its first click: all cells are read as closed, and one looks slightly different."""
    ended = seen(FRESH)
    pixels = ended.frame.pixels.copy()
    left, top, right, bottom = ended.lattice.rectangle(5)
    pixels[top + 4 : bottom - 4, left + 4 : right - 4] -= 9
    assert not is_new_game(
        replace(ended, frame=replace(ended.frame, pixels=pixels)), Board.parse(FRESH), seen(FRESH)
    )
    assert is_new_game(seen(FRESH), Board.parse(FRESH), seen(FRESH))


def test_new_game_no_way_works_is_reported() -> None:
    program = GameProgram("nothing")
    with pytest.raises(
        BoardUnplayable, match=r"neither the keys f2, n, r, f5, space, enter, ctrl\+n nor any button"
    ):
        next_board(program)
    assert program.done == [*BEFORE_LETTERS, MENU, *LAST_KEYS]


@pytest.mark.parametrize("board", [(100, 80, 300, 200), (10, 400, 90, 60)])
@pytest.mark.parametrize(
    "place", [(250.0, 60.0), (250.0, 300.0), (20.0, 150.0), (450.0, 200.0), (200.0, 150.0)]
)
def test_new_game_place_found_relative_to_board(
    place: tuple[float, float], board: tuple[int, int, int, int]
) -> None:
    way = RestartAction.click_at(*place, board, 20.0)
    assert way.point(board, 20.0) == pytest.approx(place, abs=0.2)
    moved = (board[0] + 7, board[1] + 9, board[2], board[3])
    assert way.point(moved, 20.0) == pytest.approx((place[0] + 7, place[1] + 9), abs=0.2)


ACTION = '{"a": {"kind": "place", "key": "", "side": "above", "x": 0, "y": 0, "width": 0, "number": 0}}'
IMPOSSIBLE = [
    ACTION.replace(f'"{name}": 0', f'"{name}": {number}')
    for name in ("x", "y", "width", "number")
    for number in ("1e999", "1" + "0" * 400, "NaN", "-2000")
]


@pytest.mark.parametrize(
    "damage",
    ["", "[]", '{"a": {"kind": "key"}}', '{"a": 3}', ACTION.replace("place", "dance"), *IMPOSSIBLE],
)
def test_new_game_damaged_memory_is_named(damage: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(damage)
    with pytest.raises(InvalidFile, match=r"new-games.json: damaged .*: delete it") as caught:
        RestartMemory(tmp_path).of("a")
    assert "\n" not in str(caught.value)


# --- menus and pages of levels ----------------------------------------------------------------------------


@pytest.mark.parametrize("is_menu", [True, False])
@pytest.mark.parametrize(
    ("boards", "number"), [([FRESH, LARGER, "quit"], 0), ([LARGER, LARGER, FRESH, "quit"], 2)]
)
def test_level_menu_same_size_is_chosen(
    boards: list[str], number: int, is_menu: bool, tmp_path: Path
) -> None:
    head = MENU if is_menu else BUTTON
    program = Levels(head, boards, is_menu)
    ways = [head, program.levels[number]]
    assert next_board(program, RestartMemory(tmp_path))[-2:] == ways
    assert next_board(Levels(head, boards, is_menu), RestartMemory(tmp_path)) == ways


def test_menu_last_entry_is_never_taken() -> None:
    program = Levels(MENU, [LARGER, LARGER], is_menu=True)
    assert program.levels[1] not in next_board(program, board=LARGER)


@pytest.mark.parametrize(
    ("boards", "board", "clicked"),
    [
        ([LARGER, FRESH, FRESH], FRESH, 2),
        ([LARGER, WIDE, FRESH], FRESH, 3),
        ([LARGER, WIDE, LARGER], LARGER, 3),  # no level has the size: continue with the last one
    ],
)
def test_level_row_same_size_is_preferred(
    boards: list[str], board: str, clicked: int, tmp_path: Path
) -> None:
    row = [place(float(k)) for k in range(len(boards) + 1)]
    shown = dict(zip(row, boards, strict=False))
    done = next_board(GameProgram("nothing", boards=shown, row=row), RestartMemory(tmp_path), board)
    assert done == [*KEYS, *row[:clicked]]  # never the last button
    again = next_board(GameProgram("nothing", boards=shown, row=row), RestartMemory(tmp_path), board)
    assert again == row[:clicked]


@pytest.mark.parametrize("accepts", ["enter", "button"])
def test_new_game_size_dialog_is_accepted_last(accepts: str, tmp_path: Path) -> None:
    done = next_board(SizeDialog(accepts), RestartMemory(tmp_path))
    answers = ["dialog enter", "dialog button"][: 1 + (accepts == "button")]
    closed = ["dialog escape"]
    assert done == [*KEYS, FACE, *closed, BUTTON, *PAGE_KEYS, MENU, *LAST_KEYS, FACE, *answers]
    again = next_board(SizeDialog(accepts), RestartMemory(tmp_path))
    assert again == [FACE, answers[-1]]


class MenuWindow(Levels):
    """A program that has closed the window of its game and shows a page of levels."""

    has_followed = True

    def __init__(self, boards: list[str]) -> None:
        super().__init__(FACE, boards, is_menu=False, shows=None)

    def places_without_board(self) -> list[RestartAction]:
        return self.levels if self.shows is None else []


@pytest.mark.parametrize("board", [FRESH, LARGER])
def test_new_game_menu_window_chooses_level(board: str) -> None:
    done = next_board(MenuWindow([board, "quit"]), board=board)
    assert done == ["enter", RestartAction("place", "", "over", 0.0, width=3.0)]


def test_new_game_clipped_board_is_not_clicked() -> None:
    class Clipped(MenuWindow):
        def look(self) -> LocatedBoard:
            if self.shows == LARGER:
                raise BoardUnplayable("the board is cut at the bottom: move its window")
            return super().look()

    program = Clipped([LARGER, "quit"])
    with pytest.raises(BoardUnplayable, match="cut at the bottom"):
        next_board(program)
    assert len(program.done) == 2


def test_value_list_opened_by_key_is_recognised() -> None:
    unused: Any = None
    window = GameWindow(unused, unused, unused, seen(FRESH), unused)
    opened, again = Menu(1, (50, 80, 72, 100), ()), Menu(2, (50, 56, 72, 100), ())
    assert not window.is_field(RestartAction("key", "space"), again)
    assert window.is_field(BUTTON, opened)  # as wide as the field that was clicked
    assert window.is_field(RestartAction("key", "space"), again)
    assert not window.is_field(RestartAction("key", "space"), Menu(2, (50, 56, 90, 120), ()))


def test_new_game_behind_late_dialog_is_taken() -> None:
    """The ended board was not visible, and the new one looks like the one before."""

    class Late(GameProgram):
        def look(self) -> LocatedBoard:
            if not self.done:
                raise BoardNotFound("something else")
            return super().look()

        def act(self, way: RestartAction) -> bool:
            has_effect = super().act(way)
            self.dialogs = ["escape"] if way.key == "f2" else []
            return has_effect

    assert next_board(Late("f2", None)) == ["enter", "f2", "dialog escape"]


def test_new_game_message_names_tried_keys_only() -> None:
    with pytest.raises(BoardUnplayable, match=r"the keys f2, n, enter, space, f5, ctrl\+n nor any button"):
        next_board(GameProgram("nothing", spoils="n"))  # n opens a window


def test_value_list_is_left_unchanged() -> None:
    class FieldMenu(Levels):
        def is_field(self, way: RestartAction, menu: Menu) -> bool:
            return True

    program = FieldMenu(FACE, [LARGER, LARGER, LARGER], is_menu=True)
    with pytest.raises(BoardUnplayable, match="neither the keys"):
        next_board(program)
    assert program.done[: len(KEYS) + 3] == [*KEYS, FACE, "escape", BUTTON]
