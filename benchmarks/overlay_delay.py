"""Delay between the drawing of a program and the marks of `sapper advise --overlay`.

Table: docs/results, "Overlay delay".

    python -m benchmarks.overlay_delay --program xdemineur --size 16x16 --mines 40 --games 20

A program and `sapper advise --overlay` run on a virtual screen, and the script clicks cells like a player.
After each click, it captures the program's own window and the screen, which also contains the marks. The
delay is the time from the last change of the window to the last change of the marks. The script also compares
the board that `advise` reports with a reading of the window.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from benchmarks.shared import new_parser
from bot.desktop.backends import Desktop, open_desktop
from bot.desktop.x11.capture import X11Capture
from bot.desktop.x11.windows import X11Windows
from bot.game.plan import Planner
from bot.game.types import GameRules
from bot.play.finder import BoardFinder, DesktopAccess, LocatedBoard
from bot.programs.program import BoardSize, Program
from bot.programs.runner import RunningProgram
from bot.readers import ReaderFactory
from games.errors import Contradiction
from games.minesweeper import Board
from strategies import Reasoner, load_strategies
from vision.frame import MssCapture, Pixels

REST = 0.5  # seconds without a change after which a click is complete
TIMEOUT = 5.0  # seconds per click
POLL = 0.004  # seconds between two captures
STARTUP_TIMEOUT = 15.0  # seconds


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


@contextmanager
def run_advise(mines: int) -> Iterator[AdviseProcess]:
    """Run the command for the board on the screen."""
    command = [sys.executable, "-m", "bot", "advise", "--overlay", "--json", "--mines", str(mines)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    advise = AdviseProcess()
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
class OverlayMeasurements:
    """Delays in seconds, and boards with different readings."""

    certain: list[float] = field(default_factory=list)
    guesses: list[float] = field(default_factory=list)
    boards: int = 0
    different: list[tuple[list[str], list[str]]] = field(default_factory=list)


def play(desktop: Desktop, running: RunningProgram, games: int, result: OverlayMeasurements) -> None:
    """Click through games and measure."""
    controls, readers = desktop.controls, ReaderFactory.load()
    screen = MssCapture()
    finder = BoardFinder(DesktopAccess(screen, controls, desktop.windows, running), readers)
    found = finder.find()
    with run_advise(running.size.mines) as advise:
        for game in range(games):
            controls.forget_pointer()
            if game:
                controls.press("f7")  # hide the marks, so that the whole screen is visible
                running.new_game(found.box, "lost")
                found = finder.find()
            controls.press("f7")  # show the cells without waiting for proofs
            time.sleep(0.5)
            play_one(desktop, running, ClickingPlayer(screen, readers, found), advise, result)
            progress = f"game {game + 1}: {result.boards} boards, {len(result.different)} read differently"
            print(progress, file=sys.stderr)


@dataclass(frozen=True)
class ClickingPlayer:
    """The screen grabber, the reader and the located board of the simulated player."""

    screen: MssCapture
    readers: ReaderFactory
    found: LocatedBoard


def play_one(
    desktop: Desktop,
    running: RunningProgram,
    player: ClickingPlayer,
    advise: AdviseProcess,
    result: OverlayMeasurements,
) -> None:
    """Click through one game and measure."""
    assert isinstance(desktop.windows, X11Windows)
    target = desktop.windows.target(running.window.id)
    assert target is not None
    found, alone = player.found, X11Capture()
    reader = player.readers.reader(found.region_lattice, found.skin)
    rules = GameRules(running.size.mines, running.program.first_click)
    planner = Planner(Reasoner(load_strategies()), rules)
    while True:
        frame = alone.grab_window(target.top, found.region)
        assert frame is not None
        board = reader.observe(frame).board
        reader.notify_moves((), certain=False)
        move = None if board.shown_mines or not board.closed else next_move(planner, board)
        if move is None:
            break
        result.boards += 1
        if not advise.waits_for(board):
            result.different.append((list(board.grid), advise.rows))
        left, top, right, bottom = found.region_lattice.rectangle(move)
        desktop.controls.click(found.region[0] + (left + right) / 2, found.region[1] + (top + bottom) / 2)
        desktop.controls.forget_pointer()
        delay = measure_delay(alone, player.screen, target.top, found, frame.pixels)
        certain = advise.lines[-1]["safe"] or advise.lines[-1]["wrong_flags"]
        if delay is not None:
            (result.certain if certain else result.guesses).append(delay)
    alone.close()


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


def measure_delay(
    alone: X11Capture, screen: MssCapture, top: int, found: LocatedBoard, before: Pixels
) -> float | None:
    """The delay after one click; None if the program or the overlay drew nothing.

    `before` is the picture of the program's window before the click.
    """
    began = still = time.monotonic()
    drawn = marked = 0.0
    program, marks = before, None
    while time.monotonic() - still < REST and time.monotonic() - began < TIMEOUT:
        own, everything = alone.grab_window(top, found.region), screen.grab(found.region)
        now = time.monotonic()
        time.sleep(POLL)  # leave the processor to the measured processes
        assert own is not None
        over = (own.pixels != everything.pixels).any(axis=2)
        if not np.array_equal(own.pixels, program):
            drawn = still = now
        elif marks is not None and not np.array_equal(over, marks):
            marked = still = now
        program, marks = own.pixels, over
    return marked - drawn if marked > drawn > 0 else None


def main() -> None:
    """Measure and print."""
    parser = new_parser(__doc__)
    parser.add_argument("--program", default="xdemineur")
    parser.add_argument("--size", default="16x16")
    parser.add_argument("--mines", type=int, default=40)
    parser.add_argument("--games", type=int, default=20)
    options = parser.parse_args()
    result = OverlayMeasurements()
    program = Program.load(options.program)
    layout = BoardSize.parse(f"{options.size}/{options.mines}")
    with (
        open_desktop(True, (1280, 900), window_manager=True) as desktop,
        RunningProgram.start(desktop, program, layout) as running,
    ):
        play(desktop, running, options.games, result)
    print(f"{options.program}: {result.boards} boards, {len(result.different)} read differently")
    for what, delays in (("certain cells", result.certain), ("guesses", result.guesses)):
        if delays:
            milliseconds = np.percentile(np.array(delays) * 1000, (50, 90, 99, 100))
            print(f"{what}: {len(delays)} clicks; median, 90 %, 99 %, longest: {milliseconds.round(0)} ms")
    for expected, got in result.different[:3]:
        print("\n".join(f"{a}  {b}" for a, b in zip(expected, got, strict=False)))


if __name__ == "__main__":
    main()
