"""One layout that the constraints allow, put together from the counts, component by component."""

from __future__ import annotations

from games.errors import Contradiction
from games.logic import Constraint, Knowledge, bits
from strategies.counting import Census, Component, take_census
from strategies.joining import Possible, possible

Given = tuple[Constraint, ...]


def find_layout(universe: int, given: Given, true: int = 0, false: int = 0) -> int | None:
    """A set of true variables that satisfies all that is given, with these cells true and false.

    Where there is a choice, few are true. None when there is no layout, or when a component has more than can
    be counted within the cap: `is_countable` tells the two apart.
    """
    census = _census(universe, given, true, false)
    if census is None or not census.is_complete:
        return None
    left = possible(census)
    if not left.rest or not all(left.components):
        return None
    for part in census.components:
        # one component after the other: each choice narrows what the total leaves for the next one
        number = _fewest(left.components[0])
        found = _within(part, number, census.total)
        if found is None:
            return None
        true |= found
        false |= part.cells & ~found
        census = _census(universe, given, true, false)
        if census is None:
            return None
        left = possible(census)
    for k in bits(census.rest):
        if (true & census.rest).bit_count() >= _fewest(left.rest):
            break
        true |= 1 << k
    assert all(c.low <= (c.cells & true).bit_count() <= c.high for c in given), "no layout of what is given"
    return true


def is_countable(universe: int, given: Given) -> bool:
    """Whether every component stays within the cap, so that nothing about a cell is left undecided."""
    census = _census(universe, given, 0, 0)
    return census is None or census.is_complete


def _within(part: Component, number: int, total: Constraint | None) -> int | None:
    """A layout of one component with so many of those true that the total counts."""
    counted = part.cells & (total.cells if total else part.cells)
    given = (*part.constraints, Constraint(counted, number, number, is_global=True))
    true = false = 0
    while True:
        census = _census(part.cells, given, true, false)
        if census is None or not census.is_complete:
            return None
        choice = _choice(census, possible(census))
        if choice is None:
            break
        cell, is_true = choice
        true |= cell if is_true else 0
        false |= 0 if is_true else cell
    lacking = number - (true & counted).bit_count()
    for k in bits(census.rest):
        if lacking > 0:
            true |= 1 << k
            lacking -= 1
    return true


def _choice(census: Census, left: Possible) -> tuple[int, bool] | None:
    """A cell of the first component and what it may be; None when only the rest is left."""
    for part, numbers in zip(census.components, left.components, strict=True):
        assert part.layouts is not None
        cell = part.boxes[0] & -part.boxes[0]
        can_be_false = any(part.layouts.all[m] > part.layouts.mine[0][m] for m in bits(numbers))
        return cell, not can_be_false
    return None


def _fewest(numbers: int) -> int:
    """The smallest number in a set."""
    return (numbers & -numbers).bit_length() - 1


def _census(universe: int, given: Given, true: int, false: int) -> Census | None:
    """The counts when these cells are known; None when a constraint is broken already."""
    try:
        return take_census(Knowledge.of(universe & ~(true | false), [c.reduced(true, false) for c in given]))
    except Contradiction:
        return None
