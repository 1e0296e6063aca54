"""The belief about one board during a game: known states, last moves, history of unread cells.

All classes are frozen; an observation or a move creates a new belief.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from games.logic import bits, cell_set
from games.minesweeper import EXPLODED, HIDDEN, MINE, UNKNOWN, Board, Move
from vision.cells.clusters import Ids
from vision.label.search import Hypothesis


@dataclass(frozen=True)
class LastMoves:
    """The last moves. `certain`: according to the reading, none of them can hit a mine.

    Without moves, the user plays: any hidden cell may be opened or marked.
    """

    moves: tuple[Move, ...]
    certain: bool

    def opened(self, around: Sequence[int]) -> int:
        """The cell set that these moves open directly; `around` are the neighbours of each cell."""
        opened, flagged = self.having("open"), self.having("flag")
        for move in self.moves:
            if move.kind == "chord":
                opened |= around[move.cell] & ~flagged
        return opened

    def reached(self, around: Sequence[int], alone: int = 0) -> int:
        """The cell set opened directly and its neighbours.

        Neighbours of the cell set `alone` are excluded.
        """
        opened = self.opened(around)
        return opened | neighbours(opened & ~alone, around)

    def having(self, kind: str) -> int:
        """The cell set of all moves of one kind."""
        return cell_set(move.cell for move in self.moves if move.kind == kind)


@dataclass(frozen=True)
class UnreadHistory:
    """What earlier moves imply for cell sets that are unread and have not changed since.

    `shut`: unread on a fresh board, before the first move. `lasting`: hidden before, changed when they, or
    empty or unread neighbours, were opened; so they are open. (Next to a number or flag, a cover may change
    its edge.) `reached`: connected to an opened cell through such changes; most of them are open. `refused`:
    clicked without change.
    """

    shut: int = 0
    lasting: int = 0
    reached: int = 0
    refused: int = 0

    def after(self, acts: LastMoves, before: Board, now: Board, same: int) -> UnreadHistory:
        """The history after `acts` on `before`; `now` is the reading, `same` the unchanged cell set."""
        opens_more = now.cells_showing("0") | now.unread
        changed = ~same & before.closed & ~acts.having("flag")
        beside = acts.reached(now.around, alone=~opens_more) & changed
        reached = changed_with(acts.opened(now.around), changed, now.around)
        return UnreadHistory(
            self.shut & same,
            (self.lasting | beside) & now.unread,
            (self.reached | reached) & now.unread,
            (self.refused | acts.having("open")) & same & now.unread,
        )


def neighbours(cells: int, around: Sequence[int]) -> int:
    """The neighbours of a cell set; `around` are the neighbours of each cell."""
    found = 0
    for k in bits(cells):
        found |= around[k]
    return found


def cells_where(holds: NDArray[np.bool_]) -> int:
    """The cell set of the cells for which a condition holds."""
    return cell_set(np.flatnonzero(holds).tolist())


def changed_with(opened: int, changed: int, around: Sequence[int], through: int = -1) -> int:
    """The changed cells connected to an opened one through changed cells (cell sets).

    Paths pass only through cells of `through`; by default, all.
    """
    reached = edge = opened & changed
    while edge:
        edge = neighbours(edge & through, around) & changed & ~reached
        reached |= edge
    return reached


NONE = UnreadHistory()
NOTHING = LastMoves((), certain=False)


# a fresh board has no open cell and at most one unread cell in this many; otherwise the loop does not play
FRESH = 4
LIKELIEST = 4  # hypotheses from which the next search for states also starts


@dataclass(frozen=True, eq=False)
class Belief:
    """The belief about a board.

    `board` and `ids` are the known states and the clusters of all cells when `acts` were made; `states` are
    the cluster states settled then, `likely` those of the likeliest hypotheses. `now`, `ids_now` and
    `settled` belong to the last observation; `settled` takes effect only with the next move, because a
    picture may be an animation. `unread` is the history of unread cells before the last moves; `spreads`: a
    move opened more than its cell and the neighbours. `risked` is the cell set opened at a risk in this game,
    `observed` the number of observations since the last moves. `is_stuck`: the program ignores moves since
    the last observation; `was_stuck`: it did so earlier in this game.
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
    likely: tuple[Mapping[int, str], ...] = ()

    def after_moves(self, acts: LastMoves) -> Belief:
        """The belief after moves on the board that was observed last."""
        board = self.now
        if board is None or self.ids_now is None:
            return self
        ids, states = self.ids_now, self.settled
        opened, spreads = acts.opened(board.around), self.spreads
        if self.board is None or self.ids is None:
            is_fresh = FRESH * board.unread.bit_count() <= len(board) and not board.open
            unread = UnreadHistory(shut=board.unread if is_fresh else 0)
        else:
            covered = board.unread & self.board.open  # a covered number is still there
            board = board.with_states({k: self.board[k] for k in bits(covered)})
            same = cells_where(self.ids == self.ids_now)
            done = self.acts or NOTHING
            unread = self.unread.after(done, self.board, board, same)
            unread = replace(unread, lasting=unread.lasting & ~opened, reached=unread.reached & ~opened)
            ring = done.reached(board.around)
            spreads |= bool(ring and self.board.closed & ~same & ~ring & ~done.having("flag"))
            if not acts.moves and (new := self._new_covers(board)):  # a person plays: maybe half drawn
                states = {cluster: state for cluster, state in states.items() if cluster not in new}
                states |= {cluster: self.states[cluster] for cluster in new & self.states.keys()}
                passing = [k for k in bits(board.closed) if int(ids[k]) in new]
                board = board.with_states({k: self.board[k] for k in passing})
                ids = ids.copy()
                ids[passing] = self.ids[passing]
            if not acts.moves:  # a number of an opening that is still being drawn looks empty
                board = board.with_states(dict.fromkeys(bits(board.unfinished_zeros), UNKNOWN))
        return replace(
            self, board=board, ids=ids, states=states, acts=acts, unread=unread,
            spreads=spreads, risked=self.risked | (0 if acts.certain else opened), observed=0, is_stuck=False,
            likely=tuple(each.states for each in self.hypotheses[:LIKELIEST]),
        )  # fmt: skip

    def _new_covers(self, board: Board) -> set[int]:
        """The clusters of hidden cells that look new, or open so far, as a half-drawn opening does.

        None if no hidden cell looks as before: the theme has changed.
        """
        assert self.ids_now is not None
        covers = {int(self.ids_now[k]) for k in bits(board.cells_showing(HIDDEN))}
        new = {cluster for cluster in covers if self.states.get(cluster) != HIDDEN}
        return new if new != covers else set()

    def lost(self, mines: int, hit: int) -> Belief:
        """The belief that these cells are mines and that the moves opened one of them, `hit`."""
        assert self.now is not None
        states = dict.fromkeys(bits(mines & ~hit), MINE) | dict.fromkeys(bits(hit), EXPLODED)
        return replace(self, now=self.now.with_states(states), hypotheses=())

    def under_cover(self, cells: int) -> Belief:
        """The belief about a picture with a cover over these cells: nothing is learned from it.

        Unchanged cells keep their states, whatever the cover suggests about them.
        """
        assert self.now is not None
        assert self.board is not None
        assert self.ids is not None
        assert self.ids_now is not None
        same = cells_where(self.ids == self.ids_now) & ~self.board.unread
        now = self.now.with_states({k: self.board[k] for k in bits(same)})
        now = now.with_states(dict.fromkeys(bits(cells), UNKNOWN))
        return replace(self, now=now, settled=self.states, hypotheses=())

    def is_plain(self, changed: int) -> bool:
        """Whether the changes are the ordinary effect of moves without risk."""
        is_certain = self.acts is not None and self.acts.certain and not self.is_stuck
        return self.board is not None and (is_certain or not changed)
