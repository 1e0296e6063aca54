"""Many simulated games, played by whatever workers there are, given in their order.

The runner knows its workers as a `concurrent.futures.Executor` (`workers` has three). What comes out does
not depend on how many there are.

The table of a run: one line a game, written at once, gone on with where it ends.

How sure a count of wins is: intervals at 95 %.

A tournament from its beginning, or from where its table ends, to its figures.
"""

from __future__ import annotations

import csv
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
from games.minesweeper import Board, Deal
from strategies import Strategy
from strategies.observers import ObserverGroup

AT_ONCE = 8  # games in one task
AHEAD = 3  # tasks that wait for each worker, so that none is idle

Games = tuple[tuple[int, Deal], ...]  # each with its number


@dataclass(frozen=True, slots=True)
class Tournament:
    """The games of one lineup, by number, all of them begun alike.

    `watching` are observers; they want workers of this process.
    """

    lineup: StrategySet
    opening: GameStart
    deals: Mapping[int, Deal]
    watching: ObserverGroup | None = None

    def scores(self, workers: Workers, done: Container[int] = ()) -> Iterator[SimulatedResult]:
        """The score of each game that is not done yet, in the order of `deals`.

        When a worker is lost, its games get a second try, one by one. Raises MachineLacks when a game loses
        its second worker as well, and whatever playing raises.
        """
        left = [game for game in self.deals if game not in done]
        waiting = deque(left[k : k + AT_ONCE] for k in range(0, len(left), AT_ONCE))
        under_way: deque[tuple[Games, Executor, Future[list[SimulatedResult]]]] = deque()
        executor = workers.open()
        try:
            while waiting or under_way:
                while waiting and len(under_way) < workers.parallel * (1 + AHEAD):
                    games = tuple((game, self.deals[game]) for game in waiting.popleft())
                    under_way.append((games, executor, self._submit(workers, executor, games)))
                games, asked, future = under_way.popleft()
                try:
                    yield from future.result()
                except workers.lost:
                    if asked is executor:  # and not one whose loss was seen before
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
        """The games again, one at a time, so that it shows which of them takes its worker down."""
        for game in games:
            try:
                yield from self._submit(workers, executor, (game,)).result()
            except workers.lost as error:
                raise MissingRequirement(
                    f"game {game[0]} lost its worker twice (did it run out of memory?): "
                    "use fewer --jobs, or run the same command again to go on"
                ) from error


def play_games(
    lineup: StrategySet, opening: GameStart, games: Games, watching: ObserverGroup | None = None
) -> list[SimulatedResult]:
    """Play some games: the task that a worker is given. Raises what loading and playing raise."""
    strategies = _warm(lineup)
    return [play_game(strategies, game, deal, opening, watching) for game, deal in games]


@lru_cache(maxsize=8)
def _warm(lineup: StrategySet) -> tuple[Strategy, ...]:
    """The strategies after a game that does not count."""
    strategies = lineup.load()
    warm_up(strategies)
    return strategies


COLUMNS = ("game", "won", "guesses", "decisions", "seconds")
Run = Mapping[str, object]  # what a run is of: boards, opening, strategies; as JSON writes it


