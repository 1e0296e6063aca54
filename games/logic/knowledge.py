"""What is known: the constraints that hold, the cells known true, the cells known false, and why."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from games.errors import Contradiction
from games.logic.bits import bits
from games.logic.constraint import Constraint
from games.logic.proof import Deduction


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything that is known at one moment. Immutable: `learn` makes a new one.

    `universe` is the set (int) of the variables in play. `given` are the constraints as the game states
    them. `history` holds every deduction in the order in which it was learned, so that a reason is never
    lost. `true` and `false` are the sets known. `constraints` are the given and derived ones reduced by what
    is known, without those that have nothing left to say; this is what strategies look at.
    """

    universe: int
    given: tuple[Constraint, ...]
    history: tuple[Deduction, ...] = ()
    true: int = 0
    false: int = 0
    constraints: tuple[Constraint, ...] = ()
    # reduced form -> the full constraint, and its place in `history` (None: it is given)
    _origins: dict[Constraint, tuple[Constraint, int | None]] = field(
        default_factory=dict, compare=False, repr=False
    )
    # known cell -> place in `history` of the deduction that showed it
    _shown: dict[int, int] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, universe: int, given: Iterable[Constraint]) -> Knowledge:
        """What these constraints state, before any reasoning. Raises Contradiction when one is impossible."""
        given = tuple(given)
        empty = cls(universe, given)
        origins: dict[Constraint, tuple[Constraint, int | None]] = {}
        for constraint in given:
            if constraint.is_impossible:
                raise empty._contradiction(constraint, (constraint.source,))
            origins.setdefault(constraint, (constraint, None))
        still_open = tuple(c for c in origins if not c.is_trivial)
        return cls(universe, given, constraints=still_open, _origins=origins)

    @property
    def undecided(self) -> int:
        """The variables in play that are neither known true nor known false."""
        return self.universe & ~(self.true | self.false)

    @property
    def stated(self) -> tuple[Constraint, ...]:
        """Those of `constraints` that the game states; the others follow from them."""
        return tuple(c for c in self.constraints if self._origins[c][1] is None)

    def knows(self, constraint: Constraint) -> bool:
        """Whether this very constraint is given, derived, or the reduced form of one."""
        return constraint in self._origins

    def about(self, cells: int) -> tuple[Constraint, ...]:
        """The constraints that speak of any of these cells (a set)."""
        return tuple(c for c in self.constraints if c.cells & cells)

    def learn(self, deductions: Iterable[Deduction]) -> Knowledge:
        """This knowledge and what the deductions add. Returns self when they add nothing.

        Deductions are believed: check them before. Raises Contradiction, with the sources it follows from,
        when they cannot hold together with what is known.
        """
        history = list(self.history)
        origins = dict(self._origins)
        shown = dict(self._shown)
        true, false = self.true, self.false
        added: list[Constraint] = []
        for deduction in deductions:
            full = deduction.constraint
            place = len(history)
            reduced = full.reduced(true, false)
            if reduced.is_impossible:
                so_far = Knowledge(self.universe, self.given, tuple(history), true, false, (), origins, shown)
                raise so_far._contradiction(
                    full, so_far._sources([*deduction.step.premises], bits(full.cells & (true | false)))
                )
            is_saturated = reduced.all_true or reduced.all_false
            if reduced.is_trivial or (reduced in origins and not is_saturated):
                continue
            history.append(deduction)
            # a derived constraint may have come down to this very one: its reason stays the earlier one
            origins.setdefault(reduced, (full, place))
            origins.setdefault(full, (full, place))
            if is_saturated:
                true |= reduced.cells if reduced.all_true else 0
                false |= reduced.cells if reduced.all_false else 0
                shown.update(dict.fromkeys(bits(reduced.cells), place))
            else:
                added.append(reduced)
        if len(history) == len(self.history):
            return self
        grown = Knowledge(self.universe, self.given, tuple(history), true, false, (), origins, shown)
        constraints: dict[Constraint, None] = {}
        for constraint in (*self.constraints, *added):
            reduced = constraint.reduced(true, false)
            if reduced is constraint:
                constraints.setdefault(constraint)
                continue
            if reduced.is_impossible:
                raise grown._contradiction(
                    constraint,
                    grown._sources([constraint], bits(constraint.cells & (true | false))),
                )
            origins.setdefault(reduced, origins[constraint])
            if not reduced.is_trivial:
                constraints.setdefault(reduced)
        return Knowledge(
            self.universe, self.given, tuple(history), true, false, tuple(constraints), origins, shown
        )

    def origin(self, constraint: Constraint) -> Constraint:
        """The full constraint that a reduced one came from. Raises KeyError for one never seen here."""
        return self._origins[constraint][0]

    def why(self, cell: int) -> Deduction | None:
        """The deduction that showed a known cell; None while the cell is undecided."""
        place = self._shown.get(cell)
        return None if place is None else self.history[place]

    def because(self, cell: int) -> tuple[Hashable, ...]:
        """The sources (clues, the total …) that a known cell follows from, all the way down, in order met."""
        return self._sources([], [cell])

    def _sources(self, constraints: list[Constraint], cells: Iterable[int]) -> tuple[Hashable, ...]:
        """The sources that these (reduced) constraints and these known cells rest on."""
        sources: dict[Hashable, None] = {}
        seen: set[int] = set()
        places = {self._shown[k] for k in cells if k in self._shown}
        waiting = list(constraints)
        while waiting or places:
            if not waiting:
                place = places.pop()
                if place in seen:
                    continue
                seen.add(place)
                deduction = self.history[place]
                waiting.extend(deduction.step.premises)
                # what was known when the conclusion was reduced is part of the reason
                known = bits(deduction.constraint.cells & (self.true | self.false))
                places.update(at for k in known if (at := self._shown[k]) < place)
                continue
            constraint = waiting.pop()
            full, origin = self._origins.get(constraint, (constraint, None))
            if origin is None:
                if full.source is not None:
                    sources.setdefault(full.source)
            else:
                places.add(origin)
            for k in bits(full.cells & ~constraint.cells):
                if k in self._shown:
                    places.add(self._shown[k])
        return tuple(sources)

    def _contradiction(self, constraint: Constraint, sources: tuple[Hashable, ...]) -> Contradiction:
        return Contradiction(
            f"these cannot all hold: {', '.join(map(str, sources)) or constraint}", tuple(sources)
        )
