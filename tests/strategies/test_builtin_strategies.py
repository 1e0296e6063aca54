"""One contract for every strategy; known positions; all that is certain is found; risks are exact."""

from __future__ import annotations

import random

import pytest

from games.logic import Constraint, Deduction, Knowledge, bits, cell_set
from games.minesweeper import Board, FirstClick, Minefield, Move, Position, knowledge_of
from games.minesweeper.dealing import Deal
from strategies import BUILT_IN, Reasoner, Strategy, load_strategies
from strategies.counting import PRIOR_ODDS, count_layouts, risks, take_census
from strategies.testing import (
    certain,
    check_strategy,
    layouts,
    position_of,
    small_boards,
    small_knowledge,
)

EVERY = load_strategies(list(BUILT_IN))


@pytest.mark.parametrize("strategy", EVERY, ids=[strategy.name for strategy in EVERY])
def test_contract(strategy: Strategy) -> None:
    check_strategy(strategy, boards=15 if strategy.name == "prover9" else 60)  # a process for each question


# --- known positions -------------------------------------------------------------------------------------


def solved(text: str, *names: str) -> str:
    """The board with `*` on certain mines and `-` on certain safe cells."""
    board = Board.parse(text)
    outcome = Reasoner(load_strategies(names)).deduce(knowledge_of(board))
    assert outcome.faults == ()
    found = dict.fromkeys(bits(outcome.knowledge.true), "*")
    return "\n".join(board.showing(found | dict.fromkeys(bits(outcome.knowledge.false), "-")).grid)


@pytest.mark.parametrize(
    ("names", "text", "expected"),
    [
        # MySweeper rules, rules 1 and 2; Deduction functions, first_order_deduct
        ("single-cell", "1.\n11", "1*\n11"),
        ("single-cell", "1.1\n111\n...", "1*1\n111\n---"),
        ("single-cell", "2.1..\n.2...", "2*1-.\n*2--."),
        ("single-cell", "...\n121", "...\n121"),
        # Inference Rules, 5.2; MySweeper rules, rule 3: one clue's cells inside another's, and as many mines
        ("single-cell set-rules", "...\n111", "-*-\n111"),
        ("single-cell set-rules", "....\n11..", "..-.\n11-."),
        # Inference Rules, 5.3; MySweeper rules, rule 4, both halves: mines beside, safe on the other side
        ("single-cell set-rules", "...\n121", "*-*\n121"),
        ("single-cell set-rules", "....\n1221", "-**-\n1221"),
        # MySweeper rules, rule 6: one mine remains, and what else a total leaves
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
        # cells next to no clue that only the total and two groups together decide
        ("backtracking", "mines 2\n.1...1.", ".1.-.1."),
    ],
)
def test_known_positions(names: str, text: str, expected: str) -> None:
    assert solved(text, *names.split()) == expected


@pytest.mark.parametrize("names", ["single-cell set-rules", "backtracking"])
def test_the_chain_of_mysweeper_rule_5(names: str) -> None:
    """`1:a,b 2:a,b,c,d 1:c,d,e,f`: e and f are safe, though no two clues together say so."""
    chain = [Constraint.parse(text) for text in ("1:0,1", "2:0,1,2,3", "1:2,3,4,5")]
    outcome = Reasoner(load_strategies(names.split())).deduce(Knowledge.of(63, chain))
    assert outcome.knowledge.false == cell_set([4, 5])
    assert outcome.knowledge.true == 0


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        # bounds: at most one of two, at least two of three
        (("0..1:0,1", "2..3:0,1,2"), ("1:2",)),
        (("1..2:0,1", "0..1:0,1,2"), ("0:2",)),
        # the same cells twice: the narrower of both
        (("1..3:0,1,2", "0..2:0,1,2"), ("1..2:0,1,2",)),
        # containment leaves something that is not yet certain (Inference Rules, 5.2)
        (("1:0,1", "2:0,1,2,3"), ("1:2,3",)),
    ],
)
def test_set_rules_with_bounds(texts: tuple[str, ...], expected: tuple[str, ...]) -> None:
    known = Knowledge.of(31, [Constraint.parse(text) for text in texts])
    (strategy, _) = load_strategies(["set-rules"])
    assert tuple(str(d.constraint) for d in strategy.deduce(known, known.universe)) == expected


def test_only_pairs_with_something_new_are_looked_at() -> None:
    texts = ("1:0,1", "2:0,1,2,3", "1:4,5", "2:4,5,6,7")
    known = Knowledge.of(255, [Constraint.parse(text) for text in texts])
    (strategy, _) = load_strategies(["set-rules"])
    assert [str(d.constraint) for d in strategy.deduce(known, 0b10000)] == ["1:6,7"]
    assert not list(strategy.deduce(known, 0))


def test_the_reasons_of_a_move_are_those_clues_that_it_takes() -> None:
    board = Board.parse("...\n121")
    known = Reasoner(load_strategies()).deduce(knowledge_of(board)).knowledge
    assert set(known.because(board.cell("r0c1"))) <= {"r1c0", "r1c1", "r1c2"}
    far = Board.parse("1.....1\n1.....1")
    assert Reasoner(load_strategies()).deduce(knowledge_of(far)).knowledge.because(far.cell("r0c1")) == ()


