"""The belief about a board during a game, an immutable value: each observation makes a new one.

It includes the last moves and the history of cells that could not be read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from games.logic import bits, cell_set
from games.minesweeper import Board, Move
from vision.cells.clusters import Ids
from vision.label.search import Hypothesis


@dataclass(frozen=True)
class LastMoves:
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
class UnreadHistory:
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

    def after(self, acts: LastMoves, before: Board, now: Board, same: int) -> UnreadHistory:
        """The same when `acts` were made on `before`, `now` is read, and the cells `same` look as before."""
        opens_more = now.cells_showing("0") | now.unread
        changed = ~same & before.closed
        beside = acts.reached(now.around, alone=~opens_more) & changed
        reached = changed_with(acts.opened(now.around), changed, now.around)
        return UnreadHistory(
            self.shut & same,
            (self.lasting | beside) & now.unread,
            (self.reached | reached) & now.unread,
            (self.refused | acts.having("open")) & same & now.unread,
        )


def changed_with(opened: int, changed: int, around: Sequence[int]) -> int:
    """The changed cells that hang together with an opened one, through changed cells (sets)."""
    reached = edge = opened & changed
    while edge:
        beside = 0
        for k in bits(edge):
            beside |= around[k]
        edge = beside & changed & ~reached
        reached |= edge
    return reached


NONE = UnreadHistory()
NOTHING = LastMoves((), certain=False)


# nothing open, and one cell in so many unread at most: a fresh board; with more unread the loop plays no game
FRESH = 4


@dataclass(frozen=True, eq=False)
class Belief:
    """What is believed of a board.

    `board` is what was known when `acts` were made, `ids` the clusters of all cells then; `states` are those
    of clusters that were settled then. `now` and `ids_now` are of the last observation, `settled` what it
    settled in its turn: it counts only when the next act is made, for a picture may be an animation.
    `unread` is what acts before the last ones say of cells that are not read; `spreads`: an act opened more
    than its cell and those beside it. `risked` are the cells (a set) that were opened at a risk in this game,
    `observed` counts observations since the acts. `is_stuck`: the program takes no more acts since the last
    observation; `was_stuck`: it was so before in this game.
    """

    board: Board | None = None
    ids: Ids | None = None
    states: Mapping[int, str] = field(default_factory=dict)
    acts: LastMoves | None = None
    now: Board | None = None
    ids_now: Ids | None = None
    settled: Mapping[int, str] = field(default_factory=dict)
    hypotheses: tuple[Hypothesis, ...] = ()
    unread: UnreadHistory = NONE
    spreads: bool = False
    risked: int = 0
    observed: int = 0
    is_stuck: bool = False
    was_stuck: bool = False

    def after_moves(self, acts: LastMoves) -> Belief:
        """The belief when these are made on the board that was observed last."""
        board = self.now
        if board is None or self.ids_now is None:
            return self
        opened, spreads = acts.opened(board.around), self.spreads
        if self.board is None or self.ids is None:
            is_fresh = FRESH * board.unread.bit_count() <= len(board) and not board.open
            unread = UnreadHistory(shut=board.unread if is_fresh else 0)
        else:
            covered = board.unread & self.board.open  # a number that is covered now is still there
            board = board.with_states({k: self.board[k] for k in bits(covered)})
            same = cell_set(np.flatnonzero(self.ids == self.ids_now).tolist())
            done = self.acts or NOTHING
            unread = self.unread.after(done, self.board, board, same)
            unread = replace(unread, lasting=unread.lasting & ~opened, reached=unread.reached & ~opened)
            ring = done.reached(board.around)
            spreads |= bool(ring and self.board.closed & ~same & ~ring)
        return replace(
            self, board=board, ids=self.ids_now, states=self.settled, acts=acts, unread=unread,
            spreads=spreads, risked=self.risked | (0 if acts.certain else opened), observed=0, is_stuck=False,
        )  # fmt: skip

    def is_plain(self, changed: int) -> bool:
        """Whether what changed is just what acts that are no risk do: cells were opened, or marked."""
        if self.board is None or self.acts is None or not self.acts.certain or self.is_stuck:
            return self.board is not None and not changed
        return True
