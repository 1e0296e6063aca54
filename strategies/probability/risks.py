"""Mine probabilities: join the components' counts through the mine total.

Possibility is exact: `possible_totals` uses sets of mine numbers, as ints. Probabilities are floats computed
without subtraction, so they are accurate to many digits; they never decide what is certain. If the total is
unknown, a layout has the weight `PRIOR_ODDS` per mine: usual levels have 12 to 21 % mines, and hidden cells
in mid-game about 20 %.

`mine_probabilities` uses the kernels, and exact integers of any size for positions beyond them. Boards that a
variant's rule ties together are counted as a whole. `can_be_certain` saves strategies a futile search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import fsum
from operator import mul
from typing import NamedTuple

from games.logic import Constraint, Knowledge, bits, cell_set, union_cells
from games.logic.model_count import build_model_graph
from strategies.kernels import survey, thread_memory
from strategies.probability.counts import (
    PRIOR_ODDS,
    ComponentCounts,
    CountedComponent,
    LayoutCounts,
    count_components,
    mine_total,
)
from strategies.probability.kernel_input import KernelInput

NO_WEIGHT = 1e-50  # relative to the most likely number of mines; smaller weights are dropped
MAX_STEPS = 200_000  # state transitions when a whole board is counted for a guess: about 0.5 s


@dataclass(frozen=True, slots=True)
class PossibleTotals:
    """Mine numbers that the total allows (bit m for m mines), for each component and for the rest."""

    components: tuple[int, ...]
    rest: int

    @property
    def is_consistent(self) -> bool:
        """Whether every part has a possible number of mines."""
        return bool(self.rest) and all(self.components)


def possible_totals(census: ComponentCounts) -> PossibleTotals:
    """Return the mine numbers that each part can have; an uncounted part can have any."""
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
    """Return the set of all sums of a number from each set."""
    if first.bit_count() > second.bit_count():
        first, second = second, first
    result = 0
    for number in bits(first):
        result |= second << number
    return result


def _within(own: int, others: int, total: Constraint) -> int:
    """Return the numbers of `own` that reach the total together with one of `others`."""
    result = 0
    for number in bits(own):
        window = (1 << max(total.high - number + 1, 0)) - (1 << max(total.low - number, 0))
        if window > 0 and others & window:
            result |= 1 << number
    return result


@dataclass(frozen=True, slots=True)
class MineProbabilities:
    """Mine probability of each undecided cell.

    `by_cell` covers the constrained cells; all cells of `rest` have the same risk, `elsewhere`. `estimated`
    is the set of cells whose risk is an estimate instead of an exact count.
    """

    by_cell: dict[int, float]
    rest: int
    elsewhere: float
    estimated: int = 0

    def of(self, cell: int) -> float:
        """Return the risk of one undecided cell."""
        return self.by_cell.get(cell, self.elsewhere)


def exact_probabilities(census: ComponentCounts) -> MineProbabilities:
    """Mine probabilities of all undecided cells, with all layouts equally likely.

    An uncounted component gets a local estimate from its constraints and counts towards the total with the
    nearest integer.
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
    """Return the odds with which polynomials are scaled, to stay within the range of floats."""
    if census.total is None:
        return PRIOR_ODDS
    mines = (census.total.low + census.total.high) / 2
    cells = census.total.size
    return min(max(mines / max(cells - mines, 0.5), 1e-3), 1e3)


def _tilted(layouts: Sequence[int], odds: float) -> list[float]:
    """Convert counts to floats, scaled by the odds per mine, with the largest at about 1."""
    most = max(layouts)
    if not most:
        return [0.0] * len(layouts)
    scaled = [number / most * odds**m for m, number in enumerate(layouts)]
    return _normal(scaled)


def _normal(numbers: list[float]) -> list[float]:
    most = max(numbers, default=0.0)
    return [number / most for number in numbers] if most > 0 else numbers


def _by_class(layouts: LayoutCounts, weights: list[float] | None) -> list[float] | None:
    """Risk of a cell of each class, given the weight of each number of mines; None without weights."""
    if weights is None:
        return None
    everything = sum(weights)
    likely = [(m, weight / everything) for m, weight in enumerate(weights) if weight > 0]
    return [min(sum(mine[m] / layouts.all[m] * share for m, share in likely), 1.0) for mine in layouts.mine]


def _weights(
    census: ComponentCounts, own: list[list[float]], odds: float
) -> tuple[list[list[float] | None], float | None]:
    """Weights of the mine numbers of each component, and the risk of an unconstrained cell.

    None for a part without any layout: it is contradictory, or an estimate missed the total.
    """
    total = census.total
    if total is None:
        alone = [numbers if max(numbers) > 0 else None for numbers in own]
        return alone, PRIOR_ODDS / (1 + PRIOR_ODDS)
    # before[c]: weight of each number of mines in the components before c, taken alone
    before = [_OffsetSeries(0, [1.0])]
    for numbers in own:
        before.append(_together(before[-1], numbers))
    beside, mines_beside = _elsewhere(census.rest.bit_count(), total, before[-1], odds)
    # behind: weight of everything from component c on if the components before it have s mines
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
    """Numbers for s = `first`, `first` + 1, …; all others are 0."""

    first: int
    values: list[float]


