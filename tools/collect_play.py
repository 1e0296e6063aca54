"""Labelled screenshots by playing: `python tools/collect_play.py PROGRAM SIZE MINES GAMES`.

When a game is lost the program shows where the mines were, so every open number is known by counting: what
the skin learned so far cannot read is labelled that way. Learning then refuses labels that
contradict each other.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import cv2
import numpy as np
from desk import Desk, desk

from games.logic.bits import bits
from games.minesweeper.board import DIGITS, Board
from vision.frame import Frame
from vision.labels import Labelled, format_labels, labelled_pictures, load_labelled
from vision.lattice import Lattice
from vision.skins import learn
from vision.locating import locate
from vision.reader import read
from vision.recognise import align
from vision.skins import Skin

SCREENS = Path(__file__).resolve().parents[1] / "fixtures" / "screens"


def window_picture(shown: Desk) -> Frame:
    """The program's window, still, the pointer away from the board."""
    shown.park(2, 2)
    frame = shown.look()
    return frame.cut(*shown.box())


def labelled_by_counting(board: Board) -> Board:
    """A lost board with its unread cells counted: a number is the mines and right flags around it."""
    mines = board.shown_mines & ~board.having("x") | board.flagged
    unread = {k: str((board.around[k] & mines).bit_count()) for k in bits(board.unread)}
    return board.showing(unread)


def consistent(board: Board) -> bool:
    """Whether every open number counts the mines that are shown around it."""
    mines = board.shown_mines & ~board.having("x") | board.flagged
    return all(
        int(state) == (board.around[k] & mines).bit_count()
        for k, state in enumerate(board.cells)
        if state in DIGITS
    )


def save(folder: Path, state: str, sample: Labelled) -> None:
    """Write a labelled picture."""
    folder.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / f"{state}.png"), sample.frame.pixels, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    (folder / f"{state}.txt").write_text(format_labels(sample.lattice, sample.board))


def own_skin(program: str) -> Skin:
    """What the labelled pictures so far teach about a program."""
    return learn(program, [load_labelled(p) for p in labelled_pictures(SCREENS / program)])


def play_until_lost(shown: Desk, lattice: Lattice, skin: Skin, rng: random.Random, pause: float = 0) -> Board:
    """Open random hidden cells until a mine shows; returns the last reading (with unread cells)."""
    left, top, _, _ = shown.box()
    hidden = list(range(lattice.rows * lattice.columns))
    rng.shuffle(hidden)
    for cell in hidden:
        x, y = lattice.centre(cell)
        shown.click(left + x, top + y)
        time.sleep(pause)
        shown.dismiss()
        board = read(window_picture(shown), lattice, skin).board
        if board.having("!"):
            return board
    raise RuntimeError("no mine was hit")


def xdemineur(columns: int, rows: int, mines: int, games: int) -> Iterable[Labelled]:
    """Lost games of xdemineur that show something unread."""
    skin = own_skin("xdemineur")
    lattice = Lattice(
        tuple(16 + 21 * k for k in range(columns + 1)), tuple(81 + 21 * k for k in range(rows + 1))
    )
    rng = random.Random(7)  # noqa: S311 - which cells are clicked is no secret
    command = ["/usr/games/xdemineur", "-geometry", f"{columns}x{rows}", "-m", str(mines)]
    with desk(command) as shown:
        left, top, width, _ = shown.box()
        for _ in range(games):
            shown.click(left + width // 2, top + 40)
            board = play_until_lost(shown, lattice, skin, rng)
            if board.unread:
                sample = Labelled(window_picture(shown), lattice, labelled_by_counting(board))
                if consistent(sample.board):
                    yield sample
                    seen = set(sample.board.cells)
                    if "7" in seen and "8" in seen:
                        return


KMINES_KEYS = """[KgDifficulty]
Level=Custom
[Options]
custom width={}
custom height={}
custom mines={}
"""
POPUP = 6.0  # seconds until the "You have lost." over the board has gone
KMINES_BASE = (600, 540)  # the window in which it is played
KMINES_SIZES = (
    (340, 320), (430, 420), (520, 480), KMINES_BASE, (760, 640), (900, 760), (1150, 950), (1500, 1190),
)  # fmt: skip


def kmines(columns: int, rows: int, mines: int, games: int) -> Iterable[Labelled]:
    """Lost games of kmines that show something unread, each at several window sizes."""
    skin = own_skin("kmines")
    rng = random.Random(7)  # noqa: S311 - which cells are clicked is no secret
    files = {".config/kminesrc": KMINES_KEYS.format(columns, rows, mines)}
    command = ["dbus-run-session", "--", "/usr/games/kmines", "-geometry", "700x600"]
    with desk(command, {}, files) as shown:
        shown.window()
        time.sleep(2)
        lattices = {}
        for size in KMINES_SIZES:
            shown.place(0, 0, *size)
            time.sleep(0.7)
            picture = window_picture(shown)
            lattices[size] = align(picture, locate(picture), skin).lattice
        base = KMINES_BASE
        shown.place(0, 0, *base)
        time.sleep(0.7)
        marks = {k: "F?"[k % 2] for k in range(0, columns * rows, 3)}
        for cell, state in marks.items():
            for _ in range("F?".index(state) + 1):
                shown.click(*lattices[base].centre(cell), button=3)
        for size in KMINES_SIZES:
            shown.place(0, 0, *size)
            time.sleep(0.7)
            yield Labelled(window_picture(shown), lattices[size], Board.fresh(rows, columns).showing(marks))
        missing = set("678")
        for _ in range(games):
            shown.place(0, 0, *base)
            shown.focus()
            shown.type("Control_L", "n")
            time.sleep(0.7)
            board = play_until_lost(shown, lattices[base], skin, rng, 0.15)
            if not missing & set(labelled_by_counting(board).cells):
                continue
            time.sleep(POPUP)
            board = read(window_picture(shown), lattices[base], skin).board
            truth = labelled_by_counting(board)
            if not consistent(truth) or not missing & set(truth.cells):
                continue
            missing -= set(truth.cells)
            for size in KMINES_SIZES:
                shown.place(0, 0, *size)
                time.sleep(0.7)
                yield Labelled(window_picture(shown), lattices[size], truth)
            if not missing:
                return


PROGRAMS: dict[str, Callable[[int, int, int, int], Iterable[Labelled]]] = {
    "xdemineur": xdemineur,
    "kmines": kmines,
}


def main(arguments: list[str]) -> None:
    """Collect pictures that teach something new."""
    program, size, mines, games = arguments[:4]
    columns, rows = map(int, size.split("x"))
    taught: set[tuple[int, str]] = set()
    for sample in PROGRAMS[program](columns, rows, int(mines), int(games)):
        pitch = round(sample.lattice.pitch)
        new = {(pitch, state) for state in "678F?" if state in sample.board.cells} - taught
        if new:
            taught |= new
            states = "".join(sorted(state for _, state in new))
            name = f"marks_{pitch}" if "F" in states else f"dense_{states}_{pitch}"
            save(SCREENS / program, name, sample)
            print(name, np.unique(list(sample.board.cells)), file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
