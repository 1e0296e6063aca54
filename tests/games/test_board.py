"""Boards: the text form, cell names, sets of cells."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.errors import InvalidFile
from games.minesweeper import STATES, Board, Move, neighbours


@pytest.mark.parametrize(
    "text",
    [
        ".",
        "mines 0\n.",
        "mines 5\n.121.\n.....\n-....\n1-1..",
        "variant quad\n..\n..",
        "mines 3\nvariant quad\n..F\n?*!\nx-~",
        "012345678",
    ],
)
def test_board_text_round_trip(text: str) -> None:
    assert str(Board.parse(text)) == text


@settings(max_examples=40)
@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(st.text(STATES, min_size=n, max_size=n), min_size=1, max_size=6)
    )
)
def test_board_every_grid_round_trips(grid: list[str]) -> None:
    board = Board.parse("\n".join(grid))
    assert board.grid == tuple(grid)
    assert Board.parse(str(board)) == board


def test_board_comments_and_blank_lines_skipped() -> None:
    assert Board.parse("# a board\n\nmines 1\n  ..\n  .1\n") == Board(2, 2, "...1", 1)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no board"),
        ("# only a comment", "no board"),
        ("..\n.z", "line 2, r1c1: 'z' is not a cell state"),
        ("...\n..", "line 2, row 1: 2 cells, but the rows above have 3"),
        ("mines: 3\n..", "or a line such as 'mines 99'"),
        ("mines 3\n..", "only 2 cells"),
        ("." * 1_000_001, "at most 1000000"),
        ("mines 99999999999\n..", "not a cell state"),
    ],
)
def test_board_wrong_text_reports_place(text: str, complaint: str) -> None:
    with pytest.raises(InvalidFile) as caught:
        Board.parse(text)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_cell_names_round_trip() -> None:
    for size in ((1, 1), (1, 7), (9, 9), (16, 30)):
        board = Board.fresh(*size)
        assert [board.cell(board.name(k)) for k in range(len(board))] == list(range(len(board)))
    for name in ("r2c0", "r0c2", "a1", "r-1c0", "", "r0c0 "):
        with pytest.raises(InvalidFile, match="not a cell of this board"):
            Board.fresh(2, 2).cell(name)


def test_board_cell_sets() -> None:
    board = Board.parse(".1F\n?*-\n~!x")
    assert board.names(board.open) == ["r0c1"]
    assert board.names(board.closed) == ["r0c0", "r1c0", "r1c2"]
    assert board.names(board.flagged) == ["r0c2"]
    assert board.names(board.shown_mines) == ["r1c1", "r2c1", "r2c2"]
    assert board.names(board.unread) == ["r2c0"]
    assert board.not_open == board.everything & ~board.open


def test_board_neighbours() -> None:
    around = neighbours(3, 4)
    board = Board.fresh(3, 4)
    assert board.names(around[0]) == ["r0c1", "r1c0", "r1c1"]
    assert [cells.bit_count() for cells in around] == [3, 5, 5, 3, 5, 8, 8, 5, 3, 5, 5, 3]
    assert neighbours(1, 1) == (0,)


def test_board_change_makes_new_board() -> None:
    board = Board.fresh(1, 3, 1)
    assert str(board.with_states({1: "1"})) == "mines 1\n.1."
    assert board.with_mines(None) == Board.fresh(1, 3)
    assert str(board) == "mines 1\n..."


def test_board_wrong_cell_count_refused() -> None:
    with pytest.raises(ValueError, match="do not fill"):
        Board(2, 2, "...")


BOARD = Board.fresh(4, 6)


def test_move_text_round_trip() -> None:
    for text in ("open r0c0", "flag r3c5", "unflag r1c2", "chord r2c4"):
        assert Move.parse(text, BOARD).text(BOARD) == text
    for text in ("", "open", "open r9c9", "dig r0c0", "open r0c0 r0c1"):
        with pytest.raises(InvalidFile):
            Move.parse(text, BOARD)
