"""A message of the program over its board, which is answered so that the board shows how the game ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from tables import FixedProbe, Table, field_of

from bot.game.player import Player, make_player
from bot.game.types import GameRules
from games.errors import BoardUnplayable
from games.logic import bits
from games.minesweeper import HIDDEN, UNKNOWN, Board, Move
from strategies import Reasoner, load_strategies
from vision.reading import Reading

WON = "....\n....\n...*\n..*."  # the last cell is safe by the total
LOST = "..\n..\n*."  # one of the two is a mine, and the first is tried


class Message(Table):
    """A game whose program lays a message over the board once it has ended, before that is drawn.

    `covers` makes of the board what is to be seen of it, None for nothing; an answer takes it away.
    """

    def __init__(self, truth: str, covers: Callable[[Board], Board | None], first: int = 0) -> None:
        super().__init__(field_of(truth))
        self.field.play([Move("open", first)])
        self.covers = covers
        self.answered = 0

    @property
    def is_covered(self) -> bool:
        return (self.field.is_won or bool(self.field.board.shown_mines)) and not self.answered

    def look(self) -> Reading:
        reading = super().look()
        seen = self.covers(reading.board) if self.is_covered else reading.board
        if seen is None:
            raise BoardUnplayable("the board is covered by 'Message'")
        return Reading.sure(seen)

    def answer(self) -> bool:
        self.answered += self.is_covered
        return bool(self.answered)


def corners(board: Board) -> Board:
    """A number and the last cell cannot be read, and no mine is drawn yet."""
    mines = dict.fromkeys(bits(board.shown_mines), HIDDEN)
    return board.with_states({**mines, 0: UNKNOWN, (15 if len(board) == 16 else 4): UNKNOWN})


class Disguised(Message):
    """A mine that was hit looks like a shut cell, and behind the message the program takes no more acts."""

    def look(self) -> Reading:
        reading = super().look()
        board = reading.board
        return Reading.sure(board.with_states(dict.fromkeys(bits(board.shown_mines), HIDDEN)))

    def act(self, moves: Sequence[Move], certain: bool) -> None:
        if self.field.board.shown_mines:
            self.acts.append(list(moves))
        else:
            super().act(moves, certain)


def player(table: Message, probe: bool = True, answers: bool = True) -> Player:
    rules = GameRules(table.field.board.mines, "none", "open")
    return make_player(
        table,
        Reasoner(load_strategies()),
        rules,
        probe=FixedProbe() if probe else None,
        dismiss_dialog=table.answer if answers else None,
    )


@pytest.mark.parametrize(("truth", "result"), [(WON, "won"), (LOST, "lost")])
@pytest.mark.parametrize("covers", [corners, lambda board: None], ids=["in part", "all of it"])
def test_player_message_answered_result_as_shown(
    truth: str, result: str, covers: Callable[[Board], Board | None]
) -> None:
    table = Message(truth, covers)
    told = player(table).play()
    assert (told.result, told.known) == (result, "seen")
    assert table.answered == 1


def test_player_unexpected_message_result_as_shown() -> None:
    table = Message(LOST, lambda board: None)
    assert player(table, probe=False).play().result == "lost"


def test_player_message_and_mine_like_cover_lost() -> None:
    table = Disguised("*.....*\n.......", lambda board: None, first=3)  # at each end one of two
    told = player(table).play()
    assert (told.result, told.known, told.wrong_certain) == ("lost", "inferred", 0)
    assert table.answered == 1


def test_player_mine_like_cover_certain_move_counted() -> None:
    class Misread(Disguised):
        def look(self) -> Reading:  # a 1 is read as a 0: what is left beside it looks safe
            return Reading.sure(super().look().board.with_states({2: "0"}))

    told = player(Misread("...*.*..", lambda board: None)).play()
    assert (told.result, told.known, told.wrong_certain) == ("lost", "inferred", 1)


def test_player_unanswered_message_is_unknown() -> None:
    table = Message(LOST, lambda board: None)
    with pytest.raises(BoardUnplayable, match="covered by 'Message'"):
        player(table, answers=False).play()
