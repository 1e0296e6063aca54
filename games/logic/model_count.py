"""Exact counting and uniform sampling of models, one cell at a time.

A state holds the true-cell counts of all constraints that are partly assigned; states with the same possible
continuations are merged. For each state the number of completions is stored, and a model is sampled by
walking forward with these numbers as weights. This suits constraints over many cells each, such as rows,
columns or Clue hands; `strategies.probability` counts by equivalence classes of cells instead, which suits
boards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import log2
from random import Random

from games.logic.constraint import Constraint, bits, union_cells

MAX_STEPS = 1_500_000  # transitions; above this limit constraints are left out
MOST_TRIES = 50  # samples drawn per sample wanted, if some violate a left-out constraint
WIDE = 12  # bits per counter in a state
MOST_OF_ONE = (1 << WIDE) - 1


@dataclass(slots=True)
class ModelGraph:
    """All models of some constraints, as a graph of states.

    `left_out` are constraints that did not fit into the graph; samples that violate them are rejected.
    `count` is the exact number of models of the other constraints.
    """

    cells: list[int]
    count: int
    left_out: tuple[Constraint, ...]
    _moves: list[dict[int, tuple[int | None, int | None]]] = field(repr=False)
    _ways: list[dict[int, int]] = field(repr=False)

    @property
    def is_exact(self) -> bool:
        """Whether no constraint was left out."""
        return not self.left_out

    def true_counts(self) -> dict[int, int]:
        """For each cell, the number of counted models in which it is true."""
        reached: dict[int, int] = {0: 1}
        found = {}
        for cell, moves, ways in zip(self.cells, self._moves, self._ways[1:], strict=True):
            after: dict[int, int] = {}
            true = 0
            for state, times in reached.items():
                if_false, if_true = moves[state]
                if if_false is not None and if_false in ways:
                    after[if_false] = after.get(if_false, 0) + times
                if if_true is not None and if_true in ways:
                    after[if_true] = after.get(if_true, 0) + times
                    true += times * ways[if_true]
            found[cell] = true
            reached = after
        return found

    def iterate(self) -> Iterator[int]:
        """Each counted model once, as the set of its true cells."""
        waiting = [(0, 0, 0)] if self.count else []
        while waiting:
            place, state, layout = waiting.pop()
            if place == len(self.cells):
                yield layout
                continue
            for after, bit in zip(self._moves[place][state], (0, 1 << self.cells[place]), strict=True):
                if after is not None and after in self._ways[place + 1]:
                    waiting.append((place + 1, after, layout | bit))

    def sample(self, wanted: int, rng: Random) -> list[int]:
        """`wanted` models (sets of true cells), uniform, with replacement; fewer if too many are rejected."""
        return self.draw_counting(wanted, rng)[0]

    def draw_counting(self, wanted: int, rng: Random) -> tuple[list[int], int]:
        """The same, and the number of samples drawn, including rejected ones."""
        found: list[int] = []
        tries = 0
        while self.count and len(found) < wanted and tries < MOST_TRIES * wanted:
            tries += 1
            layout = self._one(rng)
            if all(c.holds(layout) for c in self.left_out):
                found.append(layout)
        return found, tries

    def _one(self, rng: Random) -> int:
        layout = state = 0
        number = rng.randrange(self.count)
        for cell, moves, ways in zip(self.cells, self._moves, self._ways[1:], strict=True):
            if_false, if_true = moves[state]
            without = 0 if if_false is None else ways.get(if_false, 0)
            if number < without:
                assert if_false is not None
                state = if_false
            else:
                assert if_true is not None
                number -= without
                state = if_true
                layout |= 1 << cell
        return layout


def build_model_graph(
    constraints: Sequence[Constraint],
    cap: int = MAX_STEPS,
    exact: bool = False,
    order: Sequence[int] | None = None,
) -> ModelGraph | None:
    """The model graph of these constraints, over the cells they contain.

    If the graph would take more than `cap` steps, weak constraints are left out, the widest first; None if
    that does not help, or with `exact`. `order` is the order in which cells are assigned, chosen by default.
    """
    kept = [c for c in constraints if not c.is_trivial]
    weak = sorted((c for c in kept if c.low <= 0 or c.high >= c.size), key=lambda c: (c.low, c.size))
    cells = union_cells(kept)
    while True:
        built = _build(kept, order or _order(kept, cells), cap)
        if built is not None:
            break
        if exact or not weak:
            return None
        gone = {weak.pop() for _ in range(max(1, len(weak) // 4))}
        kept = [c for c in kept if c not in gone]
    went, moves, ways = built
    left_out = tuple(c for c in constraints if c not in set(kept) and not c.is_trivial)
    return ModelGraph(went, ways[0].get(0, 0), left_out, moves, ways)


def _build(
    constraints: Sequence[Constraint], order: Sequence[int], cap: int
) -> tuple[list[int], list[dict[int, tuple[int | None, int | None]]], list[dict[int, int]]] | None:
    """The order of the cells, the transitions and completion counts of every state; None above the cap."""
    moves: list[dict[int, tuple[int | None, int | None]]] = []
    states: set[int] = {0}
    left = [c.size for c in constraints]
    steps = 0
    for cell in order:
        touched = []
        for place, c in enumerate(constraints):
            if c.cells >> cell & 1:
                left[place] -= 1
                touched.append((place * WIDE, max(c.low, 0), c.high, left[place]))
        steps += 2 * len(states)
        if steps > cap:
            return None
        here = {state: (_after(state, 0, touched), _after(state, 1, touched)) for state in states}
        moves.append(here)
        states = {after for pair in here.values() for after in pair if after is not None}
    ways: list[dict[int, int]] = [dict.fromkeys(states, 1)]
    for here in reversed(moves):
        after = ways[-1]
        found = {}
        for state, (if_false, if_true) in here.items():
            number = (after.get(if_false, 0) if if_false is not None else 0) + (
                after.get(if_true, 0) if if_true is not None else 0
            )
            if number:
                found[state] = number
        ways.append(found)
    ways.reverse()
    return list(order), moves, ways


def _after(state: int, value: int, touched: Sequence[tuple[int, int, int, int]]) -> int | None:
    """The state after assigning a cell; None if a constraint is violated.

    The counter of a completed constraint is reset to 0, that of a constraint that can no longer fail to its
    minimum, so that equivalent states are equal.
    """
    for shift, low, high, left in touched:
        before = state >> shift & MOST_OF_ONE
        count = before + value
        if count > high or count + left < low:
            return None
        if not left:
            count = 0
        elif count > low and count + left <= high:
            count = low
        state += count - before << shift
    return state


def _order(constraints: Sequence[Constraint], cells: int) -> list[int]:
    """The cells, constraint by constraint; greedily the constraint that leaves the smallest state."""
    order: list[int] = []
    done = 0
    waiting = list(constraints)
    while waiting:
        best = min(
            waiting, key=lambda c: (_open_behind(constraints, done | c.cells), (c.cells & ~done).bit_count())
        )
        order += bits(best.cells & ~done)
        done |= best.cells
        waiting = [c for c in waiting if c.cells & ~done]
    return order + list(bits(cells & ~done))


def _open_behind(constraints: Sequence[Constraint], done: int) -> float:
    """Estimated state size, in bits, once these cells are assigned (constraints taken as independent)."""
    found = 0.0
    for c in constraints:
        seen = (c.cells & done).bit_count()
        left = c.size - seen
        if seen and left:
            most = c.high if c.high < c.size else c.low
            found += log2(max(min(seen, most) - max(c.low - left, 0) + 1, 1))
    return found
