"""Positions, the arguments of guessing strategies, with mine probabilities on demand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from games.logic import Knowledge, bits
from games.minesweeper import FirstClick


@dataclass(frozen=True)
class Position:
    """A moment of the game without a certain move.

    `knowledge` is the result of reasoning; its variables are the cells, row by row, followed by additional
    variables of the variant. `openable` is the set (int) of cells that may be opened. `counts[k]` is the set
    of cells that the number of cell k counts after k is opened. `first_click` is the guarantee for the next
    click, None if a cell is open already.
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

    @cached_property
    def risks(self) -> Mapping[int, float]:
        """The mine probability (0 to 1) of each cell that is not open; computed on first use.

        All layouts that the clues allow are equally likely. The numbers are exact, except on boards with too
        many layouts to count. The guarantee for the first click is not included.
        """
        from strategies.probability.risks import mine_probabilities  # imports numpy

        knowledge, board = self.knowledge, (1 << self.cells) - 1
        found = mine_probabilities(knowledge, board)
        certain = {
            k: float(knowledge.true >> k & 1) for k in bits((knowledge.true | knowledge.false) & board)
        }
        return MappingProxyType({k: found.of(k) for k in bits(knowledge.undecided & board)} | certain)


FIELDS = tuple(Position.__dataclass_fields__)  # without the cached risks
