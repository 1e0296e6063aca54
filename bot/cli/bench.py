"""`sapper bench`: play simulated boards, count wins, compute exact win rates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import click

from bot.cli import common_options as shared
from bot.cli.common_options import echo, parse_size, print_json, print_status
from bot.cli.status import rerun_on_change
from bot.game.observer_listener import open_observers
from bot.show.board_text import ProgressBar
from bot.simulation.boards import BoardSet, first_click_cell, parse_board_size
from bot.simulation.exact import exact_value
from bot.simulation.simulated_game import GameStart, Promise, StrategySet, is_path
from bot.simulation.tournament import BenchSummary, PairedComparison, read_run, read_wins, run_bench
from bot.simulation.workers import InlineWorkers, ProcessWorkers, Workers, dask_workers
from games.errors import InvalidFile, UsageError
from games.minesweeper import Board

GAMES = 1000  # default number of games


@dataclass(frozen=True)
class BenchOptions:
    """One field for each option of `sapper bench`."""

    level: str | None
    size: str | None
    mines: int | None
    boards: Path | None
    variant: str
    seed: str
    first_click: Promise
    start: str | None
    games: int | None
    strategies: tuple[str, ...]
    trust: bool
    observers: tuple[str, ...]
    reloads: bool
    against: tuple[str, ...]
    jobs: int | None
    dask: str | None
    exact: str | None
    out: Path | None
    as_json: bool


@click.command(
    "bench", cls=shared.StrategyCommand, epilog="Example: sapper bench --level beginner --games 200 --jobs 2"
)
@shared.board_options("safe")
@click.option("--boards", type=shared.PATH, metavar="FILE", help="Play the boards of a boards file.")
@shared.variant
@click.option("--start", type=shared.CELL, metavar="CELL", help="First click of every game, such as r0c0.")
@click.option(
    "--games", type=shared.POSITIVE, metavar="N", help="Number of games; default 1000, or all of --boards."
)
@shared.strategy
@shared.observer
@shared.reload
@click.option(
    "--against",
    multiple=True,
    metavar="CSV_OR_STRATEGY",
    help="Compare game by game with a CSV table of results, or with strategies on the same boards.",
)
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Number of processes.")
@click.option("--dask", metavar="ADDRESS", help="Play on the workers of this Dask cluster.")
@click.option("--exact", metavar="WxH/M", help="Play every layout of a small board, such as 5x5/4.")
@click.option(
    "--out", type=shared.PATH, metavar="CSV", help="Write one line per game; an existing file is continued."
)
@shared.as_json
def command(**given: Any) -> int:
    """Play simulated boards and count wins, with 95 % confidence intervals and CPU time."""
    asked = BenchOptions(**given)
    if asked.exact:
        _print_exact(asked, asked.exact)
        return 0
    if asked.observers and (asked.dask or (asked.jobs or 1) > 1):
        raise UsageError("--observer requires a single process: leave out --jobs and --dask")
    course = _board_set(asked)
    cell = first_click_cell(
        asked.start, course.rows, course.columns, course.mines, asked.first_click, asked.variant
    )
    opening = GameStart(asked.first_click, cell)
    opponent = _opponent(asked.against, course, opening, asked.trust)
    if asked.reloads and (asked.out or asked.jobs or asked.dask):
        raise UsageError("--reload excludes --out, --jobs and --dask: leave them out")

    def run() -> Mapping[str, str]:
        lineup = StrategySet.of(asked.strategies or None, asked.trust)
        out, quiet = asked.out, asked.as_json
        theirs = None
        with ExitStack() as stack:
            workers = _workers(stack, asked.jobs, asked.dask)
            watching = (
                stack.enter_context(open_observers(asked.observers, asked.trust)) if asked.observers else None
            )
            ours = run_bench(course, opening, lineup, workers, out, print_status, quiet, watching)
            if isinstance(opponent, StrategySet):
                place = out.with_name(f"{out.stem}.against{out.suffix}") if out else None
                theirs = run_bench(course, opening, opponent, workers, place, print_status, quiet)
        wins = theirs.wins if theirs else opponent
        paired = PairedComparison.of(ours.wins, wins) if isinstance(wins, Mapping) else None
        if asked.as_json:
            print_json(ours.as_json() | _paired_json(paired, theirs))
            return ours.outcomes
        where = f" at {asked.start}" if asked.start else ""
        origin = course.boards.removeprefix(course.name).strip()
        echo(f"{course.name}, first click {asked.first_click}{where}, {origin}")
        _print(lineup, ours)
        if isinstance(opponent, StrategySet) and theirs:
            _print(opponent, theirs)
        if paired:
            name = str(opponent) if isinstance(opponent, StrategySet) else asked.against[0]
            echo(
                f"against {name}: {paired.difference}, 95 % interval; of {paired.games} games "
                f"{paired.only_ours} won only by the first, {paired.only_theirs} only by the second"
            )
        return ours.outcomes

    if asked.reloads:
        rerun_on_change(asked.strategies, run, asked.as_json)
    else:
        run()
    return 0


def _board_set(asked: BenchOptions) -> BoardSet:
    """The requested boards; Expert by default. Raises UsageError, InvalidFile."""
    has_size = asked.size is not None or asked.mines is not None
    if sum((asked.level is not None, has_size, asked.boards is not None)) > 1:
        raise UsageError("several boards named: use one of --level, --size with --mines, and --boards")
    if asked.boards is not None:
        if asked.variant != "plain":
            raise UsageError("--boards contains boards of the plain rules: leave out --variant")
        return BoardSet.load(asked.boards, asked.games)
    columns, rows, total = parse_board_size(asked.level, parse_size(asked.size), asked.mines)
    return BoardSet.random((columns, rows), total, asked.seed, asked.games or GAMES, asked.variant)


def _opponent(
    against: tuple[str, ...], course: BoardSet, opening: GameStart, trust: bool
) -> StrategySet | Mapping[int, bool] | None:
    """The opponent: strategies, or the wins of a table. Raises UsageError, InvalidFile."""
    is_table = [name.endswith(".csv") or (Path(name).is_file() and not is_path(name)) for name in against]
    if not any(is_table):
        return StrategySet.of(against, trust) if against else None
    if len(against) > 1:
        raise UsageError("several values for --against: name one table, or strategies in the order of trial")
    path = Path(against[0])
    wins = read_wins(path)
    known = read_run(path)
    if known is not None:
        was = cast("Mapping[str, object]", known["run"])
        if (was.get("boards"), was.get("first_click")) != (course.boards, opening.first_click):
            raise InvalidFile(
                f"{path}: other boards ({was.get('boards')}, first click {was.get('first_click')}): "
                "compare games on the same boards"
            )
    if not wins.keys() & course.deals.keys():
        raise InvalidFile(f"{path}: no game in common with this run: compare the same games")
    return wins


def _workers(stack: ExitStack, jobs: int | None, dask: str | None) -> Workers:
    if dask is not None and jobs is not None:
        raise UsageError("--jobs and --dask exclude each other: leave one of them out")
    if dask is not None:
        return stack.enter_context(dask_workers(dask))
    return ProcessWorkers(jobs) if jobs and jobs > 1 else InlineWorkers()


def _print(lineup: StrategySet, summary: BenchSummary) -> None:
    echo(f"{lineup}:")
    echo(f"  {summary.won} of {summary.games} games won: {summary.rate}, 95 % interval")
    echo(
        f"  {summary.ms_per_game:.2f} ms CPU a game, {summary.decisions:.1f} decisions, "
        f"{summary.guesses:.2f} guesses; slowest decision {summary.slowest_move_ms:.1f} ms"
    )


def _paired_json(paired: PairedComparison | None, theirs: BenchSummary | None) -> dict[str, Any]:
    if paired is None:
        return {}
    found = {
        "paired": paired.games,
        "only_here": paired.only_ours,
        "only_there": paired.only_theirs,
        "difference": paired.difference.rate,
        "difference_low": paired.difference.low,
        "difference_high": paired.difference.high,
    }
    return found | ({"against": theirs.as_json()} if theirs else {})


def _print_exact(asked: BenchOptions, text: str) -> None:
    """Print the exact win rate of the strategies on a small board. Raises UsageError."""
    others = (
        *(asked.level, asked.size, asked.boards, asked.games, asked.against, asked.jobs, asked.dask),
        *(asked.out, asked.observers, asked.reloads, asked.mines is not None),
    )
    if any(others):
        raise UsageError(
            "too many options for --exact: use only --variant, --first-click, --start, --strategy, --trust "
            "and --json"
        )
    lineup = StrategySet.of(asked.strategies or None, asked.trust)
    match = re.fullmatch(r"(\d{1,4}x\d{1,4})/(\d{1,6})", text)
    if not match:
        raise UsageError(f"invalid board '{text}': expected COLUMNSxROWS/MINES, such as 5x5/4")
    columns, rows, mines = parse_board_size(None, parse_size(match[1]), int(match[2]))
    cell = first_click_cell(asked.start, rows, columns, mines, asked.first_click, asked.variant)
    board = Board.fresh(rows, columns, mines, asked.variant)
    with ProgressBar("layouts", asked.as_json) as progress:
        found = exact_value(lineup.load(), board, GameStart(asked.first_click, cell), progress.at)
    for fault in found.faults:
        print_status(fault)
    first = board.name(found.first)
    if asked.as_json:
        print_json(
            {
                "value": str(found.value),
                "rate": float(found.value),
                "won": found.won,
                "layouts": found.layouts,
                "start": first,
                "positions": found.positions,
                "seconds": round(found.seconds, 4),
                "slowest_move_ms": round(1000 * found.slowest, 3),
            }
        )
        return
    echo(
        f"{text}, first click {asked.first_click} at {first}: {lineup}\n"
        f"  {found.won} of {found.layouts} layouts won: {found.value} = {float(100 * found.value):.4f} %\n"
        f"  {found.positions} positions decided in {found.seconds:.1f} s CPU"
    )
