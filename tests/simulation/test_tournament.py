"""Tournaments: equal results from all workers, and a second try after a lost worker."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
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
from games.errors import InvalidFile, MissingRequirement

COURSE = BoardSet.random((5, 5), 5, "tests", 3 * GAMES_PER_TASK + 1)
OPENING = GameStart("safe", 0)
CHAIN = ["single-cell", "set-rules"]
Expected = list[tuple[int, bool, int, int]]  # game, won, guesses, decisions


def play(
    workers: Workers, lineup: StrategySet | None = None, course: BoardSet = COURSE
) -> dict[int, SimulatedResult]:
    tournament = Tournament(lineup or StrategySet.of(CHAIN), OPENING, course.deals)
    return {score.game: score for score in tournament.scores(workers)}


def untimed(scores: dict[int, SimulatedResult]) -> Expected:
    return [(score.game, score.won, score.guesses, score.decisions) for score in scores.values()]


@pytest.fixture(scope="module")
def expected() -> Expected:
    return untimed(play(InlineWorkers()))


def test_tournament_every_game_once_in_order(expected: Expected) -> None:
    assert [game for game, *_ in expected] == list(range(len(COURSE.deals)))
    assert 0 < sum(won for _, won, *_ in expected) < len(expected)


def test_tournament_independent_of_workers(expected: Expected) -> None:
    assert untimed(play(ProcessWorkers(2))) == expected


@contextmanager
def cluster(workers: int, processes: bool = False) -> Iterator[str]:
    """A Dask cluster on this machine; its address."""
    with distributed.LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=workers, threads_per_worker=1, processes=processes, dashboard_address=None, silence_logs=50
    ) as opened:
        yield opened.scheduler_address


def test_tournament_same_scores_with_dask(expected: Expected) -> None:
    with cluster(1) as address, dask_workers(address) as workers:
        assert workers.parallel == 1
        assert untimed(play(workers)) == expected


def test_dask_without_workers_refused() -> None:
    with (
        cluster(0) as address,
        pytest.raises(MissingRequirement, match="has no workers"),
        dask_workers(address),
    ):
        pass


def test_dask_worker_without_sapper_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bot.simulation.tournament", None)
    with (
        cluster(1) as address,
        pytest.raises(MissingRequirement, match="cannot import Sapper"),
        dask_workers(address),
    ):
        pass


def test_dask_cluster_goes_away_refused() -> None:
    class Gone(Losing):
        """A client without a scheduler: every task is cancelled."""

        status = "closed"

        def get_executor(self, pure: bool) -> Executor:
            return self.open()

    client = Gone(lambda task: True)
    with pytest.raises(MissingRequirement, match=r"the Dask cluster at tcp://there went away"):
        play(DaskWorkers(client, "tcp://there", 1, (BrokenExecutor,)))


class Losing(Workers):
    """Workers in this process; the tasks are numbered from 1, and `is_lost` decides if the worker is lost."""

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


def test_tournament_lost_worker_retries_games(expected: Expected) -> None:
    workers = Losing(lambda task: task == 2)
    assert untimed(play(workers)) == expected
    assert workers.opened == 2
    assert sorted(workers.tasks) == [1] * (GAMES_PER_TASK + 1) + [GAMES_PER_TASK] * 3


def test_tournament_workers_lost_together_renewed(expected: Expected) -> None:
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


def check_killed_worker_is_replaced(workers: Workers, folder: Path) -> None:
    file = folder / "last_words.py"
    file.write_text(LAST_WORDS.format(mark=str(folder / "mark")), encoding="utf-8")
    lineup = StrategySet.of([*CHAIN, str(file)], trust=True)  # isolated, it could only end its own process
    killed = play(workers, lineup)
    assert (folder / "mark").exists()
    assert untimed(killed) == untimed(play(InlineWorkers(), lineup))


def test_tournament_killed_process_replaced(tmp_path: Path) -> None:
    check_killed_worker_is_replaced(ProcessWorkers(2), tmp_path)


@pytest.mark.slow
def test_tournament_killed_dask_worker_replaced(tmp_path: Path) -> None:
    with cluster(1, processes=True) as address, dask_workers(address) as workers:
        check_killed_worker_is_replaced(workers, tmp_path)


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
