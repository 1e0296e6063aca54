"""Mine probabilities compared with all layouts, and the guesses of `lowest-risk`."""

from __future__ import annotations

import random

import pytest
from stated import check_risks, stated
from tables import known as solved

from games.logic import Deduction, cell_set
from games.logic.model_count import build_model_graph
from games.minesweeper import Board, FirstClick, board_knowledge
from strategies import Reasoner, load_strategies
from strategies.builtin.guesses import lowest_risk
from strategies.position import Position
from strategies.probability.counts import count_components, count_layouts
from strategies.probability.risks import (
    beside_clues,
    exact_probabilities,
    mine_probabilities,
    whole_board_probabilities,
)
from strategies.testing import position_of, samples, small_boards, small_knowledge
from strategies.testing.samples import VARIANTS


def test_risks_boards_equal_all_layouts() -> None:
    for board in small_boards("risks", 200):
        for known in (board_knowledge(board), solved(board)):
            found = exact_probabilities(count_components(known, board.not_open))
            check_risks(found, known, board.not_open, rounds_ones=True)


def test_risks_bounds_equal_all_layouts() -> None:
    tried = 0
    for known in small_knowledge("risks", 200):
        total = next((c for c in known.given if c.is_global), None)
        counted = total.cells if total else known.universe
        found = exact_probabilities(count_components(known))
        tried += check_risks(found, known, counted, rounds_ones=True)
    assert tried > 1000


@pytest.mark.parametrize("variant", VARIANTS)
def test_risks_variant_equal_all_layouts(variant: str) -> None:
    compared = 0
    for sample in samples(f"tied {variant}", 60, variants=[variant]):
        if sample.variant == variant and sample.has_total:
            known, everything = sample.knowledge, sample.board.everything
            check_risks(whole_board_probabilities(known, everything), known, everything)
            found = exact_probabilities(count_components(known, everything))
            check_risks(found, known, everything, rounds_ones=True)
            compared += 1
    assert compared > 3


def test_risks_long_chain_is_cheap() -> None:
    """Two hundred classes in a row, each constraint on two neighbours: two layouts."""
    rules = tuple(((k, k + 1), 1, 1) for k in range(199))
    found = count_layouts((1,) * 200, (True,) * 200, rules, 2_000)
    assert found is not None
    assert sum(found.all) == 2
    assert found.all[100] == 2


def test_risks_huge_counts_exact() -> None:
    found = count_layouts((80, 80), (True, True), (((0, 1), 0, 160),), 60_000)
    assert found is not None
    assert sum(found.all) == 2**160
    assert all(2 * sum(mine) == 2**160 for mine in found.mine)


def tangled(size: int = 24) -> Board:
    """Clues in every other row and column: one very wide component."""
    rng = random.Random("tangled")
    field = cell_set(k for k in range(size * size) if rng.random() < 0.2)
    board = Board.fresh(size, size)
    clues = [r * size + c for r in range(1, size, 2) for c in range(1, size, 2)]
    mines = field & ~cell_set(clues)
    shown = {k: str((board.around[k] & mines).bit_count()) for k in clues}
    return board.with_states(shown).with_mines(mines.bit_count())


@pytest.mark.parametrize("has_total", [True, False])
def test_risks_above_cap_approximate_and_say_so(has_total: bool) -> None:
    board = tangled() if has_total else tangled().with_mines(None)
    outcome = Reasoner(load_strategies()).deduce(board_knowledge(board))
    assert outcome.faults == ()
    assert not count_components(outcome.knowledge).is_complete
    position = position_of(board, outcome.knowledge)
    best = Reasoner(load_strategies()).guess(position)[0]
    assert "too many layouts" in best.reason or outcome.knowledge.false >> best.cell & 1


QUAD = (
    "mines 20\nvariant quad\n........\n..2.....\n........\n....3...\n........\n..4.....\n........\n........"
)


def test_risks_quad_counted_in_components() -> None:
    knowledge = board_knowledge(Board.parse(QUAD))
    whole = build_model_graph(knowledge.stated, exact=True)
    assert whole is not None
    found = mine_probabilities(knowledge, (1 << 64) - 1)
    assert not found.estimated
    for k, true in whole.true_counts().items():
        assert found.of(k) == pytest.approx(true / whole.count, abs=1e-9)


def test_risks_tied_board_counted_whole() -> None:
    board = Board.fresh(8, 8, 16, "balance")
    knowledge = board_knowledge(board)
    assert not count_components(knowledge).is_complete
    guesses = lowest_risk.guess(position_of(board, knowledge))
    assert {guess.safe for guess in guesses} == {0.75}
    assert not any("estimated" in guess.reason for guess in guesses)


def test_risks_beyond_cap_estimated_near_clues() -> None:
    board = Board.parse("mines 12\nvariant triplet\n........\n.2......" + "\n........" * 6)
    knowledge = board_knowledge(board)
    found = whole_board_probabilities(knowledge, board.everything, cap=1_000)
    assert found.estimated == knowledge.undecided
    assert found.of(0) == pytest.approx(2 / 8, abs=0.1)
    assert found.of(63) == pytest.approx(10 / 55, abs=0.01)
    lines = {str(c.source) for c in beside_clues(knowledge).stated if c.size == 3}
    assert lines == {f"line {ends}" for ends in ("r0c0-r0c2", "r0c0-r2c0", "r0c2-r2c2", "r2c0-r2c2")}


def best_guess(board: Board, first_click: FirstClick | None = None) -> str:
    position = position_of(board, solved(board), first_click)
    return board.name(Reasoner(load_strategies(["lowest-risk"])).guess(position)[0].cell)


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
def test_risks_first_click(
    size: tuple[int, int, int], promise: FirstClick, expected: str, total_known: bool
) -> None:
    rows, columns, mines = size
    assert best_guess(Board.fresh(rows, columns, mines if total_known else None), promise) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # 1 of 5 around the clue, a lower risk elsewhere: away from it, in a corner
        ("mines 2\n.1.......\n.........\n.........\n.........", "r0c8"),
        # 1 of 8 around the clue, every second one elsewhere: next to the clue
        ("mines 13\n......\n.1....\n......\n......\n......", "r0c0"),
        # equal risks: next to a clue, then the fewest neighbours
        ("mines 3\n1....\n.....", "r1c0"),
    ],
)
def test_lowest_risk_choice(text: str, expected: str) -> None:
    assert best_guess(Board.parse(text)) == expected


def test_guess_text_names_its_basis() -> None:
    guesses = Reasoner(load_strategies(["lowest-risk"])).guess(position_of("mines 3\n1....\n....."))
    by_cell = {guess.cell: guess for guess in guesses}
    assert len(guesses) == 9
    assert by_cell[1].safe == pytest.approx(2 / 3)
    assert by_cell[1].reason == "a mine in 33.3 % of the layouts that the clues allow"
    assert by_cell[9].reason == "next to no clue; a mine with 33.3 %"


def test_guess_known_safe_first_known_mines_never() -> None:
    start = stated("1:0,1", "1:2", "0:3", cells=4)
    _, mine, safe = start.constraints
    known = start.learn([Deduction.true(4, (mine,)), Deduction.false(8, (safe,))])
    guesses = Reasoner(load_strategies()).guess(Position(known, 1, 4, 15, (0, 0, 0, 0)))
    assert guesses[0].cell == 3
    assert 2 not in {guess.cell for guess in guesses}
