"""Incremental transfer of knowledge to another process, as tuples of numbers and strings.

`KnowledgeSender` encodes each version as a message with the differences from the previous one, and
`KnowledgeReplica` decodes it. Constraints are numbered in log order, so that answers can refer to them by
number.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from operator import attrgetter
from typing import Any

from games.logic.constraint import Constraint
from games.logic.knowledge import DerivationLog, Knowledge
from games.logic.proof import Deduction, Linear, Method, ProofStep, Propagation, Split

_SAYS = attrgetter("cells", "low", "high")
Plain = tuple[Any, ...]  # nested tuples of numbers, strings and None


class KnowledgeSender:
    """Encodes successive versions of a knowledge. `constraints` are those sent so far, by number."""

    def __init__(self) -> None:
        self.constraints: list[Constraint] = []
        self._log: DerivationLog | None = None
        self._given: Sequence[Constraint] = ()
        self._history: Sequence[Deduction] = ()
        self._shown = 0

    def message(self, knowledge: Knowledge) -> Plain:
        """The differences from the previous message, or everything if this version does not continue it."""
        log, entries = knowledge.logged
        goes_on = (
            log is self._log
            and len(self.constraints) <= entries
            and _goes_on(knowledge.given, self._given)
            and _goes_on(knowledge.history, self._history)
        )
        if not goes_on:
            self.__init__()  # type: ignore[misc] # start over
        self._log = log
        new = list(islice(log.origins.items(), len(self.constraints), entries))
        self.constraints += [constraint for constraint, _ in new]
        shown = tuple(islice(log.shown.items(), self._shown, None))
        message = (
            goes_on,
            tuple([(*_plain(c), self._number(full), place) for c, (full, place, _) in new]),
            shown,
            tuple(map(self._refer, knowledge.given[len(self._given) :])),
            tuple(map(self._deduction, knowledge.history[len(self._history) :])),
            knowledge.universe,
            knowledge.true,
            knowledge.false,
            tuple([log.origins[c][2] for c in knowledge.constraints]),
            knowledge.news,
        )
        self._given, self._history, self._shown = knowledge.given, knowledge.history, len(log.shown)
        return message

    def _number(self, constraint: Constraint) -> int | None:
        assert self._log is not None
        found = self._log.origins.get(constraint)
        return found[2] if found is not None and found[2] < len(self.constraints) else None

    def _refer(self, constraint: Constraint) -> int | Plain:
        """The number of the constraint, or the whole constraint if it has none."""
        number = self._number(constraint)
        return _plain(constraint) if number is None else number

    def _deduction(self, deduction: Deduction) -> Plain:
        step = deduction.step
        premises = tuple(map(self._refer, step.premises))
        return self._refer(deduction.constraint), step.rule, premises, _plain_method(step.method)


class KnowledgeReplica:
    """Decodes the messages of a `KnowledgeSender`."""

    def __init__(self) -> None:
        self._constraints: list[Constraint] = []
        self._sent: list[tuple[int, int, int]] = []  # of each: cells, low, high
        self._log = DerivationLog()
        self._given: tuple[Constraint, ...] = ()
        self._history: tuple[Deduction, ...] = ()
        self._kept: tuple[object, ...] = ()

    def receive(self, message: Plain) -> Knowledge:
        """The knowledge of this message."""
        goes_on, entries, shown, given, history, universe, true, false, numbers, news = message
        if not goes_on:
            self.__init__()  # type: ignore[misc]
        began = len(self._constraints)
        self._constraints += [Constraint(*entry[:5]) for entry in entries]
        self._sent += [entry[:3] for entry in entries]
        for number, entry in enumerate(entries, began):
            full = number if entry[5] is None else entry[5]
            self._log.origins[self._constraints[number]] = (self._constraints[full], entry[6], number)
        self._log.shown.update(shown)
        self._given += tuple(map(self._referred, given))
        self._history += tuple(map(self._deduced, history))
        constraints = tuple([self._constraints[number] for number in numbers])
        self._kept = (universe, true, false, self._given, self._history, constraints, numbers)
        return Knowledge(
            universe, self._given, self._history, true, false, constraints, news, self._log,
            len(self._constraints),
        )  # fmt: skip

    def is_intact(self, knowledge: Knowledge) -> bool:
        """Whether the last received knowledge is still unmodified."""
        universe, true, false, given, history, constraints, numbers = self._kept
        return (
            (knowledge.universe, knowledge.true, knowledge.false) == (universe, true, false)
            and knowledge.given is given
            and knowledge.history is history
            and knowledge.constraints is constraints
            and isinstance(numbers, tuple)
            and list(map(_SAYS, knowledge.constraints)) == [self._sent[number] for number in numbers]
        )

    def number(self, constraint: Constraint) -> int | None:
        """The number of a received constraint; None if it was not received."""
        found = self._log.origins.get(constraint)
        return None if found is None else found[2]

    def _referred(self, sent: int | Plain) -> Constraint:
        return self._constraints[sent] if isinstance(sent, int) else Constraint(*sent)

    def _deduced(self, sent: Plain) -> Deduction:
        constraint, rule, premises, method = sent
        step = ProofStep(rule, tuple(map(self._referred, premises)), _method_of(method))
        return Deduction(self._referred(constraint), step)


def _goes_on(now: Sequence[object], before: Sequence[object]) -> bool:
    """Whether `now` extends `before`, judged by the last element of `before`."""
    return not before or (len(now) >= len(before) and now[len(before) - 1] is before[-1])


def _plain(constraint: Constraint) -> Plain:
    source = constraint.source
    plain = source if source is None or type(source) in (str, int) else str(source)
    return constraint.cells, constraint.low, constraint.high, plain, constraint.is_global


def _plain_method(method: Method) -> Plain | None:
    if isinstance(method, Linear):
        return method.multipliers, method.divisor
    return _plain_split(method) if isinstance(method, Split) else None


def _plain_split(split: Split | None) -> Plain | None:
    if split is None:
        return None
    return split.cell, _plain_split(split.if_true), _plain_split(split.if_false)


def _method_of(sent: Plain | None) -> Method:
    if sent is None:
        return Propagation()
    return Linear(*sent) if len(sent) == 2 else _split_of(sent) or Propagation()


def _split_of(sent: Plain | None) -> Split | None:
    return None if sent is None else Split(sent[0], _split_of(sent[1]), _split_of(sent[2]))
