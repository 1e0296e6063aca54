"""The board prior agrees with an enumeration of all layouts."""

from __future__ import annotations

from itertools import combinations
from math import inf, log, log1p
from random import Random

import pytest

from games.logic import bits, cell_set
from games.minesweeper import Board
from strategies.probability.board_prior import ODDS, UniformMinePrior


def by_layouts(board: Board) -> float | None:
    """Log-likelihood by enumeration of the hidden cells next to numbers, for an unknown total."""
    hidden = [k for k in bits(board.closed) if board.around[k] & board.open]
    layouts = (cell_set(mines) for count in range(len(hidden) + 1) for mines in combinations(hidden, count))
    weight = sum(ODDS ** layout.bit_count() for layout in layouts if agrees(board, layout))
    return log(weight) - len(hidden) * log1p(ODDS) if weight else None


def agrees(board: Board, layout: int) -> bool:
    """Whether every number counts as many mines of the layout."""
    return all((board.around[k] & layout).bit_count() == int(board[k]) for k in bits(board.open))


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
    many = Board.parse("01......\n01......\n11......" + 5 * "\n........")
    turned = str.maketrans("0.", ".0")  # the same numbers, with one mine in the corner and all else opened
    few = Board.parse(str(many).translate(turned))
    likelihoods = map(UniformMinePrior().log_likelihood, (few, many, few.with_mines(1)))
    unlikely, likely, with_total = (likelihood or -inf for likelihood in likelihoods)
    assert -inf < unlikely < min(likely, with_total) - 1


@pytest.mark.parametrize("mines", [None, 3])
def test_prior_board_possible_if_layout_agrees(mines: int | None) -> None:
    random = Random(7)
    can_be = []
    for _ in range(200):
        board = Board(3, 4, "".join(random.choices(".....F*-123", k=12)), mines)
        shown, safe = board.cells_showing("*"), board.open | board.cells_showing("-")
        can_be.append(
            any(
                not layout & safe
                and not shown & ~layout
                and mines in (None, layout.bit_count())
                and agrees(board, layout)
                for layout in range(1 << 12)
            )
        )
        assert (UniformMinePrior().log_likelihood(board) is not None) == can_be[-1], board
    assert 10 < sum(can_be) < 190


@pytest.mark.parametrize(
    ("cells", "mines", "can_be"),
    [
        *(("1.1...1.1", mines, mines in (1, 2, None)) for mines in (0, 1, 2, 3, None)),
        *(("..1.33...", mines, mines == 3) for mines in (2, 3, 4)),  # two of them are settled
    ],
)
def test_prior_total_must_be_met(cells: str, mines: int | None, can_be: bool) -> None:
    assert (UniformMinePrior().log_likelihood(Board(3, 3, cells, mines)) is not None) == can_be


def test_board_prior_many_connected_mines() -> None:
    """The weight of 801 connected mines is too small for a float."""
    cells = ".2" * 800 + "."
    likely = UniformMinePrior().log_likelihood(Board(1, len(cells), cells))
    assert likely is not None
    assert likely == pytest.approx(801 * (log(ODDS) - log1p(ODDS)), rel=1e-3)
