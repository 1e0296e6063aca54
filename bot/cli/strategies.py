"""`sapper strategies`: what reasons, where it is from, and what it does on a board."""

from __future__ import annotations

import click

from bot.cli.boards import read_board
from bot.cli.options import as_json, print_json, strategy
from games.errors import SapperError, Usage


@click.command("strategies", epilog="Example: sapper strategies --trace board.txt")
@click.option(
    "--trace",
    "board",
    metavar="BOARD",
    help="Say who is asked on this board, what they answer, how long it takes.",
)
@strategy
@as_json
def command(board: str | None, strategies: tuple[str, ...], trust: bool, as_json: bool) -> int:
    """List the strategies that are installed, in the order in which they are tried by default.

    With --trace they reason on a board (a text file, a screenshot, or - for standard input) instead.
    """
    if board is not None:
        from bot.cli.traced import need_reasoning, trace
        from strategies import load_strategies

        chosen = load_strategies(strategies or None, trust)
        trace(need_reasoning(read_board(board), board), chosen, as_json)
    elif strategies:
        raise Usage("--strategy says whom to --trace: name a board with it")
    else:
        _list(trust, as_json)
    return 0


def _list(trust: bool, as_json: bool) -> None:
    from strategies import DEFAULT_ORDER, available, load_strategy

    for name, origin in available():
        try:
            strategy = load_strategy(name, trust)
            does = " and ".join(
                word
                for word, has in (("deduces", strategy.has_deduce), ("guesses", strategy.has_guess))
                if has
            )
            about = strategy.fault or strategy.about
        except SapperError as error:
            does, about = "", f"cannot be loaded: {error}"
        if as_json:
            is_default = name in DEFAULT_ORDER
            print_json(
                {"strategy": name, "origin": origin, "does": does, "about": about, "default": is_default}
            )
        else:
            asked = "" if name in DEFAULT_ORDER else ", only with --strategy"
            click.echo(f"{name:20} {does:8} {origin}{asked}\n{'':20} {about}")
