"""Read the board in a screenshot, without game history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from games.errors import BoardUnplayable
from games.minesweeper import UNKNOWN, Board
from vision.annotations import parse_labels
from vision.cells.clusters import CellClassifier
from vision.cells.model import CellModel
from vision.frame import Frame, read_png_text
from vision.label.picture import read_picture
from vision.lattice import Lattice
from vision.locate.locate import locate
from vision.reading import BoardPrior, Reading
from vision.skins import Skin, SkinModel, best_skin


@dataclass(frozen=True, eq=False)
class ImageReading:
    """A board read from an image: its lattice, the reading, and the skin used (None if none fits)."""

    skin: Skin | None
    lattice: Lattice
    reading: Reading

    @property
    def board(self) -> Board:
        """The most likely board, UNKNOWN (`~`) where the reader is not sure."""
        return self.reading.board


@dataclass(frozen=True)
class ScreenshotReader:
    """Reads boards with a model and the skins that fit; `named`: use the first skin always."""

    prior: BoardPrior
    model: CellClassifier
    skins: tuple[Skin, ...] = ()
    named: bool = False

    @classmethod
    def load(cls, prior: BoardPrior, skins: Sequence[Skin] = (), named: bool = False) -> ScreenshotReader:
        """Use the model that ships with Sapper. Raises MissingRequirement if it is missing or damaged."""
        return cls(prior, CellModel.load(), tuple(skins), named)

    def read_file(self, data: bytes, name: str) -> ImageReading:
        """Read the board in the content of an image file; `name` is used in errors.

        An image written by `sapper report` contains its board as text. Raises InvalidFile and the errors of
        `read_frame`.
        """
        frame, note = Frame.decode(data, name), read_png_text(data)
        if note is None or self.named:
            return self.read_frame(frame, name)
        lattice, board = parse_labels(note, name)
        sure = np.array([state != UNKNOWN for state in board.cells], np.float32)
        return ImageReading(None, lattice, Reading(board, sure.reshape(board.rows, board.columns)))

    def read_frame(self, frame: Frame, name: str) -> ImageReading:
        """Locate and read the board in a frame.

        Raises BoardNotFound, AmbiguousBoard, BoardUnplayable if it is clipped or no cell is readable.
        """
        found = locate(frame)
        skin, reading = self.read_at(frame, found.lattice, found.probability)
        if not reading.confidence.any():
            raise BoardUnplayable(
                f"{name}: no readable cell on the {found.lattice.size} board: "
                "learn its skin with 'sapper learn'"
            )
        return ImageReading(skin, found.lattice, reading)

    def read_at(self, frame: Frame, lattice: Lattice, located: float = 1.0) -> tuple[Skin | None, Reading]:
        """The best skin for this board (None if no skin fits), and the reading with it.

        `located` is the probability that the lattice is a board. Raises BoardUnplayable if the board extends
        beyond the frame.
        """
        skin = self.skins[0] if self.named else best_skin(frame, lattice, self.skins)
        model = SkinModel(skin, self.model) if skin is not None else self.model
        return skin, read_picture(frame, lattice, self.prior, model, located)
