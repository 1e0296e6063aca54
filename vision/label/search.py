"""Search for the most likely labellings of a picture: a state for every cluster, consistent with the rules.

Hill climbing starts from a few labellings and changes clusters singly, in pairs and in groups while the score
improves. Impossible numbers only lower the score, because some consistent labellings are reachable only
through them. If the result is impossible, the least certain of the contradicting clusters gets another state
(`_repair`).

`AlternativeSet` then estimates how certain each state is. Asking the prior (`BoardPrior`: the likelihood of a
board under the rules) takes about a millisecond, and hundreds of labellings lie near the best, so only a few
are checked; the prior is assumed to rate the others like the best. A labelling that alone makes a state
doubtful is checked as well. Doubtful numbers around one covered cell are all right or all one too high or too
low, so labellings with a mine more, less or elsewhere are tried as well (`_moved_mines`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import exp

import numpy as np
from numpy.typing import NDArray

from games.logic import bits, cell_set
from games.minesweeper import Board
from vision.cells.model import CLASSES, NUMBER
from vision.label.scene import IS_MINE, LETTERS, MAY_BE_MINE, MAY_BE_SHOWN, Scene
from vision.label.scorer import COVER, INTACT, MARKED, OTHER, WRONG, ZERO, Floats, Labels, LabelScorer, Many
from vision.params import WEIGHTS
from vision.reading import BoardPrior

FAR = 16.0  # nats; states this far behind the best state of a cluster are not tried
PASSES = 8  # rounds over all changes
PAIRED = 12  # best single changes that are tried in pairs
GROUPED = 256  # cheapest changes of groups that look alike
LEAST = 1e-6  # nats; minimum improvement


def hill_climb(scorer: LabelScorer, start: Labels) -> tuple[float, Labels]:
    """The score of a local optimum, without the prior, and its labels.

    Each step changes one cluster, two clusters, all that look alike, or all with one state.
    """
    labels, best = start, float(scorer.fast_scores(start[None])[0])
    for _ in range(PASSES):
        before = best
        best, labels = _change_singly(scorer, *_change_groups(scorer, best, labels))
        if best <= before + LEAST:
            pairs, _ = _pairs(labels, *single_changes(scorer, labels, best))
            best, labels = _best_of(scorer, best, labels, pairs)
        if best <= before + LEAST:
            break
    return best, labels


def find_alternatives(scorer: LabelScorer, labels: Labels, within: float) -> tuple[Many, Floats]:
    """Labellings one change away that score at most `within` nats less, and their scores, best first."""
    least = float(scorer.fast_scores(labels[None])[0]) - within
    places, states, found = single_changes(scorer, labels, least)
    flat = np.repeat(labels[None], len(places), axis=0)
    flat[np.arange(len(places)), places] = states
    pairs, singly = _pairs(labels, places, states, found)
    paired = scorer.fast_scores(pairs)
    together = np.concatenate([_group_changes(scorer, labels, least), _moved_mines(scorer, labels, least)])
    # only pairs that score better than either change alone
    many = np.concatenate([flat, pairs[paired > singly], together])
    found = np.concatenate([found, paired[paired > singly], scorer.fast_scores(together)])
    order = np.argsort(-found, kind="stable")
    order = order[found[order] > least]
    return many[order], found[order]


def single_changes(scorer: LabelScorer, labels: Labels, least: float) -> tuple[Labels, Labels, Floats]:
    """Changes of one cluster: its index, the new state, the resulting score.

    Omits changes that cannot score `least`.
    """
    allowed = _allowed(scorer)
    rows = np.arange(len(labels))
    allowed &= scorer.scores > (scorer.scores[rows, labels] - _room(scorer, labels, least))[:, None]
    allowed[rows, labels] = False
    places, states = np.nonzero(allowed)
    return places, states, scorer.scores_after_change(labels, places, states)


def _room(scorer: LabelScorer, labels: Labels, least: float) -> float:
    """Nats that cluster scores may lose before the total is below `least`; rule features add none."""
    return float(scorer.known(labels[None])[0]) - least


def _change_singly(scorer: LabelScorer, best: float, labels: Labels) -> tuple[float, Labels]:
    places, states, found = single_changes(scorer, labels, best)
    for change in np.argsort(-found)[: np.count_nonzero(found > best + LEAST)]:
        other = labels.copy()
        other[places[change]] = states[change]
        weight = float(scorer.fast_scores(other[None])[0])
        if weight > best + LEAST:
            best, labels = weight, other
    return best, labels


def _change_groups(scorer: LabelScorer, best: float, labels: Labels) -> tuple[float, Labels]:
    for _ in range(PASSES):
        before = best
        best, labels = _best_of(scorer, best, labels, _group_changes(scorer, labels, best))
        if best <= before + LEAST:
            break
    return best, labels


def _best_of(scorer: LabelScorer, best: float, labels: Labels, many: Many) -> tuple[float, Labels]:
    found = scorer.fast_scores(many)
    if len(found) and found.max() > best + LEAST:
        return float(found.max()), many[found.argmax()]
    return best, labels


def _pairs(labels: Labels, places: Labels, states: Labels, found: Floats) -> tuple[Many, Floats]:
    """Pairs of the best single changes, and the score of the better one alone."""
    nearest = np.argsort(-found)[:PAIRED]
    pairs = [(b, a) for k, a in enumerate(nearest) for b in nearest[:k] if places[a] != places[b]]
    many = np.repeat(labels[None], len(pairs), axis=0)
    for row, pair in enumerate(pairs):
        many[row, places[list(pair)]] = states[list(pair)]
    return many, found[[better for better, _ in pairs]]


def _group_changes(scorer: LabelScorer, labels: Labels, least: float) -> Many:
    """Labellings in which all clusters of a state or of a group change, or two states are exchanged."""
    rows, room = np.arange(len(labels)), _room(scorer, labels, least)
    loss = scorer.scores[rows, labels][:, None] - scorer.scores
    loss[~_allowed(scorer)] = np.inf
    found = []
    by_state = {int(state): loss[labels == state].sum(axis=0) for state in np.unique(labels)}
    for state, lost in by_state.items():
        held = labels == state
        found += [np.where(held, other, labels) for other in np.flatnonzero(lost < room) if other != state]
        for other in by_state:
            if other > state and lost[other] + by_state[other][state] < room:
                found.append(np.where(held, other, np.where(labels == other, state, labels)))
    together = np.array([loss[list(group)].sum(axis=0) for group in scorer.scene.look_alikes]).ravel()
    likeliest = np.argsort(together)[:GROUPED]
    groups, states = np.divmod(likeliest[together[likeliest] < room], loss.shape[1])
    alike = np.where(scorer.scene.in_kin[groups], states[:, None], labels)
    alike = alike[(alike != labels).any(axis=1)]
    return np.concatenate([np.array(found, np.intp).reshape(-1, len(labels)), alike])


def _moved_mines(scorer: LabelScorer, labels: Labels, least: float) -> Many:
    """Labellings with one mine more, less or elsewhere, and all numbers next to it changed to match."""
    scene, room = scorer.scene, _room(scorer, labels, least)
    rows, steps = np.arange(len(labels)), np.array([[-1], [1]])
    number = NUMBER[labels]
    can_change = (number >= 0) & (number + steps >= 0) & (number + steps <= NUMBER.max())
    states = np.where(can_change, labels + steps, labels)
    can_change &= _allowed(scorer)[rows, states]
    loss = np.where(can_change, scorer.scores[rows, labels] - scorer.scores[rows, states], np.inf)
    moves = list(_numbers_moved(scene, number >= 0, loss.min(axis=0) < room))
    moved = np.array([_per_cluster(scene, more) - _per_cluster(scene, less) for less, more in moves], np.intp)
    moved = moved.reshape(-1, len(labels))
    step = np.sign(moved)  # a cluster changes as a whole
    lost = np.where(step * scene.counts == moved, np.where(step, loss[(step + 1) // 2, rows], 0.0), np.inf)
    total = lost.sum(axis=1)
    likeliest = np.argsort(total, kind="stable")[:GROUPED]
    return np.asarray(labels + step[likeliest[total[likeliest] < room]])


def _numbers_moved(
    scene: Scene, is_number: NDArray[np.bool_], may_change: NDArray[np.bool_]
) -> Iterator[tuple[int, int]]:
    """Two cell sets for each mine that may be added, removed or moved: numbers one lower, and one higher.

    `is_number` and `may_change` say which clusters are numbers, and which of them may change.
    """
    numbers, doubtful = (
        cell_set(np.flatnonzero(np.append(each, False)[scene.places]).tolist())
        for each in (is_number, may_change)
    )
    around = Board.fresh(scene.rows, scene.columns, variant=scene.variant).around
    unknown = (1 << len(scene.ids)) - 1 & ~numbers
    may_differ = cell_set(k for k in bits(unknown) if around[k] & doubtful)
    # the numbers next to the place of a mine before and after; no place is 0
    moves = {(0, around[k] & numbers) for k in bits(may_differ)}
    for number in bits(numbers & ~doubtful):  # it stays right if a mine moves from one neighbour to another
        neighbours = around[number] & unknown
        if neighbours & may_differ:
            moves |= set(combinations((around[k] & numbers for k in bits(neighbours)), 2))
    for one, other in moves:
        less, more = one & ~other, other & ~one
        if (less | more) and not (less | more) & ~doubtful:
            yield less, more
            yield more, less


def _per_cluster(scene: Scene, cells: int) -> NDArray[np.intp]:
    """Number of these cells in each cluster."""
    return np.bincount(scene.places[list(bits(cells))], minlength=len(scene.present) + 1)[:-1]


def _allowed(scorer: LabelScorer) -> NDArray[np.bool_]:
    """(clusters, classes): the states to try for each cluster."""
    return np.asarray(scorer.scores > (scorer.scores.max(axis=1) - FAR)[:, None])


NEAR = 9.0  # nats; labellings further behind the best are ignored
JUDGED = 8  # labellings near the best that the prior checks
ASKED = 32  # labellings that score better without the prior, which it checks as well
DOUBTING = 7.6  # nats; labellings further behind do not reduce any probability below 0.9995
DOUBTFUL = 0.01  # odds against a state above which further doubts make no difference
MOST_REPAIRED = 24  # refused labellings near which a possible one is searched for
NEAREST = 8  # changes of numbers tried for each of them

Key = tuple[int, ...]  # states of a labelling, indices into CLASSES


@dataclass(frozen=True, eq=False)
class ScoredLabelling:
    """A possible labelling: its score and the part of it that the prior contributes, nats."""

    nats: float
    judged: float
    labels: Labels


class AlternativeSet:
    """Labellings near the best and their scores, nats.

    `possible` were checked by the prior. `assumed` were not: their scores, and the assumed contribution of
    the prior. `refused` are impossible, with the scores they would have.
    """

    def __init__(self, scorer: LabelScorer) -> None:
        self.possible: dict[Key, float] = {}
        self.assumed: dict[Key, tuple[float, float]] = {}
        self.refused: dict[Key, float] = {}
        self._scorer = scorer

    def better_than(self, best: ScoredLabelling) -> ScoredLabelling | None:
        """Score the labellings near the best; return the first better one, or None."""
        own = best.nats - best.judged
        many, weights = find_alternatives(self._scorer, best.labels, NEAR)
        for place, (labels, weight) in enumerate(zip(many, weights.tolist(), strict=True)):
            key, may_be_better = _key(labels), weight > own
            if key in self.possible or key in self.assumed or (may_be_better and place >= ASKED):
                continue
            if place >= JUDGED and not may_be_better:
                self.assumed[key] = weight + best.judged, best.judged
                continue
            judged = self._scorer.prior_score(labels)
            if judged is None:
                self.refused[key] = weight + best.judged
                continue
            self.possible[key] = weight + judged
            if weight + judged > best.nats:
                return ScoredLabelling(weight + judged, judged, labels)
        return None

    def judge_doubts(self, best: ScoredLabelling, most: int) -> None:
        """Check, best first, at most `most` labellings that alone make a state of the best doubtful.

        A refused labelling counts as well, because one near it may be possible; for at most MOST_REPAIRED
        refused labellings, that one is searched for.
        """
        self.assumed |= {key: (nats, best.judged) for key, nats in self.refused.items()}
        repairs = MOST_REPAIRED
        against = np.zeros(len(best.labels))  # odds against each cluster's state
        for key, nats in self.possible.items():
            against[np.array(key) != best.labels] += exp(min(0.0, nats - best.nats))
        for key, (nats, given) in sorted(self.assumed.items(), key=lambda each: -each[1][0]):
            if not most or nats < best.nats - DOUBTING:
                break
            other = np.array(key)
            changed = other != best.labels
            if against[changed].min() > DOUBTFUL:
                continue
            most -= 1
            judged = self._scorer.prior_score(other)
            if judged is not None:
                del self.assumed[key]
                weight = self.possible[key] = nats + judged - given
            elif repairs:
                repairs -= 1
                del self.assumed[key]
                nearest = _nearest(self._scorer.with_fixed(changed, other), other)
                if nearest is None:
                    continue
                weight = self.possible[_key(nearest.labels)] = nearest.nats
            else:
                weight = nats
            against[changed] += exp(min(0.0, weight - best.nats))


def _nearest(scorer: LabelScorer, labels: Labels) -> ScoredLabelling | None:
    """The best of a few possible labellings that differ in one number; None if none is possible."""
    places, states, found = single_changes(scorer, labels, -np.inf)
    numbers = np.flatnonzero((NUMBER[labels[places]] >= 0) & (NUMBER[states] >= 0))
    best = None
    for change in numbers[np.argsort(-found[numbers])][:NEAREST]:
        other = labels.copy()
        other[places[change]] = states[change]
        likely = scorer.prior_score(other)
        if likely is not None and (best is None or found[change] + likely > best.nats):
            best = ScoredLabelling(float(found[change]) + likely, likely, other)
    return best


def _key(labels: Labels) -> Key:
    return tuple(labels.tolist())


Labellings = list[tuple[float, dict[int, str]]]  # nats, and the state of every cluster

BEHIND = 16.0  # nats; labellings further behind the best are omitted


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A state for every cluster, and its probability among all hypotheses (0 to 1)."""

    states: Mapping[int, str]
    weight: float


