"""Everything that is certain, in the order in which a person would find it, each fact shown once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from games.logic import Constraint, Deduction, Knowledge, Linear, Rejected, check
from games.logic.writing import Lineage, Link
from strategies.reasoner import Reasoner
from strategies.strategy import Strategy

FEW = 2  # premises of a step that a person takes in at a glance; of more, those to spare are left out


def lesson(stated: Knowledge, strategies: Sequence[Strategy], cells: int) -> list[Link]:
    """The steps that show these cells (a set), from what the game states, each resting on those before it.

    The cheapest strategy that has something to say has the floor, and says what shows most cells, beside what
    was just shown where it can. Cells that the strategies do not find are left out. Raises Contradiction when
    what is stated cannot hold.
    """
    known = Reasoner(strategies, _Teacher()).deduce(stated).knowledge
    lineage = Lineage(known)
    return [lineage.links[place] for place in lineage.ancestors(cells)]


class _Teacher:
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
        except Rejected:
            continue
        deduction, step = shorter, shorter.step
    return deduction
