"""`OutcomeTracker` and the rules that determine how a game ended."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from types import SimpleNamespace
from typing import Any

import pytest
from tables import known

from bot.game.board_change import changed_numbers
from bot.game.outcome import (
    GameResult,
    Outcome,
    OutcomeTracker,
    bv3_of,
    cells_opened_by,
    is_consistent_end,
    known_mines,
    opens_last_safe_cells,
    outcome_from_status,
    outcome_on_board,
)
from bot.game.plan import Planner
from bot.game.types import BoardState, BoardStatus, GameRules, Plan, Result
from games.errors import ResultUnknown
from games.logic import Knowledge, cell_set
from games.minesweeper import Board, Guess, Move
from strategies import Reasoner, load_strategies

OPEN, FLAGS, UNKNOWN = (GameRules(None, "none", needs) for needs in ("open", "flags", "unknown"))
NOTHING = Knowledge.of(0, ())


def result_of(board: Board, rules: GameRules, knowledge: Knowledge, opened: int = 0) -> Result | None:
    ending = outcome_on_board(board, rules, knowledge, opened)
    return ending.result if ending else None


def cells(board: Board, names: str) -> int:
    return cell_set(board.cell(name) for name in names.split())


# --- the outcome that a board shows ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "with_open", "with_flags", "with_unknown"),
    [
        # every safe cell is open
        ("mines 1\n1.\n11", "won", None, "won"),
        ("mines 1\n1F\n11", "won", "won", "won"),
        # something is left to open
        ("mines 1\n..\n.1", None, None, None),
        ("mines 2\n.F\n.2", None, None, None),
        # a flag on a safe cell that is not open yet
        ("mines 1\n1..\n1.F\n11.", None, None, None),
        ("mines 1\n.1F\n110\n000", None, None, None),
        # an unread number is open; a cell that may be anything is not
        ("mines 1\n1F1\n11~", "won", "won", "won"),
        ("mines 1\n~~\n~1", None, None, None),
        # an unread cell may be the mine as a won game draws it, unless a win needs flags
        ("mines 1\n1~\n11", "won", None, "won"),
    ],
)
def test_outcome_no_mine_shown(
    board: str, with_open: Result | None, with_flags: Result | None, with_unknown: Result | None
) -> None:
    shown = Board.parse(board)
    found = [result_of(shown, rules, known(shown)) for rules in (OPEN, FLAGS, UNKNOWN)]
    assert found == [with_open, with_flags, with_unknown]


FLAGLESS = GameRules(1, "none", "flags", flags="none")
ALL_FLAGGED = "F~\n~F"


@pytest.mark.parametrize(
    ("text", "before", "rules", "opened", "result"),
    [
        ("mines 1\n1.\n11", "mines 1\n1.\n11", FLAGLESS, "", "won"),  # a win cannot need flags
        # a mine is shown
        *((text, "", OPEN, "", "lost") for text in ("1!\n11", "1*\n11", "1*\n.1", "x*\n11", "x.\n..")),
        ("1*\n11", "mines 1\n1.\n11", OPEN, "", "won"),  # it was known
        ("1*1\n111\n000", "", OPEN, "r0c0 r0c2 r2c0", "won"),  # the last cascade opened what proves the mine
        ("1*1\n111\n000", "", OPEN, "r0c0 r0c1 r2c0", "lost"),
        ("1*1\n111\n000", "", OPEN, "r0c0 r2c0", "lost"),  # no move opened r0c2: lost boards are revealed
        # all mines are flagged, so an unread cell is safe
        (ALL_FLAGGED, ALL_FLAGGED, GameRules(2), "r0c1 r1c0", "won"),
        (ALL_FLAGGED, ALL_FLAGGED, GameRules(2), "r0c1", None),  # the other may still be covered
        (ALL_FLAGGED, ALL_FLAGGED, GameRules(None), "r0c1 r1c0", None),
        (ALL_FLAGGED, ALL_FLAGGED, GameRules(3), "r0c1 r1c0", None),  # one of them was hit
        ("F~\n.F", "F~\n.F", GameRules(2), "r0c1", None),
    ],
)
def test_outcome_moves_and_knowledge_decide(
    text: str, before: str, rules: GameRules, opened: str, result: Result | None
) -> None:
    """`before` is the board whose knowledge is used."""
    board, knowledge = Board.parse(text), known(Board.parse(before)) if before else NOTHING
    assert result_of(board, rules, knowledge, cells(board, opened)) == result


# --- the outcome of a board that is no longer visible --------------------------------------------------


def opening(board: Board, names: str, guess: bool = False) -> Plan:
    moves = tuple(Move("open", board.cell(name)) for name in names.split())
    return Plan(moves, guess=Guess(moves[0].cell, 0.5) if guess else None)


def ending(text: str, opens: str, what: BoardState, same: str = "", guess: bool = False) -> Outcome | None:
    board = Board.parse(text)
    status = BoardStatus(what, cells(board, same))
    return outcome_from_status(board, opening(board, opens, guess), known(board), status)


LAST = "mines 1\n1.1\n11."  # r1c2 is safe, and the last one
MANY = "\n".join(["1........"] + ["........."] * 5)

FRESH = "mines 6\n" + "\n".join(["........."] * 6)
HIDDEN_SAFE = "mines 1\n...\n..."
CASCADE = "mines 3\n...1\n...1\n...1"


@pytest.mark.parametrize(
    ("text", "opens", "what", "same", "guess", "result"),
    [
        *(
            (LAST, "r1c2", what, "", False, "won")
            for what in ("window", "message", "fresh", "gone", "closed")
        ),
        *((MANY, "r5c8", what, "", True, "lost") for what in ("window", "message", "fresh", "gone")),
        (MANY, "r5c8", "closed", "", True, None),
        (FRESH, "r0c0", "window", "", True, "lost"),
        (FRESH, "r0c0", "message", "", True, None),  # perhaps a banner that appears with the first cells
        (MANY, "r5c8", "window", "r5c8", True, None),  # the guess was lost
        (LAST, "r1c2", "window", "r1c2", False, None),  # the click was lost
        (LAST, "r1c2", "there", "", False, None),
        # a zero there may open all but the second mine
        ("mines 2\n.1....\n11....", "r0c2", "gone", "", False, "won"),
        # next to a mine: five safe cells stay closed
        ("mines 2\n1.1...\n11....", "r1c2", "gone", "", False, None),
        ("mines 1\n..\n11", "r0c0", "window", "", True, None),  # the other cell may be the mine
        (HIDDEN_SAFE, "r0c0", "window", "", True, None),
        (HIDDEN_SAFE, "r0c0", "window", "r0c1 r0c2", True, "lost"),
        # a cascade is no message: the guess may have opened the other cells
        (CASCADE, "r0c0", "message", "r0c2 r1c2 r2c2 r0c3 r1c3 r2c3", True, None),
        (CASCADE, "r0c0", "message", "r0c1 r1c1 r1c0 r2c2 r0c3 r1c3 r2c3", True, "lost"),  # not connected
        # the guess may have opened all safe cells
        ("..\n11\n00\n11\n..", "r0c0", "window", "", True, "lost"),  # one at the other end is safe as well
        ("1..\n...\n...", "r2c2", "window", "", True, None),  # a zero may reach all but one
    ],
)
def test_outcome_from_status(
    text: str, opens: str, what: BoardState, same: str, guess: bool, result: Result | None
) -> None:
    found = ending(text, opens, what, same, guess)
    assert (found and (found.result, found.known)) == (result and (result, "inferred"))


@pytest.mark.parametrize(("what", "has_closed"), [("gone", True), ("gone", False), ("message", True)])
def test_outcome_closed_window_ends_game(what: BoardState, has_closed: bool) -> None:
    """The program has closed the window of its game and goes on; whether the guess has won is unknown."""
    board = Board.parse("mines 1\n..\n11")
    probe: Any = SimpleNamespace(status=lambda waits: BoardStatus(what))
    tracker = OutcomeTracker(Planner(Reasoner(load_strategies()), OPEN), probe)
    plan = opening(board, "r0c0", guess=True)
    if what == "gone" and has_closed:
        with pytest.raises(ResultUnknown, match="closed the window of the game"):
            tracker.after_status(board, plan, has_closed)
    else:
        assert tracker.after_status(board, plan, has_closed) == (None, None)


def test_outcome_gone_after_last_safe_cells_won() -> None:
    board, plan = Board.fresh(3, 3), Plan(tuple(Move("open", k) for k in range(1, 9)))
    nothing = Planner(Reasoner(load_strategies()), OPEN).knowledge
    won = outcome_from_status(board, plan, replace(nothing, true=1), BoardStatus("gone"))
    assert won is not None
    assert (won.result, won.known) == ("won", "inferred")
    assert outcome_from_status(board, plan, nothing, BoardStatus("gone")) is None


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


@pytest.mark.parametrize(("mines", "is_last"), [("", False), ("mines 4\n", True), ("mines 3\n", False)])
def test_outcome_only_total_tells_pocket_is_mine(mines: str, is_last: bool) -> None:
    board = Board.parse(f"{mines}..2\n..2\n22.")  # the moves leave the corner closed
    assert opens_last_safe_cells(board, opening(board, "r2c2"), known(board)) is is_last


# --- wrong certain moves and corrections --------------------------------------------------------------


def tracker(**given: Any) -> OutcomeTracker:
    return OutcomeTracker(Planner(Reasoner(load_strategies()), OPEN), **given)


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
        # the user did
        ("1!\n11", "r1c0 r1c1", "", "r1c0 r1c1", 0),
        ("1!\n1.", "r1c1", "", "r1c1", 0),
        # the mine is unread
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


@pytest.mark.parametrize(
    ("board", "ours", "certain", "result"),
    [
        ("~F1F\nF211", "", "", None),  # after a guess, mines may look like flags
        ("~F1F\nF211", "r1c0", "", "won"),
        ("~F1F\nF211", "", "r0c2", "won"),
        ("~31F\nF211", "r1c0", "", None),  # a single flag may be a misread mine
    ],
)
def test_outcome_program_flags_after_last_move(
    board: str, ours: str, certain: str, result: str | None
) -> None:
    shown = Board.parse(board)
    ending = tracker(
        flagged=cells(shown, ours), opened_last=cells(shown, certain), opened_guess=1
    ).without_moves(shown)
    assert (ending.result if ending else None) == result


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


@pytest.mark.parametrize(("guessed", "result"), [("", None), ("r0c2", "lost")])
def test_outcome_message_over_cells_ends_nothing(guessed: str, result: str | None) -> None:
    """A message covers the right column: also r1c3 and r2c3, which no move has opened."""
    start = Board.parse("11..\n11..\n....")
    moves = (Move("open", 2),) if guessed else (Move("open", 2), Move("open", 3))
    outcomes = tracker(
        opened_safe=0 if guessed else cells(start, "r0c2 r0c3"), opened_guess=cells(start, guessed)
    )
    ending = outcomes.after_refused_moves(start, Board.parse("11~~\n11.~\n...~"), Plan(moves))
    assert (ending.result if ending else None) == result


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


# --- finished boards --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "mines"),
    [
        ("1.\n11", ["r0c1"]),  # won: closed cells are mines
        ("mines 2\n!*\n22", ["r0c0", "r0c1"]),  # lost, and all mines are visible
        ("mines 2\n!F\n22", ["r0c0", "r0c1"]),  # a correct flag remains
        ("mines 3\n!*.\n22.", None),  # one is missing
        ("!*\n22", None),  # no total: there may be more
        ("mines 1\n1~\n11", None),
        ("mines 1\nx.\n.!", ["r1c1"]),
    ],
)
def test_mines_of_finished_board(text: str, mines: list[str] | None) -> None:
    board = Board.parse(text)
    found = known_mines(board)
    assert (None if found is None else board.names(found)) == mines


@pytest.mark.parametrize(
    ("text", "won", "bv3"),
    [
        ("mines 1\n1.\n11", True, 3),
        ("mines 2\n2!\n2*", False, 2),
        ("mines 1\n..\n.1", False, None),  # stopped in the middle
        ("mines 2\nF10\n11!\n...", False, None),  # a wrong flag within the total
    ],
)
def test_bv3_reported_only_with_known_mines(text: str, won: bool, bv3: int | None) -> None:
    assert bv3_of(Board.parse(text), won) == bv3


def test_result_json_fields() -> None:
    result = GameResult(
        "won", "xdemineur", "8x8", 10, 40, 1, 41, 0, 0, 1.23456789, 0.1, 0.2, 0.3, 0.4, 0.5, 12,
        known="inferred",
    )  # fmt: skip
    data = json.loads(json.dumps(result.as_json()))
    assert list(data) == [field.name for field in fields(GameResult)]
    assert data["seconds"] == 1.2346
    assert (data["result"], data["known"], data["bv3"], data["recording"]) == ("won", "inferred", 12, None)
