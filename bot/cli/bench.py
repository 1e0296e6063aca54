"""`sapper bench`: play simulated boards, count wins, compute exact win rates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from bot.cli.common_options import (
    StrategyCommand,
    as_json,
    board_options,
    observer,
    parse_size,
    print_json,
    print_status,
    reload,
    strategy,
)
from bot.cli.status import rerun_on_change
from bot.game.observer_listener import open_observers
from games.errors import InvalidFile, UsageError

if TYPE_CHECKING:
    from bot.simulation.boards import BoardSet
    from bot.simulation.simulated_game import GameStart, Promise, StrategySet
    from bot.simulation.tournament import BenchSummary, PairedComparison
    from bot.simulation.workers import Workers


GAMES = 1000  # default number of games


@click.command(
    "bench", cls=StrategyCommand, epilog="Example: sapper bench --level beginner --games 200 --jobs 2"
)
@board_options("safe")
@click.option(
    "--boards", type=click.Path(path_type=Path), metavar="FILE", help="Play the boards of a boards file."
)
@click.option("--variant", default="plain", metavar="NAME", help="Variant of the rules, such as quad.")
@click.option("--start", metavar="CELL", help="First click of every game, such as r0c0.")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of games; default 1000, or all games of a boards file.",
)
@strategy
@observer
@reload
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
    "--out",
    type=click.Path(path_type=Path),
    metavar="CSV",
    help="Write one line per game; an existing file is continued.",
)
@as_json
def command(  # noqa: PLR0913, PLR0917 - one argument for each option
    level: str | None,
    size: str | None,
    mines: int | None,
    boards: Path | None,
    variant: str,
    seed: str,
    first_click: str,
    start: str | None,
    games: int | None,
    strategies: tuple[str, ...],
    trust: bool,
    observers: tuple[str, ...],
    reloads: bool,
    against: tuple[str, ...],
    jobs: int | None,
    dask: str | None,
    exact: str | None,
    out: Path | None,
    as_json: bool,
) -> int:
    """Play simulated boards and count wins, with 95 % confidence intervals and CPU time."""
    from bot.simulation.boards import first_click_cell
    from bot.simulation.simulated_game import GameStart, StrategySet
    from bot.simulation.tournament import PairedComparison, run_bench

    promise = cast("Promise", first_click)
    if exact:
        others = (level, size, boards, games, against, jobs, dask, out, observers, reloads)
        if mines is not None or any(others):
            raise UsageError(
                "too many options for --exact: use only --variant, --first-click, --start, --strategy, "
                "--trust and --json"
            )
        lineup = StrategySet.of(strategies or None, trust)
        return _exact(exact, variant, promise, start, lineup, as_json)
    if observers and (dask or (jobs and jobs > 1)):
        raise UsageError("--observer requires a single process: leave out --jobs and --dask")
    course = _board_set(level, size, mines, boards, seed, games, variant)
    cell = first_click_cell(start, course.rows, course.columns, course.mines, first_click, variant)
    opening = GameStart(promise, cell)
    opponent = _opponent(against, course, opening, trust)
    if reloads and (out or jobs or dask):
        raise UsageError("--reload excludes --out, --jobs and --dask: leave them out")

    def run() -> Mapping[str, str]:
        lineup = StrategySet.of(strategies or None, trust)
        with ExitStack() as stack:
            workers = _workers(stack, jobs, dask)
            watching = stack.enter_context(open_observers(observers, trust)) if observers else None
            ours = run_bench(course, opening, lineup, workers, out, print_status, as_json, watching)
            theirs, wins = None, opponent
            if isinstance(opponent, StrategySet):
                place = out.with_name(f"{out.stem}.against{out.suffix}") if out else None
                theirs = run_bench(course, opening, opponent, workers, place, print_status, as_json)
                wins = theirs.wins
        paired = PairedComparison.of(ours.wins, wins) if isinstance(wins, Mapping) else None
        if as_json:
            print_json(ours.as_json() | _paired_json(paired, theirs))
            return ours.outcomes
        where = f" at {start}" if start else ""
        click.echo(f"{course.name}, first click {first_click}{where}, {course.boards}")
        _print(lineup, ours)
        if theirs and isinstance(opponent, StrategySet):
            _print(opponent, theirs)
        if paired:
            name = str(opponent) if isinstance(opponent, StrategySet) else against[0]
            click.echo(_paired_text(paired, name))
        return ours.outcomes

    if reloads:
        rerun_on_change(strategies, run, as_json)
    else:
        run()
    return 0


def _board_set(
    level: str | None,
    size: str | None,
    mines: int | None,
    boards: Path | None,
    seed: str,
    games: int | None,
    variant: str,
) -> BoardSet:
    """The boards that the words ask for; Expert when they ask for none. Raises Usage."""
    from bot.simulation.boards import BoardSet, parse_board_size

    if sum((level is not None, size is not None or mines is not None, boards is not None)) > 1:
        raise UsageError("several boards named: use one of --level, --size with --mines, and --boards")
    if boards is not None and variant != "plain":
        raise UsageError("--boards contains boards of the plain rules: leave out --variant")
    if boards is not None:
        return BoardSet.load(boards, games)
    columns, rows, total = parse_board_size(level, parse_size(size), mines)
    return BoardSet.random((columns, rows), total, seed, games or GAMES, variant)


def _opponent(
    against: tuple[str, ...], course: BoardSet, opening: GameStart, trust: bool
) -> StrategySet | Mapping[int, bool] | None:
    """The opponent: strategies, or the wins of a table. Raises UsageError, InvalidFile."""
    from bot.simulation.simulated_game import StrategySet, is_path
    from bot.simulation.tournament import read_run, read_wins

    tables = [
        name for name in against if name.endswith(".csv") or (Path(name).is_file() and not is_path(name))
    ]
    if not tables:
        return StrategySet.of(against, trust) if against else None
    if len(against) > 1:
        raise UsageError("several values for --against: name one table, or strategies in the order of trial")
    path = Path(tables[0])
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
    """Open the workers. Raises UsageError, MissingRequirement."""
    from bot.simulation.workers import InlineWorkers, ProcessWorkers, dask_workers

    if dask is not None and jobs is not None:
        raise UsageError("--jobs and --dask exclude each other: leave one of them out")
    if dask is not None:
        return stack.enter_context(dask_workers(dask))
    return ProcessWorkers(jobs) if jobs and jobs > 1 else InlineWorkers()


def _print(lineup: StrategySet, did: BenchSummary) -> None:
    click.echo(f"{lineup}:")
    click.echo(f"  {did.won} of {did.games} games won: {did.rate}, 95 % interval")
    click.echo(
        f"  {did.ms_per_game:.2f} ms CPU a game, {did.decisions:.1f} decisions, {did.guesses:.2f} guesses; "
        f"slowest decision {did.slowest_move_ms:.1f} ms"
    )


def _paired_text(paired: PairedComparison, opponent: str) -> str:
    return (
        f"against {opponent}: {paired.difference}, 95 % interval; of {paired.games} games "
        f"{paired.only_ours} won here only, {paired.only_theirs} there only"
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


def _exact(
    text: str, variant: str, first_click: Promise, start: str | None, lineup: StrategySet, as_json: bool
) -> int:
    """Print the exact win rate of the strategies on a small board. Raises UsageError."""
    from bot.show.board_text import ProgressBar
    from bot.simulation.boards import first_click_cell, parse_board_size
    from bot.simulation.exact import exact_value
    from bot.simulation.simulated_game import GameStart
    from games.minesweeper import Board

    match = re.fullmatch(r"(\d{1,4}x\d{1,4})/(\d{1,6})", text)
    if not match:
        raise UsageError(f"invalid board '{text}': expected COLUMNSxROWS/MINES, such as 5x5/4")
    columns, rows = parse_size(match[1]) or (0, 0)
    columns, rows, mines = parse_board_size(None, (columns, rows), int(match[2]))
    cell = first_click_cell(start, rows, columns, mines, first_click, variant)
    board = Board.fresh(rows, columns, mines, variant)
    with ProgressBar("layouts", as_json) as progress:
        found = exact_value(lineup.load(), board, GameStart(first_click, cell), progress.at)
    for fault in found.faults:
        print_status(fault)
    first = board.name(found.first)
    if as_json:
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
        return 0
    click.echo(f"{text}, first click {first_click} at {first}: {lineup}")
    click.echo(
        f"  {found.won} of {found.layouts} layouts won: {found.value} = {float(100 * found.value):.4f} %"
    )
    click.echo(f"  {found.positions} positions decided in {found.seconds:.1f} s CPU")
    return 0
