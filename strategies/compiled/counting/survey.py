"""The risk of every cell of a position, exactly."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from strategies.compiled.counting.classes import classes_of
from strategies.compiled.counting.layouts import Levels, clear
from strategies.compiled.counting.order import order_classes
from strategies.compiled.counting.parts import count_parts, join_parts, parts_of, room_to_join, weigh_parts
from strategies.compiled.counting.states import room_for
from strategies.compiled.counting.total import rest_log, rest_weights, sum_from
from strategies.compiled.counting.weights import no_shares
from strategies.compiled.field import Field, rules_of
from strategies.compiled.tables import Floats, Ints, Tables

ALMOST = 1.0 - 2.0**-53  # the risk of a cell that is hardly ever safe


class Survey(NamedTuple):
    """What was counted; nothing of it counts unless `worked`.

    Of each bound cell: `risks`, 0 or 1 only where all layouts agree; its `part` (component) and `class`; how
    likely it and another cell of its class `differ`. `rest_risk` is the risk of each cell that is not bound.
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
    cls: Ints
    size: float


def survey(field: Field, tables: Tables) -> Survey:
    """Count the layouts of a position. It fails when that is too wide, too large, or has no layout."""
    rules = rules_of(field)
    classes = classes_of(field.counted, rules)
    order = order_classes(classes, -1)
    parts = parts_of(classes, order)
    count, last = len(order), len(parts.lengths) - 1
    levels = Levels(order, np.empty(count + 2 * last + 2, np.int64), np.empty(count + last + 2, np.int64))
    clear(tables)
    size = count_parts(classes, levels, rules, parts, room_for(rules), tables)
    if size < 0.0:
        return failed(field)
    rest, length = len(field.openable) - field.bound, parts.lengths[last] - last + 1
    size += rest_log(rest, field.least, field.most, length)
    beside, with_mine, without = rest_weights(rest, field.least, field.most, field.odds, length)
    joined, shares = room_to_join(parts, length), no_shares(count)
    size = join_parts(parts, joined, size)
    everything = joined.weights[last]
    whole = sum_from(everything, beside, 0)
    if whole == 0.0:
        return failed(field)
    rest_risk = risk_of(sum_from(everything, with_mine, 0), sum_from(everything, without, 0))
    weigh_parts(classes, levels, parts, joined, beside, tables, shares)
    cells = len(field.counted)
    part = np.empty(cells, np.int64)
    risks, differs = np.empty(cells, np.float64), np.empty(cells, np.float64)
    for k in range(cells):
        b = classes.of_cell[k]
        part[k] = parts.of_class[b]
        risks[k] = risk_of(shares.mine[b], shares.safe[b])
        differs[k] = shares.differ[b] / (shares.mine[b] + shares.safe[b])
    size += math.log(whole)
    return Survey(True, risks, rest_risk, part, parts.lengths, parts.numbers, differs, classes.of_cell, size)


def failed(field: Field) -> Survey:
    """Nothing was counted."""
    part, nothing = np.zeros(len(field.counted), np.int64), np.zeros(len(field.counted), np.float64)
    return Survey(False, nothing, 0.0, part, np.zeros(1, np.int64), nothing, nothing, part, 0.0)


def all_risks(field: Field, found: Survey) -> Floats:
    """The risks of all cells, bound or not: quicker than asking for each where there are hundreds."""
    risks = np.full(len(field.openable), found.rest_risk)
    for k in range(field.bound):
        risks[k] = found.risks[k]
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
