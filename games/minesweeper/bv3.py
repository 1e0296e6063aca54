"""3BV: the fewest left clicks that win a board without flags or chords."""

from __future__ import annotations

from games.logic.bits import bits
from games.minesweeper.board import neighbours


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
        opening, wave = 0, zeros & -zeros
        while wave:
            opening |= wave
            spread = 0
            for k in bits(wave & zeros):
                spread |= around[k]
            wave = spread & ~opening
        found.append(opening)
        zeros &= ~opening
    return tuple(found)


def bv3(rows: int, columns: int, mines: int) -> int:
    """The 3BV of a field with these mines (a set): its openings, and its numbers that touch no opening."""
    numbers = ((1 << (rows * columns)) - 1) & ~mines
    found = openings(rows, columns, mines)
    for opening in found:
        numbers &= ~opening
    return len(found) + numbers.bit_count()
