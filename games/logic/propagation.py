"""Bounds propagation: what constraints with nothing left to choose force, until nothing more follows.

Searches for proofs and models stand on it (`strategies.search`), and so do the sentences that report a proof
(`games.logic.derivation`). Only the checker does not: it has a loop of its own, on purpose.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.logic.constraint import Constraint, bits

Rule = tuple[int, int, int]  # cells (a set), and how few and how many of them are true


class ForcedCells(NamedTuple):
    """By the constraint in this place these cells (a set) must be as said.

    `cause` are the cells that left it no other choice: false ones where they must be true, and the other way
    round.
    """

    place: int
    cells: int
    is_true: bool
    cause: int


class PropagationConflict(NamedTuple):
    """The place of a constraint that cannot hold, and the cells (a set) that break it.

    `too_few` says that these are false and too few are left; otherwise they are true and too many.
    """

    place: int
    cause: int
    too_few: bool


@dataclass(frozen=True, slots=True)
class PropagationProblem:
    """Constraints as plain numbers. Cell k of a set is the cell `names[k]`.

    `touching` has for each cell the places of the constraints about it.
    """

    rules: tuple[Rule, ...]
    names: Sequence[int]
    touching: Mapping[int, Sequence[int]]

    @classmethod
    def of(cls, constraints: Iterable[Constraint]) -> PropagationProblem:
        """The problem with its cells numbered from 0 in their order, so that sets stay short."""
        constraints = tuple(constraints)
        cells = 0
        for constraint in constraints:
            cells |= constraint.cells
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
        """The problem with the numbers that its cells have already."""
        rules = tuple((c.cells, c.low, c.high) for c in constraints)
        touching: dict[int, list[int]] = {}
        for place, (cells, _, _) in enumerate(rules):
            for k in bits(cells):
                touching.setdefault(k, []).append(place)
        return cls(rules, range(max(touching, default=-1) + 1), touching)

    def to_local(self, cells: int) -> int:
        """A set of cells in the numbers of this problem; what it does not speak of is left out."""
        return sum(1 << number for number, k in enumerate(self.names) if cells >> k & 1)

    def to_global(self, cells: int) -> int:
        """A set in the numbers of this problem as the cells that it stands for."""
        return sum(1 << self.names[number] for number in bits(cells))


def propagate(
    problem: PropagationProblem,
    true: int,
    false: int,
    places: Iterable[int] | None = None,
    trail: list[ForcedCells] | None = None,
) -> tuple[int, int, PropagationConflict | None]:
    """The cells (sets) that are true and false then, and the conflict in which it ended, if in one.

    `places` are the constraints about what is new, all by default. What is forced is put at the end of the
    `trail`, in order.
    """
    rules, touching = problem.rules, problem.touching
    queue = list(range(len(rules)) if places is None else places)
    waiting = set(queue)
    for place in queue:
        waiting.discard(place)
        cells, low, high = rules[place]
        mines = cells & true
        free = cells & ~(true | false)
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
        while free:
            cell = free & -free
            free ^= cell
            for other in touching[cell.bit_length() - 1]:
                if other not in waiting:
                    waiting.add(other)
                    queue.append(other)
    return true, false, None
