"""Which of two ways to guess wins more: both on one board until they differ, then each on its own.

    python benchmarks/guessing/compare.py best quick --first-click zero --games 20000 --out build/quick.csv
    python benchmarks/guessing/compare.py best:near=0.15 best --seed training

A way is `best` or `quick`, with settings changed (strategies/compiled/settings.py has them all). Up to the
first guess on which the two differ they are one game. From there on not only the board at hand is played by
both, but `--layouts` of all that its clues allow, drawn at random: each as likely as the one at hand, so
that the mean is the same and chance has less of it. A game in which they never differ is a draw for nothing.

With `--out` a line is kept for every game; the same command goes on where it ends. The boards are those of
`sapper bench --seed`, or of a boards file. Play is that of benchmarks/guessing/swift.py: compiled code alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path

from pairs import Match, Pair, difference, read

from bot.show.board_text import ProgressBar
from bot.simulation.boards import BoardSet, first_click_cell, parse_board_size
from bot.simulation.workers import InlineWorkers, ProcessWorkers
from games.errors import SapperError, UsageError
from games.minesweeper import LEVELS, Deal
from strategies.builtin import best, quick
from strategies.compiled.kernels import kernels
from strategies.compiled.settings import Settings

AT_ONCE = 20  # games in one task
LARGE = 400  # cells; with so many a zero is likeliest three from the edges
BY_NAME: Mapping[str, Settings] = {"best": best.SETTINGS, "quick": quick.SETTINGS}


def main() -> int:
    """Play what is missing, print what came out; the exit code."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("first", nargs="?", default="best", help="a way to guess, such as quick:candidates=20")
    words.add_argument("second", nargs="?", default="quick", help="another one")
    words.add_argument("--level", choices=LEVELS, default="expert")
    words.add_argument("--boards", type=Path, help="a boards file instead")
    words.add_argument("--seed", default="training", help="of the boards, when there is no file")
    words.add_argument("--games", type=int, default=200)
    words.add_argument("--first-click", choices=("safe", "zero"), default="safe")
    words.add_argument("--start", help="its cell; a corner, or r2c2 (Expert r3c3) for zero, when not said")
    words.add_argument("--layouts", type=int, default=40, help="on which both go on once they differ")
    words.add_argument("--jobs", type=int, default=1)
    words.add_argument("--out", type=Path, help="a table to keep, and to go on with")
    words.add_argument("--json", action="store_true", help="one object, and nothing else, on stdout")
    asked = words.parse_args()
    try:
        compare(asked)
    except SapperError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


def compare(asked: argparse.Namespace) -> None:
    """What was asked for. Raises SapperError."""
    if asked.layouts < 1 or asked.games < 1 or asked.jobs < 1:
        raise UsageError("take 1 or more with --games, --layouts and --jobs")
    columns, rows, mines = parse_board_size(asked.level, None, None)
    course = (
        BoardSet.load(asked.boards, asked.games)
        if asked.boards
        else BoardSet.random((columns, rows), mines, asked.seed, asked.games)
    )
    inset = 0 if asked.first_click == "safe" else 3 if course.rows * course.columns >= LARGE else 2
    named = asked.start or f"r{inset}c{inset}"
    start = first_click_cell(named, course.rows, course.columns, course.mines, asked.first_click)
    assert start is not None
    match = Match(
        settings_of(asked.first), settings_of(asked.second), asked.first_click, start, asked.layouts
    )
    ways = f"{match.first}, {match.second}"
    run = f"# {course.boards}, {asked.first_click} {named}, {asked.layouts} layouts, {ways}"
    pairs = read(asked.out, run) if asked.out else {}
    kernels().wait()
    with ProgressBar(f"{asked.first} against {asked.second}") as progress:
        for pair in play(match, course, asked.jobs, frozenset(pairs)):
            pairs[pair.game] = pair
            if asked.out:
                with asked.out.open("a", encoding="utf-8") as table:
                    table.write(pair.line + "\n")
            progress.at(len(pairs), asked.games, str(difference(list(pairs.values()))))
    print_result(asked, [pair for game, pair in pairs.items() if game in course.deals])


def print_result(asked: argparse.Namespace, pairs: Sequence[Pair]) -> None:
    """Print what came out."""
    found, games = difference(pairs), len(pairs)
    guesses = max(sum(pair.guesses for pair in pairs), 1)
    result = {
        "first": asked.first,
        "second": asked.second,
        "games": games,
        "differ": sum(pair.layouts > 0 for pair in pairs),
        "difference": found.rate,
        "low": found.low,
        "high": found.high,
        "won_first": sum(pair.first for pair in pairs),
        "won_second": sum(pair.second for pair in pairs),
        "first_ms_per_guess": round(sum(pair.first_ms for pair in pairs) / guesses, 3),
        "second_ms_per_guess": round(sum(pair.second_ms for pair in pairs) / guesses, 3),
    }
    if asked.json:
        print(json.dumps(result))
        return
    half = (found.high - found.low) / 2
    print(
        f"{asked.first} against {asked.second}: {100 * found.rate:+.3f} ± {100 * half:.3f} points "
        f"in {games:,} games, {result['differ']:,} of which differ; a guess took "
        f"{result['first_ms_per_guess']} and {result['second_ms_per_guess']} ms"
    )


def settings_of(way: str) -> Settings:
    """`quick:candidates=20,away=6`. Raises Usage."""
    name, _, changes = way.partition(":")
    if name not in BY_NAME:
        raise UsageError(f"'{name}' is no way to guess: take {' or '.join(BY_NAME)}")
    changed: dict[str, float] = {}
    for change in changes.split(",") if changes else ():
        key, _, value = change.partition("=")
        try:
            changed[key] = float(value)
        except ValueError as error:
            raise UsageError(f"'{change}' in '{way}' is no setting: write name=number") from error
    unknown = next((key for key in changed if key not in Settings._fields), None)
    if unknown is not None:
        raise UsageError(f"'{unknown}' is no setting: take one of {', '.join(Settings._fields)}")
    return BY_NAME[name]._replace(**changed)


def play(match: Match, course: BoardSet, jobs: int, done: frozenset[int]) -> Iterator[Pair]:
    """The pairs that are missing, in the order of the games. Raises what playing raises."""
    left = [game for game in course.deals if game not in done]
    workers = ProcessWorkers(jobs) if jobs > 1 else InlineWorkers()
    executor = workers.open()
    under_way: deque[Future[list[Pair]]] = deque()
    try:
        for begin in range(0, len(left), AT_ONCE):
            games = [(game, course.deals[game]) for game in left[begin : begin + AT_ONCE]]
            under_way.append(executor.submit(play_some, match, games))
            if len(under_way) >= 2 * workers.parallel:
                yield from under_way.popleft().result()
        while under_way:
            yield from under_way.popleft().result()
    finally:
        workers.close(executor)


def play_some(match: Match, games: Sequence[tuple[int, Deal]]) -> list[Pair]:
    """The task of a worker."""
    kernels().wait()
    return [match.play(game, deal) for game, deal in games]


if __name__ == "__main__":
    sys.exit(main())
