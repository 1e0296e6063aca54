"""Mine probabilities compared with all layouts, and the guesses of `lowest-risk`."""

from __future__ import annotations

import random

import pytest

from games.logic import Constraint, Deduction, Knowledge, bits, cell_set, union_cells
from games.logic.model_count import build_model_graph
from games.minesweeper import Board, FirstClick, board_knowledge
from strategies import Reasoner, load_strategies
from strategies.builtin.guesses import lowest_risk
from strategies.position import Position
from strategies.probability.counts import PRIOR_ODDS, count_components, count_layouts
from strategies.probability.risks import (
    MineProbabilities,
    beside_clues,
    exact_probabilities,
    mine_probabilities,
    whole_board_probabilities,
)
from strategies.testing import all_models, position_of, samples, small_boards, small_knowledge
from strategies.testing.samples import VARIANTS


def check_risks(found: MineProbabilities, known: Knowledge, counted: int) -> int:
    """Compare with all layouts; returns the number of cells compared."""
    has_total = any(c.is_global for c in known.given)
    likely = {m: 1.0 if has_total else PRIOR_ODDS ** (m & counted).bit_count() for m in all_models(known)}
    cells = known.undecided & (counted | union_cells(known.constraints))
    for k in bits(cells):
        with_mine = sum(weight for layout, weight in likely.items() if layout >> k & 1)
        assert found.of(k) == pytest.approx(with_mine / sum(likely.values()), abs=1e-9)
    assert found.estimated == 0
    return cells.bit_count()


def test_risks_boards_equal_all_layouts() -> None:
    for board in small_boards("risks", 200):
        known = board_knowledge(board)
        check_risks(exact_probabilities(count_components(known)), known, board.not_open)
        later = Reasoner(load_strategies()).deduce(known).knowledge
        check_risks(exact_probabilities(count_components(later, board.not_open)), later, board.not_open)


def test_risks_bounds_equal_all_layouts() -> None:
    tried = 0
    for known in small_knowledge("risks", 200):
        total = next((c for c in known.given if c.is_global), None)
        counted = total.cells if total else known.universe
        tried += check_risks(exact_probabilities(count_components(known)), known, counted)
    assert tried > 1000


@pytest.mark.parametrize("variant", VARIANTS)
def test_risks_variant_equal_all_layouts(variant: str) -> None:
    compared = 0
    for sample in samples(f"tied {variant}", 60, variants=[variant]):
        if sample.variant == variant and sample.has_total:
            known, everything = sample.knowledge, sample.board.everything
            check_risks(whole_board_probabilities(known, everything), known, everything)
            check_risks(exact_probabilities(count_components(known, everything)), known, everything)
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
    known = Reasoner(load_strategies()).deduce(board_knowledge(board)).knowledge
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
    board = Board.parse("mines 3\n1....\n.....")
    guesses = Reasoner(load_strategies(["lowest-risk"])).guess(position_of(board, board_knowledge(board)))
    by_name = {board.name(guess.cell): guess for guess in guesses}
    assert len(guesses) == 9
    assert by_name["r0c1"].safe == pytest.approx(2 / 3)
    assert by_name["r0c1"].reason == "a mine in 33.3 % of the layouts that the clues allow"
    assert by_name["r1c4"].reason == "next to no clue; a mine with 33.3 %"


def test_guess_contradiction_still_answers() -> None:
    known = Knowledge.of(15, [Constraint(3, 1, 1, "A"), Constraint(6, 1, 1, "B"), Constraint(5, 1, 1, "C")])
    position = Position(known, 1, 4, 15, (0, 0, 0, 0))
    assert len(Reasoner(load_strategies()).guess(position)) == 4


def test_guess_known_safe_first_known_mines_never() -> None:
    start = Knowledge.of(15, [Constraint(3, 1, 1, "A"), Constraint(4, 1, 1, "B"), Constraint(8, 0, 0, "C")])
    _, mine, safe = start.constraints
    known = start.learn([Deduction.true(4, (mine,)), Deduction.false(8, (safe,))])
    guesses = Reasoner(load_strategies()).guess(Position(known, 1, 4, 15, (0, 0, 0, 0)))
    assert guesses[0].cell == 3
    assert 2 not in {guess.cell for guess in guesses}
