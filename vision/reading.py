"""Interface between `vision` and `bot`: readings, board readers, board priors.

It imports nothing but numpy, so that the simulator does not load the vision code.
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


Confidence = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class BoardHypothesis:
    """A board that a picture may show. `weight` is how likely that is among all alternatives (0 to 1)."""

    board: Board
    weight: float


@dataclass(frozen=True, eq=False)
class Reading:
    """What a picture shows.

    `board` is the likeliest board, UNKNOWN (`~`) where that is not sure. `confidence` is (rows, columns): how
    sure each cell is, 0 to 1; 0 for an UNKNOWN one. `unsettled` is the set of the UNKNOWN cells of which
    another look at the same picture would show no more: their cluster was met, its label is still open, and
    playing on will decide it. `alternatives` are the boards that it may be, the likeliest first; empty or one
    where nothing is open. `has_ended`: the picture shows that the game is over.
    """

    board: Board
    confidence: Confidence
    unsettled: int = 0
    alternatives: tuple[BoardHypothesis, ...] = ()
    has_ended: bool = False

    @classmethod
    def sure(cls, board: Board) -> Reading:
        """A board of which nothing is in doubt, as a simulator shows it; mines are shown at the end only."""
        confidence = np.ones((board.rows, board.columns), np.float32)
        return cls(board, confidence, has_ended=bool(board.shown_mines))

    @property
    def lowest(self) -> float:
        """The lowest confidence of any cell."""
        return float(self.confidence.min())


class BoardReader(Protocol):
    """Reads one board over a game, from settled pictures of the same place, and learns from what was done."""

    @property
    def lattice(self) -> Lattice:
        """Where the cells lie in the pictures."""

    def observe(self, frame: Frame) -> Reading:
        """What the next settled picture shows. It keeps the picture before itself.

        Raises Unplayable when the board reaches beyond the frame.
        """

    def notify_moves(self, moves: Sequence[Move], certain: bool) -> None:
        """These moves were made since; `certain`: none of them can hit a mine, by what was read."""

    def set_lattice(self, lattice: Lattice) -> None:
        """From the next picture on the same cells lie here, perhaps in another size."""

    def notify_no_response(self) -> bool:
        """The program takes no more acts; whether that is explained by a mine that was hit.

        When it is, the next observation of the same picture says so.
        """


class BoardPrior(Protocol):
    """Somebody who knows which boards can be."""

    def log_likelihood(self, board: Board) -> float | None:
        """How likely the numbers of a board are, in nats, where mines lie at random; None: impossible."""
