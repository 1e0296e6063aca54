"""The likeliest labellings of a picture: a state for every cluster, if the rules allow it.

From a few starts clusters change their states, one by one and together, as long as that makes the labelling
likelier (`climbing`). Where what comes of it cannot be, the cluster that is least sure among those that
contradict each other becomes something else, and climbing goes on. What lies near the best says how sure it
is (`doubts`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

from vision.cells import CLASSES, NUMBER
from vision.labelling.climbing import FAR, climb, sureness
from vision.labelling.confidence import BEHIND, Labellings
from vision.labelling.doubts import Possible, Rivals
from vision.labelling.evidence import COVER, MARKED, OTHER, PLAIN, ZERO, Weights
from vision.labelling.rules import MAY_BE_SHOWN
from vision.labelling.scene import Scene
from vision.labelling.weighing import Labels, Weighing
from vision.labelling.weights import WEIGHTS
from vision.reading import Judge

BETTERED = 16  # times that a labelling near the best may turn out better
MENDED = 24  # clusters that are made something else until a labelling is possible
DOUBTED = (2.0, 4.0, 8.0, 16.0)  # nats by which a cluster is likelier to be something than nothing
BLANKS = 6  # clusters without a drawing, the largest, of which every way to be covered or empty is a start
STARTS = 2  # starts, the likeliest, from which clusters change
AMISS = 8.0  # nats for each number that mines which are shown do not explain, where a start is looked for


def find_labellings(
    scene: Scene,
    weights: Weights,
    judge: Judge,
    mines: int | None = None,
    scale: Mapping[str, float] = WEIGHTS,
    doubts: int = 0,
    is_over: bool = False,
) -> Labellings:
    """Labellings that are possible and not far behind the best, the likeliest first, with their nats.

    Beside the best ones, those that differ from the very best in one cluster or two, in a state, or in all
    that look alike. Most of these are taken to be as possible as the best; so many of them at most are judged
    which alone make a state of the best doubtful. `is_over`: the game has ended, so the commonest mark may be
    a mine. `scale` is for training.
    """
    if not len(weights):
        return []
    weighing = Weighing(scene, weights, judge, mines, scale)
    starts = [*_starts(weighing), *(_as_lost(weighing) if is_over else [])]
    climbed = {
        tuple(labels.tolist()): weight for weight, labels in (climb(weighing, each) for each in starts)
    }
    tops = sorted(climbed, key=lambda labels: -climbed[labels])
    found = [each for each in (_mended(weighing, np.array(labels)) for labels in tops) if each is not None]
    if not found:
        return []
    near = Rivals(weighing)
    for each in found:
        near.add(each)
    best = max(found, key=lambda each: each.nats)
    for _ in range(BETTERED):
        better = near.better_than(best)
        if better is None:
            break
        best = better
    if doubts:
        near.judge_doubts(best, doubts)
    letters = np.array(CLASSES)
    ranked = sorted(near.nats.items(), key=lambda each: -each[1])
    return [
        (weight, dict(zip(scene.present, letters[list(labels)].tolist(), strict=True)))
        for labels, weight in ranked
        if weight >= ranked[0][1] - BEHIND
    ]


def _starts(weighing: Weighing) -> Iterator[Labels]:
    """What each cluster looks like, the largest blank ones covered or empty in the likeliest ways."""
    labels = weighing.weights.argmax(axis=1)
    blank = np.flatnonzero((labels == ZERO) | (labels == COVER))
    largest = blank[np.argsort(-weighing.scene.counts[blank], kind="stable")[:BLANKS]]
    ways = np.array(list(product((ZERO, COVER), repeat=len(largest))), np.intp)
    many = np.repeat(labels[None], len(ways), axis=0)
    many[:, largest] = ways
    order = np.argsort(-weighing.glance(many), kind="stable")
    yield from many[order[:STARTS]]


def _as_lost(weighing: Weighing) -> Iterator[Labels]:
    """What each cluster looks like, the largest mark as mines, and the numbers as such mines say."""
    weights, counts = weighing.weights, weighing.scene.counts
    labels = weights.argmax(axis=1)
    marks = np.flatnonzero(np.isin(labels, MARKED) & (weights[:, PLAIN] > weights.max(axis=1) - FAR))
    if not marks.size:
        return
    labels[marks[counts[marks].argmax()]] = PLAIN
    mines = weighing.scene.neighbours[MAY_BE_SHOWN[labels] & (labels != OTHER)].sum(axis=0)
    for place in np.flatnonzero(NUMBER[labels] > 0):
        beside = np.bincount(mines[weighing.scene.places == place], minlength=9)
        amiss = counts[place] - beside[NUMBER[NUMBER > 0]]
        labels[place] = (weights[place, NUMBER > 0] - AMISS * amiss).argmax() + ZERO + 1
    yield labels


def _mended(weighing: Weighing, labels: Labels) -> Possible | None:
    """The same where that can be; else with clusters that are something else, the least sure first."""
    with_less, given = weighing, weighing
    for _ in range(MENDED):
        likely = given.judged(labels)
        if likely is not None:
            return Possible(float(given.glance(labels[None])[0]) + likely, likely, labels)
        if given.can_be(labels):
            break  # too many numbers have no room
        place = _contradicting(with_less, labels)
        with_less = with_less.without(place, int(labels[place]))
        _, labels = climb(with_less, labels)
    return _with_less(given)


def _contradicting(weighing: Weighing, labels: Labels) -> int:
    """The cluster with which numbers cannot be any more, when the surest are named first."""
    sure = sureness(weighing, labels)
    numbers = [int(place) for place in np.argsort(-sure) if NUMBER[labels[place]] >= 0]
    few, many = 0, len(numbers)
    while many - few > 1:
        middle = (few + many) // 2
        part = labels.copy()
        part[numbers[middle:]] = OTHER
        if weighing.can_be(part):
            few = middle
        else:
            many = middle
    return numbers[many - 1]


def _with_less(weighing: Weighing) -> Possible | None:
    """The best labelling in which clusters are nothing of the game that hardly look like anything else.

    It is asked for where none of the likeliest is possible: something lies over the board, or moves.
    """
    weights = weighing.weights
    lead = weights.max(axis=1) - weights[:, OTHER]
    for least in DOUBTED:
        labels = np.where(lead < least, OTHER, weights.argmax(axis=1))
        likely = weighing.judged(labels)
        if likely is not None:
            return Possible(float(weighing.glance(labels[None])[0]) + likely, likely, labels)
    return None
