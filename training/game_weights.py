"""Fit the weights of the evidence during a game: `python -m training game-weights`.

Writes `vision/params/game_weights.json`. Random games are drawn in themes of the calibration families. In
each observation, the game so far is known; in some, nothing is known, as in a first picture in mid-game, or a
message covers a part of the board. The scores of the history (`vision/track/update.py`) are fixed, the others
are fitted (`evidence`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from games.logic import cell_set
from games.minesweeper import UNKNOWN, Board
from strategies.probability.board_prior import UniformMinePrior
from training.drawn_games import GamePicture, drawn_games, true_states
from training.evidence import ASSUMED, Counts, Labels, count_states, fit_weights, shares, true_labels
from training.storage import CALIBRATION, Fit, digest_arrays, sized, write_params
from vision.cells.model import CLASSES, CellModel
from vision.label.picture import SETTLED, Rows, weighted_sum
from vision.label.scene import Scene
from vision.label.scorer import NEVER, CachedPrior, Weights
from vision.label.search import confidences, find_labellings, normalised
from vision.params import GAME_WEIGHTS
from vision.track.belief import Belief
from vision.track.update import DOUBTS, cluster_rows, link_similar_clusters, scores_by_end

GAMES = {"calibration": 120, "validation": 40}
UNKNOWN_START = 0.3  # share of observations without history
UNITS = {
    "model": "nats of the cell model for the state of a cluster",
    "empty": "nats of the cell model for an empty against a covered blank",
    "present": "nats of game.json for a state to occur on a board, at least `rarest`",
    "half filled": "halves of a board, at most one, that a ~ cluster fills",
    "contradicted": "numbers with too few or too many neighbouring mines",
    "unnumbered": "cells that look like a number and are labelled otherwise",
    "clicks": "numbers without an empty neighbour that opened them",
    "unfinished": "1 if empty cells have covered neighbours",
    "beside": "empty cells with covered neighbours",
    "second hit": "exploded mines beyond the first",
    "unhit": "1 if mines are shown and none exploded",
    "untold": "marks without a number next to them",
    "parted": "nats of distances.json for one state, for linked clusters with two states",
    "numbers": "nats of the board prior for the numbers",
    "unshown": "1 if the program shows some mines and hides others",
    "astray": "1 if some flags are wrong",
}


@dataclass(eq=False)
class Observation:
    """A picture of a game with its features and its true labels.

    `ends` has, for a running or an ended game or both, the nats of every state that no weight changes. The
    judgements of the rules are cached, so that no board is judged twice.
    """

    scene: Scene
    rows: Rows
    right: Labels
    ends: Mapping[bool, Weights]
    mines: int | None
    judge: CachedPrior = field(default_factory=lambda: CachedPrior(UniformMinePrior()))

    def count(self, scale: Mapping[str, float]) -> Counts:
        """Its cells that are read rightly, not and wrongly with these weights."""
        likely = weighted_sum(self.rows, scale)
        labellings = [
            labelling
            for ended, fixed in self.ends.items()
            for labelling in find_labellings(
                self.scene, likely + fixed, self.judge, self.mines, scale, DOUBTS, ended
            )
        ]
        found = confidences(normalised(labellings))
        read, truth = "", ""
        for cluster, right, cells in zip(self.scene.present, self.right, self.scene.counts, strict=True):
            state, sure = found.get(cluster, (UNKNOWN, 0.0))
            read += (state if sure >= SETTLED else UNKNOWN) * int(cells)
            truth += CLASSES[right] * int(cells)
        return count_states(read, truth)


def observation_of(picture: GamePicture, index: int) -> Observation:
    """The features of a picture; some count as the first picture of their game."""
    belief, store, ids, seen = picture.belief, picture.store, picture.ids, picture.seen
    before = belief.board
    if before is None or np.random.default_rng(index).random() < UNKNOWN_START:
        belief, before = Belief(), Board(seen.rows, seen.columns, UNKNOWN * len(seen))
    changed = (
        cell_set(np.flatnonzero(ids != belief.ids).tolist()) if belief.ids is not None else before.everything
    )
    likelihoods = store.likelihoods()
    scene = Scene(seen.rows, seen.columns, ids)
    scene = link_similar_clusters(scene, belief.states, likelihoods, store.signed())
    rows = cluster_rows(before, scene, likelihoods)
    likely = weighted_sum(rows, {name: ASSUMED[name] for name in rows})
    ends = {
        has_ended: np.maximum(scores - likely, NEVER) + share / len(likely)
        for has_ended, share, scores in scores_by_end(belief, before, changed, 0, scene, likely)
    }
    right = true_labels(scene, true_states(ids, seen))
    return Observation(scene, rows, right, ends, picture.mines if index % 2 else None)


def main() -> None:
    """Fit on the calibration families, measure on the validation families, and write the file."""
    model = CellModel.load()
    fitted, held = (
        [observation_of(each, k) for k, each in enumerate(drawn_games(model, split, range(sized(count))))]
        for split, count in GAMES.items()
    )
    scale = fit_weights(tuple(UNITS), len(fitted), lambda number, scale: fitted[number].count(scale))
    print(f"before: {shares(each.count(GAME_WEIGHTS) for each in held)}", flush=True)
    data = f"{len(fitted)} observations of {sized(GAMES['calibration'])} drawn games; nats per unit"
    digest = digest_arrays(*(row for each in fitted for row in each.rows.values()))
    fit = Fit(data, digest, shares(each.count(scale) for each in held), CALIBRATION)
    write_params("game_weights", scale, fit, units=UNITS)
