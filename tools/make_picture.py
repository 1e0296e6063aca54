"""Takes docs/images/playing.png: a real screenshot of Sapper in a terminal, and the game above it.

Run it with Sapper's own Python on a machine with Xvfb, openbox, xterm and xdemineur:

    .venv/bin/python tools/make_picture.py docs/images/playing.png

The game and the terminal share one virtual screen. Each try is one game; the first that goes on long enough
is taken when some two fifths of the cells are still closed and the terminal has just drawn a new look.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import cv2
import numpy as np

from bot.desktop.ports import find_windows
from bot.desktop.virtual import VirtualScreen
from bot.desktop.x11.windows import X11Windows
from bot.readers import ReaderFactory
from games.errors import SapperError
from vision.frame import Frame, MssCapture
from vision.locate.locate import locate_lattice

SCREEN = (668, 814)
TERMINAL_TOP = 478  # the terminal begins there
COMMAND = "sapper play --program xdemineur --size 30x16 --mines 99 --delay 100"
SAPPER = f"'{sys.executable}' -m bot" + COMMAND.removeprefix("sapper")
CLOSED = (0.3, 0.5)  # the share of cells that may be closed in the picture
TRIES = 20


def main(path: Path) -> None:
    """Play until a picture is good, and write it."""
    sight = ReaderFactory.load()
    with VirtualScreen(*SCREEN, window_manager=True) as screen:
        for _ in range(TRIES):
            picture = one_game(screen.windows, sight)
            if picture is not None:
                cv2.imwrite(str(path), picture.pixels, [cv2.IMWRITE_PNG_COMPRESSION, 9])
                print(f"{path}: {path.stat().st_size} bytes")
                return
    raise SystemExit(f"no game in {TRIES} went on long enough: run it again")


def one_game(windows: X11Windows, sight: ReaderFactory) -> Frame | None:
    """The screen in the middle of one game, None when the game was over before that."""
    shell = f"printf '$ {COMMAND}\\n'; {SAPPER}; sleep 0.5"
    with subprocess.Popen(
        ["xterm", "-T", "terminal", "-geometry", f"80x22+0+{TERMINAL_TOP - 22}", "-fa", "DejaVu Sans Mono",
         "-fs", "9", "-bg", "black", "-fg", "grey85", "-e", "sh", "-c", shell],
    ) as terminal:  # fmt: skip
        try:
            with MssCapture() as grabber:
                before = grabber.grab()
                while terminal.poll() is None:
                    time.sleep(0.03)
                    picture = grabber.grab()
                    is_drawn = not np.array_equal(before.pixels[TERMINAL_TOP:], picture.pixels[TERMINAL_TOP:])
                    if is_drawn and find_windows(windows, "mineur") and is_half_way(picture, sight):
                        time.sleep(0.1)  # it draws line by line
                        return grabber.grab()
                    before = picture
        finally:
            terminal.terminate()
            while find_windows(windows, "mineur"):
                time.sleep(0.05)
    return None


def is_half_way(picture: Frame, sight: ReaderFactory) -> bool:
    """Whether the board shows, the game goes on, and as many cells are closed as the picture wants."""
    try:
        board = sight.best_skin(picture, locate_lattice(picture))[1].board
    except SapperError:
        return False
    if board.shown_mines:
        return False
    return CLOSED[0] <= board.closed.bit_count() / len(board) <= CLOSED[1]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
