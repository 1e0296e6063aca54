"""Joining the components' counts through the mine total: what is possible, and how likely.

Possible or not is exact (sets of mine numbers as ints). Likelihoods are floats with nothing ever subtracted,
so they are good to many digits; they never decide what is certain.

Where the total is not known, a layout weighs `PRIOR_ODDS` for each mine: boards of the usual levels have a
mine in 12 to 21 % of their cells, and mid-game the hidden ones about a fifth.

Risks on a board that a variant's rule ties together, so that no part of it can be counted on its own.

The risk of every cell: counted by compiled code where there is some, else in whole numbers of any size.

Whether anything can be certain: counted in a moment, so that no proof of it is looked for in vain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import fsum
from operator import mul
from typing import NamedTuple

import numpy as np

from games.logic import Constraint, Knowledge, bits, build_model_graph
from strategies.compiled.kernels import Kernels, kernels
from strategies.probability.counts import (
    PRIOR_ODDS,
    ComponentCounts,
    CountedComponent,
    LayoutCounts,
    count_components,
    mine_total,
)
from strategies.probability.kernel_input import KernelInput

NO_WEIGHT = 1e-50  # of the likeliest: such numbers of mines are left out of sums


@dataclass(frozen=True, slots=True)
class PossibleTotals:
    """What the total leaves possible: the numbers of mines (a set) of each component and of the rest."""

    components: tuple[int, ...]
    rest: int


def possible_totals(census: ComponentCounts) -> PossibleTotals:
    """Which numbers of mines each part can have. A part that was not counted may have any."""
    own = [_numbers(component) for component in census.components]
    rest = (1 << census.rest.bit_count() + 1) - 1
    total = census.total
    if total is None:
        return PossibleTotals(tuple(own), rest)
    before = list(accumulate(own, _sums, initial=1))
    behind = list(accumulate(reversed(own), _sums, initial=rest))[::-1]
    parts = tuple(_within(own[c], _sums(before[c], behind[c + 1]), total) for c in range(len(own)))
    return PossibleTotals(parts, _within(rest, before[-1], total))


def _numbers(component: CountedComponent) -> int:
    if component.layouts is None:
        return (1 << component.room + 1) - 1
    return sum(1 << m for m, layouts in enumerate(component.layouts.all) if layouts)


def _sums(first: int, second: int) -> int:
    """All sums of a number of the one set and a number of the other."""
    if first.bit_count() > second.bit_count():
        first, second = second, first
    result = 0
    for number in bits(first):
        result |= second << number
    return result


def _within(own: int, others: int, total: Constraint) -> int:
    """The own numbers that can be filled up to the total by one of the others'."""
    result = 0
    for number in bits(own):
        window = (1 << max(total.high - number + 1, 0)) - (1 << max(total.low - number, 0))
        if window > 0 and others & window:
            result |= 1 << number
    return result


@dataclass(frozen=True, slots=True)
class MineProbabilities:
    """How likely each undecided cell is a mine.

    `by_cell` has every cell next to a constraint; all cells of `rest` have the same risk, `elsewhere`.
    `estimated` is the set of the cells whose risk is no exact count but an estimate.
    """

    by_cell: dict[int, float]
    rest: int
    elsewhere: float
    estimated: int = 0

    def of(self, cell: int) -> float:
        """The risk of one undecided cell."""
        return self.by_cell.get(cell, self.elsewhere)


def exact_probabilities(census: ComponentCounts) -> MineProbabilities:
    """The probability of a mine for every undecided cell, each layout being as likely as any other.

    A component that was not counted gets a local estimate from its constraints, and stands in the total with
    the whole number nearest to it.
    """
    odds = _odds(census)
    estimates = {c: _estimate(part) for c, part in enumerate(census.components) if part.layouts is None}
    own = [
        _tilted(part.layouts.all, odds) if part.layouts else _lump(part, estimates[c])
        for c, part in enumerate(census.components)
    ]
    weights, elsewhere = _weights(census, own, odds)
    by_cell: dict[int, float] = {}
    estimated = 0
    for c, part in enumerate(census.components):
        found = _by_class(part.layouts, weights[c]) if part.layouts else None
        if found is None:
            estimated |= part.cells
            by_cell.update(estimates.get(c) or _estimate(part))
            continue
        for one_class, risk in zip(part.classes, found, strict=True):
            by_cell.update(dict.fromkeys(bits(one_class), risk))
    if elsewhere is None:
        estimated |= census.rest
        elsewhere = _leftover(census, by_cell)
    return MineProbabilities(by_cell, census.rest, elsewhere, estimated)


def _odds(census: ComponentCounts) -> float:
    """The odds at which polynomials are weighed, so that no number gets out of a float's range."""
    if census.total is None:
        return PRIOR_ODDS
    mines = (census.total.low + census.total.high) / 2
    cells = census.total.size
    return min(max(mines / max(cells - mines, 0.5), 1e-3), 1e3)


