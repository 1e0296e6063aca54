"""Play many simulated games with parallel workers, keep a result table, and compute win rates.

`run_bench` plays a `Tournament` from its start, or from the end of its `ResultTable`. Results arrive in the
order of the deals and do not depend on the number of workers, which are `concurrent.futures` executors
(module `workers`). The table is written after each game. Win rates and differences have 95 % intervals.
"""

from __future__ import annotations

import csv
import errno
import json
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import lru_cache
from math import sqrt
from pathlib import Path
from typing import Any, Self

from bot.show.board_text import ProgressBar
from bot.simulation.boards import BoardSet
from bot.simulation.simulated_game import GameStart, SimulatedResult, StrategySet, play_game, warm_up
from bot.simulation.workers import Workers
from games.errors import InvalidFile, MissingRequirement
from games.external import (
    DAMAGE,
    LARGEST_FILE,
    file_errors,
    parse_json,
    read_external,
    read_external_text,
    replace_file,
)
from games.minesweeper import Board, Deal
from strategies import Strategy
from strategies.observers import ObserverGroup

GAMES_PER_TASK = 8
AHEAD = 3  # waiting tasks per worker, so that none is idle

Games = tuple[tuple[int, Deal], ...]  # with game numbers


@dataclass(frozen=True, slots=True)
class Tournament:
    """Numbered games of one strategy set, with the same start.

    `watching` are observers; they require workers in this process.
    """

    lineup: StrategySet
    opening: GameStart
    deals: Mapping[int, Deal]
    watching: ObserverGroup | None = None

    def scores(self, workers: Workers, done: Container[int] = ()) -> Iterator[SimulatedResult]:
        """Yield the result of each game that is not done yet, in the order of `deals`.

        If a worker is lost, its games are repeated one by one. Raises MissingRequirement if a game loses its
        second worker as well, and the errors of playing.
        """
        left = [game for game in self.deals if game not in done]
        waiting = deque(left[k : k + GAMES_PER_TASK] for k in range(0, len(left), GAMES_PER_TASK))
        under_way: deque[tuple[Games, Executor, Future[list[SimulatedResult]]]] = deque()
        executor = workers.open()
        try:
            while waiting or under_way:
                while waiting and len(under_way) < workers.parallel * (1 + AHEAD):
                    games = tuple((game, self.deals[game]) for game in waiting.popleft())
                    under_way.append((games, executor, self._submit(workers, executor, games)))
                games, used, future = under_way.popleft()
                try:
                    yield from future.result()
                except workers.lost:
                    if used is executor:  # not replaced yet
                        executor = workers.replace(executor)
                    yield from self._second_try(workers, executor, games)
        finally:
            workers.close(executor)

    def _submit(self, workers: Workers, executor: Executor, games: Games) -> Future[list[SimulatedResult]]:
        try:
            return executor.submit(play_games, self.lineup, self.opening, games, self.watching)
        except workers.lost as error:
            failed: Future[list[SimulatedResult]] = Future()
            failed.set_exception(error)
            return failed

    def _second_try(self, workers: Workers, executor: Executor, games: Games) -> Iterator[SimulatedResult]:
        """Repeat the games one at a time, to find the game that ends its worker."""
        for game in games:
            try:
                yield from self._submit(workers, executor, (game,)).result()
            except workers.lost as error:
                raise MissingRequirement(
                    f"game {game[0]} lost its worker twice (did it run out of memory?): "
                    "use fewer --jobs, or run the same command again to continue"
                ) from error


def play_games(
    lineup: StrategySet, opening: GameStart, games: Games, watching: ObserverGroup | None = None
) -> list[SimulatedResult]:
    """Play some games; this is the task of a worker."""
    strategies = _warm(lineup)
    return [play_game(strategies, game, deal, opening, watching) for game, deal in games]


@lru_cache(maxsize=8)
def _warm(lineup: StrategySet) -> tuple[Strategy, ...]:
    strategies = lineup.load()
    warm_up(strategies)
    return strategies


