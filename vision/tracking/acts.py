"""What was done to a board, and what it says of cells that could not be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.logic import bits, cell_set
from games.minesweeper import Board, Move


@dataclass(frozen=True)
class Acts:
    """The moves that were made last; `certain`: none of them can hit a mine by what was read.

    Without moves somebody else plays: any hidden cell may be opened or marked.
    """

    moves: tuple[Move, ...]
    certain: bool

    def opened(self, around: Sequence[int]) -> int:
        """The cells that these moves open by themselves (a set); `around` are the neighbours of each cell."""
        opened = cell_set(move.cell for move in self.moves if move.kind == "open")
        for move in self.moves:
            if move.kind == "chord":
                opened |= around[move.cell]
        return opened

    def reached(self, around: Sequence[int], alone: int = 0) -> int:
        """The cells that these moves open by themselves, and those beside them (a set).

        Nothing beside the cells `alone` (a set).
        """
        opened = reached = self.opened(around)
        for k in bits(opened & ~alone):
            reached |= around[k]
        return reached

    def having(self, kind: str) -> int:
        """The cells of all moves of one kind (a set)."""
        return cell_set(move.cell for move in self.moves if move.kind == kind)


@dataclass(frozen=True)
class Unread:
    """What earlier acts say of cells (sets of them) that are not read, and that look the same since.

    `shut` were unread before the first act, where nothing was open. `lasting` were hidden, and changed when
    they were opened, or empty or unread cells beside them: they are open, though nothing was read there.
    (Beside a number or a flag a cover may change its edge.) `reached` hung together with an opened cell
    through such changes: most of them are open. `refused` were opened, and did not change.
    """

    shut: int = 0
    lasting: int = 0
    reached: int = 0
    refused: int = 0

    def after(self, acts: Acts, before: Board, now: Board, same: int) -> Unread:
        """The same when `acts` were made on `before`, `now` is read, and the cells `same` look as before."""
        opens_more = now.having("0") | now.unread
        changed = ~same & before.closed
        beside = acts.reached(now.around, alone=~opens_more) & changed
        reached = hanging_together(acts.opened(now.around), changed, now.around)
        return Unread(
            self.shut & same,
            (self.lasting | beside) & now.unread,
            (self.reached | reached) & now.unread,
            (self.refused | acts.having("open")) & same & now.unread,
        )


def hanging_together(opened: int, changed: int, around: Sequence[int]) -> int:
    """The changed cells that hang together with an opened one, through changed cells (sets)."""
    reached = edge = opened & changed
    while edge:
        beside = 0
        for k in bits(edge):
            beside |= around[k]
        edge = beside & changed & ~reached
        reached |= edge
    return reached


NONE = Unread()
NOTHING = Acts((), certain=False)
