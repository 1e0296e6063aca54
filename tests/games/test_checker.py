"""The checker accepts a deduction only if its step proves it."""

from __future__ import annotations

import pytest

from games.logic import (
    Constraint,
    Deduction,
    DeductionRejected,
    Knowledge,
    Linear,
    Method,
    Propagation,
    Split,
    cell_set,
    check,
)
from strategies.testing import all_models, small_knowledge

COUNT = Propagation()


def claim(text: str, premises: str, method: Method = COUNT, given: str = "") -> None:
    """Check `1:2,3` against premises such as `1:0,1 2:0,1,2,3`."""
    constraints = tuple(Constraint.parse(word) for word in premises.split())
    known = Knowledge.of(
        cell_set(range(12)), [Constraint.parse(word) for word in (given or premises).split()]
    )
    wanted = Constraint.parse(text)
    check(Deduction.bounds(wanted.cells, wanted.low, wanted.high, constraints, "rule", method), known)


ACCEPTED: tuple[tuple[str, str, Method], ...] = (
    ("0:0,1", "0:0,1,2", COUNT),
    ("3:0,1,2", "3:0,1,2", COUNT),
    ("1..2:0,1", "2:0,1,2", COUNT),
    ("0:2", "1:0,1 1:0,1,2", COUNT),
    # identical cells: one bound from each premise
    ("1:0,1,2", "1..3:0,1,2 0..1:0,1,2", COUNT),
    # several cells, each proved separately
    ("0:2,3", "1:0,1 1:0,1,2 1:0,1,3", COUNT),
    # Inference Rules, 5.2: for three cells, the sum is required
    ("1:2,3,4", "1:0,1 2:0,1,2,3,4", Linear((-1, 1))),
    # Inference Rules, 5.3, with x >= 0 for the cell of A alone
    ("2:2,3", "1:0,1 3:1,2,3", Linear((-1, 1))),
    # MySweeper rules, rule 5: a chain of three
    ("0:4,5", "1:0,1 2:0,1,2,3 1:2,3,4,5", Linear((1, -1, 1))),
    # three clues around a triangle: half of the sum, rounded (no two of three)
    ("0..1:0,1,2", "0..1:0,1 0..1:1,2 0..1:0,2", Linear((1, 1, 1), 2)),
    # 0 + 1 = 1, 1 + 2 = 1, 0 + 2 + 3 = 1: without 1, both 0 and 2 are true, which is too many
    ("1:1", "1:0,1 1:1,2 1:0,2,3", COUNT),
    # the four cells of two diagonals: 4 is safe in both cases of 0
    ("0:4", "1:0,1 1:0,2 1:1,3 1:2,3,4 1:0,3,4", Split(0)),
)


@pytest.mark.parametrize(("text", "premises", "method"), ACCEPTED)
def test_checker_accepted(text: str, premises: str, method: Method) -> None:
    claim(text, premises, method)


REJECTED: tuple[tuple[str, str, Method, str], ...] = (
    ("1:0", "1:0,1", COUNT, "does not show"),
    ("0:0,1", "1:0,1", COUNT, "does not show"),
    ("1:2,3,4", "1:0,1 2:0,1,2,3,4", Linear((1, -1)), "does not show"),
    ("1:2,3,4", "1:0,1 2:0,1,2,3,4", Linear((1,)), "does not show"),
    ("1:2,3,4", "1:0,1 2:0,1,2,3,4", Linear((-1, 1), 0), "does not show"),
    ("1:0", "1:0,1", Split(0), "does not show"),
    ("1:0", "1:0,1", Split(1, Split(0), Split(0)), "does not show"),
    ("0:30", "0:0", COUNT, "not in play"),
    ("0..1:0,1,2", "0..1:0,1 0..1:1,2 0..1:0,2", Linear((1, 1, 1), 3), "does not show"),
)


@pytest.mark.parametrize(("text", "premises", "method", "complaint"), REJECTED)
def test_checker_rejected(text: str, premises: str, method: Method, complaint: str) -> None:
    with pytest.raises(DeductionRejected, match=complaint):
        claim(text, premises, method)


def test_checker_unknown_premise_rejected() -> None:
    with pytest.raises(DeductionRejected, match="has the unknown premise 0:0,1"):
        claim("0:0", "0:0,1", given="1:0,1")


def test_checker_earlier_conclusion_is_premise() -> None:
    known = Knowledge.of(7, [Constraint.parse("1:0,1")])
    step = Constraint.parse("0:2")
    with pytest.raises(DeductionRejected):
        check(Deduction.false(4, (step,)), known)
    check(Deduction.false(4, (step,)), known, {step})


def test_checker_contradiction_proves_conflicting() -> None:
    claim("1..0:0,1", "1:0 0:0,1")
    with pytest.raises(DeductionRejected):
        claim("1..0:0,1", "1:0,1")


def test_checker_known_cells_prove_nothing_alone() -> None:
    start = Knowledge.of(7, [Constraint.parse("1:0"), Constraint.parse("1:0,1"), Constraint.parse("1:1,2")])
    known = start.learn([Deduction.true(1, start.constraints[:1])])
    full, reduced = start.constraints[1], next(c for c in known.constraints if c.cells == 2)
    check(Deduction.bounds(3, 1, 1, (reduced,)), known)
    with pytest.raises(DeductionRejected):  # clue B as it was before does not say it without clue A
        check(Deduction.false(2, (full,)), known)


@pytest.mark.parametrize("method", [COUNT, Linear((1, -1)), Linear((-1, 1)), Linear((1, 1), 2), Split(0)])
def test_checker_never_accepts_false(method: Method) -> None:
    """Every claim about one or two cells against every pair of premises of random constraints."""
    accepted = 0
    for known in small_knowledge("checker", 30, variables=6):
        truth = all_models(known)
        names = [k for k in range(12) if known.universe >> k & 1]
        first, second = known.given[:2]
        for cells in {1 << a | 1 << b for a in names for b in names}:
            for low, high in ((0, 0), (1, 1), (1, 2), (0, 1), (2, 2)):
                deduction = Deduction.bounds(cells, low, high, (first, second), "", method)
                try:
                    check(deduction, known)
                except DeductionRejected:
                    continue
                accepted += 1
                assert all(low <= (layout & cells).bit_count() <= high for layout in truth)
    assert accepted > 50
