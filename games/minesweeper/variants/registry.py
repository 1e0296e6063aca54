"""Rules: where mines may be, what a number counts, what a first click may be promised.

A variant is one `Variant` object. The built-in ones are a file each beside this one; others are installed
packages that name theirs as an entry point of the group `sapper.variants` (`docs/variants.md`).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata
from types import MappingProxyType

from games.errors import InvalidFile, Usage
from games.logic import Constraint
from games.minesweeper.neighbours import neighbours
from games.suggesting import did_you_mean

ENTRY_POINTS = "sapper.variants"
PLAIN = "plain"


def nothing_more(rows: int, columns: int, mines: int | None) -> tuple[Constraint, ...]:
    """The common rules: mines may be anywhere."""
    return ()


@dataclass(frozen=True, slots=True)
class Variant:
    """The rules of one variant.

    `rule` is a sentence for people. `states(rows, columns, mines)` are constraints that every layout
    satisfies, on the cells of the whole board, each with a `source` that names it in reasons; `mines` is None
    when the total is not known. `counted(rows, columns)` is for each cell the set of cells that its number
    counts, which a zero opens. `promises` are what a first click may be promised.
    """

    name: str
    rule: str
    states: Callable[[int, int, int | None], tuple[Constraint, ...]] = nothing_more
    counted: Callable[[int, int], tuple[int, ...]] = neighbours
    promises: tuple[str, ...] = ("safe", "zero", "none")

    @property
    def is_free(self) -> bool:
        """Whether mines may be anywhere."""
        return self.states is nothing_more


BUILT_IN: Mapping[str, str] = MappingProxyType(
    {
        PLAIN: "games.minesweeper.variants.plain",
        "quad": "games.minesweeper.variants.quad",
        "triplet": "games.minesweeper.variants.triplet",
        "balance": "games.minesweeper.variants.balance",
        "cross": "games.minesweeper.variants.cross",
    }
)


def variant_of(name: str) -> Variant:
    """The variant of this name. Raises Usage when it is not known, InvalidFile for a damaged package."""
    if name in BUILT_IN:
        found: object = importlib.import_module(BUILT_IN[name]).VARIANT
        assert isinstance(found, Variant)
        return found
    for point in metadata.entry_points(group=ENTRY_POINTS, name=name):
        try:
            found = point.load()
        except Exception as error:
            raise InvalidFile(f"variant {name}: {point.value} cannot be loaded: {error}") from error
        if not isinstance(found, Variant):
            raise InvalidFile(f"variant {name}: {point.value} is no Variant: name one there")
        return found
    meant = did_you_mean(name, available())
    raise Usage(f"'{name}' is no known variant{meant}: use one of {', '.join(available())}")


def available() -> tuple[str, ...]:
    """The names of all variants: the built-in ones, then those of installed packages."""
    others = {point.name for point in metadata.entry_points(group=ENTRY_POINTS)} - set(BUILT_IN)
    return (*BUILT_IN, *sorted(others))
