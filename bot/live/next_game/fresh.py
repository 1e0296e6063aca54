"""Whether what is to be seen after a game is the next one."""

from __future__ import annotations

import numpy as np

from bot.live.finding import Seen
from games.minesweeper import Board


def is_hidden(ended: Seen | None, before: Seen) -> bool:
    """Whether the board of a game that has ended is not to be seen: none is, or only a part of it."""
    if ended is None:
        return True
    board, whole = ended.board, before.board
    return (board.rows, board.columns) != (whole.rows, whole.columns) or board.unread == board.everything


def has_begun(seen: Seen, last: Board, before: Seen) -> bool:
    """Whether a program has started its next game by itself, after one that showed `last` when it ended.

    A click that was made before that was seen may have opened something of it. Where `last` shows nothing
    open, the mine that was hit may look like a shut cell: then the board must look as it did `before` it.
    """
    board = seen.board
    if is_fresh(seen, None):
        if not last.open:
            return looks_like(seen, before)
        return not board.unread & last.open  # or it may be the old one, badly read
    is_open = (board.rows, board.columns) == (last.rows, last.columns) and last.open & board.closed
    return bool(is_open) and not seen.is_finished and 2 * board.closed.bit_count() >= len(board)


def looks_like(seen: Seen, other: Seen) -> bool:
    """Whether two boards are the same picture, wherever they lie."""
    now, then = (each.frame.cut(*each.lattice.box).pixels for each in (seen, other))
    return np.array_equal(now, then)


def is_fresh(seen: Seen, ended: Seen | None) -> bool:
    """Whether this is the board of a new game: not over, and closed where the one that has ended was open.

    Programs that open the first cells themselves may open more than a lost game had. Where the one before is
    not known to be over, the new one must also be less open by half. Where it was lost by its first click,
    the cell that cannot be read must have changed.
    """
    board = seen.board
    if seen.is_finished or 2 * board.closed.bit_count() < len(board):
        return False
    if ended is not None and (board.rows, board.columns) != (ended.board.rows, ended.board.columns):
        return False
    if not board.open or ended is None:
        is_as_it_was = ended is not None and not ended.board.open and board.unread & ended.board.unread
        return not board.open and not is_as_it_was
    is_less = 2 * board.open.bit_count() <= ended.board.open.bit_count()
    return is_less or (ended.is_finished and bool(ended.board.open & board.closed))


def is_another(seen: Seen | None, before: Seen) -> bool:
    """Whether this is a closed board of another size: another level."""
    if seen is None or seen.board.open or seen.board.unread:
        return False
    return (seen.board.rows, seen.board.columns) != (before.board.rows, before.board.columns)
