"""How likely a grid is exactly a board: what the judge of cells says inside, along the rims and beyond them.

The weights are fitted on drawn pictures (`weights.py` says by what); nothing here is set by hand.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.locating.evidence import place
from vision.locating.grid import Grid
from vision.locating.judged.extent import SIDES, spread, strip, verdicts
from vision.locating.judged.judging import CUT, LEAST, OTHER, OUTSIDE, PITCH, SHIFTED, WHOLE, Judge
from vision.locating.judged.repeats import ALIKE
from vision.locating.judged.weights import HIDDEN, LAST

Rows = NDArray[np.float64]

INSIDE, RIM = 16, 4  # cells that are looked at: all over the grid, on each rim
BAND = 6  # part of a cell that is a narrow band
ENDS = 0.9  # of a narrow band that stops being alike, on all four sides, where covers end
LINES = (
    30.0  # by so much lines that show, or covers that end, make a board likelier than the judge says, as odds
)
GOES_ON = 0.2  # of the band beyond a side that is as it is one pitch further in, where cells go on
FEATURES = (
    "inside: whole", "inside: log whole", "inside: shifted", "inside: other pitch", "inside: outside",
    "inside: other",
    "rim: least whole", "rim: mean whole", "beyond: least outside or cut", "beyond: mean outside or cut",
    "beyond: most whole", "log cells", "log of the fewer of columns and rows",
    "log of width by height of a cell",
    "log cell", "likeness ends: least", "likeness ends: mean", "rims alike: mean",
)  # fmt: skip


@dataclass(frozen=True)
class Weighed:
    """A grid, how likely it is exactly a board (0 to 1), and the sides on which that is cut.

    `ends` names the sides beyond which the judge sees no cell, nor a part of one.
    """

    grid: Grid
    probability: float
    cut: tuple[str, ...]
    ends: tuple[str, ...] = ()


def weighed(judge: Judge, grid: Grid) -> Weighed:
    """What speaks for a grid."""
    features, cut, ends = features_of(judge, grid)
    sure = float(probabilities(features[None], np.array(HIDDEN), np.array(LAST))[0])
    if features[FEATURES.index("likeness ends: least")] >= ENDS:
        sure = LINES * sure / (1.0 + (LINES - 1.0) * sure)
    return Weighed(grid, sure, cut, ends)


def probabilities(features: Rows, hidden: Rows, last: Rows) -> Rows:
    """(grids,): how likely each row of FEATURES is exactly a board, by the numbers of `weights`."""
    inner = np.tanh(features @ hidden[:-1] + hidden[-1])
    return np.asarray(1.0 / (1.0 + np.exp(-(inner @ last[:-1] + last[-1]))), np.float64)


def features_of(judge: Judge, grid: Grid) -> tuple[Rows, tuple[str, ...], tuple[str, ...]]:
    """The numbers that FEATURES names, the sides on which the board is cut, and those where it ends."""
    parts = [spread(grid, INSIDE)]
    parts += [strip(grid, side, 0, RIM) for side in SIDES] + [strip(grid, side, 1) for side in SIDES]
    inside, *around = verdicts(judge, parts)
    rims = [part[:, WHOLE].mean() for part in around[:4]]
    ends = [(part[:, OUTSIDE] + part[:, CUT]).mean() for part in around[4:]]
    columns, rows = len(grid.xs) - 1, len(grid.ys) - 1
    ends_of_likeness = [_likeness(judge.pixels, grid, axis, end) for axis, end in SIDES]
    gains = [inner - outer for inner, outer, _ in ends_of_likeness]
    features = (
        inside[:, WHOLE].mean(), np.log(inside[:, WHOLE] + LEAST).mean(), inside[:, SHIFTED].mean(),
        inside[:, PITCH].mean(), inside[:, OUTSIDE].mean(), inside[:, OTHER].mean(),
        min(rims), np.mean(rims), min(ends), np.mean(ends), max(part[:, WHOLE].mean() for part in around[4:]),
        np.log(columns * rows), np.log(min(columns, rows)), abs(np.log(grid.pitch(1) / grid.pitch(0))),
        np.log(grid.pitch(1)), min(gains), np.mean(gains), np.mean([each[0] for each in ends_of_likeness]),
    )  # fmt: skip
    cut = [
        name
        for name, part, (_, outer, is_drawn) in zip(SIDES.values(), around[4:], ends_of_likeness, strict=True)
        if part[:, CUT].mean() > 0.5 and outer >= GOES_ON and is_drawn
    ]
    beyond = zip(SIDES.values(), around[4:], strict=True)
    ended = tuple(name for name, part in beyond if part[:, OUTSIDE].mean() > 0.5)
    return np.array(features, np.float64), tuple(cut), ended


def _likeness(pixels: Pixels, grid: Grid, axis: int, end: int) -> tuple[float, float, bool]:
    """How much of a narrow band just inside, and just outside of a side is the same one pitch further in.

    On a fresh board all of it is the same inside, and as good as nothing outside, if the side lies right. The
    third says whether the outer one shows anything: a margin of one colour is like the ground of any text.
    """
    picture = pixels if axis == 0 else pixels.transpose(1, 0, 2)
    lines, crossing = grid.lines(axis), grid.lines(1 - axis)
    low, high = max(0, place(crossing[0])), max(0, place(crossing[-1]))
    pitch, line = place(grid.pitch(axis)), place(lines[0] if end < 0 else lines[-1])
    width = max(2, pitch // BAND)
    inner, outer = (line, line - width) if end < 0 else (line - width, line)
    shares: list[float] = []
    for start in (inner, outer):
        is_drawn = False
        other = start - end * pitch
        if (
            min(start, other) < 0
            or max(start, other) + width > len(picture)
            or low >= min(high, picture.shape[1])
        ):
            shares.append(0.0)
            continue
        one, two = (np.ascontiguousarray(picture[at : at + width, low:high]) for at in (start, other))
        shares.append(float((cv2.absdiff(one, two).max(axis=2) <= ALIKE).mean()))
        is_drawn = int(np.ptp(one.reshape(-1, 3), axis=0).max()) > ALIKE
    return shares[0], shares[1], is_drawn
