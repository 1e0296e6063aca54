"""Observers receive copies of events and cannot affect a game."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from unittest.mock import MagicMock

import pytest
from said import Sapper, refused

from bot.game.observer_listener import ObserverListener
from bot.game.types import GameRules, Plan
from bot.simulation.simulated_game import GameStart, play_game
from games.minesweeper import Board, Deal, Guess, Move
from strategies import CertainCell, GameEnd, GameInfo, PlanInfo, load_observer, load_strategies
from strategies.hookspecs import Event
from strategies.isolation.protocol import ResourceLimits
from strategies.observers import ObserverGroup

DEAL = Deal.random(6, 6, 5, "observers")
HEAD = "import os, time\nfrom strategies import hookimpl\n\n\n"
ALL = f"""{HEAD}
class All:
    def __init__(self):
        self.heard = []

    @hookimpl
    def game_started(self, game):
        self.heard = [f"{{game.columns}}x{{game.rows}} {{game.mines}} {{game.strategies[0]}}"]

    @hookimpl
    def observed(self, board):
        self.heard.append(str(board.open.bit_count()))

    @hookimpl
    def planned(self, board, plan):
        self.heard.append(f"{{len(plan.moves)}} by {{plan.guess_by or plan.certain[0].by}}")

    @hookimpl
    def acted(self, board, moves):
        self.heard.append(moves[0].text(board))

    @hookimpl
    def ended(self, result):
        return f"{{result.result}} after {{len(self.heard)}}: " + "; ".join(self.heard[:4])
"""


@pytest.mark.parametrize(
    "told",
    [
        Board.parse("mines 2\n1..\nF?."),
        GameInfo(16, 30, None, "plain", "safe", ("single-cell", "best")),
        (Move("open", 3), Move("flag", 4)),
        PlanInfo((), (CertainCell(1, True, "a rule", ("r0c0", "mines"), "linear"),), None, ""),
        PlanInfo((Move("open", 7),), (), Guess(7, 0.75, "why", {"win": 0.5}), "best"),
        GameEnd("won", 12, 1, 0.5, ("a fault",)),
    ],
)
def test_event_message_round_trip(told: Event) -> None:
    assert pickle.loads(pickle.dumps(told)) == told  # noqa: S301 - our own


def game_with(*files: str, limits: ResourceLimits | None = None) -> tuple[bool, tuple[str, ...]]:
    watching = ObserverGroup([load_observer(file, limits=limits) for file in files])
    strategies = load_strategies(["single-cell", "set-rules", "lowest-risk"])
    try:
        score = play_game(strategies, 0, DEAL, GameStart("zero"), watching)
    finally:
        watching.close()
    return score.won, score.says


def watcher(folder: Path, lines: str) -> str:
    file = folder / "watcher.py"
    file.write_text(f"{HEAD}@hookimpl\ndef acted(board, moves):\n    {lines}\n")
    return str(file)


@pytest.fixture
def heard(tmp_path: Path) -> str:
    """An observer that reports what it heard."""
    (tmp_path / "all.py").write_text(ALL)
    return str(tmp_path / "all.py")


@pytest.fixture(scope="module")
def won_without() -> bool:
    return game_with()[0]


def test_observer_hooks_called_in_order(heard: str) -> None:
    _, (said,) = game_with(heard)
    assert "6x6 5 single-cell; 0; 1 by lowest-risk; open r" in said


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ("raise ValueError('no')", "watcher.py, line 7: its acted raised ValueError: no"),
        ("os._exit(1)", r"its process ended \(exit code 1\)"),
        ("object.__setattr__(board, 'cells', '')\n    1 / 0", "line 8: its acted raised ZeroDivisionError"),
        ("while True: pass", "no answer after|events behind"),
        ("return None", ""),
    ],
)
def test_observer_fault_does_not_change_game(
    tmp_path: Path, lines: str, complaint: str, won_without: bool
) -> None:
    won, says = game_with(watcher(tmp_path, lines), limits=ResourceLimits(call=0.5, waiting=1.0))
    assert won == won_without
    assert len(says) == bool(complaint)
    assert all(re.search(complaint, each) for each in says)


def test_observer_sleeping_game_does_not_wait(tmp_path: Path, won_without: bool) -> None:
    file = watcher(tmp_path, "time.sleep(60)")
    won, says = game_with(file, limits=ResourceLimits(call=5.0, waiting=30.0))
    assert won == won_without
    assert any("events behind: the game did not wait" in each for each in says)


def test_tally_names_strategies(sapper: Sapper) -> None:
    words = ("bench", "--size", "6x6", "--mines", "5", "--games", "2", "--strategy", "single-cell")
    said = sapper(*words, "--observer", "tally:every=2", "--json")
    assert said.code == 0
    assert "tally of 1 won, 1 lost" in said.err
    assert "certain cells: single-cell" in said.err
    assert "guesses: lowest-risk" in said.err
    assert len(said.objects) == 1


def test_observer_and_strategy_not_mixed_up(sapper: Sapper, heard: str) -> None:
    words = ("bench", "--size", "5x5", "--mines", "3", "--games", "1")
    refused(sapper(*words, "--strategy", "tally"), 7, "is only an observer: use it with --observer")
    refused(sapper(*words, "--strategy", heard), 7, "is only an observer")
    refused(sapper(*words, "--observer", "best"), 7, "is not an observer")
    refused(sapper(*words, "--observer", "taly"), 2, "did you mean 'tally'?")
    refused(sapper(*words, "--observer", "tally", "--jobs", "2"), 2, "leave out --jobs")


def test_observer_contract_note_at_load(heard: str) -> None:
    (note,) = load_observer(heard).notes
    assert "observers are new in contract 1.1" in note
    assert load_observer("tally").notes == ()


def test_observer_absent_reasons_not_traced(heard: str) -> None:
    for observers in ((), (load_observer(heard, trust=True),)):
        reasons = MagicMock()
        watched = ObserverListener(ObserverGroup(observers), GameRules(5), ["mine"], lambda text: None)
        watched.saw(Board.fresh(6, 6))
        watched.on_plan(Board.fresh(6, 6), Plan((Move("open", 0),), reasons))
        assert reasons.__iter__.call_count == len(observers)
