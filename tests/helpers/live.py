"""Sessions with real programs: programs, listeners, and checks of the results."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from headless_sway import Sway
from places import HOUSE
from said import Said, run_sapper
from tables import Heard
from waiting import wait_for

from bot.desktop.backends import Desktop, open_desktop
from bot.desktop.ports import Overlay
from bot.game.outcome import GameResult
from bot.game.types import GameListener
from bot.play.finder import BoardFinder, DesktopAccess
from bot.play.session import PlayOptions, Session
from bot.programs.program import BoardSize, Program
from bot.programs.runner import RunningProgram
from bot.readers import ReaderFactory, SkinLibrary
from bot.recording.recording import Recording
from bot.recording.replay import replay
from games.errors import SapperError
from games.minesweeper import Board, FirstClick, Move
from games.minesweeper.variants import PLAIN
from strategies import Reasoner, load_strategies
from vision.frame import Pixels


class Meddler(Heard):
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
    library: SkinLibrary | None = None,
    variant: str = PLAIN,
    first_click: FirstClick | None = None,
) -> Iterator[Session]:
    """A session as `sapper play` makes it."""
    desktop.controls.forget_pointer()
    layout = running.size if running else None
    with desktop.open_grabber() as grabber:
        access = DesktopAccess(grabber, desktop.controls, desktop.windows, running)
        wanted = (layout.columns, layout.rows) if layout else size
        options = PlayOptions(
            mines=mines, first_click=first_click, yes=True, record=record, delay=1000 * delay, variant=variant
        )
        finder = BoardFinder(
            access, ReaderFactory.load(variant=variant), wanted, window, hands_off=looks_only
        )
        yield Session(options, access, finder, load_strategies(), "test", listeners, library)


def played(*results: GameResult) -> None:
    """Check that every game ended, and that no certain move hit a mine."""
    for each in results:
        assert (each.result in ("won", "lost"), each.wrong_certain) == (True, 0), each


def stopped(session: Session, kind: type[SapperError], words: str, games: int = 1) -> GameResult:
    """Play until an error stops a game; check the error and return that game."""
    results: list[GameResult] = []
    with pytest.raises(kind, match=words):
        results.extend(session.games(games))
    assert results[-1].result == "stopped"
    return results[-1]


def replays(folder: Path | str | None) -> Recording:
    """Load a recording and check that it replays without a difference."""
    recording = Recording(Path(str(folder)))
    assert replay(recording, Reasoner(load_strategies())).differences == ()
    return recording


def play_on(
    desktop: Desktop, folder: Path, program: Path, title: str, *words: str, games: int = 1
) -> tuple[Said, list[dict[str, Any]]]:
    """Play games on a test program with `sapper play`; return the output and the log of the program.

    The folder gets the recordings (`games`) and the skins (`skins`).
    """
    desktop.controls.move(20, 20)
    desktop.controls.forget_pointer()
    child = subprocess.Popen(
        [sys.executable, program, folder / "log", *words], env=os.environ | {"PYTHONPATH": str(HOUSE)}
    )
    try:
        wait_for(lambda: any(each.title == title and each.is_shown for each in desktop.windows.all() or ()))
        done = run_sapper(
            "play", "--json", "--games", str(games), "--window", title,
            "--skins", folder / "skins", "--record", folder / "games",
            env=os.environ | {"XDG_DATA_HOME": str(folder)},
        )  # fmt: skip
    finally:
        child.terminate()
        child.wait()
    return done, [json.loads(line) for line in (folder / "log").read_text().splitlines()]


@contextmanager
def program_on(desktop: Desktop, name: str, layout: str | None = None) -> Iterator[RunningProgram]:
    """Run a known program."""
    desktop.controls.forget_pointer()
    with RunningProgram.start(
        desktop, Program.load(name), BoardSize.parse(layout) if layout else None
    ) as running:
        yield running


@contextmanager
def on_sway(running: Sway, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desktop]:
    """Open the sway desktop as Sapper does."""
    monkeypatch.delenv("DISPLAY", raising=False)
    for name in ("XDG_RUNTIME_DIR", "WAYLAND_DISPLAY", "SWAYSOCK"):
        monkeypatch.setenv(name, running.variables[name])
    with open_desktop() as desktop:
        yield desktop


def heard(overlay: Overlay, desktop: Desktop, *keys: str, least: int) -> list[str]:
    """Press keys; return the names of the keys that the overlay receives, at least `least`."""
    names: list[str] = []

    def has_all() -> bool:
        names.extend(overlay.poll_keys())
        return len(names) >= least

    for key in keys:
        desktop.controls.press(key)
    with contextlib.suppress(AssertionError):  # the names say more than the time
        wait_for(has_all)
    return names


def check_play_with_overlay(folder: Path, *words: str, env: Mapping[str, str] | None = None) -> None:
    """Two games of `sapper play --overlay` end correctly and replay the same."""
    done = run_sapper("play", *words, "--games", "2", "--overlay", "--record", folder, "--json", env=env)
    assert done.printed
    games = [(game["result"] in ("won", "lost"), game["wrong_certain"]) for game in done.objects]
    assert games == [(True, 0)] * 2
    assert run_sapper("replay", *folder.iterdir(), env=env).printed


def check_f8_hides_advice(
    desktop: Desktop, seen: Callable[[], Pixels], rows: int, environment: Mapping[str, str] | None = None
) -> None:
    """`sapper advise --overlay` changes the screen until F8 is pressed; `seen` captures it."""
    before = seen()
    command = [sys.executable, "-m", "bot", "advise", "--overlay", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as child:
        try:
            assert child.stdout is not None
            first = json.loads(child.stdout.readline())
            wait_for(lambda: not np.array_equal(seen(), before))
            desktop.controls.press("f8")
            wait_for(lambda: np.array_equal(seen(), before))
        finally:
            child.send_signal(signal.SIGINT)
    assert (child.returncode, len(first["rows"])) == (0, rows)
