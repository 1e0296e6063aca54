"""The contract of the built-in strategies, known positions, and games."""

from __future__ import annotations

import pytest
from needed import needs_prover9
from stated import stated

from games.logic import bits
from games.minesweeper import Board, board_knowledge
from strategies import BUILT_IN, Reasoner, Strategy, load_strategies, load_strategy
from strategies.testing import check_strategy

EVERY = load_strategies(list(BUILT_IN))


@pytest.mark.parametrize(
    "strategy",
    [
        pytest.param(each, id=each.name, marks=needs_prover9 if each.name == "prover9" else ())
        for each in EVERY
    ],
)
def test_builtin_contract(strategy: Strategy) -> None:
    check_strategy(strategy, boards=15 if strategy.name == "prover9" else 40)  # a process for each question


def solved(text: str, *names: str) -> str:
    """The board with `*` on certain mines and `-` on certain safe cells."""
    board = Board.parse(text)
    outcome = Reasoner(load_strategies(names)).deduce(board_knowledge(board))
    assert outcome.faults == ()
    found = dict.fromkeys(bits(outcome.knowledge.true), "*")
    return "\n".join(board.with_states(found | dict.fromkeys(bits(outcome.knowledge.false), "-")).grid)


@pytest.mark.parametrize(
    ("names", "text", "expected"),
    [
        # MySweeper rules, rules 1 and 2; Deduction functions, first_order_deduct
        ("single-cell", "1.\n11", "1*\n11"),
        ("single-cell", "1.1\n111\n...", "1*1\n111\n---"),
        ("single-cell", "2.1..\n.2...", "2*1-.\n*2--."),
        ("single-cell", "...\n121", "...\n121"),
        # Inference Rules, 5.2; MySweeper rules, rule 3: the cells of one clue inside those of another
        ("single-cell set-rules", "...\n111", "-*-\n111"),
        ("single-cell set-rules", "....\n11..", "..-.\n11-."),
        # Inference Rules, 5.3; MySweeper rules, rule 4, both halves
        ("single-cell set-rules", "...\n121", "*-*\n121"),
        ("single-cell set-rules", "....\n1221", "-**-\n1221"),
        # MySweeper rules, rule 6: the remaining mines
        ("single-cell mine-count", "mines 1\n.1...", ".1.--"),
        ("single-cell mine-count", "mines 3\n.1...", ".1.**"),
        ("single-cell mine-count", "mines 1\n1....", "1*---"),
        ("single-cell mine-count", "mines 2\n.1...1.", ".1.-.1."),
        # Deduction functions: the demonstration board with exactly one layout (r1c1 r1c3 r2c1 r2c4 r3c4)
        (
            "single-cell set-rules mine-count backtracking",
            "mines 5\n.121.\n.....\n-....\n1-1..",
            "-121-\n-*-*-\n-*--*\n1-1-*",
        ),
        ("backtracking", "mines 5\n.121.\n.....\n-....\n1-1..", "-121-\n-*-*-\n-*--*\n1-1-*"),
        # unconstrained cells decided by the total and two groups together
        ("backtracking", "mines 2\n.1...1.", ".1.-.1."),
    ],
)
def test_builtin_known_positions(names: str, text: str, expected: str) -> None:
    assert solved(text, *names.split()) == expected


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        # bounds: at most one of two, at least two of three
        (("0..1:0,1", "2..3:0,1,2"), ("1:2",)),
        (("1..2:0,1", "0..1:0,1,2"), ("0:2",)),
        # identical cells: the tighter bounds
        (("1..3:0,1,2", "0..2:0,1,2"), ("1..2:0,1,2",)),
        # containment without a certain cell (Inference Rules, 5.2)
        (("1:0,1", "2:0,1,2,3"), ("1:2,3",)),
    ],
)
def test_set_rules_with_bounds(texts: tuple[str, ...], expected: tuple[str, ...]) -> None:
    known = stated(*texts)
    found = load_strategy("set-rules").deduce(known, known.universe)
    assert tuple(str(d.constraint) for d in found) == expected


@pytest.mark.parametrize(
    ("name", "texts", "changed", "expected"),
    [
        ("set-rules", "1:0,1 2:0,1,2,3 1:4,5 2:4,5,6,7", 4, "1:6,7"),
        ("linear", "1:0,1 2:0,1,2,3 1:2,3,4,5 1:6,7 2:6,7,8,9 1:8,9,10,11", 6, "0:10,11"),
        ("packing", "1:0,1,2,3,4,5 1..3:0,1,2 1:6,7,8,9,10,11 1..3:6,7,8", 0, "0:3,4,5"),
    ],
)
def test_builtin_unchanged_constraints_skipped(name: str, texts: str, changed: int, expected: str) -> None:
    known, strategy = stated(*texts.split()), load_strategy(name)
    assert [str(d.constraint) for d in strategy.deduce(known, 1 << changed)] == [expected]
    assert not list(strategy.deduce(known, 0))
