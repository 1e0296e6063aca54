"""Read a single picture of a board without game history.

Clusters of cells are labelled with the most likely consistent states (`search`), and the reading is accepted
only if it contradicts neither the cell model nor the probability that there is a board at all (`is_board`).

The features of single clusters are model likelihoods, the ground of blanks (digits are drawn on open ground,
so a blank on the same ground is open), and the frequency of marks. Their weights for pictures are fitted on
drawn pictures, those for games on drawn games (`vision.params.WEIGHTS`, GAME_WEIGHTS).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import exp, inf, lgamma, log, log1p
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.minesweeper import DIGITS, EXPLODED, FLAG, HIDDEN, MINE, MINES_SHOWN, UNKNOWN, WRONG_FLAG, Board
from games.minesweeper.variants import PLAIN
from vision.cells.clusters import RIM, SIDE, CellClassifier, ClusterStore, Ids, Likelihoods, Signatures
from vision.cells.model import CLASSES, NUMBER, NUMBERS
from vision.frame import Frame
from vision.label.fresh import are_alike
from vision.label.scene import (
    IS_MARK,
    IS_SIGN,
    Scene,
    blanks_apart,
    connected_groups,
    hierarchical_groups,
    mask_impossible_numbers,
    merge_clusters,
)
from vision.label.scorer import COVER, HIT, INTACT, MARKED, OTHER, ZERO, CachedPrior, Weights
from vision.label.search import Labellings, confidences, find_labellings, normalised
from vision.lattice import Lattice
from vision.params import BOARD, BOARD_CONSTANT, CLASS_PRIORS, GROUND, PRESENT, RAREST, STRANGE, WEIGHTS
from vision.reading import BoardPrior, Reading

Rows = dict[str, Weights]  # a term per cluster and state, by its name in WEIGHTS

# probability required to read a state (soon after a move: SURE in vision.track.update); set by hand: an
# unread cell costs an observation, a misread one can cost the game
SETTLED = 0.99
OVER = 0.95  # the same for other mines if one is shown, set by hand: no move depends on them
# nats; total by which clusters may look more like other states than their labels. On 1,600 drawn validation
# boards, 10 reads 0.4 % more right than 8, and none more wrongly; 12 reads more of both
MISLED = 10.0
# fraction of cells; if more stay unread, the whole picture does. On 2,700 drawn validation boards, 0.4 reads
# 1.0 % fewer cells right and 0.04 % fewer wrong, 0.7 reads 0.4 % more right and 0.02 % more wrong
UNREAD = 0.5
# the same for a place with a probability below BELIEVED: otherwise, two of 20,000 pictures without a board
# would be accepted
UNREAD_IN_DOUBT = 0.4
# nats per empty cell beyond the first on a board without numbers or unread cells: none of its eight
# neighbours is a mine, at the odds that the prior assumes for an unknown mine total
ALONE = -8 * log1p(0.22)
SHARES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6)  # tried shares of mines
MOST = 8.0  # nats; maximum evidence of one cell or one cluster of numbers
LEAST = 1e-6  # probability used instead of 0
BELIEVED = 0.7  # minimum probability of a board: clicks on something else are worse than a refusal
FLAGGED = 0.8  # probability of a flag against a question mark, by the model alone, to read a flag
NUMBER_STATES = 0.5  # probability above which a cluster counts as a number here
# limits of the bins of ground distance
STEPS = (0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0, 11.0, 16.0, 32.0)
COLOURED = 12.0  # grey levels; if the grounds of numbers differ by more, they carry no information
NOISE = 2.0  # grey levels; difference of equal grounds in any picture

LOG_CLASS_PRIORS = np.log([CLASS_PRIORS[state] for state in CLASSES])
LOG_PRESENT = np.array([0.0 if state in DIGITS else max(RAREST, PRESENT[state]) for state in CLASSES])

_inside = np.zeros((SIDE, SIDE), np.bool_)
_inside[RIM:-RIM, RIM:-RIM] = True
_RIM = np.flatnonzero(np.repeat(~_inside.ravel(), 3))


def read_picture(
    frame: Frame, lattice: Lattice, prior: BoardPrior, model: CellClassifier, located: float = 1.0
) -> Reading:
    """Read every cell from the model, cells that look alike and the rules of the game.

    Cells below probability SETTLED (for mines OVER) are UNKNOWN. `located` is the probability that
    the lattice is a board; if the content makes that unlikely, all cells are UNKNOWN. Raises BoardUnplayable
    if the board reaches beyond the frame.
    """
    seen = cluster_picture(frame, lattice, model, prior.variant)
    scores, judge = weighted_sum(seen.rows()), CachedPrior(prior)
    labellings = _labellings(seen, judge, scores)
    reading = _reading(seen, prior, scores, labellings, located)
    found = confidences(normalised(labellings))
    empty = [cluster for cluster, (state, sure) in found.items() if state == "0" and sure >= SETTLED]
    plain = seen.on_plain_ground(empty) if empty else seen
    if np.array_equal(plain.likely, seen.likely):
        return reading
    scores = weighted_sum(plain.rows())
    again = _reading(plain, prior, scores, _labellings(plain, judge, scores), located)
    return again if again.board.unread != again.board.everything else reading


def read_clusters(
    seen: PictureClusters, prior: CachedPrior, rows: Rows, weights: Mapping[str, float]
) -> Reading:
    """Read a picture whose clusters are known, from these features and their weights (for training)."""
    scores = weighted_sum(rows, weights)
    return _reading(seen, prior, scores, _labellings(seen, prior, scores, weights), 1.0)


def _labellings(
    seen: PictureClusters, judge: CachedPrior, scores: Weights, weights: Mapping[str, float] = WEIGHTS
) -> Labellings:
    return find_labellings(seen.scene, scores, judge, weights={**weights, "numberless": ALONE})


def _reading(
    seen: PictureClusters, prior: BoardPrior, scores: Weights, labellings: Labellings, located: float
) -> Reading:
    """The reading that follows from the labellings of a picture."""
    scene = seen.scene
    found = confidences(normalised(labellings))
    is_flag = dict(zip(scene.present, _is_flag(seen.likely).tolist(), strict=True))
    is_over = any(sure >= SETTLED and state in (MINE, EXPLODED) for state, sure in found.values())
    excluded = {UNKNOWN} if is_over else {UNKNOWN, WRONG_FLAG}  # programs show wrong flags with mines
    settled = {
        cluster: state
        for cluster, (state, sure) in found.items()
        if sure >= (OVER if is_over and state in MINES_SHOWN else SETTLED)
        and state not in excluded
        and (state != FLAG or is_flag[cluster])
    }
    most = (UNREAD if located >= BELIEVED else UNREAD_IN_DOUBT) * len(scene.ids)  # unread cells
    if scene.repeats or not any(state in DIGITS[1:] for state in settled.values()):
        # without a number this may not be a game, and drawings on cells may be anything
        settled = {cluster: state for cluster, state in settled.items() if state == HIDDEN}
        shows_number = np.isin(seen.likely.argmax(axis=1), NUMBERS).any()
        if located >= BELIEVED and not shows_number and are_alike(scene, seen.signed):
            found = dict.fromkeys(scene.present, (HIDDEN, located))
            settled = dict.fromkeys(scene.present, HIDDEN)
    elif contradicts_model(scene, scores, labellings[0][1]) or scene.board(settled).unread.bit_count() > most:
        settled = {}
    elif located < 1.0:  # otherwise the caller knows that it is a board
        states = labellings[0][1]
        is_likely = is_board(scene, seen.likely, states, located)
        settled = settled if is_likely and has_random_mines(scene.board(states), prior) else {}
    board = mask_impossible_numbers(scene.board(settled))
    sure = [
        found[int(i)][1] if state != UNKNOWN else 0.0 for i, state in zip(scene.ids, board.cells, strict=True)
    ]
    return Reading(board, np.array(sure, np.float32).reshape(scene.rows, scene.columns), board.unread)


def _is_flag(likely: Likelihoods) -> NDArray[np.bool_]:
    """Whether clusters look more like a flag than like a question mark: the rules treat both alike."""
    flag, question = likely[:, IS_MARK].T.astype(np.float64)
    return np.asarray(flag - question > log(FLAGGED / (1 - FLAGGED)))


def contradicts_model(scene: Scene, scores: Weights, states: Mapping[int, str]) -> bool:
    """Whether clusters must have states that contradict their appearance too much.

    If the correct labelling is far behind or impossible, the nearest consistent one is wrong. Linked clusters
    with the same state count once. A plain cover looks like an empty cell of another colour, so that only the
    rules tell them apart.
    """
    labels = np.array([CLASSES.index(states[cluster]) for cluster in scene.present])
    own = scores[np.arange(len(labels)), labels]
    own = np.where(labels == COVER, np.maximum(own, scores[:, ZERO]), own)
    lost = scores.max(axis=1) - own
    lost[labels == OTHER] = 0.0
    return scene.sum_once(labels, lost) > MISLED


def is_board(scene: Scene, likely: Likelihoods, states: Mapping[int, str], located: float) -> bool:
    """Whether a grid is probably a board. `located`: its probability according to `vision.locate`."""
    known = board_features(scene, likely, states, located)
    nats = BOARD_CONSTANT + sum(BOARD[name] * value for name, value in known.items())
    return 1.0 / (1.0 + exp(-nats)) >= BELIEVED


def has_random_mines(board: Board, prior: BoardPrior) -> bool:
    """Whether random mines explain the numbers better than independent draws, as in a table or a page.

    The number of mines is chosen to fit. The frequencies of the draws are unknown (Krichevsky and Trofimov,
    1981). Of 7,800 random boards, all pass.
    """
    totals = (None, *(max(1, round(share * len(board))) for share in SHARES))
    by_mines = [prior.log_likelihood(replace(board, mines=mines)) for mines in totals]
    counts = [board.cells.count(digit) for digit in DIGITS]
    drawn = lgamma(len(counts) / 2) - lgamma(len(counts) / 2 + sum(counts))
    drawn += sum(lgamma(0.5 + count) - lgamma(0.5) for count in counts)
    return max((nats for nats in by_mines if nats is not None), default=-inf) >= drawn


def board_features(
    scene: Scene, likely: Likelihoods, states: Mapping[int, str], located: float
) -> dict[str, float]:
    """Evidence for a board, by name in BOARD. `likely` is (clusters, classes), nats, from the model."""
    labels = np.array([CLASSES.index(states[cluster]) for cluster in scene.present])
    seen = likely.astype(np.float64) - LOG_CLASS_PRIORS
    seen[:, [COVER, ZERO]] = (np.logaddexp(seen[:, COVER], seen[:, ZERO]) - log(2))[:, None]
    # nats by which each cluster looks more like its state than like UNKNOWN
    gains = seen[np.arange(len(labels)), labels] - seen[:, OTHER]
    capped = np.clip(gains, -MOST, MOST) * (labels != OTHER)
    numbers = np.isin(labels, NUMBERS)
    odds = (located + LEAST) / (1.0 - located + LEAST)
    return {
        "located": log(odds),
        "looks": float(capped @ scene.counts / len(scene.ids)),
        "strange": log(1.0 + scene.sum_once(labels, np.where(labels != OTHER, -gains, 0.0))),
        "numbers": float(capped[numbers].mean()) if numbers.any() else 0.0,
    }


@dataclass(frozen=True, eq=False)
class PictureClusters:
    """Clusters of a picture with the model's log-probabilities, (clusters present, classes), and signatures.

    `unlike` is the result of `ground_distance`; `ids` is each cell's cluster in `store`, before merging.
    """

    scene: Scene
    likely: Likelihoods
    signed: Signatures
    unlike: NDArray[np.float64]
    store: ClusterStore
    ids: Ids

    def rows(self, ground: Sequence[float] = GROUND, strange: Mapping[str, float] = STRANGE) -> Rows:
        """All features of each cluster in each state."""
        appearance = appearance_features(self.scene, self.likely, self.unlike, ground, strange)
        return appearance | prior_features(self.scene, WEIGHTS)

    def on_plain_ground(self, empty: Sequence[int]) -> PictureClusters:
        """The clusters, classified without the ground of the `empty` ones."""
        known = self.ids[np.isin(self.scene.ids, empty)].tolist()
        likely = self.store.likelihoods(known)
        parts = [likely[np.unique(self.ids[self.scene.ids == each])] for each in self.scene.present]
        return replace(self, likely=np.stack([rows.mean(axis=0) for rows in parts]))


def cluster_picture(
    frame: Frame, lattice: Lattice, model: CellClassifier, variant: str = PLAIN
) -> PictureClusters:
    """The clusters of one picture of a board with these rules.

    Raises BoardUnplayable if the board reaches beyond the frame.
    """
    store = ClusterStore(model)
    ids = store.assign(frame, lattice)
    joined = merge_clusters(ids, store.likelihoods(), store.signed(), 1 / lattice.pitch)
    kin = tuple(dict.fromkeys(hierarchical_groups(joined.signed) + connected_groups(joined.links)))
    apart = blanks_apart(joined.likely, joined.signed, 1 / lattice.pitch)
    scene = Scene(lattice.rows, lattice.columns, joined.ids, kin, joined.links, apart, variant=variant)
    unlike = ground_distance(joined.signed, joined.likely)
    return PictureClusters(scene, joined.likely, joined.signed, unlike, store, ids)


def ground_distance(signed: Signatures, likely: Likelihoods) -> NDArray[np.float64]:
    """Distance of each cluster's ground from open ground, relative to the distances between numbers.

    `signed` and `likely` have one row per cluster. NaN if no other cluster looks like a number, or if each
    number has a ground of its own.
    """
    rims = signed[:, _RIM].astype(np.float32)
    numbers = np.exp(likely[:, NUMBER > 0].astype(np.float64))
    places = np.flatnonzero(numbers.max(axis=1, initial=0.0) > NUMBER_STATES)
    if not places.size:
        return np.full(len(signed), np.nan)
    off = np.stack([np.abs(rims - rims[k]).mean(axis=1) for k in places], axis=1).astype(np.float64)
    off[places, np.arange(len(places))] = np.inf
    shown = numbers[places].argmax(axis=1)
    others = np.where(shown[:, None] == shown, np.inf, off[places]).min(axis=1)
    usual = float(np.median(others[np.isfinite(others)])) if np.isfinite(others).any() else 0.0
    if usual > COLOURED:  # each number has a ground of its own colour
        return np.full(len(signed), np.nan)
    nearest = off.min(axis=1)
    return np.where(np.isfinite(nearest), nearest / (usual + NOISE), np.nan)


def ground_bin(unlike: NDArray[np.float64]) -> NDArray[np.intp]:
    """The bin of each distance in STEPS, from 0; len(STEPS) + 1 for NaN."""
    return np.where(np.isnan(unlike), len(STEPS) + 1, np.searchsorted(STEPS, np.nan_to_num(unlike)))


def appearance_features(
    scene: Scene,
    likely: Likelihoods,
    unlike: NDArray[np.float64] | None = None,
    ground: Sequence[float] = GROUND,
    strange: Mapping[str, float] | None = None,
) -> Rows:
    """Evidence of the clusters' pictures for each state. `likely` is (clusters, classes), from the model.

    `unlike` is the result of `ground_distance`. If several cells look like an exploded mine, the program
    draws all its mines that way, and appearance does not show which one exploded. With `strange`, nats, marks
    and covers may have a drawing unknown to the model, which then predicts some other state.
    """
    seen = likely.astype(np.float64) - LOG_CLASS_PRIORS
    hits = likely.argmax(axis=1) == HIT
    if scene.counts[hits].sum() > 1:
        seen[hits, INTACT] = seen[hits, HIT]
    if strange is not None:
        other, drawn = seen[:, OTHER] + strange["other"], seen[:, ZERO + 1 :].max(axis=1) + strange["drawn"]
        seen[:, IS_SIGN] = np.logaddexp(seen[:, IS_SIGN], np.logaddexp(other, drawn)[:, None])
        seen[:, COVER] = np.logaddexp(seen[:, COVER], other)
    blank = np.logaddexp(seen[:, COVER], seen[:, ZERO]) - log(2)
    is_empty = seen[:, ZERO] - seen[:, COVER]
    seen[:, [COVER, ZERO]] = blank[:, None]
    rows = {"model": seen, "empty": _either(is_empty)}
    if unlike is not None:
        rows["ground"] = _either(np.array([*ground, 0.0])[ground_bin(unlike)])
    return rows


def _either(is_empty: NDArray[np.float64]) -> Weights:
    """Split log-odds of empty against hidden, nats, into terms for both states."""
    said = np.zeros((len(is_empty), len(CLASSES)))
    said[:, ZERO] = log(2) - np.logaddexp(0, -is_empty)
    said[:, COVER] = log(2) - np.logaddexp(0, is_empty)
    return said


def prior_features(scene: Scene, weights: Mapping[str, float]) -> Rows:
    """Evidence for each cluster's state before appearance; only the terms in `weights`.

    Neither marks nor foreign objects (a message, a pointer) look the same all over a board.
    """
    return {name: term(scene) for name, term in PRIOR_TERMS.items() if name in weights}


def _column(scene: Scene, columns: Sequence[int], values: float | NDArray[Any]) -> Weights:
    """A term that is `values`, one per cluster, in these columns and 0 elsewhere."""
    found = np.zeros((len(scene.present), len(CLASSES)))
    found.T[list(columns)] = values
    return found


def _marks(scene: Scene, state: int) -> Weights:
    return _column(scene, [state], 1 / np.bincount(scene.groups)[scene.groups])


def _share(scene: Scene) -> NDArray[np.float64]:
    """Fraction of the board's cells in each cluster."""
    return np.asarray(scene.counts / max(1, len(scene.ids)))


def _filled(scene: Scene) -> Weights:
    """How much of the board beyond a third a mark fills, for each of its linked clusters.

    A lost board may show mines on nine tenths.
    """
    share = np.bincount(scene.groups, _share(scene))[scene.groups]
    found = _column(scene, MARKED, np.clip(3 * share - 1, 0.0, 1.0))
    found[:, INTACT] = np.clip(10 * share - 9, 0.0, 1.0)
    return found


PRIOR_TERMS: Mapping[str, Callable[[Scene], Weights]] = {
    **{f"mark {CLASSES[state]}": partial(_marks, state=state) for state in MARKED},
    "filled": _filled,
    "pieces": lambda scene: _column(scene, [OTHER], scene.pieces - 1),
    # log-probability that each state occurs on a board; the board prior knows the numbers
    "present": lambda scene: np.tile(LOG_PRESENT, (len(scene.present), 1)),
    "half filled": lambda scene: _column(scene, [OTHER], np.minimum(1.0, 2 * _share(scene))),
}


def weighted_sum(rows: Rows, weights: Mapping[str, float] = WEIGHTS) -> Weights:
    """Sum of the features times their weights."""
    return np.asarray(sum(weights[name] * row for name, row in rows.items()))
