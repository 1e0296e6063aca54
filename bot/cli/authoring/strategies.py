"""`sapper strategies`: what reasons, where it is from, and what it does on a board."""

from __future__ import annotations

import click

from bot.cli.helping import TakesStrategies
from bot.cli.options import as_json, in_folders, reload, strategy
from games.errors import Usage


@click.command("strategies", cls=TakesStrategies, epilog="Example: sapper strategies --trace board.txt")
@click.argument("names", nargs=-1, metavar="[NAME_OR_FILE...]")
@click.option(
    "--trace",
    "board",
    metavar="BOARD_OR_RECORDING",
    help="Say who is asked on this board, what they answer, how long it takes.",
)
@click.option(
    "--look",
    type=click.IntRange(min=1),
    metavar="N",
    help="Which observation of a recording; its last decision.",
)
@click.option(
    "--pdb", "stops", is_flag=True, help="Stop in your own strategies with Python's debugger (with --trust)."
)
@reload
@strategy
@as_json
def command(
    names: tuple[str, ...],
    board: str | None,
    look: int | None,
    stops: bool,
    reloads: bool,
    strategies: tuple[str, ...],
    trust: bool,
    as_json: bool,
) -> int:
    """List the strategies that can be used by name, in the order in which they are tried by default.

    Those that are named are described with their options. With --trace they decide on a board (a text file, a
    screenshot, - for standard input, or an observation of a recording) instead.
    """
    if names and (board is not None or strategies):
        raise Usage("name those to describe, or those to --trace with --strategy")
    if board is not None:
        from bot.cli.authoring.traced import decision_in, trace
        from bot.cli.reloading import again_and_again
        from strategies import load_strategies

        if stops and as_json:
            raise Usage("--pdb talks with a person and --json does not: leave one of them out")
        if stops and reloads:
            raise Usage("--pdb and --reload wait for different things: leave one of them out")
        decision = decision_in(board, look)

        def run() -> dict[str, str]:
            return trace(decision, load_strategies(strategies or None, trust), as_json)

        if stops:
            from bot.cli.authoring.debugged import debug

            chosen = load_strategies(strategies or None, trust=True)
            debug(chosen, lambda: trace(decision, chosen, as_json, shrinks=False))
        elif reloads:
            again_and_again(strategies, run, as_json)
        else:
            run()
    elif strategies or look or stops or reloads:
        raise Usage("--strategy, --look, --pdb and --reload say how to --trace: name a board with it")
    else:
        from bot.cli.authoring.listed import list_all, show

        folders = click.get_current_context().params["folders"]
        if names:
            show([in_folders(name, folders) for name in names], trust, as_json)
        else:
            list_all(folders, trust, as_json)
    return 0
