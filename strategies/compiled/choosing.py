"""Choosing a cell when nothing is certain."""

from __future__ import annotations

import math

import numpy as np

from strategies.compiled.after import position_after
from strategies.compiled.ahead import BEST, CERTAIN, NUMBERS, SHARE, STUCK, find_twins, look_ahead
from strategies.compiled.endgame import best_opening, list_layouts, values_of
from strategies.compiled.survey import survey
from strategies.compiled.tables import Floats, Ints, Tables

FAILED, SAFE, SOLVED, WEIGHED = -1, 0, 1, 2
# places of the settings (settings.py), …
(
    LAYOUTS,
    WORK,
    NEAR,
    CANDIDATES,
    AWAY,
    DEEP,
    REPLIES,
    GAIN,
    QUICK_GAIN,
    APART,
    UNLIKELY,
    STUCK_WEIGHT,
    SPLIT,
    BY_RISK,
) = range(14)
# … and of a cell's figures
IS_SAFE, SCORE, SECOND, PROGRESS, FIGURES = 0, 1, 2, 3, 4


def choose(
    bound: int,
    counted: Ints,
    openable: Ints,
    start: Ints,
    members: Ints,
    low: Ints,
    high: Ints,
    around_start: Ints,
    around: Ints,
    least: int,
    most: int,
    odds: float,
    par: Floats,
    marks: Ints,
    tables: Tables,
    figures: Floats,
) -> tuple[int, int]:
    """Fill `figures`, a row for each undecided cell; the way that was taken, and the best cell."""
    cells = len(openable)
    worked, risks, rest_risk, part, lengths, numbers, differs, box, size_log = survey(
        counted, start, members, low, high, cells - bound, least, most, odds, tables
    )
    if not worked:
        return FAILED, -1
    lowest = 1.0
    safest = -1
    for k in range(cells):
        risk = risks[k] if k < bound else rest_risk
        figures[k, IS_SAFE] = 1.0 - risk
        figures[k, SCORE] = -1.0
        if openable[k] and risk < lowest:
            lowest = risk
            safest = k
    if safest < 0:
        return FAILED, -1
    if lowest == 0.0:
        return SAFE, safest
    if least == most and size_log < math.log(par[LAYOUTS] + 0.5):
        chosen = solve_rest(
            bound,
            counted,
            start,
            members,
            low,
            high,
            around_start,
            around,
            least,
            most,
            risks,
            rest_risk,
            cells,
            par,
            marks,
            figures,
        )
        if chosen >= 0:
            return SOLVED, chosen
    chosen, _ = weigh_candidates(
        bound,
        counted,
        openable,
        start,
        members,
        low,
        high,
        around_start,
        around,
        least,
        most,
        odds,
        risks,
        rest_risk,
        part,
        lengths,
        numbers,
        differs,
        box,
        lowest,
        par,
        par[CANDIDATES],
        tables,
        figures,
    )
    if par[DEEP] > 0:
        chosen = look_deeper(
            bound,
            counted,
            openable,
            start,
            members,
            low,
            high,
            around_start,
            around,
            least,
            most,
            odds,
            chosen,
            par,
            tables,
            figures,
        )
    return WEIGHED, chosen


