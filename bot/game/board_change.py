"""Comparisons of a board with the board read before it."""

from __future__ import annotations

from games.logic import bits, cell_set
from games.minesweeper import CLOSED, DIGITS, EXPLODED, FLAG, MINE, MINES_SHOWN, UNKNOWN, Board, Move
from vision.reading import Reading

MOST_UNREAD = 0.25  # share of cells; with more unknown cells, the image is probably not the board
MANY_NUMBERS, MOST_LOST = 8, 0.75  # open cells; the share of them that only a different image can hide
FEW_NUMBERS = 2  # open cells; of so few, all must be hidden
LINE = 4  # cells; a shorter row or column may be unreadable by chance
ALL = 0.95  # the same share of all cells, for boards with fewer numbers


def changed_numbers(board: Board, earlier: Board) -> int:
    """The cell set that changed from a number to anything else, or from a mine to a number.

    Neither happens within a game, so one of the two readings was wrong. Unknown cells do not count, and a
    board without numbers belongs to a new game.
    """
    if (board.rows, board.columns) != (earlier.rows, earlier.columns) or not board.open:
        return 0
    others = earlier.cells_showing(MINE + EXPLODED) & board.open
    for number in DIGITS:
        others |= earlier.cells_showing(number) & ~board.cells_showing(number)
    return others & ~board.unread


def merge_reading(board: Board, before: Board | None, opened: int) -> Board:
    """The board after corrections: known numbers stay, and an `opened` cell is not a flag."""
    board = keep_known_numbers(board, before)
    flags = board.flagged & opened
    return board.with_states(dict.fromkeys(bits(flags), UNKNOWN)) if flags else board


def keep_known_numbers(board: Board, before: Board | None) -> Board:
    """The board, with unknown cells filled with the numbers they showed before.

    Numbers never change, so a temporary cover (a message, a highlight) loses no information.
    """
    if before is None:
        return board
    return board.with_states({k: before[k] for k in bits(board.unread & before.open)})


def is_partly_covered(board: Board, before: Board) -> bool:
    """Whether closed cells in place of numbers belong to a cover: all numbers still visible are the same.

    A new game has other numbers.
    """
    both = before.open & board.open
    same = both & ~changed_numbers(board, before)
    return both == same and same.bit_count() >= MANY_NUMBERS


def is_correction(reading: Reading, before: Board) -> bool:
    """Whether the only contradictions are a few numbers that became other numbers, or mines at the end.

    A cover in the colour of empty cells hides numbers, so that only one may have become empty.
    """
    board = reading.board
    changed = changed_numbers(board, before)
    if (changed & board.cells_showing("0")).bit_count() > 1:
        return False
    likely = board.cells_showing(DIGITS + (MINES_SHOWN if reading.has_ended else ""))
    most = max(1, MOST_UNREAD * before.open.bit_count())
    return 0 < changed.bit_count() <= most and not changed & ~likely


def is_lost_from_view(board: Board, before: Board) -> bool:
    """Whether so few of the known cells are readable that the image shows something else."""
    numbers, unread = before.open.bit_count(), (board.unread & before.open).bit_count()
    if numbers >= MANY_NUMBERS:
        return unread > MOST_LOST * numbers
    if numbers >= FEW_NUMBERS and unread == numbers:
        return True
    is_blank = board.unread.bit_count() > ALL * len(board)
    return is_blank and before.unread.bit_count() <= MOST_UNREAD * len(board)


def unread_edges(board: Board) -> int:
    """The cells of the outer rows and columns that have no readable cell; most other cells are readable.

    Such a line may be a decoration next to the board.
    """
    cells = range(len(board))
    lines = [
        cell_set(k for k in cells if divmod(k, board.columns)[axis] == place)
        for axis, count in ((0, board.rows), (1, board.columns))
        for place in (0, count - 1)
    ]
    found = 0
    for line in lines:
        found |= line if line.bit_count() >= LINE and not line & ~board.unread else 0
    rest = board.everything & ~found
    return found if 2 * (rest & board.unread).bit_count() < rest.bit_count() else 0


def is_over(reading: Reading, board: Board) -> bool:
    """Whether the reading shows that the game is over."""
    return reading.has_ended or bool(board.shown_mines)


def is_move_visible(move: Move, board: Board) -> bool:
    """Whether the board shows the effect of a move. An unknown cell may show anything."""
    match move.kind:
        case "open":
            return board[move.cell] not in CLOSED + FLAG
        case "flag":
            return board[move.cell] not in CLOSED
        case "unflag":
            return board[move.cell] != FLAG
        case "chord":
            return not board.around[move.cell] & board.closed
