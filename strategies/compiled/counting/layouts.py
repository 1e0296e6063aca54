"""Counting the layouts of classes under rules: once forwards, and once backwards for each question."""

from __future__ import annotations

import numpy as np

from strategies.compiled.tables import (
    FIELD,
    HASHED,
    MOST_MOVES,
    MOST_NUMBERS,
    MOST_STATES,
    ROOM,
    Floats,
    Ints,
    Tables,
)


def forward(
    order: Ints,
    size: Ints,
    is_counted: Ints,
    of_class_start: Ints,
    of_class: Ints,
    low: Ints,
    high: Ints,
    rule_size: Ints,
    probe: int,
    states_of: Ints,
    moves_of: Ints,
    tables: Tables,
) -> int:
    """Go through the classes; a state is what the rules that are begun and not finished hold so far.

    Layouts that agree there are merged, so the cost follows the width of the frontier, not its length. Each
    state has a polynomial in the number of mines. The rule `probe` (-1: none) has no bounds and is never
    finished: what it holds separates the last states. Of a rule that holds whatever comes, all counts are
    kept as its lowest. States and steps of level p are written to `tables` from `states_of[p]` and
    `moves_of[p]` on. The answer is where the probe is kept in a state (0 when there is none), or -1 when all
    this is too wide or too long to be counted.
    """
    key, least_of, most_of, offset, ahead, _, source, target, value, hashed, stamps, used = tables
    slot = np.full(len(low), -1, np.int64)
    mask = np.empty(len(low), np.int64)
    taken = 0
    left = rule_size.copy()
    shift = np.empty(len(low) + 1, np.int64)
    field = np.empty(len(low) + 1, np.int64)
    down = np.empty(len(low) + 1, np.int64)
    up = np.empty(len(low) + 1, np.int64)
    loose = np.empty(len(low) + 1, np.int64)
    narrow = np.empty(len(low) + 1, np.int64)
    enough = np.empty(len(low) + 1, np.int64)
    settled = np.empty(len(low) + 1, np.int64)
    first = used[0]
    key[first] = 0
    least_of[first] = 0
    most_of[first] = 0
    offset[first] = used[1]
    ahead[used[1]] = 1.0
    used[0] += 1
    used[1] += 1
    states_of[0] = first
    states_of[1] = used[0]
    for p in range(len(order)):
        b = order[p]
        cells = size[b]
        add, clear, touched, loosened = 0, 0, 0, 0
        for t in range(of_class_start[b], of_class_start[b + 1]):
            r = of_class[t]
            left[r] -= cells
            if slot[r] < 0:
                mask[r] = FIELD
                while r != probe and mask[r] >> 1 >= high[r] and mask[r] > 1:
                    mask[r] >>= 1
                free = 0
                while taken & mask[r] << free:
                    free += 1
                if mask[r] >= 1 << ROOM - free or high[r] > FIELD:
                    return -1
                slot[r] = free
                taken |= mask[r] << free
            add |= 1 << slot[r]
            if r != probe:
                if left[r] == 0:
                    clear |= mask[r] << slot[r]
                shift[touched] = slot[r]
                field[touched] = mask[r]
                down[touched] = low[r] - left[r]
                up[touched] = high[r]
                touched += 1
                if left[r] and low[r] < high[r]:
                    loose[loosened] = slot[r]
                    narrow[loosened] = mask[r]
                    enough[loosened] = max(low[r], 0)
                    settled[loosened] = high[r] - left[r]
                    loosened += 1
        used[3] += 1
        stamp = used[3]
        moves_of[p] = used[2]
        begin = used[0]
        for i in range(states_of[p], begin):
            least, most = 0, cells
            for t in range(touched):
                held = key[i] >> shift[t] & field[t]
                most = min(most, up[t] - held)
                least = max(least, down[t] - held)
            for v in range(least, most + 1):
                after = (key[i] + v * add) & ~clear
                for t in range(loosened):
                    held = after >> loose[t] & narrow[t]
                    if enough[t] < held <= settled[t]:
                        after -= (held - enough[t]) << loose[t]
                place = (after ^ after >> 13 ^ after >> 26 ^ after >> 39) & (HASHED - 1)
                while stamps[place] == stamp and key[hashed[place]] != after:
                    place = (place + 1) & (HASHED - 1)
                more = v if is_counted[b] else 0
                if stamps[place] != stamp:
                    j = used[0]
                    if j >= MOST_MOVES or j - begin >= MOST_STATES:
                        return -1
                    used[0] += 1
                    stamps[place] = stamp
                    hashed[place] = j
                    key[j] = after
                    least_of[j] = least_of[i] + more
                    most_of[j] = most_of[i] + more
                else:
                    j = hashed[place]
                    least_of[j] = min(least_of[j], least_of[i] + more)
                    most_of[j] = max(most_of[j], most_of[i] + more)
                move = used[2]
                if move >= MOST_MOVES:
                    return -1
                used[2] += 1
                source[move] = i
                target[move] = j
                value[move] = v
        states_of[p + 2] = used[0]
        moves_of[p + 1] = used[2]
        for j in range(begin, used[0]):
            offset[j] = used[1]
            length = most_of[j] - least_of[j] + 1
            if used[1] + length > MOST_NUMBERS:
                return -1
            ahead[used[1] : used[1] + length] = 0.0
            used[1] += length
        for move in range(moves_of[p], used[2]):
            i, j, v = source[move], target[move], value[move]
            ways = 1.0
            for t in range(v):
                ways = ways * (cells - t) / (t + 1)
            more = v if is_counted[b] else 0
            to = offset[j] + least_of[i] + more - least_of[j]
            come = offset[i]
            for m in range(most_of[i] - least_of[i] + 1):
                ahead[to + m] += ways * ahead[come + m]
        for t in range(of_class_start[b], of_class_start[b + 1]):
            r = of_class[t]
            if left[r] == 0 and r != probe:
                taken &= ~(mask[r] << slot[r])
    if probe >= 0 and slot[probe] >= 0:
        return int(slot[probe])
    return 0


