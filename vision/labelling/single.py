"""What one picture of a board shows, with nothing known of what was done to it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from games.minesweeper.board import DIGITS, HIDDEN, UNKNOWN
from vision.cells import (
    BLANK,
    CLASSES,
    Clusters,
    Ids,
    Likelihoods,
    Model,
    Signatures,
    apart,
    signatures,
    verdict,
)
from vision.frame import Frame
from vision.labelling.confidence import confidences, normalised
from vision.labelling.evidence import Weights, rows_of, usual_rows, weighed
from vision.labelling.ground import unlike_open
from vision.labelling.scene import Scene
from vision.labelling.search import find_labellings
from vision.labelling.weighing import Remembering, Weighing, without_contradictions
from vision.labelling.weights import FARTHEST, WEIGHTS
from vision.lattice import Lattice
from vision.reading import Judge, Reading

SETTLED = 0.99  # probability at which a state is read
SMALL = 81  # cells; a smaller board may be behind what it looks like by as much as one of 9x9
MOST_BLANKS = 24  # clusters without a drawing; with more, covers have a texture, and the nearest are one
WIDER = 1.25  # how much farther apart those may be that become one, step by step


def read_picture(frame: Frame, lattice: Lattice, judge: Judge, model: Model) -> Reading:
    """What every cell shows: what the model, cells that look alike and the rules of the game say together.

    A cell of which that is not at least SETTLED is UNKNOWN. Raises Unplayable when the board reaches beyond
    the frame.
    """
    scene, told, unlike = seen(frame, lattice, model)
    return read_scene(scene, weighed(rows_of(scene, told, unlike) | usual_rows(scene)), judge)


def read_scene(
    scene: Scene,
    weights: Weights,
    judge: Judge,
    scale: Mapping[str, float] = WEIGHTS,
    farthest: float = FARTHEST,
) -> Reading:
    """The same, where `weights` say what is known of each cluster. What comes then is for training."""
    judge = Remembering(judge)
    labellings = find_labellings(scene, weights, judge, scale=scale)
    if labellings:
        best = tuple(CLASSES.index(labellings[0][1][cluster]) for cluster in scene.present)
        draft = Weighing(scene, weights, judge, None, scale).draft(best)
        if draft is None or float(weights.max(axis=1).sum()) - draft.weight > farthest * max(
            SMALL, len(scene.ids)
        ):
            labellings = []  # what was found says too little of what is seen
    found = confidences(normalised(labellings))
    settled = {
        cluster: state for cluster, (state, sure) in found.items() if sure >= SETTLED and state != UNKNOWN
    }
    if not any(state in DIGITS[1:] for state in settled.values()):
        # no number says that this is a game at all: what is drawn on cells may be anything
        settled = {cluster: state for cluster, state in settled.items() if state == HIDDEN}
    board = without_contradictions(scene.board(settled))
    sure = [
        found[int(i)][1] if state != UNKNOWN else 0.0 for i, state in zip(scene.ids, board.cells, strict=True)
    ]
    return Reading(board, np.array(sure, np.float32).reshape(scene.rows, scene.columns), board.unread)


def seen(frame: Frame, lattice: Lattice, model: Model) -> tuple[Scene, Likelihoods, NDArray[np.float64]]:
    """The clusters of a picture, what the model says of each, and how unlike open ground it is."""
    clusters = Clusters(model)
    ids = clusters.assign(frame, lattice)
    ids, likelihoods = _textures_joined(clusters, ids)
    present = np.unique(ids)
    told, signed = likelihoods[present], clusters.signed()[present]
    scene = Scene(lattice.rows, lattice.columns, ids, kin_of(signed))
    return scene, told, unlike_open(signed, told)


def kin_of(signed: Signatures) -> tuple[tuple[int, ...], ...]:
    """Sets of pictures that look alike: the nearest two sets become one, until all are one."""
    count = len(signed)
    off = np.full((count, count), np.inf)
    for k in range(count):
        off[k, :k] = off[:k, k] = np.abs(signed[:k].astype(np.float32) - signed[k]).mean(axis=1)
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


def _textures_joined(clusters: Clusters, ids: Ids) -> tuple[Ids, Likelihoods]:
    """Fewer clusters without a drawing, where there are too many: pictured covers all differ.

    Returns the clusters of the cells, and the likelihoods of all clusters, means where some became one.
    """
    likelihoods = clusters.likelihoods()
    blanks = [cluster for cluster in range(len(clusters)) if verdict(likelihoods[cluster]) == BLANK]
    if len(blanks) <= MOST_BLANKS:
        return ids, likelihoods
    signed = np.concatenate([signatures(clusters.pictures(cluster)[0][None]) for cluster in blanks])
    groups = _joined(signed)
    likelihoods = likelihoods.copy()
    renamed = np.arange(len(clusters), dtype=np.int32)
    for group in np.unique(groups):
        members = [blanks[k] for k in np.flatnonzero(groups == group)]
        renamed[members] = members[0]
        likelihoods[members[0]] = likelihoods[members].mean(axis=0)
    return renamed[ids], likelihoods


def _joined(signed: Signatures) -> NDArray[np.intp]:
    """A group for each signature: those that hang together at the least distance that leaves few groups."""
    off = np.stack([apart(signed, one) for one in signed])
    within = float(off[off > 0].min())
    while True:
        groups = np.arange(len(signed))
        for k in range(len(signed)):
            near = np.unique(groups[off[k] <= within])
            groups[np.isin(groups, near)] = near[0]
        if len(np.unique(groups)) <= MOST_BLANKS:
            return groups
        within *= WIDER
