"""Look-ahead depth 2 for the most promising candidates: each number followed by one move more."""

from __future__ import annotations

import numpy as np

from strategies.compiled.counting.survey import Survey, all_risks, survey
from strategies.compiled.field import Field, field_after
from strategies.compiled.guessing.ahead import BEST, NUMBERS, SHARE, look_ahead
from strategies.compiled.guessing.candidates import FIGURES, IS_SAFE, SCORE, SECOND, at_most, weigh_candidates
from strategies.compiled.settings import Settings
from strategies.compiled.tables import Floats, Tables

BEHIND = 0.999  # of the best score: what a cell that is not the best is shown with at most


def look_deeper(
    field: Field, found: Survey, chosen: int, settings: Settings, tables: Tables, figures: Floats
) -> int:
    """Score the most promising cells again; the best of them, `chosen` when there are none.

    Those that were not followed, or not to the end since they could not be the best any more, rank behind
    the best.
    """
    cells = len(field.openable)
    first_scores = figures[:cells, SCORE].copy()
    best, winner = -1.0, chosen
    for _ in range(int(settings.deep)):
        k = int(np.argmax(first_scores))
        if first_scores[k] < 0.0:
            break
        if at_most(figures[k, SECOND], settings) <= best:
            first_scores[k] = -1.0
            figures[k, SCORE] = min(figures[k, SECOND], best * BEHIND)
            continue
        first_scores[k] = -1.0
        safe = figures[k, IS_SAFE]
        figures[k, SCORE] = safe * value_opened(field, found, k, best / safe, settings, tables)
        if figures[k, SCORE] > best + 1e-9:
            best = figures[k, SCORE]
            winner = k
    for k in range(cells):
        if first_scores[k] >= 0.0:
            figures[k, SCORE] = min(first_scores[k], best) * BEHIND
    return winner


def value_opened(
    field: Field, found: Survey, cell: int, need: float, settings: Settings, tables: Tables
) -> float:
    """What the game is worth when `cell` was opened safely: the mean over the numbers that it may show.

    Numbers are followed, the likeliest first, until the answer is clearly no more than `need`; it is then
    some value that is no less than the truth.
    """
    outcomes = np.zeros((NUMBERS, 4), np.float64)
    nobody, never = np.zeros((0, 3), np.int64), np.zeros(0, np.float64)
    rows = look_ahead(field, found, cell, nobody, never, tables, outcomes)
    if rows < 0:
        return 0.0
    value = 0.0
    for v in range(rows):
        value += outcomes[v, SHARE] * outcomes[v, BEST]
    value = at_most(value, settings)
    while value > need:
        v = int(np.argmax(outcomes[:rows, SHARE]))
        share = float(outcomes[v, SHARE])
        if share == 0.0:
            break
        outcomes[v, SHARE] = 0.0
        value += share * (
            value_of(field_after(field, cell, v), settings, tables) - at_most(outcomes[v, BEST], settings)
        )
    return value


def value_of(field: Field, settings: Settings, tables: Tables) -> float:
    """What the best move of a position is worth."""
    found = survey(field, tables)
    if not found.worked:
        return 0.0
    risks = all_risks(field, found)
    figures = np.zeros((len(risks), FIGURES), np.float64)
    figures[:, IS_SAFE] = 1.0 - risks
    if not ((risks > 0.0) & (risks < 1.0)).any():
        return 1.0 + settings.gain
    return weigh_candidates(field, found, settings.replies, 0.0, settings, tables, figures)[1]
