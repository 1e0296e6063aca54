"""What counting forces in rules over few cells: the inner step of searches for a layout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

Rule = tuple[int, int, int]  # cells (a set), and how few and how many of them are true


def forced(
    rules: Sequence[Rule], touching: Mapping[int, Sequence[int]], true: int, false: int, places: Iterable[int]
) -> tuple[int, int] | None:
    """The cells (sets) that are true and false then, looking from the rules at these places on.

    `touching` has the places of the rules about a cell, which is given as a set of one. None when a rule
    cannot hold any more.
    """
    waiting = list(places)
    while waiting:
        cells, low, high = rules[waiting.pop()]
        found = (cells & true).bit_count()
        free = cells & ~(true | false)
        room = found + free.bit_count()
        if found > high or room < low:
            return None
        if not free or (low < room and found < high):
            continue
        if found == high:
            false |= free
        else:
            true |= free
        while free:
            cell = free & -free
            free ^= cell
            waiting += touching[cell]
    return true, false
