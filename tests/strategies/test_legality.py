"""The Deduction functions and their return values."""

from __future__ import annotations

import pytest

from games.logic import Constraint
from games.minesweeper import Board, board_knowledge
from strategies import Reasoner, load_strategies
from strategies.builtin.legality import Legality, LegalityState

DEMONSTRATION = "mines 5\n.121.\n.....\n-....\n1-1.."  # of Deduction functions: exactly one layout


def state(*texts: str, true: int = 0, false: int = 0) -> LegalityState:
    return LegalityState([Constraint.parse(text) for text in texts], true, false)


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        (state("1:0,1", true=1, false=2), Legality.LEGAL),
        (state("1:0,1", "1:1,2"), Legality.POSSIBLE),
        (state("1:0,1", true=3), Legality.ILLEGAL),  # too many mines
        (state("2:0,1", false=1), Legality.ILLEGAL),  # too few cells
        # all numbers are satisfied, and the other cells have room for the remaining mines
        (state("1:0,1", "3:0,1,2,3,4", true=1, false=2), Legality.LEGAL),
        (state("1:0,1", "5:0,1,2,3,4", true=1, false=2), Legality.ILLEGAL),
    ],
)
def test_is_legal(position: LegalityState, expected: Legality) -> None:
    assert position.is_legal() is expected
    others = state("1:0,1", "1:2,3", true=3)
    assert [others.is_legal([cell]) for cell in (0, 1)] == [Legality.ILLEGAL, Legality.LEGAL]
    assert [int(kind) for kind in (Legality.ILLEGAL, Legality.POSSIBLE, Legality.LEGAL)] == [0, 1, 2]


def test_legality_helpers() -> None:
    position = state("2:0,1,2", "1..2:2,3", true=1)
    assert position.coord_around(1) == [0]
    assert position.coord_around(4) == [0, 1]
    assert position.count_around(0) == (1, 2, 2, 2)
    assert position.count_around(1) == (0, 2, 1, 2)
    # both constraints have two hidden cells; the first is chosen
    assert position.get_next_hidden_coord() == 2


def test_first_order_deduct_reports_change() -> None:
    position = state("1:0,1", "1:0,1,2", "1:2,3", false=1)
    assert position.first_order_deduct()
    assert (position.true, position.false) == (0b1010, 0b0101)
    assert not position.first_order_deduct()


def test_first_order_deduct_starts_at_change() -> None:
    """`coords_to_check`: a constraint elsewhere is not applied."""
    texts = ("1:0,1", "1:1,2", "2:8,9")
    position = state(*texts, true=1)
    assert position.first_order_deduct(position.coord_around(1))
    assert (position.true, position.false) == (0b101, 0b010)
    assert position.first_order_deduct()
    assert position.true >> 8 == 3


def test_recursion_deduct_finds_layout() -> None:
    triangle = ("1:0,1", "1:1,2", "1:0,2")
    assert not state(*triangle).recursion_deduct()
    assert state(*triangle[:2]).recursion_deduct()
    before = state(*triangle[:2])
    before.assume(1, 1).recursion_deduct()
    assert (before.true, before.false) == (0, 0)


def test_update_deduct_illegal_state_decides_nothing() -> None:
    texts = ("1:0,1", "1:0,2", "1:1,3", "1:2,3,4")
    assert state(*texts).update_deduct() == (True, [4], [])
    assert state("1:0,1", "1:1,2").update_deduct() == (False, [], [])
    assert state("2:0,1", "1:1,2").update_deduct() == (True, [2], [0, 1])
    assert state("1:0,1", "1:1,2", "1:0,2").update_deduct() == (False, [], [])


def test_legality_demonstration_board_solved() -> None:
    board = Board.parse(DEMONSTRATION)
    given = board_knowledge(board).given
    position = LegalityState(given)
    has_update, _, mines = position.update_deduct()
    assert has_update
    assert position.is_legal() is Legality.LEGAL
    assert [board.name(k) for k in mines] == ["r1c1", "r1c3", "r2c1", "r2c4", "r3c4"]
    outcome = Reasoner(load_strategies(["supposing"])).deduce(board_knowledge(board))
    assert outcome.faults == ()
    assert outcome.knowledge.undecided == 0
