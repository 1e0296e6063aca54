"""A table without a screen: a hidden minefield that is read perfectly."""

from __future__ import annotations

from collections.abc import Sequence

from games.minesweeper import Minefield, Move
from vision.reading import Reading


class SimulatedTable:
    """Plays on a `Minefield`; the player sees its board and nothing else."""

    def __init__(self, field: Minefield) -> None:
        self._field = field

    def look(self) -> Reading:
        """The board as it stands."""
        return Reading.sure(self._field.board)

    def act(self, moves: Sequence[Move], certain: bool) -> None:
        """Carry out moves."""
        self._field.play(moves)
