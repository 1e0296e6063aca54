"""Simulated minefields, openings, and the board measures 3BV and ZiNi.

3BV is the minimum number of left clicks that win a board without flags or chords. ZiNi approximates the
minimum number of clicks with flags and chords (Elmar Zimmermann and Christoph Nikolaus, "New benchmark: 3BV
for flaggers", minesweepergame.com, forum, 2009): the cell with the highest premium gets its mines flagged and
a chord; if no premium is worth it, a cell is opened. The premium is the 3BV that the chord opens, minus its
flags, minus the chord, minus one click if the cell is closed. Ties are broken column by column, as in the
community's programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import get_args

from games.errors import ArgumentError, UsageError
from games.logic import bits
from games.minesweeper.board import DIGITS, EXPLODED, FLAG, HIDDEN, MINE, WRONG_FLAG, Board, Move, MoveKind
from games.minesweeper.deals import Deal
from games.minesweeper.variants import PLAIN, get_variant, neighbours


def flood_open(cells: int, mines: int, closed: int, around: Sequence[int]) -> int:
    """The cells that open if `cells` are opened, including those that zeros open.

    All are cell sets. `closed` are the cells that can be opened, `around` the neighbours of each cell. Mines
    among `cells` are ignored.
    """
    opened = 0
    wave = cells & closed & ~mines
    while wave:
        opened |= wave
        spread = 0
        for k in bits(wave):
            if not around[k] & mines:
                spread |= around[k]
        wave = spread & closed & ~opened
    return opened


def find_openings(rows: int, columns: int, mines: int, variant: str = PLAIN) -> tuple[int, ...]:
    """The openings of a field with these mines: sets of connected zeros and the numbers around them."""
    around = get_variant(variant).counted(rows, columns)
    safe = ((1 << (rows * columns)) - 1) & ~mines
    zeros = 0
    for k in bits(safe):
        if not around[k] & mines:
            zeros |= 1 << k
    found = []
    while zeros:
        opening = flood_open(zeros & -zeros, mines, safe, around)
        found.append(opening)
        zeros &= ~opening
    return tuple(found)


class Minefield:
    """One game with hidden mines. `board` is what the player sees.

    As in real programs, opening a zero opens its neighbours recursively, a flagged cell cannot be opened, a
    chord opens the unflagged neighbours of a clue that equals the number of flags next to it, and a lost
    game shows its mines. `win_needs` is "open" (all safe cells) or "flags" (all mines flagged as well).
    """

    def __init__(self, deal: Deal, first_click: str = "safe", win_needs: str = "open") -> None:
        if first_click not in ("safe", "zero", "none"):
            raise UsageError(f"invalid first click '{first_click}': use safe, zero or none")
        self._deal = deal
        self._first_click = first_click
        self._win_needs = win_needs
        rules = get_variant(deal.variant)
        rules.check_first_click(first_click)
        self._around: Sequence[int] = rules.around(deal.rows, deal.columns)
        self._mines: int | None = None
        self._show: list[str] = [HIDDEN] * (deal.rows * deal.columns)
        self._hidden = (1 << len(self._show)) - 1  # the cells that show HIDDEN: neither open nor flagged
        self._to_open = len(self._show) - deal.mines  # cells without a mine that are not open yet
        self._lost = False

    @property
    def board(self) -> Board:
        """The displayed board."""
        return Board(
            self._deal.rows, self._deal.columns, "".join(self._show), self._deal.mines, self._deal.variant
        )

    @property
    def is_lost(self) -> bool:
        """Whether a mine has been opened."""
        return self._lost

    @property
    def is_won(self) -> bool:
        """Whether every safe cell is open, and every mine is flagged if `win_needs` says so."""
        is_open = not self._lost and self._mines is not None and self._to_open == 0
        return is_open and (self._win_needs == "open" or not self._hidden)

    @property
    def truth(self) -> int | None:
        """The set of mines, for evaluation; None before the first click."""
        return self._mines

    def play(self, moves: Iterable[Move]) -> Board:
        """Carry out moves in order until the game is over; returns the displayed board.

        Raises ArgumentError for anything but a move on this board.
        """
        for move in moves:
            if not isinstance(move, Move) or not 0 <= move.cell < len(self._show):
                last = len(self._show) - 1
                raise ArgumentError(f"{move!r} is no move here: pass Move(kind, cell), cells 0 to {last}")
            if self._lost or self.is_won:
                break
            match move.kind:
                case "open":
                    self._open(1 << move.cell)
                case "chord":
                    self._chord(move.cell)
                case "flag" | "unflag":
                    self._mark(move)
                case unknown:
                    raise ArgumentError(f"a move '{unknown}': use {', '.join(get_args(MoveKind))}")
        return self.board

    def _mark(self, move: Move) -> None:
        wanted, result = (HIDDEN, FLAG) if move.kind == "flag" else (FLAG, HIDDEN)
        if self._show[move.cell] == wanted:
            self._show[move.cell] = result
            self._hidden ^= 1 << move.cell

    def _chord(self, cell: int) -> None:
        if self._show[cell] not in DIGITS:
            return
        flags = sum(self._show[k] == FLAG for k in bits(self._around[cell]))
        if flags == int(self._show[cell]):
            self._open(self._around[cell])

    def _open(self, cells: int) -> None:
        if self._mines is None:
            self._mines = self._deal.lay(cells.bit_length() - 1, self._first_click)
        exploded = cells & self._mines & self._hidden
        opened = flood_open(cells, self._mines, self._hidden, self._around)
        for k in bits(opened):
            self._show[k] = DIGITS[(self._around[k] & self._mines).bit_count()]
        self._hidden ^= opened
        self._to_open -= opened.bit_count()
        if exploded:
            self._lose(exploded)

    def _lose(self, exploded: int) -> None:
        assert self._mines is not None
        self._lost = True
        for k, state in enumerate(self._show):
            mine = self._mines >> k & 1
            if exploded >> k & 1:
                self._show[k] = EXPLODED
            elif mine and state == HIDDEN:
                self._show[k] = MINE
            elif state == FLAG and not mine:
                self._show[k] = WRONG_FLAG


def bv3(rows: int, columns: int, mines: int, variant: str = PLAIN) -> int:
    """The 3BV of a field with this set of mines: its openings, and the numbers outside all openings."""
    numbers = ((1 << (rows * columns)) - 1) & ~mines
    found = find_openings(rows, columns, mines, variant)
    for opening in found:
        numbers &= ~opening
    return len(found) + numbers.bit_count()


def zini(rows: int, columns: int, mines: int) -> int:
    """Greedy ZiNi of a field with this set of mines."""
    return _ZiniSolver(rows, columns, mines).clicks(human=False)


def human_zini(rows: int, columns: int, mines: int) -> int:
    """Human ZiNi: first opens every opening; chords only on open cells."""
    return _ZiniSolver(rows, columns, mines).clicks(human=True)


class _ZiniSolver:
    """Solves one field with the ZiNi algorithm."""

    def __init__(self, rows: int, columns: int, mines: int) -> None:
        self._around = neighbours(rows, columns)
        self._mines = mines
        self._safe = ((1 << rows * columns) - 1) & ~mines
        self._openings = find_openings(rows, columns, mines)
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
                self._show(next(k for k in self._order if self._is_useful(k)))
        return count

    def _is_useful(self, cell: int) -> bool:
        """Whether a closed cell is a zero, or a number outside all openings."""
        return not self._open >> cell & 1 and (cell in self._zeros or bool(self._alone >> cell & 1))

    def _premium(self, cell: int) -> int:
        near = (self._around[cell] | 1 << cell) & self._safe & ~self._open
        worth = (near & self._alone).bit_count() + len(
            {self._zeros[k] for k in bits(near) if k in self._zeros}
        )
        flags = (self._around[cell] & self._mines & ~self._flagged).bit_count()
        return worth - flags - (not self._open >> cell & 1) - 1

    def _chord(self, cell: int) -> int:
        count = 1 + (not self._open >> cell & 1)
        self._show(cell)
        flags = self._around[cell] & self._mines & ~self._flagged
        self._flagged |= flags
        self._update_premiums(flags)
        for k in bits(self._around[cell] & self._safe & ~self._open):
            self._show(k)
        return count + flags.bit_count()

    def _show(self, cell: int) -> None:
        shown = self._zeros.get(cell, 1 << cell) & ~self._open
        self._open |= shown
        self._update_premiums(shown)

    def _update_premiums(self, changed: int) -> None:
        near = changed
        for k in bits(changed):
            near |= self._around[k]
        for k in bits(near & self._safe):
            self._premiums[k] = self._premium(k)
