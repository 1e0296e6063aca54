"""Cells by the hundred thousand: themes drawn as boards, photographed, cut; on all processors."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from games.errors import MissingRequirement
from training.drawing.boards import draw_board
from training.drawing.camera import cells, miscuts, photograph, stored, unevenness
from training.drawing.choosing import choose_theme
from training.drawing.desktop import desktop
from training.drawing.themes import Supply
from vision.cells.model import CLASSES, SIDE, crop_to_drawing
from vision.frame import Pixels

OFTEN = {".": 10, "0": 10, "F": 6, "?": 4, "*": 6, "!": 3, "x": 4, "~": 9}  # of 100; digits share the rest
CLOSER = 0.25  # of the cells with a small drawing: cut down to it, as the model sees them as well
COLUMNS, ROWS = 7, 6
THEMES_A_LOT = 50
Cells = tuple[NDArray[np.uint8], NDArray[np.uint8]]  # (n, SIDE, SIDE, 3) and (n,) places in CLASSES


@cache
def _supply(split: str) -> Supply:
    return Supply.load(split)


def lot(split: str, seed: int) -> Cells:
    """The cells of THEMES_A_LOT themes; the same every time."""
    import cv2

    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, {"train": 0, "validation": 1, "test": 2}[split]])
    pictures, kinds = [], []
    for state, picture in _lot(_supply(split), rng):
        if min(picture.shape[:2]) >= 4:
            part = crop_to_drawing([picture]).get(0, picture) if rng.random() < CLOSER else picture
            pictures.append(stored(part))
            kinds.append(CLASSES.index(state))
    return np.array(pictures), np.array(kinds, np.uint8)


def _lot(supply: Supply, rng: np.random.Generator) -> Iterator[tuple[str, Pixels]]:
    states = "".join(CLASSES)
    digits = sum(state in "12345678" for state in states)
    parts = np.array([OFTEN.get(state, (100 - sum(OFTEN.values())) / digits) for state in states]) / 100
    screen = desktop(rng, supply, (400, 300), textured=False)
    for k in range(THEMES_A_LOT):
        if k % 10 == 0:
            screen = desktop(rng, supply, (400, 300), textured=False)
        theme = choose_theme(supply, rng)
        rows = ["".join(rng.choice(list(states), COLUMNS, p=parts)) for _ in range(ROWS)]
        drawn = photograph(rng, draw_board(theme, rows, rng, margin=4, busy=False))
        yield from cells(rng, drawn)
        yield from (("~", cut) for cut in miscuts(rng, drawn, 5))
        for _ in range(3):
            side = int(np.exp(rng.uniform(np.log(9), np.log(80))))
            x, y = int(rng.integers(0, 400 - side)), int(rng.integers(0, 300 - side))
            cut = screen[y : y + side, x : x + side]
            if unevenness(cut) > 25:
                yield "~", cut


def draw(split: str, lots: Sequence[int], goal: Path, workers: int = 2) -> int:
    """Draws lots that are not there yet, as GOAL/split-SEED.npz; returns how many cells."""
    goal.mkdir(parents=True, exist_ok=True)
    wanted = [seed for seed in lots if not (goal / f"{split}-{seed:05d}.npz").exists()]
    started, total = time.monotonic(), 0
    with ProcessPoolExecutor(workers) as pool:
        for seed, (pictures, kinds) in zip(wanted, pool.map(lot, [split] * len(wanted), wanted), strict=True):
            path = goal / f"{split}-{seed:05d}.part"
            with path.open("wb") as file:
                np.savez(file, pictures=pictures, kinds=kinds)
            path.rename(path.with_suffix(".npz"))
            total += len(kinds)
    print(
        f"{split}: {total} cells of {len(wanted) * THEMES_A_LOT} themes, {time.monotonic() - started:.0f} s",
        flush=True,
    )
    return total


def load(split: str, folder: Path) -> Cells:
    """Every lot of a split that was stored. Raises MachineLacks when none was."""
    paths = sorted(folder.glob(f"{split}-*.npz"))
    if not paths:
        raise MissingRequirement(f"there are no cells in {folder}: draw them with 'python -m training draw'")
    kinds = [np.load(path)["kinds"] for path in paths]
    pictures = np.empty((sum(map(len, kinds)), SIDE, SIDE, 3), np.uint8)  # gigabytes: no second copy of all
    start = 0
    for path, part in zip(paths, kinds, strict=True):
        pictures[start : start + len(part)] = np.load(path)["pictures"]
        start += len(part)
    return pictures, np.concatenate(kinds)
