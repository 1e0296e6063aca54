"""What opens together: a cell, and from a zero on everything that zeros spread to."""

from __future__ import annotations

from collections.abc import Sequence

from games.logic import bits
from games.minesweeper.neighbours import neighbours


def opened_by(cells: int, mines: int, shut: int, around: Sequence[int]) -> int:
    """The cells that open when `cells` are opened: those of them that are shut, and what zeros spread to.

    All are sets (ints). `shut` are the cells that may be opened at all, `around` each cell's neighbours.
    Mines among `cells` are left out: what they do is the caller's business.
    """
    opened = 0
    wave = cells & shut & ~mines
    while wave:
        opened |= wave
        spread = 0
        for k in bits(wave):
            if not around[k] & mines:
                spread |= around[k]
        wave = spread & shut & ~opened
    return opened


def openings(rows: int, columns: int, mines: int) -> tuple[int, ...]:
    """The openings of a field with these mines: each a set, its zeros and the numbers around them."""
    around = neighbours(rows, columns)
    safe = ((1 << (rows * columns)) - 1) & ~mines
    zeros = 0
    for k in bits(safe):
        if not around[k] & mines:
            zeros |= 1 << k
    found = []
    while zeros:
        opening = opened_by(zeros & -zeros, mines, safe, around)
        found.append(opening)
        zeros &= ~opening
    return tuple(found)
