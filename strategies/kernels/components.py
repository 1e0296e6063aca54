"""The risk of every cell: count each component, and join the counts through the mine total.

Numbers of layouts are polynomials in the number of mines. Possible terms never become 0.
"""

from __future__ import annotations

import math

from strategies.kernels import classes, layouts
from strategies.kernels.arrays import ConstraintRows, PositionArrays
from strategies.kernels.classes import CellClasses, ClassOrder
from strategies.kernels.layouts import ClassShares, CountingLevels, CountingMemory, StateBuffers
from strategies.kernels.memory import Memory
from strategies.kernels.settings import SMALLEST, Floats, Ints, Survey

LARGEST = 400  # cells of one component: a double holds the number of their layouts
ALMOST = 1.0 - 2.0**-53  # highest risk of a cell that may be safe


def normalize(numbers: Floats, length: int) -> float:
    """Divide a polynomial by its largest coefficient, and return that; a zero polynomial stays."""
    most = 0.0
    for m in range(length):
        most = max(most, numbers[m])
    for m in range(length):
        if numbers[m] > 0.0:
            numbers[m] = max(numbers[m] / most, SMALLEST)
    return most


def convolve(one: Floats, length: int, other: Floats, other_length: int, result: Floats) -> None:
    """Add the product of two polynomials to `result`."""
    for i in range(length):
        if one[i] > 0.0:
            for j in range(other_length):
                if other[j] > 0.0:
                    result[i + j] += max(one[i] * other[j], SMALLEST)


def correlate(
    numbers: Floats, length: int, weights: Floats, weights_length: int, result: Floats, result_length: int
) -> None:
    """Set result[m] to the sum over s of numbers[s] * weights[s + m]."""
    for m in range(result_length):
        result[m] = shifted_sum(numbers, length, weights, weights_length, m)


def shifted_sum(numbers: Floats, length: int, weights: Floats, weights_length: int, m: int) -> float:
    """Return the sum over s of numbers[s] * weights[s + m]."""
    total = 0.0
    for s in range(min(length, weights_length - m)):
        if numbers[s] > 0.0 and weights[s + m] > 0.0:
            total += max(numbers[s] * weights[s + m], SMALLEST)
    return total


class OutsideWeights:
    """Weight of the layouts of all other cells, for each number of mines inside.

    Of all of them; of those with a mine in one given unconstrained cell; and of those without. `scale` is the
    logarithm of the scale of all weights.
    """

    every: Floats
    mine: Floats
    safe: Floats
    scale: float


def empty_weights(length: int, memory: Memory) -> OutsideWeights:
    """Return zero weights."""
    weights = OutsideWeights()
    weights.every, weights.mine = memory.floats(length, 0.0), memory.floats(length, 0.0)
    weights.safe, weights.scale = memory.floats(length, 0.0), 0.0
    return weights


def rest_weights(
    rest: int, least: int, most: int, odds: float, length: int, memory: Memory
) -> OutsideWeights:
    """Weigh the layouts of `rest` unconstrained cells if all other cells have m mines, for m below `length`.

    There are `least` to `most` mines; if `most` is -1, each mine has the weight `odds`. The most likely term
    gives the scale.
    """
    weights = empty_weights(length, memory)
    every, mine, safe = weights.every, weights.mine, weights.safe
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
    """The count of one component: `numbers[m]` is the weight of m mines, m below `length`.

    `before` is the product of the numbers of all earlier components.
    """

    levels: CountingLevels
    length: int
    numbers: Floats
    before_length: int
    before: Floats


def ordered_components(placing: ClassOrder, component_of: Ints, memory: Memory) -> list[Component]:
    """Return the components without their counts; fill in the component of each class."""
    components: list[Component] = []
    for c in range(placing.components):
        begin, end = placing.starts[c], placing.starts[c + 1]
        component = Component()
        component.levels = layouts.make_levels(placing.order, begin, end, memory)
        components.append(component)
        for p in range(begin, end):
            component_of[placing.order[p]] = c
    return components


