"""What the cells of a board must still show that is drawn in another size: what was open stays as it was."""

from __future__ import annotations

from collections import Counter

from games.logic.bits import bits
from games.minesweeper.board import HIDDEN, UNKNOWN, Board
from vision.frame import Frame
from vision.lattice import Lattice
from vision.looks import Gallery

MOST = 0.5  # of the closed cells: the look that so many share is that of hidden ones


def recalled(frame: Frame, lattice: Lattice, known: Board) -> Board | None:
    """The numbers of `known`, and its hidden cells as far as they all look the same; UNKNOWN elsewhere.

    None when this is another board: a look stands on two different numbers. Raises Unplayable when nothing
    of a cell lies in the frame.
    """
    gallery = Gallery()
    looks = gallery.group(frame, lattice)
    numbers: dict[int, str] = {}
    for k in bits(known.open):
        if numbers.setdefault(int(looks[k]), known[k]) != known[k]:
            return None
    cells = {k: UNKNOWN for k in range(len(known)) if not known.open >> k & 1}
    closed = Counter(int(looks[k]) for k in bits(known.having(HIDDEN)))
    cover, count = closed.most_common(1)[0] if closed else (-1, 0)
    if cover not in numbers and count > MOST * closed.total():
        cells |= {k: HIDDEN for k in bits(known.having(HIDDEN)) if looks[k] == cover}
    return known.showing(cells)