def look_deeper(
    bound: int,
    counted: Ints,
    openable: Ints,
    start: Ints,
    members: Ints,
    low: Ints,
    high: Ints,
    around_start: Ints,
    around: Ints,
    least: int,
    most: int,
    odds: float,
    chosen: int,
    par: Floats,
    tables: Tables,
    figures: Floats,
) -> int:
    """Follow each number of the most promising cells by one move more; the best of them then."""
    cells = len(openable)
    first_scores = figures[:cells, SCORE].copy()
    best, found = -1.0, chosen
    for _ in range(int(par[DEEP])):
        k = int(np.argmax(first_scores))
        if first_scores[k] < 0.0:
            break
        first_scores[k] = -1.0
        if at_most(figures[k, IS_SAFE], par) <= best:
            continue
        score, whole = 0.0, 0.0
        shown = around_start[k + 1] - around_start[k]
        values = np.zeros(shown + 1, np.float64)
        shares = np.full(shown + 1, -1e300, np.float64)
        for v in range(shown + 1):
            after = position_after(
                k, v, bound, counted, openable, start, members, low, high, around_start, around
            )
            values[v], shares[v] = value_of(
                after[0],
                after[1],
                after[2],
                after[3],
                after[4],
                after[5],
                after[6],
                after[7],
                after[8],
                least,
                most,
                odds,
                par,
                tables,
            )
        top = shares.max()
        for v in range(shown + 1):
            whole += math.exp(shares[v] - top)
        for v in range(shown + 1):
            chance = figures[k, IS_SAFE] * math.exp(shares[v] - top) / whole
            if chance > 0.0:
                score += chance ** (1.0 - par[SPLIT]) * values[v]
        figures[k, SCORE] = score
        if figures[k, SCORE] > best + 1e-9:
            best = figures[k, SCORE]
            found = k
    # those that were not followed rank behind those that were
    for k in range(cells):
        if first_scores[k] >= 0.0:
            figures[k, SCORE] = min(first_scores[k], best) * 0.999
    return found


def at_most(safe: float, par: Floats) -> float:
    """No score of a cell so safe is above this: nine numbers, equally likely, that leave nothing open."""
    return float(safe ** (1.0 - par[SPLIT]) * 9.0 ** par[SPLIT] * (1.0 + par[GAIN]))


def value_of(
    bound: int,
    counted: Ints,
    openable: Ints,
    start: Ints,
    members: Ints,
    low: Ints,
    high: Ints,
    around_start: Ints,
    around: Ints,
    least: int,
    most: int,
    odds: float,
    par: Floats,
    tables: Tables,
) -> tuple[float, float]:
    """What the best move of a position is worth, and the logarithm of its number of layouts."""
    cells = len(openable)
    worked, risks, rest_risk, part, lengths, numbers, differs, box, size_log = survey(
        counted, start, members, low, high, cells - bound, least, most, odds, tables
    )
    if not worked:
        return 0.0, -1e300
    figures = np.zeros((cells, FIGURES), np.float64)
    lowest = 1.0
    undecided = 0
    for k in range(cells):
        risk = risks[k] if k < bound else rest_risk
        figures[k, IS_SAFE] = 1.0 - risk
        if openable[k] and risk < lowest:
            lowest = risk
        undecided += 0.0 < risk < 1.0
    if undecided == 0:
        return 1.0 + par[GAIN], size_log
    _, best = weigh_candidates(
        bound,
        counted,
        openable,
        start,
        members,
        low,
        high,
        around_start,
        around,
        least,
        most,
        odds,
        risks,
        rest_risk,
        part,
        lengths,
        numbers,
        differs,
        box,
        lowest,
        par,
        par[REPLIES],
        tables,
        figures,
    )
    return best, size_log


def solve_rest(
    bound: int,
    counted: Ints,
    start: Ints,
    members: Ints,
    low: Ints,
    high: Ints,
    around_start: Ints,
    around: Ints,
    least: int,
    most: int,
    risks: Floats,
    rest_risk: float,
    cells: int,
    par: Floats,
    marks: Ints,
    figures: Floats,
) -> int:
    """Solve the rest of the game exactly; the best cell, -1 when that is too much work."""
    all_counted = np.ones(cells, np.int64)
    all_counted[:bound] = counted
    order = np.empty(cells, np.int64)
    seen = np.zeros(cells, np.int64)
    fill = 0
    for t in range(len(members)):
        if not seen[members[t]]:
            seen[members[t]] = 1
            order[fill] = members[t]
            fill += 1
    for k in range(cells):
        if not seen[k]:
            order[fill] = k
            fill += 1
    count, layouts = list_layouts(
        order, cells, all_counted, start, members, low, high, least, most, int(par[LAYOUTS]) + 1, 300000
    )
    if count <= 0:
        return -1
    shown = values_of(layouts, count, order, cells, around_start, around)
    chosen, wins, _ = best_opening(shown, count, marks, int(par[WORK]))
    if chosen < 0:
        return -1
    figures[order[chosen], SCORE] = wins / count
    return int(order[chosen])


