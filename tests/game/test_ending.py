"""What a game came to whose board went out of sight, or takes no more acts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tables import Table, field_of

from bot.game.outcome import (
    GameResult,
    Outcome,
    can_be_last_guess,
    is_consistent_end,
    opens_last_safe_cells,
    outcome_from_status,
    outcome_on_board,
)
from bot.game.player import make_player
from bot.game.types import BoardState, BoardStatus, GameRules, Plan
from games.errors import BoardUnplayable, ResultUnknown
from games.logic import Knowledge, cell_set
from games.minesweeper import HIDDEN, UNKNOWN, Board, Guess, Move, board_knowledge
from strategies import Reasoner, load_strategies
from vision.reading import Reading


def known(board: Board) -> Knowledge:
    return Reasoner(load_strategies()).deduce(board_knowledge(board)).knowledge


def opening(board: Board, names: str, guess: bool = False) -> Plan:
    moves = tuple(Move("open", board.cell(name)) for name in names.split())
    return Plan(moves, guess=Guess(moves[0].cell, 0.5) if guess else None)


def ending(text: str, opens: str, what: BoardState, same: str = "", guess: bool = False) -> Outcome | None:
    board = Board.parse(text)
    cells = cell_set(board.cell(name) for name in same.split())
    return outcome_from_status(board, opening(board, opens, guess), known(board), BoardStatus(what, cells))


LAST = "mines 1\n1.1\n11."  # r1c2 is safe, and the last one
MANY = "\n".join(["1........"] + ["........."] * 5)


@pytest.mark.parametrize("what", ["window", "message", "fresh", "gone", "closed"])
def test_outcome_covered_after_last_safe_cell_won(what: BoardState) -> None:
    won = ending(LAST, "r1c2", what)
    assert won is not None
    assert (won.result, won.known) == ("won", "inferred")


@pytest.mark.parametrize(
    ("text", "opens", "is_won"),
    [
        ("mines 2\n.1....\n11....", "r0c2", True),  # a zero there may open all but the second mine
        ("mines 2\n1.1...\n11....", "r1c2", False),  # beside a mine: five safe cells stay shut
    ],
)
def test_outcome_gone_after_certain_moves_won(text: str, opens: str, is_won: bool) -> None:
    won = ending(text, opens, "gone")
    assert (won is not None and won.result == "won") == is_won


def test_outcome_visibly_lost_click_not_won() -> None:
    assert ending(LAST, "r1c2", "window", same="r1c2") is None


def test_outcome_visible_board_has_no_end() -> None:
    assert ending(LAST, "r1c2", "there") is None


@pytest.mark.parametrize("what", ["window", "message", "fresh", "gone"])
def test_outcome_gone_after_early_guess_lost(what: BoardState) -> None:
    lost = ending(MANY, "r5c8", what, guess=True)
    assert lost is not None
    assert (lost.result, lost.known) == ("lost", "inferred")


@pytest.mark.parametrize(
    ("text", "guess", "what", "same"),
    [
        ("mines 1\n..\n11", "r0c0", "window", ""),  # the other may be the mine: it may have been won
        (MANY, "r5c8", "closed", ""),  # a program that was closed
        (MANY, "r5c8", "window", "r5c8"),  # the guess was not even seen
    ],
)
def test_outcome_ambiguous_is_unknown(text: str, guess: str, what: BoardState, same: str) -> None:
    assert ending(text, guess, what, same, guess=True) is None


def test_outcome_hidden_safe_cells_mean_lost() -> None:
    text = "mines 1\n...\n..."
    assert ending(text, "r0c0", "window", guess=True) is None
    lost = ending(text, "r0c0", "window", "r0c1 r0c2", guess=True)
    assert lost is not None
    assert lost.result == "lost"


@pytest.mark.parametrize(
    ("text", "cell", "may"),
    [
        ("mines 1\n..\n11", "r0c0", True),
        ("..\n11\n00\n11\n..", "r0c0", False),  # one of the two at the other end is safe as well
        (MANY, "r5c8", False),  # too much to open at once
        ("1..\n...\n...", "r2c2", True),  # a zero may reach all but one
    ],
)
def test_outcome_guess_may_open_all_safe_cells(text: str, cell: str, may: bool) -> None:
    board = Board.parse(text)
    assert can_be_last_guess(board, board.cell(cell), known(board)) is may


@pytest.mark.parametrize(
    ("text", "opened", "mines", "result"),
    [
        ("F~\n~F", "r0c1 r1c0", 2, "won"),
        ("F~\n~F", "r0c1", 2, None),  # the other may still be covered
        ("F~\n~F", "r0c1 r1c0", None, None),
        ("F~\n~F", "r0c1 r1c0", 3, None),  # one of them was hit
        ("F~\n.F", "r0c1", 2, None),
    ],
)
def test_outcome_all_mines_flagged_unread_is_safe(
    text: str, opened: str, mines: int | None, result: str | None
) -> None:
    board = Board.parse(text)
    cells = cell_set(map(board.cell, opened.split()))
    ending = outcome_on_board(board, GameRules(mines), known(board), cells)
    assert (ending and ending.result) == result


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("1.1\n111", True),
        ("mines 1\n1.1\n111", True),
        ("..\n22", True),
        ("mines 1\n..\n22", False),  # one of the numbers was misread, or the total is another
        ("..1\n111", False),  # one of two is safe
        ("..\n..", False),  # nothing says so yet
    ],
)
def test_outcome_complete_if_hidden_can_be_mines(text: str, complete: bool) -> None:
    assert is_consistent_end(Board.parse(text)) is complete


def test_outcome_certain_moves_finish_hidden_pocket() -> None:
    board = Board.parse("..2\n..2\n22.")  # what is in the corner only the total would tell
    assert opens_last_safe_cells(board, opening(board, "r2c2"), known(board))


# --- the loop ------------------------------------------------------------------------------------------


class Heard:
    """Keeps notes."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def on_reading(self, reading: Reading) -> None:
        pass

    def on_plan(self, board: Board, plan: Plan) -> None:
        pass

    def on_moves(self, board: Board, moves: Sequence[Move]) -> None:
        pass

    def on_note(self, text: str) -> None:
        self.notes.append(text)