def normalised(found: Labellings) -> list[Hypothesis]:
    """Labellings with probabilities instead of scores, most likely first."""
    top = max((weight for weight, _ in found), default=0.0)
    kept = sorted(((w, s) for w, s in found if w >= top - BEHIND), key=lambda each: -each[0])
    everything = sum(exp(weight - top) for weight, _ in kept)
    return [Hypothesis(states, exp(weight - top) / everything) for weight, states in kept]


def confidences(hypotheses: Sequence[Hypothesis]) -> dict[int, tuple[str, float]]:
    """Each cluster's state in the most likely labelling, and a lower bound of its probability.

    Only labellings with another state count against it. Further labellings with the same state do not count
    for it, because the hypotheses contain only some of them.
    """
    if not hypotheses:
        return {}
    best, found = hypotheses[0], {}
    for cluster, state in best.states.items():
        against = sum(each.weight for each in hypotheses[1:] if each.states[cluster] != state)
        found[cluster] = state, best.weight / (best.weight + against)
    return found


MOST_CLUSTERS = 600  # cells that look different; more are noise or a photo, and would take minutes
MOST_REPLACED = 16  # times that a labelling near the best may replace it
MOST_REPAIRS = 24  # state changes of an impossible labelling
DOUBTED = (2.0, 4.0, 8.0, 16.0)  # nats; minimum lead over UNKNOWN to keep a cluster's state
BLANKS = 6  # largest clusters without a drawing, for which all combinations of hidden and empty are tried
STARTS = 2  # best starts for hill climbing
CHECKED = 16  # best starts that the prior checks, until one is possible
MISMATCH = 8.0  # nats per number that the visible mines do not explain, when a start is chosen


