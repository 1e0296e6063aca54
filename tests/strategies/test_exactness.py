"""Certain cells compared with independent oracles: a small part of `make exact`."""

from __future__ import annotations

import pytest

from benchmarks.exactness import compare_boards, compare_small, solve_with_minicard
from benchmarks.small_positions import small_positions
from games.errors import UsageError
from games.logic import Constraint, Knowledge
from games.minesweeper import LEVELS
from strategies import load_strategies
from strategies.testing import certain_variables, mid_game, small_knowledge

DEDUCING = [strategy for strategy in load_strategies() if strategy.has_deduce]


def test_exactness_small_positions() -> None:
    tally = compare_small("fast", 600, DEDUCING)
    assert tally.is_exact, str(tally)
    assert tally.certain > 2_000


def test_exactness_expert_positions() -> None:
    tally = compare_boards(mid_game("fast", 40, "expert"), DEDUCING)
    assert tally.is_exact, str(tally)
    assert tally.certain > 2_000


def test_exactness_both_truths_agree() -> None:
    boards = (trial.knowledge for trial in small_positions("truth", 60))
    for knowledge in (*boards, *small_knowledge("truth", 60)):
        assert certain_variables(knowledge) == solve_with_minicard(knowledge)


def test_exactness_detects_wrong_answer() -> None:
    """`mine-count` alone misses certain cells."""
    tally = compare_small("fast", 50, [s for s in DEDUCING if s.name == "mine-count"])
    assert tally.missed > 0
    assert not tally.is_exact


def test_small_positions_have_promised_form() -> None:
    trials = list(small_positions("promise", 300))
    assert all(0 < trial.knowledge.universe.bit_count() <= 20 for trial in trials)
    assert any(trial.knowledge.universe.bit_count() > 16 for trial in trials)
    with_total = sum(any(c.is_global for c in trial.knowledge.given) for trial in trials)
    assert 100 < with_total < 200
    windows = [c for trial in trials for c in trial.knowledge.given if str(c.source).startswith("window")]
    assert any(c.low for c in windows)
    assert any(not c.low for c in windows)
    assert sum("F" in str(trial.board) for trial in trials) > 100
    assert [str(t.board) for t in small_positions("promise", 20)] == [str(t.board) for t in trials[:20]]


@pytest.mark.parametrize("level", LEVELS)
def test_mid_game_positions_are_mid_game(level: str) -> None:
    rows, columns, mines = LEVELS[level]
    for board in mid_game("middle", 5, level):
        assert (board.rows, board.columns, board.mines) == (rows, columns, mines)
        assert 0.3 <= board.open.bit_count() / (rows * columns - mines) <= 0.8


def test_exactness_too_many_layouts_refused() -> None:
    with pytest.raises(UsageError, match="30 variables are too many to try"):
        certain_variables(Knowledge.of((1 << 30) - 1, [Constraint(3, 1, 1)]))
