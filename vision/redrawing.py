"""Notices that a whole board was drawn anew, as when its theme changes or its game ends, and what stays true.

A number never changes. So whatever a new look is, where it stands on cells that all showed one number before,
it is that number.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from games.minesweeper.board import CLOSED, DIGITS, EXPLODED, FLAG, HIDDEN, MINE, WRONG_FLAG
from vision.looks import Ids

REDRAWN = 0.5  # of the open cells; what an act does to them is no more than a shadow on a rim


def redrawn(before: Ids, after: Ids, states: Mapping[int, str]) -> dict[int, str] | None:
    """For each look that is new the states that it can have, when the board was drawn anew; else None.

    `before` and `after` are the looks of all cells, `states` what is known of looks. A look is left out where
    the cells that show it say nothing about it, or contradict each other.
    """
    was_open = np.isin(before, [look for look, state in states.items() if state in DIGITS])
    if not was_open.any() or (was_open & (before != after)).sum() < REDRAWN * was_open.sum():
        return None
    known = np.isin(before, list(states))
    shown = {
        int(look): {states[int(old)] for old in np.unique(before[(after == look) & known])}
        for look in np.unique(after)
        if int(look) not in states
    }
    # flags that were set keep a look of their own: where none was set, none is now
    others = DIGITS + HIDDEN + MINE + EXPLODED + ("" if {FLAG} in shown.values() else FLAG)
    found = {look: _still(was, others) for look, was in shown.items()}
    return {look: states for look, states in found.items() if states}


def _still(was: set[str], others: str) -> str:
    """What cells can show now that showed these states before; `others` for hidden ones; "" for anything."""
    if was == {FLAG}:
        return FLAG + MINE + WRONG_FLAG
    if was and was <= set(CLOSED):
        return others
    return next(iter(was)) if len(was) == 1 and was <= set(DIGITS) else ""
