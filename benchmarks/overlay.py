"""Marks of the overlay over a running program: their delay, and how often they show the next move.

Table: docs/results, "Game times".

    python -m benchmarks.overlay delay --games 20
    python -m benchmarks.overlay marks --program kmines --games 3 --delay 500

A program and `sapper` run on a virtual screen. The script captures the program's own window and the screen,
which also contains the marks.

- `delay`: `sapper advise --overlay` runs, and the script clicks cells like a player. The delay is the time
  from the last change of the window to the last change of the marks. The board that `advise` reports is
  compared with a reading of the window.
- `marks`: `sapper play --overlay` runs, and the script captures at random moments between the first and the
  last press of each game. The X extension RECORD reports the presses. A cell is marked if marks cover part of
  it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from Xlib import X
from Xlib.ext import record
from Xlib.protocol import rq

from benchmarks.shared import new_parser
from bot.desktop.backends import Desktop, open_desktop
from bot.desktop.x11.capture import X11Capture
from bot.desktop.x11.windows import X11Windows, open_display
from bot.game.plan import Planner
from bot.game.types import GameRules
from bot.play.finder import BoardFinder, DesktopAccess
from bot.programs.program import BoardSize, Program
from bot.programs.runner import RunningProgram
from bot.readers import ReaderFactory
from games.errors import Contradiction
from games.minesweeper import Board
from strategies import Reasoner, load_strategies
from vision.frame import Frame, MssCapture, Pixels
from vision.lattice import Lattice

REST = 0.5  # seconds without a change after which a click is complete
TIMEOUT = 5.0  # seconds per click
POLL = 0.004  # seconds between two captures of a delay
STARTUP_TIMEOUT = 15.0  # seconds
PAUSE = (0.05, 0.35)  # seconds between two random moments
LONGEST = 3.0  # seconds without a press after which a game has ended, in addition to the delay
MARKED = 0.02  # share of a cell; the smallest mark covers more

Marks = NDArray[np.bool_]  # where marks cover the window


class MarkedProgram:
    """A program on a virtual screen, and its board below the marks."""

    def __init__(self, desktop: Desktop, running: RunningProgram) -> None:
        self.controls, self.running, self.readers = desktop.controls, running, ReaderFactory.load()
        self._windows, self._alone, self._screen = desktop.windows, X11Capture(), MssCapture()
        around = DesktopAccess(self._screen, desktop.controls, desktop.windows, running)
        self._finder = BoardFinder(around, self.readers)
        self.find()

    def find(self) -> None:
        """Locate the board, without any mark over it."""
        self.found = self._finder.find()
        assert isinstance(self._windows, X11Windows)
        target = self._windows.target(self.running.window.id)
        assert target is not None
        self._top = target.top

    def capture(self) -> tuple[Frame, Marks] | None:
        """The board of the window alone, and its marks; None if the window is gone."""
        region = self.found.region
        own, everything = self._alone.grab_window(self._top, region), self._screen.grab(region)
        return None if own is None else (own, (own.pixels != everything.pixels).any(axis=2))


# --- delay ---------------------------------------------------------------------------------------------


@dataclass
class AdviseProcess:
    """A running `sapper advise --overlay --json` and its output."""

    lines: list[dict[str, object]] = field(default_factory=list)

    @property
    def rows(self) -> list[str]:
        """The board that it read last."""
        return [str(row) for row in cast("list[str]", self.lines[-1]["rows"])]

    def waits_for(self, board: Board) -> bool:
        """Whether it reports this board in time. It reports a board with its certain moves or its guess."""
        deadline = time.monotonic() + TIMEOUT
        while not is_same(self.rows, board) and time.monotonic() < deadline:
            time.sleep(0.05)
        return is_same(self.rows, board)

    def collect(self, child: subprocess.Popen[str]) -> None:
        """Collect its output until it ends."""
        assert child.stdout is not None
        for line in child.stdout:
            self.lines.append(json.loads(line))

    @classmethod
    @contextlib.contextmanager
    def running(cls, mines: int) -> Iterator[AdviseProcess]:
        """Run the command for the board on the screen."""
        command = [sys.executable, "-m", "bot", "advise", "--overlay", "--json", "--mines", str(mines)]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        advise = cls()
        thread = threading.Thread(target=advise.collect, args=(child,))
        thread.start()
        try:
            deadline = time.monotonic() + STARTUP_TIMEOUT
            while not advise.lines and time.monotonic() < deadline:
                time.sleep(0.05)
            yield advise
        finally:
            child.send_signal(signal.SIGINT)
            child.wait(20)
            thread.join()


@dataclass
class DelayMeasurements:
    """Delays in seconds, and boards with different readings."""

    certain: list[float] = field(default_factory=list)
    guesses: list[float] = field(default_factory=list)
    boards: int = 0
    different: list[tuple[list[str], list[str]]] = field(default_factory=list)


def print_delays(program: MarkedProgram, options: argparse.Namespace) -> None:
    """Click through games, and print the delays."""
    result = DelayMeasurements()
    with AdviseProcess.running(program.running.size.mines) as advise:
        for game in range(options.games):
            program.controls.forget_pointer()
            if game:
                program.controls.press("f7")  # hide the marks, so that the whole screen is visible
                program.running.new_game(program.found.box, "lost")
                program.find()
            program.controls.press("f7")  # show the cells without waiting for proofs
            time.sleep(0.5)
            click_through_game(program, advise, result)
            progress = f"game {game + 1}: {result.boards} boards, {len(result.different)} read differently"
            print(progress, file=sys.stderr)
    print(f"{options.program}: {result.boards} boards, {len(result.different)} read differently")
    for what, delays in (("certain cells", result.certain), ("guesses", result.guesses)):
        if delays:
            milliseconds = np.percentile(np.array(delays) * 1000, (50, 90, 99, 100))
            print(f"{what}: {len(delays)} clicks; median, 90 %, 99 %, longest: {milliseconds.round(0)} ms")
    for expected, got in result.different[:3]:
        print("\n".join(f"{a}  {b}" for a, b in zip(expected, got, strict=False)))


def click_through_game(program: MarkedProgram, advise: AdviseProcess, result: DelayMeasurements) -> None:
    """Click through one game and measure."""
    found = program.found
    reader = program.readers.reader(found.region_lattice, found.skin)
    rules = GameRules(program.running.size.mines, program.running.program.first_click)
    planner = Planner(Reasoner(load_strategies()), rules)
    while True:
        captured = program.capture()
        assert captured is not None
        board = reader.observe(captured[0]).board
        reader.notify_moves((), certain=False)
        move = None if board.shown_mines or not board.closed else next_move(planner, board)
        if move is None:
            return
        result.boards += 1
        if not advise.waits_for(board):
            result.different.append((list(board.grid), advise.rows))
        left, top, right, bottom = found.region_lattice.rectangle(move)
        program.controls.click(found.region[0] + (left + right) / 2, found.region[1] + (top + bottom) / 2)
        program.controls.forget_pointer()
        delay = measure_delay(program, captured[0].pixels)
        certain = advise.lines[-1]["safe"] or advise.lines[-1]["wrong_flags"]
        if delay is not None:
            (result.certain if certain else result.guesses).append(delay)


def is_same(rows: list[str], board: Board) -> bool:
    """Whether rows and board agree on all cells that both contain."""
    pairs = zip("".join(rows), "".join(board.grid), strict=True)
    return all(a == b or "~" in (a, b) for a, b in pairs)


def next_move(planner: Planner, board: Board) -> int | None:
    """The next cell to open."""
    try:
        moves = planner.plan(board).moves
    except Contradiction:
        return None
    return next((move.cell for move in moves if move.kind == "open"), None)


def measure_delay(program: MarkedProgram, before: Pixels) -> float | None:
    """The delay after one click; None if the program or the overlay drew nothing.

    `before` is the picture of the program's window before the click.
    """
    began = still = time.monotonic()
    drawn = marked = 0.0
    window, marks = before, None
    while time.monotonic() - still < REST and time.monotonic() - began < TIMEOUT:
        captured = program.capture()
        now = time.monotonic()
        time.sleep(POLL)  # leave the processor to the measured processes
        assert captured is not None
        own, over = captured[0].pixels, captured[1]
        if not np.array_equal(own, window):
            drawn = still = now
        elif marks is not None and not np.array_equal(over, marks):
            marked = still = now
        window, marks = own, over
    return marked - drawn if marked > drawn > 0 else None


# --- marks ---------------------------------------------------------------------------------------------


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


def marked_cells(over: Marks, lattice: Lattice) -> frozenset[int]:
    """The cells with marks."""
    cells = range(lattice.rows * lattice.columns)
    boxes = ((cell, lattice.rectangle(cell)) for cell in cells)
    return frozenset(
        cell for cell, (left, top, right, bottom) in boxes if over[top:bottom, left:right].mean() > MARKED
    )


def print_marks(program: MarkedProgram, options: argparse.Namespace) -> None:
    """Let `sapper play` play games, and print how often its next move was marked."""
    program.controls.forget_pointer()
    command = [
        sys.executable, "-m", "bot", "play", "--window", program.running.window.title, "--yes", "--json",
        "--overlay", "--delay", str(options.delay), "--games", str(options.games),
        "--mines", str(program.running.size.mines),
    ]  # fmt: skip
    log, moments = PressLog(), random.Random(options.seed)
    shots: list[tuple[float, frozenset[int]]] = []  # seconds, cells with marks
    with log.listening():
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        while child.poll() is None:
            captured, now = program.capture(), time.monotonic()
            if captured:
                shots.append((now, marked_cells(captured[1], program.found.region_lattice)))
            time.sleep(moments.uniform(*PAUSE))
    assert child.stdout is not None
    for line in child.stdout:
        game = json.loads(line)
        print(f"{game['result']}: {game['clicks']} clicks in {game['seconds']:.0f} s, "
              f"{game['wrong_certain']} wrong", file=sys.stderr)  # fmt: skip
    presses = list(cell_presses(log, program))
    longest = options.delay / 1000 + LONGEST
    pairs = [(a, b, cell) for (a, _), (b, cell) in pairwise(presses) if b - a <= longest]
    between = [(marked, cell) for a, b, cell in pairs for at, marked in shots if a < at < b]
    count = max(len(between), 1)
    print(
        f"{options.program}: {len(presses)} presses, {len(between)} screenshots; "
        f"next move marked {sum(cell in marked for marked, cell in between) / count:.1%}, "
        f"no marks at all {sum(not marked for marked, _ in between) / count:.1%}"
    )


def cell_presses(log: PressLog, program: MarkedProgram) -> Iterator[tuple[float, int]]:
    """The presses on cells: seconds, cell."""
    lattice, region = program.found.region_lattice, program.found.region
    for at, x, y in log.presses:
        for cell in range(lattice.rows * lattice.columns):
            left, top, right, bottom = lattice.rectangle(cell)
            if left <= x - region[0] < right and top <= y - region[1] < bottom:
                yield at, cell


def main() -> None:
    """Measure and print."""
    parser = new_parser(__doc__)
    parser.add_argument("measurement", choices=("delay", "marks"))
    parser.add_argument("--program", default="xdemineur")
    parser.add_argument("--size", default="16x16")
    parser.add_argument("--mines", type=int, default=40)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--delay", type=float, default=500, help="pause of `play`, milliseconds")
    parser.add_argument("--seed", type=int, default=1, help="of the random moments")
    options = parser.parse_args()
    size = BoardSize.parse(f"{options.size}/{options.mines}")
    with (
        open_desktop(True, (1280, 900), window_manager=True) as desktop,
        RunningProgram.start(desktop, Program.load(options.program), size) as running,
    ):
        measure = print_delays if options.measurement == "delay" else print_marks
        measure(MarkedProgram(desktop, running), options)


if __name__ == "__main__":
    main()
