"""Which known skin does a picture show, and where exactly are its cells?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from games.minesweeper.board import DIGITS, UNKNOWN, Board
from vision.frame import Frame
from vision.lattice import Lattice
from vision.reader import Reader, Reading
from vision.skin import Skin

ENOUGH = 0.9  # of the cells must be read: a popup or a state that the skin has never seen may cover the rest
ONE_LOOK_SURE = 0.8  # confidence that a board with a single look needs: nothing else would give it away
SHIFTS = 3  # pixels by which the lines may be off
SAMPLE = 40  # cells that are read at each place
GOOD = 0.9  # mean confidence that is not improved by trying other places


@dataclass(frozen=True, eq=False)
class Fit:
    """A skin that fits a board, the lattice moved to where its cells are, and what it reads there.

    `score` is the mean confidence, 0 (nothing is read) to 1 (every cell is exactly one of its tiles).
    """

    skin: Skin
    lattice: Lattice
    reading: Reading
    score: float


def recognise(frame: Frame, lattice: Lattice, skins: Iterable[Skin]) -> Skin | None:
    """The skin that reads this board best, None when none fits. Raises as `best_fit` does."""
    best = best_fit(frame, lattice, skins)
    return best.skin if best else None


def best_fit(frame: Frame, lattice: Lattice, skins: Iterable[Skin]) -> Fit | None:
    """The best fit of any skin, None when none fits.

    A skin fits when it is sure of nearly all cells and what it reads can be a board: no number is larger than
    the cells around it that may hold a mine, and not every cell is open. Raises Unplayable when the board
    reaches beyond the frame.
    """
    fits = (align(frame, lattice, skin) for skin in skins)
    return max((fit for fit in fits if is_convincing(fit)), key=lambda fit: fit.score, default=None)


def align(frame: Frame, lattice: Lattice, skin: Skin) -> Fit:
    """Move the lines by up to SHIFTS pixels to where the skin reads best; the nearest place wins a tie.

    Where cells begin is a matter of convention (a gap may belong to the cell before it or behind it): a skin
    knows it only as its tiles were cut, so a lattice found in a picture may be off by a pixel or two.
    """
    cells = range(0, lattice.rows * lattice.columns, lattice.rows * lattice.columns // SAMPLE + 1)
    best, best_score = lattice, -1.0
    for moved in _places(frame, lattice):
        score = Reader(skin, moved).sample(frame, cells)
        if score > best_score + 1e-6:
            best, best_score = moved, score
        if score >= GOOD:
            break
    reading = Reader(skin, best).read(frame)
    return Fit(skin, best, reading, float(reading.confidence.mean()))


def is_convincing(fit: Fit) -> bool:
    """Whether what a skin reads is surely a board of its program."""
    board, confidence = fit.reading.board, fit.reading.confidence
    read = confidence[confidence > 0]
    one_look = len(set(board.cells) - {UNKNOWN}) < 2
    if read.size < (1.0 if one_look else ENOUGH) * len(board):
        return False
    return not (one_look and float(read.mean()) < ONE_LOOK_SURE) and could_be(board)


def could_be(board: Board) -> bool:
    """Whether the rules allow this board at a glance: not all open, every number has room for its mines."""
    if not board.not_open & ~board.unread:
        return False
    return all(
        int(state) <= (board.around[k] & board.not_open).bit_count()
        for k, state in enumerate(board.cells)
        if state in DIGITS
    )


def _places(frame: Frame, lattice: Lattice) -> Iterator[Lattice]:
    """The lattice and its neighbours within the frame, nearest first."""
    span = np.arange(-SHIFTS, SHIFTS + 1)
    shifts = sorted(
        ((int(dx), int(dy)) for dx in span for dy in span), key=lambda s: (abs(s[0]) + abs(s[1]), s)
    )
    for dx, dy in shifts:
        inside_x = lattice.xs[0] + dx >= 0 and lattice.xs[-1] + dx <= frame.width
        if inside_x and lattice.ys[0] + dy >= 0 and lattice.ys[-1] + dy <= frame.height:
            yield lattice.moved(dx, dy)
