"""Families of disjoint sets, and smallest sets that hit: the two exact searches behind `packing`.

Clue inference: the maximum disjoint set ("the most general case"). Both searches are capped in steps and say
so.

Constraints that share no cell use up what a larger one can hold: packing and hitting sets.

Clue inference (Clue), on constraints of any kind. *Constraints from possible suggestion cards*: if disjoint
sets inside P need, together, all that P can hold, the rest of P is ruled out; one set is the simplest case,
several the more general one, the best family the most general one (maximum disjoint set). Stronger: if the
smallest sets that hit all of them are as large as what P can hold, what is in none of these is ruled out.
*Repeated elements* and *sole player missing multiple cards*, also across categories: the same with a sum of
disjoint constraints in the place of P. All of it is done a second time with true and false exchanged: what
disjoint sets can hold at most, and what P needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.logic import Constraint, Deduction, Knowledge, Linear, bits
from strategies.hookspecs import hookimpl
from strategies.probability.risks import can_be_certain
from strategies.search.solver import refute

MOST_STEPS = 400  # of one search


def max_weight_packing(sets: Sequence[tuple[int, int]]) -> list[int]:
    """The places of sets that share no cell and weigh most together: the maximum disjoint set.

    A set is (cells, weight), its weight greater than 0. Exact up to `MOST_STEPS` steps of branch and bound;
    above that the best family met. Of equals the first met stays.
    """
    if len(sets) < 2:
        return list(range(len(sets)))
    order = sorted(range(len(sets)), key=lambda p: (-sets[p][1] / (sets[p][0].bit_count() or 1), p))
    ahead = [0] * (len(order) + 1)  # the most that the sets from here on can add
    for at in range(len(order) - 1, -1, -1):
        ahead[at] = ahead[at + 1] + sets[order[at]][1]
    best: list[int] = []
    most = steps = 0
    waiting: list[tuple[int, int, int, tuple[int, ...]]] = [(0, 0, 0, ())]
    while waiting and steps < MOST_STEPS:
        at, taken, weight, family = waiting.pop()
        steps += 1
        if weight > most:
            most, best = weight, list(family)
        if at == len(order) or weight + ahead[at] <= most:
            continue
        cells, worth = sets[order[at]]
        waiting.append((at + 1, taken, weight, family))
        if not cells & taken:  # taken first: it lies on top
            waiting.append((at + 1, taken | cells, weight + worth, (*family, order[at])))
    return best


@dataclass(frozen=True, slots=True)
class HittingSets:
    """What all sets of cells that hit every demand with the room given have in common.

    `ever` are the cells in any of them, `always` those in all. No such set at all: `ever` is 0 and `always`
    is all ones.
    """

    ever: int
    always: int


def hitting_sets(demands: Sequence[tuple[int, int]], room: int) -> HittingSets | None:
    """Every choice of at most `room` cells that takes at least `least` of the cells of each demand.

    A demand is (cells, least). None when a choice leaves room to spare, for then any other cell may be added
    and nothing follows, and when the search takes more than `MOST_STEPS` steps.
    """
    ever, always = 0, -1
    steps = 0
    waiting = [(0, 0)]  # taken, left out
    while waiting:
        taken, out = waiting.pop()
        steps += 1
        if steps > MOST_STEPS:
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


NAME = "packing"
PACKED = "clues that share no cell use up what others leave"
HIT = "these clues can only be met by the same few cells"
MOST_IN_TOTAL = 24  # constraints that a total is tried with
MOST_SHORT = 1  # cells that a member of a sum's family may stick out beyond what it needs


class BoundView(NamedTuple):
    """A constraint as one half of the rule sees it: how many cells must, and may, be true (or false)."""

    cells: int
    need: int
    room: int
    constraint: Constraint

    @classmethod
    def of(cls, c: Constraint, is_turned: bool) -> BoundView:
        """How many cells must be, and may be, true; turned: must be, and may be, false."""
        if is_turned:
            size = c.cells.bit_count()
            return cls(c.cells, size - c.high, size - c.low, c)
        return cls(c.cells, c.low, c.high, c)


@hookimpl
def deduce(knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
    """What follows from families of disjoint constraints around one that is new."""
    if not changed or not can_be_certain(knowledge):
        return
    local = [c for c in knowledge.constraints if not c.is_global]
    holders = [c for c in local if c.cells & changed]
    if len(local) <= MOST_IN_TOTAL:
        holders += (c for c in knowledge.constraints if c.is_global)
        beside = local
    else:
        beside = _beside(holders, local)
        local = _beside(beside, local)
    shown = 0  # in this call: what several families show is said once
    for is_turned in (False, True):
        needing = [view for c in beside if (view := BoundView.of(c, is_turned)).need > 0]
        for c in holders:
            for deduction in _around(BoundView.of(c, is_turned), needing, local, is_turned):
                claim = deduction.constraint
                if claim.is_impossible or claim.cells & ~shown:
                    shown |= claim.cells
                    yield deduction


def _beside(some: list[Constraint], constraints: list[Constraint]) -> list[Constraint]:
    """The constraints that share a cell with any of some."""
    cells = 0
    for constraint in some:
        cells |= constraint.cells
    return [constraint for constraint in constraints if constraint.cells & cells]


def _around(
    whole: BoundView, needing: list[BoundView], local: list[Constraint], is_turned: bool
) -> Iterator[Deduction]:
    """One holder: a family that fills it, else the sets that hit what is in it, else a sum."""
    cells, rest = whole.cells, ~whole.cells
    inside = []  # what each needs of these cells, when all of it that lies outside is taken
    for view in needing:
        if view.cells & cells:
            need = view.need - (view.cells & rest).bit_count()
            if need >= -MOST_SHORT and view.constraint is not whole.constraint:
                inside.append((view.cells & cells, need, view))
    if not inside:
        return
    parts = _widest([each for each in inside if each[1] > 0])
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


def _widest(parts: list[tuple[int, int, BoundView]]) -> list[tuple[int, int, BoundView]]:
    """For each set of cells the one that needs most."""
    most: dict[int, tuple[int, int, BoundView]] = {}
    for part in parts:
        if part[0] not in most or most[part[0]][1] < part[1]:
            most[part[0]] = part
    return list(most.values())


def _packed(holders: list[BoundView], family: list[BoundView], is_turned: bool) -> Iterator[Deduction]:
    """The family needs all that the holders have room for: each half of what that decides, by one sum."""
    held = needed = spare = 0
    for view in holders:
        held |= view.cells
        spare += view.room
    for view in family:  # disjoint inside the holders; outside a cell may count for several
        needed |= view.cells
        spare -= view.need - (view.cells & ~held).bit_count()
    excess = -spare  # over 0: they contradict each other
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
    """Cells of the holder that are in none, or in all, of the smallest sets that meet every need inside."""
    hits = hitting_sets([(part, need) for part, need, _ in parts], whole.room)
    if hits is None:
        return
    premises = (whole.constraint, *(view.constraint for _, _, view in parts))
    if not hits.ever:
        shown = refute(premises, Constraint(0, 0, 0))
        if shown is not None:
            yield Deduction.bounds(0, 1, 0, shown.premises, HIT, shown.method)
        return
    for cells, is_in in ((whole.cells & ~hits.ever, False), (hits.always, True)):
        must = is_in != is_turned
        make = Deduction.true if must else Deduction.false
        for k in bits(cells):
            shown = refute(premises, Constraint(1 << k, 1 - must, 1 - must))
            if shown is not None:
                yield make(1 << k, shown.premises, HIT, shown.method)


def _summed(
    whole: BoundView, sticking: list[tuple[int, int, BoundView]], local: list[Constraint], is_turned: bool
) -> Iterator[Deduction]:
    """A family that sticks out of one holder, and further holders that have too little room for that.

    Both families are the heaviest that are disjoint; whether yet others would do better is not looked into.
    """
    for short in sorted({max(-need, 0) for _, need, _ in sticking}):
        members = [each for each in sticking if each[1] >= -short]
        out = 0
        for _, _, view in members:
            out |= view.cells
        out &= ~whole.cells
        missing = whole.room - sum(need for _, need, _ in members if need > 0)
        # even holders without any room would not do, nor all there are together
        if out.bit_count() <= missing or not _gain(_further(whole, out, local, is_turned), missing):
            continue
        chosen = max_weight_packing([(view.cells, need + short + 1) for _, need, view in members])
        family = [members[p] for p in chosen]
        missing = whole.room - sum(need for _, need, _ in family)
        held = sum(view.cells for _, _, view in family) & ~whole.cells
        further = _further(whole, held, local, is_turned)
        if _gain(further, missing):
            more = [further[p] for p in max_weight_packing([(view.cells, gain) for view, gain in further])]
            if sum(gain for _, gain in more) >= missing:
                yield from _packed([whole, *(v for v, _ in more)], [v for _, _, v in family], is_turned)


def _further(
    whole: BoundView, out: int, local: list[Constraint], is_turned: bool
) -> list[tuple[BoundView, int]]:
    """Holders beside this one that have less room than cells of `out`, and how much less."""
    found = []
    for c in local:
        shared = (c.cells & out).bit_count()
        if shared > 1:
            room = c.size - c.low if is_turned else c.high
            if shared > room and not c.cells & whole.cells:
                found.append((BoundView.of(c, is_turned), shared - room))
    return found


def _gain(further: list[tuple[BoundView, int]], missing: int) -> bool:
    """Whether there are such holders, and all of them together gain what is missing."""
    return bool(further) and sum(gain for _, gain in further) >= missing
