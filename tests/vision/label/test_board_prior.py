"""The board prior agrees with an enumeration of all layouts."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import log, log1p

import pytest

from games.minesweeper import Board
from strategies.probability.board_prior import ODDS, UniformMinePrior


def by_layouts(board: Board) -> float | None:
    """Log-likelihood by enumeration of the hidden cells next to numbers, for an unknown total."""
    hidden = [k for k in range(len(board)) if board.closed >> k & 1 and board.around[k] & board.open]
    weight = 0.0
    for layout in product((0, 1), repeat=len(hidden)):
        mines = sum(1 << k for k, is_mine in zip(hidden, layout, strict=True) if is_mine)
        if all(
            (board.around[k] & mines).bit_count() == int(board[k])
            for k in range(len(board))
            if board.open >> k & 1
        ):
            weight += ODDS ** sum(layout)
    return log(weight) - len(hidden) * log1p(ODDS) if weight else None


@pytest.mark.parametrize(
    "rows",
    [
        ("...", ".1.", "..."),
        ("2.1", "...", "1.1"),
        ("1.1.", "2.2.", "1.1."),
        ("01..", "12..", "....", "...."),
        (".1.2", "11.3", "001."),
        ("1221", "....", "...."),
        ("1.2.1.1",),
        ("3.1", "...", "..."),
        ("1.", "5."),
        ("2..2", ".11."),
    ],
)
def test_prior_board_weight_sums_layouts(rows: tuple[str, ...]) -> None:
    board = Board(len(rows), len(rows[0]), "".join(rows))
    expected = by_layouts(board)
    assert UniformMinePrior().log_likelihood(board) == (
        None if expected is None else pytest.approx(expected, abs=1e-9)
    )


def test_prior_few_mines_unlikely_without_total() -> None:
    rows = ["01......", "01......", "11......", *["........"] * 5]
    turned = str.maketrans("0.", ".0")  # the same numbers, with one mine in the corner and all else opened
    few, many = (Board.parse("\n".join(each)) for each in ([row.translate(turned) for row in rows], rows))
    unlikely, likely, with_total = map(UniformMinePrior().log_likelihood, (few, many, replace(few, mines=1)))
    assert unlikely is not None
    assert likely is not None
    assert with_total is not None
    assert unlikely < min(likely, with_total) - 1


@pytest.mark.parametrize(("mines", "can_be"), [(0, False), (1, True), (2, True), (3, False), (None, True)])
def test_prior_total_must_be_met(mines: int | None, can_be: bool) -> None:
    assert (UniformMinePrior().log_likelihood(Board(3, 3, "1.1...1.1", mines)) is not None) == can_be


@pytest.mark.parametrize(("mines", "can_be"), [(2, False), (3, True), (4, False)])
def test_prior_settled_mines_count_in_total(mines: int, can_be: bool) -> None:
    assert (UniformMinePrior().log_likelihood(Board(3, 3, "..1.33...", mines)) is not None) == can_be