COLUMNS = ("game", "won", "guesses", "decisions", "seconds")
Run = Mapping[str, object]  # JSON description of a run: boards, start, strategies


class ResultTable:
    """A CSV file of `COLUMNS`, with `FILE.run` for the description of the run and its slowest decision.

    An existing table is continued; an incomplete last line is dropped. Raises InvalidFile if the table
    belongs to another run, is damaged, or cannot be written. Use as a context manager.
    """

    def __init__(self, path: Path, run: Run) -> None:
        self.path = path
        self._run = json.loads(json.dumps(run))
        self.scores: dict[int, SimulatedResult] = {}
        self.slowest = 0.0
        with file_errors(path, "name a writable file with --out"):
            if path.exists() and not path.is_file():
                raise OSError(errno.EINVAL, "not a regular file")
            if path.exists() and path.stat().st_size:
                self._continue()
            else:
                path.write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
                self._write_run()
            self._file = path.open("a", encoding="utf-8", newline="")

    def add(self, score: SimulatedResult) -> None:
        """Write one game to the file."""
        if score.slowest > self.slowest:
            self.slowest = score.slowest
            self._write_run()
        row = (score.game, int(score.won), score.guesses, score.decisions, f"{score.seconds:.6f}")
        self._file.write(",".join(map(str, row)) + "\n")
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._file.close()

    def _continue(self) -> None:
        text = read_external(self.path, LARGEST_FILE)
        whole = text[: text.rfind(b"\n") + 1]
        known = read_run(self.path)
        if known is None or known["run"] != self._run:
            raise InvalidFile(
                f"{self.path} belongs to another run ({_difference(known, self._run)}): "
                "name another file with --out, or delete it"
            )
        if whole != text:
            self.path.write_bytes(whole)
        lines = whole.decode("utf-8", errors="replace").splitlines()
        if lines[:1] != [",".join(COLUMNS)]:
            raise InvalidFile(f"{self.path}, line 1: wrong columns: write '{','.join(COLUMNS)}'")
        for number, line in enumerate(lines[1:], 2):
            try:
                game, won, guesses, decisions, seconds = line.split(",")
                score = SimulatedResult(
                    int(game), bool(int(won)), int(guesses), int(decisions), float(seconds)
                )
            except ValueError as error:
                raise InvalidFile(
                    f"{self.path}, line {number}: not a game: correct it, or delete the file"
                ) from error
            self.scores[score.game] = score
        self.slowest = float(str(known["slowest_move_ms"])) / 1000

    def _write_run(self) -> None:
        known = {"run": self._run, "slowest_move_ms": round(1000 * self.slowest, 3)}
        replace_file(run_file(self.path), (json.dumps(known, indent=1) + "\n").encode())


def run_file(path: Path) -> Path:
    """Return the path of the run description of a table."""
    return path.with_name(path.name + ".run")


def read_run(path: Path) -> dict[str, object] | None:
    """Read `run` and `slowest_move_ms` of a table; None if there is no run file. Raises InvalidFile."""
    place = run_file(path)
    if not place.exists():
        return None
    try:
        known = parse_json(read_external_text(place))
        return {"run": dict(known["run"]), "slowest_move_ms": float(known["slowest_move_ms"])}
    except (OSError, *DAMAGE) as error:
        raise InvalidFile(f"{place}: damaged: delete it and {path.name}, and start again") from error


