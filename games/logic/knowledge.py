"""What is known: the constraints that hold, the cells known true, the cells known false, and why."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar, cast

from games.logic.constraint import Constraint
from games.logic.growing import Growth
from games.logic.log import Log
from games.logic.proof import Deduction

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything that is known at one moment. Immutable: `learn` and `stating` make a new one.

    `universe` is the set (int) of the variables in play. `given` are the constraints as the game states
    them. `history` holds every deduction in the order in which it was learned, so that a reason is never
    lost. `true` and `false` are the sets known. `constraints` are the given and derived ones reduced by what
    is known, without those that have nothing left to say; this is what strategies look at. `news` is the set
    of the variables of which a constraint is not as it was in the version that this one was made from; what
    ties everything together is left out of it.
    """

    universe: int
    given: tuple[Constraint, ...]
    history: tuple[Deduction, ...] = ()
    true: int = 0
    false: int = 0
    constraints: tuple[Constraint, ...] = ()
    news: int = field(default=0, compare=False, repr=False)
    _log: Log = field(default_factory=Log, compare=False, repr=False)
    _entries: int = field(default=0, compare=False, repr=False)  # of the log that this version sees
    _made: dict[object, object] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )  # by `once`

    @classmethod
    def of(cls, universe: int, given: Iterable[Constraint]) -> Knowledge:
        """What these constraints state, before any reasoning. Raises Contradiction when one is impossible."""
        return cls(universe, ()).stating(given, universe)

    def stating(self, given: Iterable[Constraint], universe: int, settled: int = 0) -> Knowledge:
        """This knowledge when the game states more: further constraints, and other variables in play.

        `settled` is the set of variables that are seen to be false, for which no reason is needed. Raises
        Contradiction, with the sources it follows from, when something cannot hold beside what is known.
        """
        given = tuple(given)
        growth = self._growth()
        growth.false |= settled
        for constraint in given:
            growth.state(constraint)
        return self._grown(growth, universe, (*self.given, *given))

    def learn(self, deductions: Iterable[Deduction]) -> Knowledge:
        """This knowledge and what the deductions add. Returns self when they add nothing.

        Deductions are believed: check them before. Raises Contradiction, with the sources it follows from,
        when they cannot hold together with what is known.
        """
        deductions = tuple(deductions)
        if not deductions:
            return self
        growth = self._growth()
        for deduction in deductions:
            growth.learn(deduction)
        if len(growth.history) == len(self.history):
            return self
        return self._grown(growth, self.universe, self.given)

    @property
    def undecided(self) -> int:
        """The variables in play that are neither known true nor known false."""
        return self.universe & ~(self.true | self.false)

    @property
    def stated(self) -> tuple[Constraint, ...]:
        """Those of `constraints` that the game states; the others follow from them."""
        return self.once(_stated)

    def once(self, make: Callable[[Knowledge], T]) -> T:
        """What this function makes of the knowledge: made once, for all who ask of the same version."""
        if make not in self._made:
            self._made[make] = make(self)
        return cast("T", self._made[make])

    def knows(self, constraint: Constraint) -> bool:
        """Whether this very constraint is given, derived, or the reduced form of one."""
        found = self._log.origins.get(constraint)
        return found is not None and found[2] < self._entries

    def about(self, cells: int) -> tuple[Constraint, ...]:
        """The constraints that speak of any of these cells (a set)."""
        return tuple(c for c in self.constraints if c.cells & cells)

    def origin(self, constraint: Constraint) -> Constraint:
        """The full constraint that a reduced one came from. Raises KeyError for one never seen here."""
        if not self.knows(constraint):
            raise KeyError(constraint)
        return self._log.origins[constraint][0]

    def why(self, cell: int) -> Deduction | None:
        """The deduction that showed a known cell; None while it is undecided, or when it was seen."""
        place = self._log.place(cell, len(self.history))
        return None if place is None else self.history[place]

    def because(self, cell: int) -> tuple[Hashable, ...]:
        """The sources (clues, the total …) that a known cell follows from, all the way down, in order met."""
        return self._log.sources([], 1 << cell, self.history)

    @property
    def logged(self) -> tuple[Log, int]:
        """Where everything came from, and how many of its entries this version sees; for `mirror`."""
        return self._log, self._entries

    def _growth(self) -> Growth:
        return Growth(self._log, self._entries, self.history, self.true, self.false)

    def _grown(self, growth: Growth, universe: int, given: tuple[Constraint, ...]) -> Knowledge:
        constraints, news, log, entries = growth.finish(self.constraints)
        history = tuple(growth.history)
        return Knowledge(universe, given, history, growth.true, growth.false, constraints, news, log, entries)


def _stated(knowledge: Knowledge) -> tuple[Constraint, ...]:
    origins = knowledge.logged[0].origins
    return tuple([c for c in knowledge.constraints if origins[c][1] is None])
