"""Clusters that look like others of the same game: what was settled of one says something of its like.

Noise, a shade or a texture makes two pictures of one number two clusters, the sooner the less the model knows
of it. In one game all cells have one size and one theme, so how much nearer a picture is to one number than
to every other says more than any distance. Rims are left out: they depend on what lies beside a cell. Numbers
may share a frame, so how far a blank is says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import log

import numpy as np
from numpy.typing import NDArray

from games.minesweeper import DIGITS, UNKNOWN
from vision.cells import BLANK, SIDE, Likelihoods, Signatures, verdict
from vision.labelling import Scene

RIM = 2  # places of a signature's side
# nats for one state of two clusters, against two: a constant, and the logarithm of how many times nearer they
# are to each other than to the next number. By 326 clusters of 1,000 drawn games of the training families, of
# which the model was less than 0.9 sure; of 93 that were five times nearer none had two states
NEARER = (-3.35, 4.19)
LOUDEST = 4.5  # nats that a link says at most: log of 93, more than those without an exception cannot say


def with_links(scene: Scene, states: Mapping[int, str], likely: Likelihoods, signed: Signatures) -> Scene:
    """The scene with links from what is not settled to its like.

    `states` are those of settled clusters; `likely` and `signed` have a line for each cluster that was met.
    """
    present = scene.present
    new = [place for place, cluster in enumerate(present) if cluster not in states]
    known = [place for place, cluster in enumerate(present) if states.get(cluster, UNKNOWN) in DIGITS[1:]]
    if not new or not known:
        return scene
    inner = without_rims(signed[present])
    shown = np.array([states[present[place]] for place in known])
    drawn = [place for place in new if verdict(likely[present[place]]) != BLANK]
    links: dict[tuple[int, int], float] = {}
    for place in new:
        off = _apart(inner[known], inner[place])
        nearest = int(off.argmin())
        others = off[shown != shown[nearest]]
        if others.size:
            links[known[nearest], place] = _nats(off[nearest], others.min())
        alike = [other for other in drawn if other != place]
        if place in drawn and alike:
            between = _apart(inner[alike], inner[place])
            pair = sorted((alike[int(between.argmin())], place))
            links[pair[0], pair[1]] = _nats(between.min(), off[nearest])
    return replace(scene, links=tuple((one, other, nats) for (one, other), nats in links.items() if nats > 0))


def _nats(apart: float, next_apart: float) -> float:
    """What a link says of two that are so far apart, where the next number is so far from one of them."""
    return min(LOUDEST, NEARER[0] + NEARER[1] * log((next_apart + 1) / (apart + 1)))


def without_rims(signed: Signatures) -> NDArray[np.int16]:
    """(pictures, values): what is inside of the cells, colour by colour as in the signatures."""
    grid = signed.reshape(-1, SIDE, SIDE, 3)[:, RIM:-RIM, RIM:-RIM]
    return grid.reshape(len(grid), -1).astype(np.int16)


def _apart(inner: NDArray[np.int16], one: NDArray[np.int16]) -> NDArray[np.int16]:
    """How far pictures are from one of them where they differ most, in grey levels."""
    return np.asarray(np.abs(inner - one).max(axis=1))
