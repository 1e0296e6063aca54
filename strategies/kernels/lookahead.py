"""Score candidates for a guess by looking at the position after each number that a cell may show.

A *bound* cell is part of a constraint; bound cells come first.
"""

from __future__ import annotations

import math

from strategies.kernels import arrays, components, counting, fifty_fifty
from strategies.kernels.arrays import PositionArrays, Renumbering
from strategies.kernels.components import Component, OutsideWeights, RiskSurvey
from strategies.kernels.counting import ClassShares, CountingLevels, CountingMemory, LayoutCounter
from strategies.kernels.fifty_fifty import FiftyFifties
from strategies.kernels.memory import Memory
from strategies.kernels.settings import Floats, GuessSettings, Ints

MAX_SHOWN = 16  # numbers that a cell may show
NO_CANDIDATE = -9.0  # priority of a cell that is not a candidate
CERTAIN_RATE = 0.3  # how fast the first certain cells reach the value `gain`
BEHIND = 0.999  # fraction of the best score; upper limit for the displayed scores of the other cells
EPSILON = 1e-9  # minimum difference by which a score is better


class CellFigures:
    """Figures of each cell, as in `settings.Choice`; `best` is the best score (-1 if no cell is scored)."""

    position: PositionArrays
    memory: CountingMemory
    best: float
    safe: Floats
    score: Floats
    second: Floats
    progress: Floats


def make_figures(position: PositionArrays, memory: CountingMemory) -> CellFigures:
    """Return empty figures."""
    figures, cells = CellFigures(), position.cells
    figures.position, figures.memory, figures.best = position, memory, -1.0
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
    outcomes.share, outcomes.best = memory.floats(MAX_SHOWN, 0.0), memory.floats(MAX_SHOWN, 0.0)
    outcomes.certain, outcomes.stuck = memory.floats(MAX_SHOWN, 0.0), memory.floats(MAX_SHOWN, 0.0)
    return outcomes


class LookaheadContext:
    """Counts of the layouts around a cell that was opened.

    `after` renumbers the bound cells whose layouts are counted by `counter`. `outside` are the weights of all
    other cells: the other bound cells, the safest of which has the safety `elsewhere`, and `rest`
    unconstrained cells.
    """

    cell: int
    after: Renumbering
    counter: LayoutCounter
    levels: CountingLevels
    outside: OutsideWeights
    elsewhere: float
    rest: int
    shares: ClassShares


def look_ahead(found: RiskSurvey, cell: int, pairs: FiftyFifties, outcomes: Outcomes) -> bool:
    """Fill in the outcomes of opening `cell`; return False if its layouts are too many to count, or none."""
    start = found.position.around_start
    outcomes.count = start[cell + 1] - start[cell] + 1
    if outcomes.count > MAX_SHOWN:
        return False
    mark = found.memory.mark()
    context = count_after(found, cell)
    is_counted: bool = context is not None and weigh_numbers(found, context, pairs, outcomes)
    found.memory.release(mark)
    return is_counted


def count_after(found: RiskSurvey, cell: int) -> LookaheadContext | None:
    """Count the layouts around `cell` after it was opened; None if the count exceeds its limits."""
    position, memory = found.position, found.memory
    in_play = components_in_play(found, cell)
    is_kept = memory.ints(position.bound, 0)
    for k in range(position.bound):
        is_kept[k] = in_play[found.component[k]]
    context = LookaheadContext()
    context.cell, context.after = cell, arrays.renumber_after(position, cell, is_kept, memory)
    after = context.after
    rows = arrays.rows_after(position, cell, after.number, memory)
    probe = rows.count - 1 if position.around_start[cell + 1] > position.around_start[cell] else -1
    counted = arrays.counted_after(position, after, after.count, memory)
    context.counter = counting.make_counter(counted, after.count, rows, probe, memory)
    groups = context.counter.groups
    placing = counting.order_classes(groups, probe, memory)
    context.levels = counting.make_levels(placing.order, 0, groups.count, memory)
    if not counting.count_forward(context.counter, context.levels):
        return None
    context.rest = position.cells - position.bound
    if cell >= position.bound:
        context.rest -= 1
    for t in range(after.count):
        if after.cells[t] >= position.bound:
            context.rest -= 1
    length = counting.most_mines(context.levels, memory) + 1
    context.outside = weigh_outside(found, in_play, context.rest, length)
    context.elsewhere = 0.0
    for k in range(position.bound):
        if not is_kept[k] and position.openable[k]:
            context.elsewhere = max(context.elsewhere, 1.0 - found.risks[k])
    context.shares = counting.no_shares(groups.count, memory)
    return context


