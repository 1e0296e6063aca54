"""Fit what distances between clusters mean: `python -m training distances`.

Writes `vision/params/distances.json`:

- *same number*: half of the cells of a drawn picture are known. For each cluster that occurs only among the
  others and shows a sign, logistic regression fits the probability that it shows the sign of the nearest
  known cluster, from its distance and the distance to the next sign.
- *fresh board*: from the largest steps between its clusters, logistic regression separates a fresh board from
  a board in play, in the same theme and picture quality.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from training.drawings.board_images import draw_board
from training.drawings.camera import photograph
from training.drawings.theme_choice import choose_theme
from training.drawings.themes import ThemeResources
from training.drawn_pictures import SMALLEST, drawn_pictures
from training.game_states import random_state
from training.logistic import fit_logistic, log_loss
from training.splits import SPLITS
from training.storage import Fit, digest_arrays, sized, write_params
from vision.cells.clusters import ClusterStore
from vision.cells.model import CLASSES, CellModel
from vision.frame import Frame
from vision.label.scene import Scene
from vision.lattice import Lattice
from vision.params import FRESH_BOARD, SAME_NUMBER
from vision.track.update import SIGNS, contrast_of, distances_from, largest_steps, without_rims

PICTURES = {"train": 600, "validation": 150}
THEMES = {"train": 300, "validation": 100}
STAGES = ({"first": 0.3, "play": 0.7}, {"fresh": 1.0})  # of a board in play, and of a fresh one
RIDGE = 0.01
UNITS = {
    "same number": "a constant, and the log ratio of the distance to the next number and to the nearest",
    "fresh board": "a constant, the largest step (mean colours removed) relative to the contrast inside "
    "cells, and the largest step in grey levels",
}
Floats = NDArray[np.float64]


def number_samples(model: CellModel, split: str) -> Iterator[tuple[float, float, float]]:
    """The features of the clusters that are not known, and 1 if the nearest known cluster has their state."""
    signs = [CLASSES.index(state) for state in SIGNS]
    for seed, labelled in enumerate(drawn_pictures(split, range(sized(PICTURES[split])))):
        clusters = ClusterStore(model)
        ids = clusters.assign(labelled.frame, labelled.lattice)
        states = np.array([CLASSES.index(state) for state in labelled.board.cells])
        inner = without_rims(clusters.signed())
        shown = np.array([np.bincount(states[ids == c]).argmax() for c in range(len(inner))])
        is_seen = np.random.default_rng([seed, SPLITS.index(split), 13]).random(len(ids)) < 0.5
        is_known = np.isin(np.arange(len(inner)), ids[is_seen])
        known = np.flatnonzero(is_known & np.isin(shown, signs))
        for new in np.flatnonzero(~is_known & np.isin(shown, signs)):
            off = distances_from(inner[known], inner[new])
            others = off[shown[known] != shown[known][off.argmin()]] if known.size else off
            if others.size:
                is_same = shown[known][off.argmin()] == shown[new]
                yield 1.0, contrast_of(float(off.min()), float(others.min())), float(is_same)


def board_samples(model: CellModel, split: str) -> Iterator[tuple[float, float, float, float]]:
    """The features of a board in play and of a fresh board of each theme, and 1 for the fresh one."""
    resources = ThemeResources.load(split)
    for seed in range(sized(THEMES[split])):
        for is_fresh, stages in enumerate(STAGES):
            rng = np.random.default_rng([seed, SPLITS.index(split), 17])
            theme = choose_theme(resources, rng)
            drawn = draw_board(theme, random_state(rng, stages), rng, margin=6, busy=False)
            drawn = photograph(np.random.default_rng([seed, SPLITS.index(split), 19]), drawn)
            lattice = Lattice(drawn.xs, drawn.ys)
            if lattice.pitch >= SMALLEST:
                clusters = ClusterStore(model)
                ids = clusters.assign(Frame(drawn.pixels), lattice)
                scene = Scene(lattice.rows, lattice.columns, ids)
                if len(scene.present) > 1:
                    yield 1.0, *largest_steps(scene, clusters.signed()), float(is_fresh)


def main() -> None:
    """Fit on the training families, measure on the validation families, and write the file."""
    model = CellModel.load()
    values: dict[str, list[float]] = {}
    metrics: dict[str, float | int] = {}
    tables = []
    known = {"same number": SAME_NUMBER, "fresh board": FRESH_BOARD}
    for name, samples in (("same number", number_samples), ("fresh board", board_samples)):
        table, held = (np.array(list(samples(model, split))) for split in ("train", "validation"))
        width = table.shape[1] - 1
        fitted = fit_logistic(table[:, :-1], table[:, -1], np.array([0.0, *[RIDGE] * (width - 1)]))
        values[name] = [float(f"{value:.3g}") for value in fitted]
        before, after = (log_loss(held[:, :-1], held[:, -1], each) for each in (known[name], values[name]))
        print(f"{name}: {values[name]}; {len(table)} samples; nats before: {before:.5f}, now: {after:.5f}")
        metrics |= {f"{name}: samples": len(held), f"{name}: nats": after}
        tables.append(table)
    data = f"{len(tables[0])} clusters and {len(tables[1])} boards, drawn; log-odds in nats"
    write_params("distances", values, Fit(data, digest_arrays(*tables), metrics), units=UNITS)
