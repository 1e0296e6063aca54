"""Variants: rules for the placement of mines, the cells that a number counts, and the first click.

A variant is one `Variant` object. Built in are plain, quad (announced in Deduction functions), triplet,
balance and cross. Installed packages add others as entry points of the group `sapper.variants`
(`docs/howto/add-variant.md`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from games.errors import InvalidFile, UsageError
from games.external import entry_points
from games.logic import Constraint, cell_set
from games.names import did_you_mean


@lru_cache(maxsize=4)
def neighbours(rows: int, columns: int) -> tuple[int, ...]:
    """For each cell of a rows x columns board, the set (int) of its up to eight neighbours."""
    return _cells_at(rows, columns, [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c])


def _cells_at(rows: int, columns: int, offsets: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """For each cell, the set of cells at these offsets (rows, columns) that are on the board."""
    return tuple(
        cell_set(
            (row + down) * columns + column + right
            for down, right in offsets
            if 0 <= row + down < rows and 0 <= column + right < columns
        )
        for row in range(rows)
        for column in range(columns)
    )


ENTRY_POINTS = "sapper.variants"
PLAIN = "plain"
HIGHEST = 8  # number that a cell can show


def no_constraints(rows: int, columns: int, mines: int | None) -> tuple[Constraint, ...]:
    """The standard rules: every placement of the mines is allowed."""
    return ()


@dataclass(frozen=True, slots=True)
class Variant:
    """The rules of one variant.

    `rule` is the rule as a sentence. `states(rows, columns, mines)` returns the constraints on all cells of
    the board that every layout satisfies, each with a `source` that names it in reasons; `mines` is None if
    the total is unknown. `counted(rows, columns)` returns for each cell the set of cells that its number
    counts and that a zero opens. `promises` are the possible first-click guarantees.
    """

    name: str
    rule: str
    states: Callable[[int, int, int | None], tuple[Constraint, ...]] = no_constraints
    counted: Callable[[int, int], tuple[int, ...]] = neighbours
    promises: tuple[str, ...] = ("safe", "zero", "none")

    @property
    def is_free(self) -> bool:
        """Whether every placement of the mines is allowed."""
        return self.states is no_constraints

    def around(self, rows: int, columns: int) -> tuple[int, ...]:
        """For each cell, the set of cells that its number counts. Raises UsageError if a set is too large."""
        return _cells_around(self, rows, columns)

    def check_first_click(self, first_click: str) -> None:
        """Raise UsageError for a first-click guarantee that no board of the variant gives."""
        if first_click not in self.promises:
            raise UsageError(
                f"the rules of {self.name} do not allow a {first_click} first click: "
                f"use {' or '.join(self.promises)}"
            )


@lru_cache(maxsize=4)
def _cells_around(variant: Variant, rows: int, columns: int) -> tuple[int, ...]:
    found = variant.counted(rows, columns)
    most = max(cells.bit_count() for cells in found)
    if most > HIGHEST:
        raise UsageError(
            f"a number of the variant {variant.name} counts {most} cells, but a cell shows 0 to {HIGHEST}: "
            "use another variant"
        )
    return found


@lru_cache(maxsize=4)
def row_and_column_totals(rows: int, columns: int, mines: int | None) -> tuple[Constraint, ...]:
    """Equal totals for rows and for columns. Raises UsageError if the total is None or not divisible."""
    if mines is None:
        raise UsageError("balance requires the mine total: use --mines, or write 'mines N' above the board")
    if mines % rows or mines % columns:
        raise UsageError(
            f"{mines} mines cannot be divided equally among {rows} rows and {columns} columns: "
            "use a different total"
        )
    whole = (1 << columns) - 1
    first = sum(1 << row * columns for row in range(rows))
    in_row, in_column = mines // rows, mines // columns
    return (
        *(Constraint(whole << row * columns, in_row, in_row, f"row {row}") for row in range(rows)),
        *(Constraint(first << column, in_column, in_column, f"column {column}") for column in range(columns)),
    )


BALANCE = Variant(
    "balance", "every row holds equally many mines, and so does every column", row_and_column_totals
)


RADIUS = 2


def cross_neighbours(rows: int, columns: int) -> tuple[int, ...]:
    """For each cell, the set of the up to eight cells one or two away in its row or column."""
    steps = [step for step in range(-RADIUS, RADIUS + 1) if step]
    return _cells_at(rows, columns, [*((step, 0) for step in steps), *((0, step) for step in steps)])


CROSS = Variant(
    "cross",
    "a number counts the mines up to two cells away in its row and its column",
    counted=cross_neighbours,
)


PLAIN_VARIANT = Variant(
    PLAIN, "mines may be anywhere; a number counts the mines in the eight cells around it"
)


@lru_cache(maxsize=4)
def window_constraints(rows: int, columns: int, mines: int | None) -> tuple[Constraint, ...]:
    """At least one mine in each window, named by its upper left cell."""
    found = []
    for row in range(rows - 1):
        for column in range(columns - 1):
            first = row * columns + column
            cells = 0b11 << first | 0b11 << first + columns
            found.append(Constraint(cells, 1, 4, f"window r{row}c{column}"))
    return tuple(found)


# no "zero": it would be the centre of four windows without a mine
QUAD = Variant(
    "quad", "every 2x2 window holds at least one mine", window_constraints, promises=("safe", "none")
)


DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # rows and columns from one cell of a line to the next


@lru_cache(maxsize=4)
def line_constraints(rows: int, columns: int, mines: int | None) -> tuple[Constraint, ...]:
    """At most two mines in each line of three cells, named by its first and last cell."""
    found = []
    for down, right in DIRECTIONS:
        for row in range(rows - 2 * down):
            for column in range(columns):
                if 0 <= column + 2 * right < columns:
                    three = [(row + k * down, column + k * right) for k in range(3)]
                    cells = sum(1 << r * columns + c for r, c in three)
                    (r0, c0), _, (r2, c2) = three
                    found.append(Constraint(cells, 0, 2, f"line r{r0}c{c0}-r{r2}c{c2}"))
    return tuple(found)


TRIPLET = Variant(
    "triplet", "no three mines stand in a row, in any of the eight directions", line_constraints
)


BUILT_IN: Mapping[str, Variant] = {each.name: each for each in (PLAIN_VARIANT, QUAD, TRIPLET, BALANCE, CROSS)}


def get_variant(name: str) -> Variant:
    """The variant with this name. Raises UsageError if it is unknown, InvalidFile for a damaged package."""
    return BUILT_IN[name] if name in BUILT_IN else _installed_variant(name)


@lru_cache(maxsize=16)
def _installed_variant(name: str) -> Variant:
    for point in (each for each in entry_points(ENTRY_POINTS) if each.name == name):
        try:
            found: object = point.load()
        except Exception as error:
            raise InvalidFile(f"variant {name}: {point.value} cannot be loaded: {error}") from error
        if not isinstance(found, Variant):
            raise InvalidFile(f"variant {name}: {point.value} is not a Variant: correct the entry point")
        return found
    meant = did_you_mean(name, variant_names())
    raise UsageError(f"'{name}' is not a known variant{meant}: use one of {', '.join(variant_names())}")


def needs_total(name: str) -> bool:
    """Whether the rules of a variant depend on the mine total. Raises like `get_variant`."""
    try:
        get_variant(name).states(4, 4, None)
    except UsageError:
        return True
    return False


def variant_names() -> tuple[str, ...]:
    """The names of all variants: the built-in ones, then those of installed packages."""
    others = {point.name for point in entry_points(ENTRY_POINTS)} - set(BUILT_IN)
    return (*BUILT_IN, *sorted(others))