def components_in_play(found: RiskSurvey, cell: int) -> Ints:
    """Return 1 for each component that contains the cell or a neighbour that its number counts, else 0."""
    position = found.position
    in_play = found.memory.ints(len(found.components) + 1, 0)
    if cell < position.bound:
        in_play[found.component[cell]] = 1
    for t in range(position.around_start[cell], position.around_start[cell + 1]):
        if position.around[t] < position.bound:
            in_play[found.component[position.around[t]]] = 1
    return in_play


def weigh_outside(found: RiskSurvey, in_play: Ints, rest: int, length: int) -> OutsideWeights:
    """Weigh the layouts of all cells not in play, for each number of mines in play below `length`."""
    memory = found.memory
    others = components.zero_polynomial(1, memory)
    others.terms[0] = 1.0
    for c in range(len(found.components)):
        component: Component = found.components[c]
        if not in_play[c]:
            others = components.convolve(others, component.numbers, memory)
    weights = components.rest_weights(found.position, rest, length - 1 + others.length, memory)
    weights.every = components.correlate(others, weights.every, length, memory)
    weights.mine = components.correlate(others, weights.mine, length, memory)
    weights.safe = components.correlate(others, weights.safe, length, memory)
    return weights


def weigh_numbers(
    found: RiskSurvey, context: LookaheadContext, pairs: FiftyFifties, outcomes: Outcomes
) -> bool:
    """Fill in the outcomes of all numbers; return False if there is no layout."""
    counter, levels, outside = context.counter, context.levels, context.outside
    everything = 0.0
    for v in range(outcomes.count):
        outcomes.share[v] = outcomes.best[v] = outcomes.certain[v] = outcomes.stuck[v] = 0.0
        wanted = v if outcomes.count > 1 else -1
        whole = counting.weigh_backward(counter, levels, outside.every.terms, wanted, context.shares)
        if whole > 0.0:
            everything += whole
            rest_risk = 0.0
            if context.rest:
                rest_risk = components.risk_of(
                    counting.weigh_total(counter, levels, outside.mine.terms, wanted),
                    counting.weigh_total(counter, levels, outside.safe.terms, wanted),
                )
            outcomes.share[v] = whole
            safety_after(found.position, context, rest_risk, outcomes, v)
            outcomes.stuck[v] = fifty_fifty_chance_after(found, context, whole, rest_risk, pairs)
    if everything == 0.0:
        return False
    for v in range(outcomes.count):
        outcomes.share[v] /= everything
    return True


def safety_after(
    position: PositionArrays, context: LookaheadContext, rest_risk: float, outcomes: Outcomes, v: int
) -> None:
    """Fill in the safety of the safest cell after the number v was shown, and the number of certain cells."""
    after, of_cell, shares = context.after, context.counter.groups.of_cell, context.shares
    best, certain = context.elsewhere, 0.0
    for k in range(after.count):
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


def fifty_fifty_chance_after(
    found: RiskSurvey, context: LookaheadContext, whole: float, rest_risk: float, pairs: FiftyFifties
) -> float:
    """Return the probability of an unavoidable 50/50 of two cells after the cell showed a number."""
    number, of_cell, shares = context.after.number, context.counter.groups.of_cell, context.shares
    free = 1.0
    for i in range(pairs.count):
        x, y = pairs.cells[2 * i], pairs.cells[2 * i + 1]
        if context.cell in (x, y):
            continue
        if number[x] < 0:
            free *= 1.0 - 0.5 * pairs.chance[i]
            continue
        caught = shares.differ[of_cell[number[x]]] / whole
        for t in range(pairs.deciding_count[i]):
            z = pairs.deciding[fifty_fifty.MAX_DECIDING * i + t]
            if z == context.cell:
                caught = 0.0
                break
            if number[z] >= 0:
                caught *= shares.mine[of_cell[number[z]]] / whole
            elif z < found.position.bound:
                caught *= found.risks[z]
            else:
                caught *= rest_risk
        free *= 1.0 - 0.5 * caught
    return 1.0 - free


