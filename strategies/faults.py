"""What a strategy did wrong, and what reasoning came to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from games.logic import Knowledge, bits
from games.minesweeper import Board
from strategies.objections import Objection


@dataclass(frozen=True, slots=True)
class Fault:
    """What a strategy did wrong, for which it is quarantined until the end of the game.

    `what` begins with its file and line, as far as they are known. `instead` says who steps in, where nobody
    is left who deduces, or guesses. `objection` is about an answer that is not accepted, `board` the one
    on which it was given; None where there is none.
    """

    strategy: str
    what: str
    instead: str = ""
    objection: Objection | None = None
    board: Board | None = None

    def __str__(self) -> str:
        return f"strategy {self.strategy} is quarantined for this game: {self.what}{self.instead}"

    def as_json(self) -> dict[str, Any]:
        """Its parts by name: `board` and `counterexample` are rows of text, mines of the latter are `*`."""
        place = re.match(r"(.+?), line (\d+): ", self.what)
        data: dict[str, Any] = {
            "strategy": self.strategy,
            "what": self.what.removeprefix(place[0]) if place else self.what,
            "file": place[1] if place else None,
            "line": int(place[2]) if place else None,
            "text": str(self),
        }
        if self.objection and self.board:
            data["cells"] = self.board.names(self.objection.cells & self.board.everything)
            data["clues"] = list(self.objection.clues)
        if self.board:
            data["board"] = str(self.board).splitlines()
        if counter := self.counterexample:
            data["counterexample"] = list(counter.grid)
        return data

    @property
    def counterexample(self) -> Board | None:
        """The board with the mines of a layout that keeps all clues and refutes the answer."""
        if self.objection is None or self.objection.layout is None or self.board is None:
            return None
        return self.board.showing(dict.fromkeys(bits(self.objection.layout & self.board.everything), "*"))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What reasoning came to: the knowledge at the end, and the faults met on the way."""

    knowledge: Knowledge
    faults: tuple[Fault, ...] = ()
