"""Exact values of small boards: against playing every layout, and against published figures."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from authored import hook, written

from bot.simulation.exact import exact_value
from bot.simulation.simulated_game import GameStart, Promise, StrategySet, play_game
from games.logic import bits
from games.minesweeper import Board, Deal
from games.minesweeper.deals import protected_cells
from strategies import Strategy, load_strategies


def brute_force(
    strategies: tuple[Strategy, ...], size: tuple[int, int], mines: int, opening: GameStart
) -> Fraction:
    """Every layout played as a game of its own, by the loop of the tournaments."""
    rows, columns = size
    assert opening.start is not None
    forbidden = protected_cells(rows, columns, opening.start, opening.first_click)
    allowed = list(bits((1 << rows * columns) - 1 & ~forbidden))
    won = [
        play_game(strategies, 0, Deal(rows, columns, mines, layout), opening).won
        for layout in combinations(allowed, mines)
    ]
    return Fraction(sum(won), len(won))


@pytest.mark.parametrize(
    ("size", "mines", "first_click", "start"),
    [
        ((1, 5), 2, "safe", 0),
        ((2, 3), 2, "safe", 4),
        ((3, 3), 2, "safe", 0),
        ((3, 3), 4, "safe", 4),
        ((2, 5), 3, "safe", 2),
        ((3, 4), 3, "zero", 0),
        ((3, 4), 2, "zero", 5),
        ((4, 3), 3, "safe", 11),
        ((4, 4), 1, "zero", 0),  # always won: nothing to guess
    ],
)
def test_exact_tree_equals_all_layouts(
    size: tuple[int, int], mines: int, first_click: Promise, start: int
) -> None:
    strategies = load_strategies()
    opening = GameStart(first_click, start)
    found = exact_value(strategies, Board.fresh(*size, mines), opening)
    assert found.value == brute_force(strategies, size, mines, opening)
    assert found.first == start
    assert 0 < found.positions <= found.layouts * size[0] * size[1]


# safest cell, and of those the one with the lowest number
MINIMUM_RISK = """
from strategies import Guess, hookimpl
from strategies.probability.counts import count_components
from strategies.probability.risks import exact_probabilities
from games.logic import bits

@hookimpl
def guess(position):
    found = exact_probabilities(count_components(position.knowledge, (1 << position.cells) - 1))
    guesses = [Guess(k, 1 - found.of(k)) for k in bits(position.openable)]
    return sorted(guesses, key=lambda guess: (-round(guess.safe, 9), guess.cell))
"""


@pytest.mark.slow
def test_exact_lowest_risk_on_5x5_with_4(tmp_path: Path) -> None:
    """74.6 % in the comparison that the project started from."""
    file = tmp_path / "minimum_risk.py"
    file.write_text(MINIMUM_RISK, encoding="utf-8")
    lineup = StrategySet.of(["single-cell", "set-rules", "mine-count", "backtracking", str(file)], trust=True)
    found = exact_value(lineup.load(), Board.fresh(5, 5, 4), GameStart("safe", 0))
    assert found.layouts == 10626
    assert round(100 * float(found.value), 1) == 74.6


def test_exact_first_click_from_strategies() -> None:
    strategies = load_strategies()
    board = Board.fresh(4, 4, 2)
    own = exact_value(strategies, board, GameStart("zero"))
    assert own.value == exact_value(strategies, board, GameStart("zero", own.first)).value


def test_exact_strategy_without_guess_reported(tmp_path: Path) -> None:
    silent = written(tmp_path, hook("guess", "return []"))
    found = exact_value(load_strategies([str(silent)]), Board.fresh(3, 3, 2), GameStart("safe", 0))
    assert found.value < 1
    assert "given up" in found.faults[0]
