"""Labelled cut-outs from drawn scenes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from training.drawings.surfaces import Rng
from training.drawings.themes import ThemeResources
from training.grids.scene_parts import Lines
from training.grids.scenes import SIDES, DrawnScene, draw_scenes
from training.storage import DRAWN, cached_arrays, sized
from vision.locate.judge import CLASSES, Place, context_windows, cut_outs

WHOLE, SHIFTED, PITCH, OUTSIDE, CUT, OTHER = range(len(CLASSES))
WITH_BOARD = 0.7  # share of first scenes on a desktop with a board; each second scene has a board
BATCHES = {  # of DESKTOPS each: boards in themes, boards in random looks; the number of a batch is its seed
    "train": (range(40_000, 40_050), range(50_000, 50_024)),
    "validation": (range(80_000, 80_004), range(81_000, 81_002)),
}
DESKTOPS = 25
MARGIN = 8  # pixels; smallest distance of a cut-out elsewhere from the board
# size of a cut-out with a wrong pitch (across, down), in cells
PITCH_FACTORS = (
    (2, 2), (2, 1), (1, 2), (0.5, 0.5), (0.5, 1), (1, 0.5), (1.5, 1.5), (0.67, 0.67), (3, 3), (1.2, 1.2),
    (0.85, 0.85),
)  # fmt: skip
Cuts = NDArray[np.uint8]
Kinds = NDArray[np.int64]


def load_cut_outs(split: str) -> tuple[Cuts, Kinds]:
    """All cut-outs of a split, (n, SIDE, SIDE, 3), and their classes; draws the missing batches."""
    found = [
        cached_arrays(DRAWN / "cuts" / f"{batch}.npz", partial(_draw_batch, split, batch, has_looks))
        for has_looks, batches in zip((False, True), BATCHES[split], strict=True)
        for batch in batches[: sized(len(batches))]
    ]
    cut, kinds = (np.concatenate([batch[name] for batch in found]) for name in ("cut", "kinds"))
    return cut, kinds


def _draw_batch(split: str, batch: int, has_looks: bool) -> dict[str, Cuts | Kinds]:
    parts = list(samples(split, range(DESKTOPS * batch, DESKTOPS * (batch + 1)), has_looks))
    print(f"drawn: batch {batch}", flush=True)
    cut, kinds = (np.concatenate(each) for each in zip(*parts, strict=True))
    return {"cut": cut, "kinds": kinds}


def samples(split: str, seeds: range, has_looks: bool = False) -> Iterator[tuple[Cuts, Kinds]]:
    """The labelled cut-outs of the two scenes of each desktop."""
    resources = ThemeResources.load(split)
    for seed in seeds:
        rng = np.random.default_rng(seed)
        for drawn in draw_scenes(rng, resources, (rng.random() < WITH_BOARD, True), has_looks):
            found = [*_of_board(rng, drawn), *_elsewhere(rng, drawn)]
            yield (
                cut_outs(drawn.pixels, context_windows([place for place, _ in found])),
                np.array([kind for _, kind in found], np.int64),
            )


def _cell(xs: Lines, ys: Lines, column: int, row: int) -> Place:
    return float(xs[column]), float(ys[row]), float(xs[column + 1]), float(ys[row + 1])


def _jittered(rng: Rng, place: Place, by: float) -> Place:
    left, top, right, bottom = place
    dx, dy = rng.uniform(-by, by, 2) * (right - left, bottom - top)
    return left + dx, top + dy, right + dx, bottom + dy


def _of_board(rng: Rng, drawn: DrawnScene) -> Iterator[tuple[Place, int]]:
    xs, ys = drawn.xs, drawn.ys
    columns, rows = len(xs) - 1, len(ys) - 1
    if columns < 1:
        return
    for number in range(20):
        column, row = int(rng.integers(columns)), int(rng.integers(rows))
        if number % 2:  # at the border of the board
            if rng.random() < 0.5:
                column = int(rng.choice((0, columns - 1)))
            else:
                row = int(rng.choice((0, rows - 1)))
        yield _jittered(rng, _cell(xs, ys, column, row), 0.02), WHOLE
    for _ in range(10):
        left, top, right, bottom = _cell(xs, ys, int(rng.integers(columns)), int(rng.integers(rows)))
        wide, high = right - left, bottom - top
        least = [
            max(0.07, (1.6 + gap / 4) / size) for gap, size in zip(drawn.gaps, (wide, high), strict=True)
        ]
        by = [float(rng.choice((-1, 1)) * rng.uniform(each, 0.5)) for each in least]
        which = int(rng.integers(3))
        dx, dy = (by[0] if which != 1 else 0.0) * wide, (by[1] if which != 2 else 0.0) * high
        yield (left + dx, top + dy, right + dx, bottom + dy), SHIFTED
    for _ in range(10):
        left, top, right, bottom = _cell(xs, ys, int(rng.integers(columns)), int(rng.integers(rows)))
        across, down = PITCH_FACTORS[int(rng.integers(len(PITCH_FACTORS)))]
        wide, high = (right - left) * across, (bottom - top) * down
        left += 0.5 * (right - left) * float(rng.integers(2)) if across < 1 else 0.0
        top += 0.5 * (bottom - top) * float(rng.integers(2)) if down < 1 else 0.0
        if min(wide, high) >= 5 and left + wide <= xs[-1] + 2 and top + high <= ys[-1] + 2:
            yield _jittered(rng, (left, top, left + wide, top + high), 0.04), PITCH
    yield from _beyond(rng, drawn)


def _beyond(rng: Rng, drawn: DrawnScene) -> Iterator[tuple[Place, int]]:
    """Cut-outs outside the board, aligned with its cells."""
    xs, ys = drawn.xs, drawn.ys
    columns, rows = len(xs) - 1, len(ys) - 1
    wide, high = float(np.diff(xs).mean()), float(np.diff(ys).mean())
    for side in SIDES:
        is_cut = side in drawn.cut
        for _ in range(10 if is_cut else 4):
            column, row = int(rng.integers(columns)), int(rng.integers(rows))
            left, top, right, bottom = _cell(xs, ys, column, row)
            far = 1 if is_cut or rng.random() < 0.8 else 2
            if side in ("left", "right"):
                left = float(xs[0]) - far * wide if side == "left" else float(xs[-1]) + (far - 1) * wide
                right = left + wide
            else:
                top = float(ys[0]) - far * high if side == "top" else float(ys[-1]) + (far - 1) * high
                bottom = top + high
            is_inside = -0.9 * wide < left < drawn.pixels.shape[1] - 0.1 * wide
            if is_inside and -0.9 * high < top < drawn.pixels.shape[0] - 0.1 * high:
                yield _jittered(rng, (left, top, right, bottom), 0.03), CUT if is_cut else OUTSIDE


def _elsewhere(rng: Rng, drawn: DrawnScene) -> Iterator[tuple[Place, int]]:
    high, wide = drawn.pixels.shape[:2]

    def is_free(place: Place) -> bool:
        left, top, right, bottom = place
        if left < 0 or top < 0 or right > wide or bottom > high:
            return False
        return not len(drawn.xs) or bool(
            right < drawn.xs[0] - MARGIN or left > drawn.xs[-1] + MARGIN
            or bottom < drawn.ys[0] - MARGIN or top > drawn.ys[-1] + MARGIN
        )  # fmt: skip

    for _ in range(5 if len(drawn.xs) else 16):
        size = float(np.exp(rng.uniform(np.log(9), np.log(70))))
        left, top = float(rng.uniform(0, wide)), float(rng.uniform(0, high))
        place = (left, top, left + size, top + size * float(rng.choice((1, 1, 0.8, 1.25))))
        if is_free(place):
            yield place, OUTSIDE
    for grid in drawn.others:
        for _ in range(5 if len(drawn.xs) else 16):
            column, row = int(rng.integers(len(grid.xs) - 1)), int(rng.integers(len(grid.ys) - 1))
            place = _cell(grid.xs, grid.ys, column, row)
            if is_free(place):
                yield _jittered(rng, place, 0.03), OTHER
