"""Labellings near the best one: which of them speak against it, and how much.

Judging a labelling takes about a millisecond, and hundreds lie near the best. So few are judged; of the
others it is assumed that they are as possible as the best. Where such a one alone makes a state doubtful,
it is judged after all, for many small doubts add up.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

import numpy as np

from vision.cells import NUMBER
from vision.labelling.climbing import flips, rivals
from vision.labelling.counting import Floats
from vision.labelling.weighing import Labels, Weighing

NEAR = 9.0  # nats; a labelling that is so far behind makes nothing less than sure
JUDGED = 8  # labellings near the best that are judged
ASKED = 32  # and those that would be better, if they can be
DOUBTING = 7.6  # nats; a labelling that is so far behind makes nothing less sure than 0.9995
DOUBTFUL = 0.01  # odds against a state from which more against it makes no difference
MENDINGS = 24  # doubts that cannot be as they are, for which what comes nearest is looked for

NEAREST = 8  # other numbers that are tried for each of them

Key = tuple[int, ...]  # the states of a labelling, places in CLASSES


@dataclass(frozen=True, eq=False)
class Possible:
    """A labelling that can be: its nats, and those of them that the judge gave."""

    nats: float
    judged: float
    labels: Labels


class Rivals:
    """What labellings near the best weigh, in nats.

    `possible` were judged and can be. `assumed` nobody judged: their nats, and those that the judge is taken
    to give. `refused` cannot be: what they would weigh.
    """

    def __init__(self, weighing: Weighing) -> None:
        self.possible: dict[Key, float] = {}
        self.assumed: dict[Key, tuple[float, float]] = {}
        self.refused: dict[Key, float] = {}
        self._weighing = weighing

    @property
    def nats(self) -> dict[Key, float]:
        """All that can be, or may be. What nobody judged is never likelier than the best of what can be."""
        best = max(self.possible.values())
        return self.possible | {key: min(nats, best) for key, (nats, _) in self.assumed.items()}

    def add(self, one: Possible) -> None:
        """One that was judged."""
        self.possible[_key(one.labels)] = one.nats

    def better_than(self, best: Possible) -> Possible | None:
        """Weigh the labellings near the best; the first of them that is better, None for none."""
        own = best.nats - best.judged
        many, weights = rivals(self._weighing, best.labels, NEAR)
        for place, (labels, weight) in enumerate(zip(many, weights.tolist(), strict=True)):
            key, may_be_better = _key(labels), weight > own
            if key in self.possible or key in self.assumed or (may_be_better and place >= ASKED):
                continue
            if place >= JUDGED and not may_be_better:
                self.assumed[key] = weight + best.judged, best.judged
                continue
            judged = self._weighing.judged(labels)
            if judged is None:
                self.refused[key] = weight + best.judged
                continue
            self.possible[key] = weight + judged
            if weight + judged > best.nats:
                return Possible(weight + judged, judged, labels)
        return None

    def judge_doubts(self, best: Possible, most: int) -> None:
        """Judge those, the heaviest first, that alone make a state of the best doubtful; so many at most.

        What was refused is a doubt too: where it cannot be as it is, what comes nearest to it may be. That is
        looked for a few times; the others stay.
        """
        self.assumed |= {key: (nats, best.judged) for key, nats in self.refused.items()}
        against = self._against(best)
        mendings = MENDINGS
        impossible: set[tuple[int, int]] = (
            set()
        )  # states that a cluster cannot have, whatever the others have
        for key, (nats, given) in sorted(self.assumed.items(), key=lambda each: -each[1][0]):
            if not most or nats < best.nats - DOUBTING:
                break
            other = np.array(key)
            changed = other != best.labels
            if against[changed].min() > DOUBTFUL:
                continue
            changes = {(int(place), int(other[place])) for place in np.flatnonzero(changed)}
            if changes & impossible:
                del self.assumed[key]
                continue
            most -= 1
            judged = self._weighing.judged(other)
            if judged is not None:
                del self.assumed[key]
                weight = self.possible[key] = nats + judged - given
            elif mendings:
                mendings -= 1
                del self.assumed[key]
                mended = _nearest(self._weighing.holding(changed, other), other)
                if mended is None:
                    impossible |= changes if len(changes) == 1 else set()
                    continue
                weight = mended.nats
                self.add(mended)
            else:
                weight = nats
            against[changed] += exp(min(0.0, weight - best.nats))

    def _against(self, best: Possible) -> Floats:
        """For each cluster the odds against its state, by those that can be."""
        against = np.zeros(len(best.labels))
        for key, nats in self.possible.items():
            against[np.array(key) != best.labels] += exp(min(0.0, nats - best.nats))
        return against


def _nearest(weighing: Weighing, labels: Labels) -> Possible | None:
    """The likeliest labelling that can be, of a few that differ in one number; None where none can."""
    places, states, found = flips(weighing, labels, -np.inf)
    numbers = np.flatnonzero((NUMBER[labels[places]] >= 0) & (NUMBER[states] >= 0))
    best = None
    for change in numbers[np.argsort(-found[numbers])][:NEAREST]:
        other = labels.copy()
        other[places[change]] = states[change]
        likely = weighing.judged(other)
        if likely is not None and (best is None or found[change] + likely > best.nats):
            best = Possible(float(found[change]) + likely, likely, other)
    return best


def _key(labels: Labels) -> Key:
    return tuple(labels.tolist())