def find_labellings(
    scene: Scene,
    scores: Floats,
    prior: BoardPrior,
    mines: int | None = None,
    weights: Mapping[str, float] = WEIGHTS,
    doubts: int = 0,
    is_over: bool = False,
    earlier: Sequence[Mapping[int, str]] = (),
) -> Labellings:
    """Possible labellings near the best, most likely first, with their scores in nats.

    The others differ from the best in one cluster or two, in all clusters of a state, in a group of clusters
    that look alike, or in one mine and the numbers next to it. Most are assumed to be possible; the prior
    checks at most `doubts` labellings that alone make a state doubtful. `is_over`: the game has ended, so the
    most frequent mark may be a mine. `scores` are those of each cluster's states, `weights` those of the
    features of whole labellings. `earlier`: likely states of each cluster before the last moves, which
    may still be right.
    """
    if not 0 < len(scores) <= MOST_CLUSTERS:
        return []
    scorer = LabelScorer(scene, scores, prior, mines, weights)
    starts = [*_starts(scorer), *(_starts_if_lost(scorer) if is_over else [])]
    climbed = {_key(labels): weight for weight, labels in (hill_climb(scorer, each) for each in starts)}
    tops = sorted(climbed, key=lambda labels: -climbed[labels])
    # a climb ignores the prior and may end where nothing possible is near, although it began there
    tried = [_checked(scorer, each) for each in starts]
    tried += [_repair(scorer, np.array(labels)) for labels in tops]
    tried += [_continued(scorer, states) for states in earlier]
    found = [each for each in tried if each is not None]
    if not found:
        return []
    near = AlternativeSet(scorer)
    near.possible |= {_key(each.labels): each.nats for each in found}
    best = max(found, key=lambda each: each.nats)
    for _ in range(MOST_REPLACED):
        if (better := near.better_than(best)) is None:
            break
        best = better
    if doubts:
        near.judge_doubts(best, doubts)
    top = max(near.possible.values())  # unchecked labellings score at most that
    scored = near.possible | {key: min(nats, top) for key, (nats, _) in near.assumed.items()}
    ranked = sorted(scored.items(), key=lambda each: -each[1])
    return [
        (weight, dict(zip(scene.present, LETTERS[list(labels)].tolist(), strict=True)))
        for labels, weight in ranked
        if weight >= ranked[0][1] - BEHIND
    ]


