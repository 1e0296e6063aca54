"""Plays a boards file with `best` and compares with another program's results, game by game.

    python benchmarks/guessing/common.py expert.txt --first-click zero --start r3c3         --theirs
    theirs.txt --out build/expert-zero.csv

`--theirs` is a text with 1 for each game won and 0 for each lost, in the order of the games, or a CSV with
the columns game and won. With `--out` a line is kept for every game; the same command goes on where it ends.
Play is that of benchmarks/guessing/swift.py: compiled code alone. Times are those of the processor.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from compare import settings_of
from loops import MINE
from swift import Game, decide

from bot.show.board_text import ProgressBar
from bot.simulation.boards import BoardSet, first_click_cell
from bot.simulation.simulated_game import Promise
from bot.simulation.tournament import PairedComparison, read_wins, win_rate
from games.errors import InvalidFile, SapperError
from games.minesweeper import Deal
from strategies.compiled.settings import Settings

COLUMNS = "game,won,guesses,ms,slowest_ms"


def main() -> int:
    """Play what is missing, print what came out; the exit code."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("boards", type=Path, help="a boards file")
    words.add_argument("--way", default="best", help="how to guess, such as quick:candidates=20")
    words.add_argument("--first-click", choices=("safe", "zero"), default="safe")
    words.add_argument("--start", default="r0c0", help="its cell")
    words.add_argument("--games", type=int, help="the first so many; all when not said")
    words.add_argument("--theirs", type=Path, help="the other program's results")
    words.add_argument("--out", type=Path, required=True, help="a table to keep, and to go on with")
    asked = words.parse_args()
    try:
        course = BoardSet.load(asked.boards, asked.games)
        start = first_click_cell(asked.start, course.rows, course.columns, course.mines, asked.first_click)
        assert start is not None
        run = f"# {course.boards}, {asked.first_click} {asked.start}, {asked.way}"
        rows = play(course, start, asked.first_click, settings_of(asked.way), asked.out, run)
        theirs = results_of(asked.theirs) if asked.theirs else {}
    except SapperError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    print_result(asked, rows, theirs)
    return 0


def play(
    course: BoardSet, start: int, first_click: Promise, settings: Settings, out: Path, run: str
) -> dict[int, list[str]]:
    """The lines of the table, by game. Raises SapperError."""
    head = f"{run}\n{COLUMNS}\n"
    text = out.read_text(encoding="utf-8") if out.exists() else head
    text = text[: text.rfind("\n") + 1]
    if not text.startswith(head):
        raise InvalidFile(f"{out} is of another run: name another file with --out, or delete it")
    out.write_text(text, encoding="utf-8")
    rows = {int(line.split(",")[0]): line.split(",") for line in text.splitlines()[2:]}
    line_of(
        next(iter(course.deals.values())), start, first_click, settings
    )  # what loads once is nobody's cost
    with out.open("a", encoding="utf-8") as table, ProgressBar(course.name) as progress:
        for game, line in missing(course, start, first_click, settings, rows):
            table.write(line + "\n")
            rows[game] = line.split(",")
            progress.at(len(rows), len(course.deals), str(win_rate(won_of(rows), len(rows))))
    return {game: row for game, row in rows.items() if game in course.deals}


def missing(
    course: BoardSet, start: int, first_click: Promise, settings: Settings, rows: dict[int, list[str]]
) -> Iterator[tuple[int, str]]:
    """The games that the table lacks, with their lines."""
    for game, deal in course.deals.items():
        if game not in rows:
            yield game, f"{game},{line_of(deal, start, first_click, settings)}"


def line_of(deal: Deal, start: int, first_click: Promise, settings: Settings) -> str:
    """Play one game: won or not, guesses, ms in all, ms of the slowest decision."""
    game, alive, guesses, slowest = Game.begun(deal, start, first_click), True, 0, 0.0
    begun = last = time.thread_time()
    while alive and not game.is_won:
        opened, mines, is_guess = decide(settings, *game.field())
        game.state[mines] = MINE
        guesses += is_guess
        alive = game.open(opened)
        now = time.thread_time()
        slowest, last = max(slowest, now - last), now
    return f"{int(alive)},{guesses},{1000 * (last - begun):.2f},{1000 * slowest:.1f}"


def won_of(rows: dict[int, list[str]]) -> int:
    """How many games were won."""
    return sum(row[1] == "1" for row in rows.values())


def results_of(path: Path) -> dict[int, bool]:
    """Another program's results. Raises InvalidFile."""
    if path.suffix == ".csv":
        return read_wins(path)
    text = path.read_text(encoding="utf-8").strip() if path.exists() else ""
    if not text or set(text) - {"0", "1"}:
        raise InvalidFile(f"{path}: this is no text of 0 and 1: name one, or a CSV with --theirs")
    return {game: letter == "1" for game, letter in enumerate(text)}


def print_result(asked: argparse.Namespace, rows: dict[int, list[str]], theirs: dict[int, bool]) -> None:
    """Print what came out."""
    games = len(rows)
    said = f"{games:,} games: {win_rate(won_of(rows), games)}"
    if theirs:
        pair = PairedComparison.of({game: row[1] == "1" for game, row in rows.items()}, theirs)
        their_share = win_rate(sum(theirs[game] for game in rows if game in theirs), pair.games)
        half = (pair.difference.high - pair.difference.low) / 2
        said += f"; theirs {their_share}; difference {100 * pair.difference.rate:+.2f} ± {100 * half:.2f}"
    mean = sum(float(row[3]) for row in rows.values()) / games
    said += f"; {mean:.2f} ms a game, slowest decision {max(float(row[4]) for row in rows.values()):.0f} ms"
    print(f"{asked.boards.name}, {asked.first_click} {asked.start}, {asked.way}: {said}")


if __name__ == "__main__":
    sys.exit(main())
