"""Choose the cell to open when no move is certain."""

from __future__ import annotations

import math

from strategies.kernels import arrays, components, endgame, lookahead
from strategies.kernels.arrays import PositionArrays
from strategies.kernels.components import Component, RiskSurvey
from strategies.kernels.counting import CountingMemory
from strategies.kernels.lookahead import CellFigures
from strategies.kernels.settings import (
    FAILED,
    ISOLATED,
    PLAYED,
    SAFE,
    SCORED,
    SOLVED,
    Choice,
    GuessSettings,
    Ints,
)


def choose_cell(position: PositionArrays, settings: GuessSettings, memory: CountingMemory) -> Choice:
    """Choose a cell, and return the figures of all cells."""
    mark = memory.mark()
    figures = lookahead.make_figures(position, memory)
    way, cell = choose(figures, settings)
    cells = range(position.cells)
    choice = Choice(
        way,
        cell,
        [figures.safe[k] for k in cells],
        [figures.score[k] for k in cells],
        [figures.second[k] for k in cells],
        [figures.progress[k] for k in cells],
    )
    memory.release(mark)
    return choice


def choose(figures: CellFigures, settings: GuessSettings) -> tuple[int, int]:
    """Fill in the figures; return the way and the cell."""
    position = figures.position
    found = components.survey_risks(position, position.rows, figures.memory)
    if found is None:
        return FAILED, -1
    cells, safest = position.cells, -1
    for k in range(cells):
        figures.safe[k] = 1.0 - found.risks[k]
        figures.score[k] = -1.0
        if position.openable[k] and (safest < 0 or figures.safe[k] > figures.safe[safest]):
            safest = k
    if safest < 0 or figures.safe[safest] == 0.0:
        return FAILED, -1
    if figures.safe[safest] == 1.0:
        return SAFE, safest
    is_fixed: bool = position.least == position.most
    if is_fixed and settings.closed > 0.0:
        cleared = solve_isolated_component(found, figures, settings)
        if cleared >= 0:
            return ISOLATED, cleared
    if is_fixed and found.size < math.log(settings.layouts + 0.5):
        solved, is_certain = endgame.solve_endgame(figures, figures.safe, settings.layouts, settings)
        if solved >= 0:
            return SOLVED if is_certain else PLAYED, solved
    chosen = lookahead.score_candidates(found, figures, settings.candidates, settings.pockets, settings)
    most: float = min(settings.layouts * settings.beyond, settings.listed / cells)
    if is_fixed and found.size < math.log(most + 0.5):
        solved, is_certain = endgame.solve_endgame(figures, figures.score, most, settings)
        if solved >= 0:
            return PLAYED, solved
    if settings.deep > 0.0:
        chosen = lookahead.look_ahead_twice(found, figures, chosen, settings)
    return SCORED, chosen


def win_share(
    position: PositionArrays, cell: int, settings: GuessSettings, memory: CountingMemory
) -> float | None:
    """Return the share of layouts that are won by opening `cell`; None if it cannot be determined."""
    mark = memory.mark()
    figures = lookahead.make_figures(position, memory)
    order = memory.floats(position.cells, -1.0)
    order[cell] = 1.0
    solved, is_certain = endgame.solve_endgame(figures, order, settings.layouts, settings)
    share = figures.score[cell]
    memory.release(mark)
    return share if is_certain and solved == cell else None


def solve_isolated_component(found: RiskSurvey, figures: CellFigures, settings: GuessSettings) -> int:
    """Return the best cell of the first isolated component that can be solved; -1 if there is none.

    An isolated component has the same number of mines in every layout, and its cells are neighbours of no
    other undecided cell. So the rest of the board reveals nothing about it, and the best order of its cells
    is the same now and later. The score of the cell becomes the probability to clear the component.
    Components that are the whole board, consist of mines, or have more than `settings.closed` layouts are
    skipped.
    """
    position, memory = found.position, found.memory
    for own in range(len(found.components)):
        component: Component = found.components[own]
        mines = only_mine_count(component)
        if mines < 0 or not is_isolated(position, found.component, own):
            continue
        after, highest = arrays.no_numbers(position, memory), 0.0
        for k in range(position.bound):
            if found.component[k] == own:
                arrays.add_number(after, k)
                highest = max(highest, figures.safe[k])
        if after.count == position.cells or highest == 0.0:
            continue
        rows = arrays.renumber_rows(position.rows, after.number, 0, memory)
        alone = arrays.renumbered_position(position, after, after.count, rows, memory)
        alone.least = alone.most = mines
        own_figures = lookahead.make_figures(alone, memory)
        for k in range(after.count):
            own_figures.safe[k] = figures.safe[after.cells[k]]
        chosen, is_certain = endgame.solve_endgame(own_figures, own_figures.safe, settings.closed, settings)
        if chosen >= 0 and is_certain:
            for k in range(after.count):
                figures.score[after.cells[k]] = own_figures.score[k]
            return after.cells[chosen]
    return -1


def only_mine_count(component: Component) -> int:
    """Return the only possible number of mines of a component; -1 if there are several."""
    only = -1
    for m in range(component.numbers.length):
        if component.numbers.terms[m] > 0.0:
            if only >= 0:
                return -1
            only = m
    return only


def is_isolated(position: PositionArrays, component: Ints, own: int) -> bool:
    """Whether no cell of component `own` is a neighbour of any other undecided cell."""
    bound = position.bound
    for k in range(position.cells):
        is_own: bool = k < bound and component[k] == own
        for t in range(position.around_start[k], position.around_start[k + 1]):
            z = position.around[t]
            if is_own != (z < bound and component[z] == own):
                return False
    return True
