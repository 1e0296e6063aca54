"""Cluster cells that look alike, and measure how far apart cell pictures are.

A *signature* is a picture resampled to a small square and lightly blurred. The distance of two pictures is
the largest difference of their signatures, or EVERYWHERE times the mean difference if larger, in grey
levels. The largest local difference separates a 3 from an 8, or a 1 from a blank; the mean separates two
plain areas of similar grey. The blur tolerates noise and half a pixel of misalignment. The distance is a
norm, so the triangle inequality holds.

`ClusterStore` assigns cells to clusters and asks the cell model once per new picture. Once empty cells are
known, the model sees doubtful pictures again without the ground of these cells: a program may draw the same
texture in every open cell, which hides the numbers from the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import log
from types import MappingProxyType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from games.errors import BoardUnplayable
from games.minesweeper import UNKNOWN
from vision.cells.model import BLANK, CLASSES, DECIDED, certainty, most_likely
from vision.frame import Frame, Pixels
from vision.lattice import Lattice

SIDE = 16  # a signature is SIDE x SIDE x 3 values
EVERYWHERE = 2  # weight of a difference all over the cell, relative to a local one
COARSE = 4  # a coarse signature is COARSE x COARSE x 3 values

Signatures = NDArray[np.uint8]  # (pictures, SIDE * SIDE * 3)
RIM = 2  # values at each side of a signature that drawings hardly reach


def signatures(pictures: Pixels) -> Signatures:
    """The signatures of equally large pictures: (n, height, width, 3) uint8 -> (n, SIDE * SIDE * 3) uint8."""
    n, height, width, _ = pictures.shape
    down, across = _shrinking(height), _shrinking(width)
    shrunk = np.matmul(down, pictures.reshape(n, height, width * 3).astype(np.float32))
    shrunk = shrunk.reshape(n, SIDE, width, 3).transpose(0, 1, 3, 2).reshape(n * SIDE * 3, width)
    square = np.matmul(shrunk, across.T).reshape(n, SIDE, 3, SIDE)
    return np.asarray((square + 0.5).astype(np.uint8).transpose(0, 1, 3, 2).reshape(n, SIDE * SIDE * 3))


def distance(one: Signatures, other: Signatures) -> NDArray[np.float32]:
    """How far apart signatures are along the last axis, 0 to 510 grey levels; other axes broadcast."""
    difference = np.maximum(one, other) - np.minimum(one, other)
    everywhere = difference.mean(axis=-1, dtype=np.float32) * EVERYWHERE
    return np.asarray(np.maximum(difference.max(axis=-1), everywhere))


def without_rims(signed: Signatures) -> NDArray[np.int16]:
    """(pictures, values): signatures without their rims."""
    grid = signed.reshape(-1, SIDE, SIDE, 3)[:, RIM:-RIM, RIM:-RIM]
    return grid.reshape(len(grid), -1).astype(np.int16)


def coarse_signatures(signed: Signatures) -> NDArray[np.float32]:
    """Coarse signatures, (n, COARSE * COARSE * 3), for a fast search of neighbours."""
    return signed.astype(np.float32) @ _pooling()


@lru_cache(maxsize=1)
def _pooling() -> NDArray[np.float32]:
    """The matrix that averages a signature into COARSE x COARSE blocks."""
    block = np.arange(SIDE) * COARSE // SIDE
    inside = (block[:, None] == np.arange(COARSE)) * np.float32(COARSE / SIDE)
    pooling = np.einsum("yj,xi,cd->yxcjid", inside, inside, np.eye(3, dtype=np.float32))
    return np.ascontiguousarray(pooling.reshape(SIDE * SIDE * 3, COARSE * COARSE * 3))


@lru_cache(maxsize=128)
def _shrinking(length: int) -> NDArray[np.float32]:
    """The (SIDE, length) matrix that averages `length` pixels into SIDE places, then blurs by 1 2 1."""
    edges = np.linspace(0.0, length, SIDE + 1)
    pixel = np.arange(length)
    covered = np.minimum(edges[1:, None], pixel + 1) - np.maximum(edges[:-1, None], pixel)
    area = np.clip(covered, 0.0, None) * SIDE / length
    padded = np.vstack([area[:1], area, area[-1:]])
    blurred = (padded[:-2] + 2 * padded[1:-1] + padded[2:]) / 4
    return np.ascontiguousarray(blurred, dtype=np.float32)


SAME = 5  # grey levels; maximum difference of any pixel between equal pictures (noise)
# grey levels; maximum distance within a cluster of blanks or unknown pictures. Of 278,000 closer pairs of
# blanks on drawn boards, 5,744 of unknown pictures, none had two states (at up to 14: one in 5,000, and one
# in fifty)
ALIKE = MappingProxyType({BLANK: 8.0, UNKNOWN: 5.0})
ALIKE_DRAWINGS = 14.0  # grey levels; the same for drawings with the same predicted state
# grey levels; the same for all pictures while a board has FEW: it then has no noise and no fractional cells.
# On 1,000 drawn boards of other families, 5 of 12,085 clusters have two states; without it, 15 of 10,507
ALIKE_EXACT = 3.0
FEW = 50  # pictures
KNOWN = 0.5  # minimum probability of that state; other drawings are like unknown pictures
ROUNDING = 0.01  # grey levels
REMEMBERED = 8192  # exact pictures kept in memory
OTHER = CLASSES.index(UNKNOWN)
SAME_GROUND = 8  # grey levels; a pixel that differs by at most this from an empty cell belongs to the ground

Ids = NDArray[np.int32]  # the number of each cell's cluster, row by row
Likelihoods = NDArray[np.float32]  # (clusters, classes), natural logarithms
Key = tuple[int, bytes]


class CellClassifier(Protocol):
    """Estimates the likelihood of each state for cell pictures."""

    def likelihoods(self, pictures: Sequence[Pixels]) -> NDArray[np.float32]:
        """(pictures, classes), natural logarithms of probabilities, in the order of CLASSES."""


class ClusterStore:
    """All clusters so far, numbered in order of appearance. The same pictures give the same numbers.

    The likelihoods of a cluster are those of its first picture. `recognise` may give the most likely state of
    a picture, so that the model is not asked. Up to `few` different pictures, only almost equal ones join.
    """

    def __init__(
        self, model: CellClassifier, recognise: Callable[[Pixels], str | None] | None = None, few: int = FEW
    ) -> None:
        self._model = model
        self._recognise = recognise
        self._few = few
        self._known: dict[Key, int] = {}  # exact picture -> index of the equal stored one
        self._pictures: list[Pixels] = []  # stored pictures, no two equal
        self._owner: list[int] = []  # the cluster of each stored picture
        # signatures of the stored pictures, one per row, with spare rows
        self._signed = np.zeros((0, SIDE * SIDE * 3), np.uint8)
        self._coarse = np.zeros((0, COARSE * COARSE * 3), np.float32)  # their coarse signatures
        self._kin: dict[str, list[int]] = {}  # the pictures in which the model sees a state, by state
        self._first: list[int] = []  # the place of the first picture of each cluster
        self._rows: dict[int, NDArray[np.float32]] = {}  # by place
        self._empty: frozenset[int] = frozenset()  # the empty clusters last known
        self._plain: dict[int, NDArray[np.float32]] = {}  # likelihoods without their ground, by place

    def __len__(self) -> int:
        return len(self._first)

    def assign(self, frame: Frame, lattice: Lattice, cells: Iterable[int] | None = None) -> Ids:
        """The cluster of each of these cells (all by default), in their order.

        Parts of cells beyond the frame are ignored. Raises BoardUnplayable if nothing of a cell is inside.
        """
        chosen = range(lattice.rows * lattice.columns) if cells is None else list(cells)
        if len(self._known) > REMEMBERED:
            self._known.clear()
        keys: list[Key] = []
        new: dict[Key, Pixels] = {}
        for k in chosen:
            picture = lattice.picture(frame.pixels, k)
            if not picture.size:
                raise BoardUnplayable("the board reaches beyond the picture: move all of it into view")
            key = picture.shape[1], picture.tobytes()
            keys.append(key)
            if key not in self._known:
                new[key] = picture
        if new:
            self._known |= zip(new, self._places_of(list(new.values())), strict=True)
            self._cluster()
        return np.array([self._owner[self._known[key]] for key in keys], np.int32)

    def likelihoods(self, empty: Iterable[int] = ()) -> Likelihoods:
        """Log-likelihoods of the states for every cluster.

        Doubtful pictures are classified again without the ground of these `empty` clusters. The result counts
        if it is less like UNKNOWN, and not blank.
        """
        rows = np.stack([self._rows[place] for place in self._first])
        if not (known := frozenset(empty)):
            return rows
        if known != self._empty:
            self._empty, self._plain = known, {}
        grounds = [self._pictures[self._first[cluster]] for cluster in sorted(known)]
        doubted = np.flatnonzero(certainty(rows) < log(DECIDED)).tolist()
        if new := [k for k in doubted if self._first[k] not in self._plain]:
            pictures = [without_ground(self._pictures[self._first[k]], grounds) for k in new]
            for k, row in zip(new, self._model.likelihoods(pictures), strict=True):
                is_better = row[OTHER] < rows[k, OTHER] and most_likely(row) != BLANK
                self._plain[self._first[k]] = row if is_better else rows[k].copy()
        for k in doubted:
            rows[k] = self._plain[self._first[k]]
        return rows

    def likelihoods_by(self, model: CellClassifier) -> Likelihoods:
        """Log-likelihoods of the states for every cluster, by another model; textures are not removed."""
        return model.likelihoods([self._pictures[place] for place in self._first])

    def signed(self) -> Signatures:
        """The signature of each cluster's first picture."""
        return self._signed[self._first]

    def pictures(self, cluster: int) -> list[Pixels]:
        """The pictures of a cluster, without duplicates."""
        return [self._pictures[k] for k, owner in enumerate(self._owner) if owner == cluster]

    def _places_of(self, pictures: Sequence[Pixels]) -> list[int]:
        """Index of the stored picture equal to each of these; new pictures are stored.

        Small faint digits differ less in their signatures than noise does, so pixels are compared.
        """
        signed, leaders = _signed(pictures)
        coarse = coarse_signatures(signed)
        known = np.arange(len(self._pictures))
        places: list[int] = []
        for k, picture in enumerate(pictures):
            if leaders[k] < k:
                places.append(places[leaders[k]])
                continue
            same = self._same_as(picture, signed[k], coarse[k], known)
            places.append(self._keep(picture, signed[k], coarse[k]) if same is None else same)
        return places

    def _same_as(
        self, picture: Pixels, signed: Signatures, coarse: NDArray[np.float32], places: NDArray[np.intp]
    ) -> int | None:
        """The first of these places with an equal picture."""
        places = places[np.abs(self._coarse[places] - coarse).max(axis=1) <= SAME + ROUNDING]
        for place in places[distance(self._signed[places], signed) <= SAME].tolist():
            known = self._pictures[place]
            if known.shape == picture.shape and _farthest(known.ravel(), picture.ravel()) <= SAME:
                return int(place)
        return None

    def _keep(self, picture: Pixels, signed: Signatures, coarse: NDArray[np.float32]) -> int:
        """Store a new picture and return its index."""
        count = len(self._pictures)
        if count == len(self._signed):
            more = (0, max(64, count)), (0, 0)
            self._signed, self._coarse = np.pad(self._signed, more), np.pad(self._coarse, more)
        self._signed[count], self._coarse[count] = signed, coarse
        self._pictures.append(picture.copy())
        return count

    def _nearest(
        self, signed: Signatures, coarse: NDArray[np.float32], places: NDArray[np.intp], most: float
    ) -> int | None:
        """The place of the nearest picture, if its distance is at most `most`.

        The coarse distance is a lower bound, so few full comparisons are necessary.
        """
        places = places[np.abs(self._coarse[places] - coarse).max(axis=1) <= most + ROUNDING]
        if not places.size:
            return None
        off = distance(self._signed[places], signed)
        nearest = int(off.argmin())
        return int(places[nearest]) if off[nearest] <= most else None

    def _cluster(self) -> None:
        """Classify new pictures and assign each to a cluster."""
        new = range(len(self._owner), len(self._pictures))
        recognised = [self._recognise(self._pictures[k]) if self._recognise else None for k in new]
        self._classify([place for place, state in zip(new, recognised, strict=True) if state is None])
        for place, state in zip(new, recognised, strict=True):
            seen = state or most_likely(self._rows[place])
            kin = self._kin.setdefault(seen, [])
            is_known = state is not None or np.exp(self._rows[place].max()) >= KNOWN
            most = ALIKE.get(seen, ALIKE_DRAWINGS if is_known else ALIKE[UNKNOWN])
            if len(self._pictures) <= self._few:
                most = ALIKE_EXACT
            nearest = self._nearest(self._signed[place], self._coarse[place], np.array(kin, np.intp), most)
            kin.append(place)
            if nearest is not None:
                self._owner.append(self._owner[nearest])
            else:
                self._owner.append(len(self._first))
                self._first.append(place)
        self._classify([place for place in self._first if place not in self._rows])

    def _classify(self, places: Sequence[int]) -> None:
        """Ask the model for the likelihoods of these pictures."""
        if places:
            rows = self._model.likelihoods([self._pictures[place] for place in places])
            self._rows.update(zip(places, rows, strict=True))


