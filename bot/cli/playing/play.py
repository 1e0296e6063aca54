"""`sapper play`: find a board on the screen and play it."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from bot.cli.announcing import announced
from bot.cli.authoring.observing import observing
from bot.cli.compiling import report_what_is_left
from bot.cli.options import as_json, backend, observer, parse_size, print_json, say, strategy
from games.errors import Usage

if TYPE_CHECKING:
    from bot.desktop.backends import Kind
    from bot.loop.ports import FlagPolicy, Plan
    from bot.programs.description import BoardSize, Program
    from bot.sight import SkinShelf
    from games.minesweeper import Board, FirstClick


@click.command("play", epilog="Example: sapper play --program xdemineur --size 30x16 --mines 99")
@click.option("--program", metavar="NAME", help="Start this known program first (or the TOML file of one).")
@click.option("--virtual", is_flag=True, help="Play on a virtual screen; the default without a display.")
@click.option("--screen", default="1280x900", metavar="WxH", help="Size of the virtual screen, pixels.")
@click.option("--size", metavar="WxH", help="Columns x rows of the board.")
@click.option("--mines", type=click.IntRange(min=1), help="The mine total.")
@click.option(
    "--first-click",
    type=click.Choice(["safe", "zero", "none", "opened", "unknown"]),
    help="What the program promises for the first click.",
)
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
@click.option("--skin", metavar="NAME_OR_FILE", help="Read the board with this skin.")
@click.option(
    "--skins",
    "skins_folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Know only the looks in this folder, and keep those that are learned there.",
)
@click.option("--record", type=click.Path(path_type=Path), metavar="DIR", help="Record every game there.")
@click.option("--window", metavar="TITLE", help="Look only in the window with this in its title.")
@click.option("--yes", is_flag=True, help="Agree to the first click on an appearance that was never learned.")
@click.option("--dry-run", is_flag=True, help="Show the moves and click nothing.")
@click.option(
    "--delay", default=0.0, type=click.FloatRange(min=0, max=60_000), metavar="MS", help="Pause between acts."
)
@click.option("--overlay", is_flag=True, help="Draw over the board what is about to be done.")
@click.option("--variant", default="plain", metavar="NAME", help="The rules of the game.")
@as_json
def command(  # noqa: PLR0913, PLR0915, PLR0917 - one argument for each option
    program: str | None,
    virtual: bool,
    screen: str,
    size: str | None,
    mines: int | None,
    first_click: str | None,
    games: int,
    backend: Kind | None,
    strategies: tuple[str, ...],
    trust: bool,
    observers: tuple[str, ...],
    flags: str,
    skin: str | None,
    skins_folder: Path | None,
    record: Path | None,
    window: str | None,
    yes: bool,
    dry_run: bool,
    delay: float,
    overlay: bool,
    variant: str,
    as_json: bool,
) -> int:
    """Find a board on the screen and play it."""
    from bot.cli.main import sapper_version
    from bot.live.finding import Finder, Surroundings
    from bot.live.session import Session, Wishes
    from bot.live.surroundings import has_display, open_desktop, parse_screen
    from bot.live.totals import Totals
    from bot.loop.ports import Rules
    from bot.loop.watched import Watched
    from bot.overlay.plans import Plans
    from bot.programs.description import Program
    from bot.sight import Sight
    from bot.terminal.view import Terminal
    from games.minesweeper.variants import variant_of
    from strategies import load_strategies
    from strategies.compiled import kernels
    from vision.counter import CounterReader

    variant_of(variant)
    wanted = Program.load(program) if program else None
    chosen = load_strategies(strategies or None, trust)
    virtual = virtual or (backend is None and not has_display())
    if virtual and wanted is None:
        raise Usage("a virtual screen is empty: name a program with --program, or play on a display")
    shelf = choose_shelf(skin, skins_folder)
    sight = Sight.load(shelf.skins, bool(skin))
    if record and record.exists() and not record.is_dir():
        raise Usage(f"{record} is no folder: name one for the recordings with --record")
    layout = None
    if wanted:
        if wanted.win == "flags" and flags == "none":
            raise Usage(f"{wanted.name} is won only when every mine is flagged: leave out --flags none")
        layout = choose_layout(wanted, parse_size(size), mines)
    kernels().begin()  # the first guess would wait for them: they are loaded while the board is looked for
    with contextlib.ExitStack() as stack:
        watching = stack.enter_context(observing(observers, trust))
        desktop = stack.enter_context(
            open_desktop(virtual, parse_screen(screen), bool(wanted and wanted.window_manager), backend)
        )
        running = None
        if wanted:
            with announced(f"starting {wanted.name}"):
                running = stack.enter_context(desktop.start(wanted, layout))
        grabber = stack.enter_context(desktop.open_grabber())
        terminal = stack.enter_context(Terminal(quiet=as_json))
        desktop.hands.say, terminal.let_go = terminal.noted, desktop.hands.let_go
        desktop.hands.obey = terminal.obey
        plans = Plans(stack.enter_context(desktop.open_overlay(grabber))) if overlay else None
        grabber = plans.beneath if plans else grabber
        around = Surroundings(grabber, desktop.hands, desktop.windows, running)
        known = Rules(
            layout.mines if layout else mines,
            cast("FirstClick", first_click or (wanted.first_click if wanted else "unknown")),
            variant=variant,
        )
        watched = Watched(watching, known, [each.name for each in chosen], say)
        board_size = (layout.columns, layout.rows) if layout else parse_size(size)
        session = Session(
            Wishes(
                layout.mines if layout else mines,
                cast("FirstClick | None", first_click),
                cast("FlagPolicy", flags),
                record,
                delay / 1000,
                agreed=bool(virtual or wanted or window or yes),
                variant=variant,
            ),
            around,
            Finder(around, sight, board_size, window, hands_off=dry_run and not virtual),
            chosen,
            sapper_version(),
            [terminal, watched, *([plans] if plans else [])],
            None if skin else shelf,
            lies=plans.lies if plans else lambda view: None,
            totals=Totals(
                CounterReader.load(), grabber, desktop.windows, desktop.hands.screen, mines, terminal.noted
            ),
            busy=announced,
        )
        if dry_run:
            print_plan(*session.dry_run(), as_json)
            return 0
        if not virtual:
            terminal.greet()
        for result in session.games(games):
            if as_json:
                print_json(result.as_json())
            else:
                terminal.finished(result)
            watched.finished(result)
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


def choose_shelf(skin: str | None, folder: Path | None) -> SkinShelf:
    """The skins to read with: the one that was named, those of a folder only, or all that are known."""
    from bot.sight import SkinShelf
    from vision.skins import load_known_skins, load_skin, skins_in, user_skins_folder

    if skin and folder:
        raise Usage("--skin names the skin, --skins says where skins are: leave one of them out")
    if skin:
        return SkinShelf([load_skin(skin)], user_skins_folder())
    return SkinShelf(skins_in(folder) if folder else load_known_skins(), folder or user_skins_folder())


def choose_layout(program: Program, size: tuple[int, int] | None, mines: int | None) -> BoardSize:
    """The board to start a program with. Raises Usage when the program has none like it.

    A size without mines is that of the default board or of a level; where it is neither, the mines are as
    dense as on the default board.
    """
    from bot.programs.description import BoardSize

    default = program.default
    columns, rows = size or (default.columns, default.rows)
    if mines is None:
        named = [default, *(level.layout for level in program.levels)]
        dense = max(1, round(default.mines * columns * rows / (default.columns * default.rows)))
        mines = next(
            (known.mines for known in named if (known.columns, known.rows) == (columns, rows)), dense
        )
    layout = BoardSize(columns, rows, mines)
    program.level(layout)
    return layout
