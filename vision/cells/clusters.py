"""Cells that look alike: the pictures of cells in clusters, and what the model says of each cluster."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from games.errors import Unplayable
from vision.cells.classes import verdict
from vision.cells.likeness import Signatures, apart, signatures
from vision.frame import Frame, Pixels
from vision.lattice import Lattice

SAME = 5.0  # grey levels; pictures that differ by no more are one, but for noise
ALIKE = (
    14.0  # grey levels; pictures that differ by no more, and in which the model sees the same, are a cluster
)
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
        self._signed = np.zeros((0, 0), np.uint8)  # theirs, one under the other, with room for more
        self._owner: list[int] = []  # the cluster of each
        self._verdicts: list[str] = []
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
        places = np.zeros(len(chosen), np.int32)
        for place, k in enumerate(chosen):
            left, top, right, bottom = lattice.rectangle(k)
            picture = frame.pixels[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
            if not picture.size:
                raise Unplayable("the board reaches beyond the picture: move all of it into view")
            key = right - left, picture.tobytes()
            if key not in self._known:
                self._known[key] = self._place_of(picture)
            places[place] = self._known[key]
        self._cluster()
        return np.array(self._owner, np.int32)[places]

    def likelihoods(self) -> Likelihoods:
        """How likely each state is for every cluster that was met."""
        return np.stack([self._rows[place] for place in self._first])

    def pictures(self, cluster: int) -> list[Pixels]:
        """The pictures of a cluster, those left out that are the same."""
        return [self._pictures[k] for k, owner in enumerate(self._owner) if owner == cluster]

    def _place_of(self, picture: Pixels) -> int:
        """The place of the picture that this one is the same as; it gets a new one where there is none."""
        signed = signatures(picture[None])[0]
        count = len(self._pictures)
        if count:
            off = apart(self._signed[:count], signed)
            nearest = int(off.argmin())
            if off[nearest] <= SAME:
                return nearest
        self._keep(signed)
        self._pictures.append(picture.copy())
        return count

    def _keep(self, signed: Signatures) -> None:
        count = len(self._pictures)
        if count == len(self._signed):
            grown = np.zeros((max(64, 2 * count), len(signed)), np.uint8)
            grown[:count] = self._signed[:count] if count else 0
            self._signed = grown
        self._signed[count] = signed

    def _cluster(self) -> None:
        """Ask the model about the pictures that are new, and give each its cluster."""
        done = len(self._owner)
        if done == len(self._pictures):
            return
        self._rows += list(self._model.likelihoods(self._pictures[done:]))
        for place in range(done, len(self._pictures)):
            seen = verdict(self._rows[place])
            kin = [k for k in range(place) if self._verdicts[k] == seen]
            off = apart(self._signed[kin], self._signed[place]) if kin else np.zeros(0, np.float32)
            self._verdicts.append(seen)
            if kin and off.min() <= ALIKE:
                self._owner.append(self._owner[kin[int(off.argmin())]])
            else:
                self._owner.append(len(self._first))
                self._first.append(place)
