"""What one picture of a board shows, with nothing known of what was done to it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games.minesweeper.board import DIGITS, HIDDEN, UNKNOWN
from vision.cells import (
    BLANK,
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
from vision.labelling.scene import Scene
from vision.labelling.search import confidences, find_labellings, normalised
from vision.labelling.weighing import Remembering, evidence, usual, without_contradictions
from vision.lattice import Lattice
from vision.reading import Judge, Reading

SETTLED = 0.99  # probability at which a state is read
MOST_BLANKS = 24  # clusters without a drawing; with more, covers have a texture, and the nearest are one
WIDER = 1.25  # how much farther apart those may be that become one, step by step


def read_picture(frame: Frame, lattice: Lattice, judge: Judge, model: Model) -> Reading:
    """What every cell shows: what the model, cells that look alike and the rules of the game say together.

    A cell of which that is not at least SETTLED is UNKNOWN. Raises Unplayable when the board reaches beyond
    the frame.
    """
    clusters = Clusters(model)
    ids = clusters.assign(frame, lattice)
    ids, likelihoods = _textures_joined(clusters, ids)
    scene = Scene(lattice.rows, lattice.columns, ids)
    weights = evidence(scene, likelihoods[scene.present]) + usual(scene)
    found = confidences(normalised(find_labellings(scene, weights, Remembering(judge))))
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
    return Reading(board, np.array(sure, np.float32).reshape(lattice.rows, lattice.columns), board.unread)


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
