"""Update the belief about a board with one more picture.

The state of every cluster is weighed by appearance (the cell model), transitions (`expected_states`) and the
rules. Whether the game has ended is weighed along with them, because an ended game shows other states.

`link_similar_clusters`: noise or texture splits the cells of one sign (a number, flag or question mark) into
several clusters, above all if the model does not know the drawing. Cells of one game share size and theme, so
a cluster much nearer to one sign than to its rivals (`is_rival`) probably shows that sign. Rims are ignored,
because they depend on neighbouring cells. New clusters without a drawing are not linked to each other:
numbers may share a frame, so the distance of a blank says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log, log1p

import numpy as np
from numpy.typing import NDArray

from games.logic import bits, cell_set
from games.minesweeper import CLOSED, DIGITS, EXPLODED, FLAG, HIDDEN, MINE, QUESTION, UNKNOWN, Board
from vision.cells.clusters import Ids, Likelihoods, Signatures, without_rims
from vision.cells.model import BLANK, CLASSES, NUMBER, most_likely
from vision.label.fresh import shows_only_covers
from vision.label.picture import (
    LOG_CLASS_PRIORS,
    LOG_PRESENT,
    SETTLED,
    Rows,
    appearance_features,
    contradicts_model,
    prior_features,
    weighted_sum,
)
from vision.label.scene import NO_CLUSTER, Scene, connected_groups, mask_impossible_numbers
from vision.label.scorer import NEVER, Weights
from vision.label.search import Hypothesis, Labellings, confidences, find_labellings, normalised
from vision.params import GAME_WEIGHTS, SAME_NUMBER
from vision.params import STRANGE as STRANGE_DRAWING
from vision.reading import BoardPrior
from vision.track.belief import Belief, cells_where, changed_with
from vision.track.transition import Expected, expected_states, log_probability_ended, transition_kinds

SIGNS = DIGITS[1:] + FLAG + QUESTION  # states with a drawing that stays during a game
LOUDEST = 4.5  # nats; maximum evidence of a link: log 93, as none of 93 clusters with more had two states


def link_similar_clusters(
    scene: Scene, states: Mapping[int, str], likely: Likelihoods, signed: Signatures
) -> Scene:
    """The scene with its drawings, and with links from unsettled clusters to similar ones.

    `states` are those of settled clusters; `likely` and `signed` have one row per known cluster.
    """
    present = scene.present
    if not states:  # in a first picture, noise may divide the cells of a drawing
        return scene
    drawings = [place for place, cluster in enumerate(present) if most_likely(likely[cluster]) != BLANK]
    reached = set(scene.ids[scene.in_cascade[0]].tolist())
    drawn = tuple(place for place in drawings if present[place] in states or present[place] in reached)
    scene = replace(scene, drawn=drawn)
    new = [place for place, cluster in enumerate(present) if cluster not in states]
    known = [place for place, cluster in enumerate(present) if states.get(cluster, UNKNOWN) in SIGNS]
    if not new or not known:
        return scene
    inner = without_rims(signed[present])
    shown = np.array([states[present[place]] for place in known])
    strange = [place for place in new if place in drawings]
    links: dict[tuple[int, int], float] = {}
    for place in new:
        off = distances_from(inner[known], inner[place])
        nearest = int(off.argmin())
        others = off[is_rival(shown, nearest)]
        if others.size:
            links[known[nearest], place] = _nats(off[nearest], others.min())
        alike = [other for other in strange if other != place]
        if place in strange and alike:
            between = distances_from(inner[alike], inner[place])
            pair = sorted((alike[int(between.argmin())], place))
            links[pair[0], pair[1]] = _nats(between.min(), off[nearest])
    return replace(scene, links=tuple((one, other, nats) for (one, other), nats in links.items() if nats > 0))


def is_rival(shown: NDArray[np.str_], nearest: int) -> NDArray[np.bool_]:
    """Which of the known signs `shown` a cluster may show instead of the one at index `nearest`.

    A mark is far from all numbers, so it is no rival of a number.
    """
    others = shown != shown[nearest]
    return np.asarray(others & np.isin(shown, list(NUMBERS)) if shown[nearest] in NUMBERS else others)


def _nats(apart: float, next_apart: float) -> float:
    """Evidence of a link, nats, from its length and the distance to the next number, both grey levels."""
    return min(LOUDEST, SAME_NUMBER[0] + SAME_NUMBER[1] * contrast_of(apart, next_apart))


def contrast_of(apart: float, next_apart: float) -> float:
    """Log ratio of the distance to the next number and the length of a link, both grey levels."""
    return log((next_apart + 1) / (apart + 1))


def distances_from(inner: NDArray[np.int16], one: NDArray[np.int16]) -> NDArray[np.int16]:
    """Largest difference of each picture from `one`, grey levels."""
    return np.asarray(np.abs(inner - one).max(axis=1))


# probability required to read a number, or any state soon after a move. With SETTLED for numbers that look
# likely, 9 of 2,948 validation games had a certain move on a mine, and 8 stopped; with SURE, 5 and 4
SURE = 0.999
LIKELY = 0.8  # probability of an empty cell, by the model alone, below which it also needs SURE
REFUSED = -7.5  # nats; a state less likely than this on a single cell counts against its whole cluster
OTHERWISE = -9.0  # nats; log-probability that a cluster differs from its settled state
DOUBTS = 48  # doubtful labellings to check with the prior, about a millisecond each
PASSING = 3  # observations after a move during which an animation may continue
MIXED = 0.1  # share of the covers of a checkerboard that may look like covers on the other colour
NUMBERS = DIGITS[1:]
PLACE = {state: place for place, state in enumerate(CLASSES)}


@dataclass(frozen=True, eq=False)
class _Picture:
    """The scene of one picture, the model's likelihoods of all clusters, and what judges a labelling.

    `earlier` are likely states of each cluster before the last moves.
    """

    scene: Scene
    likelihoods: Likelihoods
    prior: BoardPrior
    mines: int | None
    earlier: Sequence[Mapping[int, str]]

    def evidence(self, strange: Mapping[str, float] | None = None) -> Weights:
        """Log-likelihoods of each cluster's states from its appearance, nats."""
        rows = appearance_features(self.scene, self.likelihoods[self.scene.present], strange=strange)
        return weighted_sum(rows, GAME_WEIGHTS)

    def expectation(self) -> Weights:
        """Log-probabilities of each cluster's states without its appearance, nats."""
        return weighted_sum(prior_features(self.scene, GAME_WEIGHTS), GAME_WEIGHTS)

    def labellings(self, scores: Weights, doubts: int = DOUBTS, has_ended: bool = False) -> Labellings:
        """Possible labellings, from the scores of each cluster's states."""
        return find_labellings(
            self.scene, scores, self.prior, self.mines, GAME_WEIGHTS, doubts, has_ended, self.earlier
        )


