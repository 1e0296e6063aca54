"""Models, refutations and conflicts, compared with python-sat."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from pysat.card import CardEnc, EncType
from pysat.examples.optux import OptUx
from pysat.formula import WCNF
from pysat.solvers import Solver

from games.errors import Contradiction
from games.logic import Constraint, Deduction, Knowledge, bits, cell_set, check
from games.minesweeper import Board, board_knowledge
from strategies import Reasoner, load_strategy
from strategies.search import conflicts
from strategies.search.conflicts import (
    ReasonFinder,
    minimal_conflict,
    minimize_contradiction,
    smallest_conflict,
)
from strategies.search.model_finder import ModelFinder, find_model
from strategies.search.solver import refute

CELLS = 24


def problem(rng: Random, count: int, cells: int = CELLS) -> list[Constraint]:
    """Constraints about 2 to 6 cells each, half of them exact."""
    found = []
    for place in range(count):
        own = cell_set(rng.sample(range(cells), rng.randint(2, 6)))
        low = rng.randint(0, own.bit_count())
        high = low if rng.random() < 0.5 else rng.randint(low, own.bit_count())
        found.append(Constraint(own, low, high, f"c{place}"))
    return found


def is_satisfiable(constraints: Sequence[Constraint], true: int = 0, false: int = 0) -> bool:
    """The answer of minicard, whose variables are the cells plus 1."""
    with Solver("minicard") as solver:
        for constraint in constraints:
            names = [k + 1 for k in bits(constraint.cells)]
            solver.add_atmost(names, constraint.high)
            solver.add_atmost([-name for name in names], len(names) - constraint.low)
        answer = solver.solve([k + 1 for k in bits(true)] + [-k - 1 for k in bits(false)])
        assert isinstance(answer, bool)
        return answer


def assumptions(cell: int) -> tuple[tuple[int, int], ...]:
    """Nothing, the cell is true, the cell is false: true and false cells."""
    return (0, 0), (1 << cell, 0), (0, 1 << cell)


def check_layout(layout: int | None, constraints: Sequence[Constraint], true: int, false: int) -> bool:
    """A layout, which is right, was found if minicard finds one."""
    assert (layout is not None) == is_satisfiable(constraints, true, false)
    if layout is not None:
        assert all(c.holds(layout) for c in constraints)
        assert layout & (true | false) == true
    return layout is not None


@pytest.mark.parametrize("count", [3, 6, 9, 12])
def test_search_model_found_if_any(count: int) -> None:
    rng = Random(count)
    answers = []
    for _ in range(120):
        constraints = problem(rng, count)
        models = ModelFinder(constraints)
        for true, false in assumptions(next(bits(models.cells))):
            found = models.find(true, false)
            assert found.is_known
            answers.append(check_layout(found.layout, constraints, true, false))
    assert {True, False} == set(answers)


@pytest.mark.parametrize("count", [2, 4, 6, 8])
def test_find_model_whole_board_exact(count: int) -> None:
    rng = Random(f"layout {count}")
    everything = (1 << CELLS) - 1
    answers = []
    for _ in range(60):
        total = rng.randint(2, CELLS - 2)
        constraints = (*problem(rng, count), Constraint(everything, total, total, "mines", is_global=True))
        for true, false in assumptions(rng.randrange(CELLS)):
            layout = find_model(everything, constraints, true=true, false=false)
            answers.append(check_layout(layout, constraints, true, false))
    assert {True, False} == set(answers)


@pytest.mark.parametrize("count", [3, 6, 9, 12])
def test_refute_premises_suffice(count: int) -> None:
    rng = Random(f"refuted {count}")
    answers = []
    for _ in range(120):
        premises = problem(rng, count)
        opposite = Constraint(1 << rng.randrange(CELLS), 1, 1)
        shown = refute(premises, opposite)
        answers.append(shown is not None)
        assert answers[-1] != is_satisfiable([*premises, opposite])
        if shown is not None and all(not c.is_impossible for c in premises):
            assert not is_satisfiable([*shown.premises, opposite])
            check(
                Deduction.false(opposite.cells, shown.premises, "refuted", shown.method),
                Knowledge((1 << CELLS) - 1, (), constraints=tuple(premises)),
                shown.premises,
            )
    assert {True, False} == set(answers)


def smallest(statements: Sequence[Sequence[Constraint]]) -> int:
    """The size of the smallest MUS by OptUx: a soft clause activates each statement."""
    formula = WCNF()
    top = CELLS + len(statements)
    for place, own in enumerate(statements):
        switch = CELLS + place + 1
        for constraint in own:
            names = [k + 1 for k in bits(constraint.cells)]
            for encode, bound in ((CardEnc.atmost, constraint.high), (CardEnc.atleast, constraint.low)):
                clauses = encode(names, bound=bound, top_id=top, encoding=EncType.seqcounter)
                top = max(top, clauses.nv)
                for clause in clauses.clauses:
                    formula.append([*clause, -switch])
        formula.append([switch], weight=1)
    with OptUx(formula) as finder:
        return len(finder.compute())


def test_conflicts_minimal_and_smallest() -> None:
    rng = Random("conflicts")
    sizes = set()
    with_total = 0
    for number in range(100):
        constraints = problem(rng, 12 if number < 60 else 4, cells=12)
        if number >= 60:
            total = rng.randint(0, 12)
            constraints.append(Constraint((1 << 12) - 1, total, total, "mines", is_global=True))
        can_hold = is_satisfiable(constraints)
        core = minimal_conflict(constraints)
        assert bool(core) != can_hold
        assert set(core) <= set(constraints)
        with_total += any(c.is_global for c in core)
        found = smallest_conflict([], [[constraint] for constraint in constraints])
        if can_hold:
            assert found is None
            continue
        assert not is_satisfiable(core)
        assert all(is_satisfiable([c for c in core if c is not left_out]) for left_out in core)
        assert found is not None
        assert len(found) == smallest([[constraint] for constraint in constraints]) <= len(core)
        sizes.add(len(found))
    assert len(sizes) > 2
    assert with_total > 5


def test_smallest_conflict_of_statements() -> None:
    sizes = set()
    subsets = [places for size in range(7) for places in combinations(range(6), size)]
    for seed in range(60):
        rng = Random(f"statements {seed}")
        always = problem(rng, 1, cells=8)
        statements = [problem(rng, rng.randint(1, 2), cells=8) for _ in range(6)]
        contradictory = [
            places
            for places in subsets
            if not is_satisfiable([*always, *(c for place in places for c in statements[place])])
        ]
        found = smallest_conflict(always, statements)
        assert (found is None) == (not contradictory)
        if found is not None:
            assert found in contradictory
            assert len(found) == len(contradictory[0])
            sizes.add(len(found))
    assert sizes >= {1, 2, 3}
    assert smallest_conflict([Constraint(1, 2, 2)], [[Constraint(1, 0, 0)]]) == ()
    assert smallest_conflict([Constraint(1, 1, 1)], [[Constraint(1, 1, 1)]]) is None
    assert smallest_conflict([], []) is None


def test_search_step_limit_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pigeonhole problem, 9 in 8, exceeds the step limit."""
    pigeons = [Constraint(cell_set(8 * p + h for h in range(8)), 1, 8) for p in range(9)]
    holes = [Constraint(cell_set(8 * p + h for p in range(9)), 0, 1) for h in range(8)]
    monkeypatch.setattr("strategies.search.model_finder.MAX_SPLITS", 50)
    found = ModelFinder([*pigeons, *holes]).find()
    assert (found.layout, found.is_known) == (None, False)
    assert conflicts.is_satisfiable([*pigeons, *holes]) is None
    assert smallest_conflict([], [[*pigeons, *holes]]) is None
    knowledge = Knowledge.of(cell_set(range(72)), [*pigeons, *holes])
    outcome = Reasoner([load_strategy("witnesses")]).deduce(knowledge)
    assert (outcome.knowledge.history, outcome.faults) == ((), ())


def test_conflict_narrowed_or_unchanged() -> None:
    given = board_knowledge(Board.parse("..........\n1111111113\n..........")).given
    error = Contradiction("these cannot all hold: a lot", ("a", "lot"))
    assert minimize_contradiction(error, given[:3]) is error
    minimal = minimize_contradiction(error, given)
    assert minimal.sources == ("r1c8", "r1c9")
    assert str(minimal) == "these cannot all hold: r1c8, r1c9"


def test_reason_undecided_cell_none() -> None:
    clues = ReasonFinder([c for text in ("1..", ".1.") for c in board_knowledge(Board.parse(text)).given])
    assert clues.reasons(0, is_true=True) == ()
