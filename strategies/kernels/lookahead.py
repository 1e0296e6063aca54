"""Score candidates for a guess by looking at the position after each number that a cell may show.

A *bound* cell is part of a constraint; bound cells come first.
"""

from __future__ import annotations

import math

from strategies.kernels import arrays, classes, components, fifty_fifty, layouts
from strategies.kernels.arrays import PositionArrays, Renumbering
from strategies.kernels.classes import CellClasses
from strategies.kernels.components import OutsideWeights, RiskSurvey
from strategies.kernels.fifty_fifty import FiftyFifties
from strategies.kernels.layouts import ClassShares, CountingLevels, CountingMemory
from strategies.kernels.memory import Memory
from strategies.kernels.settings import MAX_SHOWN, NO_CANDIDATE, Floats, GuessSettings, Ints

BEHIND = 0.999  # fraction of the best score; upper limit for the displayed scores of the other cells
EPSILON = 1e-9  # minimum difference by which a score is better


class CellFigures:
    """Figures of each cell, as in `settings.Choice`; `best` is the best score (-1 if no cell is scored)."""

    best: float
    safe: Floats
    score: Floats
    second: Floats
    progress: Floats


def make_figures(cells: int, memory: Memory) -> CellFigures:
    """Return empty figures."""
    figures = CellFigures()
    figures.best = -1.0
    figures.safe, figures.score = memory.floats(cells, 0.0), memory.floats(cells, 0.0)
    figures.second, figures.progress = memory.floats(cells, 0.0), memory.floats(cells, 0.0)
    return figures


class Outcomes:
    """Consequences of opening a cell, for each number that it may show (0 to `count` - 1).

    `share` is the probability of the number if the cell is safe. After that number, `best` is the safety of
    the safest cell, `certain` the number of certain cells, and `stuck` the probability of an unavoidable
    50/50.
    """

    count: int
    share: Floats
    best: Floats
    certain: Floats
    stuck: Floats


def make_outcomes(memory: Memory) -> Outcomes:
    """Return empty outcomes."""
    outcomes = Outcomes()
    outcomes.count = 0
    outcomes.share, outcomes.best = memory.floats(MAX_SHOWN, 0.0), memory.floats(MAX_SHOWN, 0.0)
    outcomes.certain, outcomes.stuck = memory.floats(MAX_SHOWN, 0.0), memory.floats(MAX_SHOWN, 0.0)
    return outcomes


class LookaheadContext:
    """Counts of the layouts around a cell that was opened.

    `after` renumbers the bound cells whose layouts are counted, and `groups` are their classes. `levels` are
    the states of the count; `probe_bit` is the first bit of the shown number in a state. `outside` are the
    weights of all other cells: the other bound cells, the safest of which has the safety `elsewhere`, and
    `rest` unconstrained cells.
    """

    after: Renumbering
    groups: CellClasses
    levels: CountingLevels
    probe_bit: int
    outside: OutsideWeights
    elsewhere: float
    rest: int
    shares: ClassShares


def look_ahead(
    position: PositionArrays,
    found: RiskSurvey,
    cell: int,
    pairs: FiftyFifties,
    memory: CountingMemory,
    outcomes: Outcomes,
) -> bool:
    """Fill in the outcomes of opening `cell`; return False if its layouts are too many to count, or none."""
    mark = memory.mark()
    shown = position.around_start[cell + 1] - position.around_start[cell]
    if shown >= MAX_SHOWN:
        return False
    outcomes.count = shown + 1
    context = count_after(position, found, cell, shown, memory)
    is_counted = False
    if context is not None:
        is_counted = weigh_numbers(position, found, cell, context, shown, pairs, memory, outcomes)
    memory.release(mark)
    return is_counted


