"""Whole pictures for the network that proposes boards (`overview_network.py`), stored as PNG."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from training.drawings.themes import ThemeResources
from training.grids.scene_parts import Lines
from training.grids.scenes import SIDES, draw_scenes
from training.storage import DRAWN, cached_arrays, sized

# the number of a batch is its seed
BATCHES = {"train": range(1_000_000, 1_000_176), "validation": range(1_100_000, 1_100_006)}
DESKTOPS = 25  # per batch, with two scenes each
LOOKS, WITH_BOARD = 0.25, 0.7  # shares of desktops with random looks, and of first scenes with a board


@dataclass(frozen=True, eq=False)
class StoredScene:
    """A picture as PNG, the lines of its board (empty without one), and per side whether it is clipped."""

    png: NDArray[np.uint8]
    xs: Lines
    ys: Lines
    cut: NDArray[np.bool_]


def load_scenes(split: str) -> list[StoredScene]:
    """All scenes of a split; draws the missing batches."""
    found = []
    for batch in BATCHES[split][: sized(len(BATCHES[split]))]:
        stored = cached_arrays(DRAWN / "overview" / f"{batch}.npz", partial(_draw_batch, split, batch))
        found += [
            StoredScene(*(stored[f"{name} {number}"] for name in ("png", "xs", "ys", "cut")))
            for number in range(len(stored) // 4)
        ]
    return found


def _draw_batch(split: str, batch: int) -> dict[str, NDArray[np.generic]]:
    resources = ThemeResources.load(split)
    stored: dict[str, NDArray[np.generic]] = {}
    for seed in range(DESKTOPS * batch, DESKTOPS * (batch + 1)):
        rng = np.random.default_rng(seed)
        has_looks = rng.random() < LOOKS
        for drawn in draw_scenes(rng, resources, (rng.random() < WITH_BOARD, True), has_looks):
            number = len(stored) // 4
            stored[f"png {number}"] = cv2.imencode(".png", drawn.pixels)[1]
            stored[f"xs {number}"], stored[f"ys {number}"] = drawn.xs, drawn.ys
            stored[f"cut {number}"] = np.isin(SIDES, drawn.cut)
    print(f"drawn: batch {batch}", flush=True)
    return stored
