"""Fit the weights of the evidence that labels a picture: `python -m training weights`.

The script draws boards of the calibration families (`drawn_pictures`), counts how far the ground of empty and
of covered cells is from open ground, and fits the weights (`evidence`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from games.minesweeper import Board
from strategies.probability.board_prior import UniformMinePrior
from training.drawn_games import true_states
from training.drawn_pictures import drawn_pictures
from training.evidence import Counts, Labels, count_states, fit_weights, shares, true_labels
from training.storage import CALIBRATION, Fit, digest_arrays, sized, write_params
from vision.cells.model import CLASSES, CellModel
from vision.label.picture import (
    STEPS,
    PictureClusters,
    cluster_picture,
    ground_bin,
    read_clusters,
    weighted_sum,
)
from vision.label.scorer import MARKS, CachedPrior
from vision.params import GROUND, STRANGE, WEIGHTS

PICTURES = {"calibration": 600, "validation": 300}
# the weights of a mark whose drawing the model does not know, by the class that the model sees
STRANGES = {"other": "strange other", "drawn": "strange drawn"}

# the unit of each weight
UNITS = {
    "model": "nats of the cell model for the state of a cluster",
    "empty": "nats of the cell model for an empty against a covered blank",
    "ground": "nats of GROUND for it",
    **{f"mark {state}": f"clusters that are {state}" for state in MARKS},
    **{f"any {state}": f"1 if any cell is {state}" for state in MARKS},
    "filled": "thirds of a board, at most one, that a cluster of marks fills beyond the first",
    "pieces": "connected parts of a ~ cluster beyond the first",
    "regions": "connected parts of all ~ cells",
    "patched": "difference of a connected blank from the others, in units of joining.FARTHEST",
    "contradicted": "numbers with too few or too many neighbouring mines",
    "unread": "cells that look like a number and are labelled otherwise",
    "clicks": "numbers without an empty neighbour that opened them",
    "unfinished": "1 if empty cells have covered neighbours",
    "left": "logarithm of one plus the number of such cells",
    "second hit": "exploded mines beyond the first",
    "unhit": "1 if mines are shown and none has exploded",
    "untold": "flags and question marks without a neighbouring number",
    "parted": "nats of links.json for one state, for linked clusters with two states",
    "numbers": "nats of the board prior for the numbers",
    "unshown": "1 if some mines are shown and others hidden",
    "astray": "1 if flags are on cells that cannot be mines",
}


@dataclass(frozen=True, eq=False)
class LabelledExample:
    """A drawn picture: its clusters, and their true states. No board is judged twice."""

    seen: PictureClusters
    truth: Board
    right: Labels
    judge: CachedPrior

    def count(self, ground: Sequence[float], scale: Mapping[str, float]) -> Counts:
        """Its cells that are read rightly, not and wrongly with these weights."""
        strange = {kind: scale[name] for kind, name in STRANGES.items()}
        scores = weighted_sum(self.seen.rows(ground, strange), scale)
        read = read_clusters(self.seen, self.judge, scores, scale).board
        return count_states(read.cells, self.truth.cells)


def examples(model: CellModel, split: str, seeds: range) -> list[LabelledExample]:
    """The drawn pictures of these seeds, cut along their known lines."""
    found = []
    for labelled in drawn_pictures(split, seeds):
        seen = cluster_picture(labelled.frame, labelled.lattice, model)
        right = true_labels(seen.scene, true_states(seen.scene.ids, labelled.board))
        found.append(LabelledExample(seen, labelled.board, right, CachedPrior(UniformMinePrior())))
    return found


def ground_table(found: Iterable[LabelledExample]) -> tuple[float, ...]:
    """Log odds of an empty against a covered cell, in nats, by its difference from open ground (STEPS).

    Each picture has the same weight, for empty and for covered cells.
    """
    counts = np.full((2, len(STEPS) + 2), 0.5)
    for each in found:
        steps = ground_bin(each.seen.unlike)
        for row, state in enumerate("0."):
            here = steps[np.array(each.right) == CLASSES.index(state)]
            if here.size:
                counts[row] += np.bincount(here, minlength=len(STEPS) + 2) / here.size
    shares = counts[:, :-1] / counts[:, :-1].sum(axis=1, keepdims=True)
    return tuple(np.log(shares[0] / shares[1]).round(2).tolist())


def main() -> None:
    """Fit on the calibration families, measure on the validation families, and write the file."""
    model = CellModel.load()
    fitted, held = (examples(model, split, range(sized(count))) for split, count in PICTURES.items())
    ground = ground_table(fitted)
    names = (*UNITS, *STRANGES.values())
    scale = fit_weights(names, len(fitted), lambda number, scale: fitted[number].count(ground, scale))
    shipped = {**WEIGHTS, **{name: STRANGE[kind] for kind, name in STRANGES.items()}}
    print(f"before: {shares(each.count(GROUND, shipped) for each in held)}", flush=True)
    strange = {kind: scale[name] for kind, name in STRANGES.items()}
    values = {"strange": strange, "weights": {name: scale[name] for name in UNITS}, "ground": ground}
    digest = digest_arrays(*(each.seen.likely for each in fitted))
    metrics = shares(each.count(ground, scale) for each in held)
    fit = Fit(f"{len(fitted)} drawn pictures; nats per unit", digest, metrics, CALIBRATION)
    write_params("picture", values, fit, units=UNITS)
