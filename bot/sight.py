"""Who reads a game's board, and where is kept what was learned of its look: the one place that chooses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from bot.judging import Solver
from vision.adaptable import Adaptable
from vision.apprentice import Apprentice
from vision.lattice import Lattice
from vision.reading import BoardReader
from vision.skin import SUFFIX, Skin

LEARNED = "-learned"  # what the names of skins that were learned by playing end in


def reader_for(
    lattice: Lattice, skin: Skin | None, mines: int | None = None, learns: bool = False
) -> BoardReader:
    """Who reads the board of one game.

    `skin` is what is known of its look, None for nothing; `mines` the mine total when it is known. `learns`:
    what the skin lacks is learned from the first look on.
    """
    if skin is None or learns:
        return Apprentice(lattice, Solver(), skin, mines)
    return Adaptable(lattice, Solver(), skin, mines)


class SkinShelf:
    """The skins that are known, and the folder in which those are kept that are learned by playing."""

    def __init__(self, skins: Sequence[Skin], folder: Path) -> None:
        self.skins = list(skins)
        self.folder = folder

    def keep(self, reader: BoardReader, program: str | None, title: str) -> Skin | None:
        """Save what a reader has learned; the skin as it is now, None when there is nothing new.

        `program` is the known program that was played, `title` its window's title, "" for none. Raises
        InvalidFile when the folder cannot be written to.
        """
        if not isinstance(reader, Apprentice):
            return None
        before = reader.skin
        name = before.name if before is not None else self._free_name(program or _slug(title) or "board")
        skin = reader.learned(name, program)
        if skin is None:
            return None
        advice = "the look cannot be kept; make the folder writable"
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
