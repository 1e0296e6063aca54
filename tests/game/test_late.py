"""Clicks that a program handles late, and those that were made again meanwhile: no sequence does harm."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from tables import Sleep, SleepyTable

from bot.game.player import make_player
from bot.game.types import FlagPolicy, GameRules
from games.minesweeper import Deal, Minefield
from strategies import Reasoner, load_strategies

RULES = GameRules(mines=14, first_click="zero", win_needs="open", can_chord=True, clicked_number="harmless")


@pytest.mark.parametrize("flags", ["needed", "all"])
def test_player_late_program_hits_no_mine(flags: FlagPolicy) -> None:
    """Flags that go on and off again, chords of numbers whose flags cannot be read meanwhile."""
    strategies = load_strategies()
    for seed in range(60):
        rng = random.Random(f"{flags} {seed}")
        field = Minefield(Deal.random(9, 9, 14, seed), "zero", "open")
        sleep = Sleep(rng.randint(2, 25), rng.randint(1, 9), rng.choice((0, 1, 2, 3, 5)))
        table = SleepyTable(field, sleep, trusts_flags=True)
        result = make_player(table, Reasoner(strategies), replace(RULES, flags=flags)).play()
        assert table.hit == []
        assert (result.result, result.wrong_certain) == ("won" if field.is_won else "lost", 0), (seed, sleep)
