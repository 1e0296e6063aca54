"""Which known skin does a picture show, and where exactly are its cells?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from games.minesweeper.board import DIGITS, UNKNOWN, Board
from vision.frame import Frame
from vision.lattice import Lattice
from vision.reader import Reader
from vision.reading import Reading
from vision.skin import Skin

ENOUGH = 0.9  # of the cells must be read: a popup or a state that the skin has never seen may cover the rest
ONE_LOOK_SURE = 0.8  # confidence that a board with a single look needs: nothing else would give it away
SHIFTS = 3  # pixels by which the lines may be off
SAMPLE = 40  # cells that are read at each place
POOR = 0.2  # mean confidence below which a place says nothing about where a better one is
GOOD = 0.9  # mean confidence that is not improved by trying other places

SPOTS: tuple[tuple[int, int], ...] = tuple(  # nearest first: the nearest of equally good places is taken
    sorted(
        ((dx, dy) for dx in range(-SHIFTS, SHIFTS + 1) for dy in range(-SHIFTS, SHIFTS + 1)),
        key=lambda spot: (abs(spot[0]) + abs(spot[1]), spot),
    )
)


@dataclass(frozen=True, eq=False)
class Fit:
    """A skin that fits a board, the lattice moved to where its cells are, and what it reads there.

    `skin` is None for a board that was worked out without one.

    `score` is the mean confidence, 0 (nothing is read) to 1 (every cell is exactly one of its tiles).
    """

    skin: Skin | None
    lattice: Lattice
    reading: Reading
    score: float


def recognise(frame: Frame, lattice: Lattice, skins: Iterable[Skin]) -> Skin | None:
    """The skin that reads this board best, None when none fits. Raises as `best_fit` does."""
    best = best_fit(frame, lattice, skins)
    return best.skin if best else None


def best_fit(frame: Frame, lattice: Lattice, skins: Iterable[Skin], named: bool = False) -> Fit | None:
    """The best fit of any skin, None when none fits.

    A skin fits when it is sure of nearly all cells and what it reads can be a board: no number is larger than
    the cells around it that may hold a mine, and not every cell is open. A board with a single look proves
    little, so it must fit all the better, unless the program is `named` by somebody who knows. Raises
    Unplayable when the board reaches beyond the frame.
    """
    beyond = not _fits_in(lattice, frame)  # by a gap that is not drawn behind the last cells
    if beyond:
        wider = np.pad(frame.pixels, ((SHIFTS, SHIFTS), (SHIFTS, SHIFTS), (0, 0)), "edge")
        frame, lattice = Frame(wider), lattice.moved(SHIFTS, SHIFTS)
    fits = (align(frame, lattice, skin) for skin in skins)
    best = max((fit for fit in fits if is_convincing(fit, named)), key=lambda fit: fit.score, default=None)
    return replace(best, lattice=best.lattice.moved(-SHIFTS, -SHIFTS)) if best and beyond else best


def align(frame: Frame, lattice: Lattice, skin: Skin) -> Fit:
    """Move the lines by up to SHIFTS pixels to where the skin reads best.

    Where cells begin is a matter of convention (a gap may belong to the cell before it or behind it): a skin
    knows it only as its tiles were cut, so a lattice found in a picture may be off by a pixel or two. And a
    line between cells that look alike may have been put a pixel beside its place: where the lines fit badly,
    even ones are tried too.
    """
    fit = _shifted(frame, lattice, skin)
    even = lattice.evened()
    if fit.score < GOOD and even != lattice:
        return max(fit, _shifted(frame, even, skin), key=lambda each: each.score)
    return fit


def _shifted(frame: Frame, lattice: Lattice, skin: Skin) -> Fit:
    cells = range(0, lattice.rows * lattice.columns, lattice.rows * lattice.columns // SAMPLE + 1)
    scores: dict[tuple[int, int], float] = {}

    def score(shift: tuple[int, int]) -> float:
        if shift not in scores:
            moved = lattice.moved(*shift)
            scores[shift] = Reader(skin, moved).sample(frame, cells) if _fits_in(moved, frame) else -1.0
        return scores[shift]

    best = _climb((0, 0), score)
    if score(best) < POOR:  # nothing to climb on from there: look everywhere
        best = max(SPOTS, key=score)
    reading = Reader(skin, lattice.moved(*best)).read(frame)
    return Fit(skin, lattice.moved(*best), reading, float(reading.confidence.mean()))


def _climb(start: tuple[int, int], score: Callable[[tuple[int, int]], float]) -> tuple[int, int]:
    """From one shift to its best neighbour, until none is better."""
    here = start
    while score(here) < GOOD:
        around = [spot for spot in SPOTS if max(abs(spot[0] - here[0]), abs(spot[1] - here[1])) == 1]
        best = max(around, key=score)
        if score(best) <= score(here) + 1e-6:
            break
        here = best
    return here


def is_convincing(fit: Fit, named: bool = False) -> bool:
    """Whether what a skin reads is surely a board of its program."""
    board, confidence = fit.reading.board, fit.reading.confidence
    read = confidence[confidence > 0]
    one_look = len(set(board.cells) - {UNKNOWN}) < 2
    if read.size < (1.0 if one_look and not named else ENOUGH) * len(board):
        return False
    return not (one_look and not named and float(read.mean()) < ONE_LOOK_SURE) and could_be(board)


def could_be(board: Board) -> bool:
    """Whether the rules allow this board at a glance: not all open, every number has room for its mines."""
    if not board.not_open & ~board.unread:
        return False
    return all(
        int(state) <= (board.around[k] & board.not_open).bit_count()
        for k, state in enumerate(board.cells)
        if state in DIGITS
    )


def _fits_in(lattice: Lattice, frame: Frame) -> bool:
    return (
        lattice.xs[0] >= 0
        and lattice.ys[0] >= 0
        and lattice.xs[-1] <= frame.width
        and lattice.ys[-1] <= frame.height
    )