def read_wins(path: Path) -> dict[int, bool]:
    """Read the columns `game` and `won` (0 or 1) of a CSV file: whether each game was won.

    Skips lines that begin with `#` and an incomplete last line. Raises InvalidFile with the line number.
    """
    try:
        text = read_external_text(path, LARGEST_FILE)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InvalidFile(
            f"{path}: unreadable ({reason}): name a CSV file with the columns game and won"
        ) from error
    rows = csv.reader(line if line.strip() and not line.startswith("#") else "" for line in text.splitlines())
    head = [word.strip().lower() for word in next((row for row in rows if row), [])]
    if "game" not in head or "won" not in head:
        raise InvalidFile(f"{path}: not a table of games: write a first line with 'game' and 'won'")
    game, won = head.index("game"), head.index("won")
    is_cut = not text.endswith("\n")
    wins = {}
    for row in rows:
        if not row:
            continue
        try:
            wins[int(row[game])] = {"0": False, "1": True}[row[won].strip()]
        except (ValueError, IndexError, KeyError) as error:
            if is_cut and rows.line_num == len(text.splitlines()):
                break
            raise InvalidFile(
                f"{path}, line {rows.line_num}: invalid: write a game number, and 0 or 1 under 'won'"
            ) from error
    if not wins:
        raise InvalidFile(f"{path}: no games: play some first")
    return wins


def _difference(known: Mapping[str, object] | None, run: Run) -> str:
    if known is None:
        return "its run file is missing"
    was = known["run"]
    assert isinstance(was, dict)
    for name, value in run.items():
        if was.get(name) != value:
            return f"{name}: {_short(was.get(name))}, now {_short(value)}"
    return "its run file has more entries"


def _short(value: object) -> str:
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ", ".join(map(_short, value)) or "none"
    return str(value)


Z = 1.96  # standard deviations; 95 % interval of a normal distribution


@dataclass(frozen=True, slots=True)
class WinRate:
    """A win rate with its 95 % interval, from 0 to 1 (differences: from -1 to 1)."""

    rate: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.rate:.2f} % ({100 * self.low:.2f} to {100 * self.high:.2f})"


def win_rate(won: int, games: int) -> WinRate:
    """Win rate with the score interval of E. B. Wilson (1927), which is also good near 0 and 1."""
    if not games:
        return WinRate(0.0, 0.0, 1.0)
    share = won / games
    scale = 1 + Z * Z / games
    middle = (share + Z * Z / (2 * games)) / scale
    half = Z / scale * sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    return WinRate(share, max(middle - half, 0.0), min(middle + half, 1.0))


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """Comparison of two players on the same games: games played by both, and won by only one of them."""

    games: int
    only_ours: int
    only_theirs: int

    @classmethod
    def of(cls, ours: Mapping[int, bool], theirs: Mapping[int, bool]) -> PairedComparison:
        """Compare the games with the same numbers."""
        both = ours.keys() & theirs.keys()
        return cls(
            len(both),
            sum(ours[game] and not theirs[game] for game in both),
            sum(theirs[game] and not ours[game] for game in both),
        )

    @property
    def difference(self) -> WinRate:
        """Our win rate minus theirs: (x - y)/n ± 1.96 sqrt(x + y - (x - y)²/n)/n."""
        x, y, n = self.only_ours, self.only_theirs, self.games
        if not n:
            return WinRate(0.0, -1.0, 1.0)
        half = Z * sqrt(max(x + y - (x - y) ** 2 / n, 0.0)) / n
        return WinRate((x - y) / n, (x - y) / n - half, (x - y) / n + half)


@dataclass(frozen=True, slots=True)
class BenchSummary:
    """Figures of a tournament; times are CPU time of the player, in milliseconds.

    `faults` are the distinct errors of strategies, with the `game` in which each occurred first. `outcomes`
    describes the result of each game.
    """

    games: int
    won: int
    guesses: float
    decisions: float
    ms_per_game: float
    slowest_move_ms: float
    wins: Mapping[int, bool] = field(repr=False)
    faults: tuple[Mapping[str, Any], ...] = ()
    outcomes: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls, scores: Mapping[int, SimulatedResult], slowest: float, faults: Sequence[Mapping[str, Any]] = ()
    ) -> BenchSummary:
        """Summarize these games; `slowest` is the slowest decision in seconds."""
        played = scores.values()
        games = len(scores) or 1
        return cls(
            len(scores),
            sum(score.won for score in played),
            sum(score.guesses for score in played) / games,
            sum(score.decisions for score in played) / games,
            1000 * sum(score.seconds for score in played) / games,
            1000 * slowest,
            {game: score.won for game, score in scores.items()},
            tuple(faults),
            {f"game {score.game}": score.outcome for score in played},
        )

    @property
    def rate(self) -> WinRate:
        """The win rate."""
        return win_rate(self.won, self.games)

    def as_json(self) -> dict[str, Any]:
        """Return the output of `bench --json`."""
        return {
            "games": self.games,
            "won": self.won,
            "rate": self.rate.rate,
            "low": self.rate.low,
            "high": self.rate.high,
            "ms_per_game": round(self.ms_per_game, 4),
            "slowest_move_ms": round(self.slowest_move_ms, 3),
            "guesses_per_game": round(self.guesses, 4),
            "decisions_per_game": round(self.decisions, 4),
            "faults": list(self.faults),
        }


