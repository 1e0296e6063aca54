"""Where every deduction comes from: the history of a knowledge, replayed as a graph.

Steps name their premises as they were reduced at the time. Here each premise is traced back to the statement
that it was reduced from, given or derived, and to the cells that had been taken out of it. Sentences and
exported proofs are both made from this, and so hold nothing that a conclusion does not rest on.

A refutation followed step by step: what leads to its conflict, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.logic.constraint import Constraint, bits
from games.logic.knowledge import Knowledge
from games.logic.proof import Deduction, Split
from games.logic.propagation import ForcedCells, PropagationProblem, propagate


@dataclass(frozen=True, slots=True)
class ResolvedPremise:
    """A premise of a step and the statement behind it.

    `premise` is what the step names, `full` what it was reduced from; `place` is the place in the history of
    the deduction that derived `full`, None when the game states it.
    """

    premise: Constraint
    full: Constraint
    place: int | None

    @property
    def known(self) -> int:
        """The cells (a set) that were known and make the difference between the two."""
        return self.full.cells ^ self.premise.cells


@dataclass(frozen=True, slots=True)
class ResolvedStep:
    """A deduction with its grounds, and the cells (sets) that were known true and false before it."""

    deduction: Deduction
    grounds: tuple[ResolvedPremise, ...]
    true: int
    false: int

    @property
    def news(self) -> Constraint:
        """The conclusion without the cells that were known already."""
        return self.deduction.constraint.reduced(self.true, self.false)

    @property
    def known(self) -> int:
        """The known cells (a set) that the step makes use of."""
        cells = self.deduction.constraint.cells & (self.true | self.false)
        for ground in self.grounds:
            cells |= ground.known
        return cells


class DerivationGraph:
    """The links of a knowledge, made from one board, in the order in which they were learned.

    `shown` says for each known cell which link showed it. Raises ValueError for a knowledge whose history
    names a premise that nothing leads to.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self.given = knowledge.given
        self.links: list[ResolvedStep] = []
        self.shown: dict[int, int] = {}
        self._replay(knowledge)

    def ancestors(self, cells: int) -> list[int]:
        """The links behind these known cells (a set), all the way down, in the order learned."""
        needed: set[int] = set()
        waiting = [self.shown[k] for k in bits(cells) if k in self.shown]
        while waiting:
            place = waiting.pop()
            if place in needed:
                continue
            needed.add(place)
            link = self.links[place]
            waiting += [ground.place for ground in link.grounds if ground.place is not None]
            waiting += [self.shown[k] for k in bits(link.known) if self.shown[k] < place]
        return sorted(needed)

    def given_behind(self, places: Iterable[int]) -> tuple[Constraint, ...]:
        """The stated constraints that these links take as premises, in the order of the statements."""
        used = {g.full for place in places for g in self.links[place].grounds if g.place is None}
        return tuple(dict.fromkeys(c for c in self.given if c in used))

    def _replay(self, knowledge: Knowledge) -> None:
        """Learn the history once more, keeping every form that a statement takes on the way."""
        forms: dict[Constraint, tuple[Constraint, int | None]] = {}
        holding: dict[int, set[Constraint]] = {}  # cell -> present forms that speak of it, the total left out
        everywhere: set[Constraint] = set()

        def keep(form: Constraint, full: Constraint, place: int | None) -> None:
            if not form.cells or form in forms:
                return
            forms[form] = full, place
            if form.is_global:
                everywhere.add(form)
                return
            for k in bits(form.cells):
                holding.setdefault(k, set()).add(form)

        for constraint in knowledge.given:
            keep(constraint, constraint, None)
        true = false = 0
        for place, deduction in enumerate(knowledge.history):
            full = deduction.constraint
            grounds = tuple(_ground(premise, forms, true, false) for premise in deduction.step.premises)
            self.links.append(ResolvedStep(deduction, grounds, true, false))
            news = full.reduced(true, false)
            keep(full, full, place)
            keep(news, full, place)
            if not (news.all_true or news.all_false):
                continue
            true |= news.cells if news.all_true else 0
            false |= news.cells if news.all_false else 0
            touched = {form for form in everywhere if form.cells & news.cells}
            for k in bits(news.cells):
                self.shown[k] = place
                touched |= holding.pop(k, set())
            everywhere -= touched
            for form in touched:
                keep(form.reduced(true, false), *forms[form])


