"""The risk of every cell: count each component, and join the counts through the mine total."""

from __future__ import annotations

import math

from strategies.kernels import counting
from strategies.kernels.arrays import ConstraintRows, PositionArrays
from strategies.kernels.counting import ClassShares, CountingLevels, CountingMemory, LayoutCounter
from strategies.kernels.memory import Memory
from strategies.kernels.settings import Floats, Ints, Survey

SMALLEST = 1e-290  # least weight of a possible layout, so that underflow cannot make it impossible
ALMOST = 1.0 - 2.0**-53  # highest risk of a cell that may be safe


class Polynomial:
    """Numbers of layouts: `terms[m]` times `scale` with m mines, m below `length`.

    The term of a possible number of mines never becomes 0.
    """

    length: int
    terms: Floats
    scale: float


def zero_polynomial(length: int, memory: Memory) -> Polynomial:
    """Return a polynomial whose terms are 0."""
    result = Polynomial()
    result.length, result.terms, result.scale = length, memory.floats(length, 0.0), 1.0
    return result


def normalize(numbers: Polynomial) -> None:
    """Divide the terms by the largest of them, which becomes the scale."""
    most, terms = 0.0, numbers.terms
    for m in range(numbers.length):
        most = max(most, terms[m])
    for m in range(numbers.length):
        if terms[m] > 0.0:
            terms[m] = max(terms[m] / most, SMALLEST)
    numbers.scale = most


def convolve(one: Polynomial, other: Polynomial, memory: Memory) -> Polynomial:
    """Return the product of the terms of two polynomials, normalized."""
    result = zero_polynomial(one.length + other.length - 1, memory)
    for i in range(one.length):
        if one.terms[i] > 0.0:
            for j in range(other.length):
                if other.terms[j] > 0.0:
                    result.terms[i + j] += max(one.terms[i] * other.terms[j], SMALLEST)
    normalize(result)
    return result


def shifted_sum(numbers: Polynomial, weights: Polynomial, m: int) -> float:
    """Return the sum over s of numbers[s] * weights[s + m]."""
    total = 0.0
    for s in range(min(numbers.length, weights.length - m)):
        if numbers.terms[s] > 0.0 and weights.terms[s + m] > 0.0:
            total += max(numbers.terms[s] * weights.terms[s + m], SMALLEST)
    return total


def correlate(numbers: Polynomial, weights: Polynomial, length: int, memory: Memory) -> Polynomial:
    """Return `shifted_sum` for each m below `length`."""
    result = zero_polynomial(length, memory)
    for m in range(length):
        result.terms[m] = shifted_sum(numbers, weights, m)
    return result


class OutsideWeights:
    """Weight of the layouts of all other cells, for each number of mines inside.

    Of all of them; of those with a mine in one given unconstrained cell; and of those without. `scale` is the
    logarithm of the scale of all weights.
    """

    every: Polynomial
    mine: Polynomial
    safe: Polynomial
    scale: float


