"""Quad, triplet, balance and cross: rules, deals, reasoning and games; variants of installed packages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from pathlib import Path
from random import Random

import pytest
from installed import pretend_installed
from proofs import confirmed
from said import Sapper, refused
from tables import Table, known, player

from benchmarks.exactness import compare_variant, variant_positions
from bot.show.explainer import Explainer
from bot.simulation.simulated_game import simulated_rules
from games.errors import Contradiction, InvalidFile, UsageError
from games.logic import Constraint, bits, cell_set
from games.minesweeper import Board, Deal, Minefield, Move, board_knowledge
from games.minesweeper.deals import layout_graph, sample_layout
from games.minesweeper.position import updated_knowledge
from games.minesweeper.variants import PLAIN, Variant, get_variant, variant_names
from strategies import Reasoner, load_strategies
from strategies.testing.samples import VARIANTS

DEDUCING = [strategy for strategy in load_strategies() if strategy.has_deduce]


def rows_of(layout: int, rows: int, columns: int) -> list[list[bool]]:
    return [[bool(layout >> r * columns + c & 1) for c in range(columns)] for r in range(rows)]


def is_quad(field: list[list[bool]]) -> bool:
    """Straight from the rule, with nothing of the code that is tested."""
    return all(
        any(window) for up, low in pairwise(field) for window in zip(up, up[1:], low, low[1:], strict=False)
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


def layouts(rows: int, columns: int, mines: int) -> Iterator[int]:
    return (cell_set(chosen) for chosen in combinations(range(rows * columns), mines))


def allowed(variant: str, rows: int, columns: int, mines: int) -> set[int]:
    every = layouts(rows, columns, mines)
    return {k for k in every if variant not in RULES or RULES[variant](rows_of(k, rows, columns))}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("rows", "columns", "mines"), [(3, 3, 3), (4, 4, 4), (3, 5, 5), (2, 4, 4)])
def test_variant_states_its_rule(variant: str, rows: int, columns: int, mines: int) -> None:
    truth = allowed(variant, rows, columns, mines)
    try:
        stated = get_variant(variant).states(rows, columns, mines)
    except UsageError:
        assert not truth
        return
    assert truth == {k for k in layouts(rows, columns, mines) if all(c.holds(k) for c in stated)}
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
        first = 7 * seed
        truth, again = (Deal.random(*size, seed, variant).lay(first, first_click) for _ in range(2))
        assert truth == again
        assert truth.bit_count() == mines
        assert RULES[variant](rows_of(truth, rows, columns))
        assert first_click == "none" or not truth >> first & 1


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
        found = known(board)
        assert len(confirmed(found)) == (found.true | found.false).bit_count()
        cells += (found.true | found.false).bit_count()
    assert cells > 20


@pytest.mark.parametrize("variant", VARIANTS)
def test_variant_incremental_equals_fresh(variant: str) -> None:
    for board in variant_positions(variant, "after", 12):
        before = known(board)
        for cell in list(bits(before.false & board.closed))[:1]:
            for number in "012345678":
                later = board.with_states({cell: number})
                try:
                    fresh = known(later)
                except Contradiction:
                    continue
                further = updated_knowledge(before, board, later)
                assert further is not None
                gone_on = Reasoner(DEDUCING).deduce(further, new=further.news).knowledge
                for ours, theirs in ((gone_on.true, fresh.true), (gone_on.false, fresh.false)):
                    assert ours & later.not_open == theirs & later.not_open


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


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "mines"), [("quad", 10), ("triplet", 6), ("balance", 6), ("cross", 5)])
def test_variant_player_follows_rules(variant: str, mines: int) -> None:
    won = 0
    for seed in range(8):
        field = Minefield(Deal.random(6, 6, mines, seed, variant), "safe")
        result = player(Table(field), simulated_rules(mines, "safe", variant)).play()
        assert result.wrong_certain == 0
        won += result.result == "won"
    assert won


def test_variant_explain(tmp_path: Path, sapper: Sapper) -> None:
    path = tmp_path / "board.txt"
    path.write_text("...\n11.\n", encoding="utf-8")
    assert "r0c0" not in [each.get("cell") for each in sapper("explain", path, "--json").objects]
    path.write_text("variant quad\n..1\n.1.\n", encoding="utf-8")
    assert "window r0c" in sapper("explain", path).printed.casefold()


def test_variant_installed_found_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def first_row(rows: int, columns: int, mines: int | None) -> tuple[Constraint, ...]:
        return (Constraint((1 << columns) - 1, 1, columns, "first row"),)

    mine = Variant("mine", "at least one mine in the first row", first_row)
    pretend_installed(monkeypatch, "sapper.variants", mine=mine, odd=3, broken=ImportError("no such thing"))
    assert variant_names() == (PLAIN, *VARIANTS, "broken", "mine", "odd")
    found = known(Board.parse("variant mine\n.1\n.1"))
    assert (found.true, found.false) == (1, 4)
    field = Minefield(Deal.random(2, 3, 1, 5, "mine"), "safe")
    field.play([Move("open", 4)])
    assert (field.truth or 0) & 0b111
    for name, what in (("odd", "is not a Variant"), ("broken", "no such thing")):
        with pytest.raises(InvalidFile, match=what):
            get_variant(name)
    with pytest.raises(UsageError, match="use one of plain, quad"):
        get_variant("nosuch")
