"""`sapper advise`: show hints while the user plays."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import click
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from bot.cli import common_options as shared
from bot.cli.common_options import chosen_coordinates, parse_size, print_json, print_status
from bot.cli.inputs import board_reader
from bot.cli.main import sapper_version
from bot.cli.status import ASKING, announce_if_slow
from bot.desktop.backends import Kind, open_desktop
from bot.desktop.ports import Overlay
from bot.game.types import GameRules
from bot.play.finder import BoardFinder, DesktopAccess, LocatedBoard
from bot.play.mine_total import MineTotalSource, program_first_click
from bot.play.spectator import OnLook, Spectator
from bot.review.importer import import_recorder
from bot.show.advice import Advice, Advisor
from bot.show.board_text import render_board
from bot.show.coordinates import rename_cells
from bot.show.live_overlay import HintOverlay
from bot.show.overlay_marks import KEYS
from games.errors import UsageError
from games.external import printable
from games.minesweeper import Board, FirstClick
from games.minesweeper.variants import get_variant
from strategies import load_strategies

OVERLAY_POLL, OVERLAY_STILL = 0.01, 0.02  # seconds; an overlay needs quick answers


@click.command(
    "advise", cls=shared.StrategyCommand, epilog="Example: sapper advise --window Mines --mines 99"
)
@shared.window
@shared.size
@click.option("--mines", type=shared.POSITIVE, help="Mine total, if no counter shows it.")
@shared.first_click
@shared.variant
@click.option("--once", is_flag=True, help="Show one hint for the current board and exit.")
@click.option(
    "--overlay",
    is_flag=True,
    help="Draw hints over the board. Keys, in any window: F6 shows whether the cell under the pointer is "
    "safe, F7 the next move, F8 the reason; the same key hides the hint.",
)
@click.option(
    "--record",
    type=shared.FOLDER,
    metavar="DIR",
    help="Record every game in this folder, for 'sapper review'.",
)
@shared.skin
@shared.backend
@shared.strategy
@shared.as_json
def command(  # noqa: PLR0913, PLR0917 - one argument for each option
    window: str | None,
    size: str | None,
    mines: int | None,
    first_click: FirstClick | None,
    variant: str,
    once: bool,
    overlay: bool,
    record: Path | None,
    skin: str | None,
    backend: Kind | None,
    strategies: tuple[str, ...],
    trust: bool,
    as_json: bool,
) -> int:
    """Watch a board that you play and show certain cells, risks and reasons, until Ctrl+C.

    Sapper does not use the mouse.
    """
    get_variant(variant)
    if once and overlay:
        raise UsageError("--once and --overlay exclude each other: leave one of them out")
    advisor = Advisor(
        load_strategies(strategies or None, trust), GameRules(win_needs="open", variant=variant)
    )
    reader = board_reader(skin, variant)
    with contextlib.ExitStack() as stack:
        with announce_if_slow(ASKING):
            desktop = stack.enter_context(open_desktop(kind=backend, looks_only=True))
        grabber = stack.enter_context(desktop.open_grabber())
        if overlay:
            over = stack.enter_context(desktop.open_overlay(grabber, list(KEYS)))
            grabber = over.clean_capture
        access = DesktopAccess(grabber, desktop.controls, desktop.windows)
        finder = BoardFinder(access, reader, parse_size(size), window, hands_off=True)
        show = stack.enter_context(print_advice()) if not as_json else lambda a: print_json(a.as_json())
        on_look = None
        if record:
            rules = replace(advisor.rules, mines=mines)
            on_look = stack.enter_context(import_recorder(record, rules, sapper_version(), print_status))
        run = AdviseRun(advisor, MineTotalSource(access, mines, print_status), first_click, show)
        stack.enter_context(contextlib.suppress(KeyboardInterrupt))  # Ctrl+C ends the command
        if overlay:
            hints = HintOverlay(over, advisor, lambda: desktop.controls.pointer, run.report)
            spectator = overlay_spectator(over, finder, hints, on_look)
            for board in run.boards(spectator):
                hints.on_board(board, spectator.seen)
        else:
            for board in run.boards(Spectator(grabber, finder, on_look=on_look)):
                if run.report(advisor.advise(board)):
                    run.report(advisor.advise(board))
                if once:
                    break
    return 0


@dataclass
class AdviseRun:
    """State of one run: the rules of the current game and the faults already reported.

    `first_click` is the value of --first-click.
    """

    advisor: Advisor
    totals: MineTotalSource
    first_click: FirstClick | None
    show: Callable[[Advice], object]
    _spectator: Spectator | None = None
    _faults: set[str] = field(default_factory=set)

    def boards(self, spectator: Spectator) -> Iterator[Board]:
        """Yield every board, endlessly, after setting the advisor's rules for it."""
        self._spectator = spectator
        known: LocatedBoard | None = None
        for board in spectator.boards():
            if isinstance(board, str):
                print_status(board)
                continue
            if spectator.seen is not None and spectator.seen is not known:
                known = spectator.seen
                self.totals.begin(known)
                first_click = self.first_click or program_first_click(known)
                rules = replace(self.advisor.rules, first_click=first_click)
                self.advisor.rules = self.totals.in_rules(rules)
            yield board

    def report(self, advice: Advice) -> bool:
        """Show an advice. Return True if the mine total was learned, so the board needs new advice."""
        self.show(advice)
        for fault in advice.faults:
            if fault not in self._faults:
                self._faults.add(fault)
                print_status(fault)
        seen = self._spectator.seen if self._spectator else None
        is_learned = seen is not None and self.totals.learn(advice.board, seen)
        self.advisor.rules = self.totals.in_rules(self.advisor.rules)
        return is_learned


def overlay_spectator(
    overlay: Overlay, finder: BoardFinder, hints: HintOverlay, on_look: OnLook | None
) -> Spectator:
    """A spectator that captures the screen without the overlay and refreshes the hints when idle."""
    if overlay.taken:
        print_status(f"another program uses {', '.join(overlay.taken)}: this key shows no hints")

    def refresh(seen: LocatedBoard | None) -> None:
        if seen is None:
            hints.lost()
        hints.refresh()

    return Spectator(
        overlay.clean_capture,
        finder,
        poll=OVERLAY_POLL,
        still=OVERLAY_STILL,
        on_look=on_look,
        on_idle=refresh,
    )


@contextlib.contextmanager
def print_advice() -> Iterator[Callable[[Advice], None]]:
    """Print the board with certain cells or risks, and the reason for the next move.

    On a terminal the board is redrawn in place.
    """
    console = Console(highlight=False)
    style = chosen_coordinates()

    def render(advice: Advice) -> Group:
        board = render_board(advice.board, advice.marks, advice.risks, advice.highlight, console.width, style)
        why = (printable(rename_cells(line, style)) for line in advice.why)
        return Group(board, *(Text(line, overflow="fold") for line in why))

    if not console.is_terminal:
        yield lambda advice: console.print(render(advice))
        return
    with Live(console=console, auto_refresh=False) as live:
        yield lambda advice: live.update(render(advice), refresh=True)
