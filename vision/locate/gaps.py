"""Narrow wide gaps between the rows, or between the columns, of a board, so that its cells look adjacent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vision.frame import Pixels
from vision.lattice import Lattice
from vision.locate.boxes import find_box_lattices
from vision.locate.grid import has_one_colour, to_pixel

MIN_GAP = 0.15  # fraction of a cell; a narrower gap hardly shifts the middle
MOST_SEEDS = 4  # largest box lattices whose gaps are narrowed
ASTRAY = 2  # pixels, plus half of the remaining gap, by which a line may miss the middle of a gap


@dataclass(frozen=True, eq=False)
class GapsRemoved:
    """A picture with gaps narrowed along one axis (0: between rows, 1: between columns).

    `seams` are the positions of the gaps in this picture, `middles` those in the original, and `limit` is the
    size of the original along the axis. `width` is the remaining width of each gap.
    """

    pixels: Pixels
    axis: int
    seams: tuple[int, ...]
    middles: tuple[int, ...]
    width: float
    limit: int

    def restore_gaps(self, lattice: Lattice) -> Lattice | None:
        """The lattice in the original picture; None if its lines do not lie in consecutive gaps."""
        lines = lattice.ys if self.axis == 0 else lattice.xs
        off = np.abs(np.subtract.outer(lines[1:-1], self.seams))
        nearest = off.argmin(axis=1)
        if off.min(axis=1).max() > ASTRAY + self.width / 2 or (np.diff(nearest) != 1).any():
            return None
        inner = [self.middles[k] for k in nearest]
        pitch = inner[1] - inner[0]
        opened = (max(0, inner[0] - pitch), *inner, min(self.limit, inner[-1] + pitch))
        return Lattice(lattice.xs, opened) if self.axis == 0 else Lattice(opened, lattice.ys)


def remove_gaps(pixels: Pixels) -> Iterator[GapsRemoved]:
    """Pictures with narrowed gaps, for box lattices whose gaps are wider along one axis."""
    for seed in find_box_lattices(pixels)[:MOST_SEEDS]:
        down, across = seed.down_pitch - seed.height, seed.across_pitch - seed.width
        if down - across >= MIN_GAP * seed.down_pitch:
            found = _narrow_gaps(
                pixels, seed.tops, seed.down_pitch, (down, across), _ends(seed.lefts, seed.width)
            )
        elif across - down >= MIN_GAP * seed.across_pitch:
            turned = np.ascontiguousarray(pixels.transpose(1, 0, 2))
            ends = _ends(seed.tops, seed.height)
            found = _narrow_gaps(turned, seed.lefts, seed.across_pitch, (across, down), ends)
        else:
            continue
        if found is None:
            continue
        picture, seams, middles = found
        axis = 0 if down > across else 1
        picture = picture if axis == 0 else picture.transpose(1, 0, 2)
        yield GapsRemoved(
            np.ascontiguousarray(picture), axis, seams, middles, min(down, across), pixels.shape[axis]
        )


def _ends(starts: tuple[float, ...], size: float) -> slice:
    return slice(to_pixel(starts[0]), to_pixel(starts[-1] + size))


def _narrow_gaps(
    pixels: Pixels, tops: tuple[float, ...], pitch: float, gaps: tuple[float, float], columns: slice
) -> tuple[Pixels, tuple[int, ...], tuple[int, ...]] | None:
    """Narrow the gaps between rows to the width of the others; return the picture, seams and middles.

    None if a gap between boxes is not plain.
    """
    surplus = to_pixel(gaps[0] - gaps[1])
    kept = np.ones(len(pixels), np.bool_)
    seams, middles = [], []
    first = tops[0] - gaps[0] / 2
    for k in range(-int(first / pitch), int((len(pixels) - first) / pitch) + 1):
        middle = first + k * pitch
        start = to_pixel(middle - surplus / 2)
        strip = pixels[max(0, start) : start + surplus, columns]
        if start >= 0 and start + surplus <= len(pixels) and has_one_colour(strip):
            seams.append(start - int(np.count_nonzero(~kept)))
            middles.append(to_pixel(middle))
            kept[start : start + surplus] = False
        elif tops[0] < middle < tops[-1]:
            return None
    return pixels[kept], tuple(seams), tuple(middles)
