"""The leaderboard plays missing games, stores them, and compares every guesser with the optimum."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from bot.simulation.workers import InlineWorkers
from strategies import BUILT_IN, load_strategy
from tools import leaderboard as tool


@pytest.fixture
def leaderboard(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The tool with small boards."""
    monkeypatch.setattr(tool, "LEVELS", {"small": (4, 4, 3), "expert": (4, 5, 4)})
    monkeypatch.setattr(tool, "OPTIMUM", {(3, 2, 2): Fraction(1, 2)})
    return tool


def test_leaderboard_plays_each_game_once(
    leaderboard: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = leaderboard.LeaderboardOptions(6, InlineWorkers(), tmp_path)
    page = list(leaderboard.page(asked))
    for name in BUILT_IN:
        lines = [line for line in page if line.startswith(f"| `{name}` |")]
        assert len(lines) == (3 if load_strategy(name).has_guess else 0)
        for line in lines[:2]:
            assert line.count(" %") >= 2
    assert "| *optimum* | 50.000 % |" in page
    monkeypatch.setattr(leaderboard, "exact_value", None)
    monkeypatch.setattr("bot.simulation.tournament.play_games", None)
    assert list(leaderboard.page(asked)) == page
