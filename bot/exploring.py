"""Playing a look that nobody taught: what to open, what the apprentice is told, where its skin is kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from bot.ports import Plan, Reading
from games.errors import Contradiction
from games.logic import bits
from games.minesweeper import Board, Guess, Move, knowledge_of
from strategies.counting import take_census
from strategies.joining import risks
from vision.adaptable import Adaptable
from vision.apprentice import Apprentice
from vision.skin import SUFFIX, Skin

MOST_MEANINGS = 12  # hypotheses that a guess is weighed under
BETTER = 0.005  # how much safer a cell must be, to be opened in place of the strategies' own guess
LEARNED = "-learned"  # what the names of skins that were learned by playing end in


Learner = Apprentice | Adaptable


class Pupil:
    """Listens to a game for an apprentice: which acts were made, and whether they were certain."""

    def __init__(self, apprentice: Learner) -> None:
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


class Explorer:
    """Chooses guesses where looks could mean more than one thing.

    A cell that is safe under every meaning is best; or else the one that is safest over all of them, each
    counted by how likely it is. What is only likely stays a guess: no certain move rests on it.
    """

    def __init__(self, apprentice: Learner) -> None:
        self._apprentice = apprentice

    def __call__(self, board: Board, guess: Guess) -> Guess:
        """A safer guess than this one, or this one."""
        boards = self._apprentice.boards(MOST_MEANINGS)
        if len(boards) < 2 or not board.closed:
            return guess
        safe = dict.fromkeys(bits(board.closed), 0.0)
        everything = 0.0
        for meant, weight in boards:
            try:
                known = knowledge_of(meant)
                risky = risks(take_census(known))
            except Contradiction:
                continue
            everything += weight
            for k in safe:
                decided = (known.true | known.false) >> k & 1
                risk = float(known.true >> k & 1) if decided else risky.of(k)
                safe[k] += weight * (1.0 - risk)
        if not everything:
            return guess
        best = max(safe, key=lambda k: (round(safe[k], 6), k == guess.cell, -k))
        likely = min(safe[best] / everything, 1.0)
        if safe[best] <= safe.get(guess.cell, 0.0) + BETTER:
            return guess
        return Guess(best, likely, f"safest over {len(boards)} meanings that the new looks could have")


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
