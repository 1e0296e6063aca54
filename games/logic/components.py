"""Constraints that belong together: groups that share no cell, and what a change can reach."""

from __future__ import annotations

from collections.abc import Iterable

from games.logic.bits import bits
from games.logic.constraint import Constraint


def components(constraints: Iterable[Constraint]) -> list[list[Constraint]]:
    """The constraints in groups that share no cell, in the order of their first ones (union-find)."""
    constraints = list(constraints)
    leader = list(range(len(constraints)))
    first: dict[int, int] = {}
    for place, constraint in enumerate(constraints):
        own = place
        for k in bits(constraint.cells):
            other = first.setdefault(k, place)
            if other == place:
                continue
            while leader[other] != other:
                leader[other] = other = leader[leader[other]]
            if other < own:
                leader[own] = own = other
            else:
                leader[other] = own
    groups: dict[int, list[Constraint]] = {}
    for place, constraint in enumerate(constraints):
        lead = leader[place] = leader[leader[place]]  # those before it name theirs already
        groups.setdefault(lead, []).append(constraint)
    return list(groups.values())


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