def last_states(levels: int, states_of: Ints, tables: Tables) -> tuple[int, int]:
    """The range of the states behind the last class."""
    return int(states_of[levels]), int(states_of[levels + 1])


def polynomial(levels: int, states_of: Ints, tables: Tables) -> Floats:
    """How many layouts have each number of mines, whatever the probe holds."""
    _, least_of, most_of, offset, ahead, _, _, _, _, _, _, _ = tables
    begin, end = states_of[levels], states_of[levels + 1]
    most = 0
    for i in range(begin, end):
        most = max(most, most_of[i])
    found = np.zeros(most + 1, np.float64)
    for i in range(begin, end):
        for m in range(most_of[i] - least_of[i] + 1):
            found[least_of[i] + m] += ahead[offset[i] + m]
    return found


def backward(
    order: Ints,
    size: Ints,
    is_counted: Ints,
    weights: Floats,
    probe_at: int,
    wanted: int,
    states_of: Ints,
    moves_of: Ints,
    tables: Tables,
    mine: Floats,
    safe: Floats,
    differ: Floats,
) -> float:
    """The weight of all layouts, of those with a mine in one given cell of each class, and of those without.

    `weights[m]` is what a layout with m mines weighs. `wanted` is what the probe must hold, -1 for anything.
    """
    key, least_of, most_of, offset, ahead, behind, source, target, value, _, _, _ = tables
    levels = len(order)
    begin, end = states_of[levels], states_of[levels + 1]
    everything = 0.0
    for i in range(begin, end):
        fits = wanted < 0 or (key[i] >> probe_at & FIELD) == wanted
        for m in range(most_of[i] - least_of[i] + 1):
            weight = weights[least_of[i] + m] if fits else 0.0
            behind[offset[i] + m] = weight
            everything += weight * ahead[offset[i] + m]
    for p in range(levels):
        mine[order[p]] = 0.0
        safe[order[p]] = 0.0
        differ[order[p]] = 0.0
    if everything == 0.0:
        return 0.0
    for p in range(levels - 1, -1, -1):
        b = order[p]
        cells = size[b]
        for i in range(states_of[p], states_of[p + 1]):
            behind[offset[i] : offset[i] + most_of[i] - least_of[i] + 1] = 0.0
        with_mine, without, unlike = 0.0, 0.0, 0.0
        for move in range(moves_of[p], moves_of[p + 1]):
            i, j, v = source[move], target[move], value[move]
            ways = 1.0
            for t in range(v):
                ways = ways * (cells - t) / (t + 1)
            more = v if is_counted[b] else 0
            to = offset[j] + least_of[i] + more - least_of[j]
            come = offset[i]
            through = 0.0
            for m in range(most_of[i] - least_of[i] + 1):
                weight = ways * behind[to + m]
                behind[come + m] += weight
                through += weight * ahead[come + m]
            with_mine += through * v / cells
            without += through * (cells - v) / cells
            if v and v < cells:
                unlike += through * 2 * v * (cells - v) / (cells * (cells - 1))
        mine[b] = with_mine
        safe[b] = without
        differ[b] = unlike
    return everything


def weigh(levels: int, weights: Floats, probe_at: int, wanted: int, states_of: Ints, tables: Tables) -> float:
    """The weight of all layouts in which the probe holds what is wanted (-1: anything)."""
    key, least_of, most_of, offset, ahead, _, _, _, _, _, _, _ = tables
    everything = 0.0
    for i in range(states_of[levels], states_of[levels + 1]):
        if wanted < 0 or (key[i] >> probe_at & FIELD) == wanted:
            for m in range(most_of[i] - least_of[i] + 1):
                everything += weights[least_of[i] + m] * ahead[offset[i] + m]
    return everything
