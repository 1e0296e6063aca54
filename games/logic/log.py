"""Where everything that is known came from."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from games.logic.bits import bits
from games.logic.constraint import Constraint
from games.logic.proof import Deduction

# the full constraint, its place in the history (None: it is given), its number in the log
Origin = tuple[Constraint, int | None, int]


@dataclass(slots=True, eq=False)
class Log:
    """What the versions of one knowledge share. It only grows, and each version sees its own beginning.

    Without it every version would have to copy all that the one before knew. A version that does not go on
    from the newest one takes a copy of its `beginning`.
    """

    # reduced form -> where it is from
    origins: dict[Constraint, Origin] = field(default_factory=dict)
    # known cell -> place in the history of the deduction that showed it, as far as somebody asked
    _shown: dict[int, int] = field(default_factory=dict)
    _settled: list[tuple[int, int]] = field(default_factory=list)  # sets of cells, and their places: the rest

    @property
    def shown(self) -> dict[int, int]:
        """Known cell -> place in the history of the deduction that showed it."""
        for cells, place in self._settled:
            self._shown.update(dict.fromkeys(bits(cells), place))
        self._settled.clear()
        return self._shown

    def settle(self, settled: Sequence[tuple[int, int]]) -> None:
        """These sets of cells are known now, by the deductions in these places."""
        self._settled += settled

    def beginning(self, entries: int, places: int) -> Log:
        """A copy of the first `entries` of the origins, and of what the first `places` deductions showed."""
        return Log(
            dict(islice(self.origins.items(), entries)),
            {cell: place for cell, place in self.shown.items() if place < places},
        )

    def place(self, cell: int, places: int) -> int | None:
        """The place of the deduction that showed a cell, among the first `places`."""
        place = self.shown.get(cell)
        return place if place is not None and place < places else None

    def sources(
        self, constraints: Sequence[Constraint], cells: int, history: Sequence[Deduction]
    ) -> tuple[Hashable, ...]:
        """The sources that these (reduced) constraints and known cells (a set) rest on, all the way down."""
        sources: dict[Hashable, None] = {}
        seen: set[int] = set()
        places = self._places(cells, len(history))
        waiting = list(constraints)
        while waiting or places:
            if waiting:
                constraint = waiting.pop()
                full, origin, _ = self.origins.get(constraint, (constraint, None, 0))
                if origin is not None:
                    places.add(origin)
                elif full.source is not None:
                    sources.setdefault(full.source)
                places |= self._places(full.cells & ~constraint.cells, len(history))
            elif (place := places.pop()) not in seen:
                seen.add(place)
                deduction = history[place]
                waiting.extend(deduction.step.premises)
                # what was known when the conclusion was reduced is part of the reason
                places |= self._places(deduction.constraint.cells, place)
        return tuple(sources)

    def _places(self, cells: int, places: int) -> set[int]:
        return {place for k in bits(cells) if (place := self.place(k, places)) is not None}
