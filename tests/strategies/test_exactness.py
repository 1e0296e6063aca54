"""Certain cells compared with independent oracles, as `make exact` does, and with all layouts."""

from __future__ import annotations

import pytest
from stated import stated

from benchmarks.exactness import compare_boards, compare_small, solve_with_minicard
from benchmarks.small_positions import small_positions
from games.errors import Contradiction, UsageError
from games.logic import Constraint, Knowledge, union_cells
from games.minesweeper import LEVELS
from strategies import Reasoner, load_strategies, load_strategy
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


TRIANGLE = ("1:0,1", "1:1,2", "1:0,2")


@pytest.mark.parametrize("names", [("backtracking",), ("witnesses",)], ids=str)
def test_strategy_complete_finds_all_certain(names: tuple[str, ...]) -> None:
    strategies = load_strategies(names)
    found = 0
    for knowledge in (
        *(trial.knowledge for trial in small_positions("complete", 150, most_hidden=16)),
        *small_knowledge("complete", 200),
    ):
        outcome = Reasoner(strategies).deduce(knowledge)
        assert outcome.faults == ()
        known = outcome.knowledge
        assert (known.true, known.false) == certain_variables(knowledge), list(map(str, knowledge.given))
        found += len(known.history)
    assert found > 500


@pytest.mark.parametrize("name", ["models", "supposing"])
def test_strategy_complete_next_to_clues(name: str) -> None:
    tried = 0
    for trial in small_positions("next to clues", 150, most_hidden=14):
        has_total = any(c.is_global for c in trial.knowledge.given)
        if has_total and name == "models":
            continue
        outcome = Reasoner(load_strategies([name])).deduce(trial.knowledge)
        assert outcome.faults == ()
        known, (true, false) = outcome.knowledge, certain_variables(trial.knowledge)
        frontier = union_cells(c for c in trial.knowledge.constraints if not c.is_global)
        assert (known.true | true, known.false | false) == (true, false)
        assert (known.true & frontier, known.false & frontier) == (true & frontier, false & frontier)
        tried += (true | false).bit_count()
    assert tried > 200


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        *((name, TRIANGLE) for name in ("backtracking", "models", "supposing", "witnesses")),
        ("linear", ("1:0,1", "1:0,2", "2:1,2", "1:0")),
        ("linear", ("1:0,1", "1:1,2", "3:0,1,2,3", "0:3")),
        ("packing", ("1:0,1,2,3", "1..2:0,1", "1..2:2,3", "1:3", "1:0")),
        ("packing", ("1:0,1,2", "1..2:0,1", "1..2:1,2", "1..2:0,2")),
        ("packing", ("1..2:0,1", "1..2:2,3", "0..1:0,1,2,3")),
    ],
)
def test_strategy_proves_contradiction(name: str, texts: tuple[str, ...]) -> None:
    with pytest.raises(Contradiction, match="cannot all hold"):
        Reasoner([load_strategy(name)]).deduce(stated(*texts))


@pytest.mark.parametrize("total", [3, 4, 5, 6, 9, 10])
def test_strategy_total_with_gaps(total: int) -> None:
    """Three groups hold 1 or 3 mines each, never 2, so the total decides the cell outside the groups.

    The bounds 3 and 9 alone would leave it undecided.
    """
    texts = [f"1:{first},{first + other}" for first in (0, 4, 8) for other in (1, 2, 3)]
    known = stated(*texts, cells=13, total=f"{total}:{','.join(map(str, range(13)))}")
    outcome = Reasoner(load_strategies()).deduce(known)
    assert outcome.faults == ()
    assert (outcome.knowledge.true, outcome.knowledge.false) == certain_variables(known)
    assert bool(outcome.knowledge.true >> 12) == (total % 2 == 0)
