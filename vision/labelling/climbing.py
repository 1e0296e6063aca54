"""From a labelling that the rules do not like to a better one: drawings that were taken for another number.

Where a program's ones look like sevens to the model, each of many clusters is one nat likelier a seven, and
labellings that differ in a few clusters are all as impossible. So all clusters of one state, or all that look
alike, change together here.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vision.labelling.evidence import Weights
from vision.labelling.scene import Scene
from vision.labelling.weighing import Weighing

PASSES = 4  # times that all changes are tried
LEAST = 1e-9  # nats that make a labelling a better one
FAR = 12.0  # nats; what is so much less likely for a cluster by itself is not tried for it alone
Labels = tuple[int, ...]


def climb(weights: Weights, weighing: Weighing, start: Labels) -> Labels:
    """A better labelling: all clusters of one state change, then one cluster after the other."""
    labels, best = start, weighing.glance(start)
    for _ in range(PASSES):
        before = best
        known = float(weights[np.arange(len(labels)), list(labels)].sum())
        for other in _of_states(weights, labels, known - best):
            weight = weighing.glance(other)
            if weight > best + LEAST:
                labels, best = other, weight
        for place in range(len(labels)):
            row = weights[place]
            for label in np.flatnonzero(row > row[labels[place]] - FAR).tolist():
                other = (*labels[:place], label, *labels[place + 1 :])
                weight = weighing.glance(other) if label != labels[place] else best
                if weight > best + LEAST:
                    labels, best = other, weight
        if best == before:
            break
    return labels


def together(scene: Scene, weights: Weights, labels: Labels, most: float) -> Iterator[Labels]:
    """Labellings in which clusters that look alike, or have one state, all get another one.

    By themselves the clusters may be so much less likely, in nats, to be that.
    """
    now = np.array(labels)
    seen = {labels}
    for group in scene.kin:
        own = list(group)
        loss = (weights[own, now[own]][:, None] - weights[own]).sum(axis=0)
        for label in np.flatnonzero(loss < most).tolist():
            changed = now.copy()
            changed[own] = label
            other = tuple(changed.tolist())
            if other not in seen:
                seen.add(other)
                yield other
    yield from (other for other in _of_states(weights, labels, most) if other not in seen)


def _of_states(weights: Weights, labels: Labels, most: float) -> Iterator[Labels]:
    """All clusters of one state become another one, or two states change places."""
    now = np.array(labels)
    present = np.unique(now)
    loss = {
        state: (weights[now == state, state][:, None] - weights[now == state]).sum(axis=0)
        for state in present
    }
    for state in present:
        held = now == state
        for other in np.flatnonzero(loss[state] < most):
            if other == state:
                continue
            changed = np.where(held, other, now)
            yield tuple(changed.tolist())
            if other in loss and other > state and loss[state][other] + loss[other][state] < most:
                yield tuple(np.where(now == other, state, changed).tolist())
