"""What opening a cell would bring: for each number that it may show, how the position would stand then."""

from __future__ import annotations

import numpy as np

from strategies.compiled.counting import (
    Survey,
    backward,
    forward,
    group_classes,
    last_states,
    link_classes,
    meet,
    order_classes,
    product,
    rest_weights,
    risk_of,
    scaled,
    weigh,
)
from strategies.compiled.field import Field
from strategies.compiled.tables import Floats, Ints, Tables

NUMBERS = 16
SHARE, BEST, CERTAIN, STUCK = 0, 1, 2, 3  # columns of an outcome


def look_ahead(
    field: Field, found: Survey, cell: int, twos: Ints, stuck: Floats, tables: Tables, outcomes: Floats
) -> int:
    """Fill `outcomes`, a row for each number of mines among the undecided cells that the cell counts.

    A row: its share of the layouts in which the cell is safe, how safe the best cell is then, how many cells
    are certainly safe then, the chance to be stuck with a 50/50 in the end. The answer is the number of rows,
    -1 when it cannot be counted.
    """
    bound, openable, start, members = field.bound, field.openable, field.start, field.members
    around_start, around = field.around_start, field.around
    risks, part, lengths = found.risks, found.part, found.lengths
    cells = len(openable)
    rules = len(field.low)
    parts = len(lengths) - 1
    in_play = np.zeros(parts + 1, np.int64)
    if cell < bound:
        in_play[part[cell]] = 1
    for t in range(around_start[cell], around_start[cell + 1]):
        if around[t] < bound:
            in_play[part[around[t]]] = 1
    place = np.full(cells, -1, np.int64)
    own = np.empty(cells, np.int64)
    length = 0
    for k in range(bound):
        if k != cell and in_play[part[k]]:
            place[k] = length
            own[length] = k
            length += 1
    rest = cells - bound - (1 if cell >= bound else 0)
    for t in range(around_start[cell], around_start[cell + 1]):
        k = around[t]
        if k >= bound:
            place[k] = length
            own[length] = k
            length += 1
            rest -= 1
    own_counted = np.ones(length, np.int64)
    for t in range(length):
        if own[t] < bound:
            own_counted[t] = field.counted[own[t]]
    own_start = np.zeros(rules + 2, np.int64)
    own_members = np.empty(len(members) + around_start[cell + 1] - around_start[cell], np.int64)
    own_low = np.empty(rules + 1, np.int64)
    own_high = np.empty(rules + 1, np.int64)
    ruled, fill = 0, 0
    for r in range(rules):
        if start[r] < start[r + 1] and in_play[part[members[start[r]]]]:
            for t in range(start[r], start[r + 1]):
                if members[t] != cell:
                    own_members[fill] = place[members[t]]
                    fill += 1
            own_low[ruled] = field.low[r]
            own_high[ruled] = field.high[r]
            ruled += 1
            own_start[ruled] = fill
    for t in range(around_start[cell], around_start[cell + 1]):
        own_members[fill] = place[around[t]]
        fill += 1
    probe = ruled
    own_low[ruled] = 0
    own_high[ruled] = 0
    ruled += 1
    own_start[ruled] = fill
    shown = around_start[cell + 1] - around_start[cell]
    if shown >= NUMBERS:
        return -1
    own_start = own_start[: ruled + 1]
    own_members = own_members[:fill]
    cls, size, is_counted = group_classes(own_counted, own_start, own_members)
    classes = len(size)
    rule_start, rule_classes, class_start, class_rules = link_classes(cls, classes, own_start, own_members)
    order = order_classes(classes, rule_start, rule_classes, class_start, class_rules, probe)
    states_of = np.empty(classes + 2, np.int64)
    moves_of = np.empty(classes + 1, np.int64)
    used = tables[11]
    used[0], used[1], used[2] = 0, 0, 0
    probe_at = forward(
        order,
        size,
        is_counted,
        class_start,
        class_rules,
        own_low,
        own_high,
        own_start[1:] - own_start[:-1],
        probe,
        states_of,
        moves_of,
        tables,
    )
    if probe_at < 0:
        return -1
    held = 0
    begin, end = last_states(classes, states_of, tables)
    for i in range(begin, end):
        held = max(held, tables[2][i])
    others = np.ones(1, np.float64)
    for c in range(parts):
        if not in_play[c]:
            others = scaled(product(others, found.numbers[lengths[c] : lengths[c + 1]]))
    every, with_mine, without = rest_weights(rest, field.least, field.most, field.odds, held + len(others))
    weights = meet(others, every, held + 1)
    mine_weights = meet(others, with_mine, held + 1)
    safe_weights = meet(others, without, held + 1)
    elsewhere = 0.0
    for k in range(bound):
        if not in_play[part[k]] and openable[k]:
            elsewhere = max(elsewhere, 1.0 - risks[k])
    mine = np.zeros(classes, np.float64)
    safe = np.zeros(classes, np.float64)
    differ = np.zeros(classes, np.float64)
    everything = 0.0
    for v in range(shown + 1):
        outcomes[v, :] = 0.0
        wanted = v if shown else -1
        whole = backward(
            order,
            size,
            is_counted,
            weights,
            probe_at,
            wanted,
            states_of,
            moves_of,
            tables,
            mine,
            safe,
            differ,
        )
        if whole == 0.0:
            continue
        everything += whole
        best, certain = elsewhere, 0.0
        for t in range(length):
            b = cls[t]
            if openable[own[t]]:
                if mine[b] == 0.0:
                    certain += 1.0
                    best = 1.0
                else:
                    best = max(best, safe[b] / (mine[b] + safe[b]))
        risk_then = 0.0
        if rest:
            risk_then = risk_of(
                weigh(classes, mine_weights, probe_at, wanted, states_of, tables),
                weigh(classes, safe_weights, probe_at, wanted, states_of, tables),
            )
            best = max(best, 1.0 - risk_then)
            if risk_then == 0.0:
                certain += rest
        if best == 0.0:  # no cell is left to be opened: the game is won
            best = 1.0
        outcomes[v, SHARE] = whole
        outcomes[v, BEST] = best
        outcomes[v, CERTAIN] = certain
        free = 1.0
        for t in range(len(twos)):
            x, y = twos[t, 0], twos[t, 1]
            if cell in (x, y):
                continue
            if place[x] < 0:
                free *= 1.0 - 0.5 * stuck[t]
                continue
            caught = differ[cls[place[x]]] / whole
            for u in range(3, 3 + twos[t, 2]):
                z = twos[t, u]
                if z == cell:
                    caught = 0.0
                    break
                if place[z] >= 0:
                    caught *= mine[cls[place[z]]] / whole
                elif z < bound:
                    caught *= risks[z]
                else:
                    caught *= risk_then
            free *= 1.0 - 0.5 * caught
        outcomes[v, STUCK] = 1.0 - free
    if everything == 0.0:
        return -1
    for v in range(shown + 1):
        outcomes[v, SHARE] /= everything
    return int(shown + 1)
