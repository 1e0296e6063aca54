"""Closed groups: components that are games of their own, solved exactly while the board is still large.

A component is closed when it holds the same number of mines in every layout, and its cells and all others
are no neighbours. Nothing outside says anything about it, nor it about them: the chance to clear it is the
same now and later, and so is the best order of its cells.
"""

from __future__ import annotations

import numpy as np

from strategies.compiled.counting.survey import Survey
from strategies.compiled.field import Field
from strategies.compiled.guessing.candidates import FIGURES, IS_SAFE, SCORE
from strategies.compiled.guessing.rest import solve_rest
from strategies.compiled.settings import Settings
from strategies.compiled.tables import Floats, Ints


def solve_closed(field: Field, found: Survey, settings: Settings, marks: Ints, figures: Floats) -> int:
    """The best cell of the first closed group that can be solved; -1 when there is none.

    Its score becomes the chance to clear the group. With more than `settings.closed` layouts a group is left
    to itself, and so is one that is all of the board,
    or nothing but mines.
    """
    cells = len(field.openable)
    for own in range(len(found.lengths) - 1):
        mines = sole_number(found.numbers[found.lengths[own] : found.lengths[own + 1]])
        if mines < 0 or not is_closed(field, found.part, own):
            continue
        members = np.flatnonzero(found.part == own)
        safe = figures[members, IS_SAFE]
        if len(members) == cells or safe[int(np.argmax(safe))] == 0.0:
            continue
        own_figures = np.zeros((len(members), FIGURES), np.float64)
        for k in range(len(members)):
            own_figures[k, IS_SAFE] = safe[k]
        chosen, is_certain = solve_rest(
            alone(field, members, mines), settings.closed, safe, settings, marks, own_figures
        )
        if chosen >= 0 and is_certain:
            for k in range(len(members)):
                figures[members[k], SCORE] = own_figures[k, SCORE]
            return int(members[chosen])
    return -1


def sole_number(weights: Floats) -> int:
    """The only number of mines that has any weight; -1 when there are more."""
    sole = -1
    for m in range(len(weights)):
        if weights[m] > 0.0:
            if sole >= 0:
                return -1
            sole = m
    return sole


def is_closed(field: Field, part: Ints, own: int) -> bool:
    """Whether the cells of component `own` are no neighbours of any other undecided cell."""
    bound = field.bound
    for k in range(len(field.openable)):
        is_own = k < bound and part[k] == own
        for t in range(field.around_start[k], field.around_start[k + 1]):
            z = field.around[t]
            if is_own != (z < bound and part[z] == own):
                return False
    return True


def alone(field: Field, members: Ints, mines: int) -> Field:
    """A field of these cells of a closed component only."""
    number = np.full(len(field.openable), -1, np.int64)
    for k in range(len(members)):
        number[members[k]] = k
    rules = np.flatnonzero(number[field.members[field.start[:-1]]] >= 0)  # no rule is empty
    start, rule_members = renumbered(field.start, field.members, rules, number)
    around_start, around = renumbered(field.around_start, field.around, members, number)
    return Field(
        len(members), field.counted[members], field.openable[members], start, rule_members,
        field.low[rules], field.high[rules], around_start, around, mines, mines, field.odds,
    )  # fmt: skip


def renumbered(start: Ints, members: Ints, rows: Ints, number: Ints) -> tuple[Ints, Ints]:
    """Some rows of a list of lists, their members by their new numbers."""
    new_start = np.zeros(len(rows) + 1, np.int64)
    for i in range(len(rows)):
        new_start[i + 1] = new_start[i] + start[rows[i] + 1] - start[rows[i]]
    new_members = np.empty(new_start[-1], np.int64)
    for i in range(len(rows)):
        new_members[new_start[i] : new_start[i + 1]] = number[members[start[rows[i]] : start[rows[i] + 1]]]
    return new_start, new_members
