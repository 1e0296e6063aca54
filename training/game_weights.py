"""Fit the weights of the evidence during a game: `python -m training game-weights`.

Writes `vision/params/game_weights.json`. Random games are drawn in themes of the calibration families. In
each observation, the game so far is known; in some, nothing is known, as in a first picture in mid-game, or a
message covers a part of the board. The scores of the history (`vision/track/update.py`) are fixed, the others
are fitted (`evidence`), with assumptions about programs and players as their prior.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from games.minesweeper import UNKNOWN, Board
from training.drawn_games import GamePicture, drawn_games, true_states
from training.evidence import RULES, Observation, Prior, fit_in_turns, true_labels
from training.storage import CALIBRATION, Fit, digest_arrays, sized, write_params
from vision.cells.model import CLASSES, CellModel
from vision.label.picture import SETTLED, weighted_sum
from vision.label.scene import Scene
from vision.label.scorer import NEVER
from vision.label.search import confidences, find_labellings, normalised
from vision.params import GAME_WEIGHTS
from vision.track.belief import Belief, cells_where
from vision.track.update import DOUBTS, cascade_cells, cluster_rows, link_similar_clusters, scores_by_end

GAMES = {"calibration": 120, "validation": 40}
TURNS = 3
UNKNOWN_START = 0.3  # share of observations without history
# the unit of each weight, and its expected value, nats
WEIGHTS = {
    **RULES,
    "present": ("nats of game.json for a state to occur on a board, at least `rarest`", 1.0),
    "half filled": ("halves of a board, at most one, that a ~ cluster fills", -6.0),
    "regions": ("connected parts of the ~ cells of a cascade; messages have one", -4.0),
    "arranged": ("nats; the ways to divide the cells of each state among its drawings", -1.0),
    "beside": ("empty cells with covered neighbours", -1.5),
}
# A change of a weight by one nat must save one unread cell in two hundred: drawn games contain few faults, so
# the assumptions about programs and players count more than small gains.
RIDGE = 1e-2
PRIOR = Prior(WEIGHTS, RIDGE)


def observation_of(picture: GamePicture, index: int) -> Observation:
    """The features of a picture; some count as the first picture of their game."""
    belief, store, ids, seen = picture.belief, picture.store, picture.ids, picture.seen
    before = belief.board
    if before is None or np.random.default_rng(index).random() < UNKNOWN_START:
        belief, before = Belief(), Board(seen.rows, seen.columns, UNKNOWN * len(seen))
    changed = cells_where(ids != belief.ids) if belief.ids is not None else before.everything
    likelihoods = store.likelihoods()
    cascade, guessed = cascade_cells(belief, before, changed)
    scene = Scene(seen.rows, seen.columns, ids, cascade=cascade, guessed=guessed)
    scene = link_similar_clusters(scene, belief.states, likelihoods, store.signed())
    rows = cluster_rows(before, scene, likelihoods)
    likely = weighted_sum(rows, PRIOR.weights)
    mines = picture.mines if index % 2 else None
    ends = {
        has_ended: np.maximum(scores - likely, NEVER) + share / len(likely)
        for has_ended, share, scores in scores_by_end(belief, before, changed, 0, scene, likely, mines)
    }
    right = true_labels(scene, true_states(ids, seen))
    return Observation(scene, rows, right, ends, mines)


def count_cells(found: Sequence[Observation], scale: Mapping[str, float]) -> dict[str, float | int]:
    """Shares of right, unknown and wrong clusters, weighted by their cells."""
    cells = {"right": 0, "unknown": 0, "wrong": 0}
    for each in found:
        labellings = [
            (weight, states)
            for ended in each.ends
            for weight, states in find_labellings(
                each.scene, each.scorer(scale, ended).scores, each.judge, each.mines, scale, DOUBTS, ended
            )
        ]
        read = confidences(normalised(labellings))
        for cluster, right, count in zip(each.scene.present, each.right, each.scene.counts, strict=True):
            state, sure = read.get(cluster, (UNKNOWN, 0.0))
            is_read = state != UNKNOWN and sure >= SETTLED
            kind = "unknown" if not is_read else "right" if state == CLASSES[right] else "wrong"
            cells[kind] += int(count)
    total = max(1, sum(cells.values()))
    return {"observations": len(found), "cells": total} | {kind: n / total for kind, n in cells.items()}


def main() -> None:
    """Fit on the calibration families, measure on the validation families, and write the file."""
    model = CellModel.load()
    train, held = (
        [observation_of(each, k) for k, each in enumerate(drawn_games(model, split, range(sized(count))))]
        for split, count in GAMES.items()
    )
    weights, tables = fit_in_turns(train, PRIOR, TURNS, lambda scale: count_cells(train, scale))
    print(f"before: {count_cells(held, GAME_WEIGHTS)}", flush=True)
    data = f"{len(tables)} observations of {sized(GAMES['calibration'])} drawn games; nats per unit"
    digest = digest_arrays(*(each.features for each in tables))
    fit = Fit(data, digest, count_cells(held, weights), CALIBRATION)
    write_params("game_weights", weights, fit, units={name: unit for name, (unit, _) in WEIGHTS.items()})
