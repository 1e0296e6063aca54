"""Board readers: the trained model together with the skins of known programs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from strategies.probability.board_prior import UniformMinePrior
from vision.cells.clusters import CellClassifier
from vision.cells.model import CellModel
from vision.frame import Frame
from vision.label.picture import read_picture
from vision.lattice import Lattice
from vision.reading import Reading
from vision.skins import SUFFIX, Skin, SkinModel, best_skin
from vision.track.tracker import Tracker

LEARNED = "-learned"  # what the names of skins that were learned by playing end in


@dataclass(frozen=True)
class ReaderFactory:
    """What reading needs: the model, and the skins that may help. `named`: the one skin is to be used."""

    model: CellClassifier
    skins: tuple[Skin, ...] = ()
    named: bool = False

    @classmethod
    def load(cls, skins: Sequence[Skin] = (), named: bool = False) -> ReaderFactory:
        """With the model that is part of Sapper. Raises MachineLacks when it is missing or damaged."""
        return cls(CellModel.load(), tuple(skins), named)

    def best_skin(self, frame: Frame, lattice: Lattice, located: float = 1.0) -> tuple[Skin | None, Reading]:
        """The skin of the program that draws this board, None where none is known, and what it shows.

        `located` is how likely the lattice is a board's, as locating says. Raises Unplayable when the board
        reaches beyond the frame.
        """
        skin = self.skins[0] if self.named else best_skin(frame, lattice, self.skins)
        model = SkinModel(skin, self.model) if skin is not None else self.model
        return skin, read_picture(frame, lattice, UniformMinePrior(), model, located)

    def reader(self, lattice: Lattice, skin: Skin | None = None, mines: int | None = None) -> Tracker:
        """Who reads one game. `skin` is what is remembered of its program, `mines` the total if known."""
        return Tracker(lattice, UniformMinePrior(), self.model, skin, mines)


class SkinLibrary:
    """The skins that are known, and the folder in which those are kept that are learned by playing."""

    def __init__(self, skins: Sequence[Skin], folder: Path) -> None:
        self.skins = list(skins)
        self.folder = folder

    def keep(self, reader: Tracker, program: str | None, title: str) -> Skin | None:
        """Save what a reader has learned; the skin as it is now, None when there is nothing new.

        `program` is the known program that was played, `title` its window's title, "" for none. Raises
        InvalidFile when the folder cannot be written to.
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
    """A window's title as a part of a file name."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40]