def _starts(scorer: LabelScorer) -> Iterator[Labels]:
    """The most likely states, with the blank clusters hidden or empty in the best ways.

    Tried are all combinations for the largest clusters, and every limit of the log-odds above which a cluster
    counts as empty. The starts are the STARTS best, and the best possible one among the CHECKED best. Another
    start has the states of a cascade that fit the covers next to it.
    """
    labels = scorer.scores.argmax(axis=1)
    if not (IS_MINE[labels] | (labels == OTHER)).any():  # programs show wrong flags with mines
        labels = np.delete(scorer.scores, WRONG, axis=1).argmax(axis=1)
        labels += labels >= WRONG
    blank = np.flatnonzero((labels == ZERO) | (labels == COVER))
    largest = blank[np.argsort(-scorer.scene.counts[blank], kind="stable")[:BLANKS]]
    ways = np.array(list(product((ZERO, COVER), repeat=len(largest))), np.intp)
    many = np.repeat(labels[None], len(ways) + len(blank), axis=0)
    many[: len(ways), largest] = ways
    odds = scorer.scores[blank, ZERO] - scorer.scores[blank, COVER]
    many[len(ways) :, blank] = np.where(odds >= odds[:, None], ZERO, COVER)
    order = np.argsort(-scorer.fast_scores(many), kind="stable")
    possible = (way for way in order[:CHECKED] if scorer.prior_score(many[way]) is not None)
    yield from many[list(dict.fromkeys([*order[:STARTS], next(possible, order[0])]))]
    if scorer.scene.cascade > 0:
        yield from _opened(scorer, labels)


