"""Simplest explanations of certain cells, and lessons that derive all of them in order.

`ExplanationFinder` minimizes the number of clues, then the cost of the rule. `lesson_steps` orders the steps
as a person would find them, and shows each fact once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.errors import Contradiction
from games.logic import Constraint, Deduction, DeductionRejected, Knowledge, Linear, check, union_cells
from games.logic.derivation import DerivationGraph, ResolvedStep
from strategies.reasoner import Reasoner
from strategies.search.conflicts import ReasonFinder
from strategies.search.solver import SplitBudget, refute
from strategies.strategy import Strategy

CASES = "every layout of these clues agrees"
MAX_CASES = 4_000  # splits in a proof that no strategy found
MAX_EFFORT = 25_000  # splits for all cells of a board together: about two seconds
MANY = 12  # clues, used together with the total; above this, a direct proof is faster than the strategies


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a cell is true, or false.

    `because` is a minimal set of given constraints that decide the cell, and `lineage` the derivation from
    them. `rank` is the index of the most expensive strategy that the derivation requires.
    """

    cell: int
    is_true: bool
    because: tuple[Constraint, ...]
    lineage: DerivationGraph
    rank: int

    @property
    def places(self) -> list[int]:
        """The indices of the proof's links, in order."""
        return self.lineage.ancestors(1 << self.cell)

    @property
    def rule(self) -> str:
        """The rule of the last step."""
        return self.lineage.links[self.lineage.shown[self.cell]].deduction.step.rule

    @property
    def ease(self) -> tuple[int, int, int, int]:
        """Sort key, easiest first: by rule, number of clues, number of steps."""
        return self.rank, len(self.because), len(self.places), self.cell


class ExplanationFinder:
    """Explains the certain cells of one knowledge with the strategies, cheapest first.

    The budget for all cells together is `MAX_EFFORT` splits. After that, explanations are the derivations of
    the strategies, which may use unnecessary clues.
    """

    def __init__(self, knowledge: Knowledge, strategies: Sequence[Strategy]) -> None:
        self._budget = SplitBudget(MAX_EFFORT)
        self._knowledge = knowledge
        self._strategies = tuple(s for s in strategies if s.has_deduce)
        self._lineage = DerivationGraph(knowledge)
        self._clues = ReasonFinder(knowledge.given, self._budget)

    @property
    def is_exhausted(self) -> bool:
        """Whether the budget is used up."""
        return not self._budget.left

    def of(self, cell: int) -> Explanation | None:
        """The simplest explanation of a known cell; None if the cell is undecided."""
        if not (self._knowledge.true | self._knowledge.false) >> cell & 1:
            return None
        known = self._lineage.given_behind(self._lineage.ancestors(1 << cell))
        is_true = bool(self._knowledge.true >> cell & 1)
        simplest = None if self.is_exhausted else self.showing(cell, is_true, known)
        # the fallback is the derivation as the strategies found it
        return simplest or Explanation(cell, is_true, known, self._lineage, len(self._strategies))

    def showing(self, cell: int, is_true: bool, known: Sequence[Constraint] = ()) -> Explanation | None:
        """The simplest explanation of a cell, even if no strategy decided it; None if none is found."""
        sets = self._clues.reasons(cell, is_true, known)
        found = [reason for because in sets if (reason := self._proved(cell, is_true, because))]
        return min(found, key=lambda reason: reason.ease, default=None)

    def _proved(self, cell: int, is_true: bool, because: tuple[Constraint, ...]) -> Explanation | None:
        """The proof from these clues alone with the fewest and cheapest strategies."""
        universe = union_cells(because) | 1 << cell
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
        shown = refute(because, opposite, MAX_CASES, self._budget)
        if shown is None:
            return None
        make = Deduction.true if is_true else Deduction.false
        knowledge = Knowledge.of(universe, because)
        knowledge = knowledge.learn([make(1 << cell, shown.premises, CASES, shown.method)])
        return Explanation(cell, is_true, because, DerivationGraph(knowledge), len(self._strategies))


LARGE = 500  # cells that are not open
MAX_WORK = 500_000  # cells that are not open, times selections
FEW = 2  # premises of a step; steps with more are reduced to the necessary ones


def lesson_steps(stated: Knowledge, strategies: Sequence[Strategy], cells: int) -> list[ResolvedStep]:
    """The steps that derive this cell set, each from the given constraints and earlier steps.

    The cheapest strategy with a result comes first; of its results, the one that decides the most cells,
    then one next to the cells decided last. Cells that the strategies do not decide are left out. On huge
    boards, cells that need more than `MAX_WORK` are left out as well. Raises Contradiction if the given
    constraints are unsatisfiable.
    """
    try:
        known = Reasoner(strategies, _LessonOrder(stated.universe.bit_count())).deduce(stated).knowledge
    except _LessonTooLong as stopped:
        known = stopped.knowledge
    lineage = DerivationGraph(known)
    return [lineage.links[place] for place in lineage.ancestors(cells)]


class _LessonTooLong(Exception):  # not an error: the steps so far are a lesson
    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge


class _LessonOrder:
    """Selects the next deductions: one that decides cells, or all of them if none does.

    On a board of more than `LARGE` cells, it selects all that decide cells and are independent of each other:
    one at a time, the work would grow with the square of the number of cells.
    """

    def __init__(self, cells: int) -> None:
        self._is_large = cells > LARGE
        self._rounds_left = MAX_WORK // max(1, cells)
        self._latest = 0  # the set of cells decided last

    def __call__(self, knowledge: Knowledge, found: Sequence[Deduction]) -> Sequence[Deduction]:
        if not self._rounds_left:
            raise _LessonTooLong(knowledge)
        self._rounds_left -= 1
        showing = []
        for place, deduction in enumerate(found):
            news = deduction.constraint.reduced(knowledge.true, knowledge.false)
            if news.cells and (news.all_true or news.all_false):
                premises = [knowledge.origin(p) if knowledge.knows(p) else p for p in deduction.step.premises]
                near = any(premise.cells & self._latest for premise in premises)
                showing.append((-news.size, not near, place, news.cells, deduction))
        if not showing:
            return found
        showing.sort(key=lambda each: each[:3])
        derived = {each.constraint: each for each in reversed(found)}
        chosen: list[Deduction] = []
        used = self._latest = 0
        for *_, cells, deduction in showing if self._is_large else showing[:1]:
            steps = tuple(_with_premises(deduction, derived, knowledge))
            touched = union_cells(c for each in steps for c in (each.constraint, *each.step.premises))
            if not touched & used:
                used |= touched
                self._latest |= cells
                chosen += steps
        return chosen


def _with_premises(
    deduction: Deduction, derived: Mapping[Constraint, Deduction], knowledge: Knowledge
) -> Iterator[Deduction]:
    """The deduction with its necessary premises, preceded by the new deductions that it depends on."""
    deduction = _without_spare(deduction, derived.keys(), knowledge)
    for premise in deduction.step.premises:
        if premise in derived and not knowledge.knows(premise):
            yield from _with_premises(derived[premise], derived, knowledge)
    yield deduction


def _without_spare(deduction: Deduction, derived: Collection[Constraint], knowledge: Knowledge) -> Deduction:
    """The deduction without the premises that the checker does not need, the largest removed first."""
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
