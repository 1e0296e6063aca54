"""Knowledge: the constraints that hold, the known cells, and the derivation of both.

`Knowledge` is immutable; every step creates a new version. All versions of one game share a `DerivationLog`,
which only grows; each version sees a prefix of it, so that creating a version does not copy what the previous
one knew. `KnowledgeBuilder` collects the new facts of one step and reduces the affected constraints.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import compress, islice
from operator import not_
from typing import TypeVar, cast

from games.errors import Contradiction
from games.logic.constraint import Constraint, bits
from games.logic.proof import Deduction, ProofStep, Propagation

# full constraint, index of its deduction in the history (None if given), number in the log
Origin = tuple[Constraint, int | None, int]


@dataclass(slots=True, eq=False)
class DerivationLog:
    """Origins of constraints and known cells, shared by the versions of one knowledge.

    It only grows; each version sees a prefix. A version derived from an older one starts with a copy of that
    prefix (`beginning`).
    """

    origins: dict[Constraint, Origin] = field(default_factory=dict)  # by reduced form
    _shown: dict[int, int] = field(default_factory=dict)  # see `shown`; filled on demand
    _settled: list[tuple[int, int]] = field(default_factory=list)  # (cell set, index) not yet in `_shown`

    @property
    def shown(self) -> dict[int, int]:
        """Known cell -> index in the history of the deduction that showed it."""
        for cells, place in self._settled:
            self._shown.update(dict.fromkeys(bits(cells), place))
        self._settled.clear()
        return self._shown

    def settle(self, settled: Sequence[tuple[int, int]]) -> None:
        """Record (cell set, deduction index) pairs of newly known cells."""
        self._settled += settled

    def beginning(self, entries: int, places: int) -> DerivationLog:
        """A copy of the first `entries` origins and of the cells shown by the first `places` deductions."""
        return DerivationLog(
            dict(islice(self.origins.items(), entries)),
            {cell: place for cell, place in self.shown.items() if place < places},
        )

    def place(self, cell: int, places: int) -> int | None:
        """The index of the deduction that showed a cell, among the first `places`; None if not shown."""
        place = self.shown.get(cell)
        return place if place is not None and place < places else None

    def sources(
        self, constraints: Sequence[Constraint], cells: int, history: Sequence[Deduction]
    ) -> tuple[Hashable, ...]:
        """All sources that these reduced constraints and this set of known cells are derived from."""
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
                # cells that were known when the conclusion was reduced are part of the reason
                places |= self._places(deduction.constraint.cells, place)
        return tuple(sources)

    def _places(self, cells: int, places: int) -> set[int]:
        return {place for k in bits(cells) if (place := self.place(k, places)) is not None}


class KnowledgeBuilder:
    """Collects the new facts of one version; the log is unchanged until `finish`."""

    def __init__(
        self, log: DerivationLog, entries: int, history: tuple[Deduction, ...], true: int, false: int
    ) -> None:
        if len(log.origins) != entries:  # another version has already extended the log
            log = log.beginning(entries, len(history))
        self._log = log
        self._entries = entries
        self._origins: dict[Constraint, Origin] = {}  # new entries for the log
        self._settled: list[tuple[int, int]] = []  # new entries for the log
        self._added: list[Constraint] = []
        self._known = true | false
        self.history = list(history)
        self.true, self.false = true, false

    def state(self, full: Constraint) -> None:
        """Add a given constraint. Raises Contradiction."""
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
        """Add a deduction if it is new. Raises Contradiction."""
        full, place = deduction.constraint, len(self.history)
        is_known = full[0] & (self.true | self.false)
        reduced = full.reduced(self.true, self.false) if is_known else full
        cells, low, high, _, _ = reduced
        size = cells.bit_count()
        if low > high or high < 0 or low > size:
            raise self._contradiction(full, deduction.step.premises)
        is_settled = low == size or high == 0
        # if an earlier derived constraint already reduces to this one, its derivation is kept
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
        """Reduce the old and new constraints; returns them, the changed cells, the log and its entry count.

        Raises Contradiction if a constraint has become unsatisfiable.
        """
        true, known = self.true, self.true | self.false
        fresh = known & ~self._known
        decided_cells = [constraint[0] & fresh for constraint in constraints]
        touched = list(compress(constraints, decided_cells))
        unchanged = list(compress(constraints, map(not_, decided_cells)))
        unchanged_cells: set[int] | None = None
        changed: dict[Constraint, None] = {}
        news = 0
        new, old = self._origins, self._log.origins
        for constraint in (*touched, *self._added):
            reduced = constraint
            cells, low, high, source, is_global = constraint
            decided = cells & known
            if decided:  # inlined `Constraint.reduced`: most results are trivial and need no object
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
                if unchanged_cells is None:  # comparing constraints is slow, looking up ints is fast
                    unchanged_cells = {c.cells for c in unchanged}
                if cells in unchanged_cells and reduced in unchanged:
                    continue
            elif reduced is not constraint:
                full, place, _ = new.get(constraint) or old[constraint]
                self._enter(reduced, full, place)
            changed[reduced] = None
            news |= 0 if is_global else cells
        old.update(new)
        self._log.settle(self._settled)
        return (*unchanged, *changed), news, self._log, self._entries + len(new)

    def _as_reduced(self, deduction: Deduction) -> Deduction:
        """The deduction with its premises reduced by the cells that became known in this step."""
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
        """Record the origin of a constraint; False if it was known before."""
        if reduced in self._log.origins:
            return False
        new = self._origins
        entry = (full, place, self._entries + len(new))
        return new.setdefault(reduced, entry) is entry

    def _contradiction(self, constraint: Constraint, grounds: Sequence[Constraint]) -> Contradiction:
        """The error for an unsatisfiable constraint, with the sources it follows from."""
        log = DerivationLog({**self._log.origins, **self._origins}, dict(self._log.shown))
        log.settle(self._settled)
        sources = log.sources(grounds, constraint.cells & (self.true | self.false), self.history)
        return Contradiction(
            f"these cannot all hold: {', '.join(map(str, sources)) or constraint}", tuple(sources)
        )


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything known at one moment. Immutable: `learn` and `stating` create new versions.

    `universe` is the set of variables. `given` are the original constraints, `history` all deductions in the
    order learned. `true` and `false` are the sets of known variables. `constraints`, which strategies work
    on, are the given and derived constraints reduced by the known variables, without trivial ones. `news` is
    the set of variables with a constraint that differs from the previous version, global constraints
    excepted.
    """

    universe: int
    given: tuple[Constraint, ...]
    history: tuple[Deduction, ...] = ()
    true: int = 0
    false: int = 0
    constraints: tuple[Constraint, ...] = ()
    news: int = field(default=0, compare=False, repr=False)
    _log: DerivationLog = field(default_factory=DerivationLog, compare=False, repr=False)
    _entries: int = field(default=0, compare=False, repr=False)  # log entries visible to this version
    _made: dict[object, object] = field(default_factory=dict, init=False, compare=False, repr=False)

    @classmethod
    def of(cls, universe: int, given: Iterable[Constraint]) -> Knowledge:
        """The knowledge before any reasoning. Raises Contradiction if a constraint is impossible."""
        return cls(universe, ()).stating(given, universe)

    def stating(self, given: Iterable[Constraint], universe: int, settled: int = 0) -> Knowledge:
        """Add given constraints and replace the set of variables.

        `settled` is the set of variables observed to be false, which need no derivation. Raises Contradiction
        with the sources involved.
        """
        given = tuple(given)
        builder = self._builder()
        builder.false |= settled
        for constraint in given:
            builder.state(constraint)
        return self._finished(builder, universe, (*self.given, *given))

    def learn(self, deductions: Iterable[Deduction]) -> Knowledge:
        """Add deductions; returns self if they add nothing.

        Deductions are not checked here. Raises Contradiction with the sources involved.
        """
        deductions = tuple(deductions)
        if not deductions:
            return self
        builder = self._builder()
        for deduction in deductions:
            builder.learn(deduction)
        if len(builder.history) == len(self.history):
            return self
        return self._finished(builder, self.universe, self.given)

    @property
    def undecided(self) -> int:
        """The variables that are not known."""
        return self.universe & ~(self.true | self.false)

    @property
    def stated(self) -> tuple[Constraint, ...]:
        """The members of `constraints` that are given, not derived."""
        return self.once(_stated)

    def once(self, make: Callable[[Knowledge], T]) -> T:
        """The result of `make(self)`, cached for this version."""
        if make not in self._made:
            self._made[make] = make(self)
        return cast("T", self._made[make])

    def knows(self, constraint: Constraint) -> bool:
        """Whether this constraint is given, derived, or a reduced form of such a constraint."""
        found = self._log.origins.get(constraint)
        return found is not None and found[2] < self._entries

    def about(self, cells: int) -> tuple[Constraint, ...]:
        """The constraints that contain any cell of this cell set."""
        return tuple(c for c in self.constraints if c.cells & cells)

    def origin(self, constraint: Constraint) -> Constraint:
        """The unreduced form of a constraint. Raises KeyError if it is unknown."""
        if not self.knows(constraint):
            raise KeyError(constraint)
        return self._log.origins[constraint][0]

    def why(self, cell: int) -> Deduction | None:
        """The deduction that showed a known cell; None if the cell is undecided or was observed."""
        place = self._log.place(cell, len(self.history))
        return None if place is None else self.history[place]

    def because(self, cell: int) -> tuple[Hashable, ...]:
        """All sources (clues, the total …) that a known cell is derived from, in order of discovery."""
        return self._log.sources([], 1 << cell, self.history)

    @property
    def logged(self) -> tuple[DerivationLog, int]:
        """The derivation log and the number of its entries visible to this version; for `sync`."""
        return self._log, self._entries

    def _builder(self) -> KnowledgeBuilder:
        return KnowledgeBuilder(self._log, self._entries, self.history, self.true, self.false)

    def _finished(self, builder: KnowledgeBuilder, universe: int, given: tuple[Constraint, ...]) -> Knowledge:
        constraints, news, log, entries = builder.finish(self.constraints)
        history, true, false = tuple(builder.history), builder.true, builder.false
        return Knowledge(universe, given, history, true, false, constraints, news, log, entries)


def _stated(knowledge: Knowledge) -> tuple[Constraint, ...]:
    origins = knowledge.logged[0].origins
    return tuple([c for c in knowledge.constraints if origins[c][1] is None])
