"""Step limits of `witnesses`, and smallest conflicts."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from games.logic import Constraint, Knowledge, cell_set
from strategies import Reasoner, load_strategies
from strategies.search.conflicts import is_satisfiable, smallest_conflict
from strategies.search.model_finder import ModelFinder

WITNESSES = [each for each in load_strategies(["witnesses"]) if each.has_deduce]


def test_witness_search_gives_up_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pigeonhole problem, 9 in 8, exceeds the step limit."""
    pigeons = [Constraint(cell_set(8 * p + h for h in range(8)), 1, 8) for p in range(9)]
    holes = [Constraint(cell_set(8 * p + h for p in range(9)), 0, 1) for h in range(8)]
    monkeypatch.setattr("strategies.search.model_finder.MAX_SPLITS", 50)
    found = ModelFinder([*pigeons, *holes]).find()
    assert (found.layout, found.is_known) == (None, False)
    assert is_satisfiable([*pigeons, *holes]) is None
    assert smallest_conflict([], [[*pigeons, *holes]]) is None
    knowledge = Knowledge.of(cell_set(range(72)), [*pigeons, *holes])
    outcome = Reasoner(WITNESSES).deduce(knowledge)
    assert (outcome.knowledge.history, outcome.faults) == ((), ())


def statements(seed: int) -> tuple[list[Constraint], list[list[Constraint]]]:
    """One unconditional constraint, and six statements of one or two constraints, on six variables."""
    rng = Random(seed)

    def constraint() -> Constraint:
        cells = cell_set(rng.sample(range(6), rng.randint(1, 4)))
        low = rng.randint(0, cells.bit_count())
        return Constraint(cells, low, rng.randint(low, cells.bit_count()))

    return [constraint()], [[constraint() for _ in range(rng.randint(1, 2))] for _ in range(6)]


def fits(constraints: list[Constraint]) -> bool:
    return any(all(c.holds(layout) for c in constraints) for layout in range(64))


def test_smallest_conflict_is_smallest() -> None:
    sizes = set()
    for seed in range(150):
        always, said = statements(seed)

        every = [places for size in range(7) for places in combinations(range(6), size)]
        conflicts = [
            places for places in every if not fits([*always, *(c for place in places for c in said[place])])
        ]
        found = smallest_conflict(always, said)
        assert (found is None) == (not conflicts)
        if found is not None:
            assert found in conflicts
            assert len(found) == len(conflicts[0])
            sizes.add(len(found))
    assert sizes >= {1, 2, 3}


def test_impossible_constraint_blames_only_itself() -> None:
    assert smallest_conflict([Constraint(1, 2, 2)], [[Constraint(1, 0, 0)]]) == ()
    assert smallest_conflict([Constraint(1, 1, 1)], [[Constraint(1, 1, 1)]]) is None
    assert smallest_conflict([], []) is None
