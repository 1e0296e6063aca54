"""The smallest conflict among statements (SMUS), where each statement may be several constraints.

By duality: statements that can all hold leave others out, and any set that cannot hold has one of those left
out. So the smallest set that meets every such remainder is tried; either it cannot hold, or it yields another
remainder. Ignatiev, Previti, Liffiton and Marques-Silva, "Smallest MUS extraction with minimal hitting set
dualization", 2015.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.logic import Constraint
from strategies.search.models import Models

MOST_ROUNDS = 400  # remainders that are collected before giving up
Statement = Sequence[Constraint]


def can_hold(constraints: Sequence[Constraint]) -> bool | None:
    """Whether some layout satisfies all of these; None when the search gave up."""
    if any(constraint.is_impossible for constraint in constraints):
        return False
    found = Models(constraints).find()
    return found.layout is not None if found.is_known else None


def smallest_conflict(
    always: Sequence[Constraint], statements: Sequence[Statement]
) -> tuple[int, ...] | None:
    """The places of the fewest statements that cannot all hold beside what holds `always`.

    Of several such sets the one that comes first. None when all can hold, or when the caps do not allow to
    say; empty when `always` alone cannot hold.
    """
    if can_hold(_with(always, statements, range(len(statements)))) is not False:
        return None
    remainders: list[tuple[int, ...]] = []
    for _ in range(MOST_ROUNDS):
        chosen = _fewest(remainders)
        if not can_hold(_with(always, statements, chosen)):
            return chosen
        kept = list(chosen)
        for place in range(len(statements)):
            if place not in chosen and can_hold(_with(always, statements, (*kept, place))):
                kept.append(place)
        remainders.append(tuple(place for place in range(len(statements)) if place not in kept))
    return None


def _with(
    always: Sequence[Constraint], statements: Sequence[Statement], places: Sequence[int]
) -> list[Constraint]:
    return [*always, *(constraint for place in sorted(places) for constraint in statements[place])]


def _fewest(remainders: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The fewest places, and of these the first, that meet every remainder."""
    size = 0
    while True:
        found = _meeting(remainders, (), size)
        if found is not None:
            return tuple(sorted(found))
        size += 1


def _meeting(
    remainders: Sequence[Sequence[int]], chosen: tuple[int, ...], more: int
) -> tuple[int, ...] | None:
    """These and up to so many more, meeting every remainder; None when that cannot be."""
    missed = next((each for each in remainders if not set(each) & set(chosen)), None)
    if missed is None:
        return chosen
    if more:
        for place in missed:
            found = _meeting(remainders, (*chosen, place), more - 1)
            if found is not None:
                return found
    return None
