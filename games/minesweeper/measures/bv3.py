"""3BV: the fewest left clicks that win a board without flags or chords."""

from __future__ import annotations

from games.minesweeper.openings import openings


def bv3(rows: int, columns: int, mines: int) -> int:
    """The 3BV of a field with these mines (a set): its openings, and its numbers that touch no opening."""
    numbers = ((1 << (rows * columns)) - 1) & ~mines
    found = openings(rows, columns, mines)
    for opening in found:
        numbers &= ~opening
    return len(found) + numbers.bit_count()
