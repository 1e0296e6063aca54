"""How soon the hints of `sapper advise --overlay` stand once a program has drawn, and if it reads right.

    python benchmarks/playing/overlay.py --program xdemineur --size 16x16 --mines 40 --games 20

A program runs on a virtual screen, and `sapper advise --overlay` over it. Cells are clicked as a person would
click them. After each click two pictures are compared again and again: that of the program's own window, and
that of the screen, which has the marks as well. The delay is the time from the last change of the one to the
last change of the other. What advise has read is compared with what is read in the window's own picture.
"""

from __future__ import annotations

import argparse
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

from bot.desktop.backends import Desktop, open_desktop
from bot.desktop.x11.capture import X11Capture
from bot.desktop.x11.windows import X11Windows
from bot.game.plan import Planner
from bot.game.types import GameRules
from bot.play.finder import BoardFinder, DesktopAccess, View
from bot.play.finder import LocatedBoard as Found
from bot.programs.program import BoardSize, Program
from bot.programs.runner import RunningProgram
from bot.readers import ReaderFactory
from games.errors import Contradiction
from games.minesweeper import Board
from strategies import Reasoner, load_strategies
from vision.frame import MssCapture, Pixels

REST = 0.5  # seconds without a change of either picture, after which a click has shown
LATEST = 5.0
POLL = 0.004
STARTING = 15.0


@dataclass
class Adviser:
    """`sapper advise --overlay --json`, running: the lines it has printed."""

    lines: list[dict[str, object]] = field(default_factory=list)

    @property
    def rows(self) -> list[str]:
        """What it read last."""
        return [str(row) for row in cast("list[str]", self.lines[-1]["rows"])]

    def comes_to(self, board: Board) -> bool:
        """Whether it reads this board, too. It prints that when the proof, or the guess, is found."""
        deadline = time.monotonic() + LATEST
        while not is_same(self.rows, board) and time.monotonic() < deadline:
            time.sleep(0.05)
        return is_same(self.rows, board)

    def read(self, child: subprocess.Popen[str]) -> None:
        """Until it ends."""
        assert child.stdout is not None
        for line in child.stdout:
            self.lines.append(json.loads(line))


