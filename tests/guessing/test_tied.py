"""Odds on boards that a variant ties together: exact while they can be counted, a fair estimate beyond."""

from __future__ import annotations

import pytest

from games.logic import bits, build_model_graph
from games.minesweeper import Board, board_knowledge
from strategies.builtin import lowest_risk
from strategies.probability.counts import count_components
from strategies.probability.risks import (
    beside_clues,
    exact_probabilities,
    mine_probabilities,
    whole_board_probabilities,
)
from strategies.testing import all_models, position_of, samples
from strategies.testing.samples import VARIANTS


@pytest.mark.parametrize("variant", VARIANTS)
def test_variant_odds_equal_all_layouts(variant: str) -> None:
    compared = 0
    for sample in samples(f"tied {variant}", 60, variants=[variant]):
        if sample.variant != variant or not sample.has_total:
            continue
        knowledge = sample.knowledge
        every = all_models(knowledge)
        counted = [whole_board_probabilities(knowledge, sample.board.everything)]
        counted.append(exact_probabilities(count_components(knowledge, sample.board.everything)))
        for found in counted:
            assert not found.estimated
            for k in bits(knowledge.undecided):
                share = sum(layout >> k & 1 for layout in every) / len(every)
                assert found.of(k) == pytest.approx(share, abs=1e-9)
        compared += 1
    assert compared > 3


QUAD = (
    "mines 20\nvariant quad\n........\n..2.....\n........\n....3...\n........\n..4.....\n........\n........"
)


def test_variant_odds_quad_8x8_counted_in_parts() -> None:
    knowledge = board_knowledge(Board.parse(QUAD))
    whole = build_model_graph(knowledge.stated, exact=True)
    assert whole is not None
    found = mine_probabilities(knowledge, (1 << 64) - 1)
    assert not found.estimated
    for k, true in whole.true_counts().items():
        assert found.of(k) == pytest.approx(true / whole.count, abs=1e-9)


def test_risks_tied_board_counted_whole() -> None:
    board = Board.fresh(8, 8, 16, "balance")
    knowledge = board_knowledge(board)
    assert not count_components(knowledge).is_complete
    position = position_of(board, knowledge)
    guesses = lowest_risk.guess(position)
    assert {guess.safe for guess in guesses} == {0.75}
    assert not any("estimated" in guess.reason for guess in guesses)


def test_risks_beyond_cap_estimated_near_clues() -> None:
    board = Board.parse("mines 12\nvariant triplet\n........\n.2......" + "\n........" * 6)
    knowledge = board_knowledge(board)
    found = whole_board_probabilities(knowledge, board.everything, cap=1_000)
    assert found.estimated == knowledge.undecided
    beside, away = found.of(0), found.of(63)
    assert beside == pytest.approx(2 / 8, abs=0.1)
    assert away == pytest.approx(10 / 55, abs=0.01)
    kept = beside_clues(knowledge).stated
    assert {str(c.source) for c in kept if c.size == 3} == {
        "line r0c0-r0c2",
        "line r0c0-r2c0",
        "line r0c2-r2c2",
        "line r2c0-r2c2",
    }
