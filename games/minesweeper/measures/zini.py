"""ZiNi: about the fewest clicks that win a board where flags and chords are used as well.

By Elmar Zimmermann and Christoph Nikolaus ("New benchmark: 3BV for flaggers", minesweepergame.com, forum,
2009): the cell whose premium is highest gets its mines flagged and a chord; where none is worth it, a cell is
opened. A premium is the 3BV that the chord opens, less its flags, less the chord, less a click where the cell
is closed. Of equal cells the first is taken, column by column, as the community's programs do.
"""

from __future__ import annotations

from games.logic import bits
from games.minesweeper.neighbours import neighbours
from games.minesweeper.openings import openings


def zini(rows: int, columns: int, mines: int) -> int:
    """Greedy ZiNi of a field with these mines (a set)."""
    return _Clicker(rows, columns, mines).clicks(human=False)


def human_zini(rows: int, columns: int, mines: int) -> int:
    """Human ZiNi: every opening is opened first, and only cells that are open get a chord."""
    return _Clicker(rows, columns, mines).clicks(human=True)


class _Clicker:
    """Wins one field by ZiNi's rule. All sets are ints."""

    def __init__(self, rows: int, columns: int, mines: int) -> None:
        self._around = neighbours(rows, columns)
        self._mines = mines
        self._safe = ((1 << rows * columns) - 1) & ~mines
        self._openings = openings(rows, columns, mines)
        self._alone = self._safe  # numbers that no opening opens
        for opening in self._openings:
            self._alone &= ~opening
        self._zeros = {
            k: opening for opening in self._openings for k in bits(opening) if not self._around[k] & mines
        }
        self._order = sorted(bits(self._safe), key=lambda k: (k % columns, k // columns))
        self._open = self._flagged = 0
        self._premiums: dict[int, int] = {}

    def clicks(self, human: bool) -> int:
        """How many clicks it takes."""
        count = 0
        if human:
            count = len(self._openings)
            for opening in self._openings:
                self._open |= opening
        self._premiums = {k: self._premium(k) for k in self._order}
        while self._safe & ~self._open:
            allowed = [k for k in self._order if self._open >> k & 1] if human else self._order
            best = max(allowed, key=self._premiums.__getitem__, default=None)
            if best is not None and self._premiums[best] >= 0:
                count += self._chord(best)
            else:
                count += 1
                self._show(next(k for k in self._order if self._is_worth(k)))
        return count

    def _is_worth(self, cell: int) -> bool:
        """Whether a closed cell opens something that nothing else opens for it."""
        return not self._open >> cell & 1 and (cell in self._zeros or bool(self._alone >> cell & 1))

    def _premium(self, cell: int) -> int:
        near = (self._around[cell] | 1 << cell) & self._safe & ~self._open
        worth = (near & self._alone).bit_count() + len(
            {self._zeros[k] for k in bits(near) if k in self._zeros}
        )
        flags = (self._around[cell] & self._mines & ~self._flagged).bit_count()
        return worth - flags - (not self._open >> cell & 1) - 1

    def _chord(self, cell: int) -> int:
        """Open the cell, flag its mines and chord; the clicks that it took."""
        count = 1 + (not self._open >> cell & 1)
        self._show(cell)
        flags = self._around[cell] & self._mines & ~self._flagged
        self._flagged |= flags
        self._renew(flags)
        for k in bits(self._around[cell] & self._safe & ~self._open):
            self._show(k)
        return count + flags.bit_count()

    def _show(self, cell: int) -> None:
        shown = self._zeros.get(cell, 1 << cell) & ~self._open
        self._open |= shown
        self._renew(shown)

    def _renew(self, changed: int) -> None:
        """Find the premiums again of the cells on and around these."""
        near = changed
        for k in bits(changed):
            near |= self._around[k]
        for k in bits(near & self._safe):
            self._premiums[k] = self._premium(k)
