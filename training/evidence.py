"""Fit the weights of the evidence to pictures with known states.

For each picture, take the true labelling and the likely labellings that the search finds. The weights
maximise the probability of the true labellings among them (conditional maximum likelihood with a ridge). New
weights change the result of the search, so fitting and searching alternate, starting from PRIOR.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from strategies.probability.board_prior import UniformMinePrior
from vision.cells.model import CLASSES
from vision.label.picture import Rows, weighted_sum
from vision.label.scene import Scene
from vision.label.scorer import CachedPrior, Counts, LabelScorer
from vision.label.search import find_alternatives, find_labellings

Floats = NDArray[np.float64]
Scale = dict[str, float]
Labels = tuple[int, ...]  # an index in CLASSES for each cluster

RIVALS = 24  # labellings per picture, search and turn that compete with the true one
NEWTON = 30  # steps
RIDGE = 0.03  # 1 / variance of the prior: a standard deviation of six nats, the size of a rare fault
NEAR = 9.0  # nats behind the true labelling; less likely labellings are ignored
HOPELESS = 1e-3  # probability of a picture that no weights can read
# these weights are not negative; all others except "mark" are not positive
GAINS = {"model", "empty", "ground", "present", "numbers"}
FIXED = "fixed"  # nats that no weight changes
# weights of exact, independent evidence; others 0. A mark fills two thirds of a board in one of 100 boards
PRIOR: Scale = dict.fromkeys(GAINS, 1.0) | {"filled": -4.6, FIXED: 1.0}


@dataclass(eq=False)
class Observation:
    """A picture with its features, its mine total if that is known, and its true labels.

    `ends` has, for a running or an ended game or both, the nats of every state that no weight changes;
    `ended` is the truth. The judgements of the rules are cached, so that no board is judged twice.
    """

    scene: Scene
    rows: Rows
    right: Labels
    ends: Mapping[bool, Floats]
    ended: bool = False
    mines: int | None = None
    rivals: set[tuple[bool, Labels]] = field(default_factory=set)
    judged: dict[Labels, Counts | None] = field(default_factory=dict)
    judge: CachedPrior = field(default_factory=lambda: CachedPrior(UniformMinePrior()))

    def scorer(self, scale: Mapping[str, float], ended: bool) -> LabelScorer:
        """The scorer of labellings with this end."""
        scores = weighted_sum(self.rows, scale) + self.ends[ended]
        return LabelScorer(self.scene, scores, self.judge, self.mines, scale)


def start_weights(names: Iterable[str]) -> Scale:
    """The weights of exact, independent evidence."""
    return {name: PRIOR.get(name, 0.0) for name in (*names, FIXED)}


def true_labels(scene: Scene, states: Mapping[int, str]) -> Labels:
    """The labels of the clusters that are present."""
    return tuple(CLASSES.index(states[cluster]) for cluster in scene.present)


def fit_in_turns(
    found: Sequence[Observation], names: Iterable[str], turns: int
) -> tuple[Scale, list[Floats]]:
    """Alternate between searching and fitting; the rounded weights, and the evidence."""
    scale = start = start_weights(names)
    tables: list[Floats] = []
    for turn in range(turns):
        for each in found:
            add_rivals(each, scale)
        tables = [table for each in found if (table := evidence_table(each, start)) is not None]
        scale = fit_weights(tables, scale)
        print(f"turn {turn + 1}: {mean_nats(tables, scale):.4f} nats, {scale}", flush=True)
    return {name: round(value, 2) for name, value in scale.items() if name != FIXED}, tables


def add_rivals(each: Observation, scale: Mapping[str, float]) -> None:
    """Add the likely labellings that the search finds, and labellings close to the true one."""
    for ended in each.ends:
        scorer = each.scorer(scale, ended)
        found = find_labellings(each.scene, scorer.scores, each.judge, each.mines, scale, is_over=ended)
        near, _ = find_alternatives(scorer, np.array(each.right), NEAR)
        labels = [true_labels(each.scene, states) for _, states in found[:RIVALS]]
        labels += [tuple(row.tolist()) for row in near[:RIVALS]]
        each.rivals |= {(ended, row) for row in [*labels, each.right]}


def evidence_table(each: Observation, start: Mapping[str, float]) -> Floats | None:
    """(labellings, weights): the evidence of the true labelling (first row) and of its rivals.

    None if the true labelling contradicts the rules, for example in a picture taken during a cascade.
    """
    clusters = np.arange(len(each.right))
    true = each.ended, each.right
    scorers = {ended: each.scorer(start, ended) for ended in each.ends}
    found = []
    for ended, labels in [true, *sorted(each.rivals - {true})]:
        if labels not in each.judged:
            each.judged[labels] = scorers[ended].judgement(np.array(labels))
        judged = each.judged[labels]
        if judged is not None:
            every = {name: float(row[clusters, labels].sum()) for name, row in each.rows.items()}
            every |= scorers[ended].counted(np.array(labels)) | judged
            every[FIXED] = float(each.ends[ended][clusters, labels].sum())
            found.append([every.get(name, 0.0) for name in start])
        elif (ended, labels) == true:
            return None
    return np.array(found)


def probabilities(table: Floats, values: Floats) -> Floats:
    """The probability of each labelling of a table."""
    nats = table @ values
    likely = np.exp(nats - nats.max())
    return np.asarray(likely / likely.sum())


def mean_nats(tables: Sequence[Floats], scale: Mapping[str, float]) -> float:
    """Mean log-probability of the true labellings, each plus HOPELESS."""
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
