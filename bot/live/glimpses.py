"""What a board showed since the last act, if for a moment: a window may come over it before it is read."""

from __future__ import annotations

from dataclasses import replace

from bot.loop import FEW_NUMBERS
from games.logic import bits
from games.minesweeper import Board
from vision.changes import changed_cells
from vision.frame import Frame
from vision.lattice import Lattice

HARDLY = 0.25  # of all cells that look as they did, where there are no numbers: a first click may open most
IN_SIGHT = 0.9  # of the numbers that look as they did: then it is the board, and nothing lies over it


class Glimpses:
    """Compares pictures of one board with that before the last act: its numbers stay if they are seen."""

    def __init__(self) -> None:
        self.latest: Frame | None = None  # the last picture since the act in which the board was in sight
        self._before: Frame | None = None
        self._lattice: Lattice | None = None
        self.board: Board | None = None  # what it showed before the act

    def begin(self, before: Frame | None, lattice: Lattice, board: Board) -> None:
        """An act is made on this board, that looked so."""
        self._before, self._lattice, self.board = before, lattice, board
        self.latest = None

    def saw(self, frame: Frame) -> None:
        """A picture after the act, or one that has changed since the one before."""
        same = self.same(frame)
        if same is None or self.board is None or same == self.board.everything:
            return  # the act does not show yet
        if self.share(same) >= (IN_SIGHT if self._has_numbers else HARDLY):
            self.latest = frame

    def is_hidden(self, frame: Frame) -> bool:
        """Whether something lies over the board, or it is another one; False where that cannot be said."""
        same = self.same(frame)
        return same is not None and self.share(same) < IN_SIGHT

    def same(self, frame: Frame) -> int | None:
        """The cells (a set) that look as they did before the act; None where that cannot be said."""
        before, lattice, board = self._before, self._lattice, self.board
        if before is None or lattice is None or board is None or before.pixels.shape != frame.pixels.shape:
            return None
        same = board.everything
        for cell in changed_cells(lattice, before.pixels, frame.pixels):
            same &= ~(1 << cell)
        return same

    def uncovered(self, frame: Frame, covered: int) -> Frame | None:
        """This picture with `covered` cells (a set) as they were before the act; None where nobody knows."""
        before, lattice = self._before, self._lattice
        if before is None or lattice is None or before.pixels.shape != frame.pixels.shape:
            return None
        pixels = frame.pixels.copy()
        for cell in bits(covered):
            left, top, right, bottom = lattice.rectangle(cell)
            pixels[top:bottom, left:right] = before.pixels[top:bottom, left:right]
        return replace(frame, pixels=pixels)

    def share(self, same: int) -> float:
        """The share of the numbers, of all cells where there are few, that these cells (a set) hold."""
        assert self.board is not None
        cells = self.board.open if self._has_numbers else self.board.everything
        return (cells & same).bit_count() / cells.bit_count()

    @property
    def _has_numbers(self) -> bool:
        return self.board is not None and self.board.open.bit_count() >= FEW_NUMBERS
