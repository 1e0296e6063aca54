"""Playing a look that nobody taught: tells the apprentice what was done, and keeps what it has learned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from bot.ports import Plan, Reading
from games.errors import InvalidFile
from games.minesweeper import Board, Move
from vision.apprentice import Apprentice
from vision.skin import SUFFIX, Skin

LEARNED = "-learned"  # what the names of skins that were learned by playing end in


class Pupil:
    """Listens to a game for an apprentice: which acts were made, and whether they were certain."""

    def __init__(self, apprentice: Apprentice) -> None:
        self._apprentice = apprentice
        self._certain = True

    def looked(self, reading: Reading) -> None:
        """Nothing: the apprentice saw it first."""

    def planned(self, board: Board, plan: Plan) -> None:
        """Remember whether what is about to be done is certain."""
        self._certain = plan.guess is None

    def acted(self, board: Board, moves: Sequence[Move]) -> None:
        """Tell the apprentice."""
        self._apprentice.acted(moves, self._certain)

    def noted(self, text: str) -> None:
        """Nothing."""


class SkinShelf:
    """The skins that are known, and the folder in which those are kept that are learned by playing."""

    def __init__(self, skins: Sequence[Skin], folder: Path) -> None:
        self.skins = list(skins)
        self.folder = folder

    def keep(self, apprentice: Apprentice, program: str | None, title: str) -> Skin | None:
        """Save what an apprentice has learned; the skin as it is now, None when there is nothing new.

        `program` is the known program that was played, `title` its window's title, "" for none. Raises
        InvalidFile when the folder cannot be written to.
        """
        before = apprentice.skin
        name = before.name if before is not None else self._free_name(program or _slug(title) or "board")
        skin = apprentice.learned(name, program)
        if skin is None:
            return None
        path = self.folder / f"{skin.name}{SUFFIX}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            skin.save(path)
        except OSError as error:
            raise InvalidFile(
                f"{path}: {error.strerror}: the look cannot be kept; make the folder writable"
            ) from error
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