def _tilted(layouts: Sequence[int], odds: float) -> list[float]:
    """Counts as floats, times odds for each mine, the greatest about 1."""
    most = max(layouts)
    if not most:
        return [0.0] * len(layouts)
    scaled = [number / most * odds**m for m, number in enumerate(layouts)]
    return _normal(scaled)


def _normal(numbers: list[float]) -> list[float]:
    most = max(numbers, default=0.0)
    return [number / most for number in numbers] if most > 0 else numbers


def _by_class(layouts: LayoutCounts, weights: list[float] | None) -> list[float] | None:
    """The risk of a cell of each class, given the weight of each number of mines; None without any."""
    if weights is None:
        return None
    everything = sum(weights)
    likely = [(m, weight / everything) for m, weight in enumerate(weights) if weight > 0]
    return [min(sum(mine[m] / layouts.all[m] * share for m, share in likely), 1.0) for mine in layouts.mine]


def _weights(
    census: ComponentCounts, own: list[list[float]], odds: float
) -> tuple[list[list[float] | None], float | None]:
    """For each component the likelihood of each number of mines, and the risk of a cell next to nothing.

    None stands for a part that is left without any layout: contradictory, or an estimate missed the total.
    """
    total = census.total
    if total is None:
        alone = [numbers if max(numbers) > 0 else None for numbers in own]
        return alone, PRIOR_ODDS / (1 + PRIOR_ODDS)
    # before[c]: how likely each number of mines is in the components before c, taken alone
    before = [_OffsetSeries(0, [1.0])]
    for numbers in own:
        before.append(_together(before[-1], numbers))
    beside, mines_beside = _elsewhere(census.rest.bit_count(), total, before[-1], odds)
    # behind: how likely everything from c on is, when the components before it hold s mines
    behind = beside
    weights: list[list[float] | None] = []
    for c in range(len(own) - 1, -1, -1):
        joined = [number * _meet(before[c], behind, m) for m, number in enumerate(own[c])]
        weights.append(joined if max(joined) > 0 else None)
        mine = _OffsetSeries(0, own[c])
        places = range(before[c].first, before[c].first + len(before[c].values))
        behind = _OffsetSeries(before[c].first, _normal([_meet(mine, behind, s) for s in places]))
    weights.reverse()
    if not census.rest:
        return weights, 0.0
    whole = _meet(before[-1], beside)
    return weights, min(_meet(before[-1], mines_beside) / whole, 1.0) if whole > 0 else None


class _OffsetSeries(NamedTuple):
    """Numbers for s = `first`, `first` + 1, …; all others are nothing."""

    first: int
    values: list[float]


def _meet(one: _OffsetSeries, other: _OffsetSeries, shift: int = 0) -> float:
    """The sum of one[s] * other[s + shift]."""
    begin = max(one.first, other.first - shift)
    return fsum(map(mul, one.values[begin - one.first :], other.values[begin + shift - other.first :]))


def _together(one: _OffsetSeries, numbers: list[float]) -> _OffsetSeries:
    """The product of two polynomials, without its tails of no weight."""
    result = [0.0] * (len(one.values) + len(numbers) - 1)
    for m, number in enumerate(numbers):
        if number:
            for s, other in enumerate(one.values, m):
                result[s] += number * other
    result = _normal(result)
    heavy = [s for s, number in enumerate(result) if number > NO_WEIGHT] or [0]
    return _OffsetSeries(one.first + heavy[0], result[heavy[0] : heavy[-1] + 1])


def _elsewhere(
    rest: int, total: Constraint, held: _OffsetSeries, odds: float
) -> tuple[_OffsetSeries, _OffsetSeries]:
    """Layouts of the `rest` cells that reach the total, for each number of mines that the components hold.

    All of them, and those in which one given cell is a mine; both divided by odds for each mine in the
    components, and scaled alike.
    """
    numbers = range(held.first, held.first + len(held.values))
    # terms[k]: layouts of k mines times odds ** k, from the likeliest k outwards so that nothing overflows
    lowest, highest = max(total.low - numbers[-1], 0), min(total.high - numbers[0], rest)
    terms: dict[int, float] = {}
    if lowest <= highest:
        peak = min(max(int((rest + 1) * odds / (1 + odds)), lowest), highest)
        terms[peak] = 1.0
        for k in range(peak, highest):
            terms[k + 1] = terms[k] * (rest - k) / (k + 1) * odds
        for k in range(peak, lowest, -1):
            terms[k - 1] = terms[k] * k / (rest - k + 1) / odds
    reach, mines = [], []
    for s in numbers:
        ks = [(number - s, odds ** (total.low - number)) for number in range(total.low, total.high + 1)]
        reach.append(sum(terms.get(k, 0.0) * scale for k, scale in ks))
        mines.append(sum(terms.get(k, 0.0) * scale * k / rest for k, scale in ks) if rest else 0.0)
    return _OffsetSeries(held.first, reach), _OffsetSeries(held.first, mines)


