"""Labelled screenshots of programs whose mines we lay: `python tools/collect_laid.py gnome-mines`.

Or `ace-minesweeper`. The program runs with its random numbers coming from us (see `laid.py`), so every label
is known by counting; learning then refuses labels that contradict each other.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
from desk import desk
from laid import Game, drawn, rings, shim, shuffled
from numpy.typing import NDArray

from games.logic import bits
from games.minesweeper import Board
from vision.annotations import format_labels
from vision.frame import Frame
from vision.lattice import Lattice
from vision.locate.locate import locate_lattice

SCREENS = Path(__file__).resolve().parents[1] / "fixtures" / "screens"
GNOME_KEYS = """[org/gnome/Mines]
mode=3
xsize=12
ysize=10
nmines=30
use-animations=false
window-width=900
window-height=600
"""
GNOME_SIZES = (  # the first is as small as the window gets
    (590, 460), (620, 440), (690, 500), (760, 540), (910, 656),
    (1020, 730), (1150, 800), (1300, 950), (1480, 1090),
)  # fmt: skip
ACE_LEVELS = {  # cells across, their pixels, mines in each block; several layouts for all numbers
    "1": (8, 48, ((6,), (5, 1), (4, 2))),
    "2": (11, 36, ((8, 7, 5), (6, 6, 4, 4))),
    "3": (16, 24, ((8, 7, 6, 5, 4, 6, 4, 3, 2),)),
}
ACE_WIDTH, ACE_HEAD = 401, 26  # of its window; of what stands above the board, pixels


def save(program: str, state: str, window: Frame, lattice: Lattice, board: Board) -> None:
    """Write a labelled picture of a window; its lattice is relative to the picture."""
    folder = SCREENS / program
    folder.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / f"{state}.png"), window.pixels, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    (folder / f"{state}.txt").write_text(format_labels(lattice, board))


def evened(fresh: Frame) -> Lattice:
    """The lines of a fresh board whose toolkit makes the first cells a pixel larger when a rest is left.

    Locating may be off by a pixel, and labels may not: all hidden cells look the same from their corners on.
    """
    found = locate_lattice(fresh)
    grey = fresh.pixels.astype(np.float64).mean(axis=2)
    across, down = grey[found.ys[0] + 8], grey[:, found.xs[0] + 8]
    return Lattice(spread(found.xs, across), spread(found.ys, down))


def spread(lines: tuple[int, ...], strip: NDArray[np.float64]) -> tuple[int, ...]:
    """The evenly spread lines near these that cut a strip of pixels through hidden cells most alike."""
    cells, edge = len(lines) - 1, np.arange(8)

    def spread_to(end: int) -> tuple[int, ...]:
        size, larger = divmod(end - lines[0], cells)
        return tuple(lines[0] + size * k + min(k, larger) for k in range(cells + 1))

    def uneven(spread: tuple[int, ...]) -> float:
        at = np.array(spread)[:, None]
        looks = np.hstack([strip[at[:-1] + edge], strip[at[1:] - 1 - edge]])
        return float(np.abs(looks - looks[0]).sum())

    return min((spread_to(end) for end in range(lines[-1] - 4, lines[-1] + 5)), key=uneven)


def gnome() -> None:
    """gnome-mines at several window sizes: numbers, marks, the lit cell under the pointer, a lost game."""
    mines = rings(10, 12, (8, 7, 6, 5, 4))
    with laying() as (environment, numbers):
        environment |= {"GSETTINGS_BACKEND": "keyfile", "DBUS_SESSION_BUS_ADDRESS": "disabled:"}
        files = {".config/glib-2.0/settings/keyfile": GNOME_KEYS}
        with desk(["/usr/games/gnome-mines"], environment, files) as shown:
            shown.window()
            time.sleep(1)
            for x, y in ((602, 497), (455, 397)):  # "Custom", then "Play Game"
                shown.click(x, y)
                time.sleep(0.6)
            lattices = {}
            for size in GNOME_SIZES:
                shown.place(0, 0, *size)
                time.sleep(0.5)
                lattices[size] = evened(shown.look())
            numbers.write_text(drawn(mines, 12))
            game = Game(shown, lattices[size], mines)

            def stage(name: str, hover: int | None = None) -> None:
                for size, lattice in lattices.items():
                    shown.place(0, 0, *size)
                    time.sleep(0.5)
                    shown.park(*((2, 2) if hover is None else lattice.centre(hover)))
                    window = shown.look().crop(0, 0, *size)
                    save("gnome-mines", f"{name}_{round(lattice.pitch)}", window, lattice, game.board)

            game.open_most({13, 16, 19, 22, 49})
            stage("numbers")
            hidden = list(bits(mines))
            for number, k in enumerate(hidden[::2]):
                game.mark(k, 1 + number % 2)
            stage("marks", hover=hidden[1])
            game.open(hidden[1])
            game.show_mines()
            stage("lost")


def ace_stage(name: str, game: Game) -> None:
    """Save what ace-minesweeper shows now."""
    game.desk.park(2, 2)
    window = game.desk.look().crop(*game.desk.box())
    save("ace-minesweeper", f"{name}_{round(game.lattice.pitch)}", window, game.lattice, game.board)


def ace() -> None:
    """ace-minesweeper at each of its levels: numbers, flags, a lost game."""
    for level, (side, pitch, layouts) in ACE_LEVELS.items():
        with laying() as (environment, numbers), desk(["/usr/games/ace-minesweeper"], environment) as shown:
            shown.window()
            time.sleep(0.5)
            shown.focus()
            margin = (ACE_WIDTH - side * pitch) // 2  # the board stands in the middle of the window
            across = tuple(margin + pitch * k for k in range(side + 1))
            lattice = Lattice(across, tuple(ACE_HEAD + x for x in across))
            for counts in layouts[::-1]:
                mines = rings(side, side, counts)
                turned = sum(1 << (k % side * side + k // side) for k in bits(mines))  # it counts down
                numbers.write_text(shuffled(turned, side * side))
                shown.type(level)
                time.sleep(0.5)
                game = Game(shown, lattice, mines)
                middles = {
                    (3 * (n // (side // 3)) + 1) * side + 3 * (n % (side // 3)) + 1
                    for n in range(len(counts))
                }
                if counts is layouts[0]:
                    ace_stage("fresh", game)
                game.open_most(middles)
                ace_stage("numbers" if counts is layouts[0] else f"numbers_{counts[0]}", game)
            for k in list(bits(mines))[::3]:
                game.mark(k)
            ace_stage("flags", game)
            game.open(next(k for k in bits(mines) if game.board[k] == "."))
            game.show_mines()
            ace_stage("lost", game)


@contextmanager
def laying() -> Iterator[tuple[dict[str, str], Path]]:
    """The environment of a program whose random numbers we give, and the file to write them to."""
    with tempfile.TemporaryDirectory() as folder:
        numbers = Path(folder) / "numbers"
        yield {"LD_PRELOAD": str(shim(Path(folder))), "LAID": str(numbers)}, numbers


if __name__ == "__main__":
    {"gnome-mines": gnome, "ace-minesweeper": ace}[sys.argv[1]]()
