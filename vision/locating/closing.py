"""Boards whose rows lie much further apart than their columns, or the other way round.

To lines and to the judge of cells such rows are lines of a table. So what of the gaps between them is wider
than the gaps the other way is taken out of the picture, and boards are looked for in the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vision.frame import Pixels
from vision.lattice import Lattice
from vision.locating.evidence import place
from vision.locating.judged import ALIKE, NARROWEST
from vision.locating.lines import find_seeds

MOST_SEEDS = 4  # areas of flat boxes, the largest, whose gaps are closed
ASTRAY = 2  # pixels that a line may lie beside the middle of a gap, beside the half of what is left of it


@dataclass(frozen=True, eq=False)
class Closed:
    """A picture without what is too wide of gaps along one axis (0: between rows, 1: between columns).

    `seams` are where the gaps were, pixels of this picture; `middles`, their middles in the one that it was
    made of, and `limit` how long that is. `width` is what is left of each gap.
    """

    pixels: Pixels
    axis: int
    seams: tuple[int, ...]
    middles: tuple[int, ...]
    width: float
    limit: int

    def reopened(self, lattice: Lattice) -> Lattice | None:
        """The same lines in the picture with its gaps; None where they do not lie in every one of them."""
        lines = lattice.ys if self.axis == 0 else lattice.xs
        off = np.abs(np.subtract.outer(lines[1:-1], self.seams))
        nearest = off.argmin(axis=1)
        if off.min(axis=1).max() > ASTRAY + self.width / 2 or (np.diff(nearest) != 1).any():
            return None
        inner = [self.middles[k] for k in nearest]
        pitch = inner[1] - inner[0]
        opened = (max(0, inner[0] - pitch), *inner, min(self.limit, inner[-1] + pitch))
        return Lattice(lattice.xs, opened) if self.axis == 0 else Lattice(opened, lattice.ys)


def closed(pixels: Pixels) -> Iterator[Closed]:
    """The picture with the gaps closed that flat boxes of one size show, where they are wider one way."""
    for seed in find_seeds(pixels)[:MOST_SEEDS]:
        down, across = seed.down_pitch - seed.height, seed.across_pitch - seed.width
        if down - across >= NARROWEST * seed.down_pitch:
            found = _closed(pixels, seed.tops, seed.down_pitch, (down, across), _ends(seed.lefts, seed.width))
        elif across - down >= NARROWEST * seed.across_pitch:
            turned = np.ascontiguousarray(pixels.transpose(1, 0, 2))
            ends = _ends(seed.tops, seed.height)
            found = _closed(turned, seed.lefts, seed.across_pitch, (across, down), ends)
        else:
            continue
        if found is None:
            continue
        picture, seams, middles = found
        axis = 0 if down > across else 1
        picture = picture if axis == 0 else picture.transpose(1, 0, 2)
        yield Closed(
            np.ascontiguousarray(picture), axis, seams, middles, min(down, across), pixels.shape[axis]
        )


def _ends(starts: tuple[float, ...], size: float) -> slice:
    return slice(place(starts[0]), place(starts[-1] + size))


def _closed(
    pixels: Pixels, tops: tuple[float, ...], pitch: float, gaps: tuple[float, float], columns: slice
) -> tuple[Pixels, tuple[int, ...], tuple[int, ...]] | None:
    """The picture without what of each gap between rows is more than the other gap, its seams, their middles.

    None where the gaps between boxes show anything.
    """
    surplus = place(gaps[0] - gaps[1])
    kept = np.ones(len(pixels), np.bool_)
    seams, middles = [], []
    first = tops[0] - gaps[0] / 2
    for k in range(-int(first / pitch), int((len(pixels) - first) / pitch) + 1):
        middle = first + k * pitch
        start = place(middle - surplus / 2)
        strip = pixels[max(0, start) : start + surplus, columns]
        if start >= 0 and start + surplus <= len(pixels) and _is_even(strip):
            seams.append(start - int(np.count_nonzero(~kept)))
            middles.append(place(middle))
            kept[start : start + surplus] = False
        elif tops[0] < middle < tops[-1]:
            return None
    return pixels[kept], tuple(seams), tuple(middles)


def _is_even(strip: Pixels) -> bool:
    return bool(strip.size) and int(np.ptp(strip.reshape(-1, 3), axis=0).max()) <= ALIKE
