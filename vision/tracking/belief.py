"""What is believed of one board in the middle of a game. Frozen: an observation makes a new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from games.logic import bits, cell_set
from games.minesweeper import Board
from vision.cells import Ids
from vision.labelling import Hypothesis
from vision.tracking.acts import NONE, NOTHING, Acts, Unread

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
    acts: Acts | None = None
    now: Board | None = None
    ids_now: Ids | None = None
    settled: Mapping[int, str] = field(default_factory=dict)
    hypotheses: tuple[Hypothesis, ...] = ()
    unread: Unread = NONE
    spreads: bool = False
    risked: int = 0
    observed: int = 0
    is_stuck: bool = False
    was_stuck: bool = False

    def acted(self, acts: Acts) -> Belief:
        """The belief when these are made on the board that was observed last."""
        board = self.now
        if board is None or self.ids_now is None:
            return self
        opened, spreads = acts.opened(board.around), self.spreads
        if self.board is None or self.ids is None:
            is_fresh = FRESH * board.unread.bit_count() <= len(board) and not board.open
            unread = Unread(shut=board.unread if is_fresh else 0)
        else:
            covered = board.unread & self.board.open  # a number that is covered now is still there
            board = board.showing({k: self.board[k] for k in bits(covered)})
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
