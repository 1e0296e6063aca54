"""How likely a game is won once a given cell is opened, where few layouts are left."""

from __future__ import annotations

import math

import numpy as np

from games.minesweeper import Position
from strategies.compiled import Settings, kernels
from strategies.compiled.guessing import FIGURES, SCORE
from strategies.guessing.situation import Situation
from strategies.guessing.weighing import marks_for

ENDGAME = Settings(layouts=2000, work=5e7, played=5e7)


def chance_to_win(position: Position, cell: int) -> float | None:
    """The probability of a win when this undecided cell is opened now and all else is played best then.

    None where too many layouts are left to solve the rest of the game exactly, where the mine total is not
    known, and for a cell whose number can show nothing.
    """
    loops = kernels()
    knowledge = position.knowledge
    openable = position.openable & ~knowledge.true
    situation = Situation.of(knowledge, (1 << position.cells) - 1, openable, position.counts)
    field = situation.field
    if cell not in situation.cells or field.least != field.most:
        return None
    settings = ENDGAME.floats if loops.is_compiled else ENDGAME.plain
    survey = loops["survey"](field, loops.tables)
    if not survey.worked or survey.size >= math.log(settings.layouts + 0.5):
        return None
    number = situation.cells.index(cell)
    order = np.full(len(situation.cells), -1.0)
    order[number] = 1.0
    figures = np.zeros((len(situation.cells), FIGURES), np.float64)
    solve = loops["solve_rest"]
    chosen, is_certain = solve(field, settings.layouts, order, settings, marks_for(settings), figures)
    return float(figures[number, SCORE]) if chosen == number and is_certain else None
