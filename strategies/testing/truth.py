"""The truth about small positions, by trying every layout."""

from __future__ import annotations

from games.errors import Usage
from games.logic import Knowledge, bits

MOST_CELLS = 24  # for trying everything


def layouts(knowledge: Knowledge) -> list[int]:
    """Every set of true variables that the given constraints allow, found by trying them all.

    Raises Usage when there are too many variables for that.
    """
    if knowledge.universe.bit_count() > MOST_CELLS:
        raise Usage(f"{knowledge.universe.bit_count()} variables are too many to try: take {MOST_CELLS}")
    found, seen = [0], 0
    for k in bits(knowledge.universe):
        seen |= 1 << k
        about = [(c.cells, c.low - (c.cells & ~seen).bit_count(), c.high) for c in knowledge.given]
        found = [
            layout
            for earlier in found
            for layout in (earlier, earlier | 1 << k)
            if all(low <= (layout & cells).bit_count() <= high for cells, low, high in about)
        ]
    return found


def certain(knowledge: Knowledge) -> tuple[int, int]:
    """The variables (sets) that are true, and those that are false, in every layout."""
    always, ever = knowledge.universe, 0
    for layout in layouts(knowledge):
        always &= layout
        ever |= layout
    return always, knowledge.universe & ~ever
