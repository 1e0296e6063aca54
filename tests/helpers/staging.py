"""Faults in the middle of a sweep: test programs that log clicks, and a deed at the right moment."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from live import program_on, session_on, stopped
from tables import Heard
from waiting import wait_for

from bot.desktop.backends import Desktop
from bot.desktop.ports import Box, Window
from bot.desktop.x11.windows import X11Windows, open_display
from bot.game.outcome import GameResult
from bot.game.types import Plan
from bot.programs.runner import RunningProgram
from games.errors import SapperError
from games.minesweeper import Board, Move

SCREEN = (0, 0, 1280, 900)
PACE = 0.19  # seconds between two clicks: a long sweep; from 0.2 on, Sapper reads the board after each move
ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "tests" / "faults" / "hands"
FIELD = """
command = [
    "{python}", "{program}", "--size", "{{columns}}x{{rows}}", "--mines", "{{mines}}",
    "--log", "{log}", {words}
]
window = "^Test Field$"
[environment]
PYTHONPATH = "{root}:{root}/tests/helpers:{folder}"
[board]
default = "12x10/15"
columns = [4, 40]
rows = [4, 30]
[rules]
first_click = "zero"
[new_game]
steps = ["key n", "wait 0.2"]
"""


def field_file(folder: Path, *words: str) -> tuple[Path, Path]:
    """Write a program file for the test field; return it and the log of its clicks."""
    log, file = folder / "presses", folder / "field.toml"
    log.touch()
    file.write_text(
        FIELD.format(
            python=sys.executable,
            program=PROGRAMS / "field.py",
            log=log,
            root=ROOT,
            folder=folder,
            words=", ".join(f'"{word}"' for word in words),
        )
    )
    return file, log


@contextmanager
def field_on(
    desktop: Desktop, folder: Path, *words: str, layout: str | None = None
) -> Iterator[tuple[RunningProgram, Callable[[], list[list[str]]]]]:
    """Run the test field; yield it and a function that returns its clicks: cell (`-`: none) and effect."""
    file, log = field_file(folder, *words)

    def presses() -> list[list[str]]:
        return [line.split() for line in log.read_text().splitlines() if line != "up"]

    with program_on(desktop, str(file), layout) as running:
        yield running, presses


class Process:
    """A running test program with a log that begins with `up`. A context manager."""

    def __init__(self, folder: Path, program: str, *words: str) -> None:
        self._log = folder / f"{program}-{time.monotonic_ns()}"
        self._log.touch()
        command = [sys.executable, str(PROGRAMS / program), "--log", str(self._log), *words]
        paths = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "helpers")])
        self._child = subprocess.Popen(command, env=os.environ | {"PYTHONPATH": paths})
        wait_for(lambda: "up" in self._log.read_text() or self._child.poll() is not None)
        assert self._child.poll() is None, f"{program} has ended"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.go()

    def go(self) -> None:
        """End it."""
        self._child.kill()
        self._child.wait()

    @property
    def presses(self) -> list[str]:
        """The lines of its log: one per click."""
        return self._log.read_text().splitlines()[1:]


class Bystander(Process):
    """A window of another process, which must not be clicked."""

    def __init__(self, folder: Path, box: Box, *kinds: str) -> None:
        super().__init__(folder, "bystander.py", "--box", ",".join(str(part) for part in box), *kinds)


@contextmanager
def x_display() -> Iterator[Any]:
    """Open a connection to the X server."""
    with closing(open_display()) as display:
        yield display
        display.sync()


def pointer_on(display: Any) -> tuple[int, int]:
    """The position of the mouse pointer."""
    pointer = display.screen().root.query_pointer()
    return pointer.root_x, pointer.root_y


@dataclass(frozen=True)
class StagedGame:
    """What a deed may use: the windows, the game's window and processes before it, a folder for files.

    It adds the covers that it starts.
    """

    windows: X11Windows
    window: Window
    pids: frozenset[int]
    folder: Path
    covers: list[Process]

    def ask(self, deed: str) -> None:
        """Call this method of the game's X window."""
        with x_display() as display:
            getattr(display.create_resource_object("window", self.window.id), deed)()


Deed = Callable[[StagedGame], object]


class InASweep(Heard):
    """A listener that interferes once, in the middle of a sweep of at least `least` moves.

    `pace` is the time between two moves in seconds. The deed runs in a thread, after the second click; it may
    only use its own connection to the screen.
    """

    def __init__(
        self, running: RunningProgram, folder: Path, deed: Deed, least: int = 4, pace: float = PACE
    ) -> None:
        super().__init__()
        self.done_at = 0.0  # time.monotonic
        self.planned_moves: Sequence[Move] = ()
        self.covers: list[Process] = []
        self.is_over = threading.Event()
        self._running, self._folder, self._deed = running, folder, deed
        self._least, self._pace = least, pace
        self._window, self._pids = running.window, frozenset(running.pids)
        self._thread: threading.Thread | None = None

    def play(
        self,
        desktop: Desktop,
        kind: type[SapperError] | None = None,
        words: str = "",
        is_known: bool = True,
        **options: Any,
    ) -> GameResult:
        """Play until the game with the deed has ended, or until this error stops a game; return that game.

        Without `is_known`, the session does not know the running program.
        """
        running = self._running if is_known else None
        try:
            with session_on(desktop, running, self, delay=self._pace, **options) as session:
                result = (
                    stopped(session, kind, words, games=10)  # a guess may end the first ones
                    if kind
                    else next(each for each in session.games(10) if self.has_begun)
                )
        finally:
            self.is_over.set()
            if self._thread is not None:
                self._thread.join()
            for each in self.covers:
                each.go()
        assert self.done_at, "no sweep was long enough, or the deed failed"
        return result

    def on_plan(self, board: Board, plan: Plan) -> None:
        if self._thread is None and len(plan.moves) >= self._least and board.open.bit_count() >= 8:
            self.planned_moves = plan.moves
            with x_display() as display:
                start = pointer_on(display)
            self._thread = threading.Thread(target=self._do, args=(X11Windows(), start))
            self._thread.start()

    def _do(self, windows: X11Windows, start: tuple[int, int]) -> None:
        places = {start}
        with x_display() as display:

            def has_second_cell() -> bool:
                places.add(pointer_on(display))
                return len(places) > 2

            wait_for(has_second_cell)
        time.sleep(self._pace / 2)  # between the second press and the third
        try:
            self._deed(StagedGame(windows, self._window, self._pids, self._folder, self.covers))
            self.done_at = time.monotonic()
        finally:
            windows.close()

    @property
    def has_begun(self) -> bool:
        """Whether a sweep was long enough for the deed."""
        return self._thread is not None


def signalled(number: signal.Signals) -> Deed:
    def deed(scene: StagedGame) -> None:
        for pid in scene.pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        time.sleep(0.1)

    return deed


def stopped_for(seconds: float) -> Deed:
    """Stop the program for this time."""

    def deed(scene: StagedGame) -> None:
        signalled(signal.SIGSTOP)(scene)
        time.sleep(seconds)
        signalled(signal.SIGCONT)(scene)

    return deed
