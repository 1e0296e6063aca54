"""A position as arrays, which the compiled inner loops work on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import numpy as np

from games.logic import Knowledge, bits
from strategies.compiled import Field, Ints
from strategies.counting import PRIOR_ODDS, total_of


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """The undecided cells by their numbers, `cells[k]` being number k, and the field in which they stand."""

    cells: tuple[int, ...]
    field: Field

    @classmethod
    def of(
        cls, knowledge: Knowledge, counted: int, openable: int = 0, counts: tuple[int, ...] = ()
    ) -> Situation:
        """What is undecided. `counted` are the cells that can hold mines, where no total says so."""
        total = total_of(knowledge)
        whole = 0
        if total is not None:
            whole = counted = total.cells
        rules = [c for c in knowledge.stated if not (c.is_global and c.cells == whole)]
        held = 0
        for rule in rules:
            held |= rule.cells
        bound = tuple(bits(held))
        cells = (*bound, *bits(knowledge.undecided & counted & ~held))
        number = dict(zip(cells, range(len(cells)), strict=True))
        around_start, around = _around(cells, counts)
        least, most = (0, -1) if total is None else (total.low, total.high)
        field = Field(
            len(bound),
            np.array([counted >> k & 1 for k in bound], np.int64),
            np.array([openable >> k & 1 for k in cells], np.int64),
            _starts([rule.size for rule in rules]),
            np.array([number[k] for rule in rules for k in bits(rule.cells)], np.int64),
            np.array([rule.low for rule in rules], np.int64),
            np.array([rule.high for rule in rules], np.int64),
            around_start,
            around,
            least,
            most,
            PRIOR_ODDS,
        )
        return cls(cells, field)


def _starts(lengths: list[int]) -> Ints:
    starts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(np.array(lengths, np.int64), out=starts[1:])
    return starts


def _around(cells: tuple[int, ...], counts: tuple[int, ...]) -> tuple[Ints, Ints]:
    """For each number the numbers of the cells that it would count; none for variables that are no cells."""
    if not counts:
        return np.zeros(len(cells) + 1, np.int64), np.zeros(0, np.int64)
    starts, members = _flat(counts)
    own = np.array(cells, np.int64)
    is_cell = own < len(counts)
    begins = starts[np.where(is_cell, own, 0)]
    lengths = np.where(is_cell, starts[np.where(is_cell, own + 1, 0)] - begins, 0)
    ends = np.cumsum(lengths)
    whole = int(ends[-1]) if len(ends) else 0
    listed = members[np.repeat(begins - ends + lengths, lengths) + np.arange(whole)]
    number = np.full(max(len(counts), max(cells, default=-1) + 1, int(members.max(initial=-1)) + 1), -1)
    number[own] = np.arange(len(cells))
    numbered = number[listed]
    kept = np.concatenate(([0], np.cumsum(numbered >= 0)))
    return kept[np.concatenate(([0], ends))], numbered[numbered >= 0]


@lru_cache(maxsize=16)
def _flat(counts: tuple[int, ...]) -> tuple[Ints, Ints]:
    """Sets of cells as one array, and where each begins."""
    lists = [list(bits(cells)) for cells in counts]
    return _starts([len(own) for own in lists]), np.array(list(chain.from_iterable(lists)), np.int64)
