"""`sapper strategies`: what reasons, where it is from, and what it does on a board."""

from __future__ import annotations

import click

from bot.cli.options import as_json, print_json, strategy
from games.errors import SapperError, Usage


@click.command("strategies", epilog="Example: sapper strategies --trace board.txt")
@click.option(
    "--trace",
    "board",
    metavar="BOARD_OR_RECORDING",
    help="Say who is asked on this board, what they answer, how long it takes.",
)
@click.option(
    "--look", type=click.IntRange(min=1), metavar="N", help="Which look of a recording; its last decision."
)
@click.option(
    "--pdb", "stops", is_flag=True, help="Stop in your own strategies with Python's debugger (with --trust)."
)
@strategy
@as_json
def command(
    board: str | None,
    look: int | None,
    stops: bool,
    strategies: tuple[str, ...],
    trust: bool,
    as_json: bool,
) -> int:
    """List the strategies that are installed, in the order in which they are tried by default.

    With --trace they decide on a board (a text file, a screenshot, - for standard input, or a look of a
    recording) instead.
    """
    if board is not None:
        from bot.cli.traced import decision_in, trace
        from strategies import load_strategies

        if stops and as_json:
            raise Usage("--pdb talks with a person and --json does not: leave one of them out")
        chosen = load_strategies(strategies or None, trust or stops)
        decision = decision_in(board, look)
        if stops:
            from bot.cli.debugged import debug

            debug(chosen, lambda: trace(decision, chosen, as_json, shrinks=False))
        else:
            trace(decision, chosen, as_json)
    elif strategies or look or stops:
        raise Usage("--strategy, --look and --pdb say how to --trace: name a board with it, or a recording")
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