def count_after(
    position: PositionArrays, found: RiskSurvey, cell: int, shown: int, memory: CountingMemory
) -> LookaheadContext | None:
    """Count the layouts around `cell` after it was opened; None if the count exceeds its limits."""
    in_play = components_in_play(position, found, cell, memory)
    is_kept = memory.empty_ints(position.bound)
    for k in range(position.bound):
        is_kept[k] = in_play[found.component[k]]
    after = arrays.renumber_after(position, cell, is_kept, memory)
    rows = arrays.rows_after(position, cell, after.number, 0, memory)
    probe = rows.count - 1 if shown else -1
    counted = arrays.counted_after(position, after, memory)
    groups = classes.cell_classes(counted, after.bound, rows, memory)
    placing = classes.order_classes(groups, probe, memory)
    context = LookaheadContext()
    context.after, context.groups = after, groups
    context.levels = layouts.make_levels(placing.order, 0, groups.count, memory)
    layouts.reset_memory(memory)
    buffers = layouts.state_buffers(rows, memory)
    context.probe_bit = layouts.count_forward(groups, context.levels, rows, probe, buffers, memory)
    if context.probe_bit < 0:
        return None
    rest = position.cells - position.bound
    if cell >= position.bound:
        rest -= 1
    for t in range(after.bound):
        if after.cells[t] >= position.bound:
            rest -= 1
    context.rest = rest
    length = layouts.most_mines(context.levels, memory) + 1
    context.outside = weigh_outside(position, found, in_play, rest, length, memory)
    context.elsewhere = safest_elsewhere(position, found, in_play)
    context.shares = layouts.empty_shares(groups.count, memory)
    return context


def weigh_numbers(
    position: PositionArrays,
    found: RiskSurvey,
    cell: int,
    context: LookaheadContext,
    shown: int,
    pairs: FiftyFifties,
    memory: CountingMemory,
    outcomes: Outcomes,
) -> bool:
    """Fill in the outcomes of all numbers up to `shown`; return False if there is no layout."""
    levels, outside, probe_bit = context.levels, context.outside, context.probe_bit
    everything = 0.0
    for v in range(shown + 1):
        outcomes.share[v] = outcomes.best[v] = outcomes.certain[v] = outcomes.stuck[v] = 0.0
        wanted = v if shown else -1
        whole = layouts.weigh_backward(
            context.groups, levels, outside.every, probe_bit, wanted, memory, context.shares
        )
        if whole > 0.0:
            everything += whole
            rest_risk = 0.0
            if context.rest:
                rest_risk = components.risk_of(
                    layouts.weigh_total(levels, outside.mine, probe_bit, wanted, memory),
                    layouts.weigh_total(levels, outside.safe, probe_bit, wanted, memory),
                )
            outcomes.share[v] = whole
            safety_after(position, context, rest_risk, outcomes, v)
            outcomes.stuck[v] = fifty_fifty_chance_after(
                position, found, cell, context, whole, rest_risk, pairs
            )
    if everything == 0.0:
        return False
    for v in range(shown + 1):
        outcomes.share[v] /= everything
    return True


def safety_after(
    position: PositionArrays, context: LookaheadContext, rest_risk: float, outcomes: Outcomes, v: int
) -> None:
    """Fill in the safety of the safest cell after the number v was shown, and the number of certain cells."""
    after, of_cell, shares = context.after, context.groups.of_cell, context.shares
    best, certain = context.elsewhere, 0.0
    for k in range(after.bound):
        b = of_cell[k]
        if position.openable[after.cells[k]]:
            if shares.mine[b] == 0.0:
                certain += 1.0
                best = 1.0
            else:
                best = max(best, shares.safe[b] / (shares.mine[b] + shares.safe[b]))
    if context.rest:
        best = max(best, 1.0 - rest_risk)
        if rest_risk == 0.0:
            certain += context.rest
    if best == 0.0:  # no cell is left to open: the game is won
        best = 1.0
    outcomes.best[v], outcomes.certain[v] = best, certain


def components_in_play(position: PositionArrays, found: RiskSurvey, cell: int, memory: Memory) -> Ints:
    """Return 1 for each component that contains the cell or a neighbour that its number counts, else 0."""
    in_play = memory.ints(len(found.components) + 1, 0)
    if cell < position.bound:
        in_play[found.component[cell]] = 1
    for t in range(position.around_start[cell], position.around_start[cell + 1]):
        if position.around[t] < position.bound:
            in_play[found.component[position.around[t]]] = 1
    return in_play