def cascade_cells(belief: Belief, before: Board, changed: int) -> tuple[int, int]:
    """The cell sets that certain moves and guesses may have opened without a click on them.

    The first one contains unread cells that earlier moves reached.
    """
    if belief.acts is None:
        return 0, 0
    opened = belief.acts.opened(before.around)
    reached = changed_with(opened, changed & ~before.open, before.around) & ~opened
    earlier = before.unread & (belief.unread.reached | belief.unread.lasting) & ~changed & ~opened
    return (reached | earlier, 0) if belief.acts.certain else (earlier, reached)


def update_belief(
    belief: Belief,
    rows: int,
    columns: int,
    ids: Ids,
    likelihoods: Likelihoods,
    signed: Signatures,
    prior: BoardPrior,
    mines: int | None,
) -> Belief:
    """The belief after one more picture, whose cells belong to the clusters `ids`.

    `likelihoods` are the model's, (clusters, classes); `mines` is the mine total, if known.
    """
    before = belief.board or Board(rows, columns, UNKNOWN * (rows * columns), variant=prior.variant)
    changed = cells_where(ids != belief.ids) if belief.ids is not None else before.everything
    stayed = cells_where(ids == belief.ids_now) if belief.observed >= PASSING else 0
    belief = replace(belief, ids_now=ids, observed=belief.observed + 1)
    known = Scene(rows, columns, ids, variant=prior.variant).board(belief.states, mines)
    doubted = _inconsistent_cells(before, known, changed, belief)
    doubted |= _blank_numbers(before, known, doubted, belief, prior)
    lasting = 0 if belief.spreads else belief.unread.lasting & ~changed
    lasting = cell_set(k for k in bits(lasting) if _looks_so(likelihoods[ids[k]], "0") > 0.5)
    cascade, guessed = cascade_cells(belief, before, changed)
    kept = ids.copy()
    kept[list(bits(doubted))] = NO_CLUSTER
    scene = Scene(
        rows, columns, kept, lasting=lasting, cascade=cascade, guessed=guessed, variant=prior.variant
    )
    if not known.unread and not doubted and belief.is_plain(changed):
        certain = Hypothesis({cluster: belief.states[cluster] for cluster in scene.present}, 1.0)
        return replace(belief, now=known, settled=belief.states, hypotheses=(certain,))
    if belief.board is None and scene.repeats:
        return _fresh(belief, scene, mines)
    scene = link_similar_clusters(scene, belief.states, likelihoods, signed)
    picture = _Picture(scene, likelihoods, prior, mines, belief.likely)
    found = _labellings(belief, before, changed, stayed, picture)
    if not found and prior.log_likelihood(before) is None:  # settled states are wrong: read the picture alone
        found = picture.labellings(picture.evidence() + picture.expectation())
    if belief.board is None and found:
        found = _of_single_picture(found, picture)
    hypotheses = normalised(found)
    settled = _settled(belief, before, changed, picture, hypotheses)
    now = mask_impossible_numbers(scene.board(settled, mines))
    if belief.board is None and now.unread and not now.open and shows_only_covers(scene, signed, SETTLED):
        return _fresh(belief, scene, mines)
    if not found:  # no labelling is possible, so the changed cells are covered or animated
        same = {k: before[k] for k in bits(before.everything & ~changed)}
        now = Board(rows, columns, UNKNOWN * len(ids), mines, prior.variant).with_states(same)
        settled = dict(belief.states)
    return replace(belief, now=now, settled=settled, hypotheses=tuple(hypotheses))


