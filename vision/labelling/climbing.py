"""From a labelling to a likelier one: clusters change their state one by one, or many of them together.

Numbers that cannot be only cost something here: the way to what can be leads through what cannot.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.labelling.counting import Floats, Many
from vision.labelling.weighing import Labels, Weighing

FAR = 16.0  # nats; a state that is so much less likely for a cluster by itself is not tried for it
PASSES = 8  # times that all changes are tried
PAIRED = 12  # of the changes of one cluster, those that are tried in pairs
GROUPED = 256  # changes of what looks alike, those that cost least by themselves
LEAST = 1e-6  # nats that make a labelling a better one


def climb(weighing: Weighing, start: Labels) -> tuple[float, Labels]:
    """A labelling that no change makes better, and what it weighs but for the judge.

    Changed are one cluster or two, all that look alike, and all that have one state.
    """
    labels, best = start, float(weighing.glance(start[None])[0])
    for _ in range(PASSES):
        before = best
        best, labels = _singly(weighing, *_jumped(weighing, best, labels))
        if best <= before + LEAST:
            best, labels = _paired(weighing, best, labels)
        if best <= before + LEAST:
            break
    return best, labels


def rivals(weighing: Weighing, labels: Labels, within: float) -> tuple[Many, Floats]:
    """What such changes lead to, with its nats, so many less at most; the heaviest first."""
    own = float(weighing.glance(labels[None])[0])
    places, states, found = flips(weighing, labels, own - within)
    flat = np.repeat(labels[None], len(places), axis=0)
    flat[np.arange(len(places)), places] = states
    pairs, singly = _pairs(labels, places, states, found)
    paired = weighing.glance(pairs)
    together = _together(weighing, labels, own - within)
    many = np.concatenate([flat, pairs[paired > singly], together])  # pairs that say more than each alone
    found = np.concatenate([found, paired[paired > singly], weighing.glance(together)])
    order = np.argsort(-found, kind="stable")
    order = order[found[order] > own - within]
    return many[order], found[order]


def sureness(weighing: Weighing, labels: Labels) -> Floats:
    """By cluster, how many nats less a labelling weighs at least where it is anything else; FAR at most."""
    own = float(weighing.glance(labels[None])[0])
    places, _, found = flips(weighing, labels, own - FAR)
    best = np.full(len(labels), own - FAR)
    np.maximum.at(best, places, found)
    return own - best


def flips(weighing: Weighing, labels: Labels, least: float) -> tuple[Labels, Labels, Floats]:
    """Changes of one cluster: its place, its new state, what the labelling weighs then.

    Those are left out of which it is clear that they weigh less than `least`.
    """
    allowed = _allowed(weighing)
    rows = np.arange(len(labels))
    allowed &= weighing.weights > (weighing.weights[rows, labels] - _room(weighing, labels, least))[:, None]
    allowed[rows, labels] = False
    places, states = np.nonzero(allowed)
    return places, states, weighing.flipped(labels, places, states)


def _room(weighing: Weighing, labels: Labels, least: float) -> float:
    """How many nats less likely clusters may be by themselves: what the rules say makes nothing likelier."""
    return float(weighing.known(labels[None])[0]) - least


def _singly(weighing: Weighing, best: float, labels: Labels) -> tuple[float, Labels]:
    places, states, found = flips(weighing, labels, best)
    for change in np.argsort(-found)[: np.count_nonzero(found > best + LEAST)]:
        other = labels.copy()
        other[places[change]] = states[change]
        weight = float(weighing.glance(other[None])[0])
        if weight > best + LEAST:
            best, labels = weight, other
    return best, labels


def _paired(weighing: Weighing, best: float, labels: Labels) -> tuple[float, Labels]:
    return _better(weighing, best, labels, _pairs(labels, *flips(weighing, labels, best))[0])


def _jumped(weighing: Weighing, best: float, labels: Labels) -> tuple[float, Labels]:
    for _ in range(PASSES):
        before = best
        best, labels = _better(weighing, best, labels, _together(weighing, labels, best))
        if best <= before + LEAST:
            break
    return best, labels


def _better(weighing: Weighing, best: float, labels: Labels, many: Many) -> tuple[float, Labels]:
    found = weighing.glance(many)
    if len(found) and found.max() > best + LEAST:
        return float(found.max()), many[found.argmax()]
    return best, labels


def _pairs(labels: Labels, places: Labels, states: Labels, found: Floats) -> tuple[Many, Floats]:
    """Two of the best changes of one cluster together; and what the better of the two weighs alone."""
    nearest = np.argsort(-found)[:PAIRED]
    pairs = [(b, a) for k, a in enumerate(nearest) for b in nearest[:k] if places[a] != places[b]]
    many = np.repeat(labels[None], len(pairs), axis=0)
    for row, pair in enumerate(pairs):
        many[row, places[list(pair)]] = states[list(pair)]
    return many, found[[better for better, _ in pairs]]


def _together(weighing: Weighing, labels: Labels, least: float) -> Many:
    """Labellings in which all of one state, or all that look alike, change, or two states change places."""
    rows, room = np.arange(len(labels)), _room(weighing, labels, least)
    loss = weighing.weights[rows, labels][:, None] - weighing.weights
    loss[~_allowed(weighing)] = np.inf
    found = []
    by_state = {int(state): loss[labels == state].sum(axis=0) for state in np.unique(labels)}
    for state, lost in by_state.items():
        held = labels == state
        found += [np.where(held, other, labels) for other in np.flatnonzero(lost < room) if other != state]
        for other in by_state:
            if other > state and lost[other] + by_state[other][state] < room:
                found.append(np.where(held, other, np.where(labels == other, state, labels)))
    together = np.array([loss[list(group)].sum(axis=0) for group in weighing.scene.kin]).ravel()
    likeliest = np.argsort(together)[:GROUPED]
    groups, states = np.divmod(likeliest[together[likeliest] < room], loss.shape[1])
    alike = np.where(weighing.scene.in_kin[groups], states[:, None], labels)
    alike = alike[(alike != labels).any(axis=1)]
    return np.concatenate([np.array(found, np.intp).reshape(-1, len(labels)), alike])


def _allowed(weighing: Weighing) -> NDArray[np.bool_]:
    """(clusters, classes): the states that are tried for each cluster."""
    return np.asarray(weighing.weights > (weighing.weights.max(axis=1) - FAR)[:, None])
