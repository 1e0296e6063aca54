"""Search for the likeliest labellings of a picture.

Hill climbing from several starts: clusters change their state, one by one or together, while the score
improves. Contradictory numbers cost points but are allowed on the way. If the result is inconsistent, the
least certain cluster among the contradictory ones gets another state, and climbing continues.

The alternatives near the best labelling tell how certain each state is. A full score takes about a
millisecond and hundreds of labellings are near, so most alternatives are assumed to be as consistent as
the best. An alternative that alone makes a state doubtful gets a full score, because small doubts add up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import exp

import numpy as np
from numpy.typing import NDArray

from vision.cells.model import CLASSES, NUMBER
from vision.label.features import COVER, MARKED, OTHER, PLAIN, ZERO, Floats, Many, Weights
from vision.label.scene import MAY_BE_SHOWN, Scene
from vision.label.scorer import Labels, LabelScorer
from vision.params import WEIGHTS
from vision.reading import BoardPrior

FAR = 16.0  # nats; a state that is so much less likely for a cluster by itself is not tried for it
PASSES = 8  # times that all changes are tried
PAIRED = 12  # of the changes of one cluster, those that are tried in pairs
GROUPED = 256  # changes of what looks alike, those that cost least by themselves
LEAST = 1e-6  # nats that make a labelling a better one


def hill_climb(weighing: LabelScorer, start: Labels) -> tuple[float, Labels]:
    """A labelling that no change makes better, and what it weighs but for the judge.

    Changed are one cluster or two, all that look alike, and all that have one state.
    """
    labels, best = start, float(weighing.fast_scores(start[None])[0])
    for _ in range(PASSES):
        before = best
        best, labels = _singly(weighing, *_jumped(weighing, best, labels))
        if best <= before + LEAST:
            best, labels = _paired(weighing, best, labels)
        if best <= before + LEAST:
            break
    return best, labels


def find_alternatives(weighing: LabelScorer, labels: Labels, within: float) -> tuple[Many, Floats]:
    """What such changes lead to, with its nats, so many less at most; the heaviest first."""
    own = float(weighing.fast_scores(labels[None])[0])
    places, states, found = single_changes(weighing, labels, own - within)
    flat = np.repeat(labels[None], len(places), axis=0)
    flat[np.arange(len(places)), places] = states
    pairs, singly = _pairs(labels, places, states, found)
    paired = weighing.fast_scores(pairs)
    together = _together(weighing, labels, own - within)
    many = np.concatenate([flat, pairs[paired > singly], together])  # pairs that say more than each alone
    found = np.concatenate([found, paired[paired > singly], weighing.fast_scores(together)])
    order = np.argsort(-found, kind="stable")
    order = order[found[order] > own - within]
    return many[order], found[order]


def margins(weighing: LabelScorer, labels: Labels) -> Floats:
    """By cluster, how many nats less a labelling weighs at least where it is anything else; FAR at most."""
    own = float(weighing.fast_scores(labels[None])[0])
    places, _, found = single_changes(weighing, labels, own - FAR)
    best = np.full(len(labels), own - FAR)
    np.maximum.at(best, places, found)
    return own - best


def single_changes(weighing: LabelScorer, labels: Labels, least: float) -> tuple[Labels, Labels, Floats]:
    """Changes of one cluster: its place, its new state, what the labelling weighs then.

    Those are left out of which it is clear that they weigh less than `least`.
    """
    allowed = _allowed(weighing)
    rows = np.arange(len(labels))
    allowed &= weighing.weights > (weighing.weights[rows, labels] - _room(weighing, labels, least))[:, None]
    allowed[rows, labels] = False
    places, states = np.nonzero(allowed)
    return places, states, weighing.scores_after_change(labels, places, states)


def _room(weighing: LabelScorer, labels: Labels, least: float) -> float:
    """How many nats less likely clusters may be by themselves: what the rules say makes nothing likelier."""
    return float(weighing.known(labels[None])[0]) - least


def _singly(weighing: LabelScorer, best: float, labels: Labels) -> tuple[float, Labels]:
    places, states, found = single_changes(weighing, labels, best)
    for change in np.argsort(-found)[: np.count_nonzero(found > best + LEAST)]:
        other = labels.copy()
        other[places[change]] = states[change]
        weight = float(weighing.fast_scores(other[None])[0])
        if weight > best + LEAST:
            best, labels = weight, other
    return best, labels


def _paired(weighing: LabelScorer, best: float, labels: Labels) -> tuple[float, Labels]:
    return _better(weighing, best, labels, _pairs(labels, *single_changes(weighing, labels, best))[0])


def _jumped(weighing: LabelScorer, best: float, labels: Labels) -> tuple[float, Labels]:
    for _ in range(PASSES):
        before = best
        best, labels = _better(weighing, best, labels, _together(weighing, labels, best))
        if best <= before + LEAST:
            break
    return best, labels


def _better(weighing: LabelScorer, best: float, labels: Labels, many: Many) -> tuple[float, Labels]:
    found = weighing.fast_scores(many)
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


def _together(weighing: LabelScorer, labels: Labels, least: float) -> Many:
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
    together = np.array([loss[list(group)].sum(axis=0) for group in weighing.scene.look_alikes]).ravel()
    likeliest = np.argsort(together)[:GROUPED]
    groups, states = np.divmod(likeliest[together[likeliest] < room], loss.shape[1])
    alike = np.where(weighing.scene.in_kin[groups], states[:, None], labels)
    alike = alike[(alike != labels).any(axis=1)]
    return np.concatenate([np.array(found, np.intp).reshape(-1, len(labels)), alike])


def _allowed(weighing: LabelScorer) -> NDArray[np.bool_]:
    """(clusters, classes): the states that are tried for each cluster."""
    return np.asarray(weighing.weights > (weighing.weights.max(axis=1) - FAR)[:, None])


NEAR = 9.0  # nats; a labelling that is so far behind makes nothing less than sure
JUDGED = 8  # labellings near the best that are judged
ASKED = 32  # and those that would be better, if they can be
DOUBTING = 7.6  # nats; a labelling that is so far behind makes nothing less sure than 0.9995
DOUBTFUL = 0.01  # odds against a state from which more against it makes no difference
MENDINGS = 24  # doubts that cannot be as they are, for which what comes nearest is looked for

NEAREST = 8  # other numbers that are tried for each of them

Key = tuple[int, ...]  # the states of a labelling, places in CLASSES


@dataclass(frozen=True, eq=False)
class ScoredLabelling:
    """A labelling that can be: its nats, and those of them that the judge gave."""

    nats: float
    judged: float
    labels: Labels


class AlternativeSet:
    """What labellings near the best weigh, in nats.

    `possible` were judged and can be. `assumed` nobody judged: their nats, and those that the judge is taken
    to give. `refused` cannot be: what they would weigh.
    """

    def __init__(self, weighing: LabelScorer) -> None:
        self.possible: dict[Key, float] = {}
        self.assumed: dict[Key, tuple[float, float]] = {}
        self.refused: dict[Key, float] = {}
        self._weighing = weighing

    @property
    def nats(self) -> dict[Key, float]:
        """All that can be, or may be. What nobody judged is never likelier than the best of what can be."""
        best = max(self.possible.values())
        return self.possible | {key: min(nats, best) for key, (nats, _) in self.assumed.items()}

    def add(self, one: ScoredLabelling) -> None:
        """One that was judged."""
        self.possible[_key(one.labels)] = one.nats

    def better_than(self, best: ScoredLabelling) -> ScoredLabelling | None:
        """Weigh the labellings near the best; the first of them that is better, None for none."""
        own = best.nats - best.judged
        many, weights = find_alternatives(self._weighing, best.labels, NEAR)
        for place, (labels, weight) in enumerate(zip(many, weights.tolist(), strict=True)):
            key, may_be_better = _key(labels), weight > own
            if key in self.possible or key in self.assumed or (may_be_better and place >= ASKED):
                continue
            if place >= JUDGED and not may_be_better:
                self.assumed[key] = weight + best.judged, best.judged
                continue
            judged = self._weighing.prior_score(labels)
            if judged is None:
                self.refused[key] = weight + best.judged
                continue
            self.possible[key] = weight + judged
            if weight + judged > best.nats:
                return ScoredLabelling(weight + judged, judged, labels)
        return None

    def judge_doubts(self, best: ScoredLabelling, most: int) -> None:
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
            judged = self._weighing.prior_score(other)
            if judged is not None:
                del self.assumed[key]
                weight = self.possible[key] = nats + judged - given
            elif mendings:
                mendings -= 1
                del self.assumed[key]
                mended = _nearest(self._weighing.with_fixed(changed, other), other)
                if mended is None:
                    impossible |= changes if len(changes) == 1 else set()
                    continue
                weight = mended.nats
                self.add(mended)
            else:
                weight = nats
            against[changed] += exp(min(0.0, weight - best.nats))

    def _against(self, best: ScoredLabelling) -> Floats:
        """For each cluster the odds against its state, by those that can be."""
        against = np.zeros(len(best.labels))
        for key, nats in self.possible.items():
            against[np.array(key) != best.labels] += exp(min(0.0, nats - best.nats))
        return against


def _nearest(weighing: LabelScorer, labels: Labels) -> ScoredLabelling | None:
    """The likeliest labelling that can be, of a few that differ in one number; None where none can."""
    places, states, found = single_changes(weighing, labels, -np.inf)
    numbers = np.flatnonzero((NUMBER[labels[places]] >= 0) & (NUMBER[states] >= 0))
    best = None
    for change in numbers[np.argsort(-found[numbers])][:NEAREST]:
        other = labels.copy()
        other[places[change]] = states[change]
        likely = weighing.prior_score(other)
        if likely is not None and (best is None or found[change] + likely > best.nats):
            best = ScoredLabelling(float(found[change]) + likely, likely, other)
    return best


def _key(labels: Labels) -> Key:
    return tuple(labels.tolist())


Labellings = list[tuple[float, dict[int, str]]]  # nats, and the state of every cluster

BEHIND = 16.0  # nats; a labelling that is so far behind the best is left out, and a state of one cluster


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A state for every cluster, and how likely it is among all (0 to 1)."""

    states: Mapping[int, str]
    weight: float


