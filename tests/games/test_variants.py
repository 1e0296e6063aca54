"""Quad, triplet, balance and cross: their rules, their deals, their reasoning, and variants of others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations, pairwise
from random import Random

import pytest
from proofs import confirmed
from said import Sapper, refused

from benchmarks.exactness import compare_variant, variant_positions
from bot.show.explainer import Explainer
from games.errors import Contradiction, UsageError
from games.logic import bits, cell_set
from games.minesweeper import Board, Deal, Minefield, Move, board_knowledge
from games.minesweeper.deals import layout_graph, sample_layout
from games.minesweeper.position import updated_knowledge
from games.minesweeper.variants import PLAIN, get_variant
from strategies import Reasoner, load_strategies
from strategies.testing.samples import VARIANTS

DEDUCING = [strategy for strategy in load_strategies() if strategy.has_deduce]


def rows_of(layout: int, rows: int, columns: int) -> list[list[bool]]:
    return [[bool(layout >> r * columns + c & 1) for c in range(columns)] for r in range(rows)]


def is_quad(field: list[list[bool]]) -> bool:
    """Straight from the rule, with nothing of the code that is tested."""
    pairs = pairwise(field)
    return all(
        a or b or c or d for up, low in pairs for a, b, c, d in zip(up, up[1:], low, low[1:], strict=False)
    )


def is_triplet(field: list[list[bool]]) -> bool:
    rows, columns = len(field), len(field[0])
    mines = {(r, c) for r in range(rows) for c in range(columns) if field[r][c]}
    steps = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]
    return not any(
        {(r + dr, c + dc), (r + 2 * dr, c + 2 * dc)} <= mines for r, c in mines for dr, dc in steps
    )


def is_balance(field: list[list[bool]]) -> bool:
    return len({sum(row) for row in field}) == 1 == len({sum(column) for column in zip(*field, strict=True)})


RULES: dict[str, Callable[[list[list[bool]]], bool]] = {
    "quad": is_quad,
    "triplet": is_triplet,
    "balance": is_balance,
}  # by others mines may be anywhere


def allowed(variant: str, rows: int, columns: int, mines: int) -> set[int]:
    every = (cell_set(chosen) for chosen in combinations(range(rows * columns), mines))
    return {
        layout for layout in every if variant not in RULES or RULES[variant](rows_of(layout, rows, columns))
    }


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("rows", "columns", "mines"), [(3, 3, 3), (4, 4, 4), (3, 5, 5), (2, 4, 4)])
def test_variant_states_its_rule(variant: str, rows: int, columns: int, mines: int) -> None:
    truth = allowed(variant, rows, columns, mines)
    try:
        stated = get_variant(variant).states(rows, columns, mines)
    except UsageError:
        assert not truth
        return
    every = (cell_set(chosen) for chosen in combinations(range(rows * columns), mines))
    assert truth == {layout for layout in every if all(c.holds(layout) for c in stated)}
    assert len({c.source for c in stated}) == len(stated)


def test_variant_numbers_count() -> None:
    board = Board.fresh(5, 5)
    cross = board.with_variant("cross")
    assert board.names(cross.around[12]) == ["r0c2", "r1c2", "r2c0", "r2c1", "r2c3", "r2c4", "r3c2", "r4c2"]
    assert board.names(cross.around[0]) == ["r0c1", "r0c2", "r1c0", "r2c0"]
    for variant in ("quad", "triplet", "balance", PLAIN):
        assert board.with_variant(variant).around == board.around


@pytest.mark.parametrize(
    ("variant", "size"),
    [("quad", (3, 4, 4)), ("triplet", (3, 4, 5)), ("balance", (4, 4, 4)), ("quad", (5, 5, 4))],
)
def test_variant_deals_every_layout_equally(variant: str, size: tuple[int, int, int]) -> None:
    rows, columns, mines = size
    truth = {layout for layout in allowed(variant, *size) if not layout & 1}
    drawn = Counter(
        sample_layout(variant, rows, columns, mines, 1, Random(k)) for k in range(40 * len(truth))
    )
    assert set(drawn) == truth
    chi2 = sum((count - 40) ** 2 / 40 for count in drawn.values())
    free = len(truth) - 1
    assert chi2 < free + 4.5 * (2 * free) ** 0.5 + 7  # about 0.9999


@pytest.mark.parametrize(
    ("variant", "size"), [("quad", (8, 8, 26)), ("triplet", (9, 9, 10)), ("balance", (8, 8, 16))]
)
@pytest.mark.parametrize("first_click", ["safe", "none"])
def test_variant_deal_keeps_rules_and_promise(
    variant: str, size: tuple[int, int, int], first_click: str
) -> None:
    rows, columns, mines = size
    for seed in range(5):
        field = Minefield(Deal.random(rows, columns, mines, seed, variant), first_click)
        first = 7 * seed
        field.play([Move("open", first)])
        truth = field.truth or 0
        assert truth.bit_count() == mines
        assert RULES[variant](rows_of(truth, rows, columns))
        assert first_click == "none" or not truth >> first & 1
        again = Minefield(Deal.random(rows, columns, mines, seed, variant), first_click)
        again.play([Move("open", first)])
        assert again.truth == truth


@pytest.mark.parametrize(
    ("variant", "size", "what"),
    [
        ("quad", (5, 5, 3), "no layout under the rules of quad"),
        ("quad", (16, 30, 99), "too large to deal"),
        ("balance", (4, 4, 3), "3 mines cannot be divided equally"),
    ],
)
def test_variant_impossible_deal_refused(variant: str, size: tuple[int, int, int], what: str) -> None:
    with pytest.raises(UsageError, match=what):
        Deal.random(*size, 1, variant).lay(0, "safe")


def test_variant_missing_condition_refused() -> None:
    with pytest.raises(UsageError, match="use safe or none"):
        Minefield(Deal.random(5, 5, 9, 1, "quad"), "zero")
    with pytest.raises(UsageError, match="balance requires the mine total"):
        board_knowledge(Board.parse("variant balance\n..\n.."))


def test_variant_cross_zero_opens_plus() -> None:
    field = Minefield(Deal(1, 7, 1, (6, *range(6)), "cross"), "none")
    assert field.play([Move("open", 0)]).cells == "000011."  # r0c4 counts r0c2 to r0c6
    field = Minefield(Deal(1, 7, 1, (6, *range(6)), "cross"), "zero")
    assert field.play([Move("open", 4)]).cells.count("0") >= 1


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_variant_certain_and_odds_equal_all_layouts(variant: str) -> None:
    tally = compare_variant(variant, "tests", 20, DEDUCING)  # `make exact` compares more
    assert tally.is_exact, str(tally)
    assert tally.certain > 50
    assert tally.risks > 2


@pytest.mark.parametrize("variant", VARIANTS)
def test_variant_proofs_confirmed(variant: str) -> None:
    cells = 0
    for board in variant_positions(variant, "proofs", 12):
        known = Reasoner(DEDUCING).deduce(board_knowledge(board)).knowledge
        assert len(confirmed(known)) == (known.true | known.false).bit_count()
        cells += (known.true | known.false).bit_count()
    assert cells > 20


@pytest.mark.parametrize("variant", VARIANTS)
def test_variant_incremental_equals_fresh(variant: str) -> None:
    for board in variant_positions(variant, "after", 12):
        known = Reasoner(DEDUCING).deduce(board_knowledge(board)).knowledge
        safe = known.false & board.closed
        if not safe:
            continue
        cell = next(bits(safe))
        for number in "012345678":
            later = board.with_states({cell: number})
            try:
                whole = Reasoner(DEDUCING).deduce(board_knowledge(later)).knowledge
            except Contradiction:
                continue
            further = updated_knowledge(known, board, later)
            assert further is not None
            gone_on = Reasoner(DEDUCING).deduce(further, new=further.news).knowledge
            open_cells = later.not_open
            assert gone_on.true & open_cells == whole.true & open_cells
            assert gone_on.false & open_cells == whole.false & open_cells


def test_variant_exact_odds_8x8() -> None:
    risks = dict(Explainer(Board.fresh(8, 8, 26, "quad"), DEDUCING).risks())
    layouts = layout_graph("quad", 8, 8, 26)
    assert layouts is not None
    assert layouts.count == 1_413_004_013_830_678
    assert sum(risks.values()) == pytest.approx(26)
    for row in range(8):
        for column in range(8):  # turned and mirrored it is the same board
            assert risks[8 * row + column] == pytest.approx(risks[8 * column + 7 - row])
            assert risks[8 * row + column] == pytest.approx(risks[8 * column + row])


def test_variant_bench(sapper: Sapper) -> None:
    bench = ("bench", "--variant", "quad", "--json")
    (played,) = sapper(*bench, "--size", "5x5", "--mines", "5", "--games", "3").objects
    assert played["games"] == 3
    (exact,) = sapper(*bench, "--exact", "4x3/3").objects
    assert exact["layouts"] == len([layout for layout in allowed("quad", 3, 4, 3) if not layout & 1])
    for words, what in (
        (["--first-click", "zero", "--size", "5x5", "--mines", "5"], "do not allow a zero first click"),
        (["--boards", "x.txt"], "leave out --variant"),
        (["--size", "5x5", "--mines", "3"], "no layout"),
    ):
        refused(sapper("bench", "--variant", "quad", *words), 2, what)
