"""Fit the probability of a whole grid on drawn scenes: `python -m training grid-weights`.

Writes `vision/params/grid_judge.json`. For each scene, the script computes the features of the true grid,
of similar grids (shifted, larger or smaller by a strip, another pitch), of the grids of tables, and of what
the finder makes of some of them. A grid is right if each line is within a twentieth of a cell, or 1.5 pixels,
and a quarter of a gap.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from training.drawings.surfaces import Rng
from training.grids.scene_parts import DistractorGrid
from training.grids.scenes import DrawnScene, draw_scene
from training.storage import CALIBRATION, Fit, cached_evidence, digest_arrays, sized, write_params
from vision.locate.boxes import find_box_lattices
from vision.locate.fit import fit
from vision.locate.grid import FEWEST, Grid, to_grid
from vision.locate.judge import FEATURES, CellJudge, grid_features, probabilities
from vision.locate.lines import propose_from_lines
from vision.locate.overview import propose_from_overview
from vision.params import GRID_HIDDEN, GRID_LAST

Floats = NDArray[np.float64]

SCENES, KEPT_OUT = 800, 120
HIDDEN, STEPS = 8, 1200  # hidden units and training steps
START = 3_000_000  # first seed; the network uses smaller seeds
BOARDLESS_START, BOARDLESS_SCENES = 3_500_000, 240  # first seed and number of scenes without a board
RANDOM_GRIDS = 6  # random grids in each of them
WITH_BOARD = 0.8  # share of scenes with a board
LOOKS = 0.25  # share of boards in random looks; the others use themes
PROPOSED = 0.7  # share of scenes with proposals of the finder
SMALLEST_HALVED = 16  # pixels; smallest cell whose half may be a cell
LINED, FITTED = 3, 2  # line-based proposals, and other grids, that are fitted
NEAR = 1.5  # pixels


def candidate_grids(rng: Rng, drawn: DrawnScene) -> Iterator[Grid]:
    """The true grid, similar grids, and the grids of tables, in fractions of a pixel."""
    for other in drawn.others:
        yield from _table_grids(other)
    if len(drawn.xs) < 2:
        return
    true = Grid(tuple(drawn.xs.tolist()), tuple(drawn.ys.tolist()))
    yield true
    for _ in range(2):
        grid = true
        for axis in (1, 0):
            if rng.random() < 0.6:
                by = float(rng.choice((-1, 1)) * rng.uniform(0.08, 0.5))
                grid = grid.moved(axis, by * grid.pitch(axis))
        yield grid
    for _ in range(2):
        axis, side = int(rng.integers(2)), int(rng.choice((-1, 1)))
        yield true.widened(axis, side, true.pitch(axis)) if rng.random() < 0.6 else true.without(axis, side)
    if min(len(true.xs), len(true.ys)) > 8:
        yield Grid(true.xs[::2], true.ys[::2])
    if min(true.pitch(1), true.pitch(0)) > SMALLEST_HALVED:
        yield _halved(true)


def _table_grids(table: DistractorGrid) -> Iterator[Grid]:
    """The grid of a table; if it has columns of two widths, also the parts with equal columns."""
    ys = tuple(table.ys.tolist())
    yield Grid(tuple(table.xs.tolist()), ys)
    changes = np.flatnonzero(np.abs(np.diff(np.diff(table.xs))) > 1) + 1
    if changes.size:
        for start, stop in pairwise((0, *changes.tolist(), len(table.xs) - 1)):
            yield Grid(tuple(table.xs[start : stop + 1].tolist()), ys)


def _halved(grid: Grid) -> Grid:
    """The grid with an additional line between all neighbouring lines."""
    xs, ys = (
        np.interp(np.arange(2 * len(each) - 1) / 2, np.arange(len(each)), each) for each in (grid.xs, grid.ys)
    )
    return Grid(tuple(xs.tolist()), tuple(ys.tolist()))


def _rounded(grid: Grid) -> Grid:
    return Grid(tuple(float(round(x)) for x in grid.xs), tuple(float(round(y)) for y in grid.ys))


def propose_grids(judge: CellJudge, near: list[Grid]) -> list[Grid]:
    """What the finder makes of visible lines, of the network's proposals, and of some of the grids `near`."""
    lined = propose_from_lines(judge.pixels, find_box_lattices(judge.pixels))
    found = [to_grid(each.lattice) for each in lined]
    large = [each for each in near if min(len(each.xs), len(each.ys)) > FEWEST]
    proposed = [*found[:LINED], *propose_from_overview(judge.pixels), *large[:FITTED]]
    return found + [each.grid for grid in proposed for each in fit(judge, grid)]


def features_with_labels(split: str, seeds: range) -> tuple[Floats, Floats]:
    """Features (grids, FEATURES) of the grids of these scenes, and (grids,) 1.0 for right grids."""
    rows, right = [], []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        has_looks = rng.random() < LOOKS
        drawn = draw_scene(rng, split, rng.random() < WITH_BOARD, has_looks)
        tried, judge = list(map(_rounded, candidate_grids(rng, drawn))), CellJudge(drawn.pixels)
        if rng.random() < PROPOSED:
            tried += propose_grids(judge, tried)
        for grid in dict.fromkeys(tried):
            if min(len(grid.xs), len(grid.ys)) > FEWEST:
                rows.append(grid_features(judge, grid)[0])
                right.append(float(len(drawn.xs) > 1 and drawn.has_lines(grid.xs, grid.ys, NEAR, 1 / 4)))
    return np.array(rows).reshape(-1, len(FEATURES)), np.array(right)


