"""Read a single picture of a board without game history.

Clusters of cells are labelled with the most likely consistent states (`search`), and the reading is accepted
only if it contradicts neither the cell model nor the probability that there is a board at all (`is_board`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, log1p

import numpy as np
from numpy.typing import NDArray

from games.minesweeper import DIGITS, HIDDEN, UNKNOWN
from games.minesweeper.variants import PLAIN
from vision.cells.clusters import (
    CellClassifier,
    ClusterStore,
    Likelihoods,
    Signatures,
    coarse_signatures,
    shift_tolerant_distance,
)
from vision.cells.model import BLANK, CLASSES, most_likely
from vision.frame import Frame
from vision.label.features import (
    COVER,
    LOG_CLASS_PRIORS,
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
from vision.params import BOARD, BOARD_CONSTANT, GROUND, STRANGE, WEIGHTS
from vision.reading import BoardPrior, Reading

MOST = 8.0  # nats; maximum evidence of one cell or one cluster of numbers
LEAST = 1e-6  # probability used instead of 0
BELIEVED = 0.5  # probability above which a grid counts as a board
NUMBERS = tuple(CLASSES.index(digit) for digit in DIGITS[1:])


def is_board(scene: Scene, likely: Likelihoods, states: Mapping[int, str], located: float) -> bool:
    """Whether a grid is probably a board. `located`: its probability according to `vision.locate`."""
    if located >= 1.0:  # the caller knows that it is one
        return True
    known = board_features(scene, likely, states, located)
    nats = BOARD_CONSTANT + sum(BOARD[name] * value for name, value in known.items())
    return 1.0 / (1.0 + exp(-nats)) >= BELIEVED


def board_features(
    scene: Scene, likely: Likelihoods, states: Mapping[int, str], located: float
) -> dict[str, float]:
    """Evidence for a board, by name in BOARD. `likely` is (clusters, classes), nats, from the model."""
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
    """Nats by which each cluster looks more like its state than like UNKNOWN."""
    seen = likely.astype(np.float64) - LOG_CLASS_PRIORS
    seen[:, [COVER, ZERO]] = (np.logaddexp(seen[:, COVER], seen[:, ZERO]) - log(2))[:, None]
    return np.asarray(seen[np.arange(len(labels)), labels] - seen[:, OTHER])


SETTLED = 0.99  # probability required to read a state (soon after a move: SURE in vision.track.update)
# nats; total by which clusters may look more like other states than their labels; chosen on the validation
# families (7 to 9 read equally many cells correctly, and none more wrongly)
MISLED = 8.0
# fraction of cells; if more stay unread, the whole picture does. Chosen on the validation families: a third
# fewer cells are misread, and one in a hundred fewer is read
UNREAD = 0.4
# nats per empty cell beyond the first on a board without numbers or unread cells: none of its eight
# neighbours is a mine, at the odds that the prior assumes for an unknown mine total
ALONE = -8 * log1p(0.22)


@dataclass(frozen=True, eq=False)
class PictureClusters:
    """Clusters of a picture with the model's log-probabilities, (clusters present, classes).

    `unlike` is the result of `ground_distance`.
    """

    scene: Scene
    likely: Likelihoods
    unlike: NDArray[np.float64]

    def rows(self, ground: Sequence[float] = GROUND, strange: Mapping[str, float] = STRANGE) -> Rows:
        """All features of each cluster in each state."""
        appearance = appearance_features(self.scene, self.likely, self.unlike, ground, strange)
        return appearance | prior_features(self.scene, WEIGHTS)


def read_picture(
    frame: Frame, lattice: Lattice, prior: BoardPrior, model: CellClassifier, located: float = 1.0
) -> Reading:
    """Read every cell from the model, cells that look alike and the rules of the game.

    Cells below probability SETTLED are UNKNOWN. `located` is the probability that the lattice is a board; if
    the content makes that unlikely, all cells are UNKNOWN. Raises BoardUnplayable if the board reaches beyond
    the frame.
    """
    return read_clusters(cluster_picture(frame, lattice, model, prior.variant), prior, located=located)


def read_clusters(
    seen: PictureClusters,
    prior: BoardPrior,
    scores: Weights | None = None,
    weights: Mapping[str, float] = WEIGHTS,
    located: float = 1.0,
) -> Reading:
    """Read a picture whose clusters are known. `scores` and `weights` are for training."""
    scene = seen.scene
    scores = weighted_sum(seen.rows()) if scores is None else scores
    labellings = find_labellings(scene, scores, CachedPrior(prior), weights={**weights, "numberless": ALONE})
    found = confidences(normalised(labellings))
    settled = {
        cluster: state for cluster, (state, sure) in found.items() if sure >= SETTLED and state != UNKNOWN
    }
    if scene.repeats or not any(state in DIGITS[1:] for state in settled.values()):
        # without a number this may not be a game, and drawings on cells may be anything
        settled = {cluster: state for cluster, state in settled.items() if state == HIDDEN}
    elif (
        contradicts_model(scene, scores, labellings[0][1])
        or is_mostly_unread(scene, settled)
        or not is_board(scene, seen.likely, labellings[0][1], located)
    ):
        settled = {}
    board = mask_impossible_numbers(scene.board(settled))
    sure = [
        found[int(i)][1] if state != UNKNOWN else 0.0 for i, state in zip(scene.ids, board.cells, strict=True)
    ]
    return Reading(board, np.array(sure, np.float32).reshape(scene.rows, scene.columns), board.unread)


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
    once = np.zeros(len(labels))
    np.maximum.at(once, scene.together(labels), lost)
    return bool(once.sum() > MISLED)


def is_mostly_unread(scene: Scene, settled: Mapping[int, str]) -> bool:
    """Whether too many cells stay unread to trust the others."""
    return scene.board(settled).unread.bit_count() > UNREAD * len(scene.ids)


def cluster_picture(
    frame: Frame, lattice: Lattice, model: CellClassifier, variant: str = PLAIN
) -> PictureClusters:
    """The clusters of one picture of a board with these rules.

    Raises BoardUnplayable if the board reaches beyond the frame.
    """
    clusters = ClusterStore(model)
    ids = clusters.assign(frame, lattice)
    joined = merge_clusters(ids, clusters.likelihoods(), clusters.signed(), 1 / lattice.pitch)
    kin = tuple(dict.fromkeys(hierarchical_groups(joined.signed) + connected_groups(joined.links)))
    apart = blanks_apart(joined.likely, joined.signed, 1 / lattice.pitch)
    scene = Scene(lattice.rows, lattice.columns, joined.ids, kin, joined.links, apart, variant=variant)
    return PictureClusters(scene, joined.likely, ground_distance(joined.signed, joined.likely))


def blanks_apart(likely: Likelihoods, signed: Signatures, pixel: float) -> NDArray[np.float32]:
    """Distance of every two clusters without a drawing, grey levels; 0 for others."""
    is_blank = np.array([most_likely(row) == BLANK for row in likely])
    asked = np.triu(is_blank[:, None] & is_blank, 1)
    off = shift_tolerant_distance(signed, pixel, asked)
    off = np.minimum(off, off.T)
    return np.where(np.isfinite(off), off, np.float32(0))


def hierarchical_groups(signed: Signatures) -> tuple[tuple[int, ...], ...]:
    """Agglomerative clustering: all groups that form when the nearest two groups are merged repeatedly."""
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
