"""What opening a cell would bring: for each number that it may show, how the position would stand then."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from strategies.compiled.counting.classes import Classes, classes_of
from strategies.compiled.counting.layouts import Levels, clear, forward
from strategies.compiled.counting.order import order_classes
from strategies.compiled.counting.states import room_for
from strategies.compiled.counting.survey import Survey, risk_of
from strategies.compiled.counting.total import meet, product, rest_weights, scale
from strategies.compiled.counting.weights import Shares, backward, most_held, no_shares, weigh
from strategies.compiled.field import Field, Numbering, counted_after, number_after, rules_after
from strategies.compiled.tables import Floats, Ints, Tables

NUMBERS = 16
SHARE, BEST, CERTAIN, STUCK = 0, 1, 2, 3  # columns of an outcome


class Beside(NamedTuple):
    """What it weighs, for each number of mines of the parts in play, that all others hold the remaining ones.

    All of it; and that with a mine in one given cell that is in no rule, and that without.
    """

    every: Floats
    mine: Floats
    safe: Floats


class Ahead(NamedTuple):
    """What may come when a cell is opened: the cells in rules `after` that, and how these are counted.

    `probe_at` is where a state keeps the number that is shown. The safest of all other cells in rules is safe
    with a probability of `elsewhere`; `rest` cells are in no rule.
    """

    after: Numbering
    classes: Classes
    levels: Levels
    probe_at: int
    beside: Beside
    elsewhere: float
    rest: int
    shares: Shares


def look_ahead(
    field: Field, found: Survey, cell: int, twos: Ints, stuck: Floats, tables: Tables, outcomes: Floats
) -> int:
    """Fill `outcomes`, a row for each number of mines among the undecided cells that the cell counts.

    A row: its share of the layouts in which the cell is safe, how safe the best cell is then, how many cells
    are certainly safe then, the chance to be stuck with a 50/50 in the end. The answer is the number of rows,
    -1 when it cannot be counted.
    """
    shown = field.around_start[cell + 1] - field.around_start[cell]
    if shown >= NUMBERS:
        return -1
    in_play = parts_in_play(field, found, cell)
    after = number_after(field, cell, in_play[found.part])
    rules = rules_after(field, cell, after.number, 0)
    probe = len(rules.low) - 1 if shown else -1
    classes = classes_of(counted_after(field, after), rules)
    count = len(classes.size)
    levels = Levels(
        order_classes(classes, probe), np.empty(count + 2, np.int64), np.empty(count + 1, np.int64)
    )
    clear(tables)
    probe_at = forward(classes, levels, rules, probe, room_for(rules), tables)
    if probe_at < 0:
        return -1
    rest = len(field.openable) - field.bound - (1 if cell >= field.bound else 0)
    for t in range(after.bound):
        rest -= after.cells[t] >= field.bound
    ahead = Ahead(
        after, classes, levels, probe_at,
        weigh_beside(field, found, in_play, rest, most_held(levels, tables) + 1),
        safest_elsewhere(field, found, in_play), rest, no_shares(count),
    )  # fmt: skip
    if weigh_numbers(field, found, cell, ahead, shown, twos, stuck, tables, outcomes) == 0.0:
        return -1
    return int(shown + 1)


def weigh_numbers(
    field: Field,
    found: Survey,
    cell: int,
    ahead: Ahead,
    shown: int,
    twos: Ints,
    stuck: Floats,
    tables: Tables,
    outcomes: Floats,
) -> float:
    """Fill the outcomes of all numbers up to `shown`; what all layouts weigh."""
    everything = 0.0
    for v in range(shown + 1):
        outcomes[v, :] = 0.0
        wanted = v if shown else -1
        whole = backward(
            ahead.classes, ahead.levels, ahead.beside.every, ahead.probe_at, wanted, tables, ahead.shares
        )
        if whole > 0.0:
            everything += whole
            rest_risk = 0.0
            if ahead.rest:
                rest_risk = risk_of(
                    weigh(ahead.levels, ahead.beside.mine, ahead.probe_at, wanted, tables),
                    weigh(ahead.levels, ahead.beside.safe, ahead.probe_at, wanted, tables),
                )
            best, certain = safety_then(field, ahead, rest_risk)
            outcomes[v, SHARE] = whole
            outcomes[v, BEST] = best
            outcomes[v, CERTAIN] = certain
            outcomes[v, STUCK] = stuck_then(field, found, cell, ahead, whole, rest_risk, twos, stuck)
    for v in range(shown + 1):
        outcomes[v, SHARE] /= everything
    return everything


def safety_then(field: Field, ahead: Ahead, rest_risk: float) -> tuple[float, float]:
    """How safe the best cell is when a number was shown, and how many are certain."""
    after, of_cell, shares = ahead.after, ahead.classes.of_cell, ahead.shares
    best, certain = ahead.elsewhere, 0.0
    for k in range(after.bound):
        b = of_cell[k]
        if field.openable[after.cells[k]]:
            if shares.mine[b] == 0.0:
                certain += 1.0
                best = 1.0
            else:
                best = max(best, shares.safe[b] / (shares.mine[b] + shares.safe[b]))
    if ahead.rest:
        best = max(best, 1.0 - rest_risk)
        if rest_risk == 0.0:
            certain += ahead.rest
    if best == 0.0:  # no cell is left to be opened: the game is won
        best = 1.0
    return best, certain


def parts_in_play(field: Field, found: Survey, cell: int) -> Ints:
    """1 for each part that the cell, or one that it counts, is of."""
    in_play = np.zeros(len(found.lengths), np.int64)
    if cell < field.bound:
        in_play[found.part[cell]] = 1
    for t in range(field.around_start[cell], field.around_start[cell + 1]):
        if field.around[t] < field.bound:
            in_play[found.part[field.around[t]]] = 1
    return in_play


def weigh_beside(field: Field, found: Survey, in_play: Ints, rest: int, length: int) -> Beside:
    """What all others weigh, `rest` cells among them, for each number of mines in play below `length`."""
    others = np.ones(1, np.float64)
    for c in range(len(found.lengths) - 1):
        if not in_play[c]:
            numbers = found.numbers[found.lengths[c] : found.lengths[c + 1]]
            joined = np.empty(len(others) + len(numbers) - 1, np.float64)
            product(others, numbers, joined)
            scale(joined)
            others = joined
    every, mine, safe = rest_weights(rest, field.least, field.most, field.odds, length - 1 + len(others))
    beside = Beside(np.empty(length, np.float64), np.empty(length, np.float64), np.empty(length, np.float64))
    meet(others, every, beside.every)
    meet(others, mine, beside.mine)
    meet(others, safe, beside.safe)
    return beside


def safest_elsewhere(field: Field, found: Survey, in_play: Ints) -> float:
    """How safe the safest bound cell is that is not in play."""
    best = 0.0
    for k in range(field.bound):
        if not in_play[found.part[k]] and field.openable[k]:
            best = max(best, 1.0 - found.risks[k])
    return best


def stuck_then(
    field: Field,
    found: Survey,
    cell: int,
    ahead: Ahead,
    whole: float,
    rest_risk: float,
    twos: Ints,
    stuck: Floats,
) -> float:
    """The chance to be stuck with a 50/50 of two in the end, when `cell` has shown a number."""
    number, of_cell, shares = ahead.after.number, ahead.classes.of_cell, ahead.shares
    free = 1.0
    for t in range(len(twos)):
        x, y = twos[t, 0], twos[t, 1]
        if cell in (x, y):
            continue
        if number[x] < 0:
            free *= 1.0 - 0.5 * stuck[t]
            continue
        caught = shares.differ[of_cell[number[x]]] / whole
        for u in range(3, 3 + twos[t, 2]):
            z = twos[t, u]
            if z == cell:
                caught = 0.0
                break
            if number[z] >= 0:
                caught *= shares.mine[of_cell[number[z]]] / whole
            elif z < field.bound:
                caught *= found.risks[z]
            else:
                caught *= rest_risk
        free *= 1.0 - 0.5 * caught
    return 1.0 - free
