"""`sapper play`: find a board on the screen and play it.

The options are checked and all inputs loaded before anything is started. The desktop, program, terminal and
overlay are opened on one exit stack and close together.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import click

from bot.cli import common_options as shared
from bot.cli.common_options import chosen_coordinates, echo, parse_size, print_json, print_status
from bot.cli.inputs import skin_library
from bot.cli.main import sapper_version
from bot.cli.status import ASKING, announce_if_slow
from bot.desktop.backends import has_display, open_desktop, parse_screen
from bot.game.observer_listener import ObserverListener, open_observers
from bot.game.types import GameRules, Plan
from bot.play.finder import BoardFinder, DesktopAccess
from bot.play.mine_total import MineTotalSource
from bot.play.session import PlayOptions, Session
from bot.programs.program import BoardSize, Program
from bot.programs.runner import RunningProgram
from bot.readers import ReaderFactory, SkinLibrary
from bot.show.advice import describe_reason
from bot.show.live_overlay import PlanOverlay
from bot.show.terminal import GameTerminal
from games.errors import UsageError
from games.minesweeper import Board
from games.minesweeper.variants import get_variant
from strategies import Strategy, load_strategies
from strategies.guesser import describe_guess


@click.command(
    "play",
    cls=shared.StrategyCommand,
    epilog="Example: sapper play --program xdemineur --size 30x16 --mines 99",
)
@click.option(
    "--program",
    metavar="NAME",
    help="Start this program first: a known name or a TOML file.",
    shell_complete=shared.complete_program,
)
@click.option(
    "--virtual", is_flag=True, help="Play on a virtual screen; default without a display. Requires --program."
)
@click.option("--screen", default="1280x900", metavar="WxH", help="Size of the virtual screen in pixels.")
@shared.size
@click.option("--mines", type=click.IntRange(min=1), help="The mine total.")
@shared.first_click
@click.option("--games", default=1, type=click.IntRange(min=1), help="Number of games.")
@shared.backend
@shared.strategy
@shared.observer
@click.option(
    "--flags",
    type=click.Choice(["none", "needed", "all"]),
    default="needed",
    help="Flags to set; needed: only those that a win or a chord requires.",
)
@shared.skin
@click.option(
    "--skins",
    "skins_folder",
    type=shared.FOLDER,
    metavar="DIR",
    help="Use only the skins in this folder, and save learned skins there.",
)
@click.option("--record", type=shared.PATH, metavar="DIR", help="Record every game in this folder.")
@shared.window
@click.option("--yes", is_flag=True, help="Allow clicks on a board with an unknown theme.")
@click.option("--dry-run", is_flag=True, help="Show the moves without clicking.")
@click.option(
    "--delay",
    default=0.0,
    type=click.FloatRange(min=0, max=60_000),
    metavar="MS",
    help="Pause between clicks, in milliseconds.",
)
@click.option("--overlay", is_flag=True, help="Draw the next moves over the board.")
@shared.variant
@shared.as_json
def command(**given: Any) -> int:
    """Find a board on the screen and play it."""
    options = PlayOptions(**given)
    if options.backend is None and not has_display():
        options = replace(options, virtual=True)
    inputs = load_inputs(options)
    with ExitStack() as stack:
        session, terminal, observers = open_session(stack, options, inputs)
        if options.dry_run:
            print_plan(*session.dry_run(), options.as_json)
            return 0
        for result in session.games(options.games):
            if options.as_json:
                print_json(result.as_json())
            else:
                terminal.finished(result)
            observers.finished(result)
    return 0


def print_plan(board: Board, plan: Plan, as_json: bool) -> None:
    """Print the planned moves and their reasons."""
    name = board.name
    if as_json:
        certain = [each.as_json(board) for each in plan.certain]
        best = plan.guess
        guess = best and {"cell": name(best.cell), "safe": round(best.safe, 6), "text": best.reason}
        moves = [move.text(board) for move in plan.moves]
        print_json({"board": list(board.grid), "moves": moves, "certain": certain, "guess": guess})
        return
    reasons = {each.cell: describe_reason(each, ", ".join(each.because)) for each in plan.certain}
    echo(str(board))
    others = (plan.next_guess,) if plan.next_guess else ()
    guessed = describe_guess(plan.guess, others) if plan.guess else ""
    for move in plan.moves:
        why = guessed or reasons.get(move.cell, "")
        echo(f"{move.text(board)}{'  guess: ' if plan.guess else '  ' if why else ''}{why}")
    flags = {move.cell for move in plan.moves if move.kind == "flag"}
    mines = [each.cell for each in plan.certain if each.is_mine and each.cell not in flags]
    if mines:
        echo(f"mines that stay unflagged: {', '.join(map(name, mines))}")
    if not plan.moves:
        echo("no move is left")


@dataclass(frozen=True)
class LoadedInputs:
    """Everything loaded before the desktop is opened. `size` is the board size of the program to start."""

    program: Program | None
    size: BoardSize | None
    strategies: Sequence[Strategy]
    library: SkinLibrary
    readers: ReaderFactory


def load_inputs(options: PlayOptions) -> LoadedInputs:
    """Check the options and load their files. Raises UsageError, InvalidFile."""
    get_variant(options.variant)
    program = Program.load(options.program) if options.program else None
    strategies = load_strategies(options.strategies or None, options.trust)
    if options.virtual and program is None:
        raise UsageError(
            "a virtual screen (the default without a display) starts empty: name a program with --program, "
            "or play on a display"
        )
    if options.virtual and options.backend not in (None, "x11"):
        raise UsageError(
            f"a virtual screen is an X11 screen: leave out --backend {options.backend}, or --virtual"
        )
    library = skin_library(options.skin, options.skins_folder)
    readers = ReaderFactory.load(library.skins, bool(options.skin), options.variant)
    if options.record and options.record.exists() and not options.record.is_dir():
        raise UsageError(f"{options.record} is not a folder: name a folder with --record")
    if program and program.win == "flags" and options.flags == "none":
        raise UsageError(f"{program.name} requires flags on all mines to win: leave out --flags none")
    size = choose_size(program, parse_size(options.size), options.mines) if program else None
    return LoadedInputs(program, size, strategies, library, readers)


def choose_size(program: Program, size: tuple[int, int] | None, mines: int | None) -> BoardSize:
    """The board to start a program with. Raises UsageError if the program does not support it.

    Without `mines`, the total is that of the default board or level of this size, else the mine density of
    the default board applies.
    """
    default = program.default
    columns, rows = size or (default.columns, default.rows)
    is_given = mines is not None
    if mines is None:
        named = [default, *(level.size for level in program.levels)]
        dense = max(1, round(default.mines * columns * rows / (default.columns * default.rows)))
        mines = next(
            (known.mines for known in named if (known.columns, known.rows) == (columns, rows)), dense
        )
    chosen = BoardSize(columns, rows, mines)
    program.level(chosen, is_given)
    return chosen


def open_session(
    stack: ExitStack, options: PlayOptions, inputs: LoadedInputs
) -> tuple[Session, GameTerminal, ObserverListener]:
    """Open everything on `stack`; returns the session with two of its listeners.

    Raises MissingRequirement, ProgramExited, UsageError.
    """
    program, size = inputs.program, inputs.size
    observers = stack.enter_context(open_observers(options.observers, options.trust))
    needs_manager = bool(program and program.window_manager)
    screen = parse_screen(options.screen)

    def forget_pointer() -> None:  # the desktop takes the terminal, so it is opened later
        desktop.controls.forget_pointer()

    def refresh_marks() -> None:  # the overlay needs the desktop, so it is opened later
        if plans is not None:
            plans.refresh()

    plans: PlanOverlay | None = None
    takes_mouse = not options.virtual and not options.dry_run
    terminal = GameTerminal(options.as_json, forget_pointer, refresh_marks, takes_mouse, chosen_coordinates())
    with announce_if_slow(ASKING):
        desktop = stack.enter_context(
            open_desktop(options.virtual, screen, needs_manager, options.backend, options.dry_run, terminal)
        )
    running = None
    if program:
        with announce_if_slow(f"starting {program.name}"):
            running = stack.enter_context(RunningProgram.start(desktop, program, size))
    grabber = stack.enter_context(desktop.open_grabber())
    stack.enter_context(terminal)
    if options.overlay:
        plans = PlanOverlay(stack.enter_context(desktop.open_overlay(grabber)))
        grabber = plans.beneath
    first_click = options.first_click or (program.first_click if program else "unknown")
    rules = GameRules(size.mines if size else options.mines, first_click, variant=options.variant)
    names = [each.name for each in inputs.strategies]
    listener = ObserverListener(observers, rules, names, print_status)
    access = DesktopAccess(grabber, desktop.controls, desktop.windows, running)
    board_size = (size.columns, size.rows) if size else parse_size(options.size)
    looks_only = options.dry_run and not options.virtual
    session = Session(
        options,
        access,
        BoardFinder(access, inputs.readers, board_size, options.window, hands_off=looks_only),
        inputs.strategies,
        sapper_version(),
        [terminal, listener, *([plans] if plans else [])],
        None if options.skin else inputs.library,
        plans.on_board_moved if plans else None,
        MineTotalSource(access, options.mines, print_status if options.as_json else terminal.on_note),
        announce_if_slow,
    )
    return session, terminal, listener
