"""Features of a labelling: every term of its score, for single pictures and for games.

Appearance features belong to one cluster and one state: the likelihood of the cell model, the background
(numbers stand on open ground, so a blank on the same ground is open), and the usual frequency of marks.
Cell features describe a whole labelling: contradictions, unread regions, patches. The weights for single
pictures are fitted on drawn pictures (`vision.params.WEIGHTS`). During a game the expected changes decide
most; the weights at the end of this module are priors set by hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.minesweeper import EXPLODED, FLAG, HIDDEN, MINE, QUESTION, UNKNOWN, WRONG_FLAG
from vision.cells.clusters import SIDE, Likelihoods, Signatures
from vision.cells.model import CLASS_PRIORS, CLASSES, NUMBER
from vision.label.scene import COVERED, EMPTY, FARTHEST, IS_SIGN, MINES, NUMBERS, ROOM, SHOWN, Scene
from vision.params import GROUND, PRESENT, STRANGE, WEIGHTS

RIM = 2  # places of a signature's side, where hardly any drawing reaches
NUMBER_STATES = 0.5  # probability from which a cluster counts as a number here
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
)  # between which grounds are counted
COLOURED = 12.0  # grey levels; numbers whose grounds differ more from those of other numbers say nothing
NOISE = 2.0  # grey levels; what equal grounds may differ by in any picture

_inside = np.zeros((SIDE, SIDE), np.bool_)
_inside[RIM:-RIM, RIM:-RIM] = True
_RIM = np.flatnonzero(np.repeat(~_inside.ravel(), 3))


def ground_distance(signed: Signatures, likely: Likelihoods) -> NDArray[np.float64]:
    """How unlike open ground each cluster is, beside how unlike the grounds of numbers are to each other.

    `signed` and `likely` have a line for each cluster. NaN where no other cluster looks like a number, and
    where each number has a ground of its own.
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
    """The place of each among STEPS, from 0; one past len(STEPS) where nothing is known."""
    return np.where(np.isnan(unlike), len(STEPS) + 1, np.searchsorted(STEPS, np.nan_to_num(unlike)))


Weights = NDArray[np.float64]  # (clusters present, classes), natural logarithms
Rows = dict[str, Weights]  # what is counted of each cluster in each state, by its name in WEIGHTS

ZERO, OTHER, PLAIN, HIT, COVER = (CLASSES.index(state) for state in ("0", UNKNOWN, MINE, EXPLODED, HIDDEN))
MARKS = FLAG + QUESTION + MINE + EXPLODED + WRONG_FLAG + UNKNOWN
MARKED = tuple(CLASSES.index(state) for state in MARKS)


def appearance_features(
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
    seen = likely.astype(np.float64) - np.log(CLASS_PRIORS)
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
        rows["ground"] = _either(np.array([*ground, 0.0])[ground_bin(unlike)])
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


def prior_features(scene: Scene) -> Rows:
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


def weighted_sum(rows: Rows, scale: Mapping[str, float] = WEIGHTS) -> Weights:
    """The sum of what is counted, each times its weight."""
    return np.asarray(sum(scale[name] * row for name, row in rows.items()))


Many = NDArray[np.intp]  # (labellings, clusters), places in CLASSES
Floats = NDArray[np.float64]
Near = NDArray[np.int8]  # (traits, ...): how many neighbours of each cell have each trait

COUNTED = 8  # what is counted of single cells


def cell_features(
    number: NDArray[np.int8],
    is_mark: NDArray[np.bool_],
    near: Near,
    known: NDArray[np.bool_],
    found: NDArray[Any],
) -> NDArray[Any]:
    """What is counted of single cells, put into `found`, (counts, ...). `near` is (traits, ...)."""
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
    """How far blank clusters in one piece are from all others that are what they are, beyond FARTHEST.

    In the unit of FARTHEST, for each of them two at most.
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
    """In how many pieces the cells lie that are nothing of the game (holes count as one less)."""
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


PRIORS: Mapping[str, float] = MappingProxyType(
    {
        "contradicted": -8.0,  # for a cell that cannot be what it looks like
        "unnumbered": -2.2,  # for a cell that looks like a number and is called none (log 1/9)
        "clicks": -0.7,  # for each click that an open board needed: each as likely as not (log 1/2)
        "unfinished": -4.0,  # where empty cells lie beside covered ones,
        "beside": -1.5,  # and for each of them
        "second hit": -3.0,  # for each mine that was hit beside the first; a chord may hit more
        "unhit": -1.4,  # for mines that are shown, and none that was hit (one program in four)
        "untold": -0.7,  # for a mark on a cell that no number is beside: as likely as not (log 1/2)
        "parted": -1.0,  # nats of a link whose ends have two states
        "numbers": 1.0,  # what the judge says of the numbers
        "unshown": -8.0,  # for a game that shows some of its mines, and keeps others to itself
        "astray": -4.0,  # for flags of which some are wrong
    }
)
RAREST = -4.6  # nats; no state is rarer than on one board in a hundred: people play boards that nobody dealt
FILLED = -6.0  # nats for what is nothing of a game and fills half of a board; less where it fills less


def evidence(scene: Scene, likely: Likelihoods, strange: bool = False) -> Weights:
    """What the pictures of the clusters say, in nats. `likely` is (clusters, classes), the model's.

    `strange`: covers and marks may be drawn as nothing that the model has learned.
    """
    rows = appearance_features(scene, likely, strange=strange)
    return rows["model"] + rows["empty"]


def present_log_prior(scene: Scene) -> Weights:
    """How likely each cluster is to have each state, before anybody looks at it, in nats."""
    weights = np.tile([max(RAREST, PRESENT[state]) for state in CLASSES], (len(scene.present), 1))
    weights[:, NUMBER >= 0] = 0.0  # how likely numbers are the judge knows
    weights[:, CLASSES.index(UNKNOWN)] += unknown_penalty(scene)
    return weights


def unknown_penalty(scene: Scene) -> NDArray[np.float64]:
    """What it weighs that the cells of each cluster are nothing of a game: the less the more there are."""
    return FILLED * np.minimum(1.0, 2 * scene.counts / len(scene.ids))
