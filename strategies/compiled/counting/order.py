"""An order of classes in which counting stays narrow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from strategies.compiled.counting.classes import Classes
from strategies.compiled.tables import Ints

OUTSIDE, BEGUN, DONE = 0, 1, 2  # the states of a rule: none, some, or all of its classes are placed


class Placing(NamedTuple):
    """The `order` so far, which classes it has; of each rule its state and how many classes it has `left`.

    Of each rule also which walk has `met` it. In `queue`, `waiting` and `begins` is room for what is at hand.
    """

    order: Ints
    is_placed: Ints
    state: Ints
    left: Ints
    met: Ints
    queue: Ints
    waiting: Ints
    begins: Ints


def order_classes(classes: Classes, last: int) -> Ints:
    """An order that begins at one end and finishes rules soon; what hangs on rule `last` comes last.

    `last` is -1 when it does not matter.
    """
    rules, count = len(classes.of_rule_start) - 1, len(classes.size)
    left = classes.of_rule_start[1:] - classes.of_rule_start[:-1]
    placing = Placing(
        np.empty(count, np.int64), np.zeros(count, np.int64), np.full(rules, OUTSIDE, np.int64), left,
        np.full(rules, -1, np.int64), np.empty(rules, np.int64), np.empty(count, np.int64),
        np.empty(count, np.int64),
    )  # fmt: skip
    place_all(classes, placing, last)
    return placing.order


def place_all(classes: Classes, placing: Placing, last: int) -> None:
    """Place the classes of one component after the other; that of rule `last` is the last one."""
    state, left, met = placing.state, placing.left, placing.met
    rules, count = len(state), len(placing.order)
    for r in range(rules):
        if left[r] == 0:
            state[r] = DONE
    end = -1
    if last >= 0 and left[last] > 0:
        end = far_end(classes, placing, last, rules)
    placed, begin = 0, 0
    while placed < count:
        while begin < rules and (state[begin] == DONE or met[begin] == rules):
            begin += 1
        first = end
        if begin < rules:
            first = far_end(classes, placing, begin, begin)
            # marks are rule numbers, so the second walk needs one of its own: all met ones are of this walk
            for r in range(rules):
                if met[r] == begin:
                    met[r] = -1
            first = far_end(classes, placing, first, begin)
        if first < 0:
            break
        state[first] = BEGUN
        rule = first
        while rule >= 0:
            placed = place_rule(classes, placing, rule, placed)
            rule = shortest(state, left)
        if begin >= rules:
            end = -1


def far_end(classes: Classes, placing: Placing, begin: int, mark: int) -> int:
    """The rule that a walk over shared classes from `begin` meets last; all that it meets get the mark."""
    met, queue = placing.met, placing.queue
    queue[0] = begin
    met[begin] = mark
    length, at = 1, 0
    while at < length:
        r = queue[at]
        at += 1
        for t in range(classes.of_rule_start[r], classes.of_rule_start[r + 1]):
            b = classes.of_rule[t]
            for u in range(classes.of_class_start[b], classes.of_class_start[b + 1]):
                other = classes.of_class[u]
                if met[other] != mark:
                    met[other] = mark
                    queue[length] = other
                    length += 1
    return int(queue[length - 1])


def shortest(state: Ints, left: Ints) -> int:
    """The rule that is begun and has the fewest classes left; -1 when none is begun."""
    rule = -1
    for r in range(len(state)):
        if state[r] == BEGUN and (rule < 0 or left[r] < left[rule]):
            rule = r
    return rule


def place_rule(classes: Classes, placing: Placing, rule: int, placed: int) -> int:
    """Place what is left of a rule, what begins the fewest rules first; how many are placed then."""
    order, is_placed, state, left = placing.order, placing.is_placed, placing.state, placing.left
    waiting, begins = placing.waiting, placing.begins
    state[rule] = DONE
    length = 0
    for t in range(classes.of_rule_start[rule], classes.of_rule_start[rule + 1]):
        b = classes.of_rule[t]
        if not is_placed[b]:
            begins[length] = 0
            for u in range(classes.of_class_start[b], classes.of_class_start[b + 1]):
                begins[length] += state[classes.of_class[u]] == OUTSIDE
            waiting[length] = b
            length += 1
    for _ in range(length):
        least = -1
        for t in range(length):
            if begins[t] >= 0 and (least < 0 or begins[t] < begins[least]):
                least = t
        begins[least] = -1
        b = waiting[least]
        order[placed] = b
        is_placed[b] = 1
        placed += 1
        for u in range(classes.of_class_start[b], classes.of_class_start[b + 1]):
            other = classes.of_class[u]
            left[other] -= 1
            if left[other] == 0:
                state[other] = DONE
            elif state[other] == OUTSIDE:
                state[other] = BEGUN
    return placed