def _fresh(belief: Belief, scene: Scene, mines: int | None) -> Belief:
    """The belief that all visible cells are hidden."""
    covers = dict.fromkeys(scene.present, HIDDEN)
    certain = (Hypothesis(covers, 1.0),)
    return replace(belief, now=scene.board(covers, mines), settled=covers, hypotheses=certain)


def _labellings(belief: Belief, before: Board, changed: int, stayed: int, picture: _Picture) -> Labellings:
    """Labellings with their scores, for both a running and an ended game.

    A program that ends a game flags the last mines or shows them; none does both. In a running game, covers
    that no move reaches change in few regions.
    """
    acts, scene = belief.acts, picture.scene
    new = changed & before.closed & ~acts.having("flag") if acts and acts.moves else 0
    elsewhere = new & ~acts.opened(before.around) & ~scene.cascade & ~scene.guessed if acts else 0
    running = replace(picture, scene=replace(scene, elsewhere=elsewhere)) if elsewhere else picture
    likely = weighted_sum(cluster_rows(before, scene, picture.likelihoods), GAME_WEIGHTS)
    ends = scores_by_end(belief, before, changed, stayed, scene, likely, picture.mines)
    found: dict[tuple[tuple[int, str], ...], float] = {}
    for has_ended, share, scores in ends:
        some = (picture if has_ended else running).labellings(scores, has_ended=has_ended)
        if has_ended and some and _shows_both(scene.board(some[0][1]), new):
            separate = (_excluding(scores, scene, new, states) for states in (FLAG, MINE + EXPLODED))
            some = [
                (weight - log(2), states)
                for each in separate
                for weight, states in picture.labellings(each, has_ended=True)
            ]
        for weight, states in some:
            key = tuple(sorted(states.items()))
            found[key] = np.logaddexp(found.get(key, -np.inf), weight + share)
    return [(weight, dict(key)) for key, weight in found.items()]


