"""What is remembered of a program: drawings that were explained once are read at once the next time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cells import CLASSES, Model
from vision.frame import Frame, Pixels
from vision.lattice import Lattice
from vision.skins.skin import Skin

REMEMBERED = 0.99999  # how sure a remembered state is: surer than what playing settles, or it never would be
DRAWS = 0.5  # of the cells of a board must be known to a skin, for the board to be of its program


@dataclass(frozen=True)
class Memory:
    """A model that knows the tiles of a skin beside what another says of every picture.

    What it remembers is likely, not certain: the rules of the game may still speak against it.
    """

    skin: Skin
    model: Model

    def likelihoods(self, pictures: Sequence[Pixels]) -> NDArray[np.float32]:
        """(pictures, classes), natural logarithms of probabilities, in the order of CLASSES."""
        rows = self.model.likelihoods(pictures)
        for place, picture in enumerate(pictures):
            state = self.skin.recall(picture)
            if state is not None:
                remembered = np.log([REMEMBERED if each == state else 1e-30 for each in CLASSES])
                rows[place] = np.logaddexp(remembered, rows[place] + np.log(1.0 - REMEMBERED))
        return rows


def recognise(frame: Frame, lattice: Lattice, skins: Sequence[Skin]) -> Skin | None:
    """The skin that knows most cells of this board; None when each knows less than half of them."""
    if not skins:
        return None
    pictures: dict[tuple[int, bytes], tuple[Pixels, int]] = {}
    for k in range(lattice.rows * lattice.columns):
        left, top, right, bottom = lattice.rectangle(k)
        picture = frame.pixels[max(0, top) : bottom, max(0, left) : right]
        key = picture.shape[1], picture.tobytes()
        pictures[key] = picture, pictures.get(key, (picture, 0))[1] + 1
    needed = DRAWS * lattice.rows * lattice.columns
    best: Skin | None = None
    for skin in skins:
        known = sum(count for picture, count in pictures.values() if skin.recall(picture) is not None)
        if known >= needed and (best is None or known > needed):
            best, needed = skin, known
    return best
