"""What is known of each cluster in each state: what it looks like, what it stands on, which marks are usual.

Each is counted in nats or in a number of its own, and has its line in `weights.WEIGHTS`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from games.minesweeper import EXPLODED, FLAG, HIDDEN, MINE, QUESTION, UNKNOWN, WRONG_FLAG
from vision.cells import CLASSES, SHARES, Likelihoods
from vision.labelling.ground import steps_of
from vision.labelling.rules import IS_SIGN
from vision.labelling.scene import Scene
from vision.labelling.weights import GROUND, STRANGE, WEIGHTS

Weights = NDArray[np.float64]  # (clusters present, classes), natural logarithms
Rows = dict[str, Weights]  # what is counted of each cluster in each state, by its name in WEIGHTS

ZERO, OTHER, PLAIN, HIT, COVER = (CLASSES.index(state) for state in ("0", UNKNOWN, MINE, EXPLODED, HIDDEN))
MARKS = FLAG + QUESTION + MINE + EXPLODED + WRONG_FLAG + UNKNOWN
MARKED = tuple(CLASSES.index(state) for state in MARKS)


def rows_of(
    scene: Scene,
    likely: Likelihoods,
    unlike: NDArray[np.float64] | None = None,
    ground: Sequence[float] = GROUND,
    strange: bool = True,
) -> Rows:
    """What the pictures of the clusters say of each state. `likely` is (clusters, classes), the model's.

    `unlike` is how unlike the ground of numbers each is (`ground.unlike_open`). Where several cells look like
    the mine that was hit, their program draws its mines so, and what they look like does not show which one
    it was.
    A mark, or a cover, may be drawn as nothing that the model has learned: then it looks like anything else.
    """
    seen = likely.astype(np.float64) - np.log(SHARES)
    hits = likely.argmax(axis=1) == HIT
    if scene.counts[hits].sum() > 1:
        seen[hits, PLAIN] = seen[hits, HIT]
    if strange:
        _allow_anything(seen)
    blank = np.logaddexp(seen[:, COVER], seen[:, ZERO]) - log(2)
    is_empty = seen[:, ZERO] - seen[:, COVER]
    seen[:, [COVER, ZERO]] = blank[:, None]
    rows = {"model": seen, "empty": _either(is_empty)}
    if unlike is not None:
        rows["ground"] = _either(np.array([*ground, 0.0])[steps_of(unlike)])
    return rows


def _allow_anything(seen: Weights) -> None:
    """Marks and covers may be drawn as nothing that the model has learned."""
    other, drawn = seen[:, OTHER] + STRANGE["other"], seen[:, ZERO + 1 :].max(axis=1) + STRANGE["drawn"]
    seen[:, IS_SIGN] = np.logaddexp(seen[:, IS_SIGN], np.logaddexp(other, drawn)[:, None])
    seen[:, COVER] = np.logaddexp(seen[:, COVER], other)


def _either(is_empty: NDArray[np.float64]) -> Weights:
    """What speaks for an empty cell, in nats, as what it says of an empty and of a covered one."""
    said = np.zeros((len(is_empty), len(CLASSES)))
    said[:, ZERO] = log(2) - np.logaddexp(0, -is_empty)
    said[:, COVER] = log(2) - np.logaddexp(0, is_empty)
    return said


def usual_rows(scene: Scene) -> Rows:
    """What is counted of each cluster in each state before anybody looks at it: which marks it would be.

    Neither marks nor what is no cell of a game (a message, a pointer) look the same all over a board.
    """
    size = len(scene.present)
    found = {}
    for state in MARKS:
        found[f"mark {state}"] = np.zeros((size, len(CLASSES)))
        found[f"mark {state}"][:, CLASSES.index(state)] = 1.0
    found["filled"] = np.zeros((size, len(CLASSES)))
    part = scene.counts / max(1, len(scene.ids))
    found["filled"][:, MARKED] = np.clip(3 * part - 1, 0.0, 1.0)[:, None]
    found["pieces"] = np.zeros((size, len(CLASSES)))
    found["pieces"][:, OTHER] = scene.pieces - 1
    return found


def weighed(rows: Rows, scale: Mapping[str, float] = WEIGHTS) -> Weights:
    """The sum of what is counted, each times its weight."""
    return np.asarray(sum(scale[name] * row for name, row in rows.items()))