class Covered(Table):
    """A table over which something comes when its game has ended; `glimpse` is seen before that."""

    what: BoardState = "window"
    glimpse = False

    def look(self) -> Reading:
        if self.field.is_won or self.field.board.shown_mines:
            raise BoardUnplayable("the board is covered by 'Well done'")
        return super().look()

    def status(self, waits: bool) -> BoardStatus:
        return BoardStatus(self.what, 0, Reading.sure(self.field.board) if self.glimpse else None)


def play(table: Covered, rules: GameRules) -> GameResult:
    return make_player(table, Reasoner(load_strategies()), rules, probe=table).play()


def covered(truth: str, what: BoardState = "window", glimpse: bool = False, open_first: int = -1) -> Covered:
    table = Covered(field_of(truth))
    table.what, table.glimpse = what, glimpse
    if open_first >= 0:
        table.field.play([Move("open", open_first)])
    return table


ONE_MINE = "....\n.*..\n....\n...."


@pytest.mark.parametrize("glimpse", [True, False])
@pytest.mark.parametrize("total", [1, None])
def test_outcome_window_over_won_game_is_won(total: int | None, glimpse: bool) -> None:
    result = play(covered(ONE_MINE, glimpse=glimpse, open_first=15), GameRules(total, "none", "unknown"))
    assert (result.result, result.wrong_certain) == ("won", 0)
    assert result.known == ("seen" if glimpse else "inferred")


def test_outcome_brief_loss_is_seen() -> None:
    result = play(covered("**\n**\n*."[:5], glimpse=True), GameRules(None, "none", "open"))
    assert (result.result, result.known) == ("lost", "seen")


def test_outcome_replaced_board_ambiguous() -> None:
    table = covered("*.", "fresh")
    table.field = field_of("**")
    with pytest.raises(ResultUnknown, match="already started a new game"):
        play(table, GameRules(1, "none", "open"))


class Silent(Table):
    """A program that shows nothing more once its game has ended; `drawn` is what it makes of the mine."""

    drawn = UNKNOWN

    def look(self) -> Reading:
        self.looks += 1
        board = self.field.board
        shown = board.cells_showing("!*")
        hit = {k: self.drawn if board[k] == "!" else HIDDEN for k in range(len(board)) if shown >> k & 1}
        return replace(Reading.sure(board.with_states(hit)), has_ended=False)


@pytest.mark.parametrize("drawn", [UNKNOWN, "F"])
def test_outcome_guess_on_unreadable_mine_lost(drawn: str) -> None:
    table = Silent(field_of("*****\n*****\n****."))
    table.drawn = drawn
    result = make_player(table, Reasoner(load_strategies()), GameRules(None, "none", "open")).play()
    assert (result.result, result.known, result.wrong_certain) == ("lost", "inferred", 0)
    assert {move.kind for moves in table.acts for move in moves} == {"open"}


def test_outcome_certain_on_unreadable_mine_counted() -> None:
    """The 2 is read as 1, so that the right mine is taken for safe; what it shows then is no number."""

    class Misread(Silent):
        def look(self) -> Reading:
            reading = super().look()
            return replace(reading, board=reading.board.with_states({1: "1"}))

    field = field_of("*.*..\n.....")
    field.play([Move("open", 1), Move("open", 5)])
    result = make_player(Misread(field), Reasoner(load_strategies()), GameRules(None, "none", "open")).play()
    assert (result.result, result.wrong_certain) == ("lost", 1)


def test_outcome_loss_that_opens_everything() -> None:
    class Opener(Table):
        def look(self) -> Reading:
            board = self.field.board
            if not board.shown_mines:
                return Reading.sure(board)
            everything = {k: str((board.around[k] & 1).bit_count()) for k in range(1, len(board))}
            return replace(Reading.sure(board.with_states({**everything, 0: UNKNOWN})), has_ended=False)

    table = Opener(field_of("*...\n....\n...."))
    told = Heard()
    result = make_player(table, Reasoner(load_strategies()), GameRules(None, "none", "open"), [told]).play()
    assert (result.result, result.known, result.wrong_certain) == ("lost", "inferred", 0)
    assert len(table.acts) == 1
    assert told.notes