def weigh_outside(
    position: PositionArrays, found: RiskSurvey, in_play: Ints, rest: int, length: int, memory: Memory
) -> OutsideWeights:
    """Weigh the layouts of all cells not in play, for each number of mines in play below `length`."""
    others, width = memory.floats(1, 1.0), 1
    c = 0
    for component in found.components:
        if not in_play[c]:
            joined = memory.floats(width + component.length - 1, 0.0)
            components.convolve(others, width, component.numbers, component.length, joined)
            width += component.length - 1
            components.normalize(joined, width)
            others = joined
        c += 1  # noqa: SIM113 - `enumerate` is slow in the extension
    reach = length - 1 + width
    weights = components.rest_weights(rest, position.least, position.most, position.odds, reach, memory)
    outside = components.empty_weights(length, memory)
    components.correlate(others, width, weights.every, reach, outside.every, length)
    components.correlate(others, width, weights.mine, reach, outside.mine, length)
    components.correlate(others, width, weights.safe, reach, outside.safe, length)
    return outside


def safest_elsewhere(position: PositionArrays, found: RiskSurvey, in_play: Ints) -> float:
    """Return the safety of the safest bound cell that is not in play."""
    best = 0.0
    for k in range(position.bound):
        if not in_play[found.component[k]] and position.openable[k]:
            best = max(best, 1.0 - found.risks[k])
    return best


def fifty_fifty_chance_after(
    position: PositionArrays,
    found: RiskSurvey,
    cell: int,
    context: LookaheadContext,
    whole: float,
    rest_risk: float,
    pairs: FiftyFifties,
) -> float:
    """Return the probability of an unavoidable 50/50 of two cells after `cell` showed a number."""
    number, of_cell, shares = context.after.number, context.groups.of_cell, context.shares
    free = 1.0
    for i in range(pairs.count):
        x, y = pairs.cells[2 * i], pairs.cells[2 * i + 1]
        if cell in (x, y):
            continue
        if number[x] < 0:
            free *= 1.0 - 0.5 * pairs.chance[i]
            continue
        caught = shares.differ[of_cell[number[x]]] / whole
        for t in range(pairs.room * i, pairs.room * i + pairs.deciding_count[i]):
            z = pairs.deciding[t]
            if z == cell:
                caught = 0.0
                break
            if number[z] >= 0:
                caught *= shares.mine[of_cell[number[z]]] / whole
            elif z < position.bound:
                caught *= found.risks[z]
            else:
                caught *= rest_risk
        free *= 1.0 - 0.5 * caught
    return 1.0 - free


def score_candidates(
    position: PositionArrays,
    found: RiskSurvey,
    most_tried: float,
    pockets: float,
    settings: GuessSettings,
    memory: CountingMemory,
    figures: CellFigures,
) -> int:
    """Look one move ahead from the nearly safest cells; return the best cell, or -1.

    Cells of isolated groups with fewer than `pockets` cells are left out while other candidates exist.
    `figures` contains the safety of each cell, and receives the other figures of the scored cells.
    """
    gain, by_risk, weight, unlikely = settings.gain, settings.by_risk, settings.fours, settings.unlikely
    pairs = fifty_fifty.find_pair_fifty_fifties(position, found, int(settings.apart), unlikely, memory)
    squares = fifty_fifty.find_square_fifty_fifties(
        position, found, unlikely if weight > 0.0 else 1.1, memory
    )
    loss = unavoidable_loss(position.cells, pairs, squares, weight, settings.due, memory)
    priority = priorities(position, found, settings.near, figures, loss, memory)
    if pockets > 0.0:
        defer_isolated_groups(position, int(pockets), priority, memory)
    best, chosen = -1.0, -1
    outcomes = make_outcomes(memory)
    rest_left, tried = int(settings.away), 0
    while tried < most_tried:
        k = lowest(priority, position.cells)
        if priority[k] == NO_CANDIDATE:
            break
        priority[k] = NO_CANDIDATE
        if k >= position.bound:
            if rest_left == 0:
                continue
            rest_left -= 1
        safe = figures.safe[k]
        if by_risk == 0.0 and score_bound(safe, gain) <= best:
            continue
        tried += 1
        if not look_ahead(position, found, k, pairs, memory, outcomes):
            figures.score[k] = 0.5 * safe * safe
            if chosen < 0:
                chosen = k
            continue
        discount_resolved_squares(outcomes, k, squares, weight)
        score_outcomes(outcomes, settings, k, figures)
        if figures.score[k] > best + EPSILON:
            best = figures.score[k]
            chosen = k
    figures.best = best
    return chosen