def normalised(found: Labellings) -> list[Hypothesis]:
    """The same with probabilities in place of nats, the likeliest first."""
    if not found:
        return []
    top = max(weight for weight, _ in found)
    kept = sorted(((w, s) for w, s in found if w >= top - BEHIND), key=lambda each: -each[0])
    everything = sum(exp(weight - top) for weight, _ in kept)
    return [Hypothesis(states, exp(weight - top) / everything) for weight, states in kept]


def confidences(hypotheses: Sequence[Hypothesis]) -> dict[int, tuple[str, float]]:
    """For each cluster its state in the likeliest labelling, and how sure that is at least.

    A state is as sure as the likeliest labelling is beside all those that say otherwise of it. Those that
    differ elsewhere are no evidence against it: of many doubts only some are among the hypotheses.
    """
    if not hypotheses:
        return {}
    best = hypotheses[0]
    against = dict.fromkeys(best.states, 0.0)
    for other in hypotheses[1:]:
        for cluster, state in other.states.items():
            if state != best.states[cluster]:
                against[cluster] += other.weight
    return {
        cluster: (state, best.weight / (best.weight + against[cluster]))
        for cluster, state in best.states.items()
    }


BETTERED = 16  # times that a labelling near the best may turn out better
MENDED = 24  # clusters that are made something else until a labelling is possible
DOUBTED = (2.0, 4.0, 8.0, 16.0)  # nats by which a cluster is likelier to be something than nothing
BLANKS = 6  # clusters without a drawing, the largest, of which every way to be covered or empty is a start
STARTS = 2  # starts, the likeliest, from which clusters change
AMISS = 8.0  # nats for each number that mines which are shown do not explain, where a start is looked for


