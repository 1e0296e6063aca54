"""Families of disjoint sets, and smallest sets that hit: the two exact searches behind `packing`.

Clue inference: the maximum disjoint set ("the most general case"). Both searches are capped in steps and say
so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.logic import bits

MOST_STEPS = 400  # of one search


def best_disjoint(sets: Sequence[tuple[int, int]]) -> list[int]:
    """The places of sets that share no cell and weigh most together: the maximum disjoint set.

    A set is (cells, weight), its weight greater than 0. Exact up to `MOST_STEPS` steps of branch and bound;
    above that the best family met. Of equals the first met stays.
    """
    if len(sets) < 2:
        return list(range(len(sets)))
    order = sorted(range(len(sets)), key=lambda p: (-sets[p][1] / (sets[p][0].bit_count() or 1), p))
    ahead = [0] * (len(order) + 1)  # the most that the sets from here on can add
    for at in range(len(order) - 1, -1, -1):
        ahead[at] = ahead[at + 1] + sets[order[at]][1]
    best: list[int] = []
    most = steps = 0
    waiting: list[tuple[int, int, int, tuple[int, ...]]] = [(0, 0, 0, ())]
    while waiting and steps < MOST_STEPS:
        at, taken, weight, family = waiting.pop()
        steps += 1
        if weight > most:
            most, best = weight, list(family)
        if at == len(order) or weight + ahead[at] <= most:
            continue
        cells, worth = sets[order[at]]
        waiting.append((at + 1, taken, weight, family))
        if not cells & taken:  # taken first: it lies on top
            waiting.append((at + 1, taken | cells, weight + worth, (*family, order[at])))
    return best


@dataclass(frozen=True, slots=True)
class Hits:
    """What all sets of cells that hit every demand with the room given have in common.

    `ever` are the cells in any of them, `always` those in all. No such set at all: `ever` is 0 and `always`
    is all ones.
    """

    ever: int
    always: int


def hitting_sets(demands: Sequence[tuple[int, int]], room: int) -> Hits | None:
    """Every choice of at most `room` cells that takes at least `least` of the cells of each demand.

    A demand is (cells, least). None when a choice leaves room to spare, for then any other cell may be added
    and nothing follows, and when the search takes more than `MOST_STEPS` steps.
    """
    ever, always = 0, -1
    steps = 0
    waiting = [(0, 0)]  # taken, left out
    while waiting:
        taken, out = waiting.pop()
        steps += 1
        if steps > MOST_STEPS:
            return None
        open_demands = [d for cells, least in demands if (d := (cells & ~out, least))]
        unmet = [(cells & ~taken, least - (cells & taken).bit_count()) for cells, least in open_demands]
        unmet = [each for each in unmet if each[1] > 0]
        spare = room - taken.bit_count()
        if not unmet:
            if spare:
                return None
            ever, always = ever | taken, always & taken
            continue
        cells, least = min(unmet, key=lambda each: each[0].bit_count() - each[1])
        if least > spare or any(free.bit_count() < need for free, need in unmet):
            continue
        first = next(bits(cells))
        waiting += [(taken, out | 1 << first), (taken | 1 << first, out)]
    return Hits(ever, always)
