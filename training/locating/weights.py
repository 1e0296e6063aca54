"""Fits the weights of `vision/locating/weighing.py` on drawn scenes, and writes `weights.py` beside it.

For each scene the true grid, others that are nearly it (moved, a strip more or less, another pitch),
those of tables and what the finder itself proposes are weighed. Right is a grid with every line within a
twentieth of a cell, or one and a half pixels.
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.locating.scenes import Scene, scene
from training.locating.surfaces import Rng
from vision.locating.finding import candidates
from vision.locating.grid import Grid
from vision.locating.judging import Judge
from vision.locating.weighing import FEATURES, features_of

START = 3_000_000  # where the seeds begin, behind those of the network
PROPOSED = 0.1  # of the scenes are also looked at by the finder


def is_right(grid: Grid, drawn: Scene) -> bool:
    """Whether all lines are the board's."""
    for found, true in ((grid.xs, drawn.xs), (grid.ys, drawn.ys)):
        if len(found) != len(true):
            return False
        near = max(1.5, 0.05 * float(np.diff(true).mean()))
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
        yield _rounded(
            true.widened(axis, side, true.pitch(axis)) if rng.random() < 0.6 else true.without(axis, side)
        )
    if min(len(true.xs), len(true.ys)) > 8:
        yield _rounded(Grid(true.xs[::2], true.ys[::2]))


def _rounded(grid: Grid) -> Grid:
    return Grid(tuple(float(round(x)) for x in grid.xs), tuple(float(round(y)) for y in grid.ys))


def _part(seeds: range) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    cv2.setNumThreads(1)
    rows, right = [], []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        drawn = scene(rng, rng.random() < 0.8)
        tried, judge = list(grids(rng, drawn)), Judge(drawn.pixels)
        if rng.random() < PROPOSED:
            tried += [each.grid for each in candidates(judge)]
        for grid in tried:
            if min(len(grid.xs), len(grid.ys)) < 4:
                continue
            rows.append(features_of(judge, grid)[0])
            right.append(float(len(drawn.xs) > 1 and is_right(grid, drawn)))
    return np.array(rows).reshape(-1, len(FEATURES)), np.array(right)


def fitted(rows: NDArray[np.float64], right: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Weights and bias of a logistic regression, by Newton's method, with a little of a ridge."""
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    values = np.hstack([(rows - middle) / spread, np.ones((len(rows), 1))])
    ridge = np.diag([*[1.0] * rows.shape[1], 0.0])
    weights = np.zeros(values.shape[1])
    for _ in range(30):
        sure = 1 / (1 + np.exp(-np.clip(values @ weights, -30, 30)))
        slope = values.T @ (sure - right) + ridge @ weights
        bend = (values * (sure * (1 - sure))[:, None]).T @ values + ridge
        weights -= np.linalg.solve(bend, slope)
    found = weights[:-1] / spread
    return found, float(weights[-1] - found @ middle)


def main() -> None:
    """Draw, weigh, fit, measure on scenes that were kept out, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=800)
    parser.add_argument("--workers", type=int, default=2)
    words = parser.parse_args()
    parts = [range(START + at, START + at + 20) for at in range(0, words.scenes, 20)]
    with multiprocessing.Pool(words.workers) as pool:
        found = pool.map(_part, parts, chunksize=1)
    kept = len(found) * 3 // 4
    rows, right = (np.concatenate([part[k] for part in found[:kept]]) for k in (0, 1))
    weights, bias = fitted(rows, right)
    rows, right = (np.concatenate([part[k] for part in found[kept:]]) for k in (0, 1))
    sure = 1 / (1 + np.exp(-(rows @ weights + bias)))
    loss = -np.mean(np.log(np.where(right > 0, sure, 1 - sure) + 1e-9))
    print(f"{len(rows)} grids kept out, {right.mean():.3f} of them right; loss {loss:.4f}")
    for low, high in ((0, 0.02), (0.02, 0.1), (0.1, 0.5), (0.5, 0.9), (0.9, 0.98), (0.98, 1.01)):
        chosen = (sure >= low) & (sure < high)
        share = right[chosen].mean() if chosen.any() else 0.0
        print(f"{low:4} to {high:4}: {chosen.sum():5} grids, right {share:.3f}")
    lines = [f"    {weight:.4f},  # {name}" for weight, name in zip(weights, FEATURES, strict=True)]
    text = [
        '"""Generated by `python -m training.locating.weights`; not to be changed by hand.',
        "",
        f"A logistic regression on {len(rows) * 4 // 3} grids, about, of {words.scenes} drawn scenes.",
        '"""',
        "",
        "WEIGHTS = (",
        *lines,
        ")",
        f"BIAS = {bias:.4f}",
        "",
    ]
    (Path(__file__).parents[2] / "vision/locating/weights.py").write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
