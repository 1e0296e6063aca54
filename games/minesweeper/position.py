"""What a guess may ask, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from games.logic import Knowledge

FirstClick = Literal["safe", "zero", "none", "opened", "unknown"]


@dataclass(frozen=True, slots=True)
class Position:
    """A moment of the game at which nothing is certain.

    `knowledge` is what reasoning has found, its variables being the cells (row-major; a variant may add more
    behind them). `openable` is the set (int) of the cells that may be opened. `counts[k]` is the set of cells
    that the number of cell k would count if k were opened. `first_click` is the promise for the click that
    is about to be made, None once any cell is open.
    """

    knowledge: Knowledge
    rows: int
    columns: int
    openable: int
    counts: tuple[int, ...]
    first_click: FirstClick | None = None

    @property
    def cells(self) -> int:
        """Number of cells of the board."""
        return self.rows * self.columns


@dataclass(frozen=True, slots=True)
class Guess:
    """A cell to open although it may lose.

    `safe` is the probability (0 to 1) that it is no mine. `figures` are further numbers worth showing, by
    name; `reason` is one sentence for people.
    """

    cell: int
    safe: float
    reason: str = ""
    figures: dict[str, float] = field(default_factory=dict, hash=False)
