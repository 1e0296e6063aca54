"""Layouts counted cell by cell and drawn: all of them, each as often as any other."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from games.clue import Deal, knowledge_of, random_game
from games.logic import Constraint, cell_set
from games.logic.drawing import all_layouts
from strategies import Reasoner, load_strategies
from strategies.testing import layouts, small_knowledge
from strategies.trials import small_trials


def test_every_layout_is_counted_and_so_is_every_cell() -> None:
    for knowledge in [
        *small_knowledge("drawing", 150),
        *(trial.knowledge for trial in small_trials("drawing", 60, most_hidden=14)),
    ]:
        found = all_layouts(knowledge.constraints)
        assert found is not None
        assert found.is_exact
        cells = cell_set(found.cells)
        truth = {layout & cells for layout in layouts(knowledge)}
        assert found.count == len(truth)
        assert sorted(found.every()) == sorted(truth)
        assert found.trues() == {k: sum(layout >> k & 1 for layout in truth) for k in found.cells}


def test_what_cannot_be_has_no_layout() -> None:
    found = all_layouts([Constraint(0b11, 2, 2), Constraint(0b110, 0, 0)])
    assert found is not None
    assert (found.count, found.draw(3, Random(0)), list(found.every())) == (0, [], [])


def test_nothing_stated_is_one_layout_of_no_cells() -> None:
    found = all_layouts([])
    assert found is not None
    assert (found.count, found.trues(), found.draw(2, Random(0))) == (1, {}, [0, 0])


@pytest.mark.parametrize("cap", [None, 28])
def test_each_layout_is_drawn_equally_often(cap: int | None) -> None:
    """With a small cap constraints are left out of the graph, and layouts that break them thrown away."""
    hand = Constraint(cell_set(range(6)), 2, 2)
    shown = [Constraint(cell_set(three), 1, 3) for three in ((0, 1, 2), (2, 3, 4))]
    found = all_layouts([hand, *shown]) if cap is None else all_layouts([hand, *shown], cap)
    assert found is not None
    assert found.is_exact == (cap is None)
    drawn = Counter(found.draw(6_000, Random(7)))
    # 15 pairs, less {3, 4}, {3, 5}, {4, 5} (none of 0, 1, 2) and {0, 1}, {0, 5}, {1, 5} (none of 2, 3, 4)
    assert len(drawn) == 9
    expected = 6_000 / 9
    assert (
        sum((count - expected) ** 2 / expected for count in drawn.values()) < 26.1
    )  # chi2, 8 degrees, 0.999


def test_what_is_too_much_even_so() -> None:
    assert all_layouts([Constraint(cell_set(range(40)), 20, 20)], 10) is None


@pytest.mark.parametrize("players", [3, 6])
def test_deals_of_clue_are_dealt_hands(players: int) -> None:
    deal, log = random_game(players, 8, Random(players))
    knowledge = Reasoner(load_strategies(["single-cell"])).deduce(knowledge_of(log)).knowledge
    found = all_layouts(knowledge.stated)
    assert found is not None
    assert found.is_exact
    for drawn in found.draw(40, Random(1)):
        truths = knowledge.true | drawn
        assert all(c.low <= (c.cells & truths).bit_count() <= c.high for c in knowledge.given)
        assert truths.bit_count() == 21
    assert isinstance(deal, Deal)
