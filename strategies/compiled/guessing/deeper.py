"""A second look at the most promising candidates: each number followed by one move more."""

from __future__ import annotations

import math

import numpy as np

from strategies.compiled.counting.survey import risk, survey
from strategies.compiled.field import Field, field_after
from strategies.compiled.guessing.candidates import FIGURES, IS_SAFE, SCORE, at_most, weigh_candidates
from strategies.compiled.settings import Settings
from strategies.compiled.tables import Floats, Tables


def look_deeper(field: Field, chosen: int, settings: Settings, tables: Tables, figures: Floats) -> int:
    """Score the most promising cells anew; the best of them, `chosen` when there are none.

    Those that were not followed rank behind those that were.
    """
    cells = len(field.openable)
    first_scores = figures[:cells, SCORE].copy()
    best, found = -1.0, chosen
    for _ in range(int(settings.deep)):
        k = int(np.argmax(first_scores))
        if first_scores[k] < 0.0:
            break
        first_scores[k] = -1.0
        if at_most(figures[k, IS_SAFE], settings) <= best:
            continue
        figures[k, SCORE] = figures[k, IS_SAFE] * value_opened(field, k, settings, tables)
        if figures[k, SCORE] > best + 1e-9:
            best = figures[k, SCORE]
            found = k
    for k in range(cells):
        if first_scores[k] >= 0.0:
            figures[k, SCORE] = min(first_scores[k], best) * 0.999
    return found


def value_opened(field: Field, cell: int, settings: Settings, tables: Tables) -> float:
    """What the game is worth when `cell` was opened safely: the mean over the numbers that it may show."""
    shown = field.around_start[cell + 1] - field.around_start[cell]
    values = np.zeros(shown + 1, np.float64)
    sizes = np.full(shown + 1, -1e300, np.float64)
    for v in range(shown + 1):
        values[v], sizes[v] = value_of(field_after(field, cell, v), settings, tables)
    top = sizes.max()
    value, whole = 0.0, 0.0
    for v in range(shown + 1):
        share = math.exp(sizes[v] - top)
        whole += share
        value += share * values[v]
    return value / whole


def value_of(field: Field, settings: Settings, tables: Tables) -> tuple[float, float]:
    """What the best move of a position is worth, and the logarithm of its number of layouts."""
    found = survey(field, tables)
    if not found.worked:
        return 0.0, -1e300
    cells = len(field.openable)
    figures = np.zeros((cells, FIGURES), np.float64)
    undecided = 0
    for k in range(cells):
        own = risk(field, found, k)
        figures[k, IS_SAFE] = 1.0 - own
        undecided += 0.0 < own < 1.0
    if undecided == 0:
        return 1.0 + settings.gain, found.size
    _, best = weigh_candidates(field, found, settings.replies, settings, tables, figures)
    return best, found.size
