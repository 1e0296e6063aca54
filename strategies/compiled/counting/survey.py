"""The risk of every cell of a position, exactly."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from strategies.compiled.counting.boxes import group_boxes, link_boxes, order_boxes
from strategies.compiled.counting.layouts import backward, forward, polynomial
from strategies.compiled.counting.total import meet, product, rest_log, rest_weights, scaled
from strategies.compiled.field import Field
from strategies.compiled.tables import Floats, Ints, Tables

LARGEST = 400  # cells of one component: a double holds the number of their layouts
ALMOST = 1.0 - 2.0**-53  # the risk of a cell that is hardly ever safe


class Survey(NamedTuple):
    """What was counted; nothing of it counts unless `worked`.

    Of each bound cell: `risks`, 0 or 1 only where all layouts agree; its `part` (component) and `box`; how
    likely it and another cell of its box `differ`. `rest_risk` is the risk of each cell that is not bound.
    `numbers[lengths[c]:lengths[c + 1]]` are the weights of the numbers of mines that part c can hold. `size`
    is the logarithm of the number of layouts.
    """

    worked: bool
    risks: Floats
    rest_risk: float
    part: Ints
    lengths: Ints
    numbers: Floats
    differs: Floats
    box: Ints
    size: float


def survey(field: Field, tables: Tables) -> Survey:
    """Count the layouts of a position. It fails when that is too wide, too large, or has no layout."""
    counted, start, members, low, high = field.counted, field.start, field.members, field.low, field.high
    least, most, odds = field.least, field.most, field.odds
    rest = len(field.openable) - field.bound
    cells = len(counted)
    rules = len(low)
    risks = np.zeros(cells, np.float64)
    part = np.zeros(cells, np.int64)
    box, size, is_counted = group_boxes(counted, start, members)
    boxes = len(size)
    of_rule_start, of_rule, of_box_start, of_box = link_boxes(box, boxes, start, members)
    order = order_boxes(boxes, of_rule_start, of_rule, of_box_start, of_box, -1)
    rule_size = start[1:] - start[:-1]
    part_of_box = np.full(boxes, -1, np.int64)
    part_of_rule = np.full(rules, -1, np.int64)
    # a rule's boxes and a box's rules are of one component; in the order they follow each other
    cut = np.zeros(boxes + 1, np.int64)
    parts = 0
    reach = np.empty(rules, np.int64)
    for p in range(boxes):
        if part_of_box[order[p]] >= 0:
            continue
        cut[parts] = p
        waiting = 0
        part_of_box[order[p]] = parts
        for t in range(of_box_start[order[p]], of_box_start[order[p] + 1]):
            part_of_rule[of_box[t]] = parts
            reach[waiting] = of_box[t]
            waiting += 1
        while waiting:
            waiting -= 1
            r = reach[waiting]
            for t in range(of_rule_start[r], of_rule_start[r + 1]):
                b = of_rule[t]
                part_of_box[b] = parts
                for u in range(of_box_start[b], of_box_start[b + 1]):
                    if part_of_rule[of_box[u]] < 0:
                        part_of_rule[of_box[u]] = parts
                        reach[waiting] = of_box[u]
                        waiting += 1
        parts += 1
    cut[parts] = boxes
    lengths = np.zeros(parts + 1, np.int64)
    nothing = np.zeros(0, np.float64)
    states_of = np.empty(boxes + 2 * parts + 2, np.int64)
    moves_of = np.empty(boxes + parts + 2, np.int64)
    used = tables[11]
    used[0], used[1], used[2] = 0, 0, 0
    numbers = np.empty(cells + parts + 1, np.float64)
    room = 0
    size_log = 0.0
    for c in range(parts):
        begin, end = cut[c], cut[c + 1]
        held = 0
        for p in range(begin, end):
            held += size[order[p]]
        if held > LARGEST:
            return Survey(False, risks, 0.0, part, lengths, nothing, risks, part, 0.0)
        found = forward(
            order[begin:end],
            size,
            is_counted,
            of_box_start,
            of_box,
            low,
            high,
            rule_size,
            -1,
            states_of[begin + 2 * c :],
            moves_of[begin + c :],
            tables,
        )
        if found < 0:
            return Survey(False, risks, 0.0, part, lengths, nothing, risks, part, 0.0)
        own = polynomial(end - begin, states_of[begin + 2 * c :], tables)
        if own.max() == 0.0:
            return Survey(False, risks, 0.0, part, lengths, nothing, risks, part, 0.0)
        size_log += math.log(own.max())
        own = scaled(own)
        lengths[c + 1] = lengths[c] + len(own)
        numbers[lengths[c] : lengths[c + 1]] = own
        room += len(own) - 1
    size_log += rest_log(rest, least, most, room + 1)
    beside, beside_mine, beside_safe = rest_weights(rest, least, most, odds, room + 1)
    before = np.zeros((parts + 1, room + 1), np.float64)
    width = np.ones(parts + 1, np.int64)
    before[0, 0] = 1.0
    for c in range(parts):
        joined = product(before[c, : width[c]], numbers[lengths[c] : lengths[c + 1]])
        size_log += math.log(joined.max())
        width[c + 1] = len(joined)
        before[c + 1, : len(joined)] = scaled(joined)
    whole = meet(before[parts], beside, 1)[0]
    if whole == 0.0:
        return Survey(False, risks, 0.0, part, lengths, nothing, risks, part, 0.0)
    size_log += math.log(whole)
    rest_risk = risk_of(meet(before[parts], beside_mine, 1)[0], meet(before[parts], beside_safe, 1)[0])
    mine = np.zeros(boxes, np.float64)
    safe = np.zeros(boxes, np.float64)
    differ = np.zeros(boxes, np.float64)
    behind = beside
    for c in range(parts - 1, -1, -1):
        own = numbers[lengths[c] : lengths[c + 1]]
        weights = scaled(meet(before[c, : width[c]], behind, len(own)))
        begin, end = cut[c], cut[c + 1]
        backward(
            order[begin:end],
            size,
            is_counted,
            weights,
            0,
            -1,
            states_of[begin + 2 * c :],
            moves_of[begin + c :],
            tables,
            mine,
            safe,
            differ,
        )
        behind = scaled(meet(own, behind, width[c]))
    differs = np.zeros(cells, np.float64)
    for k in range(cells):
        differs[k] = differ[box[k]] / (mine[box[k]] + safe[box[k]])
        part[k] = part_of_box[box[k]]
        risks[k] = risk_of(mine[box[k]], safe[box[k]])
    return Survey(True, risks, rest_risk, part, lengths, numbers, differs, box, size_log)


def all_risks(field: Field, found: Survey) -> Floats:
    """The risks of all cells, bound or not: quicker than asking for each where there are hundreds."""
    risks = np.full(len(field.openable), found.rest_risk)
    risks[: field.bound] = found.risks
    return risks


def risk(field: Field, found: Survey, cell: int) -> float:
    """The risk of a cell, bound or not."""
    return float(found.risks[cell]) if cell < field.bound else found.rest_risk


def risk_of(mine: float, safe: float) -> float:
    """The share of the mines; 0 or 1 only where the other is nothing."""
    if mine == 0.0:
        return 0.0
    if safe == 0.0:
        return 1.0
    return min(mine / (mine + safe), ALMOST)
