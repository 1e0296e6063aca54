"""Sessions on real programs: desktops, programs, listeners, checks of the results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from headless_sway import Sway
from waiting import wait_for

from bot.desktop.backends import Desktop, open_desktop
from bot.desktop.ports import Overlay
from bot.game.outcome import GameResult
from bot.game.types import GameListener, Plan
from bot.play.finder import BoardFinder, DesktopAccess
from bot.play.session import PlayOptions, Session
from bot.programs.program import BoardSize, Program
from bot.programs.runner import RunningProgram
from bot.readers import ReaderFactory, SkinLibrary
from bot.recording.recording import Recording
from bot.recording.replay import replay
from games.errors import SapperError
from games.minesweeper import Board, Move
from strategies import Reasoner, load_strategies
from vision.reading import Reading


class Notes:
    """A listener that keeps the notes of a game."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def on_reading(self, reading: Reading) -> None:
        pass

    def on_plan(self, board: Board, plan: Plan) -> None:
        pass

    def on_moves(self, board: Board, moves: Sequence[Move]) -> None:
        pass

    def on_note(self, text: str) -> None:
        self.notes.append(text)


class Meddler(Notes):
    """A listener that interferes once, after a number of sweeps."""

    def __init__(self, after: int, deed: Callable[[], object]) -> None:
        super().__init__()
        self._left = after
        self._deed = deed

    def on_moves(self, board: Board, moves: Sequence[Move]) -> None:
        self._left -= 1
        if self._left == 0:
            self._deed()


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
    delay: float = 0.0,
    shelf: SkinLibrary | None = None,
) -> Iterator[Session]:
    """A session as `sapper play` would make it."""
    desktop.hands.forget_pointer()
    layout = running.size if running else None
    with desktop.open_grabber() as grabber:
        around = DesktopAccess(grabber, desktop.hands, desktop.windows, running)
        wanted = (layout.columns, layout.rows) if layout else size
        options = PlayOptions(mines=mines, yes=True, record=record, delay=1000 * delay)
        finder = BoardFinder(around, ReaderFactory.load(), wanted, window, hands_off=looks_only)
        yield Session(options, around, finder, load_strategies(), "test", listeners, shelf)


def played(*results: GameResult) -> None:
    """What holds for every game: it ended, and no certain move hit a mine."""
    for each in results:
        assert (each.result in ("won", "lost"), each.wrong_certain) == (True, 0), each


def stopped(session: Session, kind: type[SapperError], words: str, games: int = 1) -> GameResult:
    """The game that an error stops: the last one."""
    result: GameResult | None = None
    with pytest.raises(kind, match=words):
        for result in session.games(games):  # noqa: B007 - the last one is the answer
            pass
    assert result is not None
    assert result.result == "stopped"
    return result


def replays(folder: Path | str | None) -> Recording:
    """A recording, which replays without a difference."""
    recording = Recording(Path(str(folder)))
    assert replay(recording, Reasoner(load_strategies())).differences == ()
    return recording


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


def heard(overlay: Overlay, desktop: Desktop, *keys: str, least: int) -> list[str]:
    """Press keys; the names of the keys that the overlay receives, `least` or more."""
    names: list[str] = []

    def has_all() -> bool:
        names.extend(overlay.poll_keys())
        return len(names) >= least

    for key in keys:
        desktop.hands.press(key)
    wait_for(has_all)
    return names
