"""Update a belief with a new frame.

The state of each cluster is scored by its appearance (the cell model), by the expected changes, and by the
rules. Whether the last moves ended the game is decided together with the states, because an ended game
shows other things than a running one.

Two additions. Links: noise or texture splits one number into several clusters, so a new cluster is
compared with the settled clusters of the same game; the ratio of the distances to the nearest and to the
next state counts, not the distance itself. Borders are ignored. Fresh boards: if all cells of an unknown
program show the same drawing on any background, the board is fresh; where covered and open cells mix, some
cell differs strongly from its nearest other cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import exp, log, log1p

import numpy as np
from numpy.typing import NDArray

from games.logic import bits, cell_set
from games.minesweeper import CLOSED, DIGITS, EXPLODED, HIDDEN, MINE, UNKNOWN, Board
from vision.cells.clusters import SIDE, Ids, Likelihoods, Signatures
from vision.cells.model import BLANK, CLASSES, NUMBER, most_likely
from vision.label.features import PRIORS, evidence, present_log_prior, unknown_penalty
from vision.label.picture import SETTLED, contradicts_model
from vision.label.scene import NO_CLUSTER, Scene, mask_impossible_numbers
from vision.label.scorer import NEVER
from vision.label.search import Hypothesis, Labellings, confidences, find_labellings, normalised
from vision.reading import BoardPrior
from vision.track.belief import Belief
from vision.track.transition import Expected, expected_states, log_probability_ended

RIM = 2  # places of a signature's side
# nats for one state of two clusters, against two: a constant, and the logarithm of how many times nearer they
# are to each other than to the next number. By 326 clusters of 1,000 drawn games of the training families, of
# which the model was less than 0.9 sure; of 93 that were five times nearer none had two states
NEARER = (-3.35, 4.19)
LOUDEST = 4.5  # nats that a link says at most: log of 93, more than those without an exception cannot say


def link_similar_clusters(
    scene: Scene, states: Mapping[int, str], likely: Likelihoods, signed: Signatures
) -> Scene:
    """The scene with links from what is not settled to its like.

    `states` are those of settled clusters; `likely` and `signed` have a line for each cluster that was met.
    """
    present = scene.present
    new = [place for place, cluster in enumerate(present) if cluster not in states]
    known = [place for place, cluster in enumerate(present) if states.get(cluster, UNKNOWN) in DIGITS[1:]]
    if not new or not known:
        return scene
    inner = without_rims(signed[present])
    shown = np.array([states[present[place]] for place in known])
    drawn = [place for place in new if most_likely(likely[present[place]]) != BLANK]
    links: dict[tuple[int, int], float] = {}
    for place in new:
        off = _apart(inner[known], inner[place])
        nearest = int(off.argmin())
        others = off[shown != shown[nearest]]
        if others.size:
            links[known[nearest], place] = _nats(off[nearest], others.min())
        alike = [other for other in drawn if other != place]
        if place in drawn and alike:
            between = _apart(inner[alike], inner[place])
            pair = sorted((alike[int(between.argmin())], place))
            links[pair[0], pair[1]] = _nats(between.min(), off[nearest])
    return replace(scene, links=tuple((one, other, nats) for (one, other), nats in links.items() if nats > 0))


def _nats(apart: float, next_apart: float) -> float:
    """What a link says of two that are so far apart, where the next number is so far from one of them."""
    return min(LOUDEST, NEARER[0] + NEARER[1] * log((next_apart + 1) / (apart + 1)))


def without_rims(signed: Signatures) -> NDArray[np.int16]:
    """(pictures, values): what is inside of the cells, colour by colour as in the signatures."""
    grid = signed.reshape(-1, SIDE, SIDE, 3)[:, RIM:-RIM, RIM:-RIM]
    return grid.reshape(len(grid), -1).astype(np.int16)


def _apart(inner: NDArray[np.int16], one: NDArray[np.int16]) -> NDArray[np.int16]:
    """How far pictures are from one of them where they differ most, in grey levels."""
    return np.asarray(np.abs(inner - one).max(axis=1))


# nats for a fresh board against one in mid-game that is as usual: a constant; for the largest step, the mean
# colours of cells taken away, beside the contrast inside of them; for the largest step in grey levels. By
# logistic regression on a fresh board and one in mid-game of 1,000 themes of the training families
FRESH = (9.40, -7.47, -0.094)
USUAL = log(19)  # nats; that a game begins with a fresh board, assumed of nineteen in twenty
FAINT = 8.0  # grey levels that are added to any contrast: what little noise makes is none


def looks_fresh(scene: Scene, signed: Signatures) -> bool:
    """Whether the first picture of a game shows a fresh board, so surely as a state is settled.

    `signed` has a line for each cluster that was met.
    """
    inner = without_rims(signed[scene.present]).astype(np.float32)
    colours = inner.reshape(len(inner), -1, 3)
    contrast = (colours.max(axis=1) - colours.min(axis=1)).max(axis=1)
    usual = float(np.average(contrast, weights=scene.counts)) + FAINT
    even = (colours - colours.mean(axis=1, keepdims=True)).reshape(len(inner), -1)
    nats = USUAL + FRESH[0] + FRESH[1] * _largest_step(even) / usual + FRESH[2] * _largest_step(inner)
    return 1.0 / (1.0 + exp(-nats)) >= SETTLED


def _largest_step(pictures: NDArray[np.float32]) -> float:
    """The longest of the shortest links that hang all pictures, (pictures, values), together."""
    apart = np.full(len(pictures), np.inf)
    is_out = np.ones(len(pictures), np.bool_)
    place, longest = 0, 0.0
    while True:
        is_out[place] = False
        if not is_out.any():
            return longest
        apart = np.minimum(apart, np.abs(pictures - pictures[place]).max(axis=1))
        place = int(np.where(is_out, apart, np.inf).argmin())
        longest = max(longest, float(apart[place]))


# probabilities at which a state is read: after an act (SETTLED before one, and for what stays); and for a
# number that the model alone is not LIKELY to see. By 250 drawn games of the training families: of 2,850
# numbers that it was likely to see none was wrong above SURE; of 694 others 15 below STRANGE, above it none
SURE = 0.999
STRANGE = 0.9999
LIKELY = 0.8
REFUSED = -7.5  # nats; what is less likely than that on a single cell is refused there
OTHERWISE = -9.0  # nats for a cluster to be another state than the one that was settled
DOUBTS = 48  # doubts that are looked into, each about a millisecond
PASSING = 3  # observations after an act in which an animation may still go on
BLANK_CHANGE = HIDDEN + "0"
PLACE = {state: place for place, state in enumerate(CLASSES)}


def update_belief(
    belief: Belief,
    rows: int,
    columns: int,
    ids: Ids,
    likelihoods: Likelihoods,
    signed: Signatures,
    judge: BoardPrior,
    mines: int | None,
) -> Belief:
    """The belief after one more picture, whose cells belong to the clusters `ids`.

    `likelihoods` are the model's, (clusters, classes); `mines` is the mine total when it is known.
    """
    before = belief.board or Board(rows, columns, UNKNOWN * (rows * columns))
    changed = _set_of(ids != belief.ids) if belief.ids is not None else before.everything
    belief = replace(belief, ids_now=ids, observed=belief.observed + 1)
    known = Scene(rows, columns, ids).board(belief.states, mines)
    doubted = _inconsistent_cells(before, known, changed, belief)
    alone = 0 if belief.spreads else belief.unread.lasting & ~changed
    alone = cell_set(k for k in bits(alone) if _looks_so(likelihoods[ids[k]], "0") > 0.5)
    scene = Scene(rows, columns, _without(ids, doubted), lasting=alone)
    if not known.unread and not doubted and belief.is_plain(changed):
        certain = Hypothesis({cluster: belief.states[cluster] for cluster in scene.present}, 1.0)
        return replace(belief, now=known, settled=belief.states, hypotheses=(certain,))
    if belief.board is None and scene.repeats:
        return _fresh(belief, scene, mines)
    scene = link_similar_clusters(scene, belief.states, likelihoods, signed)
    found = _labellings(belief, before, changed, scene, likelihoods, judge, mines)
    if (
        not found and judge.log_likelihood(before) is None
    ):  # what was settled is wrong: look at the picture alone
        found = _alone(scene, likelihoods, judge, mines)
    if belief.board is None and found:
        found = _of_single_picture(found, scene, likelihoods, judge, mines)
    hypotheses = normalised(found)
    settled = _settled(belief, before, changed, scene, hypotheses, likelihoods)
    now = mask_impossible_numbers(scene.board(settled, mines))
    if belief.board is None and now.unread and not now.open and looks_fresh(scene, signed):
        return _fresh(belief, scene, mines)
    if not found:  # nothing that can be: whatever changed is under something, or an animation
        kept = {k: before[k] for k in bits(before.everything & ~changed)}
        now = Board(rows, columns, UNKNOWN * len(ids), mines).with_states(kept)
        settled = dict(belief.states)
    return replace(belief, now=now, settled=settled, hypotheses=tuple(hypotheses))


def _fresh(belief: Belief, scene: Scene, mines: int | None) -> Belief:
    """The belief where all that is to be seen is covered."""
    covers = dict.fromkeys(scene.present, HIDDEN)
    certain = (Hypothesis(covers, 1.0),)
    return replace(belief, now=scene.board(covers, mines), settled=covers, hypotheses=certain)


def _labellings(
    belief: Belief,
    before: Board,
    changed: int,
    scene: Scene,
    likelihoods: Likelihoods,
    judge: BoardPrior,
    mines: int | None,
) -> Labellings:
    """Labellings with their nats, whether the game goes on or has ended."""
    likely = evidence(scene, likelihoods[scene.present])
    for place, cluster in enumerate(scene.present):
        if cluster in belief.states:
            likely[place] += np.where(
                np.arange(len(CLASSES)) == PLACE[belief.states[cluster]], 0.0, OTHERWISE
            )
    is_new = np.ones(len(scene.present) + 1, np.bool_)
    is_new[scene.places[[state != UNKNOWN for state in before.cells]]] = False
    likely += np.where(is_new[:-1, None], present_log_prior(scene), 0.0)
    likely[:, PLACE[UNKNOWN]] += np.where(is_new[:-1], 0.0, unknown_penalty(scene))
    if belief.is_stuck:
        _explain(likely, scene, belief.risked & (belief.now or before).unread)
    found: dict[tuple[tuple[int, str], ...], float] = {}
    _mark_exploded(likely, scene, belief)
    is_known = before.unread != before.everything
    ended = log_probability_ended(belief.acts)
    unread = replace(belief.unread, shut=_alone_in(belief.unread.shut, scene))
    for has_ended, prior in ((False, log1p(-exp(ended))), (True, ended)) if is_known else ((False, 0.0),):
        if belief.is_stuck and not has_ended:
            continue
        expected = expected_states(before, changed, belief.acts, has_ended, unread)
        weights = likely + _pooled(expected, scene)
        for weight, states in find_labellings(scene, weights, judge, mines, PRIORS, DOUBTS, has_ended):
            key = tuple(sorted(states.items()))
            found[key] = np.logaddexp(found.get(key, -np.inf), weight + prior)
    return [(weight, dict(key)) for key, weight in found.items()]


def _alone_in(cells: int, scene: Scene) -> int:
    """Those of the cells (a set) that look like no cell beside them."""
    outside = np.array([not cells >> k & 1 for k in range(len(scene.ids))])
    return cells & ~_set_of(np.isin(scene.ids, scene.ids[outside]))


def _pooled(expected: Expected, scene: Scene) -> NDArray[np.float64]:
    """What is expected of each cluster: of its cells on average, and what hardly any of them can be of each.

    How often a state is met is no evidence that adds up over cells which are known to be alike.
    """
    size = len(scene.present) + 1
    pooled = np.empty((size, len(CLASSES)))
    counts = np.maximum(1, np.bincount(scene.places, minlength=size))
    for column, each in enumerate(expected.T):
        refused = np.where(each < REFUSED, each, 0.0)
        mean = np.bincount(scene.places, each, size) / counts
        pooled[:, column] = np.minimum(mean, np.bincount(scene.places, refused, size))
    return pooled[:-1]


def _alone(scene: Scene, likelihoods: Likelihoods, judge: BoardPrior, mines: int | None) -> Labellings:
    """Labellings by what the picture shows alone."""
    weights = evidence(scene, likelihoods[scene.present]) + present_log_prior(scene)
    return find_labellings(scene, weights, judge, mines, PRIORS, DOUBTS)


def _of_single_picture(
    found: Labellings, scene: Scene, likelihoods: Likelihoods, judge: BoardPrior, mines: int | None
) -> Labellings:
    """The same where nothing is known: a labelling that is far from what is seen is not believed.

    Where no number is read cells are covered, or nothing of the game; covers may be drawn as nothing that the
    model has learned.
    """
    if set(found[0][1].values()) & set(DIGITS[1:]):
        weights = evidence(scene, likelihoods[scene.present])
        return [] if contradicts_model(scene, weights, found[0][1]) else found
    weights = evidence(scene, likelihoods[scene.present], strange=True) + present_log_prior(scene)
    weights[:, [state not in HIDDEN + UNKNOWN for state in CLASSES]] = NEVER
    return find_labellings(scene, weights, judge, mines, PRIORS)


def _mark_exploded(likely: NDArray[np.float64], scene: Scene, belief: Belief) -> None:
    """A mine that only cells show which were opened at a risk is the one that was hit, in any drawing."""
    risked = np.zeros(len(scene.ids), np.bool_)
    risked[list(bits(belief.risked))] = True
    elsewhere = np.zeros(len(scene.present) + 1, np.bool_)
    elsewhere[scene.places[~risked]] = True
    hit = ~elsewhere[:-1]
    likely[hit, PLACE[EXPLODED]] = np.logaddexp(likely[hit, PLACE[EXPLODED]], likely[hit, PLACE[MINE]])
    likely[hit, PLACE[MINE]] = -np.inf


def _explain(likely: NDArray[np.float64], scene: Scene, hit: int) -> None:
    """The program takes no more acts: a cell that was opened at a risk and shows no number is the mine."""
    for cluster in {int(scene.ids[k]) for k in bits(hit)} - {NO_CLUSTER}:
        row = likely[scene.present.index(cluster)]
        is_alone = int((scene.ids == cluster).sum()) == 1
        anything = np.logaddexp.reduce(row[NUMBER < 0])
        row[NUMBER < 0] = -np.inf
        row[PLACE[EXPLODED if is_alone else MINE]] = anything


def _inconsistent_cells(before: Board, known: Board, changed: int, belief: Belief) -> int:
    """Cells that cannot be what cells that look alike are elsewhere: under the pointer, pressed, in between.

    A hidden cell that is pressed may look just like an empty one, an empty one that is lit like a hidden one.
    """
    if belief.board is None:
        return 0
    doubted = cell_set(k for k in bits(changed & before.open) if known[k] not in (before[k], UNKNOWN))
    covered = known.cells_showing(HIDDEN) & ~changed
    zeros = (
        known.cells_showing("0") & changed & ~before.open & ~before.unread
        if belief.observed <= PASSING
        else 0
    )
    doubted |= cell_set(k for k in bits(zeros) if known.around[k] & covered)
    # the number of a cluster is still its number: where most of its cells had another one, it was drawn again
    for state in set(known.cells) & set(DIGITS):
        cells = known.cells_showing(state)
        if 2 * (cells & doubted).bit_count() > cells.bit_count():
            doubted &= ~cells
    return doubted


def _settled(
    belief: Belief,
    before: Board,
    changed: int,
    scene: Scene,
    hypotheses: list[Hypothesis],
    likelihoods: Likelihoods,
) -> Mapping[int, str]:
    """The states of all clusters that are known, those of earlier pictures among them.

    A number that the model takes for something else, so that only the rules say what it is, must have stayed
    since before the last acts, or for a while: in a cascade that is half drawn, empty cells beside covered
    ones are numbers by the rules. Where no number is known at all, empty cells go with any rules: what does
    not look empty is none of them.
    """
    found = dict(belief.states)
    opened = belief.acts.opened(before.around) & changed if belief.acts else 0
    pressed = {int(scene.ids[k]) for k in bits(opened)}
    is_early = bool(belief.acts) and belief.observed <= PASSING
    least = SURE if is_early else SETTLED
    stayed = {int(cluster) for cluster in belief.ids} if belief.ids is not None else set()
    for cluster, (state, sure) in confidences(hypotheses).items():
        is_new = cluster not in found
        is_passing = is_new and is_early and cluster not in stayed
        looks_so = _looks_so(likelihoods[cluster], state) if state in DIGITS else 1.0
        if (
            state == UNKNOWN
            or sure < (least if looks_so > LIKELY else STRANGE)
            or (is_new and state in CLOSED and cluster in pressed)
            or (is_passing and looks_so < 0.5)
        ):
            found.pop(cluster, None)
        else:
            found[cluster] = state
    if not set(found.values()) & set(DIGITS[1:]):
        strange = {c for c, state in found.items() if state == "0" and _looks_so(likelihoods[c], "0") < 0.5}
        found = {cluster: state for cluster, state in found.items() if cluster not in strange}
    return found


def _looks_so(likely: NDArray[np.float32], state: str) -> float:
    """How likely a picture by itself shows this (0 to 1). Covered and empty ones are alike here."""
    return float(
        np.exp(likely[[PLACE[each] for each in (BLANK_CHANGE if state in BLANK_CHANGE else state)]]).sum()
    )


def _set_of(cells: NDArray[np.bool_]) -> int:
    return cell_set(np.flatnonzero(cells).tolist())


def _without(ids: Ids, cells: int) -> Ids:
    if not cells:
        return ids
    left = ids.copy()
    left[list(bits(cells))] = NO_CLUSTER
    return left