# --- everything that is certain is found, and nothing else -----------------------------------------------


@pytest.mark.parametrize("names", [("backtracking",), ()], ids=["backtracking alone", "default order"])
def test_complete_on_small_boards(names: tuple[str, ...]) -> None:
    strategies = load_strategies(names)
    for board in small_boards("complete", 250):
        outcome = Reasoner(strategies).deduce(knowledge_of(board))
        assert outcome.faults == ()
        assert (outcome.knowledge.true, outcome.knowledge.false) == certain(knowledge_of(board)), str(board)


@pytest.mark.parametrize("names", [("backtracking",), ()], ids=["backtracking alone", "default order"])
def test_complete_on_constraints_with_bounds_and_variables_outside_the_total(names: tuple[str, ...]) -> None:
    strategies = load_strategies(names)
    for known in small_knowledge("bounds", 250):
        outcome = Reasoner(strategies).deduce(known)
        assert outcome.faults == ()
        assert (outcome.knowledge.true, outcome.knowledge.false) == certain(known), list(
            map(str, known.given)
        )


@pytest.mark.parametrize(("total", "rest"), [(3, 0), (4, 1), (5, 0), (6, 1), (9, 0), (10, 1)])
def test_numbers_with_a_gap_are_joined_exactly(total: int, rest: int) -> None:
    """Three groups hold 1 or 3 mines each, never 2: their sum is odd, which decides the cell beside them.

    Least and most alone (3 and 9) would leave it open.
    """
    texts = [f"1:{first},{first + other}" for first in (0, 4, 8) for other in (1, 2, 3)]
    given = [Constraint.parse(text) for text in texts]
    given.append(Constraint((1 << 13) - 1, total, total, "total", is_global=True))
    known = Knowledge.of((1 << 13) - 1, given)
    outcome = Reasoner(load_strategies()).deduce(known)
    assert outcome.faults == ()
    assert (outcome.knowledge.true, outcome.knowledge.false) == certain(known)
    assert (outcome.knowledge.true >> 12 & 1, outcome.knowledge.false >> 12 & 1) == (rest, 1 - rest)


# --- counting and risks ----------------------------------------------------------------------------------


def weights(known: Knowledge, counted: int) -> dict[int, float]:
    """Every layout and how likely it is."""
    has_total = any(c.is_global for c in known.given)
    found = layouts(known)
    return {m: 1.0 if has_total else PRIOR_ODDS ** (m & counted).bit_count() for m in found}


def test_risks_are_those_of_all_layouts() -> None:
    for board in small_boards("risks", 200):
        known = knowledge_of(board)
        found = risks(take_census(known))
        likely = weights(known, board.not_open)
        for k in bits(board.not_open):
            with_mine = sum(weight for layout, weight in likely.items() if layout >> k & 1)
            assert found.of(k) == pytest.approx(with_mine / sum(likely.values()), abs=1e-9), str(board)
        assert found.estimated == 0


def test_risks_with_bounds_and_variables_outside_the_total() -> None:
    tried = 0
    for known in small_knowledge("risks", 200):
        total = next((c for c in known.given if c.is_global), None)
        counted = total.cells if total else known.universe
        found = risks(take_census(known))
        likely = weights(known, counted)
        bound = counted
        for constraint in known.constraints:
            bound |= constraint.cells
        for k in bits(bound):
            with_mine = sum(weight for layout, weight in likely.items() if layout >> k & 1)
            assert found.of(k) == pytest.approx(with_mine / sum(likely.values()), abs=1e-9)
            tried += 1
    assert tried > 1000


def test_after_reasoning_the_risks_are_the_same() -> None:
    for board in small_boards("after", 60):
        start = knowledge_of(board)
        end = Reasoner(load_strategies()).deduce(start).knowledge
        before, after = risks(take_census(start)), risks(take_census(end, board.not_open))
        for k in bits(end.undecided):
            assert after.of(k) == pytest.approx(before.of(k), abs=1e-9)


def test_counting_a_long_chain_is_cheap() -> None:
    """Two hundred boxes in a row, each clue on two neighbours: two layouts, one way or the other."""
    rules = tuple(((k, k + 1), 1, 1) for k in range(199))
    found = count_layouts((1,) * 200, (True,) * 200, rules, 2_000)
    assert found is not None
    assert sum(found.all) == 2
    assert found.all[100] == 2


def test_huge_counts_are_exact() -> None:
    found = count_layouts((80, 80), (True, True), (((0, 1), 0, 160),), 60_000)
    assert found is not None
    assert sum(found.all) == 2**160
    assert all(2 * sum(mine) == 2**160 for mine in found.mine)


