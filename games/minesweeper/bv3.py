"""3BV: the fewest left clicks that win a board without flags or chords."""

from __future__ import annotations

from games.logic.bits import bits
from games.minesweeper.board import neighbours


def bv3(rows: int, columns: int, mines: int) -> int:
    """The 3BV of a field with these mines (a set): its openings, and its numbers that touch no opening."""
    around = neighbours(rows, columns)
    safe = ((1 << (rows * columns)) - 1) & ~mines
    zeros = 0
    for k in bits(safe):
        if not around[k] & mines:
            zeros |= 1 << k
    clicks = 0
    reached = 0
    while zeros & ~reached:
        clicks += 1
        wave = (zeros & ~reached) & -(zeros & ~reached)
        while wave:
            reached |= wave
            spread = 0
            for k in bits(wave & zeros):
                spread |= around[k]
            wave = spread & ~reached
    return clicks + (safe & ~reached).bit_count()
