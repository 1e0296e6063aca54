"""Find every certain cell by counting all layouts, and prove each one by case splits.

Deduction functions, `update_deduct` and `recursion_deduct`: assume a cell to be a mine, then to be safe; if
one is impossible, the other is certain. Counting (`strategies.probability`) finds the certain cells, so
proofs are searched only for these. Complete below the caps, unconstrained cells included; above them,
undecided cells are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.logic import Constraint, Deduction, Knowledge, Linear, ProofStep, bits, union_cells
from strategies.hookspecs import hookimpl
from strategies.probability.counts import ComponentCounts, CountedComponent, count_components
from strategies.probability.risks import can_be_certain, possible_totals
from strategies.search.solver import prove_cells, refute

NAME = "backtracking"
CASES = "every layout of these clues agrees"
WITH_TOTAL = "every layout that fits the mine total agrees"
RANGE = "how many mines this group of cells can hold"
SHARE = "what the mine total leaves for this group of cells"
NOTHING = "no layout satisfies these clues"
MAX_CASES_TOGETHER = 4_000  # splits in a proof over all components and the total


@hookimpl
def deduce(knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
    """Yield the certain cells of each component; if there are none, those that follow from the total."""
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
            continue
        for cells, is_mine in _agreed(part, (1 << part.room + 1) - 1):
            for deduction in prove_cells(part.constraints, cells, is_mine, CASES):
                found = True
                yield deduction
    if not found and census.total is not None and not _is_ample(census, census.total):
        yield from _with_total(census, census.total)


def _is_ample(census: ComponentCounts, total: Constraint) -> bool:
    """Whether the total allows every mine number of every part: a quick check that seldom misses a yes.

    If the rest has enough cells to fill the gaps in the mine numbers of every component, the parts together
    can have every number between their minimum and maximum.
    """
    size = census.rest.bit_count()
    least = most = widest = 0
    for part in census.components:
        numbers = _numbers(part)
        low, high = numbers[0], numbers[-1]
        least, most, widest = least + low, most + high, max(widest, high - low)
    if size <= widest:
        return False
    # with one part at its minimum (maximum), the others must be able to have the remaining mines
    return total.low <= most + size - widest - 1 and total.high >= least + widest + 1


def _numbers(part: CountedComponent) -> list[int]:
    """Return the possible mine numbers of a component, ascending; all if it was not counted."""
    if part.layouts is None:
        return list(range(part.room + 1))
    return [m for m, layouts in enumerate(part.layouts.all) if layouts]


def _agreed(part: CountedComponent, numbers: int) -> Iterator[tuple[int, bool]]:
    """Yield the classes in which all layouts with one of these mine numbers agree, and the value."""
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


def _contradiction(premises: tuple[Constraint, ...]) -> Iterator[Deduction]:
    """Derive an unsatisfiable constraint from contradictory premises."""
    refutation = refute(premises, Constraint(0, 0, 0), MAX_CASES_TOGETHER)
    if refutation is not None:
        used = refutation.premises
        yield Deduction.bounds(union_cells(used), 1, 0, used, NOTHING, refutation.method)


def _with_total(census: ComponentCounts, total: Constraint) -> Iterator[Deduction]:
    """Yield what follows from the total together with the components.

    The mine range of each component bounds what the total leaves for the others and for the rest. If these
    bounds are too coarse (a component with 3 or 5 mines, not 4), the proof uses all constraints at once.
    """
    parts, totals = census.components, possible_totals(census)
    together = (*(c for part in parts for c in part.constraints), total)
    if not totals.is_consistent:
        yield from _contradiction(together)
        return
    decided = [
        (place, cells, is_mine)
        for place, part in enumerate(parts)
        for cells, is_mine in _agreed(part, totals.components[place])
    ]
    rest_is = {1: False, 1 << census.rest.bit_count(): True}.get(totals.rest) if census.rest else None
    if not decided and rest_is is None:
        return
    ranges = [_range(part, total) for part in parts]
    missing = [(census.rest, rest_is)] if rest_is is not None else []
    for place, cells, is_mine in decided:
        grounds = [d for other in (*ranges[:place], *ranges[place + 1 :]) for d in other]
        share = _share(parts[place].cells & total.cells, total, grounds)
        premises = (*parts[place].constraints, *(d.constraint for d in share))
        proved = list(prove_cells(premises, cells, is_mine, WITH_TOTAL))
        if proved:
            yield from (*grounds, *share, *proved)
        if len(proved) < cells.bit_count():
            missing.append((cells & ~sum(d.constraint.cells for d in proved), is_mine))
    if rest_is is not None:
        grounds = [d for part in ranges for d in part]
        left_over = _share(census.rest, total, grounds)
        share = [d for d in left_over if d.constraint.all_true or d.constraint.all_false]
        if share:
            yield from (*grounds, *share)
            missing.remove((census.rest, rest_is))
    for cells, is_mine in missing:
        yield from prove_cells(together, cells, is_mine, WITH_TOTAL, MAX_CASES_TOGETHER)


def _range(part: CountedComponent, total: Constraint) -> list[Deduction]:
    """Derive the minimum and maximum number of mines of a component, each if a proof is found."""
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
            refutation = refute(part.constraints, opposite)
            if refutation is not None:
                found.append(Deduction(claim, ProofStep(RANGE, refutation.premises, refutation.method)))
    return found


def _share(cells: int, total: Constraint, ranges: list[Deduction]) -> list[Deduction]:
    """Derive what the total leaves for these cells if the other components have their maximum or minimum."""
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