def _opened(scorer: LabelScorer, labels: Labels) -> Iterator[Labels]:
    """The labels with all clusters of a cascade open: possible numbers next to covers, and empty cells."""
    scene, size = scorer.scene, len(labels)
    shares = np.bincount(scene.places, scene.in_cascade[0], size + 1)[:-1] / scene.counts
    is_open = shares > 1 / 2
    if not is_open.any():
        return
    covers = scene.neighbours[~is_open & MAY_BE_MINE[labels] & (labels != OTHER)].sum(axis=0)
    fewest = np.full(size + 1, len(CLASSES))
    np.minimum.at(fewest, scene.places, covers)
    is_possible = (NUMBER > 0) & (fewest[:-1, None] >= NUMBER)
    number = np.where(is_possible, scorer.scores, -np.inf).argmax(axis=1)
    yield np.where(is_open, np.where(is_possible.any(axis=1), number, ZERO), labels)


def _starts_if_lost(scorer: LabelScorer) -> Iterator[Labels]:
    """The most likely states, with the largest mark as mines and numbers to match."""
    weights, counts = scorer.scores, scorer.scene.counts
    labels = weights.argmax(axis=1)
    marks = np.flatnonzero(np.isin(labels, MARKED) & (weights[:, INTACT] > weights.max(axis=1) - FAR))
    if not marks.size:
        return
    labels[marks[counts[marks].argmax()]] = INTACT
    mines = scorer.scene.neighbours[MAY_BE_SHOWN[labels] & (labels != OTHER)].sum(axis=0)
    for place in np.flatnonzero(NUMBER[labels] > 0):
        beside = np.bincount(mines[scorer.scene.places == place], minlength=9)
        amiss = counts[place] - beside[NUMBER[NUMBER > 0]]
        labels[place] = (weights[place, NUMBER > 0] - MISMATCH * amiss).argmax() + ZERO + 1
    yield labels


