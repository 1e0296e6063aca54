"""A hidden field of mines that answers moves the way real programs do. Players never see inside it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from games.errors import InvalidFile, Usage
from games.logic.bits import bits, cell_set
from games.minesweeper.board import (
    DIGITS,
    EXPLODED,
    FLAG,
    HIDDEN,
    MINE,
    WRONG_FLAG,
    Board,
    neighbours,
)
from games.minesweeper.moves import Move


@dataclass(frozen=True, slots=True)
class Deal:
    """An order of cells from which the mines are laid once the first click is known.

    `order` is the beginning of a random permutation of the cells. After the first click f the mines are the
    first `mines` cells of it that are not forbidden: f itself for *safe*, f and its neighbours for *zero*,
    nothing for *none* (the boards file of the design).
    """

    rows: int
    columns: int
    mines: int
    order: tuple[int, ...]

    @classmethod
    def random(cls, rows: int, columns: int, mines: int, seed: int | str) -> Deal:
        """A deal from a seed. Raises Usage when the mines do not fit."""
        cells = rows * columns
        if not 0 <= mines < cells:
            raise Usage(f"{mines} mines do not fit on {columns}x{rows}: take 0 to {cells - 1}")
        return cls(rows, columns, mines, tuple(random.Random(seed).sample(range(cells), cells)))

    def lay(self, first: int, first_click: str) -> int:
        """The set (int) of the mines after a first click on `first`, which is *safe*, *zero* or *none*."""
        forbidden = 0
        if first_click in ("safe", "zero"):
            forbidden |= 1 << first
        if first_click == "zero":
            forbidden |= neighbours(self.rows, self.columns)[first]
        allowed = [k for k in self.order if not forbidden >> k & 1]
        if len(allowed) < self.mines:
            raise Usage(
                f"{self.mines} mines do not leave a {first_click} first click on "
                f"{self.columns}x{self.rows}: take fewer mines"
            )
        return cell_set(allowed[: self.mines])


def read_deals(path: Path) -> dict[int, Deal]:
    """The games of a boards file by number. Raises InvalidFile with the line number."""
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidFile(f"{path}: cannot be read as a boards file ({error})") from error
    head = lines[0].split() if lines else []
    if len(head) < 5 or head[0] != "#" or not all(word.isdigit() for word in head[2:5]):
        raise InvalidFile(f"{path}, line 1: write '# name WIDTH HEIGHT MINES'")
    columns, rows, mines = (int(word) for word in head[2:5])
    if not 0 < mines < columns * rows:
        raise InvalidFile(f"{path}, line 1: {mines} mines do not make a game on {columns}x{rows}")
    deals = {}
    for number, line in enumerate(lines[1:], 2):
        if not line.strip() or line.startswith("#"):
            continue
        if not all(word.isdigit() for word in line.split()):
            raise InvalidFile(f"{path}, line {number}: write the game's number, then cells as numbers")
        game, *order = (int(word) for word in line.split())
        if len(order) < min(mines + 9, columns * rows):
            raise InvalidFile(f"{path}, line {number}: {len(order)} cells, {mines + 9} are needed")
        if max(order) >= columns * rows or len(set(order)) < len(order):
            raise InvalidFile(f"{path}, line {number}: a cell is out of range or named twice")
        deals[game] = Deal(rows, columns, mines, tuple(order))
    return deals


class Minefield:
    """One game on a hidden field. `board` is all that a player may look at.

    As in real programs: opening a zero opens its neighbours and so on, flags keep a cell shut, a chord opens
    the unflagged neighbours of a clue whose number of flags is right, a lost game shows its mines.
    `win_needs` is "open" (every safe cell) or "flags" (every mine flagged as well).
    """

    def __init__(self, deal: Deal, first_click: str = "safe", win_needs: str = "open") -> None:
        if first_click not in ("safe", "zero", "none"):
            raise Usage(f"a first click is safe, zero or none, not '{first_click}'")
        self._deal = deal
        self._first_click = first_click
        self._win_needs = win_needs
        self._around: Sequence[int] = neighbours(deal.rows, deal.columns)
        self._mines: int | None = None
        self._show: list[str] = [HIDDEN] * (deal.rows * deal.columns)
        self._lost = False

    @property
    def board(self) -> Board:
        """What the player sees."""
        return Board(self._deal.rows, self._deal.columns, "".join(self._show), self._deal.mines)

    @property
    def is_lost(self) -> bool:
        """Whether a mine has been opened."""
        return self._lost

    @property
    def is_won(self) -> bool:
        """Whether every cell without a mine is open (and, where a win needs it, every mine flagged)."""
        shut = [state for state in self._show if state not in DIGITS]
        is_open = not self._lost and self._mines is not None and len(shut) == self._deal.mines
        return is_open and (self._win_needs == "open" or all(state == FLAG for state in shut))

    @property
    def truth(self) -> int | None:
        """The set of the mines, for whoever scores the game; None before the first click."""
        return self._mines

    def play(self, moves: Iterable[Move]) -> Board:
        """Carry out moves, one after the other, until the game is over; what the board shows then."""
        for move in moves:
            if self._lost or self.is_won:
                break
            match move.kind:
                case "open":
                    self._open(1 << move.cell)
                case "chord":
                    self._chord(move.cell)
                case "flag" | "unflag":
                    self._mark(move)
        return self.board

    def _mark(self, move: Move) -> None:
        wanted, result = (HIDDEN, FLAG) if move.kind == "flag" else (FLAG, HIDDEN)
        if self._show[move.cell] == wanted:
            self._show[move.cell] = result

    def _chord(self, cell: int) -> None:
        if self._show[cell] not in DIGITS:
            return
        flags = sum(self._show[k] == FLAG for k in bits(self._around[cell]))
        if flags == int(self._show[cell]):
            self._open(self._around[cell])

    def _open(self, cells: int) -> None:
        """Open these cells and whatever a zero among them opens."""
        if self._mines is None:
            self._mines = self._deal.lay(cells.bit_length() - 1, self._first_click)
        waiting = [k for k in bits(cells) if self._show[k] == HIDDEN]
        exploded = cells & self._mines & cell_set(waiting)
        while waiting:
            k = waiting.pop()
            if self._show[k] != HIDDEN or self._mines >> k & 1:
                continue
            number = (self._around[k] & self._mines).bit_count()
            self._show[k] = str(number)
            if number == 0:
                waiting.extend(j for j in bits(self._around[k]) if self._show[j] == HIDDEN)
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
