"""Candidates for a guess, weighed by what each number that they may show would lead to."""

from __future__ import annotations

import math

import numpy as np

from strategies.compiled.counting.survey import Survey, all_risks
from strategies.compiled.field import Field
from strategies.compiled.guessing.ahead import BEST, CERTAIN, NUMBERS, SHARE, STUCK, look_ahead
from strategies.compiled.guessing.fours import find_fours
from strategies.compiled.guessing.pockets import find_pockets
from strategies.compiled.guessing.twos import find_twos
from strategies.compiled.settings import Settings
from strategies.compiled.tables import Floats, Ints, Tables

IS_SAFE, SCORE, SECOND, PROGRESS, FIGURES = 0, 1, 2, 3, 4  # columns of a cell's figures
NO_CANDIDATE = 9.0  # behind all others


def weigh_candidates(
    field: Field, found: Survey, most_tried: float, pockets: float, settings: Settings, tables: Tables,
    figures: Floats,
) -> tuple[int, float]:  # fmt: skip
    """Look one move ahead from the cells that are nearly the safest; the best cell and its score.

    Cells of groups of fewer than `pockets` are left out while there are others. `figures` knows how safe
    each cell is and takes the rest of the cells that were looked at.
    """
    twos, stuck = find_twos(field, found, int(settings.apart), settings.unlikely)
    fours, never = find_fours(field, found, settings.unlikely if settings.fours > 0.0 else 1.1, tables)
    due = settings.due * lost_anyhow(len(field.openable), twos, stuck, fours, settings.fours * never)
    priority = priorities(field, found, settings, figures, due)
    if pockets > 0.0:
        leave_pockets(field, int(pockets), priority)
    best, chosen = -1.0, -1
    outcomes = np.zeros((NUMBERS, 4), np.float64)
    rest_left = int(settings.away)
    tried = 0
    while tried < most_tried:
        k = int(np.argmin(priority))
        if priority[k] == NO_CANDIDATE:
            break
        priority[k] = NO_CANDIDATE
        if k >= field.bound:
            if rest_left == 0:
                continue
            rest_left -= 1
        safe = figures[k, IS_SAFE]
        if settings.by_risk == 0.0 and at_most(safe, settings) <= best:
            continue
        tried += 1
        rows = look_ahead(field, found, k, twos, stuck, tables, outcomes)
        if rows < 0:
            figures[k, SCORE] = 0.5 * safe * safe
            if chosen < 0:
                chosen = k
            continue
        leave_fours(outcomes[:rows], k, fours, settings.fours * never)
        weigh_outcomes(outcomes[:rows], settings, figures[k])
        if figures[k, SCORE] > best + 1e-9:
            best = figures[k, SCORE]
            chosen = k
    return chosen, best


def leave_pockets(field: Field, most: int, priority: Floats) -> None:
    """Cells of pockets are no candidates while there are others."""
    pockets = find_pockets(field, most)
    others = 0
    for k in range(len(pockets)):
        others += priority[k] != NO_CANDIDATE and not pockets[k]
    for k in range(len(pockets)):
        if others and pockets[k]:
            priority[k] = NO_CANDIDATE


def lost_anyhow(cells: int, twos: Ints, stuck: Floats, fours: Ints, never: Floats) -> Floats:
    """For each cell the chance that it is a mine of an unavoidable 50/50: that loses later as well as now."""
    lost = np.zeros(cells, np.float64)
    for t in range(len(twos)):
        lost[twos[t, 0]] += 0.5 * stuck[t]
        lost[twos[t, 1]] += 0.5 * stuck[t]
    for i in range(len(fours)):
        for t in range(1, 5):
            lost[fours[i, t]] += 0.5 * never[i]
    return lost


def leave_fours(outcomes: Floats, cell: int, fours: Ints, never: Floats) -> None:
    """The chance to be stuck, with those fours that opening this cell is no end of."""
    free = 1.0
    for i in range(len(fours)):
        ends = False
        for t in range(1, 5 + fours[i, 0]):
            ends = ends or fours[i, t] == cell
        if not ends:
            free *= 1.0 - 0.5 * never[i]
    for v in range(len(outcomes)):
        outcomes[v, STUCK] = 1.0 - (1.0 - outcomes[v, STUCK]) * free


def priorities(field: Field, found: Survey, settings: Settings, figures: Floats, due: Floats) -> Floats:
    """In which order the cells are looked at, the lowest first: bound ones by risk, the rest by its zeros.

    Of a risk that is nearly the lowest without what is `due` anyhow.
    """
    openable, bound, around_start, around = field.openable, field.bound, field.around_start, field.around
    risks = all_risks(field, found)
    cells = len(openable)
    lowest = 1.0
    for k in range(cells):
        if openable[k]:
            lowest = min(lowest, 1.0 - figures[k, IS_SAFE])
    near = settings.near if lowest > 0.0 else 0.0
    result = np.full(cells, NO_CANDIDATE)
    for k in range(cells):
        own = risks[k]
        if not openable[k] or own == 1.0 or own - min(due[k], own) > lowest + near:
            continue
        zero = 1.0 - own
        touching = 0.0
        for t in range(around_start[k], around_start[k + 1]):
            zero *= 1.0 - risks[around[t]]
            touching += around[t] < bound
        if k >= bound:
            result[k] = 2.0 - zero - 0.001 * touching
        else:
            result[k] = own - 1e-6 * zero
    return result


def weigh_outcomes(outcomes: Floats, settings: Settings, row: Floats) -> None:
    """Fill a cell's row of figures from what each of its numbers would lead to."""
    safe = row[IS_SAFE]
    score, second, progress, hope, entropy = 0.0, 0.0, 0.0, 0.0, 0.0
    for v in range(len(outcomes)):
        share = outcomes[v, SHARE]
        if share == 0.0:
            continue
        certain = outcomes[v, CERTAIN]
        second += share * outcomes[v, BEST]
        progress += share * certain
        hope += share if certain > 0.0 else 0.0
        entropy -= share * math.log(share)
        worth = outcomes[v, BEST]
        if certain > 0.0:
            worth = 1.0 + settings.gain * (1.0 - math.exp(-certain * settings.quick_gain))
        score += share * worth * (1.0 - outcomes[v, STUCK]) ** settings.stuck
    row[SCORE] = safe * score
    if settings.by_risk > 0.0:
        row[SCORE] = safe * (1.0 + 1e-5 * hope + 1e-7 * entropy)
    row[SECOND] = safe * second
    row[PROGRESS] = progress


def at_most(safe: float, settings: Settings) -> float:
    """No score of a cell so safe is above this."""
    return safe * (1.0 + settings.gain)
