"""Sessions on real programs, for tests: a desktop, a program on it, somebody who interferes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from headless_sway import Sway

from bot.desktop.backends import Desktop, open_desktop
from bot.desktop.ports import Overlay
from bot.game.types import GameListener, Plan
from bot.play.finder import BoardFinder, DesktopAccess
from bot.play.session import PlayOptions, Session
from bot.programs.program import BoardSize, Program
from bot.programs.runner import RunningProgram
from bot.readers import ReaderFactory
from games.minesweeper import Board, Move
from strategies import load_strategies
from vision.reading import Reading


class Meddler:
    """Does something once, after so many sweeps."""

    def __init__(self, after: int, deed: Callable[[], object]) -> None:
        self._left = after
        self._deed = deed

    def on_reading(self, reading: Reading) -> None:
        pass

    def on_plan(self, board: Board, plan: Plan) -> None:
        pass

    def on_moves(self, board: Board, moves: Sequence[Move]) -> None:
        self._left -= 1
        if self._left == 0:
            self._deed()

    def on_note(self, text: str) -> None:
        pass


@contextmanager
def session_on(
    desktop: Desktop,
    running: RunningProgram | None,
    *listeners: GameListener,
    size: tuple[int, int] | None = None,
    mines: int | None = None,
    window: str | None = None,
    record: Path | None = None,
    looks_only: bool = False,
) -> Iterator[Session]:
    """A session as `sapper play` would make it."""
    desktop.hands.forget_pointer()
    layout = running.size if running else None
    with desktop.open_grabber() as grabber:
        around = DesktopAccess(grabber, desktop.hands, desktop.windows, running)
        wanted = (layout.columns, layout.rows) if layout else size
        wishes = PlayOptions(layout.mines if layout else mines, record=record)
        finder = BoardFinder(around, ReaderFactory.load(), wanted, window, hands_off=looks_only)
        yield Session(wishes, around, finder, load_strategies(), "test", listeners)


@contextmanager
def program_on(desktop: Desktop, name: str, layout: str | None = None) -> Iterator[RunningProgram]:
    """A known program, running."""
    desktop.hands.forget_pointer()
    with RunningProgram.start(
        desktop, Program.load(name), BoardSize.parse(layout) if layout else None
    ) as running:
        yield running


@contextmanager
def on_sway(running: Sway, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desktop]:
    """This desktop as Sapper opens it."""
    monkeypatch.delenv("DISPLAY", raising=False)
    for name in ("XDG_RUNTIME_DIR", "WAYLAND_DISPLAY", "SWAYSOCK"):
        monkeypatch.setenv(name, running.variables[name])
    with open_desktop() as desktop:
        yield desktop


def heard(overlay: Overlay, desktop: Desktop, *keys: str) -> list[str]:
    """The keys that an overlay hears of those that are pressed, within a second of silence."""
    names: list[str] = []
    for key in keys:
        desktop.hands.press(key)
    deadline = time.monotonic() + 1
    while time.monotonic() < deadline:
        if more := overlay.poll_keys():
            names += more
            deadline = time.monotonic() + 1
        time.sleep(0.02)
    return names
