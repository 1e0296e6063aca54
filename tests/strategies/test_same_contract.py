"""The same strategies, proofs and checks for all variants and for Clue."""

from __future__ import annotations

from random import Random

import pytest
from installed import pretend_installed
from proofs import confirmed

from benchmarks.clue_deals import CardDeal
from games.clue.cards import CardSet
from games.clue.log import ClueLog
from games.clue.sheet import log_knowledge
from games.errors import Contradiction
from games.logic import Constraint, Knowledge, check
from games.minesweeper.variants import PLAIN, Variant, get_variant, variant_names
from strategies import BUILT_IN, Reasoner, Strategy, load_strategies
from strategies.testing import SampleBoard, all_models, certain_variables, check_strategy, samples
from strategies.testing.samples import VARIANTS

EVERY = [each for each in load_strategies(tuple(BUILT_IN)) if each.has_deduce and each.name != "prover9"]
SMALL = CardSet.parse('name = "small"\n[kinds]\nwho = ["A", "B", "C"]\nwhat = ["D", "E", "F"]\n', "small")


def small_games() -> list[Knowledge]:
    """Games of two players with six cards, after some suggestions."""
    found = []
    for seed in range(8):
        rng = Random(seed)
        deal = CardDeal.random(2, rng, SMALL, me=0 if seed % 2 else None)
        entries = list(deal.log().entries)
        for turn in range(seed % 4 + 1):
            named = [rng.choice(SMALL.numbers(kind)) for kind in range(2)]
            entries.append(deal.asked(turn + 2, turn % 2, named, rng))
        found.append(log_knowledge(ClueLog(deal.seating, tuple(entries))))
    return found


GAMES = small_games()


def confirmed_cells(knowledge: Knowledge) -> int:
    """Check that all certain cells are found and their proofs confirmed; the number of these cells."""
    known = Reasoner(EVERY).deduce(knowledge).knowledge
    assert (known.true, known.false) == certain_variables(knowledge)
    assert len(confirmed(known)) == (known.true | known.false).bit_count()
    return (known.true | known.false).bit_count()


@pytest.mark.parametrize("strategy", EVERY, ids=[each.name for each in EVERY])
def test_contract_clue_deductions_true_and_proved(strategy: Strategy) -> None:
    for knowledge in GAMES:
        truth = all_models(knowledge)
        told: set[Constraint] = set()
        for deduction in strategy.deduce(knowledge, knowledge.universe):
            claim = deduction.constraint
            assert all(map(claim.holds, truth))
            check(deduction, knowledge, told)
            told.add(claim)


def test_contract_clue_proofs_confirmed() -> None:
    assert sum(map(confirmed_cells, GAMES)) > 40


def test_contract_suite_covers_every_variant() -> None:
    tried = list(samples("variants", 60))
    assert {sample.variant for sample in tried} == {PLAIN, *VARIANTS}
    for sample in tried:
        assert sample.mines & sample.board.not_open in all_models(sample.knowledge)
        for simpler in sample.smaller():
            assert simpler.mines & simpler.board.not_open in all_models(simpler.knowledge)
            assert not simpler.knowledge.universe & simpler.open


def in_first_row(rows: int, columns: int, mines: int | None) -> tuple[Constraint, ...]:
    return (Constraint((1 << columns) - 1, 1, columns, "the first row"),)


def test_contract_suite_covers_installed_variant(monkeypatch: pytest.MonkeyPatch) -> None:
    variant = Variant("row", "a mine is in the first row", in_first_row)
    pretend_installed(monkeypatch, "sapper.variants", row=variant)
    assert "row" in variant_names()
    tried = [sample for sample in samples("others", 45, variants=["row"]) if sample.variant == "row"]
    assert len(tried) == 15
    assert all(get_variant("row").states(s.rows, s.columns, None)[0].cells & s.mines for s in tried)
    assert sum(confirmed_cells(sample.knowledge) for sample in tried) > 40
    check_strategy("single-cell", boards=30, variants=["row"])


def test_contract_impossible_sample_reported() -> None:
    assert not SampleBoard(3, 3, 1 << 8, 0, False, "quad").is_possible
    assert not SampleBoard(2, 2, 1, 0, False, "balance").is_possible
    with pytest.raises(Contradiction):
        Reasoner(EVERY).deduce(SampleBoard(3, 3, 0, 1 << 4, False, "quad").knowledge)
