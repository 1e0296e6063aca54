"""Reader of a board that a person plays, for live watching, imported games and their replays."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from math import fsum

from bot.game.board_change import is_partly_covered, keep_known_numbers
from bot.readers import ReaderFactory
from games.errors import BoardNotFound, InvalidFile
from games.logic import bits
from games.minesweeper import DIGITS, EXPLODED, FLAG, HIDDEN, MINE, UNKNOWN, Board, Move, inconsistencies
from vision.frame import Frame
from vision.lattice import Lattice
from vision.reading import Reading
from vision.skins import Skin

LOST = 0.2  # share of unread cells; with more, the board has moved or disappeared
MARKED = 0.5  # probability above which an unread cell that is not open is a flag, or a mine
PLACES = 3  # areas; a click opens one, and a message covers one or two
MOST_HALF_DRAWN = 8  # pictures in a row; after more of them, the board has disappeared
NOT_OPEN = 0.01  # probability of a number below which a cell counts as not open (as for settled cells)


@dataclass(eq=False)
class SpectatorReader:
    """Reads a board that a person plays, from settled images of one region.

    `skin` is the stored appearance of its program, if any; `program` is the name of a known program.
    """

    readers: ReaderFactory
    lattice: Lattice
    skin: Skin | None
    program: str | None = None
    _board: Board | None = field(default=None, init=False)
    _observed: Reading | None = field(default=None, init=False)
    _half_drawn: int = field(default=0, init=False)  # pictures in a row

    def __post_init__(self) -> None:
        self._reader = self.readers.reader(self.lattice, self.skin)

    def observe(self, frame: Frame) -> Reading:
        """Read the next picture of a recorded game; the reading before if it shows nothing new."""
        with contextlib.suppress(BoardNotFound):
            self._observed = self.read(frame) or self._observed
        if self._observed is None:
            self._observed = self._reader.observe(frame)
        return self._observed

    @property
    def is_half_drawn(self) -> bool:
        """Whether the last image seems to show an opening that is being drawn; then nothing was read."""
        return self._half_drawn > 0

    def set_lattice(self, lattice: Lattice) -> None:
        """Set the positions of the same cells in the next pictures."""
        self.lattice = lattice
        self._reader.set_lattice(lattice)

    def notify_moves(self, moves: Sequence[Move], certain: bool) -> None:
        """Ignored: a person may open any cell."""

    def notify_no_response(self) -> bool:
        """Sapper made no moves."""
        return False

    def learned(self) -> Skin | None:
        """The known appearance of the program; None if nothing was learned."""
        with contextlib.suppress(InvalidFile):  # a misread cell looks like another one
            name = self.skin.name if self.skin else self.program or "watched"
            return self._reader.learned(name, self.program) or self.skin
        return self.skin

    def read(self, frame: Frame, has_stayed: bool | None = None) -> Reading | None:
        """The reading of an image; None if it shows nothing new or a board that is changing.

        An image that has not stayed may be a transient (the flash of a lost game, a blank cell under a held
        button). It never starts a new game, and its zeros among closed cells and new unread cells are
        ignored. If `has_stayed` is unknown (None), it may show an opening that is being drawn. The reader
        learns only from new or lasting images. Raises BoardNotFound if too much of a lasting image is
        unreadable.
        """
        observed = self._reader.observe(frame)
        reading = with_likely_marks(observed)
        is_half_drawn = has_stayed is None and self._is_half_drawn(reading.board)
        was_over = self._board is not None and self._board.shown_mines
        board = observed.board if was_over else reading.board  # marks of a finished game hide the next one
        if board.unread and has_stayed is not False:  # the previous board may belong to another game
            alone = self.readers.reader(self.lattice, self.skin)
            by_itself = with_likely_marks(alone.observe(frame))
            looks_closed = is_half_drawn and board.unread & by_itself.board.closed
            if not looks_closed and self._is_better(by_itself.board, board):
                self._reader, reading = alone, by_itself
        self._half_drawn = self._half_drawn + 1 if is_half_drawn else 0
        if _is_lost(reading.board):
            if has_stayed is False or 0 < self._half_drawn <= MOST_HALF_DRAWN:
                return None
            raise BoardNotFound("the board is no longer visible")
        previous, board = self._finished_board(), reading.board
        if is_new_game := previous is not None and _is_new_game(board, previous):
            previous = None
        if previous and (hidden := previous.open & board.closed):
            board = board.with_states(dict.fromkeys(bits(hidden), UNKNOWN))
        if previous:  # a number that something covers may look like a flag
            board = board.with_states(dict.fromkeys(bits(previous.open & board.flagged), UNKNOWN))
        now = keep_known_numbers(board, previous)
        is_possible = bool(now.shown_mines) or not inconsistencies(now)
        has_lost_cells = self._board and now.unread & ~self._board.unread
        if has_stayed is False and (is_new_game or now.unfinished_zeros or has_lost_cells):
            return None
        is_new = now != self._board
        if is_possible and (has_stayed is not False or is_new):
            self._reader.notify_moves((), certain=False)  # the person may open any cell next
        if not is_new or not is_possible:
            return None
        self._board = now
        return replace(reading, board=now)

    def _is_better(self, alone: Board, board: Board) -> bool:
        """Whether a picture that is read `alone`, without the game before it, shows more.

        That counts only for a new game or an unreadable board: alone, half-drawn openings look closed.
        """
        before = self._finished_board()
        is_new = _is_lost(board) or before is None or _is_new_game(alone, before)
        return is_new and alone.unread.bit_count() < board.unread.bit_count()

    def _finished_board(self) -> Board | None:
        """The last board without zeros next to closed cells: a held button, or numbers not drawn yet."""
        board = self._board
        return board and board.with_states(dict.fromkeys(bits(board.unfinished_zeros), UNKNOWN))

    def _is_half_drawn(self, board: Board) -> bool:
        """Whether the board is unreadable in cells that were closed, while others still look closed."""
        before = self._board
        if before is None or not _is_lost(board) or board.unread & (before.open | before.flagged):
            return False
        return bool(board.closed & before.closed)


def _is_lost(board: Board) -> bool:
    return board.unread.bit_count() > LOST * len(board)


def _is_new_game(board: Board, before: Board) -> bool:
    """Whether closed cells in place of numbers belong to another game, not to a cover."""
    return bool(before.open & board.closed) and not is_partly_covered(board, before)


def with_likely_marks(reading: Reading) -> Reading:
    """The reading with flags on unread cells that are probably flags and certainly not open.

    The first flag of a game looks new. The clues support it if it is right, so that only wrong flags stay
    unread, which a player must see. Flags are claims: proofs do not depend on them. If the board shows a
    mine, the game is over, and unread cells can be mines or closed in the same way.
    """
    kinds = (FLAG, MINE, HIDDEN) if reading.board.shown_mines else (FLAG,)
    marks: dict[int, str] = {}
    for cell in bits(reading.board.unread & ~reading.covered):
        shares = _shares(reading, cell, *kinds)
        if shares[DIGITS] < NOT_OPEN:
            marks.update((cell, kind) for kind in kinds if shares[kind] > MARKED)
    return replace(reading, board=reading.board.with_states(marks)) if marks else reading


def likely_mines(reading: Reading, before: Board | None = None) -> int:
    """The unread cells that probably show mines, if nothing covers the board (a cell set).

    A cell that certainly shows no number probably shows a mine, or the end of the game opens such cells in
    several places at once: closed cells of the board `before`.
    """
    found = opened = 0
    for cell in bits(reading.board.unread & ~reading.covered):
        shares = _shares(reading, cell, MINE + EXPLODED, FLAG, UNKNOWN)
        known = 1.0 - shares[UNKNOWN]
        if shares[DIGITS] < NOT_OPEN * known and shares[MINE + EXPLODED] > MARKED * known:
            found |= 1 << cell
        if shares[DIGITS] < NOT_OPEN and (shares[FLAG] < NOT_OPEN or not reading.board.closed):
            opened |= 1 << cell
    if before is None or any(not reading.confidence.flat[k] for k in bits(before.open)):
        return found  # something may cover the numbers
    opened &= before.closed
    return found | opened if _places(before, opened) >= PLACES else found


def _places(board: Board, cells: int) -> int:
    """The number of connected areas of these cells."""
    count = 0
    while cells:
        count, edge = count + 1, cells & -cells
        while edge:
            cells &= ~edge
            edge = reduce(int.__or__, (board.around[k] for k in bits(edge))) & cells
    return count


def _shares(reading: Reading, cell: int, *kinds: str) -> dict[str, float]:
    """The probability that a cell is a number, or in one state of each other kind (letters of states)."""
    total = fsum(other.weight for other in reading.alternatives) or 1.0
    return {
        kind: fsum(other.weight for other in reading.alternatives if other.board[cell] in kind) / total
        for kind in (*kinds, DIGITS)
    }
