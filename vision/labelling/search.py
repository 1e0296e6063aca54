"""The likeliest labellings of a picture: a state for every cluster, if the rules allow it.

From a few starts clusters change their states, one by one and together, as long as that makes the labelling
likelier (`climbing`). Where what comes of it cannot be, the cluster that is least sure among those that
contradict each other becomes something else, and climbing goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import exp

import numpy as np

from vision.cells import CLASSES, NUMBER
from vision.labelling.climbing import FAR, climb, flips, rivals, sureness
from vision.labelling.confidence import BEHIND, Labellings
from vision.labelling.evidence import COVER, MARKED, OTHER, PLAIN, ZERO, Weights
from vision.labelling.rules import MAY_BE_SHOWN
from vision.labelling.scene import Scene
from vision.labelling.weighing import Labels, Weighing
from vision.labelling.weights import WEIGHTS
from vision.reading import Judge

DOUBT = 9.0  # nats; a labelling that is so far behind makes nothing less than sure
JUDGED = 8  # labellings near the best that are judged
ASKED = 32  # and those that would be better, if they can be
BETTERED = 16  # times that a labelling near the best may turn out better
MENDED = 24  # clusters that are made something else until a labelling is possible
BLANKS = 6  # clusters without a drawing, the largest, of which every way to be covered or empty is a start
STARTS = 2  # starts, the likeliest, from which clusters change
DOUBTED = (2.0, 4.0, 8.0, 16.0)  # nats by which a cluster is likelier to be something than nothing
AMISS = 8.0  # nats for each number that mines which are shown do not explain, where a start is looked for
NEAREST = 8  # other numbers that are tried for each of them
MENDINGS = 24  # doubts that cannot be as they are, for which what comes nearest is looked for
DOUBTING = 7.6  # nats; a labelling that is so far behind makes nothing less sure than 0.9995
DOUBTFUL = 0.01  # probability against a state from which more against it makes no difference

Found = dict[tuple[int, ...], float]  # labellings that can be, with their nats


@dataclass(frozen=True, eq=False)
class _Best:
    """A labelling that can be: its nats, and those of them that the judge gave."""

    nats: float
    judged: float
    labels: Labels


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
    mended = [best for best in (_mended(weighing, np.array(labels)) for labels in tops) if best is not None]
    if not mended:
        return []
    found = {tuple(best.labels.tolist()): best.nats for best in mended}
    best = max(mended, key=lambda each: each.nats)
    guessed: Found = {}
    refused: Found = {}
    for _ in range(BETTERED):
        better = _near(weighing, best, found, guessed, refused)
        if better is None:
            break
        best = better
    if doubts:
        found |= refused
        guessed |= dict.fromkeys(refused, best.judged)
        _judge_doubts(weighing, best, found, guessed, doubts)
    letters = np.array(CLASSES)
    ranked = sorted(found.items(), key=lambda each: -each[1])
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


def _near(weighing: Weighing, best: _Best, found: Found, guessed: Found, refused: Found) -> _Best | None:
    """Notes the labellings near the best in `found`; the first of them that is better.

    In `guessed` is what the judge is taken to give those that he was not asked about, in `refused` what those
    would weigh that cannot be.
    """
    many, weights = rivals(weighing, best.labels, DOUBT)
    own = best.nats - best.judged
    for place, (labels, weight) in enumerate(zip(many, weights.tolist(), strict=True)):
        key = tuple(labels.tolist())
        if key in found or (weight > own and place >= ASKED):
            continue
        is_judged = place < JUDGED or weight > own
        likely = weighing.judged(labels) if is_judged else best.judged
        if likely is None:
            refused[key] = weight + best.judged
            continue
        found[key] = weight + likely
        if not is_judged:
            guessed[key] = likely
        elif found[key] > best.nats:
            return _Best(found[key], likely, labels)
    return None


def _judge_doubts(weighing: Weighing, best: _Best, found: Found, guessed: Found, most: int) -> None:
    """Judge those of `guessed`, the heaviest first, that make a state doubtful which nothing else does.

    Where one cannot be, what comes nearest to it may be; that is looked for a few times, the others stay.
    """
    top, against, mendings = best.labels, np.zeros(len(best.labels)), MENDINGS
    ruled_out: set[tuple[int, int]] = set()  # clusters with the states that they cannot have, whatever else
    for labels, nats in found.items():
        if labels not in guessed:
            against[np.array(labels) != top] += exp(min(0.0, nats - best.nats))
    for key in sorted(guessed, key=lambda key: -found[key]):
        other = np.array(key)
        is_other = other != top
        if not most or found[key] < best.nats - DOUBTING:
            break
        if against[is_other].min() > DOUBTFUL:
            continue
        changes = {(int(place), int(other[place])) for place in np.flatnonzero(is_other)}
        if changes & ruled_out:
            del found[key]
            continue
        most -= 1
        likely = weighing.judged(other)
        nats = found[key] if likely is None else found[key] + likely - guessed[key]
        if likely is not None:
            found[key] = nats
        elif mendings:
            mendings -= 1
            del found[key]
            mended = _nearest(weighing.holding(is_other, other), other)
            if mended is None:
                ruled_out |= changes if len(changes) == 1 else set()
                continue
            nats = found[tuple(mended.labels.tolist())] = mended.nats
        against[is_other] += exp(min(0.0, nats - best.nats))


def _nearest(weighing: Weighing, labels: Labels) -> _Best | None:
    """The likeliest labelling that can be, of a few that differ in one number; None where none can."""
    places, states, found = flips(weighing, labels, -np.inf)
    numbers = np.flatnonzero((NUMBER[labels[places]] >= 0) & (NUMBER[states] >= 0))
    best = None
    for change in numbers[np.argsort(-found[numbers])][:NEAREST]:
        other = labels.copy()
        other[places[change]] = states[change]
        likely = weighing.judged(other)
        if likely is not None and (best is None or found[change] + likely > best.nats):
            best = _Best(float(found[change]) + likely, likely, other)
    return best


def _mended(weighing: Weighing, labels: Labels) -> _Best | None:
    """The same where that can be; else with clusters that are something else, the least sure first."""
    with_less, given = weighing, weighing
    for _ in range(MENDED):
        likely = given.judged(labels)
        if likely is not None:
            return _Best(float(given.glance(labels[None])[0]) + likely, likely, labels)
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


def _with_less(weighing: Weighing) -> _Best | None:
    """The best labelling in which clusters are nothing of the game that hardly look like anything else.

    It is asked for where none of the likeliest is possible: something lies over the board, or moves.
    """
    weights = weighing.weights
    lead = weights.max(axis=1) - weights[:, OTHER]
    for least in DOUBTED:
        labels = np.where(lead < least, OTHER, weights.argmax(axis=1))
        likely = weighing.judged(labels)
        if likely is not None:
            return _Best(float(weighing.glance(labels[None])[0]) + likely, likely, labels)
    return None
