"""Fit what distances between clusters mean: `python -m training distances`.

Writes `vision/params/distances.json`:

- *same number*: for each new cluster in a picture of a drawn game, logistic regression fits the probability
  that it shows the sign of the nearest known cluster, from its distance and that to the nearest sign
  that it may show instead.
- *fresh board*: from the largest steps between its clusters, logistic regression separates a fresh board from
  a board in play, in the same theme.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from games.minesweeper import Board
from training.drawings.board_images import GamePainter
from training.drawings.theme_choice import choose_theme
from training.drawings.themes import ThemeResources
from training.drawn_games import drawn_games, true_states
from training.drawn_pictures import SMALLEST
from training.game_states import random_state
from training.logistic import fit_logistic, log_loss
from training.splits import SPLITS
from training.storage import Fit, digest_arrays, sized, write_params
from vision.cells.clusters import ClusterStore, without_rims
from vision.cells.model import CellModel
from vision.label.fresh import largest_steps
from vision.label.scene import Scene
from vision.params import FRESH_BOARD, SAME_NUMBER
from vision.track.update import SIGNS, contrast_of, distances_from, is_rival

GAMES = {"train": 250, "validation": 80}
THEMES = {"train": 300, "validation": 100}
STAGES = ({"first": 0.3, "play": 0.7}, 0.0), ({"fresh": 1.0}, 1.0)  # of a board in play, and of a fresh one
RIDGE = 0.01
UNITS = {
    "same number": "a constant, and the log ratio of the distance to the next number and to the nearest",
    "fresh board": "a constant, the largest step (mean colours removed) relative to the contrast inside "
    "cells, and the largest step in grey levels",
}


def number_samples(model: CellModel, split: str) -> Iterator[tuple[float, float, float]]:
    """The features of the new clusters of each picture, and 1 if the nearest known sign is theirs."""
    for picture in drawn_games(model, split, range(sized(GAMES[split]))):
        inner = without_rims(picture.store.signed())
        states, known_states = true_states(picture.ids, picture.seen), picture.belief.states
        known = np.array([c for c, state in known_states.items() if state in SIGNS], np.intp)
        shown = np.array([known_states[int(c)] for c in known])
        for new in (c for c in states if c not in known_states and known.size):
            off = distances_from(inner[known], inner[new])
            nearest = int(off.argmin())
            others = off[is_rival(shown, nearest)]
            if others.size:
                contrast = contrast_of(float(off[nearest]), float(others.min()))
                yield 1.0, contrast, float(shown[nearest] == states[new])


def board_samples(model: CellModel, split: str) -> Iterator[tuple[float, float, float, float]]:
    """The features of a fresh board and of a board in play of each theme, and 1 for the fresh one."""
    resources = ThemeResources.load(split)
    for seed in range(sized(THEMES[split])):
        rng = np.random.default_rng([seed, SPLITS.index(split), 17])
        painter = GamePainter(choose_theme(resources, rng), seed)
        for stages, is_fresh in STAGES:
            rows = random_state(rng, stages)
            board = Board(len(rows), len(rows[0]), "".join(rows))
            lattice = painter.lattice(board)
            if lattice.pitch >= SMALLEST:
                clusters = ClusterStore(model)
                scene = Scene(board.rows, board.columns, clusters.assign(painter.picture(board), lattice))
                if len(scene.present) > 1:
                    yield 1.0, *largest_steps(scene, clusters.signed()), is_fresh


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
    data = f"{len(tables[0])} clusters of drawn games and {len(tables[1])} drawn boards; log-odds in nats"
    write_params("distances", values, Fit(data, digest_arrays(*tables), metrics), units=UNITS)
