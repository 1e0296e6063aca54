"""Advice on boards for the player."""

from __future__ import annotations

from typing import Any

import pytest

from bot.game.types import GameRules
from bot.show.advice import Advice, Advisor
from bot.show.board_text import render_board
from games.minesweeper import Board
from strategies import load_strategies


def advise(rows: str, mines: int | None = None, **rules: Any) -> Advice:
    return Advisor(load_strategies(), GameRules(mines, **rules)).advise(Board.parse(rows))


def test_advise_variant_uses_its_rules() -> None:
    rows = "...\n.1."
    assert not advise(rows).safe | advise(rows).mines
    quad = advise(rows, variant="quad")  # r0c1 is in both windows
    assert (quad.board.names(quad.mines), quad.safe.bit_count()) == (["r0c1"], 4)


def test_advise_safe_cells_marks_and_names_them() -> None:
    advice = advise("...\n121\n000", 2)
    name = advice.board.names
    assert (name(advice.safe), name(advice.mines), advice.guess) == (["r0c1"], ["r0c0", "r0c2"], None)
    assert advice.why[0] == "r0c1 is safe."
    assert any("r1c1 = 2" in sentence for sentence in advice.why)


def test_advise_nothing_safe_shows_risks_and_guess() -> None:
    advice = advise("..\n11", 1)
    assert (advice.safe, advice.mines, advice.risks) == (0, 0, {0: 0.5, 1: 0.5})
    assert advice.guess is not None
    assert advice.why[1].startswith("50.0 % safe, 50.0 % to win")
    assert render_board(advice.board, advice.marks, advice.risks).plain == "   0\n0 50 50 \n1  1  1 \n"


@pytest.mark.parametrize("first_click", ["zero", "safe"])
def test_advise_guaranteed_first_click_is_no_risk(first_click: str) -> None:
    board = "....\n....\n...."
    advice = advise(board, 2, first_click=first_click)
    assert (advice.guess, advice.proven is not None) == (None, True)
    around = " or next to it" * (first_click == "zero")
    assert advice.why[1].startswith(f"the program puts no mine under the first click{around}: any cell")
    assert advise(board, 2).guess is not None


def test_advise_wrong_flag_is_reported() -> None:
    advice = advise(".F.\n121\n000", 2)
    assert advice.board.names(advice.wrong_flags) == ["r0c1"]
    assert "wrong flag" in advice.marks.values()


@pytest.mark.parametrize(
    ("rows", "text"),
    [("3.\n00", "cannot"), ("*1\n11", "The game is over."), ("00\n00", "Nothing is left to do.")],
)
def test_advise_impossible_board_explains(rows: str, text: str) -> None:
    assert text in advise(rows).why[0]


def test_advise_json_fields() -> None:
    said = advise("...\n121\n000", 2).as_json()
    assert list(said) == ["rows", "safe", "mines", "wrong_flags", "move", "guess", "risks", "why", "faults"]
    assert said["move"] in {"r0c0", "r0c1", "r0c2"}
