"""Fit the weights of the evidence that labels a picture: `python -m training weights`.

The script draws boards of the training families (`drawn_pictures`). For each picture, it takes the true
labelling and the likely labellings that the search finds. The weights maximise the probability of the true
labellings among them (conditional maximum likelihood with a ridge). New weights change the result of the
search, so fitting and searching alternate, from the weights that hold if all assumptions do. At the end, the
weights of unknown drawings (STRANGES) that read most cells right are chosen. Their likelihoods cannot be
compared, because the rivals were found with one of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from games.minesweeper import UNKNOWN, Board
from strategies.probability.board_prior import UniformMinePrior
from training.drawn_pictures import drawn_pictures
from training.storage import Fit, digest_arrays, sized, write_params
from vision.cells.model import CLASSES, CellModel
from vision.label.features import MARKS, STEPS, ground_bin, weighted_sum
from vision.label.picture import PictureClusters, cluster_picture, read_clusters
from vision.label.scorer import CachedPrior, Counts, LabelScorer
from vision.label.search import find_alternatives, find_labellings
from vision.params import GROUND, STRANGE, WEIGHTS

Floats = NDArray[np.float64]
Scale = dict[str, float]
Labels = tuple[int, ...]  # an index in CLASSES for each cluster

PICTURES = {"train": 400, "validation": 100}
RIVALS = 24  # labellings per picture and turn that compete with the true one
TURNS = 4
NEWTON = 30  # steps
RIDGE = 0.03  # 1 / variance of the prior: a standard deviation of six nats, the size of a rare fault
NEAR = 9.0  # nats behind the true labelling; less likely labellings are ignored
HOPELESS = 1e-3  # share of pictures that no weights can read
# these weights are not negative; all others except "mark" are not positive
GAINS = {"model", "empty", "ground", "present", "numbers"}
FIXED = "fixed"  # nats that no weight changes
# weights if all assumptions hold, otherwise 0; a mark fills two thirds of a board in one of 100 boards
PRIOR: Scale = dict.fromkeys(GAINS, 1.0) | {"filled": -4.6, FIXED: 1.0}

# nats of a mark whose drawing the model does not know, by the class that the model sees
STRANGES = [{"other": other, "drawn": drawn} for other in (-2.0, -3.0, -4.0) for drawn in (-6.0, -9.0)]
CHOSEN_ON = 100  # pictures
WRONG = 10  # unread cells that are as bad as a wrong cell

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
NAMES = tuple(UNITS)


@dataclass(frozen=True)
class PictureWeights:
    """The values of `vision/params/picture.json`."""

    scale: Mapping[str, float]
    ground: Sequence[float]
    strange: Mapping[str, float]


@dataclass(eq=False)
class LabelledExample:
    """A drawn picture: its clusters, and their true states."""

    name: str
    seen: PictureClusters
    truth: Board
    right: Labels
    rivals: set[Labels] = field(default_factory=set)
    judged: dict[Labels, Counts | None] = field(default_factory=dict)

    @cached_property
    def judge(self) -> CachedPrior:
        """A prior with its own cache, so that no board is judged twice."""
        return CachedPrior(UniformMinePrior())

    def weighing(self, by: PictureWeights) -> LabelScorer:
        """The scorer of its labellings."""
        scores = weighted_sum(self.seen.rows(by.ground, by.strange), by.scale)
        return LabelScorer(self.seen.scene, scores, self.judge, None, by.scale)


def examples(model: CellModel, split: str, seeds: range) -> list[LabelledExample]:
    """The drawn pictures of these seeds, cut along their known lines."""
    found = []
    for labelled in drawn_pictures(split, seeds):
        seen = cluster_picture(labelled.frame, labelled.lattice, model)
        truth = labelled.board
        states = np.array([CLASSES.index(state) for state in truth.cells])
        right = tuple(int(np.bincount(states[seen.scene.ids == c]).argmax()) for c in seen.scene.present)
        found.append(LabelledExample(labelled.source, seen, truth, right))
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


def add_rivals(each: LabelledExample, by: PictureWeights) -> None:
    """Add the likely labellings that the search finds, and labellings close to the true one."""
    weighing = each.weighing(by)
    scene = each.seen.scene
    found = find_labellings(scene, weighing.scores, each.judge, weights=by.scale)
    each.rivals |= {tuple(CLASSES.index(states[c]) for c in scene.present) for _, states in found[:RIVALS]}
    near, _ = find_alternatives(weighing, np.array(each.right), NEAR)
    each.rivals |= {tuple(labels.tolist()) for labels in near[:RIVALS]}


def evidence_table(each: LabelledExample, by: PictureWeights) -> Floats | None:
    """(labellings, weights): the evidence of the true labelling (first row) and of its rivals.

    None if the true labelling contradicts the rules, for example in a picture taken during a cascade.
    """
    rows = each.seen.rows(by.ground, by.strange)
    weighing = each.weighing(by)
    clusters = np.arange(len(each.right))
    found = []
    for labels in [each.right, *sorted(each.rivals - {each.right})]:
        if labels not in each.judged:
            judged = weighing.judgement(np.array(labels))
            each.judged[labels] = judged and judged | weighing.counted(np.array(labels))
        judged = each.judged[labels]
        if judged is not None:
            every = {name: row[clusters, labels].sum() for name, row in rows.items()} | judged
            found.append([every.get(name, 0.0) for name in NAMES])
        elif labels == each.right:
            return None
    return np.array(found)


def probabilities(table: Floats, values: Floats) -> Floats:
    """The probability of each labelling of a table."""
    nats = table @ values
    likely = np.exp(nats - nats.max())
    return np.asarray(likely / likely.sum())


def mean_nats(tables: Sequence[Floats], scale: Mapping[str, float]) -> float:
    """Mean log-probability of the true labellings; unreadable pictures have the one of HOPELESS."""
    values = np.array(list(scale.values()))
    return float(np.mean([np.log(probabilities(table, values)[0] + HOPELESS) for table in tables]))


def fit_weights(tables: Sequence[Floats], start: Mapping[str, float]) -> Scale:
    """The weights that maximise the probability of the first row of each table.

    The columns are the weights of `start`. The weight of "fixed" stays 1.
    """
    prior = np.array([PRIOR.get(name, 0.0) for name in start])
    is_free = [name in GAINS or name.startswith("mark") for name in start]
    most = np.where(np.array(list(start)) == FIXED, 1.0, np.where(is_free, np.inf, 0.0))
    least = np.array([1.0 if name == FIXED else 0.0 if name in GAINS else -np.inf for name in start])
    values = np.array(list(start.values()))
    for _ in range(NEWTON):
        slope, bend = RIDGE * (values - prior), RIDGE * np.eye(len(values))
        for table in tables:
            likely = probabilities(table, values)
            part = likely[0] / (likely[0] + HOPELESS)  # ignore unreadable pictures
            mean = likely @ table
            slope += part * (mean - table[0])
            bend += part * ((table * likely[:, None]).T @ table - np.outer(mean, mean))
        free = (least < most) & ~(((values >= most) & (slope < 0)) | ((values <= least) & (slope > 0)))
        step = np.zeros(len(values))
        step[free] = np.linalg.solve(bend[np.ix_(free, free)], slope[free])
        values = np.clip(values - step * min(1.0, 2.0 / max(1e-9, float(np.abs(step).max()))), least, most)
    return {name: float(value) for name, value in zip(start, values, strict=True)}


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


def fit_in_turns(
    found: Sequence[LabelledExample], ground: Sequence[float]
) -> tuple[PictureWeights, list[Floats]]:
    """Alternate between searching and fitting; the result, and its evidence."""
    by, tables = PictureWeights({name: PRIOR.get(name, 0.0) for name in NAMES}, ground, STRANGES[3]), []
    for turn in range(TURNS):
        for each in found:
            add_rivals(each, by)
        tables = [table for each in found if (table := evidence_table(each, by)) is not None]
        by = replace(by, scale=fit_weights(tables, by.scale))
        print(f"turn {turn + 1}: {mean_nats(tables, by.scale):.4f} nats, {by}", flush=True)
    return by, tables


def choose_strange(found: Sequence[LabelledExample], by: PictureWeights) -> PictureWeights:
    """The weights with the one of STRANGES that reads these pictures best."""

    def score(one: PictureWeights) -> float:
        cells = count_cells(found, one)
        print(f"{one.strange}: {cells}", flush=True)
        return cells["right"] - WRONG * cells["wrong"]

    return max((replace(by, strange=strange) for strange in STRANGES), key=score)


def main() -> None:
    """Fit on the training families, measure on the validation families, and write the file."""
    model = CellModel.load()
    train, held = (examples(model, split, range(sized(count))) for split, count in PICTURES.items())
    by, tables = fit_in_turns(train, ground_table(train))
    by = replace(by, scale={name: round(by.scale[name], 2) for name in NAMES})
    by = choose_strange(train[: sized(CHOSEN_ON)], by)
    print(f"before: {count_cells(held, PictureWeights(WEIGHTS, GROUND, STRANGE))}", flush=True)
    metrics = {"nats per training picture": mean_nats(tables, by.scale)} | count_cells(held, by)
    values = {"strange": by.strange, "weights": by.scale, "ground": by.ground}
    fit = Fit(f"{len(tables)} drawn pictures; nats per unit", digest_arrays(*tables), metrics)
    write_params("picture", values, fit, units=UNITS)
