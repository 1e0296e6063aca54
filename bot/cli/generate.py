"""`sapper generate`: generate boards with requested properties."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import click

from bot.cli import common_options as shared
from bot.cli.common_options import echo, parse_size, print_json
from bot.show.board_text import ProgressBar
from bot.simulation.boards import (
    BoardRequest,
    GeneratedBoard,
    Range,
    first_click_cell,
    generate,
    parse_board_size,
)
from bot.simulation.simulated_game import Promise
from games.errors import UsageError
from games.external import file_errors
from games.minesweeper.deals import encode_mbf
from strategies import load_strategies

Form = Literal["boards", "text", "mbf"]


@click.command(
    "generate",
    cls=shared.StrategyCommand,
    epilog="Example: sapper generate --level expert --no-guess --games 10 --out mine.boards",
)
@shared.board_options("zero")
@click.option("--games", type=shared.POSITIVE, default=1, metavar="N", help="Number of boards.")
@shared.variant
@click.option("--start", type=shared.CELL, default="r0c0", metavar="CELL", help="First click, such as r3c3.")
@click.option("--no-guess", is_flag=True, help="Certain moves alone win, each with a checked proof.")
@click.option(
    "--needs",
    metavar="STRATEGY",
    help="Certain moves win with this strategy and those before it, but not without it.",
)
@click.option(
    "--bv3", metavar="MIN-MAX", help="3BV (the minimum number of left clicks to win), such as 150-200."
)
@click.option("--openings", metavar="MIN-MAX", help="Number of openings.")
@click.option("--tries", type=shared.POSITIVE, default=20_000, help="Maximum number of deals per board.")
@shared.strategy
@click.option(
    "--form",
    type=click.Choice(["boards", "text", "mbf"]),
    default="boards",
    help="A boards file for `sapper bench`, boards as text, or one MBF file per board (requires --out).",
)
@click.option("--out", type=shared.PATH, metavar="PATH", help="Write to this file; for mbf, to this folder.")
@shared.as_json
def command(  # noqa: PLR0913, PLR0917 - one argument for each option
    level: str | None,
    size: str | None,
    mines: int | None,
    games: int,
    seed: str,
    first_click: Promise,
    variant: str,
    start: str,
    no_guess: bool,
    needs: str | None,
    bv3: str | None,
    openings: str | None,
    tries: int,
    strategies: tuple[str, ...],
    trust: bool,
    form: Form,
    out: Path | None,
    as_json: bool,
) -> int:
    """Generate boards: random, solvable without guessing, or hard for a strategy."""
    columns, rows, total = parse_board_size(level, parse_size(size), mines)
    first = first_click_cell(start, rows, columns, total, first_click, variant) or 0
    request = BoardRequest(
        rows, columns, total, first, first_click, no_guess, needs,
        parse_limits("--bv3", bv3), parse_limits("--openings", openings), tries, variant,
    )  # fmt: skip
    if variant != "plain" and form != "text":
        raise UsageError(f"a {form} file does not name the variant: use --form text")
    if form == "mbf" and out is None:
        raise UsageError("MBF files are binary: name a folder with --out")
    made = islice(generate(request, load_strategies(strategies or None, trust), seed), games)
    boards: list[GeneratedBoard] = []
    with ProgressBar("boards", as_json) as progress:
        for number, board in enumerate(made):
            boards.append(board)
            progress.at(number + 1, games)
            if as_json:
                print_json(board_json(number, board, start))
    head = f"# generated {columns} {rows} {total} first click {first_click} at {start}, seed {seed}"
    if out is not None:
        with file_errors(out, "name another place with --out", UsageError):
            write_boards(boards, form, head, out)
    elif not as_json:
        echo(boards_text(boards, form, head), nl=False)
    return 0


def board_json(number: int, board: GeneratedBoard, start: str) -> dict[str, Any]:
    """The JSON object of a board: rows, figures and certain moves."""
    solved = board.solved
    moves = [each.as_json(solved) for plan in board.plans for each in plan.certain]
    rows = str(solved).splitlines()[-solved.rows :]
    figures = {"game": number, "mines": board.deal.mines, "start": start, "rows": rows, "bv3": board.bv3}
    return figures | {"openings": board.openings, "tried": board.tried, "moves": moves}


def boards_text(boards: Sequence[GeneratedBoard], form: Form, head: str) -> str:
    """The lines of a boards file, or whole boards."""
    if form == "text":
        return "\n".join(f"{head}, 3BV {board.bv3}\n{board.solved}\n" for board in boards)
    lines = (f"{number} {board.deal.line}" for number, board in enumerate(boards))
    return "\n".join([head, *lines, ""])


def write_boards(boards: Sequence[GeneratedBoard], form: Form, head: str, out: Path) -> None:
    """Write one file, or for mbf a folder with one file per board. Raises OSError."""
    if form != "mbf":
        out.write_bytes(boards_text(boards, form, head).encode())
        return
    out.mkdir(parents=True, exist_ok=True)
    for number, board in enumerate(boards):
        data = encode_mbf(board.deal.rows, board.deal.columns, board.mines)
        (out / f"{number:04}.mbf").write_bytes(data)


def parse_limits(option: str, text: str | None) -> Range | None:
    """Parse `150-200`, `150-`, `-200` or `150` as minimum and maximum. Raises UsageError."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{0,6})-(\d{0,6})|(\d{1,6})", text)
    if not match or text == "-":
        raise UsageError(f"invalid {option} '{text}': expected MIN-MAX, such as 150-200")
    low, high = (match[3], match[3]) if match[3] else (match[1], match[2])
    limits = int(low or 0), int(high or 10**6)
    if limits[0] > limits[1]:
        raise UsageError(f"{option} {text}: the minimum exceeds the maximum")
    return limits