class ResultTable:
    """A CSV file of `COLUMNS` and, beside it, `FILE.run`: which run it is of, and its slowest decision.

    Opening one that is there goes on where it ends: a last line that is cut off is dropped. Raises
    InvalidFile when it is of another run, damaged, or cannot be written. A context manager.
    """

    def __init__(self, path: Path, run: Run) -> None:
        self.path = path
        self._run = json.loads(json.dumps(run))
        self.scores: dict[int, SimulatedResult] = {}
        self.slowest = 0.0
        try:
            if path.exists() and path.stat().st_size:
                self._go_on()
            else:
                path.write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
                self._write_run()
            self._file = path.open("a", encoding="utf-8", newline="")
        except OSError as error:
            raise InvalidFile(
                f"{path}: {error.strerror}: name a file that can be written to with --out"
            ) from error

    def add(self, score: SimulatedResult) -> None:
        """Write one game down, for good."""
        if score.slowest > self.slowest:
            self.slowest = score.slowest
            self._write_run()
        self.scores[score.game] = score
        row = (score.game, int(score.won), score.guesses, score.decisions, f"{score.seconds:.6f}")
        self._file.write(",".join(map(str, row)) + "\n")
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._file.close()

    def _go_on(self) -> None:
        text = self.path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        known = read_run(self.path)
        if known is None or known["run"] != self._run:
            raise InvalidFile(
                f"{self.path} is of another run ({_difference(known, self._run)}): "
                "name another file with --out, or delete it"
            )
        if whole != text:
            self.path.write_bytes(whole)
        lines = whole.decode("utf-8", errors="replace").splitlines()
        if lines[:1] != [",".join(COLUMNS)]:
            raise InvalidFile(f"{self.path}, line 1: write '{','.join(COLUMNS)}'")
        for number, line in enumerate(lines[1:], 2):
            try:
                game, won, guesses, decisions, seconds = line.split(",")
                score = SimulatedResult(
                    int(game), bool(int(won)), int(guesses), int(decisions), float(seconds)
                )
            except ValueError as error:
                raise InvalidFile(
                    f"{self.path}, line {number}: this is no game: correct it, or delete the file"
                ) from error
            self.scores[score.game] = score
        self.slowest = float(str(known["slowest_move_ms"])) / 1000

    def _write_run(self) -> None:
        place = run_file(self.path)
        new = place.with_name(place.name + ".new")
        known = {"run": self._run, "slowest_move_ms": round(1000 * self.slowest, 3)}
        new.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
        new.replace(place)


def run_file(path: Path) -> Path:
    """Where it is kept which run a table is of."""
    return path.with_name(path.name + ".run")


def read_run(path: Path) -> dict[str, object] | None:
    """What is kept beside a table: `run`, `slowest_move_ms`; None when nothing is. Raises InvalidFile."""
    place = run_file(path)
    if not place.exists():
        return None
    try:
        known = json.loads(place.read_text(encoding="utf-8"))
        return {"run": dict(known["run"]), "slowest_move_ms": float(known["slowest_move_ms"])}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InvalidFile(f"{place}: damaged: delete it and {path.name}, and start again") from error


