"""Fits how much each piece of evidence weighs when a picture is labelled: `python -m training weights`.

Drawn boards (`pictures`) of the training families; for each the labelling that is right, and those that the
search takes for likely. The weights are those that make the right ones likeliest among them: conditional
maximum likelihood, the logarithmic score of a labelling, with a ridge. Fitting changes what the search finds,
so both are done in turns. What is counted at all, and STRANGE, was chosen on the validation families; the
test families are read once, at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from games.minesweeper import UNKNOWN, Board
from strategies.probability.board_prior import UniformMinePrior
from training.pictures import drawn_pictures
from training.written import NAMES, write
from vision.cells.model import CLASSES, CellModel
from vision.label.features import STEPS, ground_bin, weighted_sum
from vision.label.picture import PictureClusters, cluster_picture, read_clusters
from vision.label.scorer import CachedPrior, Counts, LabelScorer
from vision.label.search import find_alternatives, find_labellings
from vision.params import WEIGHTS

Floats = NDArray[np.float64]
Scale = dict[str, float]
Labels = tuple[int, ...]  # a place in CLASSES for each cluster

PICTURES = {"train": 300, "validation": 150}
RIVALS = 24  # labellings of one picture that the right one is compared with, in each turn
TURNS = 3
NEWTON = 30  # steps
RIDGE = 1.0  # as if one picture more said that a weight is what it is if all that is assumed holds
NEAR = 9.0  # nats less than the right one; what weighs less teaches nothing
HOPELESS = 1e-3  # of the pictures, about: so unlike anything that no weights would read them
GAINS = {"model", "empty", "ground", "numbers"}  # not negative; all others, but for "mark", not positive
# what they are if all that is assumed holds; else 0. That a mark fills two thirds of a board: one in 100
PRIOR: Scale = dict.fromkeys(GAINS, 1.0) | {"filled": -4.6}


@dataclass(eq=False)
class Example:
    """A drawn picture: what is seen of it, and the states that its clusters have."""

    name: str
    seen: PictureClusters
    truth: Board
    right: Labels
    rivals: set[Labels] = field(default_factory=set)
    judged: dict[Labels, Counts | None] = field(default_factory=dict)

    @cached_property
    def judge(self) -> CachedPrior:
        """Its own, so that no board is judged twice."""
        return CachedPrior(UniformMinePrior())

    def weighing(self, scale: Scale, ground: Sequence[float]) -> LabelScorer:
        """Who weighs its labellings."""
        return LabelScorer(
            self.seen.scene, weighted_sum(self.seen.rows(ground), scale), self.judge, None, scale
        )


def examples(model: CellModel, split: str, seeds: range) -> list[Example]:
    """The drawn pictures of these seeds, cut by their known lines."""
    found = []
    for labelled in drawn_pictures(split, seeds):
        seen = cluster_picture(labelled.frame, labelled.lattice, model)
        truth = labelled.board
        states = np.array([CLASSES.index(state) for state in truth.cells])
        right = tuple(int(np.bincount(states[seen.scene.ids == c]).argmax()) for c in seen.scene.present)
        found.append(Example(labelled.source, seen, truth, right))
    return found


def ground_table(found: Iterable[Example]) -> tuple[float, ...]:
    """How much likelier an empty cell is than a covered one to be so unlike open ground, in nats, by STEPS.

    A picture counts once for its empty cells, and once for its covered ones.
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


def meet_rivals(each: Example, scale: Scale, ground: Sequence[float]) -> None:
    """Add the labellings that the search takes for likely, and those near the right one."""
    weighing = each.weighing(scale, ground)
    scene = each.seen.scene
    found = find_labellings(scene, weighing.weights, each.judge, scale=scale)
    each.rivals |= {tuple(CLASSES.index(states[c]) for c in scene.present) for _, states in found[:RIVALS]}
    near, _ = find_alternatives(weighing, np.array(each.right), NEAR)
    each.rivals |= {tuple(labels.tolist()) for labels in near[:RIVALS]}


