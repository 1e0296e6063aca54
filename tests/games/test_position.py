"""The constraints of a board (Inference Rules, 5.1), and inconsistent readings."""

from __future__ import annotations

import pytest

from games.errors import Contradiction, UsageError
from games.logic import Constraint, Deduction, cell_set
from games.minesweeper import Board, board_knowledge, inconsistencies, inconsistencies_since
from games.minesweeper.position import updated_knowledge


def stated(text: str) -> list[str]:
    """The given constraints as `2:r0c0,r1c0 (r0c1)`."""
    board = Board.parse(text)

    def line(c: Constraint) -> str:
        number = c.low if c.is_exact else f"{c.low}..{c.high}"
        return f"{number}:{','.join(board.names(c.cells))} ({c.source})"

    return [line(c) for c in board_knowledge(board).given]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("..\n.1", ["1:r0c0,r0c1,r1c0 (r1c1)"]),
        ("mines 2\n..", ["2:r0c0,r0c1 (mines)"]),
        ("000", []),
        ("1.-", ["1:r0c1 (r0c0)", "0:r0c2 (r0c2)"]),
        # a flag is a claim: it adds no constraint
        ("1F", ["1:r0c1 (r0c0)"]),
        # a lost game: shown mines and wrong flags are facts
        ("1*x", ["1:r0c1 (r0c0)", "0:r0c2 (r0c2)", "1:r0c1 (r0c1)"]),
    ],
)
def test_knowledge_of_board(text: str, expected: list[str]) -> None:
    assert stated(text) == expected


def test_knowledge_variables_and_global_total() -> None:
    board = Board.parse("mines 1\n1.")
    known = board_knowledge(board)
    assert [c.is_global for c in known.given] == [False, True]
    assert known.universe == board.not_open


@pytest.mark.parametrize(("text", "source"), [("3.\n00", "r0c0"), ("10", "r0c0")])
def test_knowledge_impossible_clue_contradiction(text: str, source: str) -> None:
    with pytest.raises(Contradiction) as caught:
        board_knowledge(Board.parse(text))
    assert caught.value.sources == (source,)


def test_variant_unknown_refused() -> None:
    with pytest.raises(UsageError, match="plain"):
        board_knowledge(Board.parse("variant nonsense\n.."))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1.\n..", []),
        ("3.\n00", ["r0c0 shows 3 but only 1 of its neighbours can be mines"]),
        ("1*\n*.", ["r0c0 shows 1 but 2 mines are shown around it"]),
        ("...", []),
    ],
)
def test_board_problems(text: str, found: list[str]) -> None:
    assert inconsistencies(Board.parse(text)) == found
    impossible = ["2 mines do not fit into 1 cells that are not open"]
    assert inconsistencies(Board.parse("1.").with_mines(2)) == impossible


@pytest.mark.parametrize(
    ("earlier", "later", "found"),
    [
        ("1..", "11.", []),
        ("1..", "2..", ["r0c0 showed 1 and now shows 2"]),
        ("1..", "...", ["r0c0 showed 1 and now shows ."]),
        ("1..", "~1.", []),  # covered for a moment: unknown, not changed
        ("1..", "1.", ["the board was 3x1 and now is 2x1"]),
        ("F..", "...", []),
    ],
)
def test_board_problems_after_board(earlier: str, later: str, found: list[str]) -> None:
    assert inconsistencies_since(Board.parse(later), Board.parse(earlier)) == found


def test_knowledge_after_earlier_board() -> None:
    before = Board.parse("mines 2\n....\n.2..\n....")
    known = board_knowledge(before)
    board = before.with_states({0: "1", 3: "0"})
    later = updated_knowledge(known, before, board)
    assert later is not None
    assert later.universe == board.not_open
    assert later.false == cell_set([0, 3])
    stated = {(c.source, c.cells, c.low, c.high) for c in later.stated}
    assert stated == {(c.source, c.cells, c.low, c.high) for c in board_knowledge(board).stated}
    assert updated_knowledge(later, board, board).constraints == later.constraints  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1..\n...", "2..\n..."),  # a different number
        ("1..\n...", "...\n..."),  # closed again
        ("1..\n...", "1..."),
        ("mines 2\n1..\n...", "mines 3\n1..\n..."),
        ("1..\n...", "1*.\n..."),  # the end of a game
        ("1-.\n...", "11.\n..."),  # marks are constraints, too
    ],
)
def test_knowledge_unrelated_board_starts_over(before: str, after: str) -> None:
    board = Board.parse(before)
    assert updated_knowledge(board_knowledge(board), board, Board.parse(after)) is None


def test_knowledge_open_mine_starts_over() -> None:
    board = Board.parse("1.\n11")
    known = board_knowledge(board)
    known = known.learn([Deduction.true(2, known.constraints[:1])])
    assert updated_knowledge(known, board, Board.parse("11\n11")) is None
