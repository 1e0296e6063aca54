"""Interface between `vision` and `bot`: readings, board readers, board priors.

Imports only numpy, so that the simulator runs without the image-processing code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from games.minesweeper import Board, Move

if TYPE_CHECKING:
    from vision.frame import Frame
    from vision.lattice import Lattice


@dataclass(frozen=True, slots=True)
class BoardHypothesis:
    """A board that a picture may show. `weight`: its probability among all alternatives (0 to 1)."""

    board: Board
    weight: float


@dataclass(frozen=True, eq=False)
class Reading:
    """What a picture shows.

    `board` is the most likely board, UNKNOWN (`~`) where the reader is not sure. `confidence` is
    (rows, columns), 0 to 1; 0 for UNKNOWN cells. `unsettled` is the cell set of UNKNOWN cells that another
    look at the same picture would not resolve: their cluster is known, its label is open until the next
    moves. `alternatives` are the possible boards, most likely first; at most one if nothing is open.
    `covered` is the cell set under a cover that the program draws over its board. `has_ended`: the picture
    shows that the game is over.
    """

    board: Board
    confidence: NDArray[np.float32]
    unsettled: int = 0
    alternatives: tuple[BoardHypothesis, ...] = ()
    has_ended: bool = False
    covered: int = 0

    @classmethod
    def sure(cls, board: Board) -> Reading:
        """A reading without doubt, as from a simulator. Mines are visible only at the end of a game."""
        confidence = np.ones((board.rows, board.columns), np.float32)
        return cls(board, confidence, has_ended=bool(board.shown_mines))

    @property
    def lowest(self) -> float:
        """The lowest confidence of any cell."""
        return float(self.confidence.min())


class BoardReader(Protocol):
    """Reads one board during a game, from settled pictures of the same place, and learns from the moves."""

    @property
    def lattice(self) -> Lattice:
        """Positions of the cells in the pictures."""

    def observe(self, frame: Frame) -> Reading:
        """Read the next settled picture, and keep it for comparison.

        Raises BoardUnplayable if the board reaches beyond the frame.
        """

    def notify_moves(self, moves: Sequence[Move], certain: bool) -> None:
        """Record the moves made since; `certain`: according to the reading, none of them can hit a mine."""

    def set_lattice(self, lattice: Lattice) -> None:
        """Set the positions of the same cells in the next pictures, possibly in another size."""

    def notify_no_response(self) -> bool:
        """Record that the program ignores moves; return whether a mine that was hit explains it.

        If so, the next observation of the same picture reports it.
        """


class BoardPrior(Protocol):
    """Knows the rules of the variant: which boards are possible, and how likely they are."""

    @property
    def variant(self) -> str:
        """The name of the variant, which determines the cells that a number counts."""

    def log_likelihood(self, board: Board) -> float | None:
        """Log-likelihood of a board's numbers, nats, for random mine layouts; None if impossible."""