def find_labellings(
    scene: Scene,
    weights: Weights,
    judge: BoardPrior,
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
    weighing = LabelScorer(scene, weights, judge, mines, scale)
    starts = [*_starts(weighing), *(_as_lost(weighing) if is_over else [])]
    climbed = {
        tuple(labels.tolist()): weight for weight, labels in (hill_climb(weighing, each) for each in starts)
    }
    tops = sorted(climbed, key=lambda labels: -climbed[labels])
    found = [each for each in (_repair(weighing, np.array(labels)) for labels in tops) if each is not None]
    if not found:
        return []
    near = AlternativeSet(weighing)
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


def _starts(weighing: LabelScorer) -> Iterator[Labels]:
    """What each cluster looks like, the largest blank ones covered or empty in the likeliest ways."""
    labels = weighing.weights.argmax(axis=1)
    blank = np.flatnonzero((labels == ZERO) | (labels == COVER))
    largest = blank[np.argsort(-weighing.scene.counts[blank], kind="stable")[:BLANKS]]
    ways = np.array(list(product((ZERO, COVER), repeat=len(largest))), np.intp)
    many = np.repeat(labels[None], len(ways), axis=0)
    many[:, largest] = ways
    order = np.argsort(-weighing.fast_scores(many), kind="stable")
    yield from many[order[:STARTS]]


def _as_lost(weighing: LabelScorer) -> Iterator[Labels]:
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


def _repair(weighing: LabelScorer, labels: Labels) -> ScoredLabelling | None:
    """The same where that can be; else with clusters that are something else, the least sure first."""
    with_less, given = weighing, weighing
    for _ in range(MENDED):
        likely = given.prior_score(labels)
        if likely is not None:
            return ScoredLabelling(float(given.fast_scores(labels[None])[0]) + likely, likely, labels)
        if given.is_consistent(labels):
            break  # too many numbers have no room
        place = _contradicting(with_less, labels)
        with_less = with_less.excluding(place, int(labels[place]))
        _, labels = hill_climb(with_less, labels)
    return _with_less(given)


def _contradicting(weighing: LabelScorer, labels: Labels) -> int:
    """The cluster with which numbers cannot be any more, when the surest are named first."""
    sure = margins(weighing, labels)
    numbers = [int(place) for place in np.argsort(-sure) if NUMBER[labels[place]] >= 0]
    few, many = 0, len(numbers)
    while many - few > 1:
        middle = (few + many) // 2
        part = labels.copy()
        part[numbers[middle:]] = OTHER
        if weighing.is_consistent(part):
            few = middle
        else:
            many = middle
    return numbers[many - 1]


def _with_less(weighing: LabelScorer) -> ScoredLabelling | None:
    """The best labelling in which clusters are nothing of the game that hardly look like anything else.

    It is asked for where none of the likeliest is possible: something lies over the board, or moves.
    """
    weights = weighing.weights
    lead = weights.max(axis=1) - weights[:, OTHER]
    for least in DOUBTED:
        labels = np.where(lead < least, OTHER, weights.argmax(axis=1))
        likely = weighing.prior_score(labels)
        if likely is not None:
            return ScoredLabelling(float(weighing.fast_scores(labels[None])[0]) + likely, likely, labels)
    return None
