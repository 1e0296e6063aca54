"""Read a single picture of a board, without any history.

Clusters the cells, finds the likeliest labellings, and decides whether the result looks like a board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, log1p

import numpy as np
from numpy.typing import NDArray

from games.minesweeper import DIGITS, HIDDEN, UNKNOWN
from vision.cells.clusters import (
    CellClassifier,
    ClusterStore,
    Likelihoods,
    Signatures,
    coarse_signatures,
    shift_tolerant_distance,
)
from vision.cells.model import BLANK, CLASS_PRIORS, CLASSES, most_likely
from vision.frame import Frame
from vision.label.features import (
    COVER,
    OTHER,
    ZERO,
    Rows,
    Weights,
    appearance_features,
    ground_distance,
    prior_features,
    weighted_sum,
)
from vision.label.scene import Scene, connected_groups, mask_impossible_numbers, merge_clusters
from vision.label.scorer import CachedPrior
from vision.label.search import confidences, find_labellings, normalised
from vision.lattice import Lattice
from vision.params import ADDED, BOARD, GROUND, WEIGHTS
from vision.reading import BoardPrior, Reading

MOST = 8.0  # nats that one cell, or one cluster of a number, can say: the model is not surer of anything
LEAST = 1e-6  # probability that stands for 0
BELIEVED = 0.5  # probability of a board from which it is likelier one than not
NUMBERS = tuple(CLASSES.index(digit) for digit in DIGITS[1:])


def is_board(scene: Scene, likely: Likelihoods, states: Mapping[int, str], located: float) -> bool:
    """Whether this is likelier a board than not, where locating takes it for one with that probability."""
    if located >= 1.0:  # somebody knows that it is one
        return True
    known = board_features(scene, likely, states, located)
    nats = ADDED + sum(BOARD[name] * value for name, value in known.items())
    return 1.0 / (1.0 + exp(-nats)) >= BELIEVED


def board_features(
    scene: Scene, likely: Likelihoods, states: Mapping[int, str], located: float
) -> dict[str, float]:
    """What speaks for a board, by its name in BOARD. `likely` is (clusters, classes), nats of the model."""
    labels = np.array([CLASSES.index(states[cluster]) for cluster in scene.present])
    gains = _gains(likely, labels)
    capped = np.clip(gains, -MOST, MOST) * (labels != OTHER)
    numbers = np.isin(labels, NUMBERS)
    strange = np.zeros(len(labels))
    together = scene.together(labels)
    np.maximum.at(strange, together, np.where(labels != OTHER, -gains, 0.0))
    odds = (located + LEAST) / (1.0 - located + LEAST)
    return {
        "located": log(odds),
        "looks": float(capped @ scene.counts / len(scene.ids)),
        "strange": log(1.0 + float(np.maximum(strange, 0.0).sum())),
        "numbers": float(capped[numbers].mean()) if numbers.any() else 0.0,
    }


def _gains(likely: Likelihoods, labels: NDArray[np.intp]) -> NDArray[np.float64]:
    """Nats by which each cluster looks more like its state than like something else."""
    seen = likely.astype(np.float64) - np.log(CLASS_PRIORS)
    seen[:, [COVER, ZERO]] = (np.logaddexp(seen[:, COVER], seen[:, ZERO]) - log(2))[:, None]
    return np.asarray(seen[np.arange(len(labels)), labels] - seen[:, OTHER])


SETTLED = 0.99  # probability at which a state is read
# nats that clusters may look likelier to be something else than what they are read as, together; chosen on
# the validation families (7 to 9 read as many cells right, and none more wrong)
MISLED = 8.0
# of the cells of a picture with numbers: where more would stay unread, the others are not believed either.
# Chosen on the validation families: a third less is read wrong, and one cell in a hundred less is read
UNREAD = 0.4
# nats for each empty cell beyond the first where no number is to be seen, nor anything unread: none of eight
# cells is a mine, at the odds that the judge assumes where nobody knows the total
ALONE = -8 * log1p(0.22)


@dataclass(frozen=True, eq=False)
class PictureClusters:
    """What is seen of a picture: its clusters, what the model says of each, (clusters present, classes).

    `unlike` is how unlike the ground of numbers each is (`ground.unlike_open`).
    """

    scene: Scene
    likely: Likelihoods
    unlike: NDArray[np.float64]

    def rows(self, ground: Sequence[float] = GROUND) -> Rows:
        """All that is counted of each cluster in each state."""
        return appearance_features(self.scene, self.likely, self.unlike, ground) | prior_features(self.scene)


def read_picture(
    frame: Frame, lattice: Lattice, judge: BoardPrior, model: CellClassifier, located: float = 1.0
) -> Reading:
    """What every cell shows: what the model, cells that look alike and the rules of the game say together.

    A cell of which that is not at least SETTLED is UNKNOWN. `located` is how likely the lattice is a board's,
    as locating says; where what is read makes it likelier to be none, all of it is UNKNOWN. Raises Unplayable
    when the board reaches beyond the frame.
    """
    return read_clusters(cluster_picture(frame, lattice, model), judge, located=located)


def read_clusters(
    seen: PictureClusters,
    judge: BoardPrior,
    weights: Weights | None = None,
    scale: Mapping[str, float] = WEIGHTS,
    located: float = 1.0,
) -> Reading:
    """The same, where the clusters are known. `weights` and `scale` are for training."""
    scene = seen.scene
    weights = weighted_sum(seen.rows()) if weights is None else weights
    labellings = find_labellings(scene, weights, CachedPrior(judge), scale={**scale, "numberless": ALONE})
    found = confidences(normalised(labellings))
    settled = {
        cluster: state for cluster, (state, sure) in found.items() if sure >= SETTLED and state != UNKNOWN
    }
    if scene.repeats or not any(state in DIGITS[1:] for state in settled.values()):
        # no number says that this is a game at all: what is drawn on cells may be anything
        settled = {cluster: state for cluster, state in settled.items() if state == HIDDEN}
    elif (
        contradicts_model(scene, weights, labellings[0][1])
        or is_mostly_unread(scene, settled)
        or not is_board(scene, seen.likely, labellings[0][1], located)
    ):
        settled = {}
    board = mask_impossible_numbers(scene.board(settled))
    sure = [
        found[int(i)][1] if state != UNKNOWN else 0.0 for i, state in zip(scene.ids, board.cells, strict=True)
    ]
    return Reading(board, np.array(sure, np.float32).reshape(scene.rows, scene.columns), board.unread)


def contradicts_model(scene: Scene, weights: Weights, states: Mapping[int, str]) -> bool:
    """Whether clusters have to be something else than they look like, so surely that something is amiss.

    Where the right labelling is far behind, or is not to be had at all, what comes nearest to it is wrong.
    Clusters that are linked and have one state are amiss together, and count once.
    """
    labels = np.array([CLASSES.index(states[cluster]) for cluster in scene.present])
    lost = weights.max(axis=1) - weights[np.arange(len(labels)), labels]
    lost[labels == OTHER] = 0.0
    once = np.zeros(len(labels))
    np.maximum.at(once, scene.together(labels), lost)
    return bool(once.sum() > MISLED)


def is_mostly_unread(scene: Scene, settled: Mapping[int, str]) -> bool:
    """Whether so many cells stay unread that the others are not to be believed."""
    return scene.board(settled).unread.bit_count() > UNREAD * len(scene.ids)


def cluster_picture(frame: Frame, lattice: Lattice, model: CellClassifier) -> PictureClusters:
    """The clusters of one picture. Raises Unplayable when the board reaches beyond the frame."""
    clusters = ClusterStore(model)
    ids = clusters.assign(frame, lattice)
    joined = merge_clusters(ids, clusters.likelihoods(), clusters.signed(), 1 / lattice.pitch)
    kin = tuple(dict.fromkeys(hierarchical_groups(joined.signed) + connected_groups(joined.links)))
    apart = blanks_apart(joined.likely, joined.signed, 1 / lattice.pitch)
    scene = Scene(lattice.rows, lattice.columns, joined.ids, kin, joined.links, apart)
    return PictureClusters(scene, joined.likely, ground_distance(joined.signed, joined.likely))


def blanks_apart(likely: Likelihoods, signed: Signatures, pixel: float) -> NDArray[np.float32]:
    """The grey levels between every two clusters without a drawing, 0 where one has one."""
    is_blank = np.array([most_likely(row) == BLANK for row in likely])
    asked = np.triu(is_blank[:, None] & is_blank, 1)
    off = shift_tolerant_distance(signed, pixel, asked)
    off = np.minimum(off, off.T)
    return np.where(np.isfinite(off), off, np.float32(0))


def hierarchical_groups(signed: Signatures) -> tuple[tuple[int, ...], ...]:
    """Sets of pictures that look alike: the nearest two sets become one, until all are one."""
    count = len(signed)
    rough = coarse_signatures(signed)
    off = np.abs(rough[:, None] - rough).mean(axis=2)
    np.fill_diagonal(off, np.inf)
    groups: list[tuple[int, ...]] = [(k,) for k in range(count)]
    found = []
    for _ in range(count - 1):
        a, b = (int(place) for place in np.unravel_index(int(off.argmin()), off.shape))
        groups[a] = groups[a] + groups[b]
        found.append(groups[a])
        off[a] = off[:, a] = np.minimum(off[a], off[b])
        off[b] = off[:, b] = np.inf
        off[a, a] = np.inf
    return tuple(found)
