"""Fits the weights of `vision/locating/weighing.py` on drawn scenes, and writes `weights.py` beside it.

For each scene the true grid, others that are nearly it (moved, a strip more or less, another pitch),
those of tables and what the finder itself proposes are weighed. Right is a grid with every line within a
twentieth of a cell, or two pixels.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from training.locating.cuts import supply
from training.locating.scenes import Scene, scene
from training.locating.surroundings import Rng
from vision.frame import Pixels
from vision.locating.finding import FEWEST, guesses
from vision.locating.fitting import fit
from vision.locating.grid import Grid
from vision.locating.judging import Judge
from vision.locating.weighing import FEATURES, features_of, probabilities

SCENES, WORKERS = 1200, 1
START = 3_000_000  # where the seeds begin, behind those of the network
WITH_BOARD = 0.8  # of the scenes
PROPOSED = 0.5  # of the scenes are also looked at by the finder
HIDDEN, STEPS = 8, 1500
Floats = NDArray[np.float64]
SOURCES, GUESSES, LINES = 4, 4, 2  # kinds of guesses that it makes then, of each, and lines for each


def is_right(grid: Grid, drawn: Scene) -> bool:
    """Whether all lines are the board's."""
    for found, true in ((grid.xs, drawn.xs), (grid.ys, drawn.ys)):
        if len(found) != len(true):
            return False
        near = max(2.0, 0.05 * float(np.diff(true).mean()))
        if float(np.abs(np.array(found) - true).max()) > near:
            return False
    return True


def grids(rng: Rng, drawn: Scene) -> Iterator[Grid]:
    """The true grid and others."""
    for other in drawn.others:
        if len(other.xs) > 4 and len(other.ys) > 4:
            yield _rounded(Grid(tuple(other.xs.tolist()), tuple(other.ys.tolist())))
    if len(drawn.xs) < 2:
        return
    true = Grid(tuple(drawn.xs.tolist()), tuple(drawn.ys.tolist()))
    yield _rounded(true)
    for _ in range(2):
        grid = true
        for axis in (1, 0):
            if rng.random() < 0.6:
                grid = grid.moved(
                    axis, float(rng.choice((-1, 1)) * rng.uniform(0.08, 0.5)) * grid.pitch(axis)
                )
        yield _rounded(grid)
    for _ in range(2):
        axis, side = int(rng.integers(2)), int(rng.choice((-1, 1)))
        yield _rounded(true.widened(axis, side) if rng.random() < 0.6 else true.without(axis, side))
    if min(len(true.xs), len(true.ys)) > 8:
        yield _rounded(Grid(true.xs[::2], true.ys[::2]))


def _rounded(grid: Grid) -> Grid:
    return Grid(tuple(float(round(x)) for x in grid.xs), tuple(float(round(y)) for y in grid.ys))


def proposed(pixels: Pixels) -> list[Grid]:
    """What the finder makes of a picture before anything is weighed."""
    judge, found = Judge(pixels), list[Grid]()
    for some in islice(guesses(pixels), SOURCES):
        for guess in some[:GUESSES]:
            found += islice(fit(judge, guess, found), LINES)
    return found


def _part(seeds: range) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    cv2.setNumThreads(1)
    rows, right = [], []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        drawn = scene(rng, supply("validation"), rng.random() < WITH_BOARD)
        tried = list(grids(rng, drawn))
        if rng.random() < PROPOSED:
            tried += proposed(drawn.pixels)
        judge = Judge(drawn.pixels)
        for grid in tried:
            if min(len(grid.xs), len(grid.ys)) > FEWEST:
                rows.append(features_of(judge, grid)[0])
                right.append(float(len(drawn.xs) > 1 and is_right(grid, drawn)))
    return np.array(rows).reshape(-1, len(FEATURES)), np.array(right)


def fitted(rows: NDArray[np.float64], right: NDArray[np.float64]) -> tuple[Floats, Floats]:
    """The numbers of `vision.locating.weights`: a network of one hidden layer, trained on all rows."""
    torch.manual_seed(1)
    torch.set_num_threads(WORKERS)
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    values = torch.tensor((rows - middle) / spread, dtype=torch.float32)
    wanted = torch.tensor(right, dtype=torch.float32)[:, None]
    network = nn.Sequential(nn.Linear(rows.shape[1], HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, 1))
    optimizer = torch.optim.AdamW(network.parameters(), 1e-2, weight_decay=0.1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-2, total_steps=STEPS)
    for _ in range(STEPS):
        loss = nn.functional.binary_cross_entropy_with_logits(network(values), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    first, _, last = network
    slopes = first.weight.detach().numpy().T / spread[:, None]
    bias = first.bias.detach().numpy() - middle @ slopes
    ends = np.append(last.weight.detach().numpy().ravel(), last.bias.detach().numpy())
    return np.vstack([slopes, bias]).round(3), ends.round(3)


def main() -> None:
    """Draw, weigh, fit, measure on scenes that were kept out, write."""
    parts = [range(START + at, START + at + 20) for at in range(0, SCENES, 20)]
    with multiprocessing.Pool(WORKERS) as pool:
        found = pool.map(_part, parts, chunksize=1)
    kept = len(found) * 3 // 4
    rows, right = (np.concatenate([part[k] for part in found[:kept]]) for k in (0, 1))
    hidden, last = fitted(rows, right)
    fitted_on = len(rows)
    rows, right = (np.concatenate([part[k] for part in found[kept:]]) for k in (0, 1))
    sure = probabilities(rows, hidden, last)
    loss = -np.mean(np.log(np.where(right > 0, sure, 1 - sure) + 1e-9))
    print(f"{len(rows)} grids kept out, {right.mean():.3f} of them right; loss {loss:.4f}")
    for low, high in pairwise((0, 0.02, 0.1, 0.5, 0.9, 0.98, 1.01)):
        chosen = (sure >= low) & (sure < high)
        share = right[chosen].mean() if chosen.any() else 0.0
        print(f"{low:4} to {high:4}: {chosen.sum():5} grids, right {share:.3f}")
    text = [
        '"""Generated by `python -m training.locating weights`; not to be changed by hand.',
        "",
        f"A network of one hidden layer, fitted on {fitted_on} grids of {SCENES * 3 // 4} drawn scenes.",
        '"""',
        "",
        "HIDDEN = (",
        *(
            f"    ({', '.join(f'{value:g}' for value in row)}),  # {name}"
            for row, name in zip(hidden, (*FEATURES, "added"), strict=True)
        ),
        ")",
        f"LAST = ({', '.join(f'{value:g}' for value in last)})",
        "",
    ]
    (Path(__file__).parents[2] / "vision/locating/weights.py").write_text("\n".join(text), encoding="utf-8")
