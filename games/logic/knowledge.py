"""Where everything that is known came from.

A knowledge while it grows: what is taken in, what that settles, and what is left of every constraint.

What is known: the constraints that hold, the cells known true, the cells known false, and why.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar, cast

from games.errors import Contradiction
from games.logic.constraint import Constraint, bits
from games.logic.proof import Deduction, ProofStep, Propagation

# the full constraint, its place in the history (None: it is given), its number in the log
Origin = tuple[Constraint, int | None, int]


@dataclass(slots=True, eq=False)
class DerivationLog:
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

    def beginning(self, entries: int, places: int) -> DerivationLog:
        """A copy of the first `entries` of the origins, and of what the first `places` deductions showed."""
        return DerivationLog(
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


class KnowledgeBuilder:
    """Collects what is new. Nothing of it shows in the log that it began with until `finish`."""

    def __init__(
        self, log: DerivationLog, entries: int, history: tuple[Deduction, ...], true: int, false: int
    ) -> None:
        if len(log.origins) != entries:  # another version has gone on from where this one begins
            log = log.beginning(entries, len(history))
        self._log = log
        self._entries = entries
        self._origins: dict[Constraint, Origin] = {}  # new entries
        self._settled: list[tuple[int, int]] = []  # likewise
        self._added: list[Constraint] = []
        self._known = true | false
        self.history = list(history)
        self.true, self.false = true, false

    def state(self, full: Constraint) -> None:
        """Take in a constraint that the game states. Raises Contradiction."""
        reduced = full.reduced(self.true, self.false)
        cells, low, high, _, _ = reduced
        size = cells.bit_count()
        if low > high or high < 0 or low > size:
            raise self._contradiction(full, [full])
        if (low > 0 or high < size) and self._enter(reduced, full, None):
            self._added.append(reduced)
            if full is not reduced:
                self._enter(full, full, None)

    def learn(self, deduction: Deduction) -> None:
        """Take in a deduction, if it says anything new. Raises Contradiction."""
        full, place = deduction.constraint, len(self.history)
        reduced = full.reduced(self.true, self.false)
        cells, low, high, _, _ = reduced
        size = cells.bit_count()
        if low > high or high < 0 or low > size:
            raise self._contradiction(full, deduction.step.premises)
        is_settled = low == size or high == 0
        # a derived constraint may have come down to this very one: its reason stays the earlier one
        if (low <= 0 and high >= size) or not (self._enter(reduced, full, place) or is_settled):
            return
        self.history.append(deduction if len(deduction.step.premises) < 2 else self._as_reduced(deduction))
        if full is not reduced:
            self._enter(full, full, place)
        if not is_settled:
            self._added.append(reduced)
            return
        if low:
            self.true |= cells
        else:
            self.false |= cells
        self._settled.append((cells, place))

    def finish(
        self, constraints: Sequence[Constraint]
    ) -> tuple[tuple[Constraint, ...], int, DerivationLog, int]:
        """What is left of these and the new constraints, of which cells that is news, the log, its entries.

        Raises Contradiction when nothing can satisfy one of them any more.
        """
        true, known = self.true, self.true | self.false
        fresh = known & ~self._known
        left: list[Constraint] = []
        touched: list[Constraint] = []
        for constraint in constraints:
            (touched if constraint[0] & fresh else left).append(constraint)
        left_over: set[int] | None = None
        changed: dict[Constraint, None] = {}
        news = 0
        new, old = self._origins, self._log.origins
        for constraint in (*touched, *self._added):
            reduced = constraint
            cells, low, high, source, is_global = constraint
            decided = cells & known
            if decided:  # as `reduced`, but most have nothing left to say, and need not be made
                cells ^= decided
                mines, size = (decided & true).bit_count(), cells.bit_count()
                low, high = low - mines, high - mines
                if low > size or high < 0:
                    raise self._contradiction(constraint, [constraint])
                if low <= 0 and high >= size:
                    continue
                reduced = Constraint(cells, max(low, 0), min(high, size), source, is_global)
            if reduced in changed:
                continue
            if reduced in old:
                if left_over is None:  # comparing constraints is dear, looking up numbers is not
                    left_over = {c.cells for c in left}
                if cells in left_over and reduced in left:
                    continue
            elif reduced is not constraint:
                full, place, _ = new.get(constraint) or old[constraint]
                self._enter(reduced, full, place)
            changed[reduced] = None
            news |= 0 if is_global else cells
        old.update(new)
        self._log.settle(self._settled)
        return (*left, *changed), news, self._log, self._entries + len(new)

    def _as_reduced(self, deduction: Deduction) -> Deduction:
        """The deduction from its premises as they are reduced by what was learned just before it."""
        constraint, step = deduction
        known = self.true | self.false
        fresh = known & ~self._known
        if not fresh or type(step.method) is not Propagation:
            return deduction
        premises = []
        for premise in step.premises:
            cells = premise[0]
            if not cells & fresh:
                premises.append(premise)
            elif cells & ~known:
                reduced = premise.reduced(self.true, self.false)
                full, place, _ = self._origins.get(premise) or self._log.origins[premise]
                self._enter(reduced, full, place)
                premises.append(reduced)
        return Deduction(constraint, ProofStep(step.rule, tuple(premises), step.method, step.account))

    def _enter(self, reduced: Constraint, full: Constraint, place: int | None) -> bool:
        """Note where a constraint came from; whether it was not known before."""
        new = self._origins
        if reduced in new or reduced in self._log.origins:
            return False
        new[reduced] = (full, place, self._entries + len(new))
        return True

    def _contradiction(self, constraint: Constraint, grounds: Sequence[Constraint]) -> Contradiction:
        """Name the sources of what cannot hold, as far as they are known."""
        log = DerivationLog({**self._log.origins, **self._origins}, dict(self._log.shown))
        log.settle(self._settled)
        sources = log.sources(grounds, constraint.cells & (self.true | self.false), self.history)
        return Contradiction(
            f"these cannot all hold: {', '.join(map(str, sources)) or constraint}", tuple(sources)
        )


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
    _log: DerivationLog = field(default_factory=DerivationLog, compare=False, repr=False)
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
    def logged(self) -> tuple[DerivationLog, int]:
        """Where everything came from, and how many of its entries this version sees; for `mirror`."""
        return self._log, self._entries

    def _growth(self) -> KnowledgeBuilder:
        return KnowledgeBuilder(self._log, self._entries, self.history, self.true, self.false)

    def _grown(self, growth: KnowledgeBuilder, universe: int, given: tuple[Constraint, ...]) -> Knowledge:
        constraints, news, log, entries = growth.finish(self.constraints)
        history = tuple(growth.history)
        return Knowledge(universe, given, history, growth.true, growth.false, constraints, news, log, entries)


def _stated(knowledge: Knowledge) -> tuple[Constraint, ...]:
    origins = knowledge.logged[0].origins
    return tuple([c for c in knowledge.constraints if origins[c][1] is None])
