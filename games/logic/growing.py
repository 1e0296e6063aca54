"""A knowledge while it grows: what is taken in, what that settles, and what is left of every constraint."""

from __future__ import annotations

from collections.abc import Sequence

from games.errors import Contradiction
from games.logic.bits import bits
from games.logic.constraint import Constraint
from games.logic.log import Log
from games.logic.proof import Deduction


class Growth:
    """Collects what is new. Nothing of it shows in the log that it began with until `finish`."""

    def __init__(self, log: Log, entries: int, history: tuple[Deduction, ...], true: int, false: int) -> None:
        self._log = log
        self._entries = entries
        self._places = len(history)
        self._origins: dict[Constraint, tuple[Constraint, int | None, int]] = {}  # new entries
        self._shown: dict[int, int] = {}  # likewise
        self._added: list[Constraint] = []
        self._known = true | false
        self.history = list(history)
        self.true, self.false = true, false

    def state(self, full: Constraint) -> None:
        """Take in a constraint that the game states. Raises Contradiction."""
        self._add(full, None)

    def learn(self, deduction: Deduction) -> None:
        """Take in a deduction, if it says anything new. Raises Contradiction."""
        self.history.append(deduction)
        if not self._add(deduction.constraint, len(self.history) - 1):
            self.history.pop()

    def finish(self, constraints: Sequence[Constraint]) -> tuple[tuple[Constraint, ...], int, Log, int]:
        """What is left of these and the new constraints, of which cells that is news, the log, its entries.

        Raises Contradiction when nothing can satisfy one of them any more.
        """
        fresh = (self.true | self.false) & ~self._known
        left: list[Constraint] = []
        touched: list[Constraint] = []
        for constraint in constraints:
            (touched if constraint.cells & fresh else left).append(constraint)
        left_over: set[int] | None = None
        changed: dict[Constraint, None] = {}
        news = 0
        for constraint in (*touched, *self._added):
            reduced = constraint.reduced(self.true, self.false)
            if reduced is not constraint and reduced.is_impossible:
                raise self._contradiction(constraint, [constraint])
            if reduced.is_trivial or reduced in changed:
                continue
            if self._had(reduced):
                if left_over is None:  # comparing constraints is dear, looking up numbers is not
                    left_over = {c.cells for c in left}
                if reduced.cells in left_over and reduced in left:
                    continue
            if reduced is not constraint:
                full, place, _ = self._origins.get(constraint) or self._log.origins[constraint]
                self._enter(reduced, full, place)
            changed[reduced] = None
            news |= 0 if reduced.is_global else reduced.cells
        log = self._log
        if len(log.origins) != self._entries:  # another version has gone on from where this one began
            log = log.beginning(self._entries, self._places)
        log.origins.update(self._origins)
        log.shown.update(self._shown)
        return (*left, *changed), news, log, self._entries + len(self._origins)

    def _add(self, full: Constraint, place: int | None) -> bool:
        """Take in a constraint that is given (None) or derived at a place; whether it says anything new."""
        reduced = full.reduced(self.true, self.false)
        if reduced.is_impossible:
            raise self._contradiction(full, [full] if place is None else self.history[place].step.premises)
        is_settled = place is not None and (reduced.all_true or reduced.all_false)
        if reduced.is_trivial:
            return False
        # a derived constraint may have come down to this very one: its reason stays the earlier one
        if not self._has(reduced):
            self._origins[reduced] = (full, place, self._entries + len(self._origins))
        elif not is_settled:
            return False
        if full is not reduced:
            self._enter(full, full, place)
        if is_settled and place is not None:
            self.true |= reduced.cells if reduced.all_true else 0
            self.false |= reduced.cells if reduced.all_false else 0
            self._shown.update(dict.fromkeys(bits(reduced.cells), place))
        else:
            self._added.append(reduced)
        return True

    def _had(self, constraint: Constraint) -> bool:
        found = self._log.origins.get(constraint)
        return found is not None and found[2] < self._entries

    def _has(self, constraint: Constraint) -> bool:
        return constraint in self._origins or self._had(constraint)

    def _enter(self, reduced: Constraint, full: Constraint, place: int | None) -> None:
        if not self._has(reduced):
            self._origins[reduced] = (full, place, self._entries + len(self._origins))

    def _contradiction(self, constraint: Constraint, grounds: Sequence[Constraint]) -> Contradiction:
        """Name the sources of what cannot hold, as far as they are known."""
        log = self._log.beginning(self._entries, self._places)
        log.origins.update(self._origins)
        log.shown.update(self._shown)
        sources = log.sources(grounds, constraint.cells & (self.true | self.false), self.history)
        return Contradiction(
            f"these cannot all hold: {', '.join(map(str, sources)) or constraint}", tuple(sources)
        )
