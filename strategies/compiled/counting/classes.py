"""Classes: cells that are in the same constraints; and which classes are in which constraints."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from strategies.compiled.field import Rules
from strategies.compiled.tables import Ints


class Classes(NamedTuple):
    """The class of each cell (`of_cell`); of each class its `size` and whether the total counts it.

    The classes of rule r are `of_rule[of_rule_start[r]:of_rule_start[r + 1]]`, and the rules of class b
    `of_class[of_class_start[b]:of_class_start[b + 1]]`.
    """

    of_cell: Ints
    size: Ints
    is_counted: Ints
    of_rule_start: Ints
    of_rule: Ints
    of_class_start: Ints
    of_class: Ints


def classes_of(counted: Ints, rules: Rules) -> Classes:
    """The classes of cells, numbered in the order of the first cell of each."""
    start, members = rules.start, rules.members
    of_cell, classes = group(counted, rules)
    size = np.zeros(classes, np.int64)
    is_counted = np.zeros(classes, np.int64)
    for k in range(len(of_cell)):
        size[of_cell[k]] += 1
        is_counted[of_cell[k]] = counted[k]
    stamp = np.full(classes, -1, np.int64)
    of_rule_start = np.zeros(len(start), np.int64)
    of_rule = np.empty(len(members), np.int64)
    of_class_start = np.zeros(classes + 1, np.int64)
    fill = 0
    for r in range(len(rules.low)):
        for t in range(start[r], start[r + 1]):
            b = of_cell[members[t]]
            if stamp[b] != r:
                stamp[b] = r
                of_rule[fill] = b
                fill += 1
                of_class_start[b + 1] += 1
        of_rule_start[r + 1] = fill
    for b in range(classes):
        of_class_start[b + 1] += of_class_start[b]
    of_class = np.empty(fill, np.int64)
    place = of_class_start.copy()
    for r in range(len(rules.low)):
        for t in range(of_rule_start[r], of_rule_start[r + 1]):
            b = of_rule[t]
            of_class[place[b]] = r
            place[b] += 1
    return Classes(of_cell, size, is_counted, of_rule_start, of_rule, of_class_start, of_class)


def group(counted: Ints, rules: Rules) -> tuple[Ints, int]:
    """The class of each cell, and how many there are.

    They are refined rule by rule: what one cuts off from a class becomes a new one.
    """
    start, members = rules.start, rules.members
    cells = len(counted)
    cls = np.empty(cells, np.int64)
    for k in range(cells):
        cls[k] = 0 if counted[k] else 1
    most = 2 + len(members)
    stamp = np.full(most, -1, np.int64)
    part = np.empty(most, np.int64)
    found = 2
    for r in range(len(rules.low)):
        for t in range(start[r], start[r + 1]):
            old = cls[members[t]]
            if stamp[old] != r:
                stamp[old] = r
                part[old] = found
                found += 1
            cls[members[t]] = part[old]
    number = np.full(found, -1, np.int64)
    classes = 0
    for k in range(cells):
        if number[cls[k]] < 0:
            number[cls[k]] = classes
            classes += 1
        cls[k] = number[cls[k]]
    return cls, classes
