"""Choosing a cell when nothing is certain."""

from __future__ import annotations

import math

from strategies.compiled.counting.survey import all_risks, survey
from strategies.compiled.field import Field
from strategies.compiled.guessing.candidates import IS_SAFE, SCORE, weigh_candidates
from strategies.compiled.guessing.closed import solve_closed
from strategies.compiled.guessing.deeper import look_deeper
from strategies.compiled.guessing.rest import solve_rest
from strategies.compiled.settings import Settings
from strategies.compiled.tables import Floats, Ints, Tables

FAILED, SAFE, SOLVED, WEIGHED, PLAYED, CLOSED = -1, 0, 1, 2, 3, 4


def choose(field: Field, settings: Settings, marks: Ints, tables: Tables, figures: Floats) -> tuple[int, int]:
    """Fill `figures`, a row for each undecided cell; the way that was taken, and the best cell.

    `marks` are as many random numbers as layouts may be listed, and one more.
    """
    found = survey(field, tables)
    if not found.worked:
        return FAILED, -1
    safest = -1
    figures[:, IS_SAFE] = 1.0 - all_risks(field, found)
    for k in range(len(field.openable)):
        figures[k, SCORE] = -1.0
        if field.openable[k] and (safest < 0 or figures[k, IS_SAFE] > figures[safest, IS_SAFE]):
            safest = k
    if safest < 0 or figures[safest, IS_SAFE] == 0.0:
        return FAILED, -1
    if figures[safest, IS_SAFE] == 1.0:
        return SAFE, safest
    fixed = field.least == field.most
    if fixed and settings.closed > 0.0:
        cleared = solve_closed(field, found, settings, marks, figures)
        if cleared >= 0:
            return CLOSED, cleared
    if fixed and found.size < math.log(settings.layouts + 0.5):
        order = figures[:, IS_SAFE].copy()
        solved, is_certain = solve_rest(field, settings.layouts, order, settings, marks, figures)
        if solved >= 0:
            return SOLVED if is_certain else PLAYED, solved
    chosen, _ = weigh_candidates(
        field, found, settings.candidates, settings.pockets, settings, tables, figures
    )
    most = min(settings.layouts * settings.beyond, settings.listed / len(field.openable))
    if fixed and found.size < math.log(most + 0.5):
        solved, _ = solve_rest(field, most, figures[:, SCORE].copy(), settings, marks, figures)
        if solved >= 0:
            return PLAYED, solved
    if settings.deep > 0.0:
        chosen = look_deeper(field, found, chosen, settings, tables, figures)
    return WEIGHED, chosen
