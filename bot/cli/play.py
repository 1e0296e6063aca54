"""`sapper play`: find a board on the screen and play it.

The options are checked and all inputs loaded before anything is started. The desktop, program, terminal and
overlay are opened on one exit stack and close together.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.common_options import (
    StrategyCommand,
    as_json,
    backend,
    first_click,
    observer,
    parse_size,
    print_json,
    print_status,
    skin,
    strategy,
    window,
)
from bot.cli.inputs import skin_library
from bot.cli.status import ASKING, announce_if_slow
from bot.game.observer_listener import open_observers
from games.errors import UsageError

if TYPE_CHECKING:
    from bot.desktop.backends import Desktop, Kind
    from bot.game.observer_listener import ObserverListener
    from bot.game.types import FlagPolicy, Plan
    from bot.play.session import Session
    from bot.programs.program import BoardSize, Program
    from bot.programs.runner import RunningProgram
    from bot.readers import ReaderFactory, SkinLibrary
    from bot.show.live_overlay import PlanOverlay
    from bot.show.terminal import GameTerminal
    from games.minesweeper import Board, FirstClick
    from strategies import Strategy
    from vision.frame import Capture


@click.command(
    "play", cls=StrategyCommand, epilog="Example: sapper play --program xdemineur --size 30x16 --mines 99"
)
@click.option("--program", metavar="NAME", help="Start this program first: a known name or a TOML file.")
@click.option(
    "--virtual", is_flag=True, help="Play on a virtual screen; default without a display. Requires --program."
)
@click.option("--screen", default="1280x900", metavar="WxH", help="Size of the virtual screen in pixels.")
@click.option("--size", metavar="WxH", help="Columns x rows of the board.")
@click.option("--mines", type=click.IntRange(min=1), help="The mine total.")
@first_click
@click.option("--games", default=1, type=click.IntRange(min=1), help="Number of games.")
@backend
@strategy
@observer
@click.option(
    "--flags",
    type=click.Choice(["none", "needed", "all"]),
    default="needed",
    help="Flags to set; needed: only those that a win or a chord requires.",
)
@skin
@click.option(
    "--skins",
    "skins_folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Use only the skins in this folder, and save learned skins there.",
)
@click.option(
    "--record", type=click.Path(path_type=Path), metavar="DIR", help="Record every game in this folder."
)
@window
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
@click.option("--variant", default="plain", metavar="NAME", help="The rules of the game.")
@as_json
def command(**given: Any) -> int:
    """Find a board on the screen and play it."""
    asked = PlayOptions(**given)
    ready = load_inputs(asked)
    with contextlib.ExitStack() as stack:
        playing = open_session(stack, asked, ready)
        if asked.dry_run:
            print_plan(*playing.session.dry_run(), asked.as_json)
            return 0
        if not ready.is_virtual:
            playing.terminal.print_intro()
        for result in playing.session.games(asked.games):
            if asked.as_json:
                print_json(result.as_json())
            else:
                playing.terminal.finished(result)
            playing.watched.finished(result)
    return 0


def print_plan(board: Board, plan: Plan, as_json: bool) -> None:
    """Print the planned moves and their reasons."""
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


@dataclass(frozen=True)
class PlayOptions:
    """One field for each option of `sapper play`."""

    program: str | None
    virtual: bool
    screen: str
    size: str | None
    mines: int | None
    first_click: FirstClick | None
    games: int
    backend: Kind | None
    strategies: tuple[str, ...]
    trust: bool
    observers: tuple[str, ...]
    flags: FlagPolicy
    skin: str | None
    skins_folder: Path | None
    record: Path | None
    window: str | None
    yes: bool
    dry_run: bool
    delay: float
    overlay: bool
    variant: str
    as_json: bool


@dataclass(frozen=True)
class LoadedInputs:
    """Everything loaded before the desktop is opened. `size` is the board size of the program to start."""

    program: Program | None
    size: BoardSize | None
    strategies: Sequence[Strategy]
    shelf: SkinLibrary
    sight: ReaderFactory
    is_virtual: bool


def load_inputs(asked: PlayOptions) -> LoadedInputs:
    """Check the options and load their files. Raises UsageError, InvalidFile."""
    from bot.desktop.backends import has_display
    from bot.programs.program import Program
    from bot.readers import ReaderFactory
    from games.minesweeper.variants import get_variant
    from strategies import load_strategies

    get_variant(asked.variant)
    program = Program.load(asked.program) if asked.program else None
    strategies = load_strategies(asked.strategies or None, asked.trust)
    is_virtual = asked.virtual or (asked.backend is None and not has_display())
    if is_virtual and program is None:
        raise UsageError("a virtual screen starts empty: name a program with --program, or play on a display")
    shelf = skin_library(asked.skin, asked.skins_folder)
    sight = ReaderFactory.load(shelf.skins, bool(asked.skin))
    if asked.record and asked.record.exists() and not asked.record.is_dir():
        raise UsageError(f"{asked.record} is not a folder: name a folder with --record")
    if program and program.win == "flags" and asked.flags == "none":
        raise UsageError(f"{program.name} requires flags on all mines to win: leave out --flags none")
    size = choose_size(program, parse_size(asked.size), asked.mines) if program else None
    return LoadedInputs(program, size, strategies, shelf, sight, is_virtual)


def choose_size(program: Program, size: tuple[int, int] | None, mines: int | None) -> BoardSize:
    """The board to start a program with. Raises UsageError if the program does not support it.

    Without `mines`, the total is that of the default board or level of this size, else the mine density of
    the default board applies.
    """
    from bot.programs.program import BoardSize

    default = program.default
    columns, rows = size or (default.columns, default.rows)
    if mines is None:
        named = [default, *(level.size for level in program.levels)]
        dense = max(1, round(default.mines * columns * rows / (default.columns * default.rows)))
        mines = next(
            (known.mines for known in named if (known.columns, known.rows) == (columns, rows)), dense
        )
    chosen = BoardSize(columns, rows, mines)
    program.level(chosen)
    return chosen


@dataclass(frozen=True)
class OpenSession:
    """A session ready to start, and its listeners."""

    session: Session
    terminal: GameTerminal
    watched: ObserverListener


def open_session(stack: ExitStack, asked: PlayOptions, ready: LoadedInputs) -> OpenSession:
    """Open everything on `stack`. Raises MissingRequirement, ProgramGone, UsageError."""
    from bot.desktop.backends import open_desktop, parse_screen
    from bot.game.observer_listener import ObserverListener
    from bot.game.types import GameRules
    from bot.show.live_overlay import PlanOverlay
    from bot.show.terminal import GameTerminal

    program, size = ready.program, ready.size
    watching = stack.enter_context(open_observers(asked.observers, asked.trust))
    needs_manager = bool(program and program.window_manager)
    screen = parse_screen(asked.screen)
    with announce_if_slow(ASKING):
        desktop = stack.enter_context(
            open_desktop(ready.is_virtual, screen, needs_manager, asked.backend, asked.dry_run)
        )
    running = None
    if program:
        with announce_if_slow(f"starting {program.name}"):
            from bot.programs.runner import RunningProgram

            running = stack.enter_context(RunningProgram.start(desktop, program, size))
    grabber = stack.enter_context(desktop.open_grabber())
    terminal = stack.enter_context(GameTerminal(quiet=asked.as_json))
    desktop.hands.say, terminal.let_go = terminal.on_note, desktop.hands.forget_pointer
    desktop.hands.before_act = terminal.obey
    plans = PlanOverlay(stack.enter_context(desktop.open_overlay(grabber))) if asked.overlay else None
    promised = asked.first_click or (program.first_click if program else "unknown")
    rules = GameRules(size.mines if size else asked.mines, promised, variant=asked.variant)
    watched = ObserverListener(watching, rules, [each.name for each in ready.strategies], print_status)
    session = _session(
        asked, ready, desktop, running, plans.beneath if plans else grabber, terminal, watched, plans
    )
    return OpenSession(session, terminal, watched)


def _session(
    asked: PlayOptions,
    ready: LoadedInputs,
    desktop: Desktop,
    running: RunningProgram | None,
    grabber: Capture,
    terminal: GameTerminal,
    watched: ObserverListener,
    plans: PlanOverlay | None,
) -> Session:
    from bot.cli.main import sapper_version
    from bot.play.finder import BoardFinder, DesktopAccess
    from bot.play.mine_total import MineTotalSource
    from bot.play.session import PlayOptions, Session
    from vision.counter import CounterReader

    around = DesktopAccess(grabber, desktop.hands, desktop.windows, running)
    size = (ready.size.columns, ready.size.rows) if ready.size else parse_size(asked.size)
    return Session(
        PlayOptions(
            ready.size.mines if ready.size else asked.mines,
            asked.first_click,
            asked.flags,
            asked.record,
            asked.delay / 1000,
            agreed=bool(ready.is_virtual or ready.program or asked.window or asked.yes),
            variant=asked.variant,
        ),
        around,
        BoardFinder(
            around, ready.sight, size, asked.window, hands_off=asked.dry_run and not ready.is_virtual
        ),
        ready.strategies,
        sapper_version(),
        [terminal, watched, *([plans] if plans else [])],
        None if asked.skin else ready.shelf,
        on_board_moved=plans.on_board_moved if plans else lambda view: None,
        totals=MineTotalSource(
            CounterReader.load(),
            grabber,
            desktop.windows,
            desktop.hands.screen,
            asked.mines,
            terminal.on_note,
        ),
        busy=announce_if_slow,
    )