def _meet(one: _OffsetSeries, other: _OffsetSeries, shift: int = 0) -> float:
    begin = max(one.first, other.first - shift)
    return fsum(map(mul, one.values[begin - one.first :], other.values[begin + shift - other.first :]))


def _together(one: _OffsetSeries, numbers: list[float]) -> _OffsetSeries:
    """Multiply two polynomials and cut off negligible tails."""
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
    """Weights of the layouts of the `rest` cells that reach the total, by mines in the components.

    Returns the weights of all layouts and of those with a mine in one given cell, both divided by the odds
    per mine in the components and scaled alike.
    """
    numbers = range(held.first, held.first + len(held.values))
    # terms[k]: layouts of k mines times odds ** k, from the most likely k outwards to avoid overflow
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
    """Estimate the risks in an uncounted component: the mean of the densities of each cell's constraints."""
    suggested: dict[int, list[float]] = {}
    for constraint in part.constraints:
        share = (constraint.low + constraint.high) / 2 / constraint.size
        for k in bits(constraint.cells):
            suggested.setdefault(k, []).append(share)
    return {k: _inside(sum(shares) / len(shares)) for k, shares in suggested.items()}


def _lump(part: CountedComponent, estimates: dict[int, float]) -> list[float]:
    """Give an uncounted component all weight at its estimated number of mines."""
    held = sum(
        estimates[k]
        for one_class, is_counted in zip(part.classes, part.counted, strict=True)
        if is_counted
        for k in bits(one_class)
    )
    return [float(m == round(held)) for m in range(part.room + 1)]


def _leftover(census: ComponentCounts, by_cell: dict[int, float]) -> float:
    """Spread the mines that the components do not account for evenly over the rest."""
    assert census.total is not None
    held = sum(risk for k, risk in by_cell.items() if census.total.cells >> k & 1)
    mines = (census.total.low + census.total.high) / 2
    return _inside((mines - held) / census.rest.bit_count())


def _inside(risk: float) -> float:
    return min(max(risk, 0.01), 0.99)


def whole_board_probabilities(knowledge: Knowledge, counted: int, cap: int = MAX_STEPS) -> MineProbabilities:
    """Mine probabilities of a board that cannot be split into components.

    If the total is known, the whole board is counted cell by cell. If that takes more than `cap` steps, only
    the bounds among clue neighbours are used, and all risks are estimates. `counted` is the set of cells that
    can be mines if there is no total.
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
    """Keep only the bounds that lie within the cells of exact constraints."""
    exact = union_cells(c for c in knowledge.stated if c.is_exact and not c.is_global)
    kept = [c for c in knowledge.stated if c.is_exact or c.is_global or not c.cells & ~exact]
    return Knowledge.of(knowledge.undecided, kept)


def mine_probabilities(knowledge: Knowledge, counted: int) -> MineProbabilities:
    """Mine probabilities of all undecided cells, with all layouts equally likely.

    `counted` is the set of cells that can be mines if there is no total. Risks of 0 and 1 occur only if all
    layouts agree. Positions beyond the kernels (a very wide frontier, a component with more layouts than a
    double can count) are counted with exact integers, and those beyond that as a whole board.
    """
    position = KernelInput.of(knowledge, counted)
    found = survey(position.arrays, thread_memory())
    if found.is_valid:
        by_cell = dict(zip(position.cells[: position.bound], found.risks, strict=True))
        return MineProbabilities(by_cell, cell_set(position.cells[position.bound :]), found.rest_risk)
    census = count_components(knowledge, counted)
    return (
        exact_probabilities(census) if census.is_complete else whole_board_probabilities(knowledge, counted)
    )


def can_be_certain(knowledge: Knowledge) -> bool:
    """Return False if all layouts were counted and they agree on no undecided cell.

    Also True without a known mine total, where nothing is counted. True proves nothing; False saves a futile
    search.
    """
    return knowledge.once(_can_be_certain)


def _can_be_certain(knowledge: Knowledge) -> bool:
    total = mine_total(knowledge)
    if total is None:
        return True
    position = KernelInput.of(knowledge, total.cells)
    found = survey(position.arrays, thread_memory())
    if not found.is_valid:
        return True
    has_rest = len(position.cells) > position.bound
    is_open = all(0.0 < risk < 1.0 for risk in found.risks)
    return not is_open or (has_rest and not 0.0 < found.rest_risk < 1.0)