def without_ground(picture: Pixels, grounds: Sequence[Pixels]) -> Pixels:
    """The picture with one colour wherever it equals the most similar of these pictures of empty cells."""
    grounds = [each for each in grounds if each.shape == picture.shape]
    if not grounds:
        return picture
    equal = [_farthest(picture, each) <= SAME_GROUND for each in grounds]
    best = int(np.argmax([np.count_nonzero(each) for each in equal]))
    colour = np.median(grounds[best].reshape(-1, 3), axis=0).astype(np.uint8)
    return np.where(equal[best][:, :, None], colour, picture)


def _farthest(pictures: Pixels, other: Pixels) -> NDArray[np.uint8]:
    """Largest difference from another picture, along the last axis, grey levels."""
    return np.asarray((np.maximum(pictures, other) - np.minimum(pictures, other)).max(axis=-1))


def _signed(pictures: Sequence[Pixels]) -> tuple[Signatures, NDArray[np.intp]]:
    """The signature of each picture, and the index of the first equal picture."""
    by_shape: dict[tuple[int, ...], list[int]] = {}
    for k, picture in enumerate(pictures):
        by_shape.setdefault(picture.shape, []).append(k)
    found, leaders = np.empty((len(pictures), SIDE * SIDE * 3), np.uint8), np.arange(len(pictures))
    for group in by_shape.values():
        places, stacked = np.array(group), np.stack([pictures[k] for k in group])
        found[places] = signed = signatures(stacked)
        leaders[places] = places[_leaders(stacked.reshape(len(stacked), -1), signed)]
    return found, leaders


def _leaders(pictures: Pixels, signed: Signatures) -> NDArray[np.intp]:
    """For each picture, (pictures, values), the index of the first equal one."""
    leaders = np.arange(len(pictures))
    coarse = np.ascontiguousarray(coarse_signatures(signed).T)
    left = np.ones(len(pictures), np.bool_)
    for k in leaders[:-1].tolist():
        if not left[k]:
            continue
        off = np.abs(coarse[:, k + 1 :] - coarse[:, k, None]).max(axis=0)
        near = k + 1 + np.flatnonzero(left[k + 1 :] & (off <= SAME + ROUNDING))
        near = near[distance(signed[near], signed[k]) <= SAME]
        near = near[_farthest(pictures[near], pictures[k]) <= SAME]
        leaders[near], left[near] = k, False
    return leaders
