"""Counting the layouts of mines that the constraints allow, part by part.

Cells in the same constraints are one *equivalence class*; classes that share a constraint, directly or
through others, are one *component*. Each component is counted on its own (`layout_counts`), by its number of
mines; the total, which ties all of them together, comes afterwards (`joining`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.logic import Constraint, Knowledge, bits, components
from strategies.counting.layout_counts import LayoutCounts, count_layouts

MOST_NODES = 60_000  # steps spent on counting one component; above that it is not counted


@dataclass(frozen=True, slots=True)
class Component:
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
class Census:
    """All that is undecided: the components, the cells next to no constraint (`rest`), and the total.

    `rest` are only those that can hold mines. `total` is None when it is not known.
    """

    components: tuple[Component, ...]
    rest: int
    total: Constraint | None

    @property
    def is_complete(self) -> bool:
        """Whether every component could be counted."""
        return all(component.layouts is not None for component in self.components)


def take_census(
    knowledge: Knowledge, counted: int | None = None, cap: int = MOST_NODES, each_class: bool = True
) -> Census:
    """Count everything that is undecided.

    `counted` is the set of the cells that can hold mines, where no total says so (all by default). Only what
    the game states is looked at: derived constraints add no information to a count. Without `each_class` the
    layouts of components are counted, and not those in which a class holds a mine.
    """
    total = total_of(knowledge)
    if total is not None:
        counted = total.cells
    elif counted is None:
        counted = knowledge.universe
    whole = total.cells if total is not None else 0
    stated = [c for c in knowledge.stated if not (c.is_global and c.cells == whole)]
    counts = tuple(count_component(part, counted, cap, each_class) for part in components(stated))
    bound = 0
    for constraint in stated:
        bound |= constraint.cells
    return Census(counts, knowledge.undecided & counted & ~bound, total)


def total_of(knowledge: Knowledge) -> Constraint | None:
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
) -> Component:
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
    return Component(classes, is_counted, tuple(constraints), layouts)
