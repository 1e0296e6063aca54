"""Compare two guessers on the same boards: which one wins more, with a 95 % interval.

Table: docs/results, "Strength" (paired differences).

    python -m benchmarks.guesser_pairs best quick --first-click zero --games 20000 --out build/quick.jsonl
    python -m benchmarks.guesser_pairs best:near=0.15 best --seed training

A guesser is `best` or `quick`, with changed settings (`strategies/kernels/settings.py` lists them), or any
strategy that guesses: a name such as `lowest-risk`, or a file such as `./mine.py:depth=3`. Both play one
common game until their guesses differ. From there, each guesser continues alone, on the original board and on
random layouts that are consistent with the open cells (`--layouts` in total). All layouts are equally likely,
so the mean stays the same and the variance shrinks. A game in which the guessers never differ counts as a
draw.

`--out` logs each game as a JSON line, and the same command continues an interrupted run. The boards are the
boards of `sapper bench --seed`, or of a boards file. Only the kernels play
(`benchmarks/kernel_games.py`).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path
from random import Random

from benchmarks.kernel_games import (
    MINE,
    Guesser,
    Ints,
    KernelGame,
    StrategyGuesser,
    decide,
    finish_game,
    random_layout,
)
from benchmarks.shared import append_log, new_parser, read_log
from bot.show.board_text import ProgressBar
from bot.simulation.boards import BoardSet, first_click_cell, parse_board_size
from bot.simulation.simulated_game import Promise
from bot.simulation.tournament import WinRate, Z
from bot.simulation.workers import InlineWorkers, ProcessWorkers
from games.errors import InvalidFile, SapperError, UsageError
from games.minesweeper import LEVELS, Deal
from strategies.builtin.guesses import best, quick
from strategies.kernels import GuessSettings

GAMES_PER_TASK = 20
LARGE = 400  # cells; on such boards, a zero is most likely three cells from the edges
BY_NAME: Mapping[str, GuessSettings] = {"best": best.settings, "quick": quick.settings}


@dataclass(frozen=True, slots=True)
class PairedGame:
    """One board, played by both guessers.

    `layouts` is the number of layouts on which each guesser continued alone; 0 if they never differed.
    `only_first` and `only_second` count the layouts that only one guesser won. `first` and `second` are 1 if
    the guesser won the original board. `guesses` counts the common guesses; the milliseconds are processor
    time for these guesses.
    """

    game: int
    layouts: int
    only_first: int
    only_second: int
    first: int
    second: int
    guesses: int
    first_ms: float
    second_ms: float

    @property
    def difference(self) -> float:
        """Win probability of the first guesser minus the second, -1 to 1."""
        return (self.only_first - self.only_second) / self.layouts if self.layouts else 0.0


@dataclass(frozen=True, slots=True)
class GuesserMatch:
    """Two guessers, the start of their games, and the number of layouts after they differ."""

    first: Guesser
    second: Guesser
    first_click: Promise
    start: int
    layouts: int

    def play(self, game: int, deal: Deal) -> PairedGame:
        """Play one board. Raises MachineLacks if a position is too wide for exact counting."""
        common, alive = KernelGame.begin(deal, self.start, self.first_click), True
        guesses, spent = 0, [0.0, 0.0]
        while alive and not common.is_won:
            begin = time.thread_time()
            opened, sure_mines, is_guess = decide(self.first, common)
            middle = time.thread_time()
            if is_guess:
                other, _, _ = decide(self.second, common)
                guesses += 1
                spent[0] += 1000 * (middle - begin)
                spent[1] += 1000 * (time.thread_time() - middle)
                if other[0] != opened[0]:
                    common.state[sure_mines] = MINE
                    wins = self._continue(common, opened, other, Random(game))
                    return PairedGame(game, self.layouts, *wins, guesses, *spent)
            common.state[sure_mines] = MINE
            alive = common.open(opened)
        return PairedGame(game, 0, 0, 0, int(alive), int(alive), guesses, *spent)

    def _continue(
        self, game: KernelGame, opened: Ints, other: Ints, rng: Random
    ) -> tuple[int, int, int, int]:
        """Let each guesser continue alone; the numbers `only_first` to `second` of a PairedGame."""
        only_first, only_second = 0, 0
        result = (0, 0)
        for number in range(self.layouts):
            mines = random_layout(game, rng) if number else game.mines
            wins = [
                (alone := KernelGame.of(game.graph, game.state, mines)).open(cell)
                and finish_game(alone, settings)
                for cell, settings in ((opened, self.first), (other, self.second))
            ]
            only_first += wins[0] > wins[1]
            only_second += wins[1] > wins[0]
            if not number:
                result = int(wins[0]), int(wins[1])
        return only_first, only_second, *result


def mean_difference(pairs: Sequence[PairedGame]) -> WinRate:
    """Win rate of the first guesser minus the second, with a 95 % interval.

    If none of n games differs, the limit is 3 / n (rule of three).
    """
    games = len(pairs)
    if not any(pair.layouts for pair in pairs):
        limit = 3 / games if games > 3 else 1.0
        return WinRate(0.0, -limit, limit)
    if games < 2:
        return WinRate(0.0, -1.0, 1.0)
    mean = sum(pair.difference for pair in pairs) / games
    variance = sum((pair.difference - mean) ** 2 for pair in pairs) / (games - 1)
    half = Z * sqrt(variance / games)
    return WinRate(mean, mean - half, mean + half)


def read_pairs(path: Path | None, run: str) -> dict[int, PairedGame]:
    """The games in a log. Raises InvalidFile if the log belongs to another run."""
    entries = read_log(path)
    if any(entry.pop("run", "") != run for entry in entries):
        raise InvalidFile(f"{path} belongs to another comparison: use another --out, or delete the file")
    return {entry["game"]: PairedGame(**entry) for entry in entries}


def parse_guesser(text: str) -> Guesser:
    """A guesser such as `quick:candidates=20,away=6` or `./mine.py`. Raises UsageError, InvalidFile."""
    name, _, changes = text.partition(":")
    if name not in BY_NAME:
        return StrategyGuesser.load(text)
    changed: dict[str, float] = {}
    for change in changes.split(",") if changes else ():
        key, _, value = change.partition("=")
        try:
            changed[key] = float(value)
        except ValueError as error:
            raise UsageError(f"invalid setting '{change}' in '{text}': use name=number") from error
    unknown = next((key for key in changed if key not in GuessSettings._fields), None)
    if unknown is not None:
        raise UsageError(f"unknown setting '{unknown}': use one of {', '.join(GuessSettings._fields)}")
    return BY_NAME[name]._replace(**changed)


def play_missing(
    match: GuesserMatch, course: BoardSet, jobs: int, done: frozenset[int]
) -> Iterator[PairedGame]:
    """Play the games that are not in `done`, in order."""
    left = [game for game in course.deals if game not in done]
    workers = ProcessWorkers(jobs) if jobs > 1 else InlineWorkers()
    executor = workers.open()
    pending: deque[Future[list[PairedGame]]] = deque()
    try:
        for begin in range(0, len(left), GAMES_PER_TASK):
            games = [(game, course.deals[game]) for game in left[begin : begin + GAMES_PER_TASK]]
            pending.append(executor.submit(_play_task, match, games))
            if len(pending) >= 2 * workers.parallel:
                yield from pending.popleft().result()
        while pending:
            yield from pending.popleft().result()
    finally:
        workers.close(executor)


def _play_task(match: GuesserMatch, games: Sequence[tuple[int, Deal]]) -> list[PairedGame]:
    return [match.play(game, deal) for game, deal in games]


def compare(options: argparse.Namespace) -> None:
    """Play the missing games and print the result. Raises SapperError."""
    if options.layouts < 1 or options.games < 1 or options.jobs < 1:
        raise UsageError("--games, --layouts and --jobs must be 1 or more")
    columns, rows, mines = parse_board_size(options.level, None, None)
    course = (
        BoardSet.load(options.boards, options.games)
        if options.boards
        else BoardSet.random((columns, rows), mines, options.seed, options.games)
    )
    inset = 0 if options.first_click == "safe" else 3 if course.rows * course.columns >= LARGE else 2
    name = options.start or f"r{inset}c{inset}"
    start = first_click_cell(name, course.rows, course.columns, course.mines, options.first_click)
    assert start is not None
    first, second = parse_guesser(options.first), parse_guesser(options.second)
    match = GuesserMatch(first, second, options.first_click, start, options.layouts)
    run = f"# {course.boards}, {options.first_click} {name}, {options.layouts} layouts, {first}, {second}"
    pairs = read_pairs(options.out, run)
    with ProgressBar(f"{options.first} against {options.second}") as progress:
        for pair in play_missing(match, course, options.jobs, frozenset(pairs)):
            pairs[pair.game] = pair
            append_log(options.out, {"run": run, **asdict(pair)})
            progress.at(len(pairs), options.games, str(mean_difference(list(pairs.values()))))
    print_result(options, [pair for game, pair in pairs.items() if game in course.deals])


def print_result(options: argparse.Namespace, pairs: Sequence[PairedGame]) -> None:
    """Print the difference and the cost of a guess."""
    mean, guesses = mean_difference(pairs), max(sum(pair.guesses for pair in pairs), 1)
    first, second = (
        sum(getattr(pair, name) for pair in pairs) / guesses for name in ("first_ms", "second_ms")
    )
    print(
        f"{options.first} against {options.second}: {100 * mean.rate:+.3f} ± "
        f"{50 * (mean.high - mean.low):.3f} points in {len(pairs):,} games; the guessers differ in "
        f"{sum(pair.layouts > 0 for pair in pairs):,}; a guess takes {first:.3f} and {second:.3f} ms"
    )


def main() -> int:
    """Compare two guessers and return the exit code."""
    parser = new_parser(__doc__)
    parser.add_argument("first", nargs="?", default="best", help="guesser, such as quick:candidates=20")
    parser.add_argument("second", nargs="?", default="quick", help="another guesser")
    parser.add_argument("--level", choices=LEVELS, default="expert")
    parser.add_argument("--boards", type=Path, help="boards file instead of random boards")
    parser.add_argument("--seed", default="training", help="seed of the random boards")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first-click", choices=("safe", "zero"), default="safe")
    parser.add_argument("--start", help="first cell; default: a corner, or r2c2 (Expert r3c3) for zero")
    parser.add_argument("--layouts", type=int, default=40, help="layouts per game after the guessers differ")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, help="log of the games, to continue an interrupted run")
    options = parser.parse_args()
    try:
        compare(options)
    except SapperError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