def lowest(values: Floats, count: int) -> int:
    """Return the index of the first lowest value."""
    index = 0
    for k in range(1, count):
        if values[k] < values[index]:
            index = k
    return index


def highest(values: Floats, count: int) -> int:
    """Return the index of the first highest value."""
    index = 0
    for k in range(1, count):
        if values[k] > values[index]:
            index = k
    return index


def copy_floats(values: Floats, count: int, memory: Memory) -> Floats:
    """Return a copy."""
    copy = memory.floats(count, 0.0)
    for k in range(count):
        copy[k] = values[k]
    return copy


def defer_isolated_groups(position: PositionArrays, most: int, priority: Floats, memory: Memory) -> None:
    """Remove cells of isolated groups from the candidates if there are others."""
    isolated = fifty_fifty.find_isolated_groups(position, most, memory)
    others = 0
    for k in range(position.cells):
        if priority[k] != NO_CANDIDATE and not isolated[k]:
            others += 1
    for k in range(position.cells):
        if others and isolated[k]:
            priority[k] = NO_CANDIDATE


def unavoidable_loss(
    cells: int, pairs: FiftyFifties, squares: FiftyFifties, weight: float, due: float, memory: Memory
) -> Floats:
    """Return for each cell the part of its risk that a later guess would incur anyway.

    That is the probability of hitting a mine of an unavoidable 50/50, times `due`.
    """
    loss = memory.floats(cells, 0.0)
    for i in range(pairs.count):
        loss[pairs.cells[2 * i]] += 0.5 * pairs.chance[i]
        loss[pairs.cells[2 * i + 1]] += 0.5 * pairs.chance[i]
    for i in range(squares.count):
        for t in range(4):
            loss[squares.cells[4 * i + t]] += 0.5 * (weight * squares.chance[i])
    for k in range(cells):
        loss[k] *= due
    return loss


def discount_resolved_squares(outcomes: Outcomes, cell: int, squares: FiftyFifties, weight: float) -> None:
    """Raise `outcomes.stuck` for the square 50/50s that opening this cell does not resolve."""
    free = 1.0
    for i in range(squares.count):
        is_resolved = False
        for t in range(4):
            is_resolved = is_resolved or squares.cells[4 * i + t] == cell
        for t in range(squares.room * i, squares.room * i + squares.deciding_count[i]):
            is_resolved = is_resolved or squares.deciding[t] == cell
        if not is_resolved:
            free *= 1.0 - 0.5 * (weight * squares.chance[i])
    for v in range(outcomes.count):
        outcomes.stuck[v] = 1.0 - (1.0 - outcomes.stuck[v]) * free


def priorities(
    position: PositionArrays,
    found: RiskSurvey,
    near: float,
    figures: CellFigures,
    loss: Floats,
    memory: Memory,
) -> Floats:
    """Return a sort key, lowest first: bound cells by risk, then other cells by the chance of a zero.

    A cell is a candidate if its risk minus its unavoidable loss exceeds the lowest risk by at most `near`.
    """
    openable, bound = position.openable, position.bound
    around_start, around = position.around_start, position.around
    risks = found.risks
    least = 1.0
    for k in range(position.cells):
        if openable[k]:
            least = min(least, 1.0 - figures.safe[k])
    margin = near if least > 0.0 else 0.0
    result = memory.floats(position.cells, NO_CANDIDATE)
    for k in range(position.cells):
        own = risks[k]
        if not openable[k] or own == 1.0 or own - min(loss[k], own) > least + margin:
            continue
        zero = 1.0 - own
        touching = 0.0
        for t in range(around_start[k], around_start[k + 1]):
            zero *= 1.0 - risks[around[t]]
            if around[t] < bound:
                touching += 1.0
        if k >= bound:
            result[k] = 2.0 - zero - 0.001 * touching
        else:
            result[k] = own - 1e-6 * zero
    return result