def rest_weights(position: PositionArrays, rest: int, length: int, memory: Memory) -> OutsideWeights:
    """Weigh the layouts of `rest` unconstrained cells if all other cells have m mines, for m below `length`.

    The most likely term gives the scale.
    """
    least, most, odds = position.least, position.most, position.odds
    weights = OutsideWeights()
    weights.every, weights.mine = zero_polynomial(length, memory), zero_polynomial(length, memory)
    weights.safe, weights.scale = zero_polynomial(length, memory), 0.0
    every, mine, safe = weights.every.terms, weights.mine.terms, weights.safe.terms
    if most < 0:
        weight = 1.0
        for m in range(length):
            every[m] = weight
            mine[m] = weight * odds / (1.0 + odds)
            safe[m] = weight / (1.0 + odds)
            weight = max(weight * odds, SMALLEST)
        return weights
    lowest, highest = max(least - length + 1, 0), min(most, rest)
    if lowest > highest:
        return weights
    peak = min(max(rest // 2, lowest), highest)
    weights.scale = log_factorial(rest) - log_factorial(peak) - log_factorial(rest - peak)
    terms = memory.floats(highest + 1, 0.0)
    terms[peak] = 1.0
    for k in range(peak, highest):
        terms[k + 1] = max(terms[k] * (rest - k) / (k + 1), SMALLEST)
    for k in range(peak, lowest, -1):
        terms[k - 1] = max(terms[k] * k / (rest - k + 1), SMALLEST)
    for m in range(length):
        for number in range(max(least, m), min(most, m + highest) + 1):
            k = number - m
            if k >= lowest:
                every[m] += terms[k]
                if rest:
                    mine[m] += terms[k] * k / rest
                    safe[m] += terms[k] * (rest - k) / rest
    return weights


def log_factorial(n: int) -> float:
    """Return the logarithm of n!: Stirling's series, with the coefficients of `lgamma` in FreeBSD and glibc.

    `math.lgamma` differs between Python and C, and between platforms.
    """
    if n < 7:
        product = 1.0
        for k in range(2, n + 1):
            product *= k
        return math.log(product)
    x = n + 1.0
    z = 1.0 / x
    y = z * z
    w = -5.95187557450339963135e-04 + y * (8.36339918996282139126e-04 + y * -1.63092934096575273989e-03)
    w = -2.77777777728775536470e-03 + y * (7.93650558643019558500e-04 + y * w)
    w = 4.18938533204672725052e-01 + z * (8.33333333333329678849e-02 + y * w)
    return (x - 0.5) * (math.log(x) - 1.0) + w


class Component:
    """The count of one component; `before` is the product of the numbers of all earlier components."""

    levels: CountingLevels
    numbers: Polynomial
    before: Polynomial


def count_components(counter: LayoutCounter, component_of: Ints) -> list[Component] | None:
    """Count each component; fill in the component of each class. None if a count fails or finds no layout."""
    groups, memory = counter.groups, counter.memory
    placing = counting.order_classes(groups, -1, memory)
    components: list[Component] = []
    for c in range(placing.components):
        begin, end = placing.starts[c], placing.starts[c + 1]
        component = Component()
        component.levels = counting.make_levels(placing.order, begin, end, memory)
        cells = 0
        for p in range(begin, end):
            component_of[placing.order[p]] = c
            cells += groups.size[placing.order[p]]
        if cells > counting.LARGEST or not counting.count_forward(counter, component.levels):
            return None
        component.numbers = zero_polynomial(counting.most_mines(component.levels, memory) + 1, memory)
        counting.add_layouts(component.levels, memory, component.numbers.terms)
        normalize(component.numbers)
        if component.numbers.scale == 0.0:
            return None
        components.append(component)
    return components


class RiskSurvey:
    """The result of `survey_risks`.

    Of each cell: its risk (0 or 1 only if all layouts agree), which is `rest_risk` for all unconstrained
    cells. Of each bound cell: its component and class, and the probability that it and another cell of its
    class differ. `size` is the logarithm of the number of layouts.
    """

    position: PositionArrays
    memory: CountingMemory
    risks: Floats
    rest_risk: float
    component: Ints
    components: list[Component]
    differs: Floats
    of_cell: Ints
    size: float


def survey(position: PositionArrays, memory: CountingMemory) -> Survey:
    """Count the layouts of a position, for callers outside the kernels."""
    mark = memory.mark()
    found = survey_risks(position, position.rows, memory)
    result = (
        Survey(True, [found.risks[k] for k in range(position.bound)], found.rest_risk, found.size)
        if found is not None
        else Survey(False, [], 0.0, 0.0)
    )
    memory.release(mark)
    return result


def survey_risks(position: PositionArrays, rows: ConstraintRows, memory: CountingMemory) -> RiskSurvey | None:
    """Count the layouts that satisfy `rows`. None if the position is too wide or too large, or has none."""
    counter = counting.make_counter(position.counted, position.bound, rows, -1, memory)
    groups = counter.groups
    component_of = memory.ints(groups.count, 0)
    components = count_components(counter, component_of)
    if components is None:
        return None
    component: Component
    size, length = 0.0, 1
    for component in components:
        size += math.log(component.numbers.scale)
        length += component.numbers.length - 1
    outside = rest_weights(position, position.cells - position.bound, length, memory)
    size += outside.scale
    everything = zero_polynomial(1, memory)
    everything.terms[0] = 1.0
    for component in components:
        component.before = everything
        everything = convolve(everything, component.numbers, memory)
        size += math.log(everything.scale)
    whole = shifted_sum(everything, outside.every, 0)
    if whole == 0.0:
        return None
    found = RiskSurvey()
    found.position, found.memory, found.components = position, memory, components
    found.size = size + math.log(whole)
    found.rest_risk = risk_of(
        shifted_sum(everything, outside.mine, 0), shifted_sum(everything, outside.safe, 0)
    )
    shares = component_shares(counter, components, outside.every)
    found.component, found.of_cell = memory.ints(position.bound, 0), groups.of_cell
    found.risks = memory.floats(position.cells, found.rest_risk)
    found.differs = memory.floats(position.bound, 0.0)
    for k in range(position.bound):
        b = groups.of_cell[k]
        found.component[k] = component_of[b]
        found.risks[k] = risk_of(shares.mine[b], shares.safe[b])
        found.differs[k] = shares.differ[b] / (shares.mine[b] + shares.safe[b])
    return found


def component_shares(counter: LayoutCounter, components: list[Component], outside: Polynomial) -> ClassShares:
    """Return the shares of all classes; `outside` are the weights of the unconstrained cells."""
    memory = counter.memory
    shares = counting.no_shares(counter.groups.count, memory)
    component: Component
    for component in components[::-1]:
        weights = correlate(component.before, outside, component.numbers.length, memory)
        normalize(weights)
        counting.weigh_backward(counter, component.levels, weights.terms, -1, shares)
        outside = correlate(component.numbers, outside, component.before.length, memory)
        normalize(outside)
    return shares


def risk_of(mine: float, safe: float) -> float:
    """Return the share of `mine`; 0 or 1 only if the other weight is 0."""
    if mine == 0.0:
        return 0.0
    if safe == 0.0:
        return 1.0
    return min(mine / (mine + safe), ALMOST)
