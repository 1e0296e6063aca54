"""Tournaments: the same scores from any workers, a second try for lost ones, tables that are gone on with."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path
from typing import Any

import distributed
import pytest

from bot.simulation.boards import BoardSet
from bot.simulation.simulated_game import GameStart, SimulatedResult, StrategySet
from bot.simulation.tournament import GAMES_PER_TASK, Tournament
from bot.simulation.workers import (
    DaskWorkers,
    InlineExecutor,
    InlineWorkers,
    ProcessWorkers,
    Workers,
    dask_workers,
)
from games.errors import InvalidFile, MissingRequirement, UsageError

COURSE = BoardSet.random((5, 5), 5, "tests", 3 * GAMES_PER_TASK + 1)
OPENING = GameStart("safe", 0)
CHAIN = ["single-cell", "set-rules"]


def play(
    workers: Workers, lineup: StrategySet | None = None, course: BoardSet = COURSE
) -> dict[int, SimulatedResult]:
    tournament = Tournament(lineup or StrategySet.of(CHAIN), OPENING, course.deals)
    return {score.game: score for score in tournament.scores(workers)}


def untimed(scores: dict[int, SimulatedResult]) -> list[tuple[int, bool, int, int]]:
    return [(score.game, score.won, score.guesses, score.decisions) for score in scores.values()]


@pytest.fixture(scope="module")
def expected() -> list[tuple[int, bool, int, int]]:
    return untimed(play(InlineWorkers()))


def test_tournament_every_game_once_in_order(expected: list[tuple[int, bool, int, int]]) -> None:
    assert [game for game, *_ in expected] == list(range(len(COURSE.deals)))
    assert 0 < sum(won for _, won, *_ in expected) < len(expected)


def test_tournament_independent_of_workers(
    expected: list[tuple[int, bool, int, int]],
) -> None:
    assert untimed(play(ProcessWorkers(2))) == expected


def test_tournament_same_scores_with_dask(expected: list[tuple[int, bool, int, int]]) -> None:
    with (
        distributed.LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        dask_workers(cluster.scheduler_address) as workers,
    ):
        assert workers.parallel == 1
        assert untimed(play(workers)) == expected


def test_dask_no_answer_refused() -> None:
    with (
        pytest.raises(MissingRequirement, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"),
        dask_workers("tcp://127.0.0.1:9", within=0.3),
    ):
        pass
    with pytest.raises(UsageError, match="is not a Dask address"), dask_workers("127.0.0.1", within=0.3):
        pass


def test_dask_without_workers_refused() -> None:
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=None) as cluster,  # type: ignore[no-untyped-call]
        pytest.raises(MissingRequirement, match="has no workers"),
        dask_workers(cluster.scheduler_address),
    ):
        pass


def test_dask_worker_without_sapper_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bot.simulation.tournament", None)
    with (
        distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster,  # type: ignore[no-untyped-call]
        pytest.raises(MissingRequirement, match="cannot import Sapper"),
        dask_workers(cluster.scheduler_address),
    ):
        pass


def test_dask_cluster_goes_away_refused() -> None:
    class Gone(Losing):
        """A client whose scheduler is gone: every task is cancelled."""

        status = "closed"

        def get_executor(self, pure: bool) -> Executor:
            return self.open()

    client = Gone(lambda task: True)
    with pytest.raises(MissingRequirement, match=r"the Dask cluster at tcp://there went away"):
        play(DaskWorkers(client, "tcp://there", 1, (BrokenExecutor,)))


class Losing(Workers):
    """Workers in this process; `is_lost` says of each task, from 1, whether its worker goes away."""

    parallel = 2
    lost = (BrokenExecutor,)

    def __init__(self, is_lost: Callable[[int], bool]) -> None:
        self.is_lost = is_lost
        self.tasks: list[int] = []  # games in each
        self.opened = 0

    def open(self) -> Executor:
        self.opened += 1
        losing = self

        class Lossy(InlineExecutor):
            def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
                losing.tasks.append(len(args[2]))  # lineup, opening, games, watching
                if losing.is_lost(len(losing.tasks)):
                    failed: Future[Any] = Future()
                    failed.set_exception(BrokenExecutor("gone"))
                    return failed
                return super().submit(fn, *args, **kwargs)

        return Lossy()

    def replace(self, executor: Executor) -> Executor:
        return self.open()


def test_tournament_lost_worker_retries_games(
    expected: list[tuple[int, bool, int, int]],
) -> None:
    workers = Losing(lambda task: task == 2)
    assert untimed(play(workers)) == expected
    assert workers.opened == 2
    assert sorted(workers.tasks) == [1] * (GAMES_PER_TASK + 1) + [GAMES_PER_TASK] * 3


def test_tournament_workers_lost_together_renewed(expected: list[tuple[int, bool, int, int]]) -> None:
    workers = Losing(lambda task: task <= 4)
    assert untimed(play(workers)) == expected
    assert workers.opened == 2


def test_tournament_game_that_kills_workers_named() -> None:
    with pytest.raises(MissingRequirement, match="game 0 lost its worker twice"):
        play(Losing(lambda task: task in {1, 5}))


LAST_WORDS = """
import os
from pathlib import Path
from strategies import Guess, bits, hookimpl

MARK = Path({mark!r})

@hookimpl
def guess(position):
    if position.knowledge.universe.bit_count() < 20 and not MARK.exists():
        MARK.touch()
        os._exit(9)
    return [Guess(k, 0.5) for k in bits(position.openable)]
"""


def test_tournament_killed_process_replaced(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    file = tmp_path / "last_words.py"
    file.write_text(LAST_WORDS.format(mark=str(mark)), encoding="utf-8")
    lineup = StrategySet.of([*CHAIN, str(file)], trust=True)  # else it could only end its own process
    killed = play(ProcessWorkers(2), lineup)
    assert mark.exists()
    assert untimed(killed) == untimed(play(InlineWorkers(), lineup))


@pytest.mark.slow
def test_tournament_killed_dask_worker_replaced(tmp_path: Path) -> None:
    file = tmp_path / "last_words.py"
    file.write_text(LAST_WORDS.format(mark=str(tmp_path / "mark")), encoding="utf-8")
    lineup = StrategySet.of([*CHAIN, str(file)], trust=True)  # else it could only end its own process
    with (
        distributed.LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster,
        dask_workers(cluster.scheduler_address) as workers,
    ):
        killed = play(workers, lineup)
    assert (tmp_path / "mark").exists()
    assert untimed(killed) == untimed(play(InlineWorkers(), lineup))


def test_lineup_file_identity_is_content(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from strategies import hookimpl\n\n@hookimpl\ndef guess(position):\n    return []\n")
    first = StrategySet.of([str(file)])
    assert first == StrategySet.of([str(file)])
    assert first.sources[-1] == str(file)
    file.write_text(file.read_text() + "# changed\n")
    assert StrategySet.of([str(file)]) != first
    with pytest.raises(InvalidFile, match="install the same version on every machine"):
        first.load()
