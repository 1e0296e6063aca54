"""Tournaments: the same scores from any workers, a second try for lost ones, tables that are gone on with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path
from typing import Any

import pytest

from bot.simulation.bench import play_course, run_of
from bot.simulation.boards import Course
from bot.simulation.lineup import Lineup
from bot.simulation.results import COLUMNS, Results, read_wins, run_file
from bot.simulation.simulated import Opening, Score
from bot.simulation.tournament import AT_ONCE, Tournament
from bot.simulation.workers import Cluster, Here, Processes, ThisProcess, Workers, dask_workers
from games.errors import InvalidFile, MachineLacks, Usage

COURSE = Course.random((5, 5), 5, "tests", 3 * AT_ONCE + 1)
OPENING = Opening("safe", 0)
CHAIN = ["single-cell", "set-rules"]


def play(workers: Workers, lineup: Lineup | None = None, course: Course = COURSE) -> dict[int, Score]:
    tournament = Tournament(lineup or Lineup.of(CHAIN), OPENING, course.deals)
    return {score.game: score for score in tournament.scores(workers)}


def untimed(scores: dict[int, Score]) -> list[tuple[int, bool, int, int]]:
    return [(score.game, score.won, score.guesses, score.decisions) for score in scores.values()]


@pytest.fixture(scope="module")
def expected() -> list[tuple[int, bool, int, int]]:
    return untimed(play(ThisProcess()))


def test_every_game_is_played_once_and_in_order(expected: list[tuple[int, bool, int, int]]) -> None:
    assert [game for game, *_ in expected] == list(range(len(COURSE.deals)))
    assert 0 < sum(won for _, won, *_ in expected) < len(expected)


def test_the_scores_do_not_depend_on_the_number_of_processes(
    expected: list[tuple[int, bool, int, int]],
) -> None:
    assert untimed(play(Processes(2))) == expected


def test_a_dask_cluster_plays_the_same_games(expected: list[tuple[int, bool, int, int]]) -> None:
    distributed: Any = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        dask_workers(cluster.scheduler_address) as workers,
    ):
        assert workers.abreast == 1
        assert untimed(play(workers)) == expected


def test_a_dask_address_that_does_not_answer() -> None:
    with (
        pytest.raises(MachineLacks, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"),
        dask_workers("tcp://127.0.0.1:9", within=0.3),
    ):
        pass
    with pytest.raises(Usage, match="is no Dask address"), dask_workers("127.0.0.1", within=0.3):
        pass


def test_a_dask_cluster_without_workers() -> None:
    distributed: Any = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=None) as cluster,
        pytest.raises(MachineLacks, match="has no workers"),
        dask_workers(cluster.scheduler_address),
    ):
        pass


def _nothing_installed() -> None:
    raise ModuleNotFoundError("No module named 'bot'")


def test_a_dask_worker_without_sapper(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed: Any = pytest.importorskip("distributed")
    monkeypatch.setattr("bot.simulation.workers._find_player", _nothing_installed)
    with (
        distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster,
        pytest.raises(MachineLacks, match="has no Sapper to play with"),
        dask_workers(cluster.scheduler_address),
    ):
        pass


def test_a_dask_cluster_that_goes_away() -> None:
    class Gone(Losing):
        """A client whose scheduler is gone: every task is cancelled."""

        status = "closed"

        def get_executor(self, pure: bool) -> Executor:
            return self.open()

    client = Gone(lambda task: True)
    with pytest.raises(MachineLacks, match=r"the Dask cluster at tcp://there went away"):
        play(Cluster(client, "tcp://there", 1, (BrokenExecutor,)))


# --- lost workers ----------------------------------------------------------------------------------------


class Losing:
    """Workers in this process; `is_lost` says of each task, from 1, whether its worker goes away."""

    abreast = 2
    lost: tuple[type[BaseException], ...] = (BrokenExecutor,)

    def __init__(self, is_lost: Callable[[int], bool]) -> None:
        self.is_lost = is_lost
        self.tasks: list[int] = []  # games in each
        self.opened = 0

    def open(self) -> Executor:
        self.opened += 1
        losing = self

        class Lossy(Here):
            def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
                losing.tasks.append(len(args[2]))  # lineup, opening, games, watching
                if losing.is_lost(len(losing.tasks)):
                    failed: Future[Any] = Future()
                    failed.set_exception(BrokenExecutor("gone"))
                    return failed
                return super().submit(fn, *args, **kwargs)

        return Lossy()

    def renew(self, executor: Executor) -> Executor:
        self.close(executor)
        return self.open()

    def close(self, executor: Executor) -> None:
        executor.shutdown()


def test_a_lost_worker_costs_its_games_a_second_try_and_nothing_else(
    expected: list[tuple[int, bool, int, int]],
) -> None:
    workers = Losing(lambda task: task == 2)
    assert untimed(play(workers)) == expected
    assert workers.opened == 2
    assert sorted(workers.tasks) == [1] * (AT_ONCE + 1) + [AT_ONCE] * 3


def test_workers_lost_together_are_renewed_once(expected: list[tuple[int, bool, int, int]]) -> None:
    workers = Losing(lambda task: task <= 4)
    assert untimed(play(workers)) == expected
    assert workers.opened == 2


def test_a_game_that_loses_two_workers_is_named() -> None:
    with pytest.raises(MachineLacks, match="game 0 lost its worker twice"):
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


def test_a_killed_process_is_replaced(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    file = tmp_path / "last_words.py"
    file.write_text(LAST_WORDS.format(mark=str(mark)), encoding="utf-8")
    lineup = Lineup.of([*CHAIN, str(file)], trust=True)  # else it could only end its own process
    killed = play(Processes(2), lineup)
    assert mark.exists()
    assert untimed(killed) == untimed(play(ThisProcess(), lineup))


@pytest.mark.slow
def test_a_killed_dask_worker_is_replaced(tmp_path: Path) -> None:
    distributed: Any = pytest.importorskip("distributed")
    file = tmp_path / "last_words.py"
    file.write_text(LAST_WORDS.format(mark=str(tmp_path / "mark")), encoding="utf-8")
    lineup = Lineup.of([*CHAIN, str(file)], trust=True)  # else it could only end its own process
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster,
        dask_workers(cluster.scheduler_address) as workers,
    ):
        killed = play(workers, lineup)
    assert (tmp_path / "mark").exists()
    assert untimed(killed) == untimed(play(ThisProcess(), lineup))


# --- tables ----------------------------------------------------------------------------------------------


def run(out: Path, course: Course = COURSE, opening: Opening = OPENING, chain: list[str] = CHAIN) -> int:
    """Play with a table; how many games were played anew."""
    before = out.read_bytes().count(b"\n") - 1 if out.exists() else 0
    summary = play_course(course, opening, Lineup.of(chain), ThisProcess(), out)
    assert summary.games == len(course.deals)
    return out.read_text(encoding="utf-8").count("\n") - 1 - before


def without_seconds(out: Path) -> list[str]:
    return [line.rpartition(",")[0] for line in out.read_text(encoding="utf-8").splitlines()]


def test_a_stopped_run_goes_on_where_its_table_ends(tmp_path: Path) -> None:
    whole, stopped = tmp_path / "whole.csv", tmp_path / "stopped.csv"
    assert run(whole) == len(COURSE.deals)
    assert run(whole) == 0
    assert run(stopped) == len(COURSE.deals)
    lines = stopped.read_text(encoding="utf-8").splitlines(keepends=True)
    stopped.write_text("".join(lines[:10]) + lines[10][:3], encoding="utf-8")
    slowest = run_file(stopped).read_text(encoding="utf-8")
    assert run(stopped) == len(COURSE.deals) - 9
    assert without_seconds(stopped) == without_seconds(whole)
    assert "slowest_move_ms" in slowest


def test_a_run_may_become_longer(tmp_path: Path) -> None:
    out = tmp_path / "run.csv"
    assert run(out, Course.random((5, 5), 5, "tests", 4)) == 4
    assert run(out) == len(COURSE.deals) - 4
    assert run(out, Course.random((5, 5), 5, "tests", 4)) == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"course": Course.random((5, 5), 4, "tests", 4)}, "boards: 5x5/5 from seed tests, now 5x5/4"),
        ({"course": Course.random((5, 5), 5, "others", 4)}, "from seed tests, now 5x5/5 from seed others"),
        ({"opening": Opening("zero", 0)}, "first_click: safe, now zero"),
        ({"opening": Opening("safe", 1)}, "start: r0c0, now r0c1"),
        ({"opening": Opening("safe")}, "start: r0c0, now the strategies' own"),
        ({"chain": ["single-cell"]}, "strategies: single-cell "),
    ],
)
def test_the_table_of_another_run_is_refused(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    out = tmp_path / "run.csv"
    run(out, Course.random((5, 5), 5, "tests", 4))
    before = out.read_bytes()
    with pytest.raises(InvalidFile, match="is of another run") as caught:
        run(out, **change)
    assert words in str(caught.value)
    assert out.read_bytes() == before


def test_a_table_of_somebody_else_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "run.csv"
    out.write_text("game,won\n1,1\n", encoding="utf-8")
    with pytest.raises(InvalidFile, match="nothing beside it says which"):
        run(out)
    assert out.read_text(encoding="utf-8") == "game,won\n1,1\n"


def test_an_empty_file_is_begun(tmp_path: Path) -> None:
    out = tmp_path / "run.csv"
    out.touch()
    run(out)
    assert out.read_text(encoding="utf-8").startswith(",".join(COLUMNS) + "\n0,")


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda out: out.write_text(out.read_text().replace("\n1,", "\nx,")), "line 3: this is no game"),
        (lambda out: out.write_text(out.read_text().replace("game,", "g,")), "line 1: write 'game,won"),
        (lambda out: run_file(out).write_text("{"), "damaged"),
    ],
)
def test_a_damaged_table(tmp_path: Path, spoil: Callable[[Path], object], words: str) -> None:
    out = tmp_path / "run.csv"
    run(out, Course.random((5, 5), 5, "tests", 4))
    spoil(out)
    with pytest.raises(InvalidFile, match=words):
        run(out)


def test_a_table_in_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match="name a file that can be written to with --out"):
        run(tmp_path / "none" / "run.csv")


def test_games_are_written_as_they_are_played(tmp_path: Path) -> None:
    out = tmp_path / "run.csv"
    lineup = Lineup.of(CHAIN)
    with Results(out, run_of(COURSE, OPENING, lineup)) as table:
        scores: Iterator[Score] = Tournament(lineup, OPENING, COURSE.deals).scores(ThisProcess())
        table.add(next(scores))
        assert out.read_text(encoding="utf-8").count("\n") == 2


# --- what others wrote -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wins"),
    [
        ("game,won\n0,1\n2,0\n", {0: True, 2: False}),
        ("# by hand\nseconds,won,game\n0.5,0,7\n\n# end\n0.25,1,8\n", {7: False, 8: True}),
        ("game, won\n0, 1\n1, ", {0: True}),  # its last line is cut off
    ],
)
def test_wins_of_any_table(tmp_path: Path, text: str, wins: dict[int, bool]) -> None:
    file = tmp_path / "other.csv"
    file.write_text(text, encoding="utf-8")
    assert read_wins(file) == wins


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no table of games"),
        ("number,won\n1,1\n", "no table of games"),
        ("game,won\n", "holds no game"),
        ("game,won\n1,yes\n", "line 2"),
        ("game,won\n1,1\n\n2\n3,1\n", "line 4"),
    ],
)
def test_no_table_of_wins(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "other.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidFile, match=words):
        read_wins(file)
    with pytest.raises(InvalidFile, match="cannot be read"):
        read_wins(tmp_path / "none.csv")


def test_a_file_is_the_same_strategy_wherever_it_lies_and_another_when_it_changes(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from strategies import hookimpl\n\n@hookimpl\ndef guess(position):\n    return []\n")
    first = Lineup.of([str(file)])
    assert first == Lineup.of([str(file)])
    assert first.sources[-1] == str(file)
    file.write_text(file.read_text() + "# changed\n")
    assert Lineup.of([str(file)]) != first
    with pytest.raises(InvalidFile, match="install the same on every machine"):
        first.load()