def _shows_both(board: Board, new: int) -> bool:
    """Whether some of these cells are flags and others mines."""
    return all(board.cells_showing(state) & new for state in (FLAG, MINE))


def _excluding(scores: Weights, scene: Scene, cells: int, states: str) -> Weights:
    """The scores without these states for the clusters of these cells."""
    is_among = np.isin(scene.present, scene.ids[list(bits(cells))])
    columns = np.isin(CLASSES, list(states))
    return np.where(is_among[:, None] & columns, NEVER, scores)


def cluster_rows(before: Board, scene: Scene, likelihoods: Likelihoods) -> Rows:
    """The features of each cluster in each state, without the history of the game.

    The model errs alike on clusters with one drawing, so linked clusters together say as much about their
    number as one picture.
    """
    rows = appearance_features(scene, likelihoods[scene.present])
    alike = np.ones((len(scene.present), 1))
    for group in connected_groups(scene.links):
        alike[list(group)] = len(group)
    numbers = rows["model"][:, NUMBER > 0]
    total = np.logaddexp.reduce(numbers, axis=1, keepdims=True)
    shared = (numbers - total) / alike
    rows["model"][:, NUMBER > 0] = shared - np.logaddexp.reduce(shared, axis=1, keepdims=True) + total
    rows |= prior_features(scene, GAME_WEIGHTS)
    is_new = np.ones(len(scene.present) + 1, np.bool_)
    is_new[scene.places[[state != UNKNOWN for state in before.cells]]] = False
    rows["present"] = rows["present"] * is_new[:-1, None]  # the transition says it of known cells
    return rows


def scores_by_end(
    belief: Belief, before: Board, changed: int, stayed: int, scene: Scene, likely: Weights, mines: int | None
) -> Iterator[tuple[bool, float, Weights]]:
    """Whether the game has ended, the log-probability of that, and the scores of each cluster's states.

    `likely` is the weighted sum of `cluster_rows`; the scores add the history of the game.
    """
    likely = likely.copy()
    for place, cluster in enumerate(scene.present):
        if cluster in belief.states:
            is_settled = np.arange(len(CLASSES)) == PLACE[belief.states[cluster]]
            likely[place] += np.where(is_settled, 0.0, OTHERWISE)
    if belief.is_stuck:
        _explain(likely, scene, belief.risked & (belief.now or before).unread)
    _mark_exploded(likely, scene, belief)
    is_known = before.unread != before.everything
    ended = log_probability_ended(before, changed, belief.acts, mines)
    # a cell stays shut only if its cluster occurs nowhere else
    is_outside = np.isin(np.arange(len(scene.ids)), list(bits(belief.unread.shut)), invert=True)
    shut = belief.unread.shut & ~cells_where(np.isin(scene.ids, scene.ids[is_outside]))
    unread = replace(belief.unread, shut=shut)
    for has_ended, share in ((False, log1p(-exp(ended))), (True, ended)) if is_known else ((False, 0.0),):
        if not belief.is_stuck or has_ended:
            kinds = transition_kinds(before, changed, belief.acts, has_ended, unread, stayed)
            yield has_ended, share, likely + _pooled(expected_states(kinds), scene)


