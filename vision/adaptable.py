"""Reads a board with a skin, and goes on learning once its cells are drawn in another size than before."""

from __future__ import annotations

from collections.abc import Sequence

from games.minesweeper import Board, Move
from vision.apprentice import Apprentice
from vision.frame import Frame
from vision.lattice import Lattice
from vision.reader import Reader, Reading
from vision.scene import Judge
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

    @property
    def lattice(self) -> Lattice:
        """Where the cells lie."""
        return self._reader.lattice

    @property
    def _now(self) -> Reader | Apprentice:
        return self._apprentice or self._reader

    def read(self, frame: Frame) -> Reading:
        """Read every cell. Raises Unplayable when the board reaches beyond the frame."""
        return self._now.read(frame)

    def update(self, reading: Reading, before: Frame, now: Frame) -> Reading:
        """Read again after a change; `reading` itself when nothing changed and nothing was learned."""
        return self._now.update(reading, before, now)

    def move(self, lattice: Lattice) -> None:
        """From now on the cells lie here; the next frame is to be read whole."""
        self._reader.move(lattice)
        if self._apprentice is not None:
            self._apprentice.move(lattice)

    def recall(self, frame: Frame, known: Board) -> None:
        """Learn how cells look at this size, from what they must still show, and go on learning."""
        self._reader.recall(frame, known)
        self._apprentice = Apprentice(self.lattice, self._judge, self._reader.skin, self._mines)

    def acted(self, moves: Sequence[Move], certain: bool) -> None:
        """These moves were made on the board that was read last; `certain`: none of them can hit a mine."""
        if self._apprentice is not None:
            self._apprentice.acted(moves, certain)

    def stuck(self) -> bool:
        """The program takes no more acts; whether that is explained by a mine that was hit."""
        return self._apprentice is not None and self._apprentice.stuck()

    def boards(self, most: int) -> list[tuple[Board, float]]:
        """What the last look may have shown, and how likely that is; empty where only a skin reads it."""
        return self._apprentice.boards(most) if self._apprentice is not None else []
