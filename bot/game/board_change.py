"""Comparisons of a board with the board read before it."""

from __future__ import annotations

from games.logic import bits
from games.minesweeper import CLOSED, DIGITS, EXPLODED, FLAG, MINE, MINES_SHOWN, UNKNOWN, Board, Move
from vision.reading import Reading

MOST_UNREAD = 0.25  # of the cells: with more unknown, what is seen is hardly the board
MANY_NUMBERS, MOST_LOST = 8, 0.75  # open cells, and the share of them that nothing but another picture hides
FEW_NUMBERS = 2  # open cells: of so few, all
ALL = 0.95  # the same of all cells, where there are fewer numbers


def changed_numbers(board: Board, earlier: Board) -> int:
    """The cells (a set) that were a number and are something else now, or were a mine and are a number.

    Neither can be in one game, so one of the two readings was wrong. A cell that cannot be read now shows
    nothing, and a board without a number is a new game's.
    """
    if (board.rows, board.columns) != (earlier.rows, earlier.columns) or not board.open:
        return 0
    others = earlier.cells_showing(MINE + EXPLODED) & board.open
    for number in DIGITS:
        others |= earlier.cells_showing(number) & ~board.cells_showing(number)
    return others & ~board.unread


def merge_reading(board: Board, before: Board | None, opened: int) -> Board:
    """What a board is taken for: numbers stay where they were, and a cell that was `opened` is no flag."""
    board = keep_known_numbers(board, before)
    flags = board.flagged & opened
    return board.with_states(dict.fromkeys(bits(flags), UNKNOWN)) if flags else board


def keep_known_numbers(board: Board, before: Board | None) -> Board:
    """The board with cells that cannot be read now showing the numbers that they showed before.

    A number never changes, so something that covers it for a moment (a message, a highlight) hides nothing.
    """
    if before is None:
        return board
    return board.with_states({k: before[k] for k in bits(board.unread & before.open)})


def is_correction(reading: Reading, before: Board) -> bool:
    """Whether some numbers are other numbers now, or mines at the end, and nothing else cannot be."""
    board = reading.board
    changed = changed_numbers(board, before)
    likely = board.cells_showing(DIGITS + (MINES_SHOWN if reading.has_ended else ""))
    most = max(1, MOST_UNREAD * before.open.bit_count())
    return 0 < changed.bit_count() <= most and not changed & ~likely


def is_lost_from_view(board: Board, before: Board) -> bool:
    """Whether so little of what was there can be read that this is another picture."""
    numbers, unread = before.open.bit_count(), (board.unread & before.open).bit_count()
    if numbers >= MANY_NUMBERS:
        return unread > MOST_LOST * numbers
    if numbers >= FEW_NUMBERS and unread == numbers:
        return True
    is_blank = board.unread.bit_count() > ALL * len(board)
    return is_blank and before.unread.bit_count() <= MOST_UNREAD * len(board)


def is_over(reading: Reading, board: Board) -> bool:
    """Whether a picture shows that the game is over."""
    return reading.has_ended or bool(board.shown_mines)


def is_mid_cascade(board: Board) -> bool:
    """Whether a zero lies among closed cells: they are about to be opened, or a held button drew a blank."""
    return any(board.around[k] & board.closed for k in bits(board.cells_showing("0")))


def is_move_visible(move: Move, board: Board) -> bool:
    """Whether a board shows what a move does. A cell that is unread may show anything."""
    match move.kind:
        case "open":
            return board[move.cell] not in CLOSED + FLAG
        case "flag":
            return board[move.cell] not in CLOSED
        case "unflag":
            return board[move.cell] != FLAG
        case "chord":
            return not board.around[move.cell] & board.closed
