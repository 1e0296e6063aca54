"""Share of random moments at which `sapper play --overlay` marks the next move.

Table: docs/results, "Game times".

    python -m benchmarks.overlay_marks --program xdemineur --delay 500 --games 3

A program and `sapper play --overlay` run on a virtual screen. The script captures the program's own window
and the screen, which also contains the marks, at random moments between the first and the last press of each
game. The X extension RECORD reports the presses. A cell is marked if marks cover part of it.
"""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from Xlib import X
from Xlib.ext import record
from Xlib.protocol import rq

from benchmarks.shared import new_parser
from bot.desktop.backends import Desktop, open_desktop
from bot.desktop.x11.capture import X11Capture
from bot.desktop.x11.windows import X11Windows, open_display
from bot.play.finder import BoardFinder, DesktopAccess, LocatedBoard
from bot.programs.program import BoardSize, Program
from bot.programs.runner import RunningProgram
from bot.readers import ReaderFactory
from vision.frame import MssCapture
from vision.lattice import Lattice

PAUSE = (0.05, 0.35)  # seconds between two screenshots, at random
LONGEST = 3.0  # seconds without a press after which a game has ended, in addition to the delay
MARKED = 0.02  # share of a cell; the smallest mark covers more


@dataclass
class PressLog:
    """The presses on the screen: seconds, and the position in pixels."""

    presses: list[tuple[float, int, int]] = field(default_factory=list)

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Record presses until the block ends."""
        control, data = open_display(), open_display()
        nothing = dict.fromkeys(("core_requests", "core_replies", "delivered_events", "errors"), (0, 0))
        extensions = dict.fromkeys(("ext_requests", "ext_replies"), (0, 0, 0, 0))
        clients = {"client_started": False, "client_died": False}
        wanted = {"device_events": (X.ButtonPress, X.ButtonPress)}
        context = data.record_create_context(
            0, [record.AllClients], [{**nothing, **extensions, **clients, **wanted}]
        )

        def hear(reply: Any) -> None:
            rest = reply.data if reply.category == record.FromServer else b""
            while rest:
                event, rest = rq.EventField(None).parse_binary_value(rest, data.display, None, None)
                self.presses.append((time.monotonic(), event.root_x, event.root_y))

        thread = threading.Thread(target=data.record_enable_context, args=(context, hear))
        thread.start()
        try:
            yield
        finally:
            control.record_disable_context(context)
            control.flush()
            thread.join(5)
            control.close()
            data.close()


@dataclass(frozen=True)
class Screenshot:
    """The cells with marks at one moment."""

    at: float
    marked: frozenset[int]


def marked_cells(over: NDArray[np.bool_], lattice: Lattice) -> frozenset[int]:
    """The cells with marks; `over` is where marks cover the window."""
    cells = range(lattice.rows * lattice.columns)
    boxes = ((cell, lattice.rectangle(cell)) for cell in cells)
    return frozenset(
        cell for cell, (left, top, right, bottom) in boxes if over[top:bottom, left:right].mean() > MARKED
    )


def take_screenshots(
    child: subprocess.Popen[str], top: int, found: LocatedBoard, seed: int
) -> list[Screenshot]:
    """Screenshots at random moments while the command runs."""
    moments, shots = random.Random(seed), []
    alone, screen = X11Capture(), MssCapture()
    while child.poll() is None:
        own, everything = alone.grab_window(top, found.region), screen.grab(found.region)
        now = time.monotonic()
        if own is not None:
            over = (own.pixels != everything.pixels).any(axis=2)
            shots.append(Screenshot(now, marked_cells(over, found.region_lattice)))
        time.sleep(moments.uniform(*PAUSE))
    alone.close()
    screen.close()
    return shots


@dataclass
class MarkCounts:
    """Numbers of screenshots taken between two presses of a game."""

    shots: int = 0
    marked: int = 0
    bare: int = 0  # without any mark
    presses: int = 0

    def add(self, shots: list[Screenshot], presses: list[tuple[float, int]], longest: float) -> None:
        """Count the screenshots between two presses that are at most `longest` seconds apart."""
        self.presses += len(presses)
        for (before, _), (after, cell) in pairwise(presses):
            if after - before > longest:
                continue
            for shot in shots:
                if before < shot.at < after:
                    self.shots += 1
                    self.marked += cell in shot.marked
                    self.bare += not shot.marked


def measure(desktop: Desktop, running: RunningProgram, options: Any) -> MarkCounts:
    """Play games and count."""
    assert isinstance(desktop.windows, X11Windows)
    screen = MssCapture()
    found = BoardFinder(
        DesktopAccess(screen, desktop.controls, desktop.windows, running), ReaderFactory.load()
    ).find()
    screen.close()
    target = desktop.windows.target(running.window.id)
    assert target is not None
    desktop.controls.forget_pointer()
    command = [
        sys.executable, "-m", "bot", "play", "--window", running.window.title, "--yes", "--json",
        "--overlay", "--delay", str(options.delay), "--games", str(options.games),
        "--mines", str(running.size.mines),
    ]  # fmt: skip
    log, counts = PressLog(), MarkCounts()
    with log.listening():
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        shots = take_screenshots(child, target.top, found, options.seed)
    assert child.stdout is not None
    for line in child.stdout:
        game = json.loads(line)
        print(f"{game['result']}: {game['clicks']} clicks in {game['seconds']:.0f} s, "
              f"{game['wrong_certain']} wrong", file=sys.stderr)  # fmt: skip
    counts.add(shots, list(cell_presses(log, found)), options.delay / 1000 + LONGEST)
    return counts


def cell_presses(log: PressLog, found: LocatedBoard) -> Iterator[tuple[float, int]]:
    """The presses on cells: seconds, cell."""
    lattice = found.region_lattice
    for at, x, y in log.presses:
        for cell in range(lattice.rows * lattice.columns):
            left, top, right, bottom = lattice.rectangle(cell)
            if left <= x - found.region[0] < right and top <= y - found.region[1] < bottom:
                yield at, cell


def main() -> None:
    """Measure and print."""
    parser = new_parser(__doc__)
    parser.add_argument("--program", default="xdemineur")
    parser.add_argument("--size", default="16x16")
    parser.add_argument("--mines", type=int, default=40)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--delay", type=float, default=500, help="milliseconds")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    program = Program.load(options.program)
    layout = BoardSize.parse(f"{options.size}/{options.mines}")
    with (
        open_desktop(True, (1280, 900), window_manager=True) as desktop,
        RunningProgram.start(desktop, program, layout) as running,
    ):
        counts = measure(desktop, running, options)
    shots = max(counts.shots, 1)
    print(
        f"{options.program}: {counts.presses} presses, {counts.shots} screenshots; "
        f"next move marked {counts.marked / shots:.1%}, no marks at all {counts.bare / shots:.1%}"
    )


if __name__ == "__main__":
    main()
