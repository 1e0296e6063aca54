"""What a question is expected to tell, against entropies worked out from all layouts."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import log2
from random import Random

import pytest

from games.logic import Constraint, bits
from strategies.probability.information import Question, Reply, cell_question, expected_information
from strategies.testing import all_models, small_knowledge


def entropy(counts: Counter[object]) -> float:
    total = sum(counts.values())
    return -sum(n / total * log2(n / total) for n in counts.values() if n)


def test_information_opening_cell() -> None:
    """A mine, or a number: that follows from the layout, so all that is told is its entropy."""
    compared = 0
    for knowledge in small_knowledge("asking", 40):
        every = list(all_models(knowledge))
        cells = list(bits(knowledge.universe))
        rng = Random(len(every))
        cell = rng.choice(cells)
        counted = sum(1 << k for k in cells if k != cell and rng.random() < 0.4)
        (worth,) = expected_information(
            every, [cell_question(cell, counted)], knowledge.universe, are_all=True
        )
        replies: Counter[object] = Counter(
            "mine" if layout >> cell & 1 else (layout & counted).bit_count() for layout in every
        )
        assert worth.everything == pytest.approx(entropy(replies), abs=1e-9)
        assert worth.matters == pytest.approx(worth.everything, abs=1e-9)
        target = 1 << cells[0]
        (worth,) = expected_information(every, [cell_question(cell, counted)], target, are_all=True)
        pairs: Counter[object] = Counter(
            ("mine" if layout >> cell & 1 else (layout & counted).bit_count(), layout & target)
            for layout in every
        )
        goals: Counter[object] = Counter(layout & target for layout in every)
        assert worth.matters == pytest.approx(entropy(replies) + entropy(goals) - entropy(pairs), abs=1e-9)
        compared += len(every) > 1
    assert compared > 20


def test_information_free_choice_is_less() -> None:
    """One of two cells is named; where both are true, either half the time."""
    shown = Question("shown", tuple(Reply((Constraint(1 << k, 1, 1),), 0b11) for k in (0, 1)))
    every = [0b01, 0b10, 0b11]
    (worth,) = expected_information(every, [shown], 0b11, are_all=True)
    half = Fraction(1, 3) + Fraction(1, 6)
    assert half == Fraction(1, 2)
    assert worth.everything == pytest.approx(
        1 - 1 / 3
    )  # a fair coin, which is thrown for nothing in one of three


def test_information_small_sample_corrected() -> None:
    """A cell tells nothing about another that is independent of it."""
    rng = Random(4)
    drawn = [rng.getrandbits(12) for _ in range(300)]
    question = Question("low", tuple(Reply((Constraint(0b111111, n, n),)) for n in range(7)))
    (corrected,) = expected_information(drawn, [question], 0b111111000000)
    (raw,) = expected_information(drawn, [question], 0b111111000000, are_all=True)
    assert raw.matters > 0.3
    assert corrected.matters < raw.matters - 0.2


def test_information_no_layout_none() -> None:
    (worth,) = expected_information([], [cell_question(0, 2)], 3)
    assert (worth.matters, worth.everything) == (0, 0)
