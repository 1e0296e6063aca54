"""Groups the pictures of cells into looks: which cells look the same, before anybody knows what it means."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from games.errors import Unplayable
from vision.frame import Frame, Pixels
from vision.lattice import Lattice
from vision.cells.likeness import Signatures, apart, signatures

ALIKE = 14.0  # grey levels; a picture that is so near to one of a look belongs to it
NEW = 5.0  # a picture that is farther than this from all of its look is kept too, for the next one
DRIFT = 60.0  # grey levels that the pictures of one look may be apart: a chain may follow a gradient so far
REMEMBERED = 8192  # exact pictures kept in mind

Ids = NDArray[np.int32]  # the number of each cell's look, row by row
Key = tuple[int, bytes]


@dataclass(eq=False)
class Look:
    """Pictures that look alike: those that stand for all, and their signatures."""

    pictures: list[Pixels] = field(default_factory=list)
    signed: list[Signatures] = field(default_factory=list)

    @property
    def picture(self) -> Pixels:
        """The first of them."""
        return self.pictures[0]


class Gallery:
    """Every look that was met, numbered in the order of meeting. The same pictures give the same numbers.

    A picture that is no more than `alike` grey levels from one of a look belongs to it.
    """

    def __init__(self, alike: float = ALIKE) -> None:
        self._alike = alike
        self.looks: list[Look] = []
        self._known: dict[Key, int] = {}
        self._signed = np.zeros((0, 0), np.uint8)  # all that stand for looks, one under the other
        self._owner: list[int] = []

    def __len__(self) -> int:
        return len(self.looks)

    def group(self, frame: Frame, lattice: Lattice, cells: Iterable[int] | None = None) -> Ids:
        """The look of each of these cells (all by default), in their order.

        What of a cell lies beyond the frame is left out. Raises Unplayable when nothing of one lies in it.
        """
        chosen = range(lattice.rows * lattice.columns) if cells is None else list(cells)
        ids = np.zeros(len(chosen), np.int32)
        if len(self._known) > REMEMBERED:
            self._known.clear()
        for place, k in enumerate(chosen):
            left, top, right, bottom = lattice.rectangle(k)
            picture = frame.pixels[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
            if not picture.size:
                raise Unplayable("the board reaches beyond the picture: move all of it into view")
            key = right - left, picture.tobytes()
            if key not in self._known:
                self._known[key] = self._look_of(picture)
            ids[place] = self._known[key]
        return ids

    def _look_of(self, picture: Pixels) -> int:
        signed = signatures(picture[None])[0]
        if not self._owner:
            return self._add(picture, signed)
        off = apart(self._signed[: len(self._owner)], signed)
        for place in np.argsort(off, kind="stable"):
            if off[place] > self._alike:
                break
            number = self._owner[int(place)]
            look = self.looks[number]
            if off[place] <= NEW:
                return number
            if float(apart(look.signed[0], signed)) <= DRIFT:
                return self._keep(number, picture, signed)
        return self._add(picture, signed)

    def _add(self, picture: Pixels, signed: Signatures) -> int:
        self.looks.append(Look())
        return self._keep(len(self.looks) - 1, picture, signed)

    def _keep(self, number: int, picture: Pixels, signed: Signatures) -> int:
        self.looks[number].pictures.append(picture.copy())
        self.looks[number].signed.append(signed)
        if len(self._owner) == len(self._signed):
            grown = np.zeros((max(64, 2 * len(self._signed)), len(signed)), np.uint8)
            grown[: len(self._owner)] = self._signed[: len(self._owner)] if self._owner else 0
            self._signed = grown
        self._signed[len(self._owner)] = signed
        self._owner.append(number)
        return number
