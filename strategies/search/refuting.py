"""Showing that something cannot be: suppose it, count, and split into cases where counting ends.

Deduction functions, `recursion_deduct`: the case is split beside the constraint with the fewest open cells.
What came into the contradiction is traced back, so that a case that played no part is not split and a premise
that played none is not named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.logic import Constraint, Propagation, Split, bits

MOST_CASES = 400  # suppositions in one proof


@dataclass(frozen=True, slots=True)
class Refutation:
    """How the supposition fails: the method, and the constraints that it takes, in the order given."""

    method: Propagation | Split
    premises: tuple[Constraint, ...]


@dataclass(slots=True)
class Effort:
    """How many suppositions are left for all that is asked together."""

    left: int

    def spend(self, steps: int) -> None:
        """Take off so many."""
        self.left = max(self.left - steps, 0)


def refute(
    premises: Sequence[Constraint], opposite: Constraint, cap: int = MOST_CASES, effort: Effort | None = None
) -> Refutation | None:
    """Show that `opposite` cannot hold beside the premises.

    None when it can, or when that takes more than `cap` suppositions, or more than are left of the effort.
    """
    cap = cap if effort is None else min(cap, effort.left)
    cells = opposite.cells
    for premise in premises:
        cells |= premise.cells
    names = list(bits(cells))
    local = {k: 1 << place for place, k in enumerate(names)}
    rules = [(sum(local[k] for k in bits(c.cells)), c.low, c.high) for c in (opposite, *premises)]
    search = _Search(rules, names, cap)
    failure = search.run(0, 0, {})
    if effort is not None:
        effort.spend(1 + cap - search.cap)
    if failure is None:
        return None
    used = tuple(premise for place, premise in enumerate(premises, 1) if failure.rules >> place & 1)
    return Refutation(failure.split or Propagation(), used)


@dataclass(frozen=True, slots=True)
class _Failure:
    """A case that fails: its split, the rules (set) and the suppositions (set of local cells) behind it."""

    split: Split | None
    rules: int
    supposed: int


@dataclass(slots=True)
class _Search:
    """Depth-first over local cells: bit `place` is the cell `names[place]`."""

    rules: list[tuple[int, int, int]]
    names: list[int]
    cap: int
    touching: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for place in range(len(self.names)):
            cell = 1 << place
            self.touching[cell] = [r for r, (cells, _, _) in enumerate(self.rules) if cells & cell]

    def run(self, true: int, false: int, why: dict[int, tuple[int, int]], new: int = -1) -> _Failure | None:
        """The failure of this case; None when it has a layout or the cap is reached.

        `why` maps a forced cell to its rule and to the cells that forced it; `new` are the cells set since
        the last count (everything at first).
        """
        why = dict(why)
        pending = range(len(self.rules)) if new < 0 else self.touching[new]
        waiting = dict.fromkeys(pending)
        while waiting:
            rule = next(iter(waiting))
            del waiting[rule]
            cells, low, high = self.rules[rule]
            mines = cells & true
            free = cells & ~(true | false)
            found, room = mines.bit_count(), free.bit_count()
            if found > high:
                return self._trace(rule, mines, why)
            if found + room < low:
                return self._trace(rule, cells & false, why)
            if not free:
                continue
            if found == high:
                false |= free
                cause = mines
            elif found + room == low:
                true |= free
                cause = cells & false
            else:
                continue
            while free:
                cell = free & -free
                free ^= cell
                why[cell] = (rule, cause)
                waiting.update(dict.fromkeys(self.touching[cell]))
        return self._split(true, false, why)

    def _split(self, true: int, false: int, why: dict[int, tuple[int, int]]) -> _Failure | None:
        """Suppose a cell beside the constraint with the fewest open ones, both ways."""
        known = true | false
        smallest, choice = len(self.names) + 1, 0
        for cells, low, high in self.rules:
            free = cells & ~known
            room = free.bit_count()
            if 0 < room < smallest:
                found = (cells & true).bit_count()
                if found < low or found + room > high:
                    smallest, choice = room, free
        if not choice:
            return None
        self.cap -= 1
        if self.cap < 0:
            return None
        cell = self._busiest(choice)
        if_true = self.run(true | cell, false, why, cell)
        if if_true is None or not if_true.supposed & cell:
            return if_true
        if_false = self.run(true, false | cell, why, cell)
        if if_false is None or not if_false.supposed & cell:
            return if_false
        return _Failure(
            Split(self.names[cell.bit_length() - 1], if_true.split, if_false.split),
            if_true.rules | if_false.rules,
            (if_true.supposed | if_false.supposed) & ~cell,
        )

    def _busiest(self, cells: int) -> int:
        """The cell of the most constraints, the lowest of equals."""
        return 1 << max(bits(cells), key=lambda place: (len(self.touching[1 << place]), -place))

    def _trace(self, rule: int, cells: int, why: dict[int, tuple[int, int]]) -> _Failure:
        """The rules and suppositions that a contradiction in `rule` over these cells rests on."""
        rules, supposed, seen = 1 << rule, 0, 0
        while cells:
            cell = cells & -cells
            cells ^= cell
            seen |= cell
            if cell in why:
                rule, cause = why[cell]
                rules |= 1 << rule
                cells |= cause & ~seen
            else:
                supposed |= cell
        return _Failure(None, rules, supposed)