@contextmanager
def advising(mines: int) -> Iterator[Adviser]:
    """The command, over whatever board is on the screen."""
    command = [sys.executable, "-m", "bot", "advise", "--overlay", "--json", "--mines", str(mines)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    adviser = Adviser()
    thread = threading.Thread(target=adviser.read, args=(child,))
    thread.start()
    try:
        deadline = time.monotonic() + STARTING
        while not adviser.lines and time.monotonic() < deadline:
            time.sleep(0.05)
        yield adviser
    finally:
        child.send_signal(signal.SIGINT)
        child.wait(20)
        thread.join()


@dataclass
class Seen:
    """What was measured: delays in seconds, and boards that were read otherwise."""

    certain: list[float] = field(default_factory=list)
    guesses: list[float] = field(default_factory=list)
    boards: int = 0
    otherwise: list[tuple[list[str], list[str]]] = field(default_factory=list)


def play(desktop: Desktop, running: RunningProgram, games: int, seen: Seen) -> None:
    """Click through games, and measure."""
    hands, sight = desktop.hands, ReaderFactory.load()
    screen = MssCapture()
    finder = BoardFinder(DesktopAccess(screen, hands, desktop.windows, running), sight)
    found = finder.find()
    with advising(running.size.mines) as adviser:
        for game in range(games):
            hands.forget_pointer()
            if game:
                hands.press("f7")  # hidden: the whole screen is looked at
                running.new_game(found.box, "lost")
                found = finder.find()
            hands.press("f7")  # which cells: no proof is waited for
            time.sleep(0.5)
            play_one(desktop, running, Clicker(screen, sight, found), adviser, seen)
            what = f"game {game + 1}: {seen.boards} boards, {len(seen.otherwise)} read otherwise"
            print(what, file=sys.stderr)


@dataclass(frozen=True)
class Clicker:
    """Who clicks through a game: pictures of the screen, what reads, and the board as it was found."""

    screen: MssCapture
    sight: ReaderFactory
    found: Found


def play_one(
    desktop: Desktop, running: RunningProgram, clicker: Clicker, adviser: Adviser, seen: Seen
) -> None:
    """Click through one game, and measure."""
    assert isinstance(desktop.windows, X11Windows)
    target = desktop.windows.target(running.window.id)
    assert target is not None
    found, alone = clicker.found, X11Capture()
    view = View.of(found.frame, found.lattice)
    reader = clicker.sight.reader(view.lattice, found.skin)
    rules = GameRules(running.size.mines, running.program.first_click)
    planner = Planner(Reasoner(load_strategies()), rules)
    while True:
        frame = alone.grab_window(target.top, view.region)
        assert frame is not None
        board = reader.observe(frame).board
        reader.notify_moves((), certain=False)
        move = None if board.shown_mines or not board.closed else next_move(planner, board)
        if move is None:
            break
        seen.boards += 1
        if not adviser.comes_to(board):
            seen.otherwise.append((list(board.grid), adviser.rows))
        left, top, right, bottom = view.lattice.rectangle(move)
        desktop.hands.click(view.region[0] + (left + right) / 2, view.region[1] + (top + bottom) / 2)
        desktop.hands.forget_pointer()
        delay = watch(alone, clicker.screen, target.top, view, frame.pixels)
        certain = adviser.lines[-1]["safe"] or adviser.lines[-1]["wrong_flags"]
        if delay is not None:
            (seen.certain if certain else seen.guesses).append(delay)
    alone.close()


def is_same(rows: list[str], board: Board) -> bool:
    """Whether rows show what is read on a board; a cell that only one of both reads is left out."""
    pairs = zip("".join(rows), "".join(board.grid), strict=True)
    return all(a == b or "~" in (a, b) for a, b in pairs)


def next_move(planner: Planner, board: Board) -> int | None:
    """The cell that is opened next."""
    try:
        moves = planner.plan(board).moves
    except Contradiction:
        return None
    return next((move.cell for move in moves if move.kind == "open"), None)


def watch(alone: X11Capture, screen: MssCapture, top: int, view: View, before: Pixels) -> float | None:
    """The delay behind one click; None where the program or the overlay drew nothing.

    `before` is how the program's window looked before the click.
    """
    began = still = time.monotonic()
    drawn = marked = 0.0
    program, marks = before, None
    while time.monotonic() - still < REST and time.monotonic() - began < LATEST:
        own, everything = alone.grab_window(top, view.region), screen.grab(view.region)
        now = time.monotonic()
        time.sleep(POLL)  # it must not take the processor from what it measures
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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--program", default="xdemineur")
    parser.add_argument("--size", default="16x16")
    parser.add_argument("--mines", type=int, default=40)
    parser.add_argument("--games", type=int, default=20)
    given = parser.parse_args()
    seen = Seen()
    program = Program.load(given.program)
    layout = BoardSize.parse(f"{given.size}/{given.mines}")
    with (
        open_desktop(True, (1280, 900), window_manager=True) as desktop,
        RunningProgram.start(desktop, program, layout) as running,
    ):
        play(desktop, running, given.games, seen)
    print(f"{given.program}: {seen.boards} boards, {len(seen.otherwise)} read otherwise")
    for what, delays in (("certain cells", seen.certain), ("risks and a guess", seen.guesses)):
        if delays:
            milliseconds = np.percentile(np.array(delays) * 1000, (50, 90, 99, 100))
            print(f"{what}: {len(delays)} times; median, 90 %, 99 %, most: {milliseconds.round(0)} ms")
    for expected, got in seen.otherwise[:3]:
        print("\n".join(f"{a}  {b}" for a, b in zip(expected, got, strict=False)))


if __name__ == "__main__":
    main()
