"""What a blank cell stands on: numbers stand on open ground, so a blank on the same ground is open."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.cells import NUMBER, SIDE, Likelihoods, Signatures

RIM = 2  # places of a signature's side, where hardly any drawing reaches
NUMBERS = 0.5  # probability from which a cluster counts as a number here
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


def unlike_open(signed: Signatures, likely: Likelihoods) -> NDArray[np.float64]:
    """How unlike open ground each cluster is, beside how unlike the grounds of numbers are to each other.

    `signed` and `likely` have a line for each cluster. NaN where no other cluster looks like a number, and
    where each number has a ground of its own.
    """
    rims = signed[:, _RIM].astype(np.float32)
    numbers = np.exp(likely[:, NUMBER > 0].astype(np.float64))
    places = np.flatnonzero(numbers.max(axis=1, initial=0.0) > NUMBERS)
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


def steps_of(unlike: NDArray[np.float64]) -> NDArray[np.intp]:
    """The place of each among STEPS, from 0; one past len(STEPS) where nothing is known."""
    return np.where(np.isnan(unlike), len(STEPS) + 1, np.searchsorted(STEPS, np.nan_to_num(unlike)))
