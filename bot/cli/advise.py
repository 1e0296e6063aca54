"""`sapper advise`: show hints while the user plays."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from bot.cli.common_options import (
    StrategyCommand,
    as_json,
    backend,
    first_click,
    parse_size,
    print_json,
    print_status,
    skin,
    strategy,
    window,
)
from bot.cli.status import ASKING, announce_if_slow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bot.desktop.backends import Kind
    from bot.desktop.ports import Overlay
    from bot.play.finder import BoardFinder, LocatedBoard
    from bot.play.mine_total import MineTotalSource
    from bot.play.spectator import OnLook, Spectator
    from bot.show.advice import Advice, Advisor
    from bot.show.live_overlay import HintOverlay
    from games.minesweeper import Board, FirstClick


OVERLAY_POLL, OVERLAY_STILL = 0.01, 0.02  # seconds; an overlay needs quick answers


@click.command("advise", cls=StrategyCommand, epilog="Example: sapper advise --window Mines --mines 99")
@window
@click.option("--size", metavar="WxH", help="Columns x rows of the board.")
@click.option("--mines", type=click.IntRange(min=1), help="Mine total, if no counter shows it.")
@first_click
@click.option("--variant", default="plain", metavar="NAME", help="The rules of the game.")
@click.option("--once", is_flag=True, help="Show one hint for the current board and exit.")
@click.option(
    "--overlay",
    is_flag=True,
    help="Draw hints over the board. Keys, in any window: F6 shows whether the cell under the pointer is "
    "safe, F7 the next move, F8 the reason; the same key hides the hint.",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Record every game in this folder, for 'sapper review'.",
)
@skin
@backend
@strategy
@as_json
def command(  # noqa: PLR0913, PLR0917 - one argument for each option
    window: str | None,
    size: str | None,
    mines: int | None,
    first_click: str | None,
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
    from bot.cli.inputs import skin_library
    from bot.cli.main import sapper_version
    from bot.desktop.backends import open_desktop
    from bot.game.types import GameRules
    from bot.play.finder import BoardFinder, DesktopAccess
    from bot.play.mine_total import MineTotalSource
    from bot.play.spectator import Spectator
    from bot.readers import ReaderFactory
    from bot.review.importer import import_recorder
    from bot.show.advice import Advisor
    from bot.show.live_overlay import HintOverlay
    from bot.show.overlay_marks import KEYS
    from games.errors import UsageError
    from games.minesweeper.variants import get_variant
    from strategies import load_strategies
    from vision.counter import CounterReader

    get_variant(variant)
    if once and overlay:
        raise UsageError("--once and --overlay exclude each other: leave one of them out")
    adviser = Advisor(
        load_strategies(strategies or None, trust), GameRules(win_needs="open", variant=variant)
    )
    sight = ReaderFactory.load(skin_library(skin, None).skins, bool(skin))
    with contextlib.ExitStack() as stack:
        with announce_if_slow(ASKING):
            desktop = stack.enter_context(open_desktop(kind=backend, looks_only=True))
        grabber = stack.enter_context(desktop.open_grabber())
        if overlay:
            over = stack.enter_context(desktop.open_overlay(grabber, list(KEYS)))
            grabber = over.clean_capture
        around = DesktopAccess(grabber, desktop.hands, desktop.windows)
        finder = BoardFinder(around, sight, parse_size(size), window, hands_off=True)
        show = stack.enter_context(print_json_advice() if as_json else print_advice())

        given = replace(adviser.rules, mines=mines)
        on_look = (
            stack.enter_context(import_recorder(record, given, sapper_version(), print_status))
            if record
            else None
        )
        totals = MineTotalSource(
            CounterReader.load(), grabber, desktop.windows, desktop.hands.screen, mines, print_status
        )
        run = AdviseRun(adviser, totals, cast("FirstClick | None", first_click), show)
        stack.enter_context(contextlib.suppress(KeyboardInterrupt))  # Ctrl+C ends the command
        if overlay:
            hints = HintOverlay(over, adviser, lambda: desktop.hands.pointer, run.report)
            run.watcher = overlay_spectator(over, finder, hints, on_look)
            for board in run.boards():
                hints.on_board(board, run.watcher.seen)
        else:
            run.watcher = Spectator(grabber, finder, on_look=on_look)
            for board in run.boards():
                if run.report(adviser.advise(board)):
                    run.report(adviser.advise(board))
                if once:
                    break
    return 0


@dataclass
class AdviseRun:
    """State of one run: the rules of the current game and the faults already reported.

    `promise` is the value of --first-click.
    """

    adviser: Advisor
    totals: MineTotalSource
    promise: FirstClick | None
    say: Callable[[Advice], object]
    watcher: Spectator | None = None
    _said: set[str] = field(default_factory=set)  # faults of strategies

    def boards(self) -> Iterator[Board]:
        """Every board seen, endlessly; the adviser's rules are set before each board."""
        assert self.watcher is not None
        known: LocatedBoard | None = None
        for board in self.watcher.boards():
            if isinstance(board, str):
                print_status(board)
                continue
            if self.watcher.seen is not None and self.watcher.seen is not known:
                known = self.watcher.seen
                self._know(known)
            yield board

    def report(self, advice: Advice) -> bool:
        """Report an advice. Return True if the mine total was learned, so the board needs new advice."""
        self.say(advice)
        for fault in advice.faults:
            if fault not in self._said:
                self._said.add(fault)
                print_status(fault)
        assert self.watcher is not None
        more = self.watcher.seen is not None and self.totals.learn(advice.board, self.watcher.seen)
        self.adviser.rules = replace(self.adviser.rules, mines=self.totals.total)
        return more

    def _know(self, seen: LocatedBoard) -> None:
        from bot.play.mine_total import program_first_click

        self.totals.begin(seen)
        first_click = self.promise or program_first_click(seen)
        self.adviser.rules = replace(self.adviser.rules, mines=self.totals.total, first_click=first_click)


def overlay_spectator(
    overlay: Overlay, finder: BoardFinder, hints: HintOverlay, on_look: OnLook | None
) -> Spectator:
    """A spectator that captures the screen beneath the overlay and refreshes the hints when idle."""
    from bot.play.spectator import Spectator

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
def print_json_advice() -> Iterator[Callable[[Advice], None]]:
    """Print advice as one JSON object per line."""
    yield lambda advice: print_json(advice.as_json())


@contextlib.contextmanager
def print_advice() -> Iterator[Callable[[Advice], None]]:
    """Print the board with certain cells or risks, and the reason for the next move.

    On a terminal the board is redrawn in place.
    """
    from rich.console import Console, Group
    from rich.live import Live
    from rich.text import Text

    from bot.show.board_text import render_board

    console = Console(highlight=False)

    def picture(advice: Advice) -> Group:
        board = render_board(advice.board, advice.marks, advice.risks, advice.highlight, console.width)
        return Group(board, *(Text(line, overflow="fold") for line in advice.why))

    if not console.is_terminal:
        yield lambda advice: console.print(picture(advice))
        return
    with Live(console=console, auto_refresh=False) as live:
        yield lambda advice: live.update(picture(advice), refresh=True)