def _pooled(expected: Expected, scene: Scene) -> NDArray[np.float64]:
    """Transition log-probabilities of each cluster, pooled over its cells.

    The mean over the cells, not their sum: cells that are known to look alike are not independent evidence.
    If lower, the sum over the cells on which the state is REFUSED.
    """
    size = len(scene.present) + 1
    pooled = np.empty((size, len(CLASSES)))
    counts = np.maximum(1, np.bincount(scene.places, minlength=size))
    for column, each in enumerate(expected.T):
        refused = np.where(each < REFUSED, each, 0.0)
        mean = np.bincount(scene.places, each, size) / counts
        pooled[:, column] = np.minimum(mean, np.bincount(scene.places, refused, size))
    return pooled[:-1]


def _of_single_picture(found: Labellings, picture: _Picture) -> Labellings:
    """Labellings of a first picture; none if they contradict the cell model.

    If the best one has no number, all cells are hidden or unknown, and covers may have a drawing that the
    model does not know.
    """
    if set(found[0][1].values()) & set(NUMBERS):
        return [] if contradicts_model(picture.scene, picture.evidence(), found[0][1]) else found
    scores = picture.evidence(STRANGE_DRAWING) + picture.expectation()
    scores[:, [state not in HIDDEN + UNKNOWN for state in CLASSES]] = NEVER
    return picture.labellings(scores, doubts=0)


def _mark_exploded(likely: NDArray[np.float64], scene: Scene, belief: Belief) -> None:
    """Turn a mine whose drawing occurs only on cells opened at a risk into the exploded one (in place)."""
    risked = np.zeros(len(scene.ids), np.bool_)
    risked[list(bits(belief.risked))] = True
    hit = ~np.isin(scene.present, scene.ids[~risked])
    likely[hit, PLACE[EXPLODED]] = np.logaddexp(likely[hit, PLACE[EXPLODED]], likely[hit, PLACE[MINE]])
    likely[hit, PLACE[MINE]] = NEVER


def _explain(likely: NDArray[np.float64], scene: Scene, hit: int) -> None:
    """Make the clusters of the cells `hit` mines (in place); only numbers remain possible as well.

    The program ignores moves, so the cells opened at a risk without a number explain the end of the game.
    """
    for cluster in {int(scene.ids[k]) for k in bits(hit)} - {NO_CLUSTER}:
        row = likely[scene.present.index(cluster)]
        is_alone = int((scene.ids == cluster).sum()) == 1
        anything = np.logaddexp.reduce(row[NUMBER < 0])
        row[NUMBER < 0] = NEVER
        row[PLACE[EXPLODED if is_alone else MINE]] = anything


def _inconsistent_cells(before: Board, known: Board, changed: int, belief: Belief) -> int:
    """Cells that look like a cluster but cannot have its state: highlighted, pressed, or in an animation.

    A pressed hidden cell may look like an empty one, a highlighted empty cell like a hidden one.
    """
    if belief.board is None:
        return 0
    doubted = cell_set(k for k in bits(changed & before.open) if known[k] not in (before[k], UNKNOWN))
    doubted |= _in_the_other_shade(before, known, changed, belief)
    covered = known.cells_showing(HIDDEN) & ~changed
    zeros = known.cells_showing("0") & changed & ~before.open & ~before.unread
    if belief.observed <= PASSING:
        doubted |= cell_set(k for k in bits(zeros) if known.around[k] & covered)
    # if most cells with one number are doubted, the theme has changed, and the number is right
    for state in set(known.cells) & set(DIGITS):
        cells = known.cells_showing(state)
        if 2 * (cells & doubted).bit_count() > cells.bit_count():
            doubted &= ~cells
    return doubted