def run_description(course: BoardSet, opening: GameStart, lineup: StrategySet) -> dict[str, object]:
    """Describe a run for its result table, so that runs are not mixed."""
    start = None if opening.start is None else Board.fresh(course.rows, course.columns).name(opening.start)
    return {
        "boards": course.boards,
        "first_click": opening.first_click,
        "start": start or "the strategies' own",
        "strategies": [
            f"{name} {version}" for name, version in zip(lineup.names, lineup.versions, strict=True)
        ],
    }


def run_bench(
    course: BoardSet,
    opening: GameStart,
    lineup: StrategySet,
    workers: Workers,
    out: Path | None,
    report: Callable[[str], None],
    quiet: bool,
    watching: ObserverGroup | None = None,
) -> BenchSummary:
    """Play all boards of a set that the table at `out` does not contain yet.

    `report` receives the errors of strategies, once per line of their files and with their frequency, and the
    output of observers. Raises InvalidFile for a table of another run, and the errors of playing.
    """
    scores: dict[int, SimulatedResult] = {}
    slowest, faults = 0.0, FaultCounter()
    with ExitStack() as stack:
        table = (
            stack.enter_context(ResultTable(out, run_description(course, opening, lineup))) if out else None
        )
        if table:
            scores = {game: score for game, score in table.scores.items() if game in course.deals}
            slowest = table.slowest if scores else 0.0
        progress = stack.enter_context(ProgressBar(lineup.names[-1], quiet))
        won = sum(score.won for score in scores.values())
        for score in Tournament(lineup, opening, course.deals, watching).scores(workers, frozenset(scores)):
            scores[score.game] = score
            slowest = max(slowest, score.slowest)
            if table:
                table.add(score)
            for fault in faults.new(score):
                report(f"game {score.game}: {fault}")
            for text in score.says:
                report(text)
            won += score.won
            progress.at(len(scores), len(course.deals), f"{100 * won / len(scores):.1f} % won")
    for text in faults.repeated():
        report(text)
    return BenchSummary.of(scores, slowest, faults.details)


class FaultCounter:
    """Errors of strategies and the number of games with each; errors in the same line count as one."""

    def __init__(self) -> None:
        self.details: list[Mapping[str, Any]] = []
        self._games: dict[tuple[object, ...], int] = {}

    def new(self, score: SimulatedResult) -> Iterator[str]:
        """Yield the descriptions of errors that occur for the first time."""
        for place, fault in enumerate(score.faults):
            detail = score.details[place] if place < len(score.details) else None
            key = (detail["strategy"], detail["file"], detail["line"]) if detail else (fault,)
            self._games[key] = self._games.get(key, 0) + 1
            if self._games[key] == 1:
                if detail:
                    self.details.append({"game": score.game, **detail})
                yield fault

    def repeated(self) -> Iterator[str]:
        """Yield the frequency of errors that occurred in several games."""
        for (name, *place), games in self._games.items():
            if games > 1:
                line = f" ({place[0]}, line {place[1]})" if place and place[1] else ""
                yield f"{f'strategy {name}{line}' if place else name}: similar errors in {games} games"
