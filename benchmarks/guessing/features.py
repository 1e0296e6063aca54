"""What can be said of a candidate before it is opened: figures that a weight might be fitted to."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from decisions import Decision
from loops import compiled_together
from swift import Game

from games.minesweeper import LEVELS, Deal
from strategies.builtin import best
from strategies.compiled.counting.survey import all_risks, survey
from strategies.compiled.field import Field, field_after
from strategies.compiled.guessing.ahead import BEST, CERTAIN, NUMBERS, SHARE, STUCK, look_ahead
from strategies.compiled.guessing.candidates import leave_fours
from strategies.compiled.guessing.deeper import value_of
from strategies.compiled.guessing.fours import find_fours
from strategies.compiled.guessing.twos import find_twos
from strategies.compiled.kernels import kernels
from strategies.compiled.settings import Settings
from strategies.compiled.tables import Floats, Tables

# `two moves` is the score of look-ahead depth 2. Expected of the position then: whether a cell is certain in
# it, and whether one is whatever is shown; how many; ln of its layouts; the entropies of its risks; the risks
# of the safest cell and of the second safest; its components; its frontier. `due`: the chance to be a mine of
# an unavoidable 50/50; `decides`: the chance of those that it would decide; `uncovered`: hidden neighbours
# next to no clue.
NAMES = (
    "safe", "second", "two moves", "stuck", "hope", "dominated", "certain", "entropy", "layouts",
    "uncertainty", "lowest", "next lowest", "components", "frontier", "zero", "due", "decides", "uncovered",
)  # fmt: skip


def features(field: Field, cell: int, settings: Settings, tables: Tables) -> Floats:
    """The figures of a cell, in the order of `NAMES`; all 0 where it cannot be counted."""
    said = np.zeros(18, np.float64)
    found = survey(field, tables)
    twos, stuck = find_twos(field, found, int(settings.apart), settings.unlikely)
    fours, never = find_fours(field, found, settings.unlikely, tables)
    outcomes = np.zeros((NUMBERS, 4), np.float64)
    rows = look_ahead(field, found, cell, twos, stuck, tables, outcomes)
    if rows < 0:
        return said
    leave_fours(outcomes[:rows], cell, fours, never)
    said[0] = 1.0 - all_risks(field, found)[cell]
    said[5] = 1.0
    for v in range(rows):
        share = outcomes[v, SHARE]
        if share == 0.0:
            continue
        then = field_after(field, cell, v)
        known = survey(then, tables)
        said[1] += said[0] * share * outcomes[v, BEST]
        said[2] += said[0] * share * value_of(then, settings, tables)
        said[3] += share * outcomes[v, STUCK]
        said[4] += share if outcomes[v, CERTAIN] > 0.0 else 0.0
        said[5] = said[5] if outcomes[v, CERTAIN] > 0.0 else 0.0
        said[6] += share * min(outcomes[v, CERTAIN], 6.0)
        said[7] -= share * math.log(share)
        said[8] += share * known.size
        lowest, next_lowest = 1.0, 1.0
        for risk in known.risks:
            if 0.0 < risk < 1.0:
                said[9] -= share * (risk * math.log(risk) + (1.0 - risk) * math.log(1.0 - risk))
                next_lowest = min(next_lowest, max(risk, lowest))
                lowest = min(lowest, risk)
        said[10] += share * lowest
        said[11] += share * next_lowest
        said[12] += share * (len(known.lengths) - 1)
        said[13] += share * then.bound
    said[14] = outcomes[0, SHARE]
    for t in range(len(twos)):
        said[15] += 0.5 * stuck[t] if cell in (twos[t, 0], twos[t, 1]) else 0.0
        for u in range(3, 3 + twos[t, 2]):
            said[16] += 0.5 * stuck[t] if twos[t, u] == cell else 0.0
    for i in range(len(fours)):
        for t in range(1, 5):
            said[15] += 0.5 * never[i] if fours[i, t] == cell else 0.0
        for t in range(5, 5 + fours[i, 0]):
            said[16] += 0.5 * never[i] if fours[i, t] == cell else 0.0
    for t in range(field.around_start[cell], field.around_start[cell + 1]):
        said[17] += field.around[t] >= field.bound
    return said


@lru_cache(maxsize=1)
def _loop() -> Callable[..., Any]:
    return compiled_together(["features"], globals())["features"]


def features_of(decision: Decision, seed: str, start: int) -> Floats:
    """A row for each of its rivals. `seed` and `start` are those of its games. Raises MachineLacks."""
    rows, columns, mines = LEVELS["expert"]
    deal = Deal.random(rows, columns, mines, f"{seed}/{decision.first_click}/{decision.game}")
    game = Game.begun(deal, start, decision.first_click)
    game.state[:] = [int(letter) for letter in decision.state]
    cells, field = game.field()
    numbers = np.searchsorted(cells[: field.bound], [rival.cell for rival in decision.rivals])
    away = np.searchsorted(cells[field.bound :], [rival.cell for rival in decision.rivals]) + field.bound
    settings, tables = best.SETTINGS.floats, kernels().tables
    return np.array(
        [
            _loop()(field, int(near if rival.is_bound else far), settings, tables)
            for rival, near, far in zip(decision.rivals, numbers, away, strict=True)
        ]
    )
