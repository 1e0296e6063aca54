"""Unavoidable 50/50s of four cells: two of them are mines, crosswise, and nothing will show which two.

Such as a square whose mines are in one diagonal or the other. Exchange the two: every rule still holds. Only
a cell that sees more of the one two than of the other could decide, and where it is a mine it never will.
"""

from __future__ import annotations

import math

import numpy as np

from strategies.compiled.counting.survey import Survey, risk, survey
from strategies.compiled.field import Field
from strategies.compiled.tables import Floats, Ints, Tables

MOST = 12  # fours of one position
APART = 4  # cells that could decide, of one four
MARK, STEP, FIRST, WIDTH = 1_103_515_245, 12_345, 1, 1 << 31  # a number for each rule, by chance


def find_fours(field: Field, found: Survey, least: float, tables: Tables) -> tuple[Ints, Floats]:
    """Fours of cells, and the chance that they are such a 50/50 for good: `least` or more.

    A row: how many cells could decide, the four (first, third against second, fourth), those. The chance is
    that of the one two or the other being the mines, beside mines in all cells that could decide.
    """
    fours = np.full((MOST, 5 + APART), -1, np.int64)
    chance = np.zeros(MOST, np.float64)
    marks = rule_marks(field)
    pairs = neighbours_apart(field, found, marks)
    differences = marks[pairs[:, 0]] - marks[pairs[:, 1]]
    four, apart = np.empty(4, np.int64), np.empty(len(field.openable), np.int64)
    sees = np.zeros(len(field.openable), np.int64)
    length = 0
    for e in range(len(pairs)):
        for f in range(e + 1, len(pairs)):
            if abs(differences[e]) != abs(differences[f]):
                continue
            four[0], four[1] = pairs[e, 0], pairs[e, 1]
            turned = int(differences[e] == differences[f])
            four[2], four[3] = pairs[f, turned], pairs[f, 1 - turned]
            if (
                marks[four[0]] == marks[four[3]]  # two pairs, each of cells that rules do not distinguish
                or four[0] == four[2]
                or four[1] == four[3]
                or length == MOST
                or is_among(fours[:length, 1:5], four)
            ):
                continue
            deciding = deciding_cells(field, four, sees, apart)
            if deciding > APART or all_mines(field, found, apart[:deciding]) < least:
                continue
            likely = chance_of(field, found, four, apart[:deciding], tables)
            if likely >= least:
                fours[length, 0] = deciding
                for t in range(4):
                    fours[length, 1 + t] = four[t]
                for t in range(deciding):
                    fours[length, 5 + t] = apart[t]
                chance[length] = likely
                length += 1
    return fours[:length], chance[:length]


def rule_marks(field: Field) -> Ints:
    """For each bound cell the sum of the marks of its rules."""
    marks = np.zeros(field.bound, np.int64)
    mark = FIRST
    for r in range(len(field.low)):
        mark = (mark * MARK + STEP) % WIDTH
        for t in range(field.start[r], field.start[r + 1]):
            marks[field.members[t]] += mark
    return marks


def neighbours_apart(field: Field, found: Survey, marks: Ints) -> Ints:
    """The pairs of undecided bound neighbours that are not in the same rules."""
    pairs = np.empty((len(field.around) + 1, 2), np.int64)
    fill = 0
    for x in range(field.bound):
        if 0.0 < found.risks[x] < 1.0:
            for t in range(field.around_start[x], field.around_start[x + 1]):
                y = field.around[t]
                if x < y < field.bound and marks[x] != marks[y] and 0.0 < found.risks[y] < 1.0:
                    pairs[fill, 0], pairs[fill, 1] = x, y
                    fill += 1
    return pairs[:fill]


def is_among(fours: Ints, four: Ints) -> bool:
    """Whether these four cells are there, in whatever order."""
    for i in range(len(fours)):
        same = 0
        for t in range(4):
            for u in range(4):
                same += fours[i, u] == four[t]
        if same == 4:
            return True
    return False


def deciding_cells(field: Field, four: Ints, sees: Ints, apart: Ints) -> int:
    """Fill in the cells that see more of the one two than of the other; how many. `sees` stays all 0."""
    around_start, around = field.around_start, field.around
    for i in range(4):
        for t in range(around_start[four[i]], around_start[four[i] + 1]):
            sees[around[t]] += 1 if i % 2 == 0 else -1
    for i in range(4):
        sees[four[i]] = 0
    fill = 0
    for i in range(4):
        for t in range(around_start[four[i]], around_start[four[i] + 1]):
            if sees[around[t]] != 0:
                sees[around[t]] = 0
                apart[fill] = around[t]
                fill += 1
    return fill


def all_mines(field: Field, found: Survey, some: Ints) -> float:
    """About how likely all of these cells are mines."""
    likely = 1.0
    for i in range(len(some)):
        likely *= risk(field, found, some[i])
    return likely


def chance_of(field: Field, found: Survey, four: Ints, apart: Ints, tables: Tables) -> float:
    """How likely the one two or the other are the mines beside mines in all of `apart`.

    Exact for those of them that are bound.
    """
    bound_apart = apart[apart < field.bound]
    likely = 0.0
    for side in range(2):
        mines = np.empty(2 + len(bound_apart), np.int64)
        mines[0], mines[1] = four[side], four[2 + side]
        for t in range(len(bound_apart)):
            mines[2 + t] = bound_apart[t]
        safe = np.empty(2, np.int64)
        safe[0], safe[1] = four[1 - side], four[3 - side]
        then = survey(field_supposing(field, mines, safe), tables)
        if then.worked:
            likely += math.exp(then.size - found.size)
    return min(likely, 1.0) * all_mines(field, found, apart[apart >= field.bound])


def field_supposing(field: Field, mines: Ints, safe: Ints) -> Field:
    """The field in which these bound cells are mines, and those safe."""
    start, members = field.start, np.concatenate((field.members, mines, safe))
    ends = np.array([len(field.members) + len(mines), len(members)])
    count, none = np.full(1, len(mines), np.int64), np.zeros(1, np.int64)
    return Field(
        field.bound, field.counted, field.openable, np.concatenate((start, ends)), members,
        np.concatenate((field.low, count, none)), np.concatenate((field.high, count, none)),
        field.around_start, field.around, field.least, field.most, field.odds,
    )  # fmt: skip
