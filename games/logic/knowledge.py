"""What is known: the constraints that hold, the cells known true, the cells known false, and why."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from itertools import islice

from games.errors import Contradiction
from games.logic.bits import bits
from games.logic.constraint import Constraint
from games.logic.proof import Deduction


@dataclass(slots=True, eq=False)
class _Log:
    """What successive versions of one knowledge share: it only grows, and each version sees its beginning.

    Without it every version would copy everything that the one before knew.
    """

    # reduced form -> the full constraint, its place in `history` (None: it is given), and its number here
    origins: dict[Constraint, tuple[Constraint, int | None, int]] = field(default_factory=dict)
    # known cell -> place in `history` of the deduction that showed it
    shown: dict[int, int] = field(default_factory=dict)

    def beginning(self, origins: int, history: int) -> _Log:
        """A copy of what a version of that length sees, for a version that goes another way."""
        return _Log(
            dict(islice(self.origins.items(), origins)),
            {cell: place for cell, place in self.shown.items() if place < history},
        )


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything that is known at one moment. Immutable: `learn` and `stating` make a new one.

    `universe` is the set (int) of the variables in play. `given` are the constraints as the game states
    them. `history` holds every deduction in the order in which it was learned, so that a reason is never
    lost. `true` and `false` are the sets known. `constraints` are the given and derived ones reduced by what
    is known, without those that have nothing left to say; this is what strategies look at. `news` is the set
    of the variables of constraints that this version has and the one that it was made from has not; what ties
    everything together is left out of it.
    """

    universe: int
    given: tuple[Constraint, ...]
    history: tuple[Deduction, ...] = ()
    true: int = 0
    false: int = 0
    constraints: tuple[Constraint, ...] = ()
    news: int = field(default=0, compare=False, repr=False)
    _log: _Log = field(default_factory=_Log, compare=False, repr=False)
    _seen: int = field(default=0, compare=False, repr=False)  # entries of the log's `origins` that are ours

    @classmethod
    def of(cls, universe: int, given: Iterable[Constraint]) -> Knowledge:
        """What these constraints state, before any reasoning. Raises Contradiction when one is impossible."""
        return cls(universe, ()).stating(given, universe)

    def stating(self, given: Iterable[Constraint], universe: int, settled: int = 0) -> Knowledge:
        """This knowledge when the game states more: further constraints, and variables that left play.

        `settled` is the set of variables that are seen to be false, for which no reason is needed. Raises
        Contradiction, with the sources it follows from, when something cannot hold beside what is known.
        """
        given = tuple(given)
        grown = _Growth(self)
        grown.false |= settled
        for constraint in given:
            grown.add(constraint, None)
        return grown.knowledge(universe, (*self.given, *given))

    @property
    def undecided(self) -> int:
        """The variables in play that are neither known true nor known false."""
        return self.universe & ~(self.true | self.false)

    @property
    def stated(self) -> tuple[Constraint, ...]:
        """Those of `constraints` that the game states; the others follow from them."""
        origins = self._log.origins
        return tuple(c for c in self.constraints if origins[c][1] is None)

    def knows(self, constraint: Constraint) -> bool:
        """Whether this very constraint is given, derived, or the reduced form of one."""
        found = self._log.origins.get(constraint)
        return found is not None and found[2] < self._seen

    def about(self, cells: int) -> tuple[Constraint, ...]:
        """The constraints that speak of any of these cells (a set)."""
        return tuple(c for c in self.constraints if c.cells & cells)

    def learn(self, deductions: Iterable[Deduction]) -> Knowledge:
        """This knowledge and what the deductions add. Returns self when they add nothing.

        Deductions are believed: check them before. Raises Contradiction, with the sources it follows from,
        when they cannot hold together with what is known.
        """
        grown = _Growth(self)
        for deduction in deductions:
            grown.learn(deduction)
        if len(grown.history) == len(self.history):
            return self
        return grown.knowledge(self.universe, self.given)

    def origin(self, constraint: Constraint) -> Constraint:
        """The full constraint that a reduced one came from. Raises KeyError for one never seen here."""
        if not self.knows(constraint):
            raise KeyError(constraint)
        return self._log.origins[constraint][0]

    def why(self, cell: int) -> Deduction | None:
        """The deduction that showed a known cell; None while the cell is undecided."""
        place = self._place(cell)
        return None if place is None else self.history[place]

    def because(self, cell: int) -> tuple[Hashable, ...]:
        """The sources (clues, the total …) that a known cell follows from, all the way down, in order met."""
        return self._sources([], 1 << cell)

    def _place(self, cell: int) -> int | None:
        place = self._log.shown.get(cell)
        return place if place is not None and place < len(self.history) else None

    def _places(self, cells: int) -> set[int]:
        """The places in `history` of what showed these cells (a set)."""
        known = cells & (self.true | self.false)
        return {place for k in bits(known) if (place := self._place(k)) is not None}

    def _sources(self, constraints: list[Constraint], cells: int) -> tuple[Hashable, ...]:
        """The sources that these (reduced) constraints and these known cells (a set) rest on."""
        sources: dict[Hashable, None] = {}
        seen: set[int] = set()
        places = self._places(cells)
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
                places.update(at for at in self._places(deduction.constraint.cells) if at < place)
                continue
            constraint = waiting.pop()
            full, origin, _ = self._log.origins.get(constraint, (constraint, None, 0))
            if origin is None:
                if full.source is not None:
                    sources.setdefault(full.source)
            else:
                places.add(origin)
            places |= self._places(full.cells & ~constraint.cells)
        return tuple(sources)


