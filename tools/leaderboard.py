"""Writes docs/leaderboard.md: every guess strategy on the three levels and on small boards, side by side.

    python tools/leaderboard.py --games 1000 --jobs 2

What has been played is kept in `--tables` and not played again: a run that is stopped goes on where it was,
and more games are added to those that are there. Changed reasoning starts again, in a folder of its own.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType

from bot.show.board_text import ProgressBar
from bot.simulation.boards import BoardSet
from bot.simulation.exact import exact_value
from bot.simulation.simulated_game import GameStart, Promise, StrategySet
from bot.simulation.tournament import BenchSummary, PairedComparison, run_bench
from bot.simulation.workers import InlineWorkers, ProcessWorkers, Workers
from games.minesweeper import LEVELS, Board
from strategies import BUILT_IN, DEFAULT_ORDER, load_strategy

HOUSE = Path(__file__).resolve().parents[1]
CONVENTIONS: tuple[Promise, ...] = ("safe", "zero")
# board (columns, rows, mines), safe start -> what perfect play wins of its layouts, by exhaustive game tree
OPTIMUM: Mapping[tuple[int, int, int], Fraction] = MappingProxyType(
    {
        (4, 4, 4): Fraction(961, 1365),
        (5, 4, 4): Fraction(2950, 3876),
        (5, 5, 3): Fraction(1798, 2024),
        (5, 5, 4): Fraction(8236, 10626),
        (6, 4, 4): Fraction(7788, 8855),
    }
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the person wants: how many games of each kind, how many processes, where tables are kept."""

    games: int
    workers: Workers
    tables: Path


def main() -> None:
    """Play what is missing, then write the page."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--games", type=int, default=1000, help="of each strategy, level and convention")
    words.add_argument("--jobs", type=int, default=2)
    words.add_argument("--tables", type=Path, help="where what has been played is kept")
    words.add_argument("--page", type=Path, default=HOUSE / "docs" / "leaderboard.md")
    given = words.parse_args()
    tables = given.tables or HOUSE / "build" / "leaderboard" / code_digest()
    tables.mkdir(parents=True, exist_ok=True)
    workers = ProcessWorkers(given.jobs) if given.jobs > 1 else InlineWorkers()
    asked = Asked(given.games, workers, tables)
    given.page.write_text("\n".join(page(asked)) + "\n", encoding="utf-8")


def page(asked: Asked) -> Iterator[str]:
    """The lines of the page."""
    names = guessers()
    yield from (
        "# Leaderboard",
        "",
        "Made by `make leaderboard`; do not edit. [Benchmarks](bench.md) says how it is measured.",
        "",
        f"Each guess strategy stands behind the same deducing ones: {', '.join(deducers())}.",
        f"{asked.games} games of each kind, on the same boards for all of them; each chooses its first cell.",
        "In brackets: the 95 % interval. Against the default: game by game. Cost: CPU of the player.",
    )
    for first_click in CONVENTIONS:
        yield from ("", f"## First click {first_click}", "")
        yield from level_table(asked, names, first_click)
    yield from ("", "## Small boards, exactly", "")
    yield from exact_table(asked, names)


def level_table(asked: Asked, names: tuple[str, ...], first_click: Promise) -> Iterator[str]:
    """A line for each strategy: its rates, what a game costs, and how it compares with the default."""
    default = next(name for name in DEFAULT_ORDER if name in names)
    played = {(name, level): play(asked, name, level, first_click) for name in names for level in LEVELS}
    levels = " | ".join(map(str.capitalize, LEVELS))
    yield f"| strategy | {levels} | Expert against `{default}` | Expert game |"
    yield "|---" * (len(LEVELS) + 3) + "|"
    for name in names:
        cells = [str(played[name, level].rate) for level in LEVELS]
        expert = played[name, "expert"]
        paired = PairedComparison.of(expert.wins, played[default, "expert"].wins).difference
        gain = str(paired) if name != default else "-"
        cost = f"{expert.ms_per_game:.1f} ms, {expert.guesses:.1f} guesses"
        yield f"| `{name}` | {' | '.join(cells)} | {gain} | {cost} |"


def exact_table(asked: Asked, names: tuple[str, ...]) -> Iterator[str]:
    """A line for each strategy: the exact share of layouts that it wins, beside the optimum."""
    yield "Every layout played, first click safe. The optimum: perfect play from the best first cell."
    yield ""
    yield f"| strategy | {' | '.join(board_name(board) for board in OPTIMUM)} |"
    yield "|---" * (len(OPTIMUM) + 1) + "|"
    for name in names:
        values = [float(exact(asked, name, board)) for board in OPTIMUM]
        yield f"| `{name}` | {' | '.join(f'{100 * value:.3f} %' for value in values)} |"
    yield f"| *optimum* | {' | '.join(f'{float(100 * best):.3f} %' for best in OPTIMUM.values())} |"


def play(asked: Asked, name: str, level: str, first_click: Promise) -> BenchSummary:
    """The games of one strategy on one level, those that are missing played now."""
    rows, columns, mines = LEVELS[level]
    course = BoardSet.random((columns, rows), mines, "leaderboard", asked.games)
    out = asked.tables / f"{name}-{level}-{first_click}.csv"
    print(f"{name}, {level}, {first_click}", file=sys.stderr, flush=True)
    return run_bench(course, GameStart(first_click), lineup_of(name), asked.workers, out, print, quiet=False)


def exact(asked: Asked, name: str, board: tuple[int, int, int]) -> Fraction:
    """What one strategy is worth on a small board; kept, since it is the same every time."""
    kept = asked.tables / f"{name}-{board_name(board).replace('/', '-')}.json"
    if not kept.exists():
        print(f"{name}, {board_name(board)}", file=sys.stderr, flush=True)
        columns, rows, mines = board
        with ProgressBar("layouts") as progress:
            found = exact_value(
                lineup_of(name).load(), Board.fresh(rows, columns, mines), GameStart("safe"), progress.at
            )
        kept.write_text(json.dumps({"value": str(found.value)}) + "\n", encoding="utf-8")
    return Fraction(json.loads(kept.read_text(encoding="utf-8"))["value"])


def guessers() -> tuple[str, ...]:
    """The built-in strategies that guess."""
    return tuple(name for name in BUILT_IN if load_strategy(name).has_guess)


def deducers() -> tuple[str, ...]:
    """The deducing strategies of the default order, behind which each guesser is put."""
    return tuple(name for name in DEFAULT_ORDER if name not in guessers())


def lineup_of(name: str) -> StrategySet:
    """A guesser behind the deducing strategies of the default order."""
    return StrategySet.of([*deducers(), name])


def board_name(board: tuple[int, int, int]) -> str:
    """`5x5/4`."""
    return f"{board[0]}x{board[1]}/{board[2]}"


def code_digest() -> str:
    """The same as long as nothing changes in what reasons and what deals."""
    digest = hashlib.sha256()
    for path in sorted(
        [
            *(HOUSE / "games").rglob("*.py"),
            *(HOUSE / "strategies").rglob("*.py"),
            HOUSE / "bot/game/plan.py",
        ]
    ):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


if __name__ == "__main__":
    main()
