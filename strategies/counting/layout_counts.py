"""How many layouts a component has, by its number of mines: a walk through its classes that merges states."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb

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
