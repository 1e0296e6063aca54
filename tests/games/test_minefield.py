"""Simulated minefields, deals, and boards files."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.errors import InvalidFile, UsageError
from games.logic import bits
from games.minesweeper import Board, Deal, Minefield, Move, neighbours, read_deals

# mines at r0c0 and r0c4 unless the first click displaces them
DEAL = Deal(2, 5, 2, (0, 4, 2, 7, 1, 3, 5, 6, 8, 9))


@pytest.mark.parametrize(
    ("first", "promise", "mines"),
    [
        (7, "none", [0, 4]),
        (0, "none", [0, 4]),
        (0, "safe", [2, 4]),  # the clicked cell is not permitted: the next cell is used
        (7, "safe", [0, 4]),
        (0, "zero", [2, 4]),
        (3, "zero", [0, 1]),  # neither r0c3 nor its neighbours 2 4 7 8 9 are permitted
    ],
)
def test_deal_mines_are_first_permitted_cells(first: int, promise: str, mines: list[int]) -> None:
    assert list(bits(DEAL.lay(first, promise))) == mines


def test_deal_too_many_mines_refused() -> None:
    with pytest.raises(UsageError, match="fewer mines"):
        Deal.random(3, 3, 5, "x").lay(4, "zero")
    with pytest.raises(UsageError, match="use 0 to 8"):
        Deal.random(3, 3, 9, "x")
    with pytest.raises(UsageError, match="first click 'never'"):
        Minefield(DEAL, "never")


def test_deal_seed_is_repeatable() -> None:
    assert Deal.random(9, 9, 10, 1) == Deal.random(9, 9, 10, 1) != Deal.random(9, 9, 10, 2)


@pytest.mark.parametrize(
    ("moves", "shown", "result"),
    [
        ("open r1c2", ".101. .101.", ""),  # a zero opens its neighbours
        ("open r1c2, open r1c0, open r1c4", ".101. 11011", "won"),
        # a flagged cell stays closed; a chord opens the other neighbours
        ("open r0c1, flag r0c0, open r0c0, chord r0c1", "F101. 1101.", ""),
        ("open r0c1, flag r0c0, chord r0c1, unflag r0c0, flag r1c1", ".101. 1101.", ""),
        ("open r0c1, chord r0c1, chord r0c4", ".1... .....", ""),  # no chord without flags
        ("open r1c1, flag r1c0, open r0c4, open r1c1", "*...! x1...", "lost"),
        ("open r0c1, flag r1c0, chord r0c1", "!101* x101.", "lost"),
    ],
)
def test_field_moves(moves: str, shown: str, result: str) -> None:
    field = Minefield(DEAL)
    board = field.play([Move.parse(text, field.board) for text in moves.split(", ")])
    assert " ".join(board.grid) == shown
    assert (field.is_won, field.is_lost) == (result == "won", result == "lost")


def test_field_nothing_dealt_before_first_click() -> None:
    field = Minefield(DEAL)
    assert field.truth is None
    assert not field.is_won
    assert field.board == Board.fresh(2, 5, 2)


def test_boards_file_read(tmp_path: Path) -> None:
    path = tmp_path / "boards.txt"
    path.write_text("# tiny 5 2 1 seed=1\n0 0 4 2 7 1 3 5 6 8 9\n\n# more\n3 9 8 7 6 5 4 3 2 1 0\n")
    deals = read_deals(path)
    assert list(deals) == [0, 3]
    assert deals[3] == Deal(2, 5, 1, (9, 8, 7, 6, 5, 4, 3, 2, 1, 0))


def test_boards_file_first_click_displaces_little() -> None:
    deal = Deal.random(16, 30, 99, "expert")
    plain = deal.lay(0, "none")
    for first in (0, 33, 93):
        free = neighbours(16, 30)[first] | 1 << first
        mines = deal.lay(first, "zero")
        assert (mines.bit_count(), mines & free) == (99, 0)
        assert plain & ~free == plain & mines
        assert not deal.lay(first, "safe") >> first & 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "line 1"),
        ("5 2 1", "line 1"),
        ("# tiny 5 2 0\n", "0 mines"),
        ("# tiny 5 2 1\n0 a", "line 2"),
        ("# tiny 5 2 1\n0 0 1 2", "line 2: 3 cells, but 10 are required"),
        ("# tiny 5 2 1\n0 0 1 2 3 4 5 6 7 8 10", "line 2: cell 10 is out of range: use 0 to 9"),
        ("# tiny 5 2 1\n0 0 1 2 3 4 5 6 7 8 -1", "line 2: write the game's number"),
        ("# tiny 5 2 1\n0 0 1 2 3 4 5 6 7 8 8", "a cell occurs twice"),
        ("# tiny 5 2 1\n0 0 1 2 3 4 5 6 7 8 9\n0 1 0 2 3 4 5 6 7 8 9", "line 3: game 0 occurs twice"),
        ("# huge 99999 99999 5\n0 1 2 3 4 5 6 7 8 9 10 11 12 13 14", "99999x99999 is too large"),
        ("# tiny 5 2 10\n", "line 1: 10 mines do not make a game on 5x2: use 1 to 9"),
        ("# tiny 5 2 1\n\n# none\n", "contains no game"),
    ],
)
def test_boards_file_damaged_refused(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "boards.txt"
    with pytest.raises(InvalidFile, match="cannot read"):
        read_deals(path)
    path.write_text(text)
    with pytest.raises(InvalidFile, match=complaint):
        read_deals(path)
