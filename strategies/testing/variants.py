"""Small layouts of mines by the rules of a variant, for tests: any of them, not each as likely."""

from __future__ import annotations

import random

from games.errors import Usage
from games.logic import Constraint, bits, cell_set
from games.minesweeper.variants import variant_of

MOST_MENDED = 300  # cells that are changed before another beginning is tried


def keeps_rules(variant: str, rows: int, columns: int, mines: int, total: int | None) -> bool:
    """Whether these mines (a set) keep the rules of a variant, which knows the total or not."""
    try:
        stated = variant_of(variant).states(rows, columns, total)
    except Usage:  # there is no such board
        return False
    return not any(_is_broken(constraint, mines) for constraint in stated)


def small_layout(variant: str, rows: int, columns: int, rng: random.Random) -> int | None:
    """Mines (a set) by the rules of a variant: laid anywhere, then mended; None if that fails."""
    cells = rows * columns
    most = max(1, cells // 3)
    wanted = rng.randint(1, most)
    mines = cell_set(rng.sample(range(cells), wanted))
    try:
        stated = variant_of(variant).states(rows, columns, wanted)
    except Usage:  # there is no board with so many
        return None
    for _ in range(MOST_MENDED):
        broken = [constraint for constraint in stated if _is_broken(constraint, mines)]
        if not broken:
            is_kept = mines and keeps_rules(variant, rows, columns, mines, mines.bit_count())
            return mines if is_kept else None
        constraint = rng.choice(broken)
        is_short = (constraint.cells & mines).bit_count() < constraint.low
        mines ^= 1 << rng.choice(list(bits(constraint.cells & (~mines if is_short else mines))))
    return None


def _is_broken(constraint: Constraint, mines: int) -> bool:
    return not constraint.low <= (constraint.cells & mines).bit_count() <= constraint.high
