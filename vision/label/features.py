"""Features of labellings, weighted by `vision.params.WEIGHTS` (pictures) or GAME_WEIGHTS (games).

`appearance_features` and `prior_features` describe single clusters: model likelihoods, the ground of blanks
(digits are drawn on open ground, so a blank on the same ground is open), and the frequency of marks.
`cell_features` describes cells in relation to their neighbours; `patch_distance` and `unknown_regions`
describe how cells lie. The weights for pictures are fitted on drawn pictures, those for games set by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.minesweeper import EXPLODED, FLAG, HIDDEN, MINE, QUESTION, UNKNOWN, WRONG_FLAG
from vision.cells.clusters import SIDE, Likelihoods, Signatures
from vision.cells.model import CLASSES, NUMBER
from vision.label.scene import COVERED, EMPTY, FARTHEST, IS_SIGN, MINES, NUMBERS, ROOM, SHOWN, Scene
from vision.params import CLASS_PRIORS, GROUND, PRESENT, RAREST, STRANGE, WEIGHTS

RIM = 2  # places at each side of a signature that drawings hardly reach
NUMBER_STATES = 0.5  # probability above which a cluster counts as a number here
STEPS = (
    0.35,
    0.5,
    0.7,
    1.0,
    1.4,
    2.0,
    2.8,
    4.0,
    5.6,
    8.0,
    11.0,
    16.0,
    32.0,
)  # limits of the bins of ground distance
COLOURED = 12.0  # grey levels; if the grounds of numbers differ by more, they carry no information
NOISE = 2.0  # grey levels; difference of equal grounds in any picture

LOG_CLASS_PRIORS = np.log([CLASS_PRIORS[state] for state in CLASSES])

_inside = np.zeros((SIDE, SIDE), np.bool_)
_inside[RIM:-RIM, RIM:-RIM] = True
_RIM = np.flatnonzero(np.repeat(~_inside.ravel(), 3))


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


Weights = NDArray[np.float64]  # (clusters present, classes), natural logarithms
Rows = dict[str, Weights]  # a term per cluster and state, by its name in WEIGHTS

ZERO, OTHER, PLAIN, HIT, COVER = (CLASSES.index(state) for state in ("0", UNKNOWN, MINE, EXPLODED, HIDDEN))
MARKS = FLAG + QUESTION + MINE + EXPLODED + WRONG_FLAG + UNKNOWN
MARKED = tuple(CLASSES.index(state) for state in MARKS)


def appearance_features(
    scene: Scene,
    likely: Likelihoods,
    unlike: NDArray[np.float64] | None = None,
    ground: Sequence[float] = GROUND,
    strange: Mapping[str, float] | None = STRANGE,
) -> Rows:
    """Evidence of the clusters' pictures for each state. `likely` is (clusters, classes), from the model.

    `unlike` is the result of `ground_distance`. If several cells look like an exploded mine, the program
    draws all its mines that way, and appearance does not show which one exploded. With `strange`, nats, marks
    and covers may have a drawing unknown to the model, which then predicts some other state.
    """
    seen = likely.astype(np.float64) - LOG_CLASS_PRIORS
    hits = likely.argmax(axis=1) == HIT
    if scene.counts[hits].sum() > 1:
        seen[hits, PLAIN] = seen[hits, HIT]
    if strange is not None:
        _allow_anything(seen, strange)
    blank = np.logaddexp(seen[:, COVER], seen[:, ZERO]) - log(2)
    is_empty = seen[:, ZERO] - seen[:, COVER]
    seen[:, [COVER, ZERO]] = blank[:, None]
    rows = {"model": seen, "empty": _either(is_empty)}
    if unlike is not None:
        rows["ground"] = _either(np.array([*ground, 0.0])[ground_bin(unlike)])
    return rows


def _allow_anything(seen: Weights, strange: Mapping[str, float]) -> None:
    """Allow marks and covers to have a drawing unknown to the model."""
    other, drawn = seen[:, OTHER] + strange["other"], seen[:, ZERO + 1 :].max(axis=1) + strange["drawn"]
    seen[:, IS_SIGN] = np.logaddexp(seen[:, IS_SIGN], np.logaddexp(other, drawn)[:, None])
    seen[:, COVER] = np.logaddexp(seen[:, COVER], other)


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


def _share(scene: Scene) -> NDArray[np.float64]:
    """Fraction of the board's cells in each cluster."""
    return np.asarray(scene.counts / max(1, len(scene.ids)))


