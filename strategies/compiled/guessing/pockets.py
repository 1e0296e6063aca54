"""Pockets: small groups of cells that only the mine total ties to the rest of the board.

A guess in one of them costs the same later, when the total may say more; so it waits while there are others.
"""

from __future__ import annotations

import numpy as np

from strategies.compiled.field import Field
from strategies.compiled.tables import Ints


def find_pockets(field: Field, most: int) -> Ints:
    """1 for each cell of a group of fewer than `most` cells that no rule, and no number, joins to others."""
    cells = len(field.openable)
    leader = np.empty(cells, np.int64)
    for k in range(cells):
        leader[k] = k
    for r in range(len(field.low)):
        for t in range(field.start[r] + 1, field.start[r + 1]):
            join(leader, field.members[t - 1], field.members[t])
    for k in range(cells):
        for t in range(field.around_start[k], field.around_start[k + 1]):
            join(leader, k, field.around[t])
    size = np.zeros(cells, np.int64)
    for k in range(cells):
        size[lead(leader, k)] += 1
    pockets = np.zeros(cells, np.int64)
    for k in range(cells):
        pockets[k] = size[lead(leader, k)] < most
    return pockets


def join(leader: Ints, one: int, other: int) -> None:
    """Make the groups of two cells one."""
    a, b = lead(leader, one), lead(leader, other)
    leader[max(a, b)] = min(a, b)


def lead(leader: Ints, cell: int) -> int:
    """The cell that stands for the group of a cell."""
    while leader[cell] != cell:
        leader[cell] = leader[leader[cell]]
        cell = leader[cell]
    return cell
