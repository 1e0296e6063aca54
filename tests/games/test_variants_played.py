"""Other rules than Minesweeper's own: played, explained, and brought by others."""

from __future__ import annotations

from pathlib import Path

import pytest
from installed import pretend_installed
from said import Sapper
from tables import Table

from bot.game.plan import Planner
from bot.game.player import Player
from bot.simulation.simulated_game import simulated_rules
from games.errors import InvalidFile, UsageError
from games.minesweeper import Board, Deal, Minefield, Move, board_knowledge
from games.minesweeper.variants import PLAIN, Variant, get_variant, variant_names
from strategies import Reasoner, load_strategies
from strategies.testing.samples import VARIANTS
from vision.reading import Reading

DEDUCING = [strategy for strategy in load_strategies() if strategy.has_deduce]


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "mines"), [("quad", 10), ("triplet", 6), ("balance", 6), ("cross", 5)])
def test_variant_player_follows_rules(variant: str, mines: int) -> None:
    """The table shows boards without saying by which rules; the player knows."""
    won = 0
    for seed in range(8):
        field = Minefield(Deal.random(6, 6, mines, seed, variant), "safe")
        rules = simulated_rules(mines, "safe", variant)
        table = PlainTable(field)
        result = Player(table, Planner(Reasoner(load_strategies()), rules)).play()
        assert result.wrong_certain == 0
        won += result.result == "won"
    assert won


class PlainTable(Table):
    """A screen: it shows cells, not rules."""

    def look(self) -> Reading:
        return Reading.sure(super().look().board.with_variant(PLAIN))


def test_variant_explain(tmp_path: Path, sapper: Sapper) -> None:
    path = tmp_path / "board.txt"
    path.write_text("...\n11.\n", encoding="utf-8")
    assert "r0c0" not in [each.get("cell") for each in sapper("explain", path, "--json").objects]
    path.write_text("variant quad\n..1\n.1.\n", encoding="utf-8")
    assert "window r0c" in sapper("explain", path).printed.casefold()


def test_variant_installed_found_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = Variant("mine", "at least one mine in the first row", quad_of_row)
    broken = ImportError("no such thing")
    pretend_installed(monkeypatch, "sapper.variants", mine=mine, odd=3, broken=broken)
    assert variant_names() == (PLAIN, *VARIANTS, "broken", "mine", "odd")
    known = Reasoner(DEDUCING).deduce(board_knowledge(Board.parse("variant mine\n.1\n.1"))).knowledge
    assert (known.true, known.false) == (1, 4)
    field = Minefield(Deal.random(2, 3, 1, 5, "mine"), "safe")
    field.play([Move("open", 4)])
    assert (field.truth or 0) & 0b111
    for name, what in (("odd", "is not a Variant"), ("broken", "no such thing")):
        with pytest.raises(InvalidFile, match=what):
            get_variant(name)
    with pytest.raises(UsageError, match="use one of plain, quad"):
        get_variant("nosuch")


def quad_of_row(rows: int, columns: int, mines: int | None):  # type: ignore[no-untyped-def]
    from games.logic import Constraint

    return (Constraint((1 << columns) - 1, 1, columns, "first row"),)