def _continued(scorer: LabelScorer, earlier: Mapping[int, str]) -> ScoredLabelling | None:
    """The best labelling found that keeps most of these states, by cluster; None if none is possible.

    A climb without the prior may change clusters all over the board to explain a few new ones.
    """
    present, labels = scorer.scene.present, scorer.scores.argmax(axis=1)
    is_held = np.isin(present, list(earlier))
    labels[is_held] = [CLASSES.index(earlier[cluster]) for cluster in present if cluster in earlier]
    held = scorer.with_fixed(is_held, labels)
    found = _repair(held, hill_climb(held, labels)[1])  # perhaps with another state of a held cluster
    return _checked(scorer, found.labels) if found else None


def _checked(scorer: LabelScorer, labels: Labels) -> ScoredLabelling | None:
    """A labelling with its score; None if it is impossible."""
    judged = scorer.prior_score(labels)
    if judged is None:
        return None
    return ScoredLabelling(float(scorer.fast_scores(labels[None])[0]) + judged, judged, labels)


def _repair(scorer: LabelScorer, labels: Labels) -> ScoredLabelling | None:
    """The nearest possible labelling: change the least certain contradicting clusters one by one."""
    reduced, given = scorer, scorer
    for _ in range(MOST_REPAIRS):
        if (possible := _checked(given, labels)) is not None:
            return possible
        if given.is_consistent(labels):
            break  # the numbers fit, but too many cells have an impossible number
        place = _contradicting(reduced, labels)
        reduced = reduced.excluding(place, int(labels[place]))
        _, labels = hill_climb(reduced, labels)
    return _with_unknowns(given)


def _contradicting(scorer: LabelScorer, labels: Labels) -> int:
    """The number or wrong flag that, added in order of certainty, first makes the labelling inconsistent."""
    own = float(scorer.fast_scores(labels[None])[0])
    changed, _, found = single_changes(scorer, labels, own - FAR)
    best = np.full(len(labels), own - FAR)  # score with the best other state of each cluster
    np.maximum.at(best, changed, found)
    says_safe = (NUMBER[labels] >= 0) | (labels == WRONG)
    places = [int(place) for place in np.argsort(best - own) if says_safe[place]]
    few, many = 0, len(places)
    while many - few > 1:
        middle = (few + many) // 2
        part = labels.copy()
        part[places[middle:]] = OTHER
        if scorer.is_consistent(part):
            few = middle
        else:
            many = middle
    return places[many - 1]


def _with_unknowns(scorer: LabelScorer) -> ScoredLabelling | None:
    """The best labelling in which clusters with a small lead are UNKNOWN.

    Used if none of the likely labellings is possible: something covers the board or moves.
    """
    labels, lead = scorer.scores.argmax(axis=1), scorer.scores.max(axis=1) - scorer.scores[:, OTHER]
    tried = (_checked(scorer, np.where(lead < least, OTHER, labels)) for least in DOUBTED)
    return next((each for each in tried if each is not None), None)
