"""Cells that look alike: the pictures of cells in clusters, and what the model says of each cluster."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from games.errors import Unplayable
from games.minesweeper import UNKNOWN
from vision.cells.classes import BLANK, verdict
from vision.cells.likeness import COARSE, SIDE, Signatures, apart, coarse, signatures
from vision.frame import Frame, Pixels
from vision.lattice import Lattice

SAME = 5  # grey levels; pictures of one size of which no pixel differs by more are one, but for noise
# grey levels; pictures that differ by no more, and in which the model sees the same, are a cluster: a blank,
# nothing that it knows, or one drawing. Of 278,000 pairs of blanks on drawn boards that differ by less, and
# of 5,744 of what it does not know, none had two states (up to 14: one in 5,000, and in fifty)
ALIKE = MappingProxyType({BLANK: 8.0, UNKNOWN: 5.0})
ALIKE_DRAWINGS = 14.0
ROUNDING = 0.01  # grey levels
REMEMBERED = 8192  # exact pictures kept in mind

Ids = NDArray[np.int32]  # the number of each cell's cluster, row by row
Likelihoods = NDArray[np.float32]  # (clusters, classes), natural logarithms
Key = tuple[int, bytes]


class Model(Protocol):
    """Somebody who says how likely each state is for the picture of a cell."""

    def likelihoods(self, pictures: Sequence[Pixels]) -> NDArray[np.float32]:
        """(pictures, classes), natural logarithms of probabilities, in the order of CLASSES."""


class Clusters:
    """Every cluster that was met, numbered in the order of meeting. The same pictures give the same numbers.

    What the model says of a cluster is what it says of the first picture in it.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._known: dict[Key, int] = {}  # an exact picture -> the place of the one that it is the same as
        self._pictures: list[Pixels] = []  # those that are not the same
        self._owner: list[int] = []  # the cluster of each
        # their signatures, one under the other, with room for more
        self._signed = np.zeros((0, SIDE * SIDE * 3), np.uint8)
        self._rough = np.zeros((0, COARSE * COARSE * 3), np.float32)  # the same in their rough form
        self._kin: dict[str, list[int]] = {}  # the places of all in which the model sees the same
        self._first: list[int] = []  # the place of the first picture of each cluster
        self._rows: list[NDArray[np.float32]] = []

    def __len__(self) -> int:
        return len(self._first)

    def assign(self, frame: Frame, lattice: Lattice, cells: Iterable[int] | None = None) -> Ids:
        """The cluster of each of these cells (all by default), in their order.

        What of a cell lies beyond the frame is left out. Raises Unplayable when nothing of one lies in it.
        """
        chosen = range(lattice.rows * lattice.columns) if cells is None else list(cells)
        if len(self._known) > REMEMBERED:
            self._known.clear()
        keys: list[Key] = []
        new: dict[Key, Pixels] = {}
        for k in chosen:
            left, top, right, bottom = lattice.rectangle(k)
            picture = frame.pixels[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
            if not picture.size:
                raise Unplayable("the board reaches beyond the picture: move all of it into view")
            key = right - left, picture.tobytes()
            keys.append(key)
            if key not in self._known:
                new[key] = picture
        if new:
            self._known |= zip(new, self._places_of(list(new.values())), strict=True)
            self._cluster()
        return np.array([self._owner[self._known[key]] for key in keys], np.int32)

    def likelihoods(self) -> Likelihoods:
        """How likely each state is for every cluster that was met."""
        return np.stack([self._rows[place] for place in self._first])

    def likelihoods_by(self, model: Model) -> Likelihoods:
        """The same by somebody else."""
        return model.likelihoods([self._pictures[place] for place in self._first])

    def signed(self) -> Signatures:
        """The signature of the first picture of every cluster that was met."""
        return self._signed[self._first]

    def pictures(self, cluster: int) -> list[Pixels]:
        """The pictures of a cluster, those left out that are the same."""
        return [self._pictures[k] for k, owner in enumerate(self._owner) if owner == cluster]

    def _places_of(self, pictures: Sequence[Pixels]) -> list[int]:
        """The place of the picture that each of these is the same as; it gets a new one where there is none.

        Small faint numbers differ by less in their signatures than noise does, so the pixels are compared.
        """
        signed, leaders = _signed(pictures)
        rough = coarse(signed)
        known = np.arange(len(self._pictures))
        places: list[int] = []
        for k, picture in enumerate(pictures):
            if leaders[k] < k:
                places.append(places[leaders[k]])
                continue
            same = self._same_as(picture, signed[k], rough[k], known)
            places.append(self._keep(picture, signed[k], rough[k]) if same is None else same)
        return places

    def _same_as(
        self, picture: Pixels, signed: Signatures, rough: NDArray[np.float32], places: NDArray[np.intp]
    ) -> int | None:
        """The first of these places whose picture is the same as this one."""
        places = places[np.abs(self._rough[places] - rough).max(axis=1, initial=0.0) <= SAME + ROUNDING]
        near = places[apart(self._signed[places], signed) <= SAME] if places.size else places
        return next((place for place in near.tolist() if _is_same(self._pictures[place], picture)), None)

    def _keep(self, picture: Pixels, signed: Signatures, rough: NDArray[np.float32]) -> int:
        """The place of a picture that is not the same as any other."""
        count = len(self._pictures)
        if count == len(self._signed):
            room = max(64, 2 * count)
            self._signed, self._rough = _grown(self._signed, room), _grown(self._rough, room)
        self._signed[count], self._rough[count] = signed, rough
        self._pictures.append(picture.copy())
        return count

    def _nearest(
        self, signed: Signatures, rough: NDArray[np.float32], places: NDArray[np.intp], most: float
    ) -> int | None:
        """Of these places that whose picture is the nearest, if it is at most so far apart.

        No picture is nearer than its rough form, so few have to be looked at closely.
        """
        if not places.size:
            return None
        places = places[np.abs(self._rough[places] - rough).max(axis=1) <= most + ROUNDING]
        if not places.size:
            return None
        off = apart(self._signed[places], signed)
        nearest = int(off.argmin())
        return int(places[nearest]) if off[nearest] <= most else None

    def _cluster(self) -> None:
        """Ask the model about the pictures that are new, and give each its cluster."""
        done = len(self._owner)
        if done == len(self._pictures):
            return
        self._rows += list(self._model.likelihoods(self._pictures[done:]))
        for place in range(done, len(self._pictures)):
            seen = verdict(self._rows[place])
            kin = self._kin.setdefault(seen, [])
            most = ALIKE.get(seen, ALIKE_DRAWINGS)
            nearest = self._nearest(self._signed[place], self._rough[place], np.array(kin, np.intp), most)
            kin.append(place)
            if nearest is not None:
                self._owner.append(self._owner[nearest])
            else:
                self._owner.append(len(self._first))
                self._first.append(place)


def _is_same(one: Pixels, other: Pixels) -> bool:
    """Whether two pictures have one size, and no pixel differs by more than SAME."""
    return one.shape == other.shape and int(_farthest(one.ravel(), other.ravel())) <= SAME


def _farthest(pictures: Pixels, other: Pixels) -> NDArray[np.uint8]:
    """How far pictures are from another at most, along the last axis, grey levels."""
    return np.asarray((np.maximum(pictures, other) - np.minimum(pictures, other)).max(axis=-1))


def _signed(pictures: Sequence[Pixels]) -> tuple[Signatures, NDArray[np.intp]]:
    """The signature of each picture, and the place of the first that is the same, its own where none is."""
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
    """For each picture, (pictures, values), the place of the first that is the same (its own if none)."""
    leaders = np.arange(len(pictures))
    rough = np.ascontiguousarray(coarse(signed).T)
    left = np.ones(len(pictures), np.bool_)
    for k in leaders[:-1].tolist():
        if not left[k]:
            continue
        off = np.abs(rough[:, k + 1 :] - rough[:, k, None]).max(axis=0)
        near = k + 1 + np.flatnonzero(left[k + 1 :] & (off <= SAME + ROUNDING))
        near = near[apart(signed[near], signed[k]) <= SAME]
        near = near[_farthest(pictures[near], pictures[k]) <= SAME]
        leaders[near], left[near] = k, False
    return leaders


def _grown(held: NDArray[Any], rows: int) -> NDArray[Any]:
    """The same with room for so many rows."""
    return np.concatenate([held, np.zeros((rows - len(held), held.shape[1]), held.dtype)])
