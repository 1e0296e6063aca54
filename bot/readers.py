"""Board readers: the trained model together with the skins of known programs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from games.minesweeper.variants import PLAIN
from strategies.probability.board_prior import UniformMinePrior
from vision.cells.clusters import CellClassifier
from vision.cells.model import CellModel
from vision.frame import Frame
from vision.lattice import Lattice
from vision.reading import Reading
from vision.screenshot import ScreenshotReader
from vision.skins import SUFFIX, Skin
from vision.track.tracker import Tracker

LEARNED = "-learned"  # suffix of the names of skins that were learned by playing


@dataclass(frozen=True)
class ReaderFactory:
    """Creates board readers from the model and the known skins, for boards of one variant.

    `named`: use the first skin always.
    """

    model: CellClassifier
    skins: tuple[Skin, ...] = ()
    named: bool = False
    variant: str = PLAIN

    @classmethod
    def load(cls, skins: Sequence[Skin] = (), named: bool = False, variant: str = PLAIN) -> ReaderFactory:
        """Use the model that ships with Sapper. Raises MissingRequirement if it is missing or damaged."""
        return cls(CellModel.load(), tuple(skins), named, variant)

    def best_skin(self, frame: Frame, lattice: Lattice, located: float = 1.0) -> tuple[Skin | None, Reading]:
        """The best skin for this board (None if no skin fits), and the reading with it.

        `located` is the probability that the lattice is a board. Raises BoardUnplayable if the board extends
        beyond the frame.
        """
        reader = ScreenshotReader(UniformMinePrior(self.variant), self.model, self.skins, self.named)
        return reader.read_at(frame, lattice, located)

    def reader(self, lattice: Lattice, skin: Skin | None = None, mines: int | None = None) -> Tracker:
        """A tracker for one game with the skin of its program and its mine total, if they are known."""
        return Tracker(lattice, UniformMinePrior(self.variant), self.model, skin, mines)


class SkinLibrary:
    """The known skins, and the folder for learned skins."""

    def __init__(self, skins: Sequence[Skin], folder: Path) -> None:
        self.skins = list(skins)
        self.folder = folder

    def keep(self, reader: Tracker, program: str | None, title: str) -> Skin | None:
        """Save the skin that a reader has learned and return it; None if it learned nothing new.

        `program` is the known program of the game, `title` its window title or "". Raises InvalidFile if the
        folder is not writable.
        """
        before = reader.skin
        name = before.name if before is not None else self._free_name(program or _slug(title) or "board")
        skin = reader.learned(name, program)
        if skin is None:
            return None
        advice = "the skin cannot be kept; make the folder writable"
        skin.keep(self.folder / f"{skin.name}{SUFFIX}", advice)
        self.skins = [skin, *(other for other in self.skins if other.name != skin.name)]
        return skin

    def _free_name(self, stem: str) -> str:
        taken = {skin.name for skin in self.skins}
        name, number = f"{stem}{LEARNED}", 2
        while name in taken:
            name, number = f"{stem}{LEARNED}-{number}", number + 1
        return name


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40]
