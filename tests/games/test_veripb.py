"""Exported proofs: the text checker confirms every certain cell."""

from __future__ import annotations

import random

import pytest
from proofs import confirmed
from stated import stated
from tables import known as solved

from games.errors import Contradiction
from games.logic import (
    Constraint,
    Deduction,
    DeductionRejected,
    Knowledge,
    Linear,
    ProofStep,
    Split,
    bits,
    cell_set,
    check,
)
from games.logic.derivation import DerivationGraph
from games.logic.veripb import export_veripb
from games.minesweeper import Board, board_knowledge
from strategies import Reasoner, load_strategies
from strategies.search.solver import refute
from strategies.testing import all_models, certain_variables, small_boards, small_knowledge
from tools import check_proof


def literals(known: Knowledge, true: int, false: int) -> list[str]:
    names = {k: f"x{place}" for place, k in enumerate(bits(known.universe), 1)}
    return [names[k] if true >> k & 1 else f"~{names[k]}" for k in bits(true | false)]


def test_export_certain_cells_confirmed() -> None:
    cells = 0
    for given in (*map(board_knowledge, small_boards("export", 150)), *small_knowledge("export", 80)):
        known = Reasoner(load_strategies()).deduce(given).knowledge
        assert confirmed(known) == literals(known, *certain_variables(known))
        cells += len(confirmed(known))
    assert cells > 300


@pytest.mark.parametrize("names", [["backtracking"], ["set-rules", "mine-count"], ["single-cell"]])
def test_export_each_strategy_alone(names: list[str]) -> None:
    """Backtracking alone makes splits, and bounds on components that only splits show."""
    for board in small_boards("alone", 40):
        known = Reasoner(load_strategies(names)).deduce(board_knowledge(board)).knowledge
        assert confirmed(known) == literals(known, known.true, known.false)


def test_export_one_or_two_numbers_per_constraint() -> None:
    known = stated("1..2:0,1,2", "0..1:3,4", "1..4:5,6,7,8", "1:9,10", "0..2:10,11")
    written = export_veripb(known.learn([Deduction.true(1 << 9, ())]), 0)
    assert "f 6\n" in written.proof  # 1..2 two, 0..1 one, 1..4 one, = two, and one that says nothing
    assert check_proof.check(written.problem, written.proof).confirmed == []


def test_export_bounds_by_cases() -> None:
    """Bounds on several cells that propagation does not derive from a single case."""
    rng = random.Random("bounds")
    shown = most_cases = 0
    for known in small_knowledge("bounds", 150, variables=9):
        truth = all_models(known)
        cells = cell_set(rng.sample(list(bits(known.universe)), 5))
        held = [(layout & cells).bit_count() for layout in truth]
        for low, high in ((min(held), 5), (0, max(held))):
            claim = Constraint(cells, low, high)
            opposite = Constraint(cells, 0, low - 1) if low else Constraint(cells, high + 1, 5)
            settles = claim.is_trivial or claim.all_true or claim.all_false
            refutation = None if settles else refute(known.given, opposite)
            if refutation is None or not isinstance(refutation.method, Split):
                continue
            step = ProofStep("", refutation.premises, refutation.method)
            leaning = leaning_on(known, Deduction(claim, step))
            written = export_veripb(leaning, 1 << 30)
            assert len(check_proof.check(written.problem, written.proof).confirmed) == 1
            shown += 1
            most_cases = max(most_cases, written.counts["u"])
    assert shown > 20
    assert most_cases > 3


def test_export_narrower_of_two_bounds() -> None:
    """Each bound comes from a different premise; neither propagates."""
    known = stated("2..5:0,1,2,3,4", "1..3:0,1,2,3,4")
    both = Deduction.bounds(31, 2, 3, known.given)
    for low, high in ((2, 5), (0, 3)):
        leaning = leaning_on(known, Deduction(Constraint(31, low, high), both.step))
        assert len(confirmed(leaning, 1 << 30)) == 1
    assert known.learn([both]).constraints[-1] == Constraint(31, 2, 3)


