"""Balance: every row holds equally many mines, and so does every column."""

from __future__ import annotations

from functools import lru_cache

from games.errors import Usage
from games.logic import Constraint
from games.minesweeper.variants.registry import Variant


@lru_cache(maxsize=64)
def shares(rows: int, columns: int, mines: int | None) -> tuple[Constraint, ...]:
    """What each row and each column holds. Raises Usage without a total, or where it cannot be shared."""
    if mines is None:
        raise Usage("balance takes the mine total: say it with --mines, or 'mines N' above the board")
    if mines % rows or mines % columns:
        raise Usage(
            f"{mines} mines are not equally many in {rows} rows and in {columns} columns: take another total"
        )
    whole = (1 << columns) - 1
    first = sum(1 << row * columns for row in range(rows))
    in_row, in_column = mines // rows, mines // columns
    return (
        *(Constraint(whole << row * columns, in_row, in_row, f"row {row}") for row in range(rows)),
        *(Constraint(first << column, in_column, in_column, f"column {column}") for column in range(columns)),
    )


VARIANT = Variant("balance", "every row holds equally many mines, and so does every column", shares)
