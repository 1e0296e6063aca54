"""Bounds propagation to a fixpoint.

Used by the solver (`strategies.search`) and by proof sentences (`games.logic.derivation`). The checker has
its own, independent implementation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.logic.constraint import Constraint, bits, union_cells

Rule = tuple[int, int, int]  # cell set, minimum and maximum number of true cells


class ForcedCells(NamedTuple):
    """A cell set that the constraint at index `place` forces to be true or false.

    `cause` is the set of known cells that leave it no other choice: false cells if `is_true`, otherwise true.
    """

    place: int
    cells: int
    is_true: bool
    cause: int


class PropagationConflict(NamedTuple):
    """The index of a violated constraint, and the cell set that violates it.

    With `too_few`, these cells are false and too few others remain; otherwise they are true and too many.
    """

    place: int
    cause: int
    too_few: bool


@dataclass(frozen=True, slots=True)
class PropagationProblem:
    """Constraints as plain numbers. Local cell k is the cell `names[k]`.

    `touching` maps each local cell to the indices of the constraints that contain it.
    """

    rules: tuple[Rule, ...]
    names: Sequence[int]
    touching: Mapping[int, Sequence[int]]

    @classmethod
    def of(cls, constraints: Iterable[Constraint]) -> PropagationProblem:
        """Renumber the cells from 0, so that the ints stay short."""
        constraints = tuple(constraints)
        cells = union_cells(constraints)
        names = tuple(bits(cells))
        local = {k: number for number, k in enumerate(names)}
        touching: dict[int, list[int]] = {number: [] for number in range(len(names))}
        rules = []
        for place, constraint in enumerate(constraints):
            own = 0
            for k in bits(constraint.cells):
                number = local[k]
                own |= 1 << number
                touching[number].append(place)
            rules.append((own, constraint.low, constraint.high))
        return cls(tuple(rules), names, touching)

    @classmethod
    def as_numbered(cls, constraints: Iterable[Constraint]) -> PropagationProblem:
        """Keep the cell numbers."""
        rules = tuple((c.cells, c.low, c.high) for c in constraints)
        touching: dict[int, list[int]] = {}
        for place, (cells, _, _) in enumerate(rules):
            for k in bits(cells):
                touching.setdefault(k, []).append(place)
        return cls(rules, range(max(touching, default=-1) + 1), touching)

    def to_local(self, cells: int) -> int:
        """A cell set in local numbers; cells that are not part of the problem are dropped."""
        return sum(1 << number for number, k in enumerate(self.names) if cells >> k & 1)

    def to_global(self, cells: int) -> int:
        """The cell set for a set of local numbers."""
        return sum(1 << self.names[number] for number in bits(cells))


def propagate(
    problem: PropagationProblem,
    true: int,
    false: int,
    places: Iterable[int] | None = None,
    trail: list[ForcedCells] | None = None,
) -> tuple[int, int, PropagationConflict | None]:
    """Propagate to a fixpoint or a conflict; the sets of true and false cells, and the conflict.

    `places` are the constraints to start from, all by default. Forced cells are appended to `trail` in order.
    """
    rules, touching = problem.rules, problem.touching
    queue = list(range(len(rules)) if places is None else places)
    waiting, undecided = set(queue), ~(true | false)
    for place in queue:
        waiting.discard(place)
        cells, low, high = rules[place]
        mines = cells & true
        free = cells & undecided
        found = mines.bit_count()
        room = found + free.bit_count()
        if found > high:
            return true, false, PropagationConflict(place, mines, too_few=False)
        if room < low:
            return true, false, PropagationConflict(place, cells & false, too_few=True)
        if not free:
            continue
        if found == high:
            false |= free
            if trail is not None:
                trail.append(ForcedCells(place, free, False, mines))
        elif room == low:
            if trail is not None:
                trail.append(ForcedCells(place, free, True, cells & false))
            true |= free
        else:
            continue
        undecided &= ~free
        while free:
            cell = free & -free
            free ^= cell
            for other in touching[cell.bit_length() - 1]:
                if other not in waiting:
                    waiting.add(other)
                    queue.append(other)
    return true, false, None
