"""Notices that a whole board was drawn anew, as when its theme changes or its game ends, and what stays true.

A number never changes. So whatever a new look is, where it stands on cells that all showed one number before,
it is that number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

import numpy as np

from games.minesweeper.board import CLOSED, DIGITS, EXPLODED, FLAG, HIDDEN, MINE, UNKNOWN, WRONG_FLAG
from vision.looks import Ids

REDRAWN = 0.5  # of the open cells; all that an act does to them is a shadow on a rim


def redrawn(
    before: Ids,
    after: Ids,
    states: Mapping[int, str],
    is_alike: Callable[[int, int], bool],
    is_digit: Callable[[int, str], bool],
    is_recoloured: Callable[[int, int], bool],
) -> dict[int, str] | None:
    """For each look that is new the states that it can have, when the board was drawn anew; else None.

    That is so when half of the numbers have changed, or when all hidden cells have and some are still plain.
    `before` and `after` are the looks of all cells, `states` what is known of looks; `is_alike` says whether
    two looks differ at their rims only, `is_digit` whether a look may be this number by its shape,
    `is_recoloured` whether a second look differs from a first in its colours only. What lies
    on cells of several numbers means nothing (UNKNOWN); a look of which nothing is known is left out.
    """
    numbers = _changed(before, after, [look for look in states if states[look] in DIGITS], is_alike)
    hidden = _changed(before, after, [look for look in states if states[look] == HIDDEN], is_alike)
    covers = {
        new for old, new in hidden[2] if is_digit(new, "0") or is_recoloured(old, new)
    }  # nothing new in it
    if numbers[0] < REDRAWN * max(1, numbers[1]) and (hidden[0] < max(1, hidden[1]) or not covers):
        return None
    known = np.isin(before, list(states))
    shown = {
        int(look): {states[int(old)] for old in np.unique(before[(after == look) & known])}
        for look in np.unique(after)
        if int(look) not in states
    }
    # flags that were set keep a look of their own: where none was set, none is now
    others = DIGITS + HIDDEN + MINE + EXPLODED + ("" if {FLAG} in shown.values() else FLAG)
    found = {look: _still(was, others) for look, was in shown.items() if was}
    for look in shown:
        olds = [int(old) for old in np.unique(before[after == look])]
        if found.get(look) == others and all(is_recoloured(old, look) for old in olds):
            count = int((after == look).sum())
            # the one that was opened apart, all of a kind at once are no zeros
            is_whole = len(olds) == 1 and count > 1 and count >= (before == olds[0]).sum() - 1
            found[look] = HIDDEN if is_whole else HIDDEN + "0"
    for look, meant in found.items():
        # alone it may be a part of a message as well as a rare number
        if meant in DIGITS and (after == look).sum() == 1 and not is_digit(look, meant):
            found[look] = UNKNOWN
    meaningless = np.isin(after, [look for look, meant in found.items() if meant == UNKNOWN])
    was_open = np.isin(before, [look for look in states if states[look] in DIGITS])
    if (meaningless & was_open).sum() > REDRAWN * was_open.sum():  # that is no board
        return dict.fromkeys(found, UNKNOWN)
    return {look: meant for look, meant in found.items() if meant}


def _changed(
    before: Ids, after: Ids, looks: list[int], is_alike: Callable[[int, int], bool]
) -> tuple[int, int, set[tuple[int, int]]]:
    """How many cells of these looks have changed, of how many, and from which look into which."""
    cells = np.isin(before, looks)
    pairs = Counter(zip(before[cells].tolist(), after[cells].tolist(), strict=True))
    changed = {pair: count for pair, count in pairs.items() if pair[0] != pair[1] and not is_alike(*pair)}
    return sum(changed.values()), pairs.total(), set(changed)


def _still(was: set[str], others: str) -> str:
    """What cells can show now that showed these states before; `others` for hidden ones; "" for anything."""
    if was == {FLAG}:
        return FLAG + MINE + WRONG_FLAG
    if was <= set(CLOSED):
        return others
    if len(was & set(DIGITS)) > 1:
        return UNKNOWN
    return next(iter(was)) if len(was) == 1 else ""
