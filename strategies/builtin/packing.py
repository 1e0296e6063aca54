"""Packing and hitting sets: disjoint constraints that use up what another constraint can hold.

Clue inference, generalized to constraints of any kind. *Constraints from possible suggestion cards*: if
disjoint sets inside P need all that P can hold, the rest of P is false. The best family of such sets is a
maximum disjoint set ("the most general case"). Stronger: if the smallest hitting sets of all demands inside P
are as large as P's maximum, the cells in none of them are false. *Repeated elements* and *sole player missing
multiple cards*, also across categories: the same with a sum of disjoint constraints instead of P. Everything
applies a second time with true and false exchanged. Both searches are capped in steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.logic import Constraint, Deduction, Knowledge, Linear, bits, union_cells
from strategies.hookspecs import hookimpl
from strategies.probability.risks import can_be_certain
from strategies.search.solver import prove_cells, prove_contradiction

NAME = "packing"
PACKED = "clues that share no cell use up what others leave"
HIT = "these clues can only be met by the same few cells"
MAX_STEPS = 400  # in one search
MAX_WITH_TOTAL = 24  # local constraints; with more, totals are not tried
MAX_OUTSIDE = 1  # cells that a demand may lack inside a holder


def max_weight_packing(sets: Sequence[tuple[int, int]]) -> list[int]:
    """Return the indices of disjoint sets with the maximum total weight.

    A set is (cells, weight) with a positive weight. Exact up to `MAX_STEPS` steps of branch and bound; above
    that, the best family found. Of equal families, the first is returned.
    """
    if len(sets) < 2:
        return list(range(len(sets)))
    order = sorted(range(len(sets)), key=lambda p: (-sets[p][1] / (sets[p][0].bit_count() or 1), p))
    ahead = [0] * (len(order) + 1)  # upper bound on the weight of the sets from this index on
    for at in range(len(order) - 1, -1, -1):
        ahead[at] = ahead[at + 1] + sets[order[at]][1]
    best: list[int] = []
    most = steps = 0
    waiting: list[tuple[int, int, int, tuple[int, ...]]] = [(0, 0, 0, ())]
    while waiting and steps < MAX_STEPS:
        at, taken, weight, family = waiting.pop()
        steps += 1
        if weight > most:
            most, best = weight, list(family)
        if at == len(order) or weight + ahead[at] <= most:
            continue
        cells, worth = sets[order[at]]
        waiting.append((at + 1, taken, weight, family))
        if not cells & taken:  # on top of the stack: tried first
            waiting.append((at + 1, taken | cells, weight + worth, (*family, order[at])))
    return best


@dataclass(frozen=True, slots=True)
class HittingSets:
    """Union (`ever`) and intersection (`always`) of all hitting sets; 0 and -1 if there is none."""

    ever: int
    always: int


def hitting_sets(demands: Sequence[tuple[int, int]], room: int) -> HittingSets | None:
    """Find all sets of at most `room` cells that contain at least `least` cells of each demand.

    A demand is (cells, least). None if a set is smaller than `room`, because then any other cell may be added
    and nothing follows, or if the search takes more than `MAX_STEPS` steps.
    """
    ever, always = 0, -1
    steps = 0
    waiting = [(0, 0)]  # taken, left out
    while waiting:
        taken, out = waiting.pop()
        steps += 1
        if steps > MAX_STEPS:
            return None
        open_demands = [d for cells, least in demands if (d := (cells & ~out, least))]
        unmet = [(cells & ~taken, least - (cells & taken).bit_count()) for cells, least in open_demands]
        unmet = [each for each in unmet if each[1] > 0]
        spare = room - taken.bit_count()
        if not unmet:
            if spare:
                return None
            ever, always = ever | taken, always & taken
            continue
        cells, least = min(unmet, key=lambda each: each[0].bit_count() - each[1])
        if least > spare or any(free.bit_count() < need for free, need in unmet):
            continue
        first = next(bits(cells))
        waiting += [(taken, out | 1 << first), (taken | 1 << first, out)]
    return HittingSets(ever, always)


class BoundView(NamedTuple):
    """A constraint and the minimum (`need`) and maximum (`room`) of its true, or false, cells."""

    cells: int
    need: int
    room: int
    constraint: Constraint

    @classmethod
    def of(cls, c: Constraint, is_turned: bool) -> BoundView:
        """Count true cells; false ones if `is_turned`."""
        if is_turned:
            size = c.cells.bit_count()
            return cls(c.cells, size - c.high, size - c.low, c)
        return cls(c.cells, c.low, c.high, c)


@hookimpl
def deduce(knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
    """Yield what follows from families of disjoint constraints around a new one."""
    if not changed or not can_be_certain(knowledge):
        return
    local = [c for c in knowledge.constraints if not c.is_global]
    holders = [c for c in local if c.cells & changed]
    if len(local) <= MAX_WITH_TOTAL:
        holders += (c for c in knowledge.constraints if c.is_global)
        near = local
    else:
        near = _overlapping(holders, local)
        local = _overlapping(near, local)
    reported = 0
    for is_turned in (False, True):
        demands = [view for c in near if (view := BoundView.of(c, is_turned)).need > 0]
        for c in holders:
            for deduction in _from_holder(BoundView.of(c, is_turned), demands, local, is_turned):
                claim = deduction.constraint
                if claim.is_impossible or claim.cells & ~reported:
                    reported |= claim.cells
                    yield deduction


def _overlapping(some: list[Constraint], constraints: list[Constraint]) -> list[Constraint]:
    cells = union_cells(some)
    return [constraint for constraint in constraints if constraint.cells & cells]


def _from_holder(
    whole: BoundView, demands: list[BoundView], local: list[Constraint], is_turned: bool
) -> Iterator[Deduction]:
    """Try a family that fills this holder, then hitting sets of the demands inside it, then sums."""
    cells, rest = whole.cells, ~whole.cells
    inside = []  # need of each demand inside this holder, if all of its cells outside are true
    for view in demands:
        if view.cells & cells:
            need = view.need - (view.cells & rest).bit_count()
            if need >= -MAX_OUTSIDE and view.constraint is not whole.constraint:
                inside.append((view.cells & cells, need, view))
    if not inside:
        return
    parts = _largest_needs([each for each in inside if each[1] > 0])
    if sum(need for _, need, _ in parts) >= whole.room:
        full = [part for part in parts if part[1] >= whole.room]
        if full:
            family = [min(full, key=lambda part: part[0].bit_count())]
        else:
            family = [parts[p] for p in max_weight_packing([(part, need) for part, need, _ in parts])]
        if sum(need for _, need, _ in family) >= whole.room:
            yield from _packed([whole], [view for _, _, view in family], is_turned)
            return
    if not whole.constraint.is_global:
        if sum(need for _, need, _ in parts) >= whole.room:
            yield from _hit(whole, parts, is_turned)
        sticking = [each for each in inside if each[2].cells & rest]
        yield from _summed(whole, sticking, local, is_turned)


def _largest_needs(parts: list[tuple[int, int, BoundView]]) -> list[tuple[int, int, BoundView]]:
    """Keep the part with the largest need for each cell set."""
    most: dict[int, tuple[int, int, BoundView]] = {}
    for part in parts:
        if part[0] not in most or most[part[0]][1] < part[1]:
            most[part[0]] = part
    return list(most.values())


def _packed(holders: list[BoundView], family: list[BoundView], is_turned: bool) -> Iterator[Deduction]:
    """Yield both conclusions if the family needs all the room of the holders."""
    held = needed = spare = 0
    for view in holders:
        held |= view.cells
        spare += view.room
    for view in family:  # disjoint inside the holders; a cell outside may count for several
        needed |= view.cells
        spare -= view.need - (view.cells & ~held).bit_count()
    excess = -spare  # if positive, the constraints contradict each other
    outside = needed & ~held
    if held == needed and spare == 0:
        return
    premises = tuple(view.constraint for view in (*holders, *family))
    signs = (1,) * len(holders) + (-1,) * len(family)
    for cells, is_in in ((held & ~needed, False), (outside, True)):
        if not cells and (is_in or not excess):
            continue
        must, size = is_in != is_turned, cells.bit_count()
        claim = (size + excess, size) if must else (0, -excess)
        multipliers = tuple(-number if is_in else number for number in signs)
        yield Deduction.bounds(cells, *claim, premises, PACKED, Linear(multipliers))


def _hit(whole: BoundView, parts: list[tuple[int, int, BoundView]], is_turned: bool) -> Iterator[Deduction]:
    """Yield the cells of the holder that are in none, or in all, of the hitting sets."""
    hits = hitting_sets([(part, need) for part, need, _ in parts], whole.room)
    if hits is None:
        return
    premises = (whole.constraint, *(view.constraint for _, _, view in parts))
    if not hits.ever:
        yield from prove_contradiction(premises, HIT)
        return
    for cells, is_in in ((whole.cells & ~hits.ever, False), (hits.always, True)):
        yield from prove_cells(premises, cells, is_in != is_turned, HIT)


def _summed(
    whole: BoundView, sticking: list[tuple[int, int, BoundView]], local: list[Constraint], is_turned: bool
) -> Iterator[Deduction]:
    """Combine a family that extends beyond one holder with further holders that limit its outer cells.

    Both families are maximum-weight packings; other choices are not tried.
    """
    for short in sorted({max(-need, 0) for _, need, _ in sticking}):
        members = [each for each in sticking if each[1] >= -short]
        out = union_cells(view.constraint for _, _, view in members) & ~whole.cells
        missing = whole.room - sum(need for _, need, _ in members if need > 0)
        # not even holders without any room, or all further holders together, would suffice
        if out.bit_count() <= missing or not _further(whole, out, local, missing, is_turned):
            continue
        chosen = max_weight_packing([(view.cells, need + short + 1) for _, need, view in members])
        family = [members[p] for p in chosen]
        missing = whole.room - sum(need for _, need, _ in family)
        held = sum(view.cells for _, _, view in family) & ~whole.cells
        further = _further(whole, held, local, missing, is_turned)
        if further:
            more = [further[p] for p in max_weight_packing([(view.cells, gain) for view, gain in further])]
            if sum(gain for _, gain in more) >= missing:
                yield from _packed([whole, *(v for v, _ in more)], [v for _, _, v in family], is_turned)


def _further(
    whole: BoundView, out: int, local: list[Constraint], missing: int, is_turned: bool
) -> list[tuple[BoundView, int]]:
    """Return disjoint holders with less room than cells of `out`, and the difference.

    Empty if all differences together are less than `missing`.
    """
    found = []
    for c in local:
        shared = (c.cells & out).bit_count()
        if shared > 1:
            room = c.size - c.low if is_turned else c.high
            if shared > room and not c.cells & whole.cells:
                found.append((BoundView.of(c, is_turned), shared - room))
    return found if sum(gain for _, gain in found) >= missing else []