def boardless_features(seeds: range) -> tuple[Floats, Floats]:
    """Features (grids, FEATURES) of grids in scenes without a board, and (grids,) zeros."""
    rows = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        drawn = draw_scene(rng, "calibration", with_board=False)
        judge = CellJudge(drawn.pixels)
        wrong = list(map(_rounded, _wrong_grids(rng, drawn)))
        tried = dict.fromkeys([*wrong, *propose_grids(judge, wrong)])
        rows += [grid_features(judge, grid)[0] for grid in tried if min(len(grid.xs), len(grid.ys)) > FEWEST]
    return np.array(rows).reshape(-1, len(FEATURES)), np.zeros(len(rows))


def _wrong_grids(rng: Rng, drawn: DrawnScene) -> Iterator[Grid]:
    """Grids of tables (complete, halved, shifted by half a cell), and random grids."""
    for other in drawn.others:
        grid, *parts = _table_grids(other)
        yield from (grid, *parts, _halved(grid))
        yield grid.moved(1, grid.pitch(1) / 2).moved(0, grid.pitch(0) / 2)
    high, wide = drawn.pixels.shape[:2]
    for number in range(RANDOM_GRIDS):
        pitch = float(np.exp(rng.uniform(np.log(9), np.log(min(wide, high) / 5))))
        columns, rows = (int(size / pitch) for size in (wide, high))
        if number % 2:  # the others fill the picture
            columns, rows = (int(rng.integers(FEWEST, 1 + min(20, most))) for most in (columns, rows))
        left, top = rng.uniform(0, wide - columns * pitch), rng.uniform(0, high - rows * pitch)
        xs, ys = left + pitch * np.arange(columns + 1), top + pitch * np.arange(rows + 1)
        yield Grid(tuple(xs.tolist()), tuple(ys.tolist()))


def fit_network(rows: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Fit the weights HIDDEN and LAST of a network with one hidden layer on all rows."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    values = torch.tensor((rows - middle) / spread, dtype=torch.float32)
    wanted = torch.tensor(right, dtype=torch.float32)[:, None]
    network = nn.Sequential(nn.Linear(rows.shape[1], HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, 1))
    optimizer = torch.optim.AdamW(network.parameters(), 1e-2, weight_decay=0.3)
    for _ in range(STEPS):
        loss = nn.functional.binary_cross_entropy_with_logits(network(values), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    first, _, last = network
    slopes = first.weight.detach().numpy().T / spread[:, None]
    bias = first.bias.detach().numpy() - middle @ slopes
    ends = np.append(last.weight.detach().numpy().ravel(), last.bias.detach().numpy())
    return np.vstack([slopes, bias]), ends


def main() -> None:
    """Draw, fit, measure on scenes of the validation families, and write."""
    cv2.setNumThreads(1)
    cached = partial(cached_evidence, "grid-weights")
    boards, boardless, kept_out = (
        range(start, start + sized(count))
        for start, count in ((START, SCENES), (BOARDLESS_START, BOARDLESS_SCENES), (START + SCENES, KEPT_OUT))
    )
    train = (
        cached("calibration", boards, partial(features_with_labels, "calibration")),
        cached("calibration", boardless, boardless_features),
    )
    rows, right = (np.concatenate(parts) for parts in zip(*train, strict=True))
    hidden, last = (rounded(each) for each in fit_network(rows, right))
    held, held_right = cached("validation", kept_out, partial(features_with_labels, "validation"))
    print(f"before: {measure(probabilities(held, np.array(GRID_HIDDEN), np.array(GRID_LAST)), held_right)}")
    metrics = measure(probabilities(held, hidden, last), held_right)
    values = {"features": [*FEATURES, "constant"], "hidden": hidden.tolist(), "last": last.tolist()}
    data = f"{len(rows)} grids of {sized(SCENES) + sized(BOARDLESS_SCENES)} drawn scenes; one hidden layer"
    write_params("grid_judge", values, Fit(data, digest_arrays(rows, right), metrics, CALIBRATION))


def rounded(values: Floats) -> Floats:
    """The values with four significant digits."""
    return np.array([float(f"{value:.4g}") for value in values.ravel()]).reshape(values.shape)


def measure(sure: Floats, right: Floats) -> dict[str, float | int]:
    """The log-loss of these probabilities, and the grids that are judged wrongly with confidence."""
    loss = -np.log(np.where(right > 0, sure, 1 - sure) + 1e-9)
    return {
        "grids": len(right),
        "right grids": int(right.sum()),
        "nats per grid": float(loss.mean()),
        "wrong above 0.9": int(((sure > 0.9) & (right == 0)).sum()),
        "right below 0.1": int(((sure < 0.1) & (right > 0)).sum()),
    }