class _Growth:
    """A knowledge while it grows. Nothing of it shows in the knowledge that it began with."""

    def __init__(self, start: Knowledge) -> None:
        self._start = start
        self._old = start._log.origins
        self._seen = start._seen
        self._origins: dict[Constraint, tuple[Constraint, int | None, int]] = {}  # new entries
        self._shown: dict[int, int] = {}  # likewise
        self._added: list[Constraint] = []
        self.history = list(start.history)
        self.true, self.false = start.true, start.false

    def add(self, full: Constraint, place: int | None) -> bool:
        """Take in a constraint that is given (None) or derived at a place; whether it says anything new."""
        reduced = full.reduced(self.true, self.false)
        if reduced.is_impossible:
            known = full.cells & (self.true | self.false)
            raise self._contradiction(full, [full] if place is None else self._premises(place), known)
        is_saturated = reduced.all_true or reduced.all_false
        if reduced.is_trivial or (self._knows(reduced) and not (is_saturated and place is not None)):
            return False
        # a derived constraint may have come down to this very one: its reason stays the earlier one
        self._enter(reduced, full, place)
        self._enter(full, full, place)
        if is_saturated and place is not None:
            self.true |= reduced.cells if reduced.all_true else 0
            self.false |= reduced.cells if reduced.all_false else 0
            self._shown.update(dict.fromkeys(bits(reduced.cells), place))
        else:
            self._added.append(reduced)
        return True

    def learn(self, deduction: Deduction) -> None:
        """Take in a deduction, if it says anything new."""
        self.history.append(deduction)
        if not self.add(deduction.constraint, len(self.history) - 1):
            self.history.pop()

    def knowledge(self, universe: int, given: tuple[Constraint, ...]) -> Knowledge:
        """What has come of it. Raises Contradiction when a constraint has become impossible."""
        start = self._start
        constraints: dict[Constraint, None] = {}
        news = 0
        fresh = (self.true | self.false) & ~(start.true | start.false)
        for constraint in start.constraints:
            if not constraint.cells & fresh:
                constraints[constraint] = None
                continue
            news |= self._keep(constraint, constraints)
        for constraint in self._added:
            if constraint.cells & fresh:
                news |= self._keep(constraint, constraints)
            elif constraint not in constraints:
                constraints[constraint] = None
                news |= 0 if constraint.is_global else constraint.cells
        log = start._log
        if len(log.origins) != start._seen:  # another version has gone on from where this one did
            log = log.beginning(start._seen, len(start.history))
        log.origins.update(self._origins)
        log.shown.update(self._shown)
        return Knowledge(
            universe, given, tuple(self.history), self.true, self.false, tuple(constraints), news, log,
            start._seen + len(self._origins),
        )  # fmt: skip

    def _keep(self, constraint: Constraint, constraints: dict[Constraint, None]) -> int:
        """Put what is left of a constraint among the others; the variables of which that is news."""
        reduced = constraint.reduced(self.true, self.false)
        if reduced.is_impossible:
            raise self._contradiction(constraint, [constraint], constraint.cells & (self.true | self.false))
        if reduced.is_trivial:
            return 0
        full, place, _ = self._origins.get(constraint) or self._old[constraint]
        self._enter(reduced, full, place)
        if reduced in constraints:
            return 0
        constraints[reduced] = None
        return 0 if reduced.is_global else reduced.cells

    def _knows(self, constraint: Constraint) -> bool:
        found = self._old.get(constraint)
        return (found is not None and found[2] < self._seen) or constraint in self._origins

    def _enter(self, reduced: Constraint, full: Constraint, place: int | None) -> None:
        if not self._knows(reduced):
            self._origins[reduced] = (full, place, self._seen + len(self._origins))

    def _premises(self, place: int) -> list[Constraint]:
        return list(self.history[place].step.premises)

    def _contradiction(self, constraint: Constraint, grounds: list[Constraint], known: int) -> Contradiction:
        """Name the sources of what cannot hold, as far as they are known."""
        start = self._start
        log = start._log.beginning(start._seen, len(start.history))
        log.origins.update(self._origins)
        log.shown.update(self._shown)
        so_far = Knowledge(
            start.universe, start.given, tuple(self.history), self.true, self.false, (), 0, log,
            len(log.origins),
        )  # fmt: skip
        sources = so_far._sources(grounds, known)
        return Contradiction(
            f"these cannot all hold: {', '.join(map(str, sources)) or constraint}", tuple(sources)
        )