def tangled(size: int = 24) -> Board:
    """Clues in every other row and column and nothing else open: one component, very wide."""
    rng = random.Random("tangled")
    field = cell_set(k for k in range(size * size) if rng.random() < 0.2)
    board = Board.fresh(size, size)
    clues = [r * size + c for r in range(1, size, 2) for c in range(1, size, 2)]
    mines = field & ~cell_set(clues)
    shown = {k: str((board.around[k] & mines).bit_count()) for k in clues}
    return board.showing(shown).knowing(mines.bit_count())


@pytest.mark.parametrize("has_total", [True, False])
def test_above_the_cap_it_still_answers_and_says_so(has_total: bool) -> None:
    board = tangled() if has_total else tangled().knowing(None)
    outcome = Reasoner(load_strategies()).deduce(knowledge_of(board))
    assert outcome.faults == ()
    assert not take_census(outcome.knowledge).is_complete
    position = position_of(board, outcome.knowledge)
    best = Reasoner(load_strategies()).guess(position)[0]
    assert "too many layouts" in best.reason or outcome.knowledge.false >> best.cell & 1


# --- guesses ---------------------------------------------------------------------------------------------


def best_guess(board: Board, first_click: FirstClick | None = None) -> str:
    known = Reasoner(load_strategies()).deduce(knowledge_of(board)).knowledge
    return board.name(
        Reasoner(load_strategies(["lowest-risk"])).guess(position_of(board, known, first_click))[0].cell
    )


@pytest.mark.parametrize(
    ("size", "promise", "expected"),
    [
        ((9, 9, 10), "safe", "r0c0"),
        ((16, 30, 99), "none", "r0c0"),
        ((16, 30, 99), "unknown", "r0c0"),
        ((9, 9, 10), "zero", "r2c2"),
        ((16, 16, 40), "zero", "r2c2"),
        ((16, 30, 99), "zero", "r3c3"),
        ((24, 24, 99), "zero", "r3c3"),
        ((3, 3, 1), "zero", "r1c1"),
        ((1, 8, 1), "zero", "r0c2"),
    ],
)
@pytest.mark.parametrize("total_known", [True, False])
def test_first_click(
    size: tuple[int, int, int], promise: FirstClick, expected: str, total_known: bool
) -> None:
    rows, columns, mines = size
    assert best_guess(Board.fresh(rows, columns, mines if total_known else None), promise) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # 1 of 5 around the clue, far fewer elsewhere: away from it, at the edge
        ("mines 2\n.1.......\n.........\n.........\n.........", "r0c8"),
        # 1 of 8 around the clue, every second one elsewhere: beside it
        ("mines 13\n......\n.1....\n......\n......\n......", "r0c0"),
        # equally likely everywhere: next to a clue, and of these the one with the fewest neighbours
        ("mines 3\n1....\n.....", "r1c0"),
    ],
)
def test_lowest_risk(text: str, expected: str) -> None:
    assert best_guess(Board.parse(text)) == expected


def test_a_guess_says_what_it_rests_on() -> None:
    board = Board.parse("mines 3\n1....\n.....")
    guesses = Reasoner(load_strategies(["lowest-risk"])).guess(position_of(board, knowledge_of(board)))
    by_name = {board.name(guess.cell): guess for guess in guesses}
    assert len(guesses) == 9
    assert by_name["r0c1"].safe == pytest.approx(2 / 3)
    assert by_name["r0c1"].reason == "a mine in 33.3 % of the layouts that the clues allow"
    assert by_name["r1c4"].reason == "next to no clue; a mine with 33.3 %"


def test_contradictory_constraints_still_get_an_answer() -> None:
    known = Knowledge.of(15, [Constraint(3, 1, 1, "A"), Constraint(6, 1, 1, "B"), Constraint(5, 1, 1, "C")])
    position = Position(known, 1, 4, 15, (0, 0, 0, 0))
    assert len(Reasoner(load_strategies()).guess(position)) == 4


def test_known_safe_cells_come_first_and_known_mines_never() -> None:
    start = Knowledge.of(15, [Constraint(3, 1, 1, "A"), Constraint(4, 1, 1, "B")])
    known = start.learn([Deduction.true(4, start.constraints[1:])])
    guesses = Reasoner(load_strategies()).guess(Position(known, 1, 4, 15, (0, 0, 0, 0)))
    assert guesses[0].cell == 3
    assert 2 not in {guess.cell for guess in guesses}


# --- whole games -----------------------------------------------------------------------------------------


def test_certain_moves_never_hit_a_mine_in_whole_games() -> None:
    won = 0
    for seed in range(12):
        field = Minefield(Deal.random(16, 16, 40, seed))
        reasoner = Reasoner(load_strategies())
        while not (field.is_won or field.is_lost):
            board = field.board
            known = reasoner.deduce(knowledge_of(board)).knowledge
            safe = known.false & board.closed
            if field.truth is not None:
                assert not safe & field.truth
                assert not known.true & ~field.truth
            promise: FirstClick | None = None if board.open else "safe"
            cells = bits(safe) if safe else [reasoner.guess(position_of(board, known, promise))[0].cell]
            field.play([Move("open", k) for k in cells])
        assert reasoner.faults == ()
        won += field.is_won
    assert won >= 6
