"""One layout that the constraints allow, put together cell by cell from the counts."""

from __future__ import annotations

from games.errors import Contradiction
from games.logic import Constraint, Knowledge, bits
from strategies.counting import Census, take_census
from strategies.joining import Possible, possible


def find_layout(universe: int, given: tuple[Constraint, ...], true: int = 0, false: int = 0) -> int | None:
    """A set of true variables that satisfies all that is given, with these cells true and false.

    As few as can be are true where there is a choice. None when there is no layout, or when a component has
    more than can be counted within the cap: `is_countable` tells the two apart.
    """
    while True:
        census = _census(universe, given, true, false)
        if census is None or not census.is_complete:
            return None
        left = possible(census)
        if not left.rest or not all(left.components):
            return None
        choice = _choice(census, left)
        if choice is None:
            break
        cells, is_true = choice
        true |= cells if is_true else 0
        false |= 0 if is_true else cells
    fewest = (left.rest & -left.rest).bit_length() - 1
    for k in bits(census.rest):
        if fewest <= 0:
            break
        true |= 1 << k
        fewest -= 1
    assert all(c.low <= (c.cells & true).bit_count() <= c.high for c in given), "no layout of what is given"
    return true


def is_countable(universe: int, given: tuple[Constraint, ...]) -> bool:
    """Whether every component stays within the cap, so that nothing about a cell is left undecided."""
    census = _census(universe, given, 0, 0)
    return census is None or census.is_complete


def _census(universe: int, given: tuple[Constraint, ...], true: int, false: int) -> Census | None:
    """The counts when these cells are known; None when a constraint is broken already."""
    try:
        return take_census(Knowledge.of(universe & ~(true | false), [c.reduced(true, false) for c in given]))
    except Contradiction:
        return None


def _choice(census: Census, left: Possible) -> tuple[int, bool] | None:
    """The next cell and what it may be, in the first component; None when only the rest is left."""
    for part, numbers in zip(census.components, left.components, strict=True):
        assert part.layouts is not None
        for box, mine in zip(part.boxes, part.layouts.mine, strict=True):
            cell = box & -box
            can_be_false = any(part.layouts.all[m] > mine[m] for m in bits(numbers))
            return cell, not can_be_false
    return None
