"""Simplest explanations of certain cells, and lessons that derive all of them in order.

`ExplanationFinder` minimizes the number of clues, then the cost of the rule. `lesson_steps` orders the steps
as a person would find them, and shows each fact once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.errors import Contradiction
from games.logic import Constraint, Deduction, DeductionRejected, Knowledge, Linear, check
from games.logic.derivation import DerivationGraph, ResolvedStep
from strategies.reasoner import Reasoner
from strategies.search.conflicts import ReasonFinder
from strategies.search.solver import SplitBudget, refute
from strategies.strategy import Strategy

CASES = "every layout of these clues agrees"
MOST_CASES = 4_000  # splits in a proof that no strategy found
MOST_EFFORT = 25_000  # splits for all the cells of a board together: about two seconds
MANY = 12  # clues beside the total behind one cell: reasoning on all of them again takes longer than a proof


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a cell is true, or false.

    `because` are stated constraints from which it follows, none of them to spare; `lineage` holds the proof
    from these alone; `rank` is the place of the dearest strategy that it takes.
    """

    cell: int
    is_true: bool
    because: tuple[Constraint, ...]
    lineage: DerivationGraph
    rank: int

    @property
    def places(self) -> list[int]:
        """The links of the proof, in order."""
        return self.lineage.ancestors(1 << self.cell)

    @property
    def rule(self) -> str:
        """The rule of the last step."""
        return self.lineage.links[self.lineage.shown[self.cell]].deduction.step.rule

    @property
    def ease(self) -> tuple[int, int, int, int]:
        """The less, the easier to follow: by rule, by number of clues, by number of steps."""
        return self.rank, len(self.because), len(self.places), self.cell


class ExplanationFinder:
    """Finds reasons for what is certain in one knowledge, with the strategies in the order of their cost.

    All the cells of a board together may take `MOST_EFFORT` splits. What is asked when nothing is left of
    them is given as the strategies found it, with clues that could be spared.
    """

    def __init__(self, knowledge: Knowledge, strategies: Sequence[Strategy]) -> None:
        self._budget = SplitBudget(MOST_EFFORT)
        self._knowledge = knowledge
        self._strategies = tuple(s for s in strategies if s.has_deduce)
        self._lineage = DerivationGraph(knowledge)
        self._clues = ReasonFinder(knowledge.given, self._budget)

    @property
    def is_exhausted(self) -> bool:
        """Whether nothing is left of the effort."""
        return not self._budget.left

    def of(self, cell: int) -> Explanation | None:
        """The simplest reason for a known cell; None while it is undecided."""
        if not (self._knowledge.true | self._knowledge.false) >> cell & 1:
            return None
        known = self._lineage.given_behind(self._lineage.ancestors(1 << cell))
        is_true = bool(self._knowledge.true >> cell & 1)
        if self.is_exhausted:
            return self._as_found(cell, is_true, known)
        return self.showing(cell, is_true, known) or self._as_found(cell, is_true, known)

    def showing(self, cell: int, is_true: bool, known: Sequence[Constraint] = ()) -> Explanation | None:
        """The simplest reason for a cell of which no strategy need have said anything; None without one."""
        sets = self._clues.reasons(cell, is_true, known)
        found = [reason for because in sets if (reason := self._proved(cell, is_true, because))]
        return min(found, key=lambda reason: reason.ease, default=None)

    def _as_found(self, cell: int, is_true: bool, known: tuple[Constraint, ...]) -> Explanation:
        """The proof as the strategies found it, where no smaller set of clues is found."""
        return Explanation(cell, is_true, known, self._lineage, len(self._strategies))

    def _proved(self, cell: int, is_true: bool, because: tuple[Constraint, ...]) -> Explanation | None:
        """The proof from these clues alone, by as few and as cheap strategies as it takes."""
        universe = 1 << cell
        for constraint in because:
            universe |= constraint.cells
        is_wide = len(because) > MANY and any(constraint.is_global for constraint in because)
        try:
            knowledge = Knowledge.of(universe, because)
            for rank in range(1, 1 if is_wide else len(self._strategies) + 1):
                knowledge = Reasoner(self._strategies[:rank]).deduce(knowledge).knowledge
                if (knowledge.true | knowledge.false) >> cell & 1:
                    return Explanation(cell, is_true, because, DerivationGraph(knowledge), rank - 1)
        except Contradiction:
            return None
        opposite = Constraint(1 << cell, 0, 0) if is_true else Constraint(1 << cell, 1, 1)
        shown = refute(because, opposite, MOST_CASES, self._budget)
        if shown is None:
            return None
        make = Deduction.true if is_true else Deduction.false
        knowledge = Knowledge.of(universe, because)
        knowledge = knowledge.learn([make(1 << cell, shown.premises, CASES, shown.method)])
        return Explanation(cell, is_true, because, DerivationGraph(knowledge), len(self._strategies))


FEW = 2  # premises of a step that a person takes in at a glance; of more, those to spare are left out


def lesson_steps(stated: Knowledge, strategies: Sequence[Strategy], cells: int) -> list[ResolvedStep]:
    """The steps that show these cells (a set), from what the game states, each resting on those before it.

    The cheapest strategy that has something to say has the floor, and says what shows most cells, beside what
    was just shown where it can. Cells that the strategies do not find are left out. Raises Contradiction when
    what is stated cannot hold.
    """
    known = Reasoner(strategies, _LessonOrder()).deduce(stated).knowledge
    lineage = DerivationGraph(known)
    return [lineage.links[place] for place in lineage.ancestors(cells)]


class _LessonOrder:
    """Which deductions come next: one that shows cells; or all of those that only narrow."""

    def __init__(self) -> None:
        self._latest = 0  # the cells that were shown last (a set)

    def __call__(self, knowledge: Knowledge, found: Sequence[Deduction]) -> Sequence[Deduction]:
        showing = []
        for place, deduction in enumerate(found):
            news = deduction.constraint.reduced(knowledge.true, knowledge.false)
            if news.cells and (news.all_true or news.all_false):
                near = any(premise.cells & self._latest for premise in _full(deduction, knowledge))
                showing.append((-news.size, not near, place, news.cells, deduction))
        if not showing:
            return found
        *_, self._latest, chosen = min(showing, key=lambda each: each[:3])
        return tuple(_with_premises(chosen, {each.constraint: each for each in reversed(found)}, knowledge))


def _full(deduction: Deduction, knowledge: Knowledge) -> list[Constraint]:
    return [knowledge.origin(p) if knowledge.knows(p) else p for p in deduction.step.premises]


def _with_premises(
    deduction: Deduction, derived: Mapping[Constraint, Deduction], knowledge: Knowledge
) -> Iterator[Deduction]:
    """The deduction, none of its premises to spare, behind those found with it that it rests on."""
    deduction = _without_spare(deduction, derived.keys(), knowledge)
    for premise in deduction.step.premises:
        if premise in derived and not knowledge.knows(premise):
            yield from _with_premises(derived[premise], derived, knowledge)
    yield deduction


def _without_spare(deduction: Deduction, derived: Collection[Constraint], knowledge: Knowledge) -> Deduction:
    """The deduction from as few premises as the checker needs, the widest left out first."""
    step = deduction.step
    if len(step.premises) <= FEW or isinstance(step.method, Linear):
        return deduction
    for premise in sorted(step.premises, key=lambda c: -c.size):
        fewer = tuple(each for each in step.premises if each is not premise)
        shorter = deduction._replace(step=step._replace(premises=fewer))
        try:
            check(shorter, knowledge, derived)
        except DeductionRejected:
            continue
        deduction, step = shorter, shorter.step
    return deduction
