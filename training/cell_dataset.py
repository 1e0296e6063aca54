"""The data set of the cell model: boards of random themes, changed by a camera and cut into cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from games.errors import MissingRequirement
from training.drawings.backgrounds import draw_desktop
from training.drawings.board_images import draw_board
from training.drawings.camera import cut_cells, photograph, unevenness, wrong_cuts
from training.drawings.theme_choice import choose_theme
from training.drawings.themes import ThemeResources
from training.splits import SPLITS
from training.storage import DRAWN, write_arrays
from vision.cells.model import CLASSES, SIDE, crop_to_drawing, prepare
from vision.frame import Pixels

OFTEN = {".": 10, "0": 10, "F": 6, "?": 4, "*": 6, "!": 3, "x": 4, "~": 9}  # of 100 cells; digits: the rest
CLOSE_UPS = 0.25  # share of the cells with a small drawing that are cropped to it
COLUMNS, ROWS = 7, 6
THEMES_PER_BATCH = 50
CELLS = DRAWN / "cells"
Cells = tuple[NDArray[np.uint8], NDArray[np.uint8]]  # (n, SIDE, SIDE, 3) and (n,) indices in CLASSES


def draw_batch(split: str, seed: int) -> Cells:
    """The cells of THEMES_PER_BATCH themes; the same seed gives the same cells."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, SPLITS.index(split)])
    pictures, kinds = [], []
    for state, picture in _draw_cells(ThemeResources.load(split), rng):
        if min(picture.shape[:2]) >= 4:
            part = crop_to_drawing([picture]).get(0, picture) if rng.random() < CLOSE_UPS else picture
            pictures.append(prepare(part))
            kinds.append(CLASSES.index(state))
    return np.array(pictures), np.array(kinds, np.uint8)


def _draw_cells(resources: ThemeResources, rng: np.random.Generator) -> Iterator[tuple[str, Pixels]]:
    states = "".join(CLASSES)
    digits = sum(state in "12345678" for state in states)
    parts = np.array([OFTEN.get(state, (100 - sum(OFTEN.values())) / digits) for state in states]) / 100
    screen = draw_desktop(rng, resources, (400, 300), textured=False)
    for k in range(THEMES_PER_BATCH):
        if k % 10 == 0:
            screen = draw_desktop(rng, resources, (400, 300), textured=False)
        theme = choose_theme(resources, rng)
        rows = ["".join(rng.choice(list(states), COLUMNS, p=parts)) for _ in range(ROWS)]
        drawn = photograph(rng, draw_board(theme, rows, rng, margin=4))
        yield from cut_cells(rng, drawn)
        yield from (("~", cut) for cut in wrong_cuts(rng, drawn, 5))
        for _ in range(3):
            side = int(np.exp(rng.uniform(np.log(9), np.log(80))))
            x, y = int(rng.integers(0, 400 - side)), int(rng.integers(0, 300 - side))
            cut = screen[y : y + side, x : x + side]
            if unevenness(cut) > 25:
                yield "~", cut


def draw_batches(split: str, batches: Sequence[int]) -> None:
    """Draw the missing batches of a split."""
    for seed in batches:
        path = _file(split, seed)
        if not path.exists():
            pictures, kinds = draw_batch(split, seed)
            write_arrays(path, {"pictures": pictures, "kinds": kinds})
            print(f"drawn: {path.stem}, {len(kinds)} cells", flush=True)


def load_cells(split: str, batches: Sequence[int]) -> Cells:
    """The stored cells of these batches. Raises MissingRequirement if one is missing."""
    paths = [_file(split, seed) for seed in batches]
    if not all(path.exists() for path in paths):
        raise MissingRequirement(f"missing cells in {CELLS}: run 'python -m training draw'")
    kinds = [np.load(path)["kinds"] for path in paths]
    # gigabytes, so there is no second copy
    pictures = np.empty((sum(map(len, kinds)), SIDE, SIDE, 3), np.uint8)
    start = 0
    for path, part in zip(paths, kinds, strict=True):
        pictures[start : start + len(part)] = np.load(path)["pictures"]
        start += len(part)
    return pictures, np.concatenate(kinds)


def _file(split: str, seed: int) -> Path:
    return CELLS / f"{split}-{seed:05d}.npz"