def _in_the_other_shade(before: Board, known: Board, changed: int, belief: Belief) -> int:
    """Cells that changed with an opened one and look like covers on the other colour of a checkerboard.

    They are probably empty, because all covers with this look are on the other colour. If most covers look
    alike on both colours, the board is no checkerboard.
    """
    assert belief.ids is not None
    assert belief.ids_now is not None
    opened = belief.acts.opened(before.around) if belief.acts else 0
    reached = before.closed & changed_with(opened, changed & ~before.open, before.around)
    reached |= before.unread & belief.unread.reached
    hidden = list(bits(before.cells_showing(HIDDEN)))
    covers: dict[int, set[int]] = {}  # the colours on which each cluster of covers lies
    for k in hidden:
        covers.setdefault(int(belief.ids[k]), set()).add(sum(divmod(k, before.columns)) % 2)
    if sum(len(covers[int(belief.ids[k])]) > 1 for k in hidden) > MIXED * len(hidden):
        return 0
    return cell_set(
        k
        for k in bits(reached & known.cells_showing(HIDDEN))
        if covers.get(int(belief.ids_now[k])) == {1 - sum(divmod(k, before.columns)) % 2}
    )


def _blank_numbers(before: Board, known: Board, doubted: int, belief: Belief, prior: BoardPrior) -> int:
    """Cells that look empty in an impossible board, because their numbers are still being drawn.

    Only while a person plays: a program may draw an opening in several steps.
    """
    if belief.board is None or belief.acts is None or belief.acts.moves:
        return 0
    rest = known.with_states(dict.fromkeys(bits(doubted), UNKNOWN))
    blank = rest.unfinished_zeros & ~before.open
    return blank if blank and prior.log_likelihood(rest) is None else 0


def _settled(
    belief: Belief, before: Board, changed: int, picture: _Picture, hypotheses: list[Hypothesis]
) -> Mapping[int, str]:
    """The states of all settled clusters, of this picture and earlier ones.

    Certain moves depend on numbers, so they need SURE. A number that the rules suggest against the model must
    have been visible before the last moves, or for some observations since: in a half-drawn cascade, the
    rules turn empty cells next to hidden ones into numbers. If no number is known at all, the rules cannot
    refute empty cells, so clusters that do not look empty are not settled as empty.
    """
    found, likelihoods = dict(belief.states), picture.likelihoods
    opened = belief.acts.opened(before.around) & changed if belief.acts else 0
    pressed = {int(picture.scene.ids[k]) for k in bits(opened)}
    is_early = bool(belief.acts) and belief.observed <= PASSING
    stayed = {int(cluster) for cluster in belief.ids} if belief.ids is not None else set()
    for cluster, (state, sure) in confidences(hypotheses).items():
        is_new = cluster not in found
        is_passing = is_new and is_early and cluster not in stayed
        looks_so = _looks_so(likelihoods[cluster], state) if state in DIGITS else 1.0
        if (
            state == UNKNOWN
            or sure < (SURE if state in NUMBERS or looks_so < LIKELY or is_early else SETTLED)
            or (is_new and state in CLOSED and cluster in pressed)
            or (is_passing and looks_so < 0.5)
        ):
            found.pop(cluster, None)
        else:
            found[cluster] = state
    if not set(found.values()) & set(NUMBERS):
        strange = {c for c, state in found.items() if state == "0" and _looks_so(likelihoods[c], "0") < 0.5}
        found = {cluster: state for cluster, state in found.items() if cluster not in strange}
    return found


def _looks_so(likely: NDArray[np.float32], state: str) -> float:
    """Probability (0 to 1) by the cell model alone that a cell of a board has this state.

    Hidden and empty count as one state. The states have their shares on boards, where unknown drawings are
    rare, instead of those of the training.
    """
    shares = np.exp(likely - LOG_CLASS_PRIORS + LOG_PRESENT)
    states = [PLACE[each] for each in (HIDDEN + "0" if state in (HIDDEN, "0") else state)]
    return float(shares[states].sum() / shares.sum())
