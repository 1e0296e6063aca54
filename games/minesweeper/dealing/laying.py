"""Mines laid by the rules of a variant, every layout that they allow as likely as any other.

Where enough layouts of mines that are anywhere keep the rules, they are drawn until one does. Elsewhere that
is hopeless (of the layouts of 26 mines on 8x8 one in hundreds is a quad, of 20 one in millions): there the
layouts are counted cell by cell and one is drawn (`games.logic.drawing`). What the first click is promised is
met by drawing again.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

from games.errors import Usage
from games.logic import Constraint, LayoutGraph, all_layouts, cell_set
from games.minesweeper.variants import variant_of

MOST_STEPS = 1_500_000  # of counting: some seconds, once for all boards of a size
WIDEST = 10  # cells in the shorter lines of a board that is counted
MOST_TRIES = 100_000  # layouts drawn until one keeps the rules and the promise of the first click
SAMPLE = 3_000  # layouts of mines anywhere that are tried against the rules, …
ENOUGH = 15  # … of which so many must keep them to go on like that


def lay(variant: str, rows: int, columns: int, mines: int, forbidden: int, rng: Random) -> int:
    """The set of the mines, none of them in `forbidden` (a set); uniform. Raises Usage when there is none."""
    layouts = all_of(variant, rows, columns, mines)
    stated = variant_of(variant).states(rows, columns, mines) if layouts is None else ()
    for _ in range(MOST_TRIES):
        found = layouts.draw(1, rng)[0] if layouts else _anywhere(rows * columns, mines, rng)
        if not found & forbidden and _keeps(found, stated):
            return found
    raise Usage(
        f"{columns}x{rows}/{mines} by the rules of {variant} leaves no room for the promised first click: "
        "take another promise, or fewer mines"
    )


@lru_cache(maxsize=8)
def all_of(variant: str, rows: int, columns: int, mines: int) -> LayoutGraph | None:
    """All layouts by the rules of a variant; None where mines laid anywhere keep them often enough.

    Raises Usage when there is no layout, or too many states to count them.
    """
    cells = rows * columns
    stated = variant_of(variant).states(rows, columns, mines)
    rng = Random(0)
    if sum(_keeps(_anywhere(cells, mines, rng), stated) for _ in range(SAMPLE)) >= ENOUGH:
        return None
    name = f"{columns}x{rows}/{mines}"
    found = None
    if min(rows, columns) <= WIDEST:
        whole = Constraint((1 << cells) - 1, mines, mines)
        lines = [[row * columns + column for column in range(columns)] for row in range(rows)]
        short = lines if columns <= rows else list(map(list, zip(*lines, strict=True)))
        found = all_layouts(
            [*stated, whole], MOST_STEPS, exact=True, order=[k for line in short for k in line]
        )
    if found is None:
        raise Usage(f"{name} by the rules of {variant} is too large to deal: take a smaller board")
    if not found.count:
        raise Usage(f"{name} has no layout by the rules of {variant}: take another number of mines")
    return found


def _anywhere(cells: int, mines: int, rng: Random) -> int:
    return cell_set(rng.sample(range(cells), mines))


def _keeps(layout: int, stated: tuple[Constraint, ...]) -> bool:
    return all(c.low <= (c.cells & layout).bit_count() <= c.high for c in stated)
