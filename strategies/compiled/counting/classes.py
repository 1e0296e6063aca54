"""Classes: cells that are in the same constraints; and an order of them in which counting stays narrow."""

from __future__ import annotations

import numpy as np

from strategies.compiled.tables import Ints


def group_classes(counted: Ints, start: Ints, members: Ints) -> tuple[Ints, Ints, Ints]:
    """The class of each cell, the size of each class, and whether the total counts it.

    `members[start[r]:start[r + 1]]` are the cells of rule r. Classes are refined rule by rule: what one cuts
    off from a class becomes a new one. Then they are numbered in the order of their first cells.
    """
    cells = len(counted)
    cls = np.empty(cells, np.int64)
    for k in range(cells):
        cls[k] = 0 if counted[k] else 1
    most = 2 + len(members)
    stamp = np.full(most, -1, np.int64)
    part = np.empty(most, np.int64)
    found = 2
    for r in range(len(start) - 1):
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
    size = np.zeros(classes, np.int64)
    is_counted = np.zeros(classes, np.int64)
    for k in range(cells):
        size[cls[k]] += 1
        is_counted[cls[k]] = counted[k]
    return cls, size, is_counted


def link_classes(cls: Ints, classes: int, start: Ints, members: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """The classes of each rule and the rules of each class, both as (start, members)."""
    rules = len(start) - 1
    stamp = np.full(classes, -1, np.int64)
    of_rule_start = np.zeros(rules + 1, np.int64)
    of_rule = np.empty(len(members), np.int64)
    touches = np.zeros(classes + 1, np.int64)
    fill = 0
    for r in range(rules):
        for t in range(start[r], start[r + 1]):
            b = cls[members[t]]
            if stamp[b] != r:
                stamp[b] = r
                of_rule[fill] = b
                fill += 1
                touches[b + 1] += 1
        of_rule_start[r + 1] = fill
    for b in range(classes):
        touches[b + 1] += touches[b]
    of_class = np.empty(fill, np.int64)
    place = touches.copy()
    for r in range(rules):
        for t in range(of_rule_start[r], of_rule_start[r + 1]):
            b = of_rule[t]
            of_class[place[b]] = r
            place[b] += 1
    return of_rule_start, of_rule, touches, of_class


def far_end(
    begin: int, met: Ints, mark: int, of_rule_start: Ints, of_rule: Ints, of_class_start: Ints, of_class: Ints
) -> int:
    """The rule that a walk over shared classes from `begin` meets last; all that it meets get the mark."""
    queue = np.empty(len(met), np.int64)
    queue[0] = begin
    met[begin] = mark
    length, at = 1, 0
    while at < length:
        r = queue[at]
        at += 1
        for t in range(of_rule_start[r], of_rule_start[r + 1]):
            b = of_rule[t]
            for u in range(of_class_start[b], of_class_start[b + 1]):
                other = of_class[u]
                if met[other] != mark:
                    met[other] = mark
                    queue[length] = other
                    length += 1
    return int(queue[length - 1])


def order_classes(
    classes: int, of_rule_start: Ints, of_rule: Ints, of_class_start: Ints, of_class: Ints, last: int
) -> Ints:
    """An order that begins at one end and finishes rules soon; what hangs on rule `last` comes last.

    `last` is -1 when it does not matter.
    """
    rules = len(of_rule_start) - 1
    order = np.empty(classes, np.int64)
    is_placed = np.zeros(classes, np.int64)
    state = np.zeros(rules, np.int64)  # 0: not begun, 1: begun, 2: all its classes are placed
    left = np.empty(rules, np.int64)
    for r in range(rules):
        left[r] = of_rule_start[r + 1] - of_rule_start[r]
        if left[r] == 0:
            state[r] = 2
    met = np.full(rules, -1, np.int64)
    end = -1
    if last >= 0 and left[last] > 0:
        end = far_end(last, met, rules, of_rule_start, of_rule, of_class_start, of_class)
    waiting = np.empty(classes, np.int64)
    key = np.empty(classes, np.int64)
    placed = 0
    begin = 0
    while placed < classes:
        while begin < rules and (state[begin] == 2 or met[begin] == rules):
            begin += 1
        if begin < rules:
            first = far_end(begin, met, begin, of_rule_start, of_rule, of_class_start, of_class)
            # marks are rule numbers, so the second walk needs one of its own: all met ones are of this walk
            for r in range(rules):
                if met[r] == begin:
                    met[r] = -1
            first = far_end(first, met, begin, of_rule_start, of_rule, of_class_start, of_class)
        else:
            first = end
        if first < 0:
            break
        state[first] = 1
        while True:
            rule = -1
            for r in range(rules):
                if state[r] == 1 and (rule < 0 or left[r] < left[rule]):
                    rule = r
            if rule < 0:
                break
            state[rule] = 2
            length = 0
            for t in range(of_rule_start[rule], of_rule_start[rule + 1]):
                b = of_rule[t]
                if not is_placed[b]:
                    key[length] = 0
                    for u in range(of_class_start[b], of_class_start[b + 1]):
                        key[length] += state[of_class[u]] == 0
                    waiting[length] = b
                    length += 1
            for _ in range(length):
                least = -1
                for t in range(length):
                    if key[t] >= 0 and (least < 0 or key[t] < key[least]):
                        least = t
                key[least] = -1
                b = waiting[least]
                order[placed] = b
                is_placed[b] = 1
                placed += 1
                for u in range(of_class_start[b], of_class_start[b + 1]):
                    other = of_class[u]
                    left[other] -= 1
                    if left[other] == 0:
                        state[other] = 2
                    elif state[other] == 0:
                        state[other] = 1
        if begin >= rules:
            end = -1
    return order
