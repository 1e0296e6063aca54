"""Fit the weights of the evidence to pictures with known states.

For each picture, take labellings near the true one and the likely labellings that the search finds. Weights
give each of them a probability, and so each cell a probability of each state; a state above SETTLED is read.
The fit minimises the unread cells and WRONG times the wrong ones, with a smooth limit. (Maximum likelihood
was worse: it lowers all probabilities until rare wrong cells are less sure, and many cells are not read.)

New weights change the result of the search, so fitting and searching alternate, starting from the prior. The
turn whose weights read the pictures best is kept, because a fit may lead the search to new wrong labellings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

import numpy as np
from numpy.typing import NDArray

from strategies.probability.board_prior import UniformMinePrior
from vision.cells.model import CLASSES
from vision.label.picture import SETTLED, Rows, weighted_sum
from vision.label.scene import Scene
from vision.label.scorer import OTHER, CachedPrior, Counts, LabelScorer
from vision.label.search import find_alternatives, find_labellings

Floats = NDArray[np.float64]
Scale = dict[str, float]
CellCounts = Mapping[str, float | int]  # the fractions of "right", "unknown" and "wrong" cells, and more
Labels = tuple[int, ...]  # an index in CLASSES for each cluster

RIVALS = 24  # labellings per picture, search and turn that compete with the true one
STEPS, RATE = 500, 0.1  # of the descent (Adam), and the size of its first steps
NEAR = 9.0  # nats behind the true labelling; less likely labellings are ignored
WRONG = 10.0  # unread cells that are as bad as a wrong cell
LEAST = 1e-6  # probability used instead of 0
WIDTHS = 4.0, 2.0  # nats; of the smoothed limit, at the first and at the last step
# from 0 to 1, because the cell model is calibrated; other weights except those of marks are not positive
GAINS = {"empty", "ground", "present", "numbers"}
FIXED = "fixed"  # nats that no weight changes
# weights that keep their expected value: the cell model is calibrated, drawings say little about the others
CONSTANT = {FIXED, "model", "filled", "clicks", "arranged"}
# the unit of each weight that games and pictures have in common, and its expected value, nats
RULES = {
    "model": ("nats of the cell model for the state of a cluster", 1.0),
    "empty": ("nats of the cell model for an empty against a covered blank", 1.0),
    "contradicted": ("numbers with too few or too many neighbouring mines", -8.0),
    "clicks": ("numbers without an empty neighbour that opened them (log 1/2)", -0.7),
    "unfinished": ("1 if empty cells have covered neighbours", -4.0),
    "second hit": ("exploded mines beyond the first; a chord may hit more than one", -3.0),
    "unhit": ("1 if mines are shown and none exploded (one program in four)", -1.4),
    "untold": ("flags and question marks without a neighbouring number (log 1/2)", -0.7),
    "parted": ("nats of the link for one state, for linked clusters with two states", -1.0),
    "numbers": ("nats of the board prior for the numbers", 1.0),
    "unshown": ("1 if the program shows some mines and hides others", -8.0),
    "astray": ("1 if flags are on cells that cannot be mines", -4.0),
}


@dataclass(frozen=True)
class Prior:
    """The unit and the expected value of each weight, and the cost of a squared unit of difference."""

    table: Mapping[str, tuple[str, float]]
    ridge: float

    @property
    def weights(self) -> Mapping[str, float]:
        """The expected weights."""
        return {name: value for name, (_, value) in self.table.items()}


@dataclass(frozen=True, eq=False)
class Evidence:
    """The labellings of a picture.

    `features` is (labellings, weights). `right` and `wrong` are (labellings, clusters): 1 for the true state,
    and for a state that is neither true nor unknown. `shares` are the fractions of the cells in each cluster.
    """

    features: Floats
    right: Floats
    wrong: Floats
    shares: Floats


@dataclass(eq=False)
class Observation:
    """A picture with its features, its mine total if that is known, and its true labels.

    `ends` has, for a running or an ended game or both, the nats of every state that no weight changes. The
    judgements of the rules are cached, so that no board is judged twice.
    """

    scene: Scene
    rows: Rows
    right: Labels
    ends: Mapping[bool, Floats]
    mines: int | None = None
    rivals: set[tuple[bool, Labels]] = field(default_factory=set)
    judged: dict[Labels, Counts | None] = field(default_factory=dict)
    judge: CachedPrior = field(default_factory=lambda: CachedPrior(UniformMinePrior()))

    def scorer(self, scale: Mapping[str, float], ended: bool) -> LabelScorer:
        """The scorer of labellings with this end."""
        scores = weighted_sum(self.rows, scale) + self.ends[ended]
        return LabelScorer(self.scene, scores, self.judge, self.mines, scale)


def true_labels(scene: Scene, states: Mapping[int, str]) -> Labels:
    """The labels of the clusters that are present."""
    return tuple(CLASSES.index(states[cluster]) for cluster in scene.present)


def fit_in_turns(
    found: Sequence[Observation], prior: Prior, turns: int, count: Callable[[Scale], CellCounts]
) -> tuple[Scale, list[Evidence]]:
    """Alternate between searching and fitting; the rounded weights of the best turn, and the evidence.

    `count` reads the pictures with these weights.
    """
    scale = start = {**prior.weights, FIXED: 1.0}
    tables: list[Evidence] = []
    best, least = start, inf
    for turn in range(turns):
        for each in found:
            add_rivals(each, scale)
        tables = [table for each in found if len((table := evidence_table(each, start)).features)]
        scale = fit_weights(tables, scale, prior)
        written = {name: round(value, 2) for name, value in scale.items() if name != FIXED}
        cells = count(written)
        print(f"turn {turn + 1}: {cells}, {written}", flush=True)
        if (loss := cells["unknown"] + WRONG * cells["wrong"]) < least:
            best, least = written, loss
    return best, tables


def add_rivals(each: Observation, scale: Mapping[str, float]) -> None:
    """Add the likely labellings that the search finds, and labellings close to the true one."""
    for ended in each.ends:
        scorer = each.scorer(scale, ended)
        found = find_labellings(each.scene, scorer.scores, each.judge, each.mines, scale, is_over=ended)
        near, _ = find_alternatives(scorer, np.array(each.right), NEAR)
        labels = [true_labels(each.scene, states) for _, states in found[:RIVALS]]
        labels += [tuple(row.tolist()) for row in near[:RIVALS]]
        each.rivals |= {(ended, row) for row in [*labels, each.right]}


def evidence_table(each: Observation, start: Mapping[str, float]) -> Evidence:
    """The evidence of the labellings that the rules allow."""
    clusters = np.arange(len(each.right))
    scorers = {ended: each.scorer(start, ended) for ended in each.ends}
    found, allowed = [], []
    for ended, labels in sorted(each.rivals):
        if labels not in each.judged:
            each.judged[labels] = scorers[ended].judgement(np.array(labels))
        judged = each.judged[labels]
        if judged is not None:
            every = {name: float(row[clusters, labels].sum()) for name, row in each.rows.items()}
            every |= scorers[ended].counted(np.array(labels)) | judged
            every[FIXED] = float(each.ends[ended][clusters, labels].sum())
            found.append([every.get(name, 0.0) for name in start])
            allowed.append(labels)
    many = np.reshape(np.array(allowed, np.intp), (-1, len(clusters)))
    right = (many == np.array(each.right)).astype(np.float64)
    wrong = ((many != np.array(each.right)) & (many != OTHER)).astype(np.float64)
    shares = each.scene.counts / len(each.scene.ids)
    return Evidence(np.reshape(found, (-1, len(start))), right, wrong, shares)


def loss_slope(tables: Sequence[Evidence], values: Floats, width: float) -> Floats:
    """The slope of the mean loss per cell: 1 for an unread cell, 0 for a right one, WRONG for a wrong one.

    `width`, nats, smooths the limit above which a state is read.
    """
    slope = np.zeros(len(values))
    for each in tables:
        likely = probabilities(each.features, values)
        cost = np.zeros(len(likely))
        for states, worth in ((each.right, -1.0), (each.wrong, WRONG)):
            sure = np.clip(likely @ states, LEAST, 1 - LEAST)
            read = 1 / (1 + np.exp((log_odds(SETTLED) - log_odds(sure)) / width))
            cost += worth * (states @ (each.shares * read * (1 - read) / (width * sure * (1 - sure))))
        slope += (likely * (cost - likely @ cost)) @ each.features
    return slope / len(tables)


def log_odds(sure: float | Floats) -> Floats:
    """Log-odds of probabilities, nats."""
    return np.asarray(np.log(sure) - np.log1p(-np.asarray(sure)))


def probabilities(table: Floats, values: Floats) -> Floats:
    """The probability of each labelling of a table."""
    nats = table @ values
    likely = np.exp(nats - nats.max())
    return np.asarray(likely / likely.sum())


def fit_weights(tables: Sequence[Evidence], start: Mapping[str, float], prior: Prior) -> Scale:
    """The weights with the least loss (Adam, decreasing steps). Those in CONSTANT are as expected."""
    expected = np.array([prior.weights.get(name, 1.0) for name in start])
    limits = [
        (value, value)
        if name in CONSTANT
        else (0.0, 1.0)
        if name in GAINS
        else (-np.inf, np.inf if name.startswith("mark") else 0.0)
        for name, value in zip(start, expected.tolist(), strict=True)
    ]
    least, most = np.array(limits).T
    values = np.array(list(start.values()))
    mean, square = np.zeros(len(values)), np.zeros(len(values))
    for step in range(1, STEPS + 1):
        width = float(np.interp(step, (1, STEPS), WIDTHS))
        slope = loss_slope(tables, values, width) + prior.ridge * (values - expected)
        mean += 0.1 * (slope - mean)
        square += 0.01 * (slope**2 - square)
        rate = RATE * (1 - step / (STEPS + 1))
        change = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-9)
        values = np.clip(values - rate * change, least, most)
    return {name: float(value) for name, value in zip(start, values, strict=True)}
