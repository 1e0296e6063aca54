"""What one picture of a board shows, with nothing known of what was done to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log1p

import numpy as np
from numpy.typing import NDArray

from games.minesweeper import DIGITS, HIDDEN, UNKNOWN
from vision.cells import (
    BLANK,
    CLASSES,
    Clusters,
    Likelihoods,
    Model,
    Signatures,
    coarse,
    resampled_apart,
    verdict,
)
from vision.frame import Frame
from vision.labelling.boardlike import is_board
from vision.labelling.confidence import confidences, normalised
from vision.labelling.evidence import OTHER, Rows, Weights, rows_of, usual_rows, weighed
from vision.labelling.ground import unlike_open
from vision.labelling.joining import hanging_together, join
from vision.labelling.rules import without_contradictions
from vision.labelling.scene import Scene
from vision.labelling.search import find_labellings
from vision.labelling.weighing import Remembering
from vision.labelling.weights import GROUND, WEIGHTS
from vision.lattice import Lattice
from vision.reading import Judge, Reading

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
class Seen:
    """What is seen of a picture: its clusters, what the model says of each, (clusters present, classes).

    `unlike` is how unlike the ground of numbers each is (`ground.unlike_open`).
    """

    scene: Scene
    likely: Likelihoods
    unlike: NDArray[np.float64]

    def rows(self, ground: Sequence[float] = GROUND) -> Rows:
        """All that is counted of each cluster in each state."""
        return rows_of(self.scene, self.likely, self.unlike, ground) | usual_rows(self.scene)


def read_picture(frame: Frame, lattice: Lattice, judge: Judge, model: Model, located: float = 1.0) -> Reading:
    """What every cell shows: what the model, cells that look alike and the rules of the game say together.

    A cell of which that is not at least SETTLED is UNKNOWN. `located` is how likely the lattice is a board's,
    as locating says; where what is read makes it likelier to be none, all of it is UNKNOWN. Raises Unplayable
    when the board reaches beyond the frame.
    """
    return read_seen(see(frame, lattice, model), judge, located=located)


def read_seen(
    seen: Seen,
    judge: Judge,
    weights: Weights | None = None,
    scale: Mapping[str, float] = WEIGHTS,
    located: float = 1.0,
) -> Reading:
    """The same, where the clusters are known. `weights` and `scale` are for training."""
    scene = seen.scene
    weights = weighed(seen.rows()) if weights is None else weights
    labellings = find_labellings(scene, weights, Remembering(judge), scale={**scale, "numberless": ALONE})
    found = confidences(normalised(labellings))
    settled = {
        cluster: state for cluster, (state, sure) in found.items() if sure >= SETTLED and state != UNKNOWN
    }
    if scene.repeats or not any(state in DIGITS[1:] for state in settled.values()):
        # no number says that this is a game at all: what is drawn on cells may be anything
        settled = {cluster: state for cluster, state in settled.items() if state == HIDDEN}
    elif (
        is_misled(scene, weights, labellings[0][1])
        or is_mostly_unread(scene, settled)
        or not is_board(scene, seen.likely, labellings[0][1], located)
    ):
        settled = {}
    board = without_contradictions(scene.board(settled))
    sure = [
        found[int(i)][1] if state != UNKNOWN else 0.0 for i, state in zip(scene.ids, board.cells, strict=True)
    ]
    return Reading(board, np.array(sure, np.float32).reshape(scene.rows, scene.columns), board.unread)


def is_misled(scene: Scene, weights: Weights, states: Mapping[int, str]) -> bool:
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


def see(frame: Frame, lattice: Lattice, model: Model) -> Seen:
    """The clusters of one picture. Raises Unplayable when the board reaches beyond the frame."""
    clusters = Clusters(model)
    ids = clusters.assign(frame, lattice)
    joined = join(ids, clusters.likelihoods(), clusters.signed(), 1 / lattice.pitch)
    kin = tuple(dict.fromkeys(kin_of(joined.signed) + hanging_together(joined.links)))
    apart = blanks_apart(joined.likely, joined.signed, 1 / lattice.pitch)
    scene = Scene(lattice.rows, lattice.columns, joined.ids, kin, joined.links, apart)
    return Seen(scene, joined.likely, unlike_open(joined.signed, joined.likely))


def blanks_apart(likely: Likelihoods, signed: Signatures, pixel: float) -> NDArray[np.float32]:
    """The grey levels between every two clusters without a drawing, 0 where one has one."""
    is_blank = np.array([verdict(row) == BLANK for row in likely])
    asked = np.triu(is_blank[:, None] & is_blank, 1)
    off = resampled_apart(signed, pixel, asked)
    off = np.minimum(off, off.T)
    return np.where(np.isfinite(off), off, np.float32(0))


def kin_of(signed: Signatures) -> tuple[tuple[int, ...], ...]:
    """Sets of pictures that look alike: the nearest two sets become one, until all are one."""
    count = len(signed)
    rough = coarse(signed)
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