def score_candidates(
    found: RiskSurvey, figures: CellFigures, most_tried: float, pockets: float, settings: GuessSettings
) -> int:
    """Look one move ahead from the nearly safest cells; return the best cell, or -1.

    Cells of isolated groups with fewer than `pockets` cells are left out while other candidates exist.
    `figures` contains the safety of each cell, and receives the other figures of the scored cells.
    """
    position, memory = found.position, found.memory
    gain: float = settings.gain
    by_risk: float = settings.by_risk
    weight: float = settings.fours
    pairs, squares = fifty_fifty.find_pair_fifty_fifties(found), fifty_fifty.no_fifty_fifties(0, 4, memory)
    if weight > 0.0:
        squares = fifty_fifty.find_square_fifty_fifties(found)
    loss = unavoidable_loss(found, pairs, squares, weight, settings.due)
    priority = priorities(found, figures, loss, settings.near)
    if pockets > 0.0:
        defer_isolated_groups(position, int(pockets), priority, memory)
    best, chosen, tried = -1.0, -1, 0
    outcomes = make_outcomes(memory)
    rest_left: int = int(settings.away)
    while tried < most_tried:
        k = highest(priority, position.cells)
        if priority[k] == NO_CANDIDATE:
            break
        priority[k] = NO_CANDIDATE
        safe = figures.safe[k]
        if k >= position.bound:
            rest_left -= 1
        if k >= position.bound and rest_left < 0:
            drop_candidates(priority, figures.safe, position.bound, position.cells, 1.0)
            continue
        if by_risk == 0.0 and score_bound(safe, gain) <= best:
            drop_candidates(priority, figures.safe, 0, position.cells, safe)
            continue
        tried += 1
        if not look_ahead(found, k, pairs, outcomes):
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


def drop_candidates(priority: Floats, safe: Floats, begin: int, end: int, most: float) -> None:
    """Remove the cells from `begin` to `end` whose safety is at most `most` from the candidates."""
    for k in range(begin, end):
        if safe[k] <= most:
            priority[k] = NO_CANDIDATE


def highest(values: Floats, count: int) -> int:
    """Return the index of the first highest value."""
    index = 0
    for k in range(1, count):
        if values[k] > values[index]:
            index = k
    return index