def _ground(
    premise: Constraint, forms: dict[Constraint, tuple[Constraint, int | None]], true: int, false: int
) -> ResolvedPremise:
    """The statement behind a premise. One that says nothing, or nothing new, need not have been kept."""
    if premise in forms:
        return ResolvedPremise(premise, *forms[premise])
    left = premise.reduced(true, false)
    if left in forms:
        return ResolvedPremise(premise, *forms[left])
    if left.is_trivial:
        return ResolvedPremise(premise, left, None)  # it says what is known already
    raise ValueError(f"the history names {premise}, which nothing leads to")


@dataclass(frozen=True, slots=True)
class ConflictTrace:
    """What follows one after the other, and the place of the constraint that cannot be satisfied then.

    `too_few` says that too few cells are left to it; otherwise too many are true. In a case that is split,
    `cases` are the cell and how it fails when it is true, and when it is false.
    """

    steps: tuple[ForcedCells, ...]
    place: int = -1
    too_few: bool = False
    cases: tuple[int, ConflictTrace, ConflictTrace] | None = None

    @property
    def ends(self) -> list[int]:
        """The places of the constraints in which its cases end, one for each case."""
        return [self.place] if self.cases is None else [*self.cases[1].ends, *self.cases[2].ends]

    @property
    def split_cells(self) -> int:
        """The cells (a set) that are split into cases."""
        if self.cases is None:
            return 0
        cell, if_true, if_false = self.cases
        return 1 << cell | if_true.split_cells | if_false.split_cells


def trace_conflict(constraints: Sequence[Constraint], split: Split | None) -> ConflictTrace | None:
    """How propagation, and the cases of the split, fail; None when they do not."""
    found = _follow(PropagationProblem.as_numbered(constraints), split, 0, 0, [])
    return None if found is None else found[0]


def _follow(
    problem: PropagationProblem, split: Split | None, true: int, false: int, before: Sequence[ForcedCells]
) -> tuple[ConflictTrace, set[int]] | None:
    """The failure, and which of all steps (those `before` come first) it rests on."""
    steps = list(before)
    true, false, conflict = propagate(problem, true, false, trail=steps)
    if conflict is not None:
        used = _rests_on(steps, conflict.cause)
        return ConflictTrace(_kept(steps, used, len(before)), conflict.place, conflict.too_few), used
    if split is None:
        return None
    cell = 1 << split.cell
    if_true = _follow(problem, split.if_true, true | cell, false & ~cell, steps)
    if_false = _follow(problem, split.if_false, true & ~cell, false | cell, steps)
    if if_true is None or if_false is None:
        return None
    used = if_true[1] | if_false[1]
    failure = ConflictTrace(_kept(steps, used, len(before)), cases=(split.cell, if_true[0], if_false[0]))
    return failure, used


def _kept(steps: Sequence[ForcedCells], used: set[int], begin: int) -> tuple[ForcedCells, ...]:
    return tuple(steps[place] for place in sorted(used) if begin <= place < len(steps))


def _rests_on(steps: Sequence[ForcedCells], cells: int) -> set[int]:
    """The steps that what these cells are rests on."""
    used = set()
    for number in range(len(steps) - 1, -1, -1):
        if steps[number].cells & cells:
            used.add(number)
            cells = cells & ~steps[number].cells | steps[number].cause
    return used


def negations(claim: Constraint) -> list[Constraint]:
    """What must be refuted for a claim to hold: too few, too many."""
    found = []
    if claim.low > 0:
        found.append(Constraint(claim.cells, 0, claim.low - 1))
    if claim.high < claim.size:
        found.append(Constraint(claim.cells, claim.high + 1, claim.size))
    return found


def unit_negations(claim: Constraint) -> list[Constraint]:
    """The same for a saturated claim, cell by cell."""
    wrong = 0 if claim.all_true else 1
    return [Constraint(1 << k, wrong, wrong) for k in bits(claim.cells)]
