"""From a board to what it states (seed 1, 5.1), and what makes a reading impossible."""

from __future__ import annotations

import pytest

from games.errors import Contradiction, Usage
from games.logic import Constraint
from games.minesweeper import Board, knowledge_of, problems, problems_after


def stated(text: str) -> list[str]:
    """`2:r0c0,r1c0 (r0c1)` for each constraint given."""
    board = Board.parse(text)

    def line(c: Constraint) -> str:
        number = c.low if c.is_exact else f"{c.low}..{c.high}"
        return f"{number}:{','.join(board.names(c.cells))} ({c.source})"

    return [line(c) for c in knowledge_of(board).given]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("..\n.1", ["1:r0c0,r0c1,r1c0 (r1c1)"]),
        ("mines 2\n..", ["2:r0c0,r0c1 (mines)"]),
        ("000", []),
        ("1.-", ["1:r0c1 (r0c0)", "0:r0c2 (r0c2)"]),
        # a flag is a claim, not a fact: nothing follows from it
        ("1F", ["1:r0c1 (r0c0)"]),
        # a lost game: mines that are shown are facts, and so is that a wrong flag stands on none
        ("1*x", ["1:r0c1 (r0c0)", "0:r0c2 (r0c2)", "1:r0c1 (r0c1)"]),
    ],
)
def test_what_a_board_states(text: str, expected: list[str]) -> None:
    assert stated(text) == expected


def test_the_total_is_global_and_nothing_else_is() -> None:
    given = knowledge_of(Board.parse("mines 1\n1.")).given
    assert [c.is_global for c in given] == [False, True]


def test_open_cells_are_no_variables() -> None:
    board = Board.parse("1.\n..")
    assert knowledge_of(board).universe == board.not_open


@pytest.mark.parametrize(("text", "source"), [("3.\n00", "r0c0"), ("10", "r0c0")])
def test_a_clue_that_its_neighbours_cannot_hold(text: str, source: str) -> None:
    with pytest.raises(Contradiction) as caught:
        knowledge_of(Board.parse(text))
    assert caught.value.sources == (source,)


def test_unknown_variant() -> None:
    with pytest.raises(Usage, match="plain"):
        knowledge_of(Board.parse("variant nonsense\n.."))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1.\n..", []),
        ("3.\n00", ["r0c0 shows 3 but only 1 of its neighbours can be mines"]),
        ("1*\n*.", ["r0c0 shows 1 but 2 mines are shown around it"]),
        ("...", []),
    ],
)
def test_problems(text: str, found: list[str]) -> None:
    assert problems(Board.parse(text)) == found


def test_a_total_that_does_not_fit() -> None:
    assert problems(Board.parse("1.").knowing(2)) == ["2 mines do not fit into 1 cells that are not open"]


@pytest.mark.parametrize(
    ("earlier", "later", "found"),
    [
        ("1..", "11.", []),
        ("1..", "2..", ["r0c0 showed 1 and now shows 2"]),
        ("1..", "...", ["r0c0 showed 1 and now shows ."]),
        ("1..", "~1.", []),  # covered for a moment: not read, not changed
        ("1..", "1.", ["the board was 3x1 and now is 2x1"]),
        ("F..", "...", []),
    ],
)
def test_problems_after(earlier: str, later: str, found: list[str]) -> None:
    assert problems_after(Board.parse(later), Board.parse(earlier)) == found
