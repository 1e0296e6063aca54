"""Reads a board with a skin, and goes on learning once its cells are drawn in another size than before."""

from __future__ import annotations

from collections.abc import Sequence

from games.logic import bits
from games.minesweeper import Board, Move
from vision.apprentice import Apprentice
from vision.frame import Frame
from vision.lattice import Lattice
from vision.reader import Reader
from vision.reading import Judge, Reading
from vision.skin import Skin


class Adaptable:
    """A `Reader` until the cells change their size in mid-game, then an `Apprentice` with the same skin.

    A skin that reads every state of one size may lack some of another. `mines` is the mine total when it is
    known. What the apprentice is told and asked goes to it as soon as there is one.
    """

    def __init__(self, lattice: Lattice, judge: Judge, skin: Skin, mines: int | None = None) -> None:
        self._reader = Reader(skin, lattice)
        self._apprentice: Apprentice | None = None
        self._judge = judge
        self._mines = mines
        self._frame: Frame | None = None  # the picture that was read last, and what it showed
        self._shown: Reading | None = None
        self._known: Board | None = None  # what every cell showed when it could be read last
        self._has_moved = False

    @property
    def lattice(self) -> Lattice:
        """Where the cells lie."""
        return self._reader.lattice

    def observe(self, frame: Frame) -> Reading:
        """What the next picture shows. Raises Unplayable when the board reaches beyond the frame."""
        if self._has_moved and self._known is not None:
            # how cells look at this size is learned from what they must still show
            self._reader.recall(frame, self._known)
            self._apprentice = Apprentice(self.lattice, self._judge, self._reader.skin, self._mines)
        if self._apprentice is not None:
            shown = self._apprentice.observe(frame)
        elif self._shown is None or self._frame is None or self._has_moved:
            shown = self._reader.read(frame)
        else:
            shown = self._reader.update(self._shown, self._frame, frame)
        board, known, self._has_moved = shown.board, self._known, False
        self._frame, self._shown = frame, shown
        unread = bits(board.unread) if known is not None else ()
        self._known = board.showing({k: known[k] for k in unread}) if known and unread else board
        return shown

    def move(self, lattice: Lattice) -> None:
        """From now on the cells lie here; the next frame is read whole."""
        self._reader.move(lattice)
        self._has_moved = True

    def acted(self, moves: Sequence[Move], certain: bool) -> None:
        """These moves were made on the board that was read last; `certain`: none of them can hit a mine."""
        if self._apprentice is not None:
            self._apprentice.acted(moves, certain)

    def stuck(self) -> bool:
        """The program takes no more acts; whether that is explained by a mine that was hit."""
        return self._apprentice is not None and self._apprentice.stuck()
