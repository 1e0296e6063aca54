"""Won, lost, or still going on, and how that is known; what a finished board tells of its mines."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

from bot.game.outcome import GameResult, bv3_of, known_mines, outcome_on_board
from bot.game.types import GameRules, Result
from games.logic import Knowledge
from games.minesweeper import Board, board_knowledge
from strategies import Reasoner, load_strategies

OPEN, FLAGS, UNKNOWN = (GameRules(None, "none", needs) for needs in ("open", "flags", "unknown"))
NOTHING = Knowledge.of(0, ())


def known(board: Board) -> Knowledge:
    return Reasoner(load_strategies()).deduce(board_knowledge(board)).knowledge


def outcome(text: str, rules: GameRules) -> Result | None:
    board = Board.parse(text)
    return result_of(board, rules, known(board))


def result_of(board: Board, rules: GameRules, knowledge: Knowledge) -> Result | None:
    ending = outcome_on_board(board, rules, knowledge)
    return ending.result if ending else None


@pytest.mark.parametrize(
    ("board", "with_open", "with_flags", "with_unknown"),
    [
        # every safe cell is open
        ("mines 1\n1.\n11", "won", None, "won"),
        ("mines 1\n1F\n11", "won", "won", "won"),
        # something is left to open
        ("mines 1\n..\n.1", None, None, None),
        ("mines 2\n.F\n.2", None, None, None),
        # a flag is a claim: this one stands on a safe cell, that is not open yet
        ("mines 1\n1..\n1.F\n11.", None, None, None),
        ("mines 1\n.1F\n110\n000", None, None, None),
        # a number that cannot be read has been opened; a cell that may be anything has not
        ("mines 1\n1F1\n11~", "won", "won", "won"),
        ("mines 1\n~~\n~1", None, None, None),
    ],
)
def test_outcome_no_mine_shown(
    board: str, with_open: Result | None, with_flags: Result | None, with_unknown: Result | None
) -> None:
    assert [outcome(board, rules) for rules in (OPEN, FLAGS, UNKNOWN)] == [
        with_open,
        with_flags,
        with_unknown,
    ]


def test_outcome_won_game_shows_mines_separately() -> None:
    # a program that nobody described draws a flower where the mine was
    assert outcome("mines 1\n1~\n11", OPEN) == "won"
    assert outcome("mines 1\n1~\n11", UNKNOWN) == "won"
    assert outcome("mines 1\n1~\n11", FLAGS) is None  # it may be anything, and a flag is asked for


def test_outcome_flags_win_not_needed_without_flags() -> None:
    board = Board.parse("mines 1\n1.\n11")
    assert result_of(board, GameRules(1, "none", "flags", flags="none"), known(board)) == "won"


@pytest.mark.parametrize("text", ["1!\n11", "1*\n.1", "x*\n11", "x.\n.."])
def test_outcome_shown_mine_lost(text: str) -> None:
    assert result_of(Board.parse(text), OPEN, NOTHING) == "lost"


def test_outcome_won_game_may_show_known_mines() -> None:
    board, before = Board.parse("1*\n11"), Board.parse("mines 1\n1.\n11")
    assert result_of(board, OPEN, known(before)) == "won"
    assert result_of(board, OPEN, NOTHING) == "lost"


@pytest.mark.parametrize(
    ("text", "mines"),
    [
        ("1.\n11", ["r0c1"]),  # won: what is shut is mined
        ("mines 2\n!*\n22", ["r0c0", "r0c1"]),  # lost, and every mine is shown
        ("mines 2\n!F\n22", ["r0c0", "r0c1"]),  # a right flag stays a flag
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
    ],
)
def test_bv3_reported_only_with_known_mines(text: str, won: bool, bv3: int | None) -> None:
    assert bv3_of(Board.parse(text), won) == bv3


def test_bv3_wrong_flag_within_total_is_none() -> None:
    assert bv3_of(Board.parse("mines 2\nF10\n11!\n..."), won=False) is None


def test_result_json_fields() -> None:
    result = GameResult(
        "won",
        "xdemineur",
        "8x8",
        10,
        40,
        1,
        41,
        0,
        0,
        1.23456789,
        0.1,
        0.2,
        0.3,
        0.4,
        0.5,
        12,
        known="inferred",
    )
    data = json.loads(json.dumps(result.as_json()))
    assert list(data) == [field.name for field in fields(GameResult)]
    assert data["seconds"] == 1.2346
    assert (data["result"], data["known"], data["bv3"], data["recording"]) == ("won", "inferred", 12, None)
