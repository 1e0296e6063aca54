"""Opens what a game is played on: the desktop, the program, the terminal, the overlay; they end together."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.cli.announcing import ASKING, announced
from bot.cli.observing import observing
from bot.cli.options import parse_size, say

if TYPE_CHECKING:
    from bot.cli.playing.asked import PlayOptions, Prepared
    from bot.live import Desktop, Session
    from bot.loop import Watched
    from bot.overlay import Plans
    from bot.programs.started import RunningProgram
    from bot.terminal.playing import Terminal
    from vision.capture import Capture


@dataclass(frozen=True)
class Opened:
    """A session that may begin, and who follows it."""

    session: Session
    terminal: Terminal
    watched: Watched


def opened(stack: ExitStack, asked: PlayOptions, ready: Prepared) -> Opened:
    """Open everything on `stack`. Raises MachineLacks, ProgramGone, Usage."""
    from bot.live import open_desktop, parse_screen
    from bot.loop import Rules, Watched
    from bot.overlay import Plans
    from bot.terminal.playing import Terminal
    from strategies.compiled import kernels

    program, size = ready.program, ready.size
    kernels().begin()  # the first guess would wait for them: they are loaded while the board is looked for
    watching = stack.enter_context(observing(asked.observers, asked.trust))
    needs_manager = bool(program and program.window_manager)
    screen = parse_screen(asked.screen)
    with announced(ASKING):
        desktop = stack.enter_context(
            open_desktop(ready.is_virtual, screen, needs_manager, asked.backend, asked.dry_run)
        )
    running = None
    if program:
        with announced(f"starting {program.name}"):
            running = stack.enter_context(desktop.start(program, size))
    grabber = stack.enter_context(desktop.open_grabber())
    terminal = stack.enter_context(Terminal(quiet=asked.as_json))
    desktop.hands.say, terminal.let_go = terminal.noted, desktop.hands.let_go
    desktop.hands.obey = terminal.obey
    plans = Plans(stack.enter_context(desktop.open_overlay(grabber))) if asked.overlay else None
    promised = asked.first_click or (program.first_click if program else "unknown")
    rules = Rules(size.mines if size else asked.mines, promised, variant=asked.variant)
    watched = Watched(watching, rules, [each.name for each in ready.strategies], say)
    session = _session(
        asked, ready, desktop, running, plans.beneath if plans else grabber, terminal, watched, plans
    )
    return Opened(session, terminal, watched)


def _session(
    asked: PlayOptions,
    ready: Prepared,
    desktop: Desktop,
    running: RunningProgram | None,
    grabber: Capture,
    terminal: Terminal,
    watched: Watched,
    plans: Plans | None,
) -> Session:
    from bot.cli.main import sapper_version
    from bot.live import Finder, Session, Surroundings, Totals, Wishes
    from vision.counter import CounterReader

    around = Surroundings(grabber, desktop.hands, desktop.windows, running)
    size = (ready.size.columns, ready.size.rows) if ready.size else parse_size(asked.size)
    return Session(
        Wishes(
            ready.size.mines if ready.size else asked.mines,
            asked.first_click,
            asked.flags,
            asked.record,
            asked.delay / 1000,
            agreed=bool(ready.is_virtual or ready.program or asked.window or asked.yes),
            variant=asked.variant,
        ),
        around,
        Finder(around, ready.sight, size, asked.window, hands_off=asked.dry_run and not ready.is_virtual),
        ready.strategies,
        sapper_version(),
        [terminal, watched, *([plans] if plans else [])],
        None if asked.skin else ready.shelf,
        lies=plans.lies if plans else lambda view: None,
        totals=Totals(
            CounterReader.load(), grabber, desktop.windows, desktop.hands.screen, asked.mines, terminal.noted
        ),
        busy=announced,
    )