def counted(each: Example, scale: Scale, ground: Sequence[float]) -> Floats | None:
    """(labellings, weights): all that is counted of the right labelling, first, and of its rivals.

    None where the right one cannot be by the rules (a picture taken while cells open, a wrong cut).
    """
    rows = each.seen.rows(ground)
    weighing = each.weighing(scale, ground)
    clusters = np.arange(len(each.right))
    found = []
    for labels in [each.right, *sorted(each.rivals - {each.right})]:
        if labels not in each.judged:
            each.judged[labels] = weighing.judgement(np.array(labels))
        judged = each.judged[labels]
        if judged is not None:
            of_rows = {name: float(row[clusters, labels].sum()) for name, row in rows.items()}
            every = of_rows | weighing.counted(np.array(labels)) | judged
            found.append([every.get(name, 0.0) for name in NAMES])
        elif labels == each.right:
            return None
    return np.array(found)


def fitted(tables: Sequence[Floats], start: Scale, ridge: float = RIDGE) -> Scale:
    """The weights under which the first line of each table is likeliest."""
    prior = np.array([PRIOR.get(name, 0.0) for name in NAMES])
    most = np.array([np.inf if name in GAINS or name.startswith("mark") else 0.0 for name in NAMES])
    least = np.array([0.0 if name in GAINS else -np.inf for name in NAMES])
    values = np.array([start[name] for name in NAMES])
    for _ in range(NEWTON):
        slope, bend = ridge * (values - prior), ridge * np.eye(len(NAMES))
        for table in tables:
            nats = table @ values
            likely = np.exp(nats - nats.max())
            likely /= likely.sum()
            part = likely[0] / (likely[0] + HOPELESS)  # what nobody can read teaches nothing
            mean = likely @ table
            slope += part * (mean - table[0])
            bend += part * ((table * likely[:, None]).T @ table - np.outer(mean, mean))
        free = ~(((values >= most) & (slope < 0)) | ((values <= least) & (slope > 0)))
        step = np.zeros(len(NAMES))
        step[free] = np.linalg.solve(bend[np.ix_(free, free)], slope[free])
        values = np.clip(values - step * min(1.0, 2.0 / max(1e-9, float(np.abs(step).max()))), least, most)
    return {name: float(value) for name, value in zip(NAMES, values, strict=True)}


def read(found: Iterable[Example], scale: Scale, ground: Sequence[float]) -> tuple[Counter[str], list[str]]:
    """Cells right, unknown and wrong, and the log score, with these weights; the pictures with wrong ones."""
    total: Counter[str] = Counter()
    wrong = []
    for each in found:
        weights = weighted_sum(each.seen.rows(ground), scale)
        reading = read_clusters(each.seen, each.judge, weights, scale)
        cells = Counter(
            "right" if a == b else "unknown" if a == UNKNOWN else "wrong"
            for a, b in zip(reading.board.cells, each.truth.cells, strict=True)
        )
        total += cells
        if cells["wrong"]:
            wrong.append(f"{each.name}: {cells['wrong']} of {len(each.truth)}")
    total["pictures with wrong cells"] = len(wrong)
    return total, wrong


def fit(found: Sequence[Example], ground: Sequence[float]) -> Scale:
    """The weights that make the right labellings likeliest; what the search finds with them, and again.

    It begins with those that there are; the further they are from what comes, the more turns it takes.
    """
    scale = dict(WEIGHTS)
    for turn in range(TURNS):
        for each in found:
            meet_rivals(each, scale, ground)
        tables = [table for each in found if (table := counted(each, scale, ground)) is not None]
        scale = fitted(tables, scale)
        print({name: round(value, 2) for name, value in scale.items()}, flush=True)
        print(f"turn {turn + 1}: {len(tables)} of {len(found)} pictures can be right", flush=True)
    return scale


def print_result(name: str, found: tuple[Counter[str], list[str]]) -> None:
    """Print how cells were read."""
    counts, wrong = found
    cells = sum(counts[kind] for kind in ("right", "unknown", "wrong"))
    parts = [f"{100 * counts[kind] / cells:.2f} % {kind}" for kind in ("right", "unknown", "wrong")]
    print(f"{name}: {cells} cells, {', '.join(parts)}, in {len(wrong)} pictures", flush=True)
    print(*wrong, sep="\n")


def main() -> None:
    """Fit on training families, write, compare on validation families."""
    model = CellModel.load()
    train = examples(model, "train", range(PICTURES["train"]))
    ground = ground_table(train)
    scale = fit(train, ground)
    write(scale, ground, PICTURES["train"])
    print_result("train", read(train, scale, ground))
    print_result(
        "validation", read(examples(model, "validation", range(PICTURES["validation"])), scale, ground)
    )