def _present(scene: Scene) -> Weights:
    """Log-probability that each state occurs on a board; the board prior knows the numbers."""
    row = np.array([max(RAREST, PRESENT[state]) for state in CLASSES])
    return np.tile(np.where(NUMBER >= 0, 0.0, row), (len(scene.present), 1))


PRIOR_TERMS: Mapping[str, Callable[[Scene], Weights]] = {
    **{f"mark {CLASSES[state]}": partial(_column, columns=[state], values=1.0) for state in MARKED},
    "filled": lambda scene: _column(scene, MARKED, np.clip(3 * _share(scene) - 1, 0.0, 1.0)),
    "pieces": lambda scene: _column(scene, [OTHER], scene.pieces - 1),
    "present": _present,
    "half filled": lambda scene: _column(scene, [OTHER], np.minimum(1.0, 2 * _share(scene))),
}


def weighted_sum(rows: Rows, weights: Mapping[str, float] = WEIGHTS) -> Weights:
    """Sum of the features times their weights."""
    return np.asarray(sum(weights[name] * row for name, row in rows.items()))


Many = NDArray[np.intp]  # (labellings, clusters), places in CLASSES
Floats = NDArray[np.float64]
Near = NDArray[np.int8]  # (traits, ...): how many neighbours of each cell have each trait

COUNTED = 8  # number of features per cell


def cell_features(
    number: NDArray[np.int8],
    is_mark: NDArray[np.bool_],
    near: Near,
    known: NDArray[np.bool_],
    found: NDArray[Any],
) -> NDArray[Any]:
    """Features of single cells, written into `found`, (counts, ...). `near` is (traits, ...)."""
    is_number = number >= 0
    looks, lasting = known
    is_left = (number == 0) & (near[COVERED] > 0)
    found[0] = (near[ROOM] < number) | (is_number & (near[MINES] > number))
    found[1] = near[SHOWN] < number
    found[2] = looks & (number <= 0)
    found[3] = looks & ~is_number
    found[4] = looks & (near[EMPTY] == 0)
    found[5] = is_left
    found[6] = is_left & lasting
    found[7] = is_mark & (near[NUMBERS] == 0)
    return found


def patch_distance(scene: Scene, many: Many) -> Floats:
    """Distance of connected blank clusters from all others with their state, beyond FARTHEST.

    In units of FARTHEST, at most two per cluster.
    """
    found = np.zeros(len(many))
    if scene.apart is None:
        return found
    for place in scene.patches:
        apart, own = scene.apart[place], many[:, place]
        others = (many == own[:, None]) & (apart > 0)
        nearest = np.where(others, apart, np.inf).min(axis=1)
        nearest[~others.any(axis=1) | ((own != COVER) & (own != ZERO))] = 0.0
        found += np.clip(nearest / FARTHEST - 1, 0.0, 2.0)
    return found


def unknown_regions(scene: Scene, many: Many) -> NDArray[np.intp]:
    """Number of regions of UNKNOWN cells (minus one per hole)."""
    found = np.zeros(len(many), np.intp)
    some = np.flatnonzero((many == OTHER).any(axis=1))
    if some.size:
        held = np.append(many[some] == OTHER, np.zeros((len(some), 1), np.bool_), axis=1)
        grid = held[:, scene.places].reshape(len(some), scene.rows, scene.columns)
        across, down = grid[:, :, 1:] & grid[:, :, :-1], grid[:, 1:] & grid[:, :-1]
        square = across[:, 1:] & across[:, :-1]
        counts = [np.count_nonzero(each, axis=(1, 2)) for each in (grid, across, down, square)]
        found[some] = np.maximum(1, counts[0] - counts[1] - counts[2] + counts[3])
    return found
