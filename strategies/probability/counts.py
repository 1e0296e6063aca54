"""Count the layouts of each component exactly, by number of mines.

Cells in the same constraints form an *equivalence class*; classes connected by constraints form a
*component*. `count_layouts` walks through the classes of a component and keeps, for each state (the mines
placed so far in each unfinished constraint), the number of layouts that lead to it. Layouts with the same
state are merged, so the cost depends on the width of a component, not on its length. A walk back gives the
counts with a mine in each class. `risks` joins the components through the mine total.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from games.logic import Constraint, Knowledge, bits, connected_components, union_cells

Rule = tuple[tuple[int, ...], int, int]  # classes, lower and upper bound

PRIOR_ODDS = 0.25  # of a mine in an unconstrained cell, if the mine total is unknown: 20 %
MAX_NODES = 60_000  # steps spent on one component before it is left uncounted


@dataclass(frozen=True, slots=True)
class LayoutCounts:
    """Exact layout counts of a component.

    `all[m]` layouts have m mines; in `mine[b][m]` of them, one given cell of class b is a mine (empty if not
    requested). All of `all` is 0 if the constraints contradict each other.
    """

    all: tuple[int, ...]
    mine: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=512)
def count_layouts(
    sizes: tuple[int, ...],
    counted: tuple[bool, ...],
    rules: tuple[Rule, ...],
    cap: int,
    each_class: bool = True,
) -> LayoutCounts | None:
    """Count the layouts of one component; None if that takes more than `cap` steps.

    A state packs the mines placed so far in each unfinished constraint into one int. Counts with which a
    constraint holds whatever follows are merged into the lowest of them. Polynomials in the number of mines
    are packed into one int, `wide` bits per coefficient, so that a product is one multiplication. Without
    `each_class`, only `all` is counted.
    """
    wide = sum(sizes) + 1
    order = _order(len(sizes), rules)
    steps = _steps(order, sizes, rules)
    field = _field(rules)
    mask = (1 << field) - 1
    ahead: list[dict[int, int]] = [{0: 1}]
    moves: list[list[tuple[int, int, int]]] = []  # for each class: state, mines put there, next state
    nodes = held = 0
    for one_class, (add, keep, touched, loose) in zip(order, steps, strict=True):
        size = sizes[one_class]
        weights = [comb(size, v) << (wide * v if counted[one_class] else 0) for v in range(size + 1)]
        table: dict[int, int] = {}
        taken: list[tuple[int, int, int]] = []
        for state, layouts in ahead[-1].items():
            least, most = 0, size
            for shift, low, high, left in touched:
                begun = state >> shift & mask
                # faster than min() and max(), in the innermost loop
                if high - begun < most:  # noqa: PLR1730
                    most = high - begun
                if low - begun - left > least:  # noqa: PLR1730
                    least = low - begun - left
            for v in range(least, most + 1):
                after = state + v * add & keep
                for shift, low, settled in loose:
                    if low < (begun := after >> shift & mask) <= settled:
                        after -= begun - low << shift
                table[after] = table.get(after, 0) + layouts * weights[v]
                taken.append((state, v, after))
        held += size
        nodes += len(taken) * (1 + (wide * held >> 13))  # long polynomials cost more
        if nodes > cap:
            return None
        ahead.append(table)
        moves.append(taken)
    length = sum(size for size, is_counted in zip(sizes, counted, strict=True) if is_counted) + 1
    everything = _unpacked(sum(ahead[-1].values()), wide, length)
    mine = _marginals(sizes, counted, order, ahead, moves, wide) if each_class else ()
    return LayoutCounts(everything, tuple(_unpacked(packed, wide, length) for packed in mine))


def _unpacked(packed: int, wide: int, length: int) -> tuple[int, ...]:
    mask = (1 << wide) - 1
    return tuple(packed >> wide * m & mask for m in range(length))


def _marginals(
    sizes: tuple[int, ...],
    counted: tuple[bool, ...],
    order: list[int],
    ahead: list[dict[int, int]],
    moves: list[list[tuple[int, int, int]]],
    wide: int,
) -> list[int]:
    """Walk back through the classes; multiply the layouts before and after a mine in each class."""
    behind: dict[int, int] = dict.fromkeys(ahead[-1], 1)
    mine: list[int] = [0] * len(sizes)
    for place in range(len(order) - 1, -1, -1):
        one_class = order[place]
        size = sizes[one_class]
        shifts = [wide * v if counted[one_class] else 0 for v in range(size + 1)]
        weights = [comb(size, v) << shifts[v] for v in range(size + 1)]
        inside = [comb(size - 1, v - 1) << shifts[v] if v else 0 for v in range(size + 1)]
        before = ahead[place]
        table: dict[int, int] = {}
        through = 0
        for state, v, after in moves[place]:
            layouts = behind.get(after)
            if layouts is None:
                continue
            table[state] = table.get(state, 0) + layouts * weights[v]
            if v:
                through += before[state] * layouts * inside[v]
        mine[one_class] = through
        behind = table
    return mine


def _field(rules: tuple[Rule, ...]) -> int:
    """Return the bits needed for the number of mines in one constraint."""
    return max(max(high, 0) for _, _, high in rules).bit_length() + 1


def _steps(
    order: list[int], sizes: tuple[int, ...], rules: tuple[Rule, ...]
) -> list[tuple[int, int, list[tuple[int, int, int, int]], list[tuple[int, int, int]]]]:
    """Return for each class: the state increment of a mine, the mask of kept fields, and its constraints.

    A constraint is (field shift, low, high, cells in later classes). The last list has the constraints that
    may hold whatever follows: (field shift, lowest count, highest count with which they do).
    """
    field = _field(rules)
    left = [sum(sizes[one_class] for one_class in classes) for classes, _, _ in rules]
    touching: list[list[int]] = [[] for _ in sizes]
    for rule, (classes, _, _) in enumerate(rules):
        for one_class in classes:
            touching[one_class].append(rule)
    everything = (1 << field * len(rules)) - 1
    steps = []
    for one_class in order:
        add, keep, touched, loose = 0, everything, [], []
        for rule in touching[one_class]:
            left[rule] -= sizes[one_class]
            add |= 1 << field * rule
            if not left[rule]:
                keep &= ~(((1 << field) - 1) << field * rule)
            _, low, high = rules[rule]
            touched.append((field * rule, low, high, left[rule]))
            if left[rule] and low < high:
                loose.append((field * rule, max(low, 0), high - left[rule]))
        steps.append((add, keep, touched, loose))
    return steps


def _order(classes: int, rules: tuple[Rule, ...]) -> list[int]:
    """Order the classes from one end of the component so that constraints are finished early."""
    touching: list[list[int]] = [[] for _ in range(classes)]
    for rule, (members, _, _) in enumerate(rules):
        for one_class in members:
            touching[one_class].append(rule)
    open_classes = [set(members) for members, _, _ in rules]
    left = [len(members) for members in open_classes]
    order: list[int] = []
    begun: dict[int, None] = {_far_end(_far_end(0, touching, rules), touching, rules): None}
    while begun:
        rule = min(begun, key=left.__getitem__)
        del begun[rule]
        # classes that other unfinished constraints share go first
        waited = [(sum([r not in begun for r in touching[b]]), b) for b in open_classes[rule]]
        finished = []
        for _, one_class in sorted(waited):
            order.append(one_class)
            for other in touching[one_class]:
                open_classes[other].discard(one_class)
                left[other] -= 1
                if other != rule:
                    begun.setdefault(other)
                    if not left[other]:
                        finished.append(other)
        for other in finished:
            del begun[other]
    return order


def _far_end(start: int, touching: list[list[int]], rules: tuple[Rule, ...]) -> int:
    """Return the constraint farthest from `start` over shared classes."""
    met = {start: None}
    waiting = [start]
    for rule in waiting:
        for one_class in rules[rule][0]:
            for other in touching[one_class]:
                if other not in met:
                    met[other] = None
                    waiting.append(other)
    return waiting[-1]


@dataclass(frozen=True, slots=True)
class CountedComponent:
    """Classes (cell sets) connected by constraints, without the mine total.

    `counted[b]` is whether the total includes the cells of class b. `layouts` is None if counting exceeded
    the cap.
    """

    classes: tuple[int, ...]
    counted: tuple[bool, ...]
    constraints: tuple[Constraint, ...]
    layouts: LayoutCounts | None

    @property
    def cells(self) -> int:
        """The set of all cells of the component."""
        return sum(self.classes)

    @property
    def room(self) -> int:
        """The number of its cells that the total counts."""
        pairs = zip(self.classes, self.counted, strict=True)
        return sum(one_class.bit_count() for one_class, is_counted in pairs if is_counted)


@dataclass(frozen=True, slots=True)
class ComponentCounts:
    """The undecided cells: components, unconstrained cells that can be mines (`rest`), and the mine total.

    `total` is None if it is unknown.
    """

    components: tuple[CountedComponent, ...]
    rest: int
    total: Constraint | None

    @property
    def is_complete(self) -> bool:
        """Whether every component could be counted."""
        return all(component.layouts is not None for component in self.components)


def count_components(knowledge: Knowledge, counted: int | None = None) -> ComponentCounts:
    """Count the layouts of all undecided cells.

    `counted` is the set of cells that can be mines if there is no total (default: all). Only stated
    constraints are used, because derived ones add no information to a count.
    """
    total = mine_total(knowledge)
    if total is not None:
        counted = total.cells
    elif counted is None:
        counted = knowledge.universe
    whole = total.cells if total is not None else 0
    stated = [c for c in knowledge.stated if not (c.is_global and c.cells == whole)]
    counts = tuple(count_component(part, counted) for part in connected_components(stated))
    bound = union_cells(stated)
    return ComponentCounts(counts, knowledge.undecided & counted & ~bound, total)


def mine_total(knowledge: Knowledge) -> Constraint | None:
    """Return the widest global constraint, tightened by others with the same cells."""
    everywhere = [c for c in knowledge.stated if c.is_global]
    if not everywhere:
        return None
    widest = max(everywhere, key=lambda c: c.size)
    same = [c for c in everywhere if c.cells == widest.cells]
    return Constraint(
        widest.cells, max(c.low for c in same), min(c.high for c in same), widest.source, is_global=True
    )


def count_component(
    constraints: Sequence[Constraint], counted: int, cap: int = MAX_NODES, each_class: bool = True
) -> CountedComponent:
    """Count the layouts of connected constraints, in terms of classes numbered from 0."""
    owners: dict[int, int] = {}
    for place, constraint in enumerate(constraints):
        for k in bits(constraint.cells):
            owners[k] = owners.get(k, 0) | 1 << place
    grouped: dict[tuple[int, bool], int] = {}
    for k in sorted(owners):
        key = owners[k], bool(counted >> k & 1)
        grouped[key] = grouped.get(key, 0) | 1 << k
    members: list[list[int]] = [[] for _ in constraints]
    for b, (owner, _) in enumerate(grouped):
        for place in bits(owner):
            members[place].append(b)
    rules = tuple((tuple(own), c.low, c.high) for own, c in zip(members, constraints, strict=True))
    classes = tuple(grouped.values())
    is_counted = tuple(key[1] for key in grouped)
    sizes = tuple(one_class.bit_count() for one_class in classes)
    layouts = count_layouts(sizes, is_counted, rules, cap, each_class)
    return CountedComponent(classes, is_counted, tuple(constraints), layouts)
