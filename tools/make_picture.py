"""Take docs/images/playing.png: a screenshot of Sapper in a terminal with the game above it.

    .venv/bin/python tools/make_picture.py docs/images/playing.png

The script needs Xvfb, openbox, xterm and xdemineur. The game and the terminal share one virtual screen. The
script plays games until one lasts long enough, and takes the picture when about two fifths of the cells are
hidden and the terminal has just been redrawn.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import cv2
import numpy as np

from bot.desktop.ports import find_windows
from bot.desktop.virtual import virtual_screen
from bot.desktop.x11.windows import X11Windows
from bot.readers import ReaderFactory
from games.errors import SapperError
from vision.frame import Frame, MssCapture
from vision.locate.locate import locate_lattice

SCREEN = (668, 814)
TERMINAL_TOP = 478  # pixels
COMMAND = "sapper play --program xdemineur --size 30x16 --mines 99 --delay 100"
SAPPER = f"'{sys.executable}' -m bot" + COMMAND.removeprefix("sapper")
HIDDEN_SHARE = (0.3, 0.5)  # of the cells in the picture
TRIES = 20


def main(path: Path) -> None:
    """Play until a picture succeeds, and write it."""
    readers = ReaderFactory.load()
    with virtual_screen(*SCREEN, window_manager=True) as windows:
        for _ in range(TRIES):
            picture = play_one_game(windows, readers)
            if picture is not None:
                cv2.imwrite(str(path), picture.pixels, [cv2.IMWRITE_PNG_COMPRESSION, 9])
                print(f"{path}: {path.stat().st_size} bytes")
                return
    raise SystemExit(f"none of {TRIES} games lasted long enough: run the script again")


def play_one_game(windows: X11Windows, readers: ReaderFactory) -> Frame | None:
    """The screen in the middle of one game; None if the game ended earlier."""
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
                    if is_drawn and find_windows(windows, "mineur") and is_midway(picture, readers):
                        time.sleep(0.1)  # the terminal draws line by line
                        return grabber.grab()
                    before = picture
        finally:
            terminal.terminate()
            while find_windows(windows, "mineur"):
                time.sleep(0.05)
    return None


def is_midway(picture: Frame, readers: ReaderFactory) -> bool:
    """Whether the board is visible, the game is in play, and enough cells are hidden."""
    try:
        board = readers.best_skin(picture, locate_lattice(picture))[1].board
    except SapperError:
        return False
    if board.shown_mines:
        return False
    return HIDDEN_SHARE[0] <= board.closed.bit_count() / len(board) <= HIDDEN_SHARE[1]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
