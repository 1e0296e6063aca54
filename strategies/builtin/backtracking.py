"""Everything that is certain: all layouts are counted, and what no layout contradicts is shown by cases.

Deduction functions, `update_deduct` and `recursion_deduct`: suppose a cell a mine and suppose it safe; when
one of them cannot be, the other is certain. Counting (`strategies.probability`, component by component,
joined through the total) says for which cells that is worth doing; the proof is then found for these only, and the
checker follows it. Below the caps this is complete: it finds every certain cell, those next to no clue among
them. Above them it stays silent about what it has not decided.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.logic import Constraint, Deduction, Knowledge, Linear, ProofStep, bits
from strategies.hookspecs import hookimpl
from strategies.probability.counts import ComponentCounts, CountedComponent, count_components
from strategies.probability.risks import can_be_certain, possible_totals
from strategies.search.solver import MOST_CASES, Refutation, refute

NAME = "backtracking"
CASES = "every layout of these clues agrees"
WITH_TOTAL = "every layout that fits the mine total agrees"
RANGE = "how many mines this group of cells can hold"
SHARE = "what the mine total leaves for this group of cells"
NOTHING = "no layout satisfies these clues"
MOST_CASES_TOGETHER = 4_000  # splits when all components and the total are looked at as one


@hookimpl
def deduce(knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
    """All certain cells: first each component for itself, and only if that gives nothing, with the total."""
    if not can_be_certain(knowledge):
        return
    census = count_components(knowledge)
    found = False
    for part in census.components:
        if part.layouts is not None and not any(part.layouts.all):
            yield from _contradiction(part.constraints)
            return
    for part in census.components:
        if not part.cells & changed:
            continue  # nothing new since it was looked at
        for cells, is_mine in _agreed(part, (1 << part.room + 1) - 1):
            for deduction in _by_cases(part.constraints, cells, is_mine, CASES):
                found = True
                yield deduction
    if not found and census.total is not None and not _is_ample(census, census.total):
        yield from _with_total(census, census.total)


def _is_ample(census: ComponentCounts, total: Constraint) -> bool:
    """Whether the total leaves every number of mines of every part possible: a quick yes, seldom missed.

    The rest, when it has cells enough to even out any number that a component cannot have, takes on all
    numbers; what the others hold together is then everything between their least and their most.
    """
    size = census.rest.bit_count()
    least = most = widest = 0
    for part in census.components:
        numbers = _numbers(part)
        low, high = numbers[0], numbers[-1]
        least, most, widest = least + low, most + high, max(widest, high - low)
    if size <= widest:
        return False
    # each part at its least needs the others to be able to hold what is left, and so for its most
    return total.low <= most + size - widest - 1 and total.high >= least + widest + 1


def _numbers(part: CountedComponent) -> list[int]:
    """The numbers of mines that a component can have, rising; any, when it was not counted."""
    if part.layouts is None:
        return list(range(part.room + 1))
    return [m for m, layouts in enumerate(part.layouts.all) if layouts]


def _agreed(part: CountedComponent, numbers: int) -> Iterator[tuple[int, bool]]:
    """The classes in which all layouts with one of these numbers of mines agree, and on what."""
    if part.layouts is None:
        return
    everything = part.layouts.all
    likely = [m for m in bits(numbers & (1 << len(everything)) - 1) if everything[m]]
    if not likely:
        return
    for one_class, mine in zip(part.classes, part.layouts.mine, strict=True):
        if all(mine[m] == 0 for m in likely):
            yield one_class, False
        elif all(mine[m] == everything[m] for m in likely):
            yield one_class, True


def _by_cases(
    premises: tuple[Constraint, ...], cells: int, is_mine: bool, rule: str, cap: int = MOST_CASES
) -> Iterator[Deduction]:
    """A deduction for each of the cells whose proof stays below the cap."""
    wrong = 0 if is_mine else 1
    for k in bits(cells):
        shown = refute(premises, Constraint(1 << k, wrong, wrong), cap)
        if shown is not None:
            yield _certain(k, is_mine, shown, rule)


def _certain(cell: int, is_mine: bool, shown: Refutation, rule: str) -> Deduction:
    make = Deduction.true if is_mine else Deduction.false
    return make(1 << cell, shown.premises, rule, shown.method)


def _contradiction(premises: tuple[Constraint, ...]) -> Iterator[Deduction]:
    """That these constraints cannot all hold: a constraint that nothing satisfies follows from them."""
    shown = refute(premises, Constraint(0, 0, 0), MOST_CASES_TOGETHER)
    if shown is not None:
        cells = 0
        for premise in shown.premises:
            cells |= premise.cells
        yield Deduction.bounds(cells, 1, 0, shown.premises, NOTHING, shown.method)


def _with_total(census: ComponentCounts, total: Constraint) -> Iterator[Deduction]:
    """What the total decides beside the components' constraints.

    How many mines each component can hold bounds what the total leaves for another one and for the rest;
    where these bounds are too coarse (a component that can hold 3 or 5, not 4), all is looked at as one.
    """
    parts, left = census.components, possible_totals(census)
    together = (*(c for part in parts for c in part.constraints), total)
    if not left.rest or not all(left.components):
        yield from _contradiction(together)
        return
    decided = [
        (place, cells, is_mine)
        for place, part in enumerate(parts)
        for cells, is_mine in _agreed(part, left.components[place])
    ]
    rest_is = {1: False, 1 << census.rest.bit_count(): True}.get(left.rest) if census.rest else None
    if not decided and rest_is is None:
        return
    ranges = [_range(part, total) for part in parts]
    missing = [(census.rest, rest_is)] if rest_is is not None else []
    for place, cells, is_mine in decided:
        grounds = [d for other in (*ranges[:place], *ranges[place + 1 :]) for d in other]
        share = _share(parts[place].cells & total.cells, total, grounds)
        premises = (*parts[place].constraints, *(d.constraint for d in share))
        shown = list(_by_cases(premises, cells, is_mine, WITH_TOTAL))
        if shown:
            yield from (*grounds, *share, *shown)
        if len(shown) < cells.bit_count():
            missing.append((cells & ~sum(d.constraint.cells for d in shown), is_mine))
    if rest_is is not None:
        grounds = [d for part in ranges for d in part]
        left_over = _share(census.rest, total, grounds)
        share = [d for d in left_over if d.constraint.all_true or d.constraint.all_false]
        if share:
            yield from (*grounds, *share)
            missing.remove((census.rest, rest_is))
    for cells, is_mine in missing:
        yield from _by_cases(together, cells, is_mine, WITH_TOTAL, MOST_CASES_TOGETHER)


def _range(part: CountedComponent, total: Constraint) -> list[Deduction]:
    """The least and the most mines that a component can hold, each for itself, where a proof is found."""
    if part.layouts is None:
        return []
    cells = part.cells & total.cells
    size = cells.bit_count()
    numbers = _numbers(part)
    found = []
    for low, high in ((numbers[0], size), (0, numbers[-1])):
        claim = Constraint(cells, low, high, is_global=True)
        if not claim.is_trivial:
            opposite = Constraint(cells, 0, low - 1) if low else Constraint(cells, high + 1, size)
            shown = refute(part.constraints, opposite)
            if shown is not None:
                found.append(Deduction(claim, ProofStep(RANGE, shown.premises, shown.method)))
    return found


def _share(cells: int, total: Constraint, ranges: list[Deduction]) -> list[Deduction]:
    """What the total leaves for these cells when other components hold as many, or as few, as they can."""
    size = cells.bit_count()
    lower = tuple(d.constraint for d in ranges if d.constraint.low > 0)
    upper = tuple(d.constraint for d in ranges if d.constraint.low <= 0)
    others = total.cells & ~cells
    unbounded = others & ~sum(c.cells for c in upper)
    least = total.low - sum(c.high for c in upper) - unbounded.bit_count()
    most = total.high - sum(c.low for c in lower)
    found = []
    for low, high, family in ((least, size, upper), (0, most, lower)):
        claim = Constraint(cells, max(low, 0), min(high, size), is_global=True)
        if not claim.is_trivial:
            sum_of_all = Linear((1,) + (-1,) * len(family))
            found.append(Deduction(claim, ProofStep(SHARE, (total, *family), sum_of_all)))
    return found
