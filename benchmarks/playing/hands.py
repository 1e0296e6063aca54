"""What presses cost, how many are lost: `python benchmarks/playing/hands.py [--window-manager] [--games 10]`.

On a virtual screen of its own: milliseconds a press through pyautogui, through XTEST, and through XTEST where
the window under the pointer is asked in the same hold of the server. Then games on a known program: how many
acts had to be made again, and seconds a game with its shares. Medians; `--busy N` keeps so many processors
busy.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from bot.desktop.backends import Desktop, open_desktop
from bot.desktop.input import QUICK, ButtonPresser, GuiButtonPresser, PressTarget
from bot.desktop.x11.windows import X11Windows
from bot.game.outcome import GameResult
from bot.game.types import Plan
from bot.play.finder import BoardFinder, DesktopAccess
from bot.play.session import PlayOptions, Session
from bot.programs.program import BoardSize, Program
from bot.programs.runner import RunningProgram
from bot.readers import ReaderFactory
from games.errors import SapperError
from games.minesweeper import Board, Move
from strategies import load_strategies
from vision.frame import MssCapture
from vision.reading import Reading

PRESSES = 300
SPIN = "while True: pass"
WINDOW = "import tkinter as tk; t = tk.Tk(); t.title('press me'); t.geometry('500x400+200+200'); t.mainloop()"


class Count:
    """A listener that counts acts, and acts that were made again."""

    def __init__(self) -> None:
        self.acts = self.again = 0

    def on_reading(self, reading: Reading) -> None:
        """Nothing."""

    def on_plan(self, board: Board, plan: Plan) -> None:
        """Nothing."""

    def on_moves(self, board: Board, moves: Sequence[Move]) -> None:
        """Moves were made."""
        self.acts += len(moves)

    def on_note(self, text: str) -> None:
        """A note, perhaps that a click did not show."""
        self.again += text.startswith("clicked again")


@contextmanager
def child(code: str) -> Iterator[None]:
    """A Python process beside this one."""
    process = subprocess.Popen([sys.executable, "-c", code])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def press_costs(desktop: Desktop) -> None:
    """Print what a press costs in each way."""
    windows = desktop.windows
    assert isinstance(windows, X11Windows)
    with child(WINDOW):
        while not (found := [w for w in windows.all() or () if w.title == "press me" and w.is_shown]):
            time.sleep(0.05)
        time.sleep(0.5)
        left, top, _, _ = found[0].box
        target = windows.target(found[0].id)
        xtest = windows.presses()
        assert xtest is not None
        import pyautogui

        ways: dict[str, tuple[ButtonPresser, PressTarget | None]] = {
            "pyautogui": (GuiButtonPresser(pyautogui), None),
            "XTEST": (xtest, None),
            "XTEST, asked": (xtest, target),
        }
        for name, (presses, wanted) in ways.items():
            took = []
            for number in range(PRESSES):
                began = time.perf_counter()
                done = presses.press(left + 20 + number, top + 20 + number, ["left"], wanted, QUICK)
                took.append(1000 * (time.perf_counter() - began))
                assert done
            slow = sorted(took)[-PRESSES // 20]
            print(f"{name:14} {statistics.median(took):6.2f} ms a press, 95 % {slow:.2f}")


def games(desktop: Desktop, name: str, board: str, number: int) -> None:
    """Play so many games, each in a program that was just started, and print what became of the acts."""
    count, results, stopped = Count(), list[GameResult](), list[str]()
    layout = BoardSize.parse(board)
    for _ in range(number):
        desktop.hands.forget_pointer()
        try:
            with (
                RunningProgram.start(desktop, Program.load(name), layout) as running,
                MssCapture() as grabber,
            ):
                around = DesktopAccess(grabber, desktop.hands, desktop.windows, running)
                finder = BoardFinder(around, ReaderFactory.load(), (layout.columns, layout.rows))
                wishes = PlayOptions(layout.mines)
                session = Session(wishes, around, finder, load_strategies(), "benchmark", [count])
                results += session.games(1)
        except SapperError as error:
            stopped.append(str(error))

    def middle(share: Callable[[GameResult], float]) -> str:
        return f"{statistics.median(share(result) for result in results):.2f}"

    won = sum(result.result == "won" for result in results)
    print(f"{name} {board}: {won} of {number} won, {count.again} of {count.acts} acts made again")
    print(
        f"  {middle(lambda r: r.seconds)} s a game: capture {middle(lambda r: r.capture_s)}, "
        f"read {middle(lambda r: r.read_s)}, reason {middle(lambda r: r.reason_s)}, "
        f"act {middle(lambda r: r.act_s)}, wait {middle(lambda r: r.wait_s)}"
    )
    for reason in stopped:
        print(f"  stopped: {reason}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--window-manager", action="store_true", help="with openbox on the screen")
    parser.add_argument("--program", default="sgt-mines")
    parser.add_argument("--board", default="16x16/40")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--busy", type=int, default=0, help="processes that do nothing but compute")
    chosen = parser.parse_args()
    spinning = [subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(chosen.busy)]
    try:
        with open_desktop(virtual=True, window_manager=chosen.window_manager) as desktop:
            print(
                f"{'openbox' if chosen.window_manager else 'no window manager'}, {os.cpu_count()} processors"
            )
            press_costs(desktop)
            games(desktop, chosen.program, chosen.board, chosen.games)
    finally:
        for process in spinning:
            process.kill()
            process.wait()


if __name__ == "__main__":
    main()