def score_outcomes(outcomes: Outcomes, settings: GuessSettings, cell: int, figures: CellFigures) -> None:
    """Fill in the figures of a cell."""
    gain, quick_gain, stuck = settings.gain, settings.quick_gain, settings.stuck
    safe = figures.safe[cell]
    score, second, progress, hope, entropy = 0.0, 0.0, 0.0, 0.0, 0.0
    for v in range(outcomes.count):
        share = outcomes.share[v]
        if share == 0.0:
            continue
        certain = outcomes.certain[v]
        second += share * outcomes.best[v]
        progress += share * certain
        hope += share if certain > 0.0 else 0.0
        entropy -= share * math.log(share)
        value = outcomes.best[v]
        if certain > 0.0:
            value = 1.0 + gain * (1.0 - math.exp(-certain * quick_gain))
        score += share * value * (1.0 - outcomes.stuck[v]) ** stuck
    figures.score[cell] = safe * score
    if settings.by_risk > 0.0:
        figures.score[cell] = safe * (1.0 + 1e-5 * hope + 1e-7 * entropy)
    figures.second[cell] = safe * second
    figures.progress[cell] = progress


def score_bound(safe: float, gain: float) -> float:
    """Return an upper bound on the score of a cell with this safety."""
    return safe * (1.0 + gain)


def look_ahead_twice(
    position: PositionArrays,
    found: RiskSurvey,
    chosen: int,
    settings: GuessSettings,
    memory: CountingMemory,
    figures: CellFigures,
) -> int:
    """Score the most promising cells again, by following each number with a second move; return the best.

    Only `settings.deep` cells are followed, some of them incompletely because they cannot become the best.
    Cells that are not followed to the end are displayed with lower scores than the best cell. If no cell is
    followed, return `chosen`.
    """
    gain = settings.gain
    first_scores = copy_floats(figures.score, position.cells, memory)
    best, winner = -1.0, chosen
    for _ in range(int(settings.deep)):
        k = highest(first_scores, position.cells)
        if first_scores[k] < 0.0:
            break
        first_scores[k] = -1.0
        if score_bound(figures.second[k], gain) <= best:
            figures.score[k] = min(figures.second[k], best * BEHIND)
            continue
        safe = figures.safe[k]
        figures.score[k] = safe * value_opened(position, found, k, best / safe, settings, memory)
        if figures.score[k] > best + EPSILON:
            best = figures.score[k]
            winner = k
    for k in range(position.cells):
        if first_scores[k] >= 0.0:
            figures.score[k] = min(first_scores[k], best) * BEHIND
    return winner


def value_opened(
    position: PositionArrays,
    found: RiskSurvey,
    cell: int,
    need: float,
    settings: GuessSettings,
    memory: CountingMemory,
) -> float:
    """Return the value of the game after `cell` was opened: the mean over the numbers that it may show.

    Starts with an upper bound and makes it exact number by number, the most likely first. If the value falls
    to `need` or below, the result stays an upper bound.
    """
    gain = settings.gain
    mark = memory.mark()
    outcomes = make_outcomes(memory)
    nothing = fifty_fifty.no_fifty_fifties(0, 2, 0, memory)
    value = 0.0
    if look_ahead(position, found, cell, nothing, memory, outcomes):
        for v in range(outcomes.count):
            value += outcomes.share[v] * outcomes.best[v]
        value = score_bound(value, gain)
        while value > need:
            v = highest(outcomes.share, outcomes.count)
            share = outcomes.share[v]
            if share == 0.0:
                break
            outcomes.share[v] = 0.0
            after = arrays.position_after(position, cell, v, memory)
            value += share * (position_value(after, settings, memory) - score_bound(outcomes.best[v], gain))
    memory.release(mark)
    return value


def position_value(position: PositionArrays, settings: GuessSettings, memory: CountingMemory) -> float:
    """Return the score of the best move of a position."""
    mark = memory.mark()
    value = 0.0
    found = components.survey_risks(position, position.rows, memory)
    if found.is_valid:
        figures = make_figures(position.cells, memory)
        is_open = False
        for k in range(position.cells):
            figures.safe[k] = 1.0 - found.risks[k]
            is_open = is_open or 0.0 < found.risks[k] < 1.0
        if not is_open:
            value = 1.0 + settings.gain
        else:
            score_candidates(position, found, settings.replies, 0.0, settings, memory, figures)
            value = figures.best
    memory.release(mark)
    return value
