"""What is counted of a game is what happened: whose move hit a mine, what was misread, what nobody saw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from tables import Heard, Table, field_of

from bot.game.board_change import changed_numbers
from bot.game.outcome import GameResult, OutcomeTracker, cells_opened_by
from bot.game.plan import Planner
from bot.game.player import make_player
from bot.game.types import GameRules, Plan
from games.errors import BoardUnplayable
from games.logic import cell_set
from games.minesweeper import Board, Minefield, Move
from strategies import Reasoner, load_strategies
from vision.reading import Reading

NOBODY = GameRules(None, "none", "open")


def tracker(**given: Any) -> OutcomeTracker:
    return OutcomeTracker(NOBODY, Planner(Reasoner(load_strategies()), NOBODY), **given)


def cells(board: Board, names: str) -> int:
    return cell_set(board.cell(name) for name in names.split())


# --- wrong certain moves -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "trusted", "risked", "last", "wrong"),
    [
        # a certain move hit a mine, now or long ago, and however the mine is drawn
        ("1!\n11", "r0c1", "", "r0c1", 1),
        ("1*\n11", "r0c1", "", "", 1),
        ("!*\n22", "r0c0 r0c1", "", "r0c0 r0c1", 2),
        # a guess did
        ("1!\n11", "", "r0c1", "", 0),
        ("!*\n2.", "r1c0", "r0c0", "", 0),
        # somebody else did: no move of ours was made there
        ("1!\n11", "r1c0 r1c1", "", "r1c0 r1c1", 0),
        ("1!\n1.", "r1c1", "", "r1c1", 0),
        # the mine that was hit cannot be read
        ("~*\n22", "r0c0", "", "r0c0", 1),
        ("~*\n22", "r0c0", "", "", 0),  # it was not opened last
        ("~!\n22", "r0c0", "", "r0c0", 0),  # another one exploded
        ("~*\n22", "r0c0", "r0c1", "r0c0", 0),
    ],
)
def test_outcome_mine_shown_at_end_wrong_certain(
    board: str, trusted: str, risked: str, last: str, wrong: int
) -> None:
    shown = Board.parse(board)
    books = tracker(
        opened_safe=cells(shown, trusted), opened_guess=cells(shown, risked), opened_last=cells(shown, last)
    )
    assert books.wrong_certain(shown, lost=True) == wrong


def test_outcome_unreadable_cell_no_mine_before_loss() -> None:
    assert tracker(opened_safe=1, opened_last=1).wrong_certain(Board.parse("~1\n11"), lost=False) == 0


@pytest.mark.parametrize(
    ("moves", "opened"),
    [
        ("open r0c0, open r2c2", "r0c0 r2c2"),
        ("flag r0c0", ""),
        ("flag r0c0, flag r0c1, chord r1c1", "r0c2 r1c0 r2c0 r2c2"),
        ("chord r1c1", "r0c0 r0c1 r0c2 r1c0 r2c0 r2c2"),
        ("unflag r1c2, flag r0c0, chord r1c1", "r0c1 r0c2 r1c0 r1c2 r2c0 r2c2"),
    ],
)
def test_outcome_chord_opens_unflagged(moves: str, opened: str) -> None:
    board = Board.parse("...\n.2F\n.1.")
    made = [Move.parse(text, board) for text in moves.split(", ")]
    assert board.names(cells_opened_by(made, board)) == opened.split()


def play(table: Table, rules: GameRules = NOBODY) -> tuple[GameResult, Heard]:
    told = Heard()
    return make_player(table, Reasoner(load_strategies()), rules, [told]).play(), told


def two_mines() -> Minefield:
    """Two mines beside a 2; the 1 below says that the left one, or the cell under the 2, is one of them."""
    field = field_of("*.*\n...")
    field.play([Move("open", 1), Move("open", 3)])
    assert field.board == Board.parse("mines 2\n.2.\n1..")
    return field


def misread(only_in_play: bool) -> Callable[[int, Board], Board]:
    """The 2 is taken for a 1: then the right mine is 'safe'."""
    return lambda _, board: board if only_in_play and board.shown_mines else board.with_states({1: "1"})


@pytest.mark.parametrize("only_in_play", [True, False])
def test_outcome_misread_number_counts_wrong_certain(only_in_play: bool) -> None:
    result, told = play(Table(two_mines(), misread(only_in_play)))
    assert not told.plans[0].guess
    assert (result.result, result.wrong_certain) == ("lost", 1)
    assert told.notes == (["corrected: r0c1 was read as 1"] if only_in_play else [])


class Meddled(Table):
    """Somebody clicks on a mine just before the first act."""

    def act(self, moves: Sequence[Move], certain: bool) -> None:
        self.field.play([Move("open", 0)])
        super().act(moves, certain)


def test_outcome_mine_opened_by_user_not_counted() -> None:
    field = field_of("*..\n...\n...")
    field.play([Move("open", 1)])  # with one mine in all, the row at the bottom is safe
    result, told = play(Meddled(field), GameRules(1, "none", "open"))
    assert not told.plans[0].guess
    assert (result.result, result.wrong_certain) == ("lost", 0)


# --- results that were seen ----------------------------------------------------------------------------


def test_outcome_brief_mine_is_no_loss() -> None:
    """Nothing was opened there, so it is looked at again."""

    def flash(look: int, board: Board) -> Board:
        return board.with_states({4: "*"}) if look == 2 else board

    field = field_of("*....\n.....\n.....\n.....", win_needs="flags")
    field.play([Move("open", 19)])
    assert play(Table(field, flash), GameRules(1, "none", "flags"))[0].result == "won"


def test_outcome_impossible_unopened_mines_no_loss() -> None:
    """Both beside one 1; all that was done is to set flags."""
    field = field_of("*....\n.....\n.....\n.....\n....*", win_needs="flags")
    field.play([Move("open", 12)])
    table = Table(field, lambda look, board: board.with_states({0: "*", 1: "*"}) if look > 1 else board)
    with pytest.raises(BoardUnplayable, match="no opened cell explains that"):
        play(table, GameRules(2, "none", "flags"))


def test_outcome_guessed_cell_is_no_flag() -> None:
    """The program draws the mine that was hit much like a flag, and takes no more acts: so it was hit."""

    def like_a_flag(_: int, board: Board) -> Board:
        return board.with_states(dict.fromkeys(board_cells(board, "!*"), "F")) if board.shown_mines else board

    table = Table(field_of("*...\n....\n...."), like_a_flag)
    result, _ = play(table, GameRules(1, "none", "open"))
    assert (result.result, result.known, result.wrong_certain) == ("lost", "inferred", 0)
    assert {move.kind for moves in table.acts for move in moves} == {"open"}


def board_cells(board: Board, states: str) -> list[int]:
    return [k for k in range(len(board)) if board[k] in states]


class Ended(Table):
    """A table that says that the game is over, and shows no mine."""

    def look(self) -> Reading:
        board = self.field.board.with_states({moves[0].cell: "1" for moves in self.acts})
        return replace(Reading.sure(board), has_ended=bool(self.acts))

    def act(self, moves: Sequence[Move], certain: bool) -> None:
        self.acts.append(list(moves))


def test_outcome_silent_end_is_unknown() -> None:
    table = Ended(field_of("*...\n...*"))
    with pytest.raises(BoardUnplayable, match="does not show the result"):
        play(table, GameRules(2, "none", "open"))
    assert len(table.acts) == 1


# --- readings that were corrected ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("earlier", "now", "wrong"),
    [
        ("12.\n...", "12.\n.1.", ""),
        ("12.\n...", "1~.\n...", ""),  # it cannot be read now
        ("12.\n...", "13.\n...", "r0c1"),
        ("12.\n...", "1.F\n...", "r0c1"),
        ("12.\n...", "1!*\n...", "r0c1"),
        ("1!*\n...", "12*\n...", "r0c1"),
        ("1*.\n...", "1!.\n...", ""),
        ("1F.\n...", "1.1\n...", ""),
        ("12.\n...", "...\n...", ""),  # a new game
        ("12.\n...", "12\n..", ""),
    ],
)
def test_outcome_changed_number_or_mine_was_misread(earlier: str, now: str, wrong: str) -> None:
    board = Board.parse(now)
    assert board.names(changed_numbers(board, Board.parse(earlier))) == wrong.split()


def test_outcome_lasting_number_change_believed() -> None:
    """The reader takes a number back once it knows better; nothing certain rests on the old one any more."""

    def learns(look: int, board: Board) -> Board:
        return board.with_states({1: "3"}) if look == 1 else board

    told = Heard()
    with pytest.raises(BoardUnplayable, match="has no effect"):
        make_player(Stubborn(two_mines(), learns), Reasoner(load_strategies()), NOBODY, [told]).play()
    assert told.notes[0] == "corrected: r0c1 was read as 3"


@pytest.mark.parametrize(
    ("after", "result"),
    [("~1..\n11..\n....", "lost"), ("~12.\n11..\n....", None), ("~1~.\n11..\n....", "lost")],
)
def test_outcome_earlier_opened_cell_no_mine(after: str, result: str | None) -> None:
    start = Board.parse("~1..\n11..\n....")
    plan = Plan((Move("open", 2), Move("open", 3)))
    outcomes = tracker(opened_safe=cells(start, "r0c0 r0c2 r0c3"), opened_last_plan=cells(start, "r0c0"))
    ending = outcomes.after_refused_moves(start, Board.parse(after), plan)
    assert (ending.result if ending else None) == result


class Stubborn(Table):
    """A table on which no act shows."""

    def act(self, moves: Sequence[Move], certain: bool) -> None:
        pass
