"""Joining counts through the mine total: polynomials in the number of mines; small terms never vanish."""

from __future__ import annotations

import math

import numpy as np

from strategies.compiled.tables import SMALLEST, Floats


def scale(numbers: Floats) -> float:
    """Divide a polynomial by its greatest coefficient, which is the answer; one without any stays so."""
    most = 0.0
    for m in range(len(numbers)):
        most = max(most, numbers[m])
    for m in range(len(numbers)):
        if numbers[m] > 0.0:
            numbers[m] = max(numbers[m] / most, SMALLEST)
    return most


def product(one: Floats, other: Floats, result: Floats) -> None:
    """Fill in the product of two polynomials."""
    result[:] = 0.0
    for i in range(len(one)):
        if one[i] > 0.0:
            for j in range(len(other)):
                if other[j] > 0.0:
                    result[i + j] += max(one[i] * other[j], SMALLEST)


def meet(numbers: Floats, weights: Floats, result: Floats) -> None:
    """Fill in for each m the sum over s of numbers[s] * weights[s + m]."""
    for m in range(len(result)):
        result[m] = sum_from(numbers, weights, m)


def sum_from(numbers: Floats, weights: Floats, m: int) -> float:
    """One of these sums."""
    total = 0.0
    for s in range(min(len(numbers), len(weights) - m)):
        if numbers[s] > 0.0 and weights[s + m] > 0.0:
            total += max(numbers[s] * weights[s + m], SMALLEST)
    return total


def rest_weights(rest: int, low: int, high: int, odds: float, length: int) -> tuple[Floats, Floats, Floats]:
    """How many layouts the `rest` cells have when all others hold m mines, m below `length`.

    All of them, those with a mine in one given cell, and those without.

    Between `low` and `high` mines in all; `high` is -1 when no total is known, then each mine weighs `odds`.
    All are scaled alike, by the likeliest term.
    """
    every = np.zeros(length, np.float64)
    mine = np.zeros(length, np.float64)
    safe = np.zeros(length, np.float64)
    if high < 0:
        weight = 1.0
        for m in range(length):
            every[m] = weight
            mine[m] = weight * odds / (1.0 + odds)
            safe[m] = weight / (1.0 + odds)
            weight = max(weight * odds, SMALLEST)
        return every, mine, safe
    lowest, highest = max(low - length + 1, 0), min(high, rest)
    if lowest > highest:
        return every, mine, safe
    peak = min(max(rest // 2, lowest), highest)
    terms = np.zeros(highest + 1, np.float64)
    terms[peak] = 1.0
    for k in range(peak, highest):
        terms[k + 1] = max(terms[k] * (rest - k) / (k + 1), SMALLEST)
    for k in range(peak, lowest, -1):
        terms[k - 1] = max(terms[k] * k / (rest - k + 1), SMALLEST)
    for m in range(length):
        for number in range(max(low, m), min(high, m + highest) + 1):
            k = number - m
            if k >= lowest:
                every[m] += terms[k]
                if rest:
                    mine[m] += terms[k] * k / rest
                    safe[m] += terms[k] * (rest - k) / rest
    return every, mine, safe


def rest_log(rest: int, least: int, most: int, length: int) -> float:
    """The logarithm of what `rest_weights` has divided by; 0 when no total is known."""
    lowest, highest = max(least - length + 1, 0), min(most, rest)
    if most < 0 or lowest > highest:
        return 0.0
    peak = min(max(rest // 2, lowest), highest)
    return math.lgamma(rest + 1.0) - math.lgamma(peak + 1.0) - math.lgamma(rest - peak + 1.0)
