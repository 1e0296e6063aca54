"""Tournaments: the same results from all workers, a second try after a lost one, and tables of results."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import distributed
import pytest
from authored import hook, written

from bot.simulation.boards import BoardSet
from bot.simulation.simulated_game import GameStart, SimulatedResult, StrategySet
from bot.simulation.tournament import (
    COLUMNS,
    GAMES_PER_TASK,
    ResultTable,
    Tournament,
    read_wins,
    run_bench,
    run_description,
    run_file,
)
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
FEW = BoardSet.random((5, 5), 5, "tests", 4)
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
        n_workers=workers, threads_per_worker=1, processes=processes, dashboard_address=":0", silence_logs=50
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


def test_tournament_file_identity_is_content(tmp_path: Path) -> None:
    file = written(tmp_path, hook("guess", "return []"))
    first = StrategySet.of([str(file)])
    assert first == StrategySet.of([str(file)])
    assert first.sources[-1] == str(file)
    file.write_text(file.read_text() + "# changed\n")
    assert StrategySet.of([str(file)]) != first
    with pytest.raises(InvalidFile, match="install the same version on every machine"):
        first.load()


def run(out: Path, course: BoardSet = COURSE, opening: GameStart = OPENING, chain: list[str] = CHAIN) -> int:
    """Play with a table and return the number of new games."""
    before = out.read_bytes().count(b"\n") - 1 if out.exists() else 0
    summary = run_bench(course, opening, StrategySet.of(chain), InlineWorkers(), out, print, quiet=True)
    assert summary.games == len(course.deals)
    return out.read_text(encoding="utf-8").count("\n") - 1 - before


def without_seconds(out: Path) -> list[str]:
    return [line.rpartition(",")[0] for line in out.read_text(encoding="utf-8").splitlines()]


def test_table_stopped_run_continues(tmp_path: Path) -> None:
    whole, stopped = tmp_path / "whole.csv", tmp_path / "stopped.csv"
    assert [run(whole), run(whole), run(stopped)] == [len(COURSE.deals), 0, len(COURSE.deals)]
    lines = stopped.read_text(encoding="utf-8").splitlines(keepends=True)
    stopped.write_text("".join(lines[:10]) + lines[10][:3], encoding="utf-8")
    assert "slowest_move_ms" in run_file(stopped).read_text(encoding="utf-8")
    assert run(stopped) == len(COURSE.deals) - 9
    assert without_seconds(stopped) == without_seconds(whole)


def test_table_longer_run_continues(tmp_path: Path) -> None:
    out = tmp_path / "run.csv"
    assert [run(out, FEW), run(out), run(out, FEW)] == [4, len(COURSE.deals) - 4, 0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"course": BoardSet.random((5, 5), 4, "tests", 4)}, "boards: 5x5/5 from seed tests, now 5x5/4"),
        ({"course": BoardSet.random((5, 5), 5, "others", 4)}, "from seed tests, now 5x5/5 from seed others"),
        ({"opening": GameStart("zero", 0)}, "first_click: safe, now zero"),
        ({"opening": GameStart("safe", 1)}, "start: r0c0, now r0c1"),
        ({"opening": GameStart("safe")}, "start: r0c0, now the strategies' own"),
        ({"chain": ["single-cell"]}, "strategies: single-cell "),
    ],
)
def test_table_other_run_refused(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    out = tmp_path / "run.csv"
    run(out, FEW)
    before = out.read_bytes()
    with pytest.raises(InvalidFile, match=f"belongs to another run .*{words}"):
        run(out, **change)
    assert out.read_bytes() == before


def test_table_foreign_or_unwritable_refused(tmp_path: Path) -> None:
    out = tmp_path / "run.csv"
    out.write_text("game,won\n1,1\n", encoding="utf-8")
    with pytest.raises(InvalidFile, match="its run file is missing"):
        run(out)
    assert out.read_text(encoding="utf-8") == "game,won\n1,1\n"
    with pytest.raises(InvalidFile, match="name a writable file with --out"):
        run(tmp_path / "none" / "run.csv")


def test_table_empty_file_is_started(tmp_path: Path) -> None:
    out = tmp_path / "run.csv"
    out.touch()
    run(out)
    assert out.read_text(encoding="utf-8").startswith(",".join(COLUMNS) + "\n0,")


@pytest.mark.parametrize(
    ("suffix", "old", "new", "words"),
    [
        ("", "\n1,", "\nx,", "line 3: not a game"),
        ("", "game,", "g,", "line 1: wrong columns: write 'game,won"),
        (".run", "{", "", "damaged"),
    ],
)
def test_table_damaged_refused(tmp_path: Path, suffix: str, old: str, new: str, words: str) -> None:
    out = tmp_path / "run.csv"
    run(out, FEW)
    file = tmp_path / f"run.csv{suffix}"
    file.write_text(file.read_text().replace(old, new))
    with pytest.raises(InvalidFile, match=words):
        run(out)


def test_table_written_while_playing(tmp_path: Path) -> None:
    out = tmp_path / "run.csv"
    lineup = StrategySet.of(CHAIN)
    with ResultTable(out, run_description(COURSE, OPENING, lineup)) as table:
        table.add(next(Tournament(lineup, OPENING, COURSE.deals).scores(InlineWorkers())))
        assert out.read_text(encoding="utf-8").count("\n") == 2


@pytest.mark.parametrize(
    ("text", "wins"),
    [
        ("game,won\n0,1\n2,0\n", {0: True, 2: False}),
        ("# by hand\nseconds,won,game\n0.5,0,7\n\n# end\n0.25,1,8\n", {7: False, 8: True}),
        ("game, won\n0, 1\n1, ", {0: True}),  # its last line is cut off
    ],
)
def test_table_wins_of_any_table(tmp_path: Path, text: str, wins: dict[int, bool]) -> None:
    file = tmp_path / "other.csv"
    file.write_text(text, encoding="utf-8")
    assert read_wins(file) == wins


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a table of games"),
        ("number,won\n1,1\n", "not a table of games"),
        ("game,won\n", "no games"),
        ("game,won\n1,yes\n", "line 2"),
        ("game,won\n1,1\n\n2\n3,1\n", "line 4"),
    ],
)
def test_table_without_wins_refused(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "other.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidFile, match=words):
        read_wins(file)
    with pytest.raises(InvalidFile, match="unreadable"):
        read_wins(tmp_path / "none.csv")
