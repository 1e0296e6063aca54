"""Expected information, compared with entropies over all layouts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log2
from random import Random

import pytest

from games.logic import Constraint, bits
from strategies.probability.information import Question, Reply, expected_information
from strategies.testing import all_models, small_knowledge


def cell_question(cell: int, counted: int) -> Question:
    """Return the question of opening a cell: a mine, or any number of mines in the cell set `counted`."""
    safe, most = Constraint(1 << cell, 0, 0), counted.bit_count()
    numbers = (Reply((safe, Constraint(counted, n, n))) for n in range(most + 1))
    return Question(cell, (Reply((Constraint(1 << cell, 1, 1),)), *numbers))


def entropy(values: Sequence[object]) -> float:
    shares = [n / len(values) for n in Counter(values).values()]
    return -sum(share * log2(share) for share in shares)


def test_information_opening_cell() -> None:
    """The layout determines the reply, so the information is the entropy of the reply."""
    compared = 0
    for knowledge in small_knowledge("asking", 40):
        every = list(all_models(knowledge))
        cells = list(bits(knowledge.universe))
        rng = Random(len(every))
        cell = rng.choice(cells)
        counted = sum(1 << k for k in cells if k != cell and rng.random() < 0.4)
        replies = ["mine" if layout >> cell & 1 else (layout & counted).bit_count() for layout in every]
        for target in (knowledge.universe, 1 << cells[0]):
            (worth,) = expected_information(every, [cell_question(cell, counted)], target, are_all=True)
            goals = [layout & target for layout in every]
            pairs = list(zip(replies, goals, strict=True))
            assert worth.everything == pytest.approx(entropy(replies), abs=1e-9)
            mutual = entropy(replies) + entropy(goals) - entropy(pairs)
            assert worth.matters == pytest.approx(mutual, abs=1e-9)
        compared += len(every) > 1
    assert compared > 20


def test_information_free_choice_is_less() -> None:
    """The reply names one of two cells; if both are true, each with probability 1/2."""
    shown = Question("shown", tuple(Reply((Constraint(1 << k, 1, 1),), 0b11) for k in (0, 1)))
    every = [0b01, 0b10, 0b11]
    (worth,) = expected_information(every, [shown], 0b11, are_all=True)
    assert worth.everything == pytest.approx(1 - 1 / 3)  # in one of three layouts the reply is random


def test_information_small_sample_corrected() -> None:
    """Independent cells give no information about each other."""
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
