"""Components: each counted by itself, joined through the mine total, and weighed beside all others."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from strategies.compiled.counting.classes import Classes
from strategies.compiled.counting.layouts import Levels, forward
from strategies.compiled.counting.states import Room
from strategies.compiled.counting.total import meet, product, scale
from strategies.compiled.counting.weights import Shares, backward, most_held, polynomial
from strategies.compiled.field import Rules
from strategies.compiled.tables import Floats, Ints, Tables

LARGEST = 400  # cells of one component: a double holds the number of their layouts


class Parts(NamedTuple):
    """The components: part c is the classes at the places `cut[c]` to `cut[c + 1]` of the order.

    Among levels a part has two entries more for states than classes, and one more for moves.
    `of_class` is the part of each class. `numbers[lengths[c]:lengths[c + 1]]` are the weights of the numbers
    of mines that part c can hold.
    """

    cut: Ints
    of_class: Ints
    lengths: Ints
    numbers: Floats


class Joined(NamedTuple):
    """Parts joined: row c has what each number of mines of the first c parts weighs, `width[c]` numbers.

    In `behind` (a row for each part) and `own` is room to weigh them.
    """

    weights: Floats
    width: Ints
    behind: Floats
    own: Floats


def parts_of(classes: Classes, order: Ints) -> Parts:
    """A rule's classes and a class's rules are of one component; in the order they follow each other."""
    count, rules = len(order), len(classes.of_rule_start) - 1
    of_class, cut = np.full(count, -1, np.int64), np.zeros(count + 1, np.int64)
    parts = part_classes(
        classes, order, of_class, np.full(rules, -1, np.int64), np.empty(rules, np.int64), cut
    )
    cells = len(classes.of_cell)
    return Parts(cut, of_class, np.zeros(parts + 1, np.int64), np.empty(cells + parts + 1, np.float64))


def part_classes(classes: Classes, order: Ints, of_class: Ints, of_rule: Ints, reach: Ints, cut: Ints) -> int:
    """Fill in the part of each class and rule (-1 before), and where each begins; how many there are."""
    parts = 0
    for p in range(len(order)):
        if of_class[order[p]] >= 0:
            continue
        cut[parts] = p
        waiting = reach_rules(classes, order[p], parts, of_class, of_rule, reach, 0)
        while waiting:
            waiting -= 1
            r = reach[waiting]
            for t in range(classes.of_rule_start[r], classes.of_rule_start[r + 1]):
                waiting = reach_rules(classes, classes.of_rule[t], parts, of_class, of_rule, reach, waiting)
        parts += 1
    cut[parts] = len(order)
    return parts


def reach_rules(
    classes: Classes, b: int, part: int, of_class: Ints, of_rule: Ints, reach: Ints, waiting: int
) -> int:
    """A class is of this part; those of its rules that were of none are, and wait. How many wait then."""
    of_class[b] = part
    for t in range(classes.of_class_start[b], classes.of_class_start[b + 1]):
        r = classes.of_class[t]
        if of_rule[r] < 0:
            of_rule[r] = part
            reach[waiting] = r
            waiting += 1
    return waiting


def count_parts(
    classes: Classes, levels: Levels, rules: Rules, parts: Parts, room: Room, tables: Tables
) -> float:
    """Fill in numbers of each part; the logarithm that they were divided by, -1 when it cannot be done."""
    lengths, size = parts.lengths, 0.0
    for c in range(len(lengths) - 1):
        begin, end, held = parts.cut[c], parts.cut[c + 1], 0
        for p in range(begin, end):
            held += classes.size[levels.order[p]]
        own = Levels(levels.order[begin:end], levels.states[begin + 2 * c :], levels.moves[begin + c :])
        if held > LARGEST or forward(classes, own, rules, -1, room, tables) < 0:
            return -1.0
        lengths[c + 1] = lengths[c] + most_held(own, tables) + 1
        numbers = parts.numbers[lengths[c] : lengths[c + 1]]
        polynomial(own, tables, numbers)
        most = scale(numbers)
        if most == 0.0:
            return -1.0
        size += math.log(most)
    return size


def room_to_join(parts: Parts, length: int) -> Joined:
    """Room for so many numbers of all parts joined."""
    rows = len(parts.lengths)
    return Joined(
        np.empty((rows, length), np.float64), np.empty(rows, np.int64), np.empty((rows, length), np.float64),
        np.empty(length, np.float64),
    )  # fmt: skip


def join_parts(parts: Parts, joined: Joined, size: float) -> float:
    """Join the parts one by one; `size` is the logarithm that they have been divided by before, and then."""
    lengths, weights, width = parts.lengths, joined.weights, joined.width
    weights[0, 0] = 1.0
    width[0] = 1
    for c in range(len(lengths) - 1):
        numbers = parts.numbers[lengths[c] : lengths[c + 1]]
        width[c + 1] = width[c] + len(numbers) - 1
        row = weights[c + 1, : width[c + 1]]
        product(weights[c, : width[c]], numbers, row)
        size += math.log(scale(row))
    return size


def weigh_parts(
    classes: Classes, levels: Levels, parts: Parts, joined: Joined, beside: Floats, tables: Tables,
    shares: Shares,
) -> None:  # fmt: skip
    """Fill in the shares of all classes; `beside` is what the rest weighs beside each number of mines."""
    lengths, behind = parts.lengths, beside
    for c in range(len(lengths) - 2, -1, -1):
        numbers = parts.numbers[lengths[c] : lengths[c + 1]]
        weights = joined.own[: len(numbers)]
        meet(joined.weights[c, : joined.width[c]], behind, weights)
        scale(weights)
        begin, end = parts.cut[c], parts.cut[c + 1]
        own = Levels(levels.order[begin:end], levels.states[begin + 2 * c :], levels.moves[begin + c :])
        backward(classes, own, weights, 0, -1, tables, shares)
        row = joined.behind[c, : joined.width[c]]
        meet(numbers, behind, row)
        scale(row)
        behind = row
