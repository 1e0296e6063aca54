"""`sapper play`: find a board on the screen and play it."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.compiling import report_what_is_left
from bot.cli.helping import TakesStrategies
from bot.cli.options import as_json, backend, observer, print_json, promise, skin, strategy, window

if TYPE_CHECKING:
    from bot.loop import Plan
    from games.minesweeper import Board


@click.command(
    "play", cls=TakesStrategies, epilog="Example: sapper play --program xdemineur --size 30x16 --mines 99"
)
@click.option("--program", metavar="NAME", help="Start this known program first (or the TOML file of one).")
@click.option("--virtual", is_flag=True, help="Play on a virtual screen; the default without a display.")
@click.option("--screen", default="1280x900", metavar="WxH", help="Size of the virtual screen, pixels.")
@click.option("--size", metavar="WxH", help="Columns x rows of the board.")
@click.option("--mines", type=click.IntRange(min=1), help="The mine total.")
@promise
@click.option("--games", default=1, type=click.IntRange(min=1), help="Games to play, one after the other.")
@backend
@strategy
@observer
@click.option(
    "--flags",
    type=click.Choice(["none", "needed", "all"]),
    default="needed",
    help="Where to set flags; needed: only where a win or a chord wants them.",
)
@skin
@click.option(
    "--skins",
    "skins_folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Know only the skins in this folder, and keep those that are learned there.",
)
@click.option("--record", type=click.Path(path_type=Path), metavar="DIR", help="Record every game there.")
@window
@click.option("--yes", is_flag=True, help="Agree to the first click on an appearance that was never learned.")
@click.option("--dry-run", is_flag=True, help="Show the moves and click nothing.")
@click.option(
    "--delay", default=0.0, type=click.FloatRange(min=0, max=60_000), metavar="MS", help="Pause between acts."
)
@click.option("--overlay", is_flag=True, help="Draw over the board what is about to be done.")
@click.option("--variant", default="plain", metavar="NAME", help="The rules of the game.")
@as_json
def command(**given: Any) -> int:
    """Find a board on the screen and play it."""
    from bot.cli.playing.asked import PlayOptions, prepared
    from bot.cli.playing.opening import opened

    asked = PlayOptions(**given)
    ready = prepared(asked)
    with contextlib.ExitStack() as stack:
        playing = opened(stack, asked, ready)
        if asked.dry_run:
            print_plan(*playing.session.dry_run(), asked.as_json)
            return 0
        if not ready.is_virtual:
            playing.terminal.greet()
        for result in playing.session.games(asked.games):
            if asked.as_json:
                print_json(result.as_json())
            else:
                playing.terminal.finished(result)
            playing.watched.finished(result)
    report_what_is_left()
    return 0


def print_plan(board: Board, plan: Plan, as_json: bool) -> None:
    """What would be done and why, for a script or for a person."""
    name = board.name
    if as_json:
        kinds = {True: "mine", False: "safe"}
        certain = [
            {
                "cell": name(each.cell),
                "is": kinds[each.is_mine],
                "rule": each.rule,
                "because": list(each.because),
            }
            for each in plan.certain
        ]
        best = plan.guess
        guess = best and {"cell": name(best.cell), "safe": round(best.safe, 6), "text": best.reason}
        moves = [move.text(board) for move in plan.moves]
        print_json({"board": list(board.grid), "moves": moves, "certain": certain, "guess": guess})
        return
    reasons = {each.cell: f"{each.rule} ({', '.join(each.because)})" for each in plan.certain}
    click.echo(str(board))
    for move in plan.moves:
        why = plan.guess.reason if plan.guess else reasons.get(move.cell, "")
        click.echo(f"{move.text(board)}{'  guess: ' if plan.guess else '  ' if why else ''}{why}")
    flags = {move.cell for move in plan.moves if move.kind == "flag"}
    mines = [each.cell for each in plan.certain if each.is_mine and each.cell not in flags]
    if mines:
        click.echo(f"mines that are left alone: {', '.join(map(name, mines))}")
    if not plan.moves:
        click.echo("nothing is left to do")
