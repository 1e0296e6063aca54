"""Derivation graph of a knowledge, and the steps that lead to a conflict.

A proof step names its premises in the reduced form of that step, without the cells that were known by then.
`DerivationGraph` replays the history and resolves each premise to the given or derived constraint it was
reduced from, and to the known cells that were removed. Sentences and exported proofs are built from the
graph, so they contain only what a conclusion depends on. `trace_conflict` does the same for a refutation: it
keeps only the propagation steps that cause the conflict.
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
    """A premise and the constraint `full` it was reduced from.

    `place` is the index in the history of the deduction that derived `full`, None if it is given.
    """

    premise: Constraint
    full: Constraint
    place: int | None

    @property
    def known(self) -> int:
        """The set of known cells that were removed by the reduction."""
        return self.full.cells ^ self.premise.cells


@dataclass(frozen=True, slots=True)
class ResolvedStep:
    """A deduction with its resolved premises, and the cell sets known to be true and false before it."""

    deduction: Deduction
    grounds: tuple[ResolvedPremise, ...]
    true: int
    false: int

    @property
    def news(self) -> Constraint:
        """The conclusion, reduced by the cells known before."""
        return self.deduction.constraint.reduced(self.true, self.false)

    @property
    def known(self) -> int:
        """The set of known cells that were removed from the conclusion or the premises."""
        cells = self.deduction.constraint.cells & (self.true | self.false)
        for ground in self.grounds:
            cells |= ground.known
        return cells


class DerivationGraph:
    """The resolved steps (`links`) of a knowledge, in the order learned.

    `shown` maps each known cell to the index in `links` of the step that decided it. Raises ValueError if a
    premise in the history has no origin.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self.given = knowledge.given
        self.links: list[ResolvedStep] = []
        self.shown: dict[int, int] = {}
        self._replay(knowledge)

    def ancestors(self, cells: int) -> list[int]:
        """Indices of all links that the values of these known cells are derived from, ascending."""
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
        """The given constraints that are premises of these links, in their original order."""
        used = {g.full for place in places for g in self.links[place].grounds if g.place is None}
        return tuple(dict.fromkeys(c for c in self.given if c in used))

    def _replay(self, knowledge: Knowledge) -> None:
        """Replay the history, and map every reduced form of every constraint to its origin."""
        forms: dict[Constraint, tuple[Constraint, int | None]] = {}
        holding: dict[int, set[Constraint]] = {}  # cell -> current forms with it, except global ones
        everywhere: set[Constraint] = set()  # current global forms

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
    """Resolve a premise; if it was not recorded in this form, reduce it by the cells known now."""
    if premise in forms:
        return ResolvedPremise(premise, *forms[premise])
    left = premise.reduced(true, false)
    if left in forms:
        return ResolvedPremise(premise, *forms[left])
    if left.is_trivial:
        return ResolvedPremise(premise, left, None)  # implied by the known cells
    raise ValueError(f"premise {premise} has no origin in the history")


@dataclass(frozen=True, slots=True)
class ConflictTrace:
    """Propagation steps, and the index `place` of the constraint that is violated after them.

    With `too_few`, too few cells remain that may be true; otherwise too many are true. If the steps end in a
    case split, `place` is unused and `cases` are the cell, the trace if it is true, and the trace if it is
    false.
    """

    steps: tuple[ForcedCells, ...]
    place: int = -1
    too_few: bool = False
    cases: tuple[int, ConflictTrace, ConflictTrace] | None = None

    @property
    def ends(self) -> list[int]:
        """The index of the violated constraint of each case."""
        return [self.place] if self.cases is None else [*self.cases[1].ends, *self.cases[2].ends]

    @property
    def split_cells(self) -> int:
        """The set of cells whose values the cases assume."""
        if self.cases is None:
            return 0
        cell, if_true, if_false = self.cases
        return 1 << cell | if_true.split_cells | if_false.split_cells


def trace_conflict(constraints: Sequence[Constraint], split: Split | None) -> ConflictTrace | None:
    """The propagation steps that lead to a conflict in every case of the split; None if a case has none."""
    found = _follow(PropagationProblem.as_numbered(constraints), split, 0, 0, [])
    return None if found is None else found[0]


def _follow(
    problem: PropagationProblem, split: Split | None, true: int, false: int, before: Sequence[ForcedCells]
) -> tuple[ConflictTrace, set[int]] | None:
    """The trace, and the indices in `before` plus its own steps of all steps that it depends on."""
    steps = list(before)
    true, false, conflict = propagate(problem, true, false, trail=steps)
    if conflict is not None:
        used = _causes_of(steps, conflict.cause)
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


def _causes_of(steps: Sequence[ForcedCells], cells: int) -> set[int]:
    used = set()
    for number in range(len(steps) - 1, -1, -1):
        if steps[number].cells & cells:
            used.add(number)
            cells = cells & ~steps[number].cells | steps[number].cause
    return used


def negations(claim: Constraint) -> list[Constraint]:
    """The negations of a claim: too few true cells, and too many. If each is refuted, the claim holds."""
    found = []
    if claim.low > 0:
        found.append(Constraint(claim.cells, 0, claim.low - 1))
    if claim.high < claim.size:
        found.append(Constraint(claim.cells, claim.high + 1, claim.size))
    return found


def unit_negations(claim: Constraint) -> list[Constraint]:
    """For each cell of a saturated claim, the constraint that it has the opposite value."""
    wrong = 0 if claim.all_true else 1
    return [Constraint(1 << k, wrong, wrong) for k in bits(claim.cells)]