def leaning_on(known: Knowledge, bound: Deduction) -> Knowledge:
    """Add a constraint with which the bound decides another cell."""
    claim, cell = bound.constraint, 1 << 30
    low, high = (0, claim.low) if claim.low else (claim.high + 1, claim.size + 1)
    extra = Constraint(claim.cells | cell, low, high, "extra")
    base = Knowledge.of(known.universe | cell, (*known.given, extra)).learn(known.history)
    make = Deduction.false if claim.low else Deduction.true
    step = make(cell, (extra, claim), "leaning", Linear((1, -1)))
    check(bound, base)
    check(step, base, {claim})
    return base.learn([bound, step])


def test_export_any_checked_sum() -> None:
    """Random multipliers, divisors and premises, some of them reduced by known cells."""
    rng = random.Random("sums")
    single_cell = load_strategies(["single-cell"])
    exported = reduced = divided = 0
    for known in small_knowledge("sums", 600, variables=9):
        facts = Reasoner(single_cell).deduce(known).knowledge
        if not facts.constraints:
            continue
        premises = tuple(rng.sample(facts.constraints, min(len(facts.constraints), rng.randint(1, 4))))
        divisor = rng.choice((1, 1, 2, 3))
        method = Linear(tuple(rng.choice((-3, -2, -1, 1, 2, 3)) for _ in premises), divisor)
        names = list(bits(facts.universe))
        cells = cell_set(rng.sample(names, rng.randint(1, 4)))
        size = cells.bit_count()
        claims = [(low, size) for low in range(size, 0, -1)] + [(0, high) for high in range(size)]
        for low, high in claims:
            claim = Deduction.bounds(cells, low, high, premises, "sum", method)
            try:
                check(claim, facts)
                leaning = leaning_on(facts, claim)
            except (DeductionRejected, Contradiction):
                continue
            if leaning.why(30) is None:
                continue
            assert len(confirmed(leaning, 1 << 30)) == 1
            exported += 1
            divided += divisor > 1
            reduced += any(ground.known for link in DerivationGraph(leaning).links for ground in link.grounds)
    assert exported > 50
    assert divided > 10
    assert reduced > 10


def test_export_only_needed_premises() -> None:
    board = Board.parse("..1.\n1111\n0000")
    known = solved(board)
    first = next(bits(known.true | known.false))
    whole, part = export_veripb(known), export_veripb(known, 1 << first)
    assert part.counts["e"] == 1
    assert part.lines <= whole.lines
    assert check_proof.check(part.problem, part.proof).confirmed
    assert export_veripb(known, 0).lines == 0


def test_export_damaged_proof_rejected() -> None:
    rejected = 0
    for board in small_boards("spoil", 30):
        known = solved(board)
        written = export_veripb(known)
        lines = written.proof.splitlines()
        for place in [k for k, line in enumerate(lines) if line.startswith("e ")]:
            old, new = (" ~x", " x") if "~" in lines[place] else (" x", " ~x")
            turned = lines[place].replace(old, new)
            with pytest.raises(check_proof.ProofError):
                check_proof.check(written.problem, "\n".join([*lines[:place], turned, *lines[place + 1 :]]))
            rejected += 1
        for place in [k for k, line in enumerate(lines) if line.startswith(("u ", "p "))][:5]:
            with pytest.raises(check_proof.ProofError):
                check_proof.check(written.problem, "\n".join([*lines[:place], *lines[place + 1 :]]))
    assert rejected > 20


def test_export_comments_name_cells() -> None:
    board = Board.parse("1.")
    known = solved(board)
    written = export_veripb(known, name=board.name, remark="a remark")
    assert written.problem.splitlines()[:3] == ["* #variable= 1 #constraint= 1", "* a remark", "* x1 = r0c1"]
    assert written.proof.splitlines()[-2:] == ["* r0c1", "e 3 1 x1 >= 1 ;"]


def test_export_incomplete_history_no_proof() -> None:
    known = stated("1:0,1").learn([Deduction.true(1, (Constraint.parse("1:0,5"),))])
    with pytest.raises(ValueError, match="has no origin"):
        export_veripb(known)
