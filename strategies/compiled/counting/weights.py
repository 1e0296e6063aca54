"""What the layouts that were counted weigh: once backwards through the classes for each question."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from strategies.compiled.counting.classes import Classes
from strategies.compiled.counting.layouts import Levels, stretches, ways_to_hold
from strategies.compiled.tables import FIELD, Floats, Tables


class Shares(NamedTuple):
    """Of each class, the weight of the layouts in which one given cell of it is a mine, or safe.

    And of those in which two given cells of it `differ`.
    """

    mine: Floats
    safe: Floats
    differ: Floats


def no_shares(classes: int) -> Shares:
    """Nothing, for so many classes."""
    return Shares(np.zeros(classes, np.float64), np.zeros(classes, np.float64), np.zeros(classes, np.float64))


def most_held(levels: Levels, tables: Tables) -> int:
    """The most mines that any layout has."""
    last = len(levels.order)
    most = 0
    for i in range(levels.states[last], levels.states[last + 1]):
        most = max(most, tables.most[i])
    return most


def polynomial(levels: Levels, tables: Tables, found: Floats) -> None:
    """Fill in how many layouts have each number of mines, whatever the probe holds."""
    last = len(levels.order)
    least, offset = tables.least, tables.offset
    found[:] = 0.0
    for i in range(levels.states[last], levels.states[last + 1]):
        for m in range(tables.most[i] - least[i] + 1):
            found[least[i] + m] += tables.ahead[offset[i] + m]


def backward(
    classes: Classes,
    levels: Levels,
    weights: Floats,
    probe_at: int,
    wanted: int,
    tables: Tables,
    shares: Shares,
) -> float:
    """The weight of all layouts; `shares` takes that of each class.

    `weights[m]` is what a layout with m mines weighs. `wanted` is what the probe must hold, -1 for anything.
    """
    order = levels.order
    everything = weigh(levels, weights, probe_at, wanted, tables)
    for p in range(len(order) - 1, -1, -1):
        if everything == 0.0:
            shares.mine[order[p]] = 0.0
            shares.safe[order[p]] = 0.0
            shares.differ[order[p]] = 0.0
        else:
            weigh_class(classes, levels, p, tables, shares)
    return everything


def weigh(levels: Levels, weights: Floats, probe_at: int, wanted: int, tables: Tables) -> float:
    """The same weight of all layouts, alone; and what each of the last states weighs goes to the tables."""
    last = len(levels.order)
    least, offset = tables.least, tables.offset
    everything = 0.0
    for i in range(levels.states[last], levels.states[last + 1]):
        fits = wanted < 0 or (tables.key[i] >> probe_at & FIELD) == wanted
        for m in range(tables.most[i] - least[i] + 1):
            weight = weights[least[i] + m] if fits else 0.0
            tables.behind[offset[i] + m] = weight
            everything += weight * tables.ahead[offset[i] + m]
    return everything


def weigh_class(classes: Classes, levels: Levels, p: int, tables: Tables, shares: Shares) -> None:
    """Go one class back: what the layouts behind it weigh, seen from before it, and its own shares."""
    b = levels.order[p]
    cells, is_counted = classes.size[b], classes.is_counted[b]
    ahead, behind, offset = tables.ahead, tables.behind, tables.offset
    for i in range(levels.states[p], levels.states[p + 1]):
        behind[offset[i] : offset[i] + tables.most[i] - tables.least[i] + 1] = 0.0
    mine, safe, differ = 0.0, 0.0, 0.0
    for move in range(levels.moves[p], levels.moves[p + 1]):
        v = tables.value[move]
        ways = ways_to_hold(cells, v)
        come, to, numbers = stretches(move, v if is_counted else 0, tables)
        through = 0.0
        for m in range(numbers):
            weight = ways * behind[to + m]
            behind[come + m] += weight
            through += weight * ahead[come + m]
        mine += through * v / cells
        safe += through * (cells - v) / cells
        if v and v < cells:
            differ += through * 2 * v * (cells - v) / (cells * (cells - 1))
    shares.mine[b] = mine
    shares.safe[b] = safe
    shares.differ[b] = differ
