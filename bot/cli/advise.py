"""`sapper advise`: hints beside a game that a person plays."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.options import as_json, backend, parse_size, print_json, strategy, tell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bot.advice.advising import Advice
    from bot.desktop.backends import Kind
    from bot.desktop.overlay import Overlay
    from bot.live.finding import Finder
    from bot.live.watching import OnLook
    from bot.overlay.hints import Hints

OVERLAY_POLL, OVERLAY_STILL = 0.01, 0.02  # seconds; an overlay answers at once, and is drawn again if need be


@click.command("advise", epilog="Example: sapper advise --window Mines --mines 99")
@click.option("--window", metavar="TITLE", help="Look only in the window with this in its title.")
@click.option("--size", metavar="WxH", help="Columns x rows of the board.")
@click.option("--mines", type=click.IntRange(min=1), help="The mine total.")
@click.option(
    "--first-click",
    type=click.Choice(["safe", "zero", "none", "opened", "unknown"]),
    default="unknown",
    help="What the program promises for the first click.",
)
@click.option("--variant", default="plain", metavar="NAME", help="The rules of the game.")
@click.option("--once", is_flag=True, help="Advise on the board as it stands, and end.")
@click.option(
    "--overlay",
    is_flag=True,
    help="Draw the hints over the board itself. In any window F6 asks whether a cell is safe, F7 which, "
    "F8 why; the same key again hides them.",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Record every game there, for 'sapper review'.",
)
@click.option("--skin", metavar="NAME_OR_FILE", help="Read the board with this look.")
@backend
@strategy
@as_json
def command(  # noqa: PLR0913, PLR0917 - one argument for each option
    window: str | None,
    size: str | None,
    mines: int | None,
    first_click: str,
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
    """Watch a board that you play: what is certain, what is risky and why, until Ctrl+C.

    The mouse is yours: Sapper only looks.
    """
    from bot.advice.advising import Adviser
    from bot.cli.main import sapper_version
    from bot.cli.play import choose_shelf
    from bot.live.finding import Finder, Surroundings
    from bot.live.surroundings import open_desktop
    from bot.live.watching import Watcher
    from bot.loop.ports import Rules
    from bot.overlay.hints import Hints
    from bot.overlay.sketching import KEYS
    from bot.review.keeping import kept
    from bot.sight import Sight
    from games.errors import Usage
    from games.minesweeper.variants import variant_of
    from strategies import load_strategies

    variant_of(variant)
    if once and overlay:
        raise Usage("--once ends when it has advised, and the overlay with it: leave one of them out")
    rules = Rules(mines, first_click, "open", variant=variant)  # type: ignore[arg-type] # click has checked it
    adviser = Adviser(load_strategies(strategies or None, trust), rules)
    sight = Sight.load(choose_shelf(skin, None).skins, bool(skin))
    told = set[str]()  # faults of strategies
    with contextlib.ExitStack() as stack:
        desktop = stack.enter_context(open_desktop(backend=backend))
        grabber = stack.enter_context(desktop.open_grabber())
        if overlay:
            over = stack.enter_context(desktop.open_overlay(grabber, list(KEYS)))
            grabber = over.beneath
        around = Surroundings(grabber, desktop.hands, desktop.windows)
        finder = Finder(around, sight, parse_size(size), window, hands_off=True)
        say = stack.enter_context(say_json() if as_json else say_words())

        def report(advice: Advice) -> None:
            say(advice)
            for fault in advice.faults:
                if fault not in told:
                    told.add(fault)
                    tell(fault)

        on_look = stack.enter_context(kept(record, rules, sapper_version(), tell)) if record else None
        stack.enter_context(contextlib.suppress(KeyboardInterrupt))  # how one stops watching
        if overlay:
            watch_over(over, finder, Hints(over, adviser, lambda: desktop.hands.pointer, report), on_look)
            return 0
        for seen in Watcher(grabber, finder, on_look=on_look).boards():
            if isinstance(seen, str):
                tell(seen)
                continue
            report(adviser.advise(seen))
            if once:
                break
    return 0


def watch_over(overlay: Overlay, finder: Finder, hints: Hints, on_look: OnLook | None) -> None:
    """Keep hints up over the board, without end; `on_look` is told what is seen."""
    from bot.live.watching import Watcher

    if overlay.taken:
        tell(f"another program has {', '.join(overlay.taken)}: that key asks for no hints")

    def idle() -> None:
        if watcher.view is None:
            hints.lost()
        hints.attend()

    watcher = Watcher(
        overlay.beneath, finder, idle=idle, poll=OVERLAY_POLL, still=OVERLAY_STILL, on_look=on_look
    )
    for seen in watcher.boards():
        if isinstance(seen, str):
            tell(seen)
        elif watcher.view is not None:
            hints.saw(seen, watcher.view)


@contextlib.contextmanager
def say_json() -> Iterator[Callable[[Advice], None]]:
    """One object a line."""
    yield lambda advice: print_json(advice.as_json())


@contextlib.contextmanager
def say_words() -> Iterator[Callable[[Advice], None]]:
    """The board with what is certain on it, or with risks, and the reason for the next move.

    On a terminal in one place, else one below the other.
    """
    from rich.console import Console, Group
    from rich.live import Live
    from rich.text import Text

    from bot.terminal.drawing import drawn

    console = Console(highlight=False)

    def picture(advice: Advice) -> Group:
        board = drawn(advice.board, advice.marks, advice.risks, advice.pointed, console.width)
        return Group(board, *(Text(line, overflow="fold") for line in advice.why))

    if not console.is_terminal:
        yield lambda advice: console.print(picture(advice))
        return
    with Live(console=console, auto_refresh=False) as live:
        yield lambda advice: live.update(picture(advice), refresh=True)