def _estimate(part: CountedComponent) -> dict[int, float]:
    """A guess at the risks in a component that was not counted: the mean of what its constraints suggest."""
    suggested: dict[int, list[float]] = {}
    for constraint in part.constraints:
        share = (constraint.low + constraint.high) / 2 / constraint.size
        for k in bits(constraint.cells):
            suggested.setdefault(k, []).append(share)
    return {k: _inside(sum(shares) / len(shares)) for k, shares in suggested.items()}


def _lump(part: CountedComponent, estimates: dict[int, float]) -> list[float]:
    """A component that was not counted, as if it had just the number of mines that was estimated."""
    held = sum(
        estimates[k]
        for one_class, is_counted in zip(part.classes, part.counted, strict=True)
        if is_counted
        for k in bits(one_class)
    )
    return [float(m == round(held)) for m in range(part.room + 1)]


def _leftover(census: ComponentCounts, by_cell: dict[int, float]) -> float:
    """The mines of the total that the components' cells do not account for, spread over the rest."""
    assert census.total is not None
    held = sum(risk for k, risk in by_cell.items() if census.total.cells >> k & 1)
    mines = (census.total.low + census.total.high) / 2
    return _inside((mines - held) / census.rest.bit_count())


def _inside(risk: float) -> float:
    """An estimate is never a certainty."""
    return min(max(risk, 0.01), 0.99)


MOST_STEPS = 200_000  # from one state to the next, when a whole board is counted for a guess: half a second


def whole_board_probabilities(knowledge: Knowledge, counted: int, cap: int = MOST_STEPS) -> MineProbabilities:
    """The probability of a mine for every undecided cell of such a board.

    Where the total is known, the whole board is counted cell by cell. When that takes more than `cap` steps,
    the rule is only looked at beside the clues, and all is an estimate (`Risks.estimated`). `counted` is the
    set of the cells that can hold mines, where no total says so.
    """
    if mine_total(knowledge) is not None:
        layouts = build_model_graph(knowledge.stated, cap, exact=True)
        if layouts is not None and layouts.count:
            return MineProbabilities(
                {k: true / layouts.count for k, true in layouts.true_counts().items()}, 0, 0.0
            )
    found = exact_probabilities(count_components(beside_clues(knowledge), counted))
    return MineProbabilities(found.by_cell, found.rest, found.elsewhere, knowledge.undecided)


def beside_clues(knowledge: Knowledge) -> Knowledge:
    """The undecided cells with only those bounds that lie wholly among the cells of exact constraints."""
    exact = 0
    for constraint in knowledge.stated:
        if constraint.is_exact and not constraint.is_global:
            exact |= constraint.cells
    kept = [c for c in knowledge.stated if c.is_exact or c.is_global or not c.cells & ~exact]
    return Knowledge.of(knowledge.undecided, kept)


def mine_probabilities(knowledge: Knowledge, counted: int, use: Kernels | None = None) -> MineProbabilities:
    """The probability of a mine for every undecided cell, each layout being as likely as any other.

    `counted` is the set of the cells that can hold mines, where no total says so. 0 and 1 are answered only
    where all layouts agree. What compiled code cannot count (a very wide frontier, a component of more cells
    than a double can count the layouts of) goes the plain way, and what that cannot count is tied together.
    """
    loops = use or kernels()
    if loops.is_compiled:
        situation = KernelInput.of(knowledge, counted)
        answer = loops["survey"](situation.field, loops.tables)
        if answer.worked:
            bound = situation.field.bound
            by_cell = dict(zip(situation.cells[:bound], answer.risks.tolist(), strict=True))
            return MineProbabilities(by_cell, _set(situation.cells[bound:]), float(answer.rest_risk))
    census = count_components(knowledge, counted)
    return (
        exact_probabilities(census) if census.is_complete else whole_board_probabilities(knowledge, counted)
    )


def _set(cells: tuple[int, ...]) -> int:
    result = 0
    for k in cells:
        result |= 1 << k
    return result


def can_be_certain(knowledge: Knowledge) -> bool:
    """False only where all layouts were counted, and of no undecided cell do all of them agree.

    Only compiled code that is there already counts, and only where the mine total is known: without that
    the answer is True. Nothing is certain by this; it saves looking for what is not there.
    """
    return knowledge.once(_may_be)


def _may_be(knowledge: Knowledge) -> bool:
    loops = kernels()
    total = mine_total(knowledge)
    if total is None or not loops.is_ready:
        return True
    situation = KernelInput.of(knowledge, total.cells)
    found = loops["survey"](situation.field, loops.tables)
    if not found.worked:
        return True
    has_rest = len(situation.cells) > situation.field.bound
    is_open = bool(np.all((found.risks > 0.0) & (found.risks < 1.0)))
    return not is_open or (has_rest and not 0.0 < found.rest_risk < 1.0)