def weigh_candidates(
    bound: int,
    counted: Ints,
    openable: Ints,
    start: Ints,
    members: Ints,
    low: Ints,
    high: Ints,
    around_start: Ints,
    around: Ints,
    least: int,
    most: int,
    odds: float,
    risks: Floats,
    rest_risk: float,
    part: Ints,
    lengths: Ints,
    numbers: Floats,
    differs: Floats,
    box: Ints,
    lowest: float,
    par: Floats,
    candidates: float,
    tables: Tables,
    figures: Floats,
) -> tuple[int, float]:
    """Look one move ahead from the cells that are nearly the safest; the best cell and its score."""
    cells = len(openable)
    twins, stuck = find_twins(
        bound, openable, box, around_start, around, risks, rest_risk, differs, int(par[APART]), par[UNLIKELY]
    )
    near = par[NEAR] if lowest > 0.0 else 0.0
    priority = np.empty(cells, np.float64)
    for k in range(cells):
        risk = risks[k] if k < bound else rest_risk
        priority[k] = 9.0
        if openable[k] and risk <= lowest + near:
            zero = 1.0 - risk
            touching = 0.0
            for t in range(around_start[k], around_start[k + 1]):
                other = around[t]
                zero *= 1.0 - (risks[other] if other < bound else rest_risk)
                touching += other < bound
            if k >= bound:
                priority[k] = 2.0 - zero - 0.001 * touching
            else:
                priority[k] = risk - 1e-6 * zero
    best, chosen = -1.0, -1
    outcomes = np.zeros((NUMBERS, 4), np.float64)
    rest_left = int(par[AWAY])
    tried = 0
    while tried < candidates:
        k = int(np.argmin(priority))
        if priority[k] >= 8.0:
            break
        priority[k] = 9.0
        if k >= bound:
            if rest_left == 0:
                continue
            rest_left -= 1
        safe = figures[k, IS_SAFE]
        if par[BY_RISK] == 0.0 and at_most(safe, par) <= best:
            continue
        tried += 1
        rows = look_ahead(
            k,
            bound,
            counted,
            openable,
            start,
            members,
            low,
            high,
            around_start,
            around,
            least,
            most,
            odds,
            risks,
            rest_risk,
            part,
            lengths,
            numbers,
            twins,
            stuck,
            tables,
            outcomes,
        )
        if rows < 0:
            figures[k, SCORE] = 0.5 * safe * safe
            if chosen < 0:
                chosen = k
            continue
        score, second, progress, hope, entropy = 0.0, 0.0, 0.0, 0.0, 0.0
        for v in range(rows):
            share = outcomes[v, SHARE]
            if share == 0.0:
                continue
            certain = outcomes[v, CERTAIN]
            second += share * outcomes[v, BEST]
            progress += share * certain
            hope += share if certain > 0.0 else 0.0
            entropy -= share * math.log(share)
            leaf = outcomes[v, BEST]
            if certain > 0.0:
                leaf = 1.0 + par[GAIN] * (1.0 - math.exp(-certain * par[QUICK_GAIN]))
            leaf *= (1.0 - outcomes[v, STUCK]) ** par[STUCK_WEIGHT] * (safe * share) ** -par[SPLIT]
            score += share * leaf
        figures[k, SCORE] = safe * score
        if par[BY_RISK] > 0.0:
            figures[k, SCORE] = safe * (1.0 + 1e-5 * hope + 1e-7 * entropy)
        figures[k, SECOND] = safe * second
        figures[k, PROGRESS] = progress
        if figures[k, SCORE] > best + 1e-9:
            best = figures[k, SCORE]
            chosen = k
    return chosen, best
