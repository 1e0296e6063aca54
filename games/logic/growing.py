"""A knowledge while it grows: what is taken in, what that settles, and what is left of every constraint."""

from __future__ import annotations

from collections.abc import Sequence

from games.errors import Contradiction
from games.logic.constraint import Constraint
from games.logic.log import Log, Origin
from games.logic.proof import Deduction, Propagation, Step


class Growth:
    """Collects what is new. Nothing of it shows in the log that it began with until `finish`."""

    def __init__(self, log: Log, entries: int, history: tuple[Deduction, ...], true: int, false: int) -> None:
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

    def finish(self, constraints: Sequence[Constraint]) -> tuple[tuple[Constraint, ...], int, Log, int]:
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
        return Deduction(constraint, Step(step.rule, tuple(premises), step.method, step.account))

    def _enter(self, reduced: Constraint, full: Constraint, place: int | None) -> bool:
        """Note where a constraint came from; whether it was not known before."""
        new = self._origins
        if reduced in new or reduced in self._log.origins:
            return False
        new[reduced] = (full, place, self._entries + len(new))
        return True

    def _contradiction(self, constraint: Constraint, grounds: Sequence[Constraint]) -> Contradiction:
        """Name the sources of what cannot hold, as far as they are known."""
        log = Log({**self._log.origins, **self._origins}, dict(self._log.shown))
        log.settle(self._settled)
        sources = log.sources(grounds, constraint.cells & (self.true | self.false), self.history)
        return Contradiction(
            f"these cannot all hold: {', '.join(map(str, sources)) or constraint}", tuple(sources)
        )
