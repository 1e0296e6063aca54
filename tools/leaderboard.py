"""Write docs/results/leaderboard.md: every guessing strategy on the three levels and on small boards.

    python tools/leaderboard.py --games 1000 --jobs 2

Results are stored in `--tables`: an interrupted run continues, and a larger `--games` adds games. Changed
reasoning code starts a new folder.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType

from bot.simulation import (
    Course,
    Lineup,
    Opening,
    Paired,
    Processes,
    Promise,
    Summary,
    ThisProcess,
    Workers,
    exact_value,
    play_course,
)
from bot.terminal import RunProgress
from games.minesweeper import LEVELS, Board
from strategies import BUILT_IN, DEFAULT_ORDER, load_strategy

HOUSE = Path(__file__).resolve().parents[1]
CONVENTIONS: tuple[Promise, ...] = ("safe", "zero")
# board (columns, rows, mines), safe start -> fraction of layouts won by perfect play (exhaustive game tree)
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
    """Games of each kind, workers, and the folder of the tables."""

    games: int
    workers: Workers
    tables: Path


def main() -> None:
    """Play the missing games, then write the page."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--games", type=int, default=1000, help="of each strategy, level and convention")
    words.add_argument("--jobs", type=int, default=2)
    words.add_argument("--tables", type=Path, help="folder of the stored results")
    words.add_argument("--page", type=Path, default=HOUSE / "docs" / "results" / "leaderboard.md")
    given = words.parse_args()
    tables = given.tables or HOUSE / "build" / "leaderboard" / code_digest()
    tables.mkdir(parents=True, exist_ok=True)
    workers = Processes(given.jobs) if given.jobs > 1 else ThisProcess()
    asked = Asked(given.games, workers, tables)
    given.page.write_text("\n".join(page(asked)) + "\n", encoding="utf-8")


def page(asked: Asked) -> Iterator[str]:
    """The lines of the page."""
    names = guessers()
    yield from (
        "# Results: leaderboard",
        "",
        "Made by `make leaderboard`; do not edit.",
        "[Measure win rates](../howto/bench.md) describes the measurement.",
        "",
        f"{datetime.now(UTC).date()}. {asked.games} games of each kind. Every strategy plays the same boards",
        f"with its own first cell and follows the same deducing ones ({', '.join(deducers())}).",
        "Brackets: 95 % interval. Difference: game by game. Cost: processor time of the player.",
    )
    for first_click in CONVENTIONS:
        yield from ("", f"## First click {first_click}", "")
        yield from level_table(asked, names, first_click)
    yield from ("", "## Small boards, exactly", "")
    yield from exact_table(asked, names)


def level_table(asked: Asked, names: tuple[str, ...], first_click: Promise) -> Iterator[str]:
    """One row per strategy: win rates, difference from the default, cost of a game."""
    default = next(name for name in DEFAULT_ORDER if name in names)
    played = {(name, level): play(asked, name, level, first_click) for name in names for level in LEVELS}
    levels = " | ".join(map(str.capitalize, LEVELS))
    yield f"| strategy | {levels} | Expert against `{default}` | Expert game |"
    yield "|---" * (len(LEVELS) + 3) + "|"
    for name in names:
        cells = [str(played[name, level].rate) for level in LEVELS]
        expert = played[name, "expert"]
        paired = Paired.of(expert.wins, played[default, "expert"].wins).difference
        gain = str(paired) if name != default else "-"
        cost = f"{expert.ms_per_game:.1f} ms, {expert.guesses:.1f} guesses"
        yield f"| `{name}` | {' | '.join(cells)} | {gain} | {cost} |"


def exact_table(asked: Asked, names: tuple[str, ...]) -> Iterator[str]:
    """One row per strategy: the exact fraction of layouts it wins; the last row is the optimum."""
    yield "All layouts, first click safe. The optimum is perfect play from the best first cell."
    yield ""
    yield f"| strategy | {' | '.join(board_name(board) for board in OPTIMUM)} |"
    yield "|---" * (len(OPTIMUM) + 1) + "|"
    for name in names:
        values = [float(exact(asked, name, board)) for board in OPTIMUM]
        yield f"| `{name}` | {' | '.join(f'{100 * value:.3f} %' for value in values)} |"
    yield f"| *optimum* | {' | '.join(f'{float(100 * best):.3f} %' for best in OPTIMUM.values())} |"


def play(asked: Asked, name: str, level: str, first_click: Promise) -> Summary:
    """The games of one strategy on one level; plays the missing ones."""
    rows, columns, mines = LEVELS[level]
    course = Course.random((columns, rows), mines, "leaderboard", asked.games)
    out = asked.tables / f"{name}-{level}-{first_click}.csv"
    print(f"{name}, {level}, {first_click}", file=sys.stderr, flush=True)
    return play_course(course, Opening(first_click), lineup_of(name), asked.workers, out, print, quiet=False)


def exact(asked: Asked, name: str, board: tuple[int, int, int]) -> Fraction:
    """The exact value of one strategy on a small board, stored after the first run."""
    kept = asked.tables / f"{name}-{board_name(board).replace('/', '-')}.json"
    if not kept.exists():
        print(f"{name}, {board_name(board)}", file=sys.stderr, flush=True)
        columns, rows, mines = board
        with RunProgress("layouts") as progress:
            found = exact_value(
                lineup_of(name).load(), Board.fresh(rows, columns, mines), Opening("safe"), progress.at
            )
        kept.write_text(json.dumps({"value": str(found.value)}) + "\n", encoding="utf-8")
    return Fraction(json.loads(kept.read_text(encoding="utf-8"))["value"])


def guessers() -> tuple[str, ...]:
    """Names of the built-in guessing strategies."""
    return tuple(name for name in BUILT_IN if load_strategy(name).has_guess)


def deducers() -> tuple[str, ...]:
    """Names of the deducing strategies of the default order."""
    return tuple(name for name in DEFAULT_ORDER if name not in guessers())


def lineup_of(name: str) -> Lineup:
    """The deducing strategies of the default order, then this guesser."""
    return Lineup.of([*deducers(), name])


def board_name(board: tuple[int, int, int]) -> str:
    """`5x5/4`."""
    return f"{board[0]}x{board[1]}/{board[2]}"


def code_digest() -> str:
    """Digest of the reasoning and dealing code."""
    digest = hashlib.sha256()
    for path in sorted(
        [
            *(HOUSE / "games").rglob("*.py"),
            *(HOUSE / "strategies").rglob("*.py"),
            HOUSE / "bot/loop/planning/planner.py",
        ]
    ):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


if __name__ == "__main__":
    main()
