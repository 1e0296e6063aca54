"""How many layouts a component has, by its number of mines: a walk through its classes that merges states.

Counting the layouts of mines that the constraints allow, part by part.

Cells in the same constraints are one *equivalence class*; classes that share a constraint, directly or
through others, are one *component*. Each component is counted on its own (`layout_counts`), by its number of
mines; the total, which ties all of them together, comes afterwards (`joining`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from games.logic import Constraint, Knowledge, bits, connected_components

Rule = tuple[tuple[int, ...], int, int]  # its classes, least, most


@dataclass(frozen=True, slots=True)
class LayoutCounts:
    """How many layouts a component has, in exact whole numbers.

    `all[m]` have m mines; in `mine[b][m]` of them one given cell of class b is a mine, where that was asked.
    `all` is zero throughout when the constraints contradict each other.
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
    """Count by going through the classes one after the other; None when that takes more than `cap` steps.

    A state is what the constraints that are begun and not finished hold so far, so layouts that agree there
    are merged: the cost follows the width of the component, not its length. Where a constraint holds whatever
    comes, all counts are kept as the lowest. Polynomials in the number of mines are packed into one int each,
    a coefficient every `wide` bits, so that multiplying them is one multiplication. Without `each_class` only
    `all` is counted.
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
    """Go back through the classes: layouts before times layouts behind, for a mine in a cell of each."""
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
    """Bits that hold any number of mines in one constraint."""
    return max(max(high, 0) for _, _, high in rules).bit_length() + 1


def _steps(
    order: list[int], sizes: tuple[int, ...], rules: tuple[Rule, ...]
) -> list[tuple[int, int, list[tuple[int, int, int, int]], list[tuple[int, int, int]]]]:
    """For each class in order: what a mine adds to the state, which fields are kept, what it touches.

    It touches constraints: where the field of each is, its bounds, and how many of its cells come later. Last
    come those of them that may hold whatever comes: the field, the lowest count and the highest with which
    they do.
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
    """An order of the classes that begins at one end and finishes constraints as soon as it can."""
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
        # those that the other constraints wait for go first
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
    """The constraint that a walk from `start` over shared classes meets last."""
    met = {start: None}
    waiting = [start]
    for rule in waiting:
        for one_class in rules[rule][0]:
            for other in touching[one_class]:
                if other not in met:
                    met[other] = None
                    waiting.append(other)
    return waiting[-1]


PRIOR_ODDS = 0.25  # a mine against no mine, for a cell of which nothing is known: 20 %
MOST_NODES = 60_000  # steps spent on counting one component; above that it is not counted


@dataclass(frozen=True, slots=True)
class CountedComponent:
    """Classes (sets of cells) and the constraints that tie them, the total left out.

    `counted[b]` says whether the cells of class b are among those that the total counts. `layouts` is None
    when the component is too tangled to be counted within the cap.
    """

    classes: tuple[int, ...]
    counted: tuple[bool, ...]
    constraints: tuple[Constraint, ...]
    layouts: LayoutCounts | None

    @property
    def cells(self) -> int:
        """All its cells."""
        return sum(self.classes)

    @property
    def room(self) -> int:
        """How many of its cells the total counts."""
        pairs = zip(self.classes, self.counted, strict=True)
        return sum(one_class.bit_count() for one_class, is_counted in pairs if is_counted)


@dataclass(frozen=True, slots=True)
class ComponentCounts:
    """All that is undecided: the components, the cells next to no constraint (`rest`), and the total.

    `rest` are only those that can hold mines. `total` is None when it is not known.
    """

    components: tuple[CountedComponent, ...]
    rest: int
    total: Constraint | None

    @property
    def is_complete(self) -> bool:
        """Whether every component could be counted."""
        return all(component.layouts is not None for component in self.components)


def count_components(
    knowledge: Knowledge, counted: int | None = None, cap: int = MOST_NODES, each_class: bool = True
) -> ComponentCounts:
    """Count everything that is undecided.

    `counted` is the set of the cells that can hold mines, where no total says so (all by default). Only what
    the game states is looked at: derived constraints add no information to a count. Without `each_class` the
    layouts of components are counted, and not those in which a class holds a mine.
    """
    total = mine_total(knowledge)
    if total is not None:
        counted = total.cells
    elif counted is None:
        counted = knowledge.universe
    whole = total.cells if total is not None else 0
    stated = [c for c in knowledge.stated if not (c.is_global and c.cells == whole)]
    counts = tuple(count_component(part, counted, cap, each_class) for part in connected_components(stated))
    bound = 0
    for constraint in stated:
        bound |= constraint.cells
    return ComponentCounts(counts, knowledge.undecided & counted & ~bound, total)


def mine_total(knowledge: Knowledge) -> Constraint | None:
    """The widest global constraint, narrowed by those about the same cells."""
    everywhere = [c for c in knowledge.stated if c.is_global]
    if not everywhere:
        return None
    widest = max(everywhere, key=lambda c: c.size)
    same = [c for c in everywhere if c.cells == widest.cells]
    return Constraint(
        widest.cells, max(c.low for c in same), min(c.high for c in same), widest.source, is_global=True
    )


def count_component(
    constraints: Sequence[Constraint], counted: int, cap: int = MOST_NODES, each_class: bool = True
) -> CountedComponent:
    """Constraints that hang together, their layouts counted in terms of classes numbered from 0."""
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
