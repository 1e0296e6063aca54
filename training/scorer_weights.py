"""Fit the weights of the evidence that labels a picture: `python -m training weights`.

The script draws boards of the calibration families (`drawn_pictures`) and fits the weights (`evidence`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from games.minesweeper import UNKNOWN, Board
from strategies.probability.board_prior import UniformMinePrior
from training.drawn_games import true_states
from training.drawn_pictures import drawn_pictures
from training.evidence import RULES, Labels, Observation, Prior, fit_in_turns, true_labels
from training.storage import CALIBRATION, Fit, digest_arrays, sized, write_params
from vision.cells.model import CLASSES, CellModel
from vision.label.picture import STEPS, PictureClusters, cluster_picture, ground_bin, read_clusters
from vision.label.scorer import MARKS, CachedPrior
from vision.params import GROUND, WEIGHTS

PICTURES = {"calibration": 600, "validation": 300}
TURNS = 4
# weights of exact, independent evidence, and two assumptions: a mark fills two thirds of one board in a
# hundred, and players open every second number themselves
EXACT = dict.fromkeys(("model", "empty", "ground", "numbers"), 1.0) | {"filled": -4.6, "clicks": -0.7}
UNITS = {
    **{name: unit for name, (unit, _) in RULES.items()},
    "ground": "nats of GROUND for an empty against a covered blank",
    **{f"mark {state}": f"groups of linked clusters that are {state}" for state in MARKS},
    **{f"any {state}": f"1 if any cell is {state}" for state in MARKS},
    "filled": "thirds of a board, at most one, that linked clusters of marks fill beyond the first",
    "pieces": "connected parts of a ~ cluster beyond the first",
    "regions": "connected parts of all ~ cells",
    "patched": "difference of a connected blank from the others, in units of 20 grey levels",
    "unread": "cells that look like a number and are labelled otherwise",
    "left": "logarithm of one plus the number of empty cells with covered neighbours",
}
# other weights are expected to be 0, unlike those of games: drawn pictures contain faults of all kinds
PRIOR = Prior({name: (unit, EXACT.get(name, 0.0)) for name, unit in UNITS.items()}, 1e-3)
# nats of a mark that the model does not know (assumed): one in twenty looks like nothing known, and one in
# twenty thousand looks like another state
STRANGE = {"other": -3.0, "drawn": -10.0}


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
        rows = self.seen.rows(ground, STRANGE)
        return Observation(self.seen.scene, rows, self.right, {False: nothing}, judge=self.judge)


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


def count_cells(
    found: Iterable[LabelledExample], scale: Mapping[str, float], ground: Sequence[float]
) -> dict[str, float | int]:
    """Shares of right, unknown and wrong cells, and the pictures with wrong cells."""
    total: Counter[str] = Counter()
    for each in found:
        reading = read_clusters(each.seen, each.judge, each.seen.rows(ground, STRANGE), scale)
        cells = Counter(
            "right" if a == b else "unknown" if a == UNKNOWN else "wrong"
            for a, b in zip(reading.board.cells, each.truth.cells, strict=True)
        )
        total += cells + Counter({"cells": len(each.truth), "pictures with wrong cells": cells["wrong"] > 0})
    shares = {kind: total[kind] / max(1, total["cells"]) for kind in ("right", "unknown", "wrong")}
    return {kind: total[kind] for kind in ("cells", "pictures with wrong cells")} | shares


def main() -> None:
    """Fit on the calibration families, measure on the validation families, and write the file."""
    model = CellModel.load()
    train, held = (examples(model, split, range(sized(count))) for split, count in PICTURES.items())
    ground = ground_table(train)
    observations = [each.observation(ground) for each in train]
    scale, tables = fit_in_turns(observations, PRIOR, TURNS, lambda scale: count_cells(train, scale, ground))
    print(f"before: {count_cells(held, WEIGHTS, GROUND)}", flush=True)
    values = {"strange": STRANGE, "weights": scale, "ground": ground}
    data = f"{len(tables)} drawn pictures; nats per unit"
    digest = digest_arrays(*(each.features for each in tables))
    fit = Fit(data, digest, count_cells(held, scale, ground), CALIBRATION)
    write_params("picture", values, fit, units=UNITS)
