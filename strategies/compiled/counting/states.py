"""What a state keeps: of each rule that is begun and not finished, how many mines it holds, in a few bits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from strategies.compiled.counting.classes import Classes
from strategies.compiled.field import Rules
from strategies.compiled.tables import FIELD, ROOM, Ints


class Slots(NamedTuple):
    """Of each rule: from which bit on a state keeps it (-1: it does not), its mask, its cells yet to come."""

    shift: Ints
    mask: Ints
    left: Ints


class Checks(NamedTuple):
    """What is asked of a state, a row for each rule: where it is kept, and between what it must be."""

    shift: Ints
    mask: Ints
    low: Ints
    high: Ints


class Room(NamedTuple):
    """Room for what is known of rules while states are made, and for what a class asks of a state.

    That is within the `bounds` of its rules; and `loose` are those of them that hold whatever comes: one that
    holds so many is kept as if it held its lowest.
    """

    slots: Slots
    bounds: Checks
    loose: Checks


class Touched(NamedTuple):
    """What a class changes in the states: the bits `taken` then (-1: too many), those that a mine adds to.

    Those of rules that are finished with it are to `clear`. Then how many checks `Room` has for it.
    """

    taken: int
    add: int
    clear: int
    bounds: int
    loose: int


def room_for(rules: Rules) -> Room:
    """Room for these rules."""
    most = len(rules.low)
    return Room(
        Slots(np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64)),
        no_checks(most),
        no_checks(most),
    )


def no_checks(most: int) -> Checks:
    """Room for so many checks."""
    return Checks(
        np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64)
    )


def touch_rules(classes: Classes, b: int, rules: Rules, probe: int, taken: int, room: Room) -> Touched:
    """Give the rules of a class that begin with it a place in the states; fill in the checks."""
    slots, bounds, loose = room.slots, room.bounds, room.loose
    low, high, left = rules.low, rules.high, slots.left
    add, clear, touched, loosened = 0, 0, 0, 0
    for t in range(classes.of_class_start[b], classes.of_class_start[b + 1]):
        r = classes.of_class[t]
        left[r] -= classes.size[b]
        if slots.shift[r] < 0:
            mask = FIELD
            while r != probe and mask >> 1 >= high[r] and mask > 1:
                mask >>= 1
            free = 0
            while taken & mask << free:
                free += 1
            if mask >= 1 << ROOM - free or high[r] > FIELD:
                return Touched(-1, 0, 0, 0, 0)
            slots.shift[r], slots.mask[r] = free, mask
            taken |= mask << free
        shift, mask = slots.shift[r], slots.mask[r]
        add |= 1 << shift
        if r != probe:
            if left[r] == 0:
                clear |= mask << shift
            bounds.shift[touched], bounds.mask[touched] = shift, mask
            bounds.low[touched], bounds.high[touched] = low[r] - left[r], high[r]
            touched += 1
            if left[r] and low[r] < high[r]:
                loose.shift[loosened], loose.mask[loosened] = shift, mask
                loose.low[loosened], loose.high[loosened] = max(low[r], 0), high[r] - left[r]
                loosened += 1
    return Touched(taken, add, clear, touched, loosened)
