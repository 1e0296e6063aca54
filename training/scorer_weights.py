"""Fit the weights of the evidence that labels a picture: `python -m training weights`.

The script draws boards of the calibration families (`drawn_pictures`) and fits the weights (`evidence`). At
the end, the weights of unknown drawings (STRANGES) that read most cells right are chosen. Their likelihoods
cannot be compared, because the rivals were found with one of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from games.minesweeper import UNKNOWN, Board
from strategies.probability.board_prior import UniformMinePrior
from training.drawn_games import true_states
from training.drawn_pictures import drawn_pictures
from training.evidence import RULES, WRONG, Labels, Observation, Prior, fit_in_turns, true_labels
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
TURNS = 4
# the unit of each weight, and its expected value, nats
EXPECTED = {
    **RULES,
    "ground": ("nats of GROUND for an empty against a covered blank", 1.0),
    **{f"mark {state}": (f"clusters that are {state}", 0.0) for state in MARKS},
    **{f"any {state}": (f"1 if any cell is {state}", 0.0) for state in MARKS},
    # a mark fills two thirds of one board in a hundred
    "filled": ("thirds of a board, at most one, that a cluster of marks fills beyond the first", -4.6),
    "pieces": ("connected parts of a ~ cluster beyond the first", -1.5),
    "regions": ("connected parts of all ~ cells", -1.5),
    "patched": ("difference of a connected blank from the others, in units of 20 grey levels", -1.5),
    "unread": ("cells that look like a number and are labelled otherwise (log 1/9)", -2.2),
    "left": ("logarithm of one plus the number of empty cells with covered neighbours", -1.5),
}
# A change of a weight by one nat must save one unread cell in two thousand: drawings contain few faults.
PRIOR = Prior(EXPECTED, 1e-3)
# nats of a mark whose drawing the model does not know, by the class that the model sees
STRANGES = [{"other": other, "drawn": drawn} for other in (-2.0, -3.0, -4.0) for drawn in (-6.0, -9.0)]
CHOSEN_ON = 200  # pictures


@dataclass(frozen=True)
class PictureWeights:
    """The values of `vision/params/picture.json`."""

    scale: Mapping[str, float]
    ground: Sequence[float]
    strange: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class LabelledExample:
    """A drawn picture: its clusters, and their true states. No board is judged twice."""

    seen: PictureClusters
    truth: Board
    right: Labels
    judge: CachedPrior

    def observation(self, ground: Sequence[float]) -> Observation:
        """The picture with the features for fitting."""
        nothing = np.zeros((len(self.right), len(CLASSES)))
        return Observation(
            self.seen.scene,
            self.seen.rows(ground, STRANGES[3]),
            self.right,
            {False: nothing},
            judge=self.judge,
        )


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


def count_cells(found: Iterable[LabelledExample], by: PictureWeights) -> dict[str, float | int]:
    """Shares of right, unknown and wrong cells, and the pictures with wrong cells."""
    total: Counter[str] = Counter()
    for each in found:
        scores = weighted_sum(each.seen.rows(by.ground, by.strange), by.scale)
        reading = read_clusters(each.seen, each.judge, scores, by.scale)
        cells = Counter(
            "right" if a == b else "unknown" if a == UNKNOWN else "wrong"
            for a, b in zip(reading.board.cells, each.truth.cells, strict=True)
        )
        total += cells + Counter({"cells": len(each.truth), "pictures with wrong cells": cells["wrong"] > 0})
    shares = {kind: total[kind] / max(1, total["cells"]) for kind in ("right", "unknown", "wrong")}
    return {
        "cells": total["cells"],
        **shares,
        "pictures with wrong cells": total["pictures with wrong cells"],
    }


def choose_strange(found: Sequence[LabelledExample], by: PictureWeights) -> PictureWeights:
    """The weights with the one of STRANGES that reads these pictures best."""

    def score(one: PictureWeights) -> float:
        cells = count_cells(found, one)
        print(f"{one.strange}: {cells}", flush=True)
        return cells["right"] - WRONG * cells["wrong"]

    return max((replace(by, strange=strange) for strange in STRANGES), key=score)


def main() -> None:
    """Fit on the calibration families, measure on the validation families, and write the file."""
    model = CellModel.load()
    train, held = (examples(model, split, range(sized(count))) for split, count in PICTURES.items())
    ground = ground_table(train)
    scale, tables = fit_in_turns(
        [each.observation(ground) for each in train],
        PRIOR,
        TURNS,
        lambda scale: count_cells(train, PictureWeights(scale, ground, STRANGES[3])),
    )
    by = choose_strange(train[: sized(CHOSEN_ON)], PictureWeights(scale, ground, STRANGES[3]))
    print(f"before: {count_cells(held, PictureWeights(WEIGHTS, GROUND, STRANGE))}", flush=True)
    values = {"strange": by.strange, "weights": by.scale, "ground": by.ground}
    data = f"{len(tables)} drawn pictures; nats per unit"
    digest = digest_arrays(*(each.features for each in tables))
    fit = Fit(data, digest, count_cells(held, by), CALIBRATION)
    write_params("picture", values, fit, units=PRIOR.units)