def unavoidable_loss(
    found: RiskSurvey, pairs: FiftyFifties, squares: FiftyFifties, weight: float, due: float
) -> Floats:
    """Return for each cell the part of its risk that a later guess would incur anyway.

    That is the probability of hitting a mine of an unavoidable 50/50, times `due`.
    """
    cells = found.position.cells
    loss = found.memory.floats(cells, 0.0)
    for t in range(2 * pairs.count):
        loss[pairs.cells[t]] += 0.5 * pairs.chance[t // 2]
    for t in range(4 * squares.count):
        loss[squares.cells[t]] += 0.5 * (weight * squares.chance[t // 4])
    for k in range(cells):
        loss[k] *= due
    return loss


def priorities(found: RiskSurvey, figures: CellFigures, loss: Floats, near: float) -> Floats:
    """Return a sort key, highest first: bound cells by safety, then other cells by the chance of a zero.

    A cell is a candidate if its risk minus its unavoidable loss exceeds the lowest risk by at most `near`.
    """
    position, risks = found.position, found.risks
    least = 1.0
    for k in range(position.cells):
        if position.openable[k]:
            least = min(least, 1.0 - figures.safe[k])
    margin = near if least > 0.0 else 0.0
    result = found.memory.floats(position.cells, NO_CANDIDATE)
    for k in range(position.cells):
        own = risks[k]
        if not position.openable[k] or own == 1.0 or own - min(loss[k], own) > least + margin:
            continue
        zero = 1.0 - own
        touching = 0.0
        for t in range(position.around_start[k], position.around_start[k + 1]):
            zero *= 1.0 - risks[position.around[t]]
            if position.around[t] < position.bound:
                touching += 1.0
        if k >= position.bound:
            result[k] = 0.001 * touching - (2.0 - zero)
        else:
            result[k] = 1e-6 * zero - own
    return result


def defer_isolated_groups(position: PositionArrays, most: int, priority: Floats, memory: Memory) -> None:
    """Remove cells of groups with fewer than `most` cells from the candidates if there are others.

    Only the mine total connects such a group to the rest of the board. A guess in it costs the same later,
    when the total may decide.
    """
    sizes = fifty_fifty.group_sizes(position, memory)
    others = 0
    for k in range(position.cells):
        if priority[k] != NO_CANDIDATE and sizes[k] >= most:
            others += 1
    for k in range(position.cells):
        if others and sizes[k] < most:
            priority[k] = NO_CANDIDATE


def discount_resolved_squares(outcomes: Outcomes, cell: int, squares: FiftyFifties, weight: float) -> None:
    """Raise `outcomes.stuck` for the square 50/50s that opening this cell does not resolve."""
    free = 1.0
    for i in range(squares.count):
        is_resolved: bool = False
        for t in range(4):
            is_resolved = is_resolved or squares.cells[4 * i + t] == cell
        for t in range(squares.deciding_count[i]):
            deciding = squares.deciding[fifty_fifty.MAX_DECIDING * i + t]
            is_resolved = is_resolved or deciding == cell
        if not is_resolved:
            free *= 1.0 - 0.5 * (weight * squares.chance[i])
    for v in range(outcomes.count):
        outcomes.stuck[v] = 1.0 - (1.0 - outcomes.stuck[v]) * free


def score_outcomes(outcomes: Outcomes, settings: GuessSettings, cell: int, figures: CellFigures) -> None:
    """Fill in the figures of a cell."""
    gain: float = settings.gain
    stuck: float = settings.stuck
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
            value = 1.0 + gain * (1.0 - math.exp(-certain * CERTAIN_RATE))
        score += share * value * (1.0 - outcomes.stuck[v]) ** stuck
    figures.score[cell] = safe * score
    if settings.by_risk > 0.0:
        figures.score[cell] = safe * (1.0 + 1e-5 * hope + 1e-7 * entropy)
    figures.second[cell], figures.progress[cell] = safe * second, progress


def score_bound(safe: float, gain: float) -> float:
    """Return an upper bound on the score of a cell with this safety."""
    return safe * (1.0 + gain)


def look_ahead_twice(found: RiskSurvey, figures: CellFigures, chosen: int, settings: GuessSettings) -> int:
    """Score the most promising cells again, by following each number with a second move; return the best.

    Only `settings.deep` cells are followed, some of them incompletely because they cannot become the best.
    Cells that are not followed to the end are displayed with lower scores than the best cell. If no cell is
    followed, return `chosen`.
    """
    cells = found.position.cells
    gain: float = settings.gain
    first_scores = found.memory.floats(cells, 0.0)
    for k in range(cells):
        first_scores[k] = figures.score[k]
    best, winner = -1.0, chosen
    for _ in range(int(settings.deep)):
        k = highest(first_scores, cells)
        if first_scores[k] < 0.0:
            break
        first_scores[k] = -1.0
        if score_bound(figures.second[k], gain) <= best:
            figures.score[k] = min(figures.second[k], best * BEHIND)
            continue
        safe = figures.safe[k]
        figures.score[k] = safe * value_opened(found, k, best / safe, settings)
        if figures.score[k] > best + EPSILON:
            best = figures.score[k]
            winner = k
    for k in range(cells):
        if first_scores[k] >= 0.0:
            figures.score[k] = min(first_scores[k], best) * BEHIND
    return winner


def value_opened(found: RiskSurvey, cell: int, need: float, settings: GuessSettings) -> float:
    """Return the value of the game after `cell` was opened: the mean over the numbers that it may show.

    Starts with an upper bound and makes it exact number by number, the most likely first. If the value falls
    to `need` or below, the result stays an upper bound.
    """
    memory = found.memory
    gain: float = settings.gain
    mark = memory.mark()
    outcomes = make_outcomes(memory)
    no_pairs = fifty_fifty.no_fifty_fifties(0, 2, memory)
    value = 0.0
    if look_ahead(found, cell, no_pairs, outcomes):
        for v in range(outcomes.count):
            value += outcomes.share[v] * outcomes.best[v]
        value = score_bound(value, gain)
        after = arrays.position_after(found.position, cell, memory)
        while value > need:
            v = highest(outcomes.share, outcomes.count)
            share = outcomes.share[v]
            if share == 0.0:
                break
            outcomes.share[v] = 0.0
            if outcomes.count > 1:
                after.rows.low[after.rows.count - 1] = after.rows.high[after.rows.count - 1] = v
            value += share * (position_value(after, settings, memory) - score_bound(outcomes.best[v], gain))
    memory.release(mark)
    return value


def position_value(position: PositionArrays, settings: GuessSettings, memory: CountingMemory) -> float:
    """Return the score of the best move of a position."""
    mark = memory.mark()
    value = 0.0
    found = components.survey_risks(position, position.rows, memory)
    if found is not None:
        figures = make_figures(position, memory)
        is_open: bool = False
        for k in range(position.cells):
            figures.safe[k] = 1.0 - found.risks[k]
            is_open = is_open or 0.0 < found.risks[k] < 1.0
        if is_open:
            score_candidates(found, figures, settings.replies, 0.0, settings)
            value = figures.best
        else:
            value = 1.0 + settings.gain
    memory.release(mark)
    return value
