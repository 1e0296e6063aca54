"""The next game on a program that nobody described."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from drawing import draw, lattice_for, skin_of

from bot.live.finding import Seen
from bot.live.restarting import Restarter, is_fresh
from games.errors import NoBoard, Unplayable
from games.minesweeper import Board

SKIN = skin_of("xdemineur")
FRESH, OPENED = "....\n....\n....\n....", "1...\n....\n....\n...."
LOST, WON = "11..\n11..\n..!.\n....", "0000\n0000\n0011\n001F"


def seen(text: str) -> Seen:
    board = Board.parse(text)
    return Seen(draw(board, SKIN), lattice_for(board, SKIN, 24, 32), SKIN, board)


class Program:
    """A program that starts a new game when one key is pressed, and shows something else after another."""

    def __init__(self, key: str, shows: str, poison: str = "") -> None:
        self.pressed: list[str] = []
        self._key, self._shows, self._poison = key, shows, poison

    def press(self, key: str) -> None:
        self.pressed.append(key)
        if key == self._key:
            self._shows = FRESH

    def find(self) -> Seen:
        if self.pressed and self.pressed[-1] == self._poison:
            raise NoBoard("a dialog")
        return seen(self._shows)


def test_the_key_that_works_is_the_first_to_be_tried_the_next_time() -> None:
    program = Program("f5", LOST)
    restarter = Restarter(program.press, program.find)
    assert restarter.next_board().board == Board.parse(FRESH)
    assert program.pressed == ["f2", "n", "f5"]
    assert restarter.keys == ("f5", "f2", "n", "ctrl+n")


def test_a_game_that_has_started_by_itself_is_taken_without_a_key() -> None:
    program = Program("f2", FRESH)
    assert Restarter(program.press, program.find).next_board().board == Board.parse(FRESH)
    assert program.pressed == []


def test_no_key_is_pressed_once_one_has_brought_something_else_up() -> None:
    program = Program("f5", LOST, poison="n")
    with pytest.raises(Unplayable, match="after the key n: start the next game by hand"):
        Restarter(program.press, program.find).next_board()
    assert program.pressed == ["f2", "n"]


@pytest.mark.parametrize(
    ("now", "before", "is_new"),
    [
        (FRESH, LOST, True),
        (LOST, LOST, False),
        (WON, WON, False),
        (OPENED, WON, True),
        (OPENED, OPENED, False),
    ],
)
def test_a_fresh_board_is_told_from_one_that_has_ended(now: str, before: str, is_new: bool) -> None:
    assert is_fresh(seen(now), seen(before)) is is_new


def test_a_program_that_knows_none_of_the_keys_is_told_of() -> None:
    no_key: Callable[[str], None] = lambda key: None  # noqa: E731 - a program that is deaf
    with pytest.raises(Unplayable, match=r"none of the keys f2, n, f5, ctrl\+n starts a game here"):
        Restarter(no_key, lambda: seen(WON)).next_board()