def count_components(
    groups: CellClasses,
    components: list[Component],
    rows: ConstraintRows,
    buffers: StateBuffers,
    memory: CountingMemory,
) -> float:
    """Fill in the numbers of each component; return the logarithm of their scale, -1 if the count fails."""
    size = 0.0
    for component in components:
        levels = component.levels
        cells = 0
        for p in range(levels.count):
            cells += groups.size[levels.order[p]]
        if cells > LARGEST or layouts.count_forward(groups, levels, rows, -1, buffers, memory) < 0:
            return -1.0
        component.length = layouts.most_mines(levels, memory) + 1
        component.numbers = memory.floats(component.length, 0.0)
        layouts.add_layouts(levels, memory, component.numbers)
        most = normalize(component.numbers, component.length)
        if most == 0.0:
            return -1.0
        size += math.log(most)
    return size


class RiskSurvey:
    """The result of `survey_risks`; only `is_valid` counts if it is False.

    Of each cell: its risk (0 or 1 only if all layouts agree), which is `rest_risk` for all unconstrained
    cells. Of each bound cell: its component and class, and the probability that it and another cell of its
    class differ. `size` is the logarithm of the number of layouts.
    """

    is_valid: bool
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
    risks = [found.risks[k] for k in range(position.bound)] if found.is_valid else []
    result = Survey(found.is_valid, risks, found.rest_risk, found.size)
    memory.release(mark)
    return result


def survey_risks(position: PositionArrays, rows: ConstraintRows, memory: CountingMemory) -> RiskSurvey:
    """Count the layouts that satisfy `rows`. Fails if the position is too wide or too large, or has none."""
    found = RiskSurvey()
    found.is_valid, found.rest_risk, found.size = False, 0.0, 0.0
    groups = classes.cell_classes(position.counted, position.bound, rows, memory)
    component_of = memory.empty_ints(groups.count)
    components = ordered_components(classes.order_classes(groups, -1, memory), component_of, memory)
    layouts.reset_memory(memory)
    size = count_components(groups, components, rows, layouts.state_buffers(rows, memory), memory)
    if size < 0.0:
        return found
    length = 1
    for component in components:
        length += component.length - 1
    rest = position.cells - position.bound
    outside = rest_weights(rest, position.least, position.most, position.odds, length, memory)
    size += outside.scale
    everything, width = memory.floats(1, 1.0), 1
    for component in components:
        component.before, component.before_length = everything, width
        width += component.length - 1
        everything = memory.floats(width, 0.0)
        convolve(component.before, component.before_length, component.numbers, component.length, everything)
        size += math.log(normalize(everything, width))
    whole = shifted_sum(everything, width, outside.every, length, 0)
    if whole == 0.0:
        return found
    found.rest_risk = risk_of(
        shifted_sum(everything, width, outside.mine, length, 0),
        shifted_sum(everything, width, outside.safe, length, 0),
    )
    shares = layouts.empty_shares(groups.count, memory)
    component_shares(groups, components, outside.every, length, memory, shares)
    found.component, found.components = memory.empty_ints(groups.cells), components
    found.risks = memory.floats(position.cells, found.rest_risk)
    found.differs = memory.floats(groups.cells, 0.0)
    for k in range(groups.cells):
        b = groups.of_cell[k]
        found.component[k] = component_of[b]
        found.risks[k] = risk_of(shares.mine[b], shares.safe[b])
        found.differs[k] = shares.differ[b] / (shares.mine[b] + shares.safe[b])
    found.of_cell = groups.of_cell
    found.size = size + math.log(whole)
    found.is_valid = True
    return found


def component_shares(
    groups: CellClasses,
    components: list[Component],
    outside: Floats,
    length: int,
    memory: CountingMemory,
    shares: ClassShares,
) -> None:
    """Fill in the shares of all classes; `outside` are the weights of the unconstrained cells."""
    behind = outside
    for component in components[::-1]:
        weights = memory.floats(component.length, 0.0)
        correlate(component.before, component.before_length, behind, length, weights, component.length)
        normalize(weights, component.length)
        layouts.weigh_backward(groups, component.levels, weights, 0, -1, memory, shares)
        row = memory.floats(component.before_length, 0.0)
        correlate(component.numbers, component.length, behind, length, row, component.before_length)
        normalize(row, component.before_length)
        behind, length = row, component.before_length


def risk_of(mine: float, safe: float) -> float:
    """Return the share of `mine`; 0 or 1 only if the other weight is 0."""
    if mine == 0.0:
        return 0.0
    if safe == 0.0:
        return 1.0
    return min(mine / (mine + safe), ALMOST)
