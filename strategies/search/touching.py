"""Constraints that belong together: what a change can reach over shared cells."""

from __future__ import annotations

from collections.abc import Iterable

from games.logic import Constraint


def reached(constraints: Iterable[Constraint], changed: int) -> list[Constraint]:
    """The constraints of every component that has a changed cell, in the order given.

    Sets are compared whole, no cell is walked: a pass over what is left for each step outwards, so a large
    board costs little where little changed.
    """
    waiting = list(enumerate(constraints))
    found: list[tuple[int, Constraint]] = []
    cells = changed
    while True:
        left, grew = [], False
        for each in waiting:
            if each[1].cells & cells:
                cells |= each[1].cells
                found.append(each)
                grew = True
            else:
                left.append(each)
        if not grew:
            return [constraint for _, constraint in sorted(found, key=lambda each: each[0])]
        waiting = left


def components(constraints: Iterable[Constraint]) -> list[list[Constraint]]:
    """The constraints in groups that share no cell, in the order of their first ones."""
    waiting = list(constraints)
    found = []
    while waiting:
        group = reached(waiting, waiting[0].cells)
        members = set(map(id, group))
        waiting = [constraint for constraint in waiting if id(constraint) not in members]
        found.append(group)
    return found
