"""`linear`, compared with rational elimination."""

from __future__ import annotations

from fractions import Fraction

import pytest
from stated import stated

from benchmarks.small_positions import small_positions
from games.logic import Constraint, Knowledge, bits, check
from games.minesweeper import Board, board_knowledge
from strategies import Reasoner, load_strategies, load_strategy
from strategies.builtin.linear import IntegerElimination
from strategies.testing import small_knowledge

LINEAR = load_strategy("linear")


def found(knowledge: Knowledge) -> tuple[list[int], list[int]]:
    """The true and the false cells that `linear` finds."""
    true = false = 0
    for deduction in LINEAR.deduce(knowledge, knowledge.universe):
        check(deduction, knowledge)
        true |= deduction.constraint.cells * deduction.constraint.all_true
        false |= deduction.constraint.cells * deduction.constraint.all_false
    return list(bits(true)), list(bits(false))


@pytest.mark.parametrize(
    ("knowledge", "true", "false"),
    [
        # MySweeper rules, rule 5: the chain of three clues
        (stated("1:0,1", "2:0,1,2,3", "1:2,3,4,5"), [], [4, 5]),
        # the same in another order
        (stated("1:2,3,4,5", "2:0,1,2,3", "1:0,1"), [], [4, 5]),
        # a longer chain
        (stated("1:0,1", "2:0,1,2,3", "2:2,3,4,5", "2:4,5,6,7", "1:6,7,8,9"), [], [8, 9]),
        # equations without a certain cell
        (stated("1:0,1", "2:1,2,3", "1:3,4", "2:4,5,6"), [], []),
        # both halves of a row: all cells of one sign, none of the other
        (stated("3:0,1,2,3", "1:2,3,4,5"), [0, 1], [4, 5]),
        # three sums around a triangle: twice a cell is 2, or 0
        (stated("1:0,1", "1:1,2", "2:0,2"), [0, 2], [1]),
        # bounds: at least two of three; at most one of two of them and a fourth cell
        (stated("2..3:0,1,2", "0..1:1,2,3"), [0], [3]),
        # MySweeper rules, rule 6: the total as one more equation
        (stated("1:0,1", "1:1,2", total="1:0,1,2"), [1], [0, 2]),
        (stated("1:0,1", "1:2,3", total="2:0,1,2,3,4,5"), [], [4, 5]),
    ],
)
def test_linear_rows(knowledge: Knowledge, true: list[int], false: list[int]) -> None:
    assert found(knowledge) == (true, false)


def test_linear_mysweeper_rule_5_chain() -> None:
    knowledge = stated("1:0,1", "2:0,1,2,3", "1:2,3,4,5")
    outcome = Reasoner(load_strategies(["single-cell", "linear"])).deduce(knowledge)
    assert outcome.faults == ()
    why = outcome.knowledge.why(4)
    assert why is not None
    assert why.step.rule == "these clues, added and subtracted, leave nothing to choose"
    assert len(why.step.premises) == 3


def determined(constraints: list[Constraint]) -> set[int]:
    """The cells that the exact constraints determine over the rationals, by textbook elimination."""
    names = sorted({k for c in constraints for k in bits(c.cells)})
    rows = [[Fraction(c.cells >> k & 1) for k in names] for c in constraints]
    done = 0
    for column in range(len(names)):
        pivot = next((r for r in range(done, len(rows)) if rows[r][column]), None)
        if pivot is None:
            continue
        rows[done], rows[pivot] = rows[pivot], rows[done]
        rows[done] = [number / rows[done][column] for number in rows[done]]
        for r, row in enumerate(rows):
            if r != done and row[column]:
                rows[r] = [a - row[column] * b for a, b in zip(row, rows[done], strict=True)]
        done += 1
    alone = [row for row in rows if sum(map(bool, row)) == 1]
    return {names[next(at for at, number in enumerate(row) if number)] for row in alone}


def test_linear_finds_rational_elimination() -> None:
    tried = 0
    for trial in small_positions("rational", 150):
        knowledge = trial.knowledge
        exact = [c for c in knowledge.constraints if c.is_exact]
        outcome = Reasoner(load_strategies(["single-cell", "linear"])).deduce(knowledge)
        shown = outcome.knowledge.true | outcome.knowledge.false
        must = determined(exact)
        assert must <= set(bits(shown)), str(trial.board)
        tried += len(must)
    assert tried > 300


def test_elimination_integer_unique_pivots() -> None:
    for knowledge in small_knowledge("pivots", 60):
        constraints = [c for c in knowledge.constraints if not c.is_global]
        elimination = IntegerElimination(constraints)
        for row in elimination.rows():
            for k in bits(knowledge.universe):
                combined = sum(n * (constraints[p].cells >> k & 1) for p, n in row.multipliers.items())
                assert combined == row.coefficients.get(k, 0)
        for pivot, row in elimination.pivots.items():
            others = [other for at, other in elimination.pivots.items() if at != pivot]
            assert pivot in row.coefficients
            assert not any(pivot in other.coefficients for other in others)


def test_linear_large_total_skipped() -> None:
    assert found(board_knowledge(Board.fresh(16, 30, 99))) == ([], [])
