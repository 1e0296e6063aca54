"""Choose the cell to open when no move is certain."""

from __future__ import annotations

import math

from strategies.kernels import arrays, components, endgame, lookahead
from strategies.kernels.arrays import PositionArrays, Renumbering
from strategies.kernels.components import Component, RiskSurvey
from strategies.kernels.layouts import CountingMemory
from strategies.kernels.lookahead import CellFigures
from strategies.kernels.memory import Memory
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
    figures = lookahead.make_figures(position.cells, memory)
    way, cell = choose(position, settings, memory, figures)
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


def choose(
    position: PositionArrays, settings: GuessSettings, memory: CountingMemory, figures: CellFigures
) -> tuple[int, int]:
    """Fill in the figures; return the way and the cell."""
    found = components.survey_risks(position, position.rows, memory)
    if not found.is_valid:
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
    is_fixed = position.least == position.most
    if is_fixed and settings.closed > 0.0:
        cleared = solve_isolated_component(position, found, settings, memory, figures)
        if cleared >= 0:
            return ISOLATED, cleared
    if is_fixed and found.size < math.log(settings.layouts + 0.5):
        solved, is_certain = endgame.solve_endgame(
            position, settings.layouts, figures.safe, settings, memory, figures
        )
        if solved >= 0:
            return SOLVED if is_certain else PLAYED, solved
    chosen = lookahead.score_candidates(
        position, found, settings.candidates, settings.pockets, settings, memory, figures
    )
    most = min(settings.layouts * settings.beyond, settings.listed / cells)
    if is_fixed and found.size < math.log(most + 0.5):
        order = lookahead.copy_floats(figures.score, cells, memory)
        solved, is_certain = endgame.solve_endgame(position, most, order, settings, memory, figures)
        if solved >= 0:
            return PLAYED, solved
    if settings.deep > 0.0:
        chosen = lookahead.look_ahead_twice(position, found, chosen, settings, memory, figures)
    return SCORED, chosen


def win_share(
    position: PositionArrays, cell: int, settings: GuessSettings, memory: CountingMemory
) -> float | None:
    """Return the share of layouts that are won by opening `cell`; None if it cannot be determined."""
    mark = memory.mark()
    figures = lookahead.make_figures(position.cells, memory)
    order = memory.floats(position.cells, -1.0)
    order[cell] = 1.0
    solved, is_certain = endgame.solve_endgame(position, settings.layouts, order, settings, memory, figures)
    share = figures.score[cell]
    memory.release(mark)
    return share if is_certain and solved == cell else None


def solve_isolated_component(
    position: PositionArrays,
    found: RiskSurvey,
    settings: GuessSettings,
    memory: CountingMemory,
    figures: CellFigures,
) -> int:
    """Return the best cell of the first isolated component that can be solved; -1 if there is none.

    An isolated component has the same number of mines in every layout, and its cells are neighbours of no
    other undecided cell. So the rest of the board reveals nothing about it, and the best order of its cells
    is the same now and later. The score of the cell becomes the probability to clear the component.
    Components that are the whole board, consist of mines, or have more than `settings.closed` layouts are
    skipped.
    """
    own = -1
    for component in found.components:
        own += 1
        mines = only_mine_count(component)
        if mines < 0 or not is_isolated(position, found.component, own):
            continue
        members, count, highest = memory.empty_ints(position.bound), 0, 0.0
        for k in range(position.bound):
            if found.component[k] == own:
                members[count] = k
                highest = max(highest, figures.safe[k])
                count += 1
        if count == position.cells or highest == 0.0:
            continue
        own_figures = lookahead.make_figures(count, memory)
        for k in range(count):
            own_figures.safe[k] = figures.safe[members[k]]
        chosen, is_certain = endgame.solve_endgame(
            component_position(position, members, count, mines, memory),
            settings.closed,
            own_figures.safe,
            settings,
            memory,
            own_figures,
        )
        if chosen >= 0 and is_certain:
            for k in range(count):
                figures.score[members[k]] = own_figures.score[k]
            return members[chosen]
    return -1


def only_mine_count(component: Component) -> int:
    """Return the only possible number of mines of a component; -1 if there are several."""
    only = -1
    for m in range(component.length):
        if component.numbers[m] > 0.0:
            if only >= 0:
                return -1
            only = m
    return only


def is_isolated(position: PositionArrays, component: Ints, own: int) -> bool:
    """Whether no cell of component `own` is a neighbour of any other undecided cell."""
    bound = position.bound
    for k in range(position.cells):
        is_own = k < bound and component[k] == own
        for t in range(position.around_start[k], position.around_start[k + 1]):
            z = position.around[t]
            if is_own != (z < bound and component[z] == own):
                return False
    return True


def component_position(
    position: PositionArrays, members: Ints, count: int, mines: int, memory: Memory
) -> PositionArrays:
    """Return the position of the cells of an isolated component."""
    after = Renumbering()
    after.bound, after.number, after.cells = count, memory.ints(position.cells, -1), members
    for k in range(count):
        after.number[members[k]] = k
    rows = arrays.renumber_rows(position.rows, after.number, 0, memory)
    result = arrays.renumbered_position(position, after, count, rows, memory)
    result.least = result.most = mines
    return result
