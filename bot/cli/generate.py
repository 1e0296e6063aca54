"""`sapper generate`: deal boards with requested properties."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import click

from bot.cli.common_options import StrategyCommand, as_json, board_options, parse_size, print_json, strategy
from games.errors import UsageError

if TYPE_CHECKING:
    from bot.simulation.boards import GeneratedBoard, Range
    from bot.simulation.simulated_game import Promise


Form = Literal["boards", "text", "mbf"]


@click.command(
    "generate",
    cls=StrategyCommand,
    epilog="Example: sapper generate --level expert --no-guess --games 10 --out mine.boards",
)
@board_options("zero")
@click.option("--games", type=click.IntRange(min=1), default=1, metavar="N", help="Boards to make.")
@click.option("--start", default="r0c0", metavar="CELL", help="The first click, such as r3c3.")
@click.option("--no-guess", is_flag=True, help="Certain moves alone win, each with a checked proof.")
@click.option(
    "--needs",
    metavar="STRATEGY",
    help="No guess, with this strategy and those tried before it; not without it.",
)
@click.option("--bv3", metavar="MIN-MAX", help="The 3BV: the fewest left clicks that win, such as 150-200.")
@click.option("--openings", metavar="MIN-MAX", help="How many openings the board has.")
@click.option("--tries", type=click.IntRange(min=1), default=20_000, help="Boards dealt for one at most.")
@strategy
@click.option(
    "--form",
    type=click.Choice(["boards", "text", "mbf"]),
    default="boards",
    help="A boards file for `sapper bench`, boards as text, or an MBF file each (wants --out).",
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="PATH", help="Write there: a file; for mbf a folder."
)
@as_json
def command(  # noqa: PLR0913, PLR0917 - one argument for each option
    level: str | None,
    size: str | None,
    mines: int | None,
    games: int,
    seed: str,
    first_click: str,
    start: str,
    no_guess: bool,
    needs: str | None,
    bv3: str | None,
    openings: str | None,
    tries: int,
    strategies: tuple[str, ...],
    trust: bool,
    form: str,
    out: Path | None,
    as_json: bool,
) -> int:
    """Make boards: at random, without guesses, with so many openings, or hard for a strategy."""
    from bot.simulation.boards import BoardRequest, first_click_cell, generate, parse_board_size
    from strategies import load_strategies

    columns, rows, total = parse_board_size(level, parse_size(size), mines)
    promise = cast("Promise", first_click)
    first = first_click_cell(start, rows, columns, total, first_click) or 0
    wanted = BoardRequest(
        rows, columns, total, first, promise, no_guess, needs,
        _limits("--bv3", bv3), _limits("--openings", openings), tries,
    )  # fmt: skip
    if form == "mbf" and out is None:
        raise UsageError("MBF files are not for a terminal: name a folder with --out")
    made = islice(generate(wanted, load_strategies(strategies or None, trust), seed), games)
    head = f"# generated {columns} {rows} {total} first click {first_click} at {start}, seed {seed}"
    boards = _reported(made, games, as_json, start)
    if form == "mbf":
        _write_folder(cast("Path", out), boards)
    else:
        text = _text(boards, cast("Form", form), head)
        if out is not None:
            _write(out, text)
        elif not as_json:
            click.echo(text, nl=False)
    return 0


def _reported(
    made: Iterator[GeneratedBoard], games: int, as_json: bool, start: str
) -> Sequence[GeneratedBoard]:
    """All boards, with how far it has come, or a JSON line for each."""
    from bot.show.board_text import ProgressBar

    boards = []
    with ProgressBar("boards", as_json) as progress:
        for number, board in enumerate(made):
            boards.append(board)
            progress.at(number + 1, games)
            if as_json:
                print_json(_figures(number, board, start))
    return boards


def _figures(number: int, board: GeneratedBoard, start: str) -> dict[str, Any]:
    solved = board.solved
    moves = [
        {"cell": solved.name(each.cell), "is": "mine" if each.is_mine else "safe", "rule": each.rule,
         "because": list(each.because)}
        for plan in board.plans
        for each in plan.certain
    ]  # fmt: skip
    rows = str(solved).splitlines()[-solved.rows :]
    figures = {"game": number, "mines": board.deal.mines, "start": start, "rows": rows, "bv3": board.bv3}
    return figures | {"openings": board.openings, "tried": board.tried, "moves": moves}


def _text(boards: Sequence[GeneratedBoard], form: Form, head: str) -> str:
    if form == "boards":
        return (
            "\n".join([head, *(f"{number} {board.deal.line}" for number, board in enumerate(boards))]) + "\n"
        )
    return "\n".join(f"{head}, 3BV {board.bv3}\n{board.solved}\n" for board in boards)


def _write_folder(folder: Path, boards: Sequence[GeneratedBoard]) -> None:
    from games.minesweeper.deals import encode_mbf

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror}: name a folder with --out") from error
    for number, board in enumerate(boards):
        _write(folder / f"{number:04}.mbf", encode_mbf(board.deal.rows, board.deal.columns, board.mines))


def _write(path: Path, content: str | bytes) -> None:
    try:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}: name another place with --out") from error


def _limits(option: str, text: str | None) -> Range | None:
    """`150-200`, `150-` or `-200` as the least and the most. Raises Usage."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{0,6})-(\d{0,6})|(\d{1,6})", text)
    if not match or text == "-":
        raise UsageError(f"{option} {text} says no limits: write the least and the most, such as 150-200")
    least, most = (match[3], match[3]) if match[3] else (match[1], match[2])
    limits = int(least or 0), int(most or 10**6)
    if limits[0] > limits[1]:
        raise UsageError(f"{option} {text}: the least is more than the most")
    return limits