def read_wins(path: Path) -> dict[int, bool]:
    """Which games were won, by number: the columns `game` and `won` (0 or 1) of any CSV file.

    Lines that begin with `#` and a last line that is cut off are left out. Raises InvalidFile with the line
    number.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InvalidFile(
            f"{path}: cannot be read ({why}): name a CSV with the columns game and won"
        ) from error
    rows = csv.reader(line if line.strip() and not line.startswith("#") else "" for line in text.splitlines())
    head = [word.strip().lower() for word in next((row for row in rows if row), [])]
    if "game" not in head or "won" not in head:
        raise InvalidFile(f"{path}: this is no table of games: write a first line with 'game' and 'won'")
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
                f"{path}, line {rows.line_num}: no game's number with a 0 or 1 under 'won'"
            ) from error
    if not wins:
        raise InvalidFile(f"{path}: holds no game: play some first")
    return wins


def _difference(known: Mapping[str, object] | None, run: Run) -> str:
    """The first thing in which two runs differ, in words."""
    if known is None:
        return "nothing beside it says which"
    was = known["run"]
    assert isinstance(was, dict)
    return next(
        (
            f"{name}: {_short(was.get(name))}, now {_short(value)}"
            for name, value in run.items()
            if was.get(name) != value
        ),
        "it says more of it than this one does",
    )


def _short(value: object) -> str:
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ", ".join(map(_short, value)) or "none"
    return str(value)


Z = 1.96  # standard deviations that hold 95 % of a normal distribution


@dataclass(frozen=True, slots=True)
class WinRate:
    """A share of games with its 95 % interval; all between 0 and 1 (differences: -1 and 1)."""

    rate: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.rate:.2f} % ({100 * self.low:.2f} to {100 * self.high:.2f})"


def win_rate(won: int, games: int) -> WinRate:
    """The share of games won, with the score interval of E. B. Wilson (1927), also good near 0 and 1."""
    if not games:
        return WinRate(0.0, 0.0, 1.0)
    share = won / games
    scale = 1 + Z * Z / games
    middle = (share + Z * Z / (2 * games)) / scale
    half = Z / scale * sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    return WinRate(share, max(middle - half, 0.0), min(middle + half, 1.0))


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """Two players compared game by game: games that both played, those that only one of them won."""

    games: int
    only_ours: int
    only_theirs: int

    @classmethod
    def of(cls, ours: Mapping[int, bool], theirs: Mapping[int, bool]) -> PairedComparison:
        """Compare the games that are in both, by number."""
        both = ours.keys() & theirs.keys()
        return cls(
            len(both),
            sum(ours[game] and not theirs[game] for game in both),
            sum(theirs[game] and not ours[game] for game in both),
        )

    @property
    def difference(self) -> WinRate:
        """Our share of wins less theirs: (x - y)/n ± 1.96 sqrt(x + y - (x - y)²/n)/n."""
        x, y, n = self.only_ours, self.only_theirs, self.games
        if not n:
            return WinRate(0.0, -1.0, 1.0)
        half = Z * sqrt(max(x + y - (x - y) ** 2 / n, 0.0)) / n
        return WinRate((x - y) / n, (x - y) / n - half, (x - y) / n + half)


@dataclass(frozen=True, slots=True)
class BenchSummary:
    """The figures of a tournament; times are CPU time of the player, in milliseconds.

    `faults` are what strategies did wrong, each once, in parts, with the `game` in which it was first seen.
    `outcomes` says in words what became of each game.
    """

    games: int
    won: int
    guesses: float
    decisions: float
    ms_per_game: float
    slowest_move_ms: float
    wins: Mapping[int, bool]
    faults: tuple[Mapping[str, Any], ...] = ()
    outcomes: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, scores: Mapping[int, SimulatedResult], slowest: float, faults: Sequence[Mapping[str, Any]] = ()
    ) -> BenchSummary:
        """The figures of these games; `slowest` is their slowest decision in seconds."""
        games = len(scores) or 1
        return cls(
            len(scores),
            sum(score.won for score in scores.values()),
            sum(score.guesses for score in scores.values()) / games,
            sum(score.decisions for score in scores.values()) / games,
            1000 * sum(score.seconds for score in scores.values()) / games,
            1000 * slowest,
            {game: score.won for game, score in scores.items()},
            tuple(faults),
            {
                f"game {game}": f"{'won' if score.won else 'lost'}, {score.guesses} guesses"
                for game, score in scores.items()
            },
        )

    @property
    def rate(self) -> WinRate:
        """The share of games won."""
        return win_rate(self.won, self.games)

    def as_json(self) -> dict[str, Any]:
        """What `bench --json` prints of it."""
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
    """What a table is of, so that no other run is mixed into it."""
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
    out: Path | None = None,
    say: Callable[[str], None] = lambda text: None,
    quiet: bool = True,
    watching: ObserverGroup | None = None,
) -> BenchSummary:
    """Play all of a course, or what the table at `out` does not have of it yet.

    `say` hears what strategies did wrong, one for each line of their files, and how
    often, and what observers say. Raises InvalidFile for a table of another run, and what playing raises.
    """
    scores: dict[int, SimulatedResult] = {}
    slowest, faults = 0.0, _FaultCounts()
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
                say(f"game {score.game}: {fault}")
            for text in score.says:
                say(text)
            won += score.won
            progress.at(len(scores), len(course.deals), f"{100 * won / len(scores):.1f} % won")
    for often in faults.often():
        say(often)
    return BenchSummary.of(scores, slowest, faults.details)


class _FaultCounts:
    """What strategies did wrong, and in how many games; the same line of a file goes wrong in many ways."""

    def __init__(self) -> None:
        self.details: list[Mapping[str, Any]] = []
        self._games: dict[tuple[object, ...], int] = {}

    def new(self, score: SimulatedResult) -> Iterator[str]:
        """Those of a game that were not met before, in words."""
        for place, fault in enumerate(score.faults):
            detail = score.details[place] if place < len(score.details) else None
            key = (detail["strategy"], detail["file"], detail["line"]) if detail else (fault,)
            self._games[key] = self._games.get(key, 0) + 1
            if self._games[key] == 1:
                if detail:
                    self.details.append({"game": score.game, **detail})
                yield fault

    def often(self) -> Iterator[str]:
        """How often, of those that were met in more than one game."""
        for (what, *where), games in self._games.items():
            if games > 1:
                line = f" ({where[0]}, line {where[1]})" if where and where[1] else ""
                yield f"{f'strategy {what}{line}' if where else what}: the like in {games} games"
