"""The chance of every open mark, by counting the deals that remain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from random import Random

from games.errors import Contradiction
from games.logic import MOST_DRAWN, Knowledge, LayoutGraph, all_layouts

DRAWN = 4_000  # deals that are drawn where they cannot be counted
SURE = 1.96  # standard deviations within which 95 % of estimates are


@dataclass(frozen=True, slots=True)
class Odds:
    """The probability of each open variable, every remaining deal being as likely as any other.

    `deals` is how many remain; with `drawn` it is an estimate, the chances are shares of so many deals drawn
    at random, and `error` is the half-width of the widest 95 % interval among them. Exact ones have no error.
    """

    chances: Mapping[int, float]
    deals: int
    drawn: int = 0
    error: float = 0.0

    @property
    def is_exact(self) -> bool:
        """Whether the deals were counted."""
        return not self.drawn

    def __str__(self) -> str:
        number = "1 deal remains" if self.deals == 1 else f"{self.deals:,} deals remain"
        if self.is_exact:
            return f"{number}, counted exactly"
        return (
            f"about {number}; shares of {self.drawn:,} drawn at random, "
            f"within {100 * self.error:.1f} points (95 %)"
        )


def odds(knowledge: Knowledge, seed: int = 0, cap: int = MOST_DRAWN) -> Odds:
    """Count the deals; where that takes more than `cap` steps draw some, always the same for a seed.

    Raises Contradiction when there is none, or when none could be drawn.
    """
    layouts = all_layouts(knowledge.stated, cap)
    if layouts is None or not layouts.count:
        raise Contradiction("no deal could be counted: correct the log")
    if layouts.is_exact:
        chances = {cell: true / layouts.count for cell, true in layouts.trues().items()}
        return Odds(chances, layouts.count)
    return _estimated(layouts, seed)


def _estimated(layouts: LayoutGraph, seed: int) -> Odds:
    rng = Random(seed)  # noqa: S311 - an estimate must be repeatable, not secret
    deals, tries = layouts.draw_counting(DRAWN, rng)
    if not deals:
        raise Contradiction("too many deals to count, and none could be drawn: correct the log")
    share = {cell: sum(deal >> cell & 1 for deal in deals) / len(deals) for cell in layouts.cells}
    error = max(SURE * sqrt(p * (1 - p) / len(deals)) for p in share.values())
    return Odds(share, layouts.count * len(deals) // tries, len(deals), max(error, 1 / len(deals)))
