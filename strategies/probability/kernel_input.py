"""Convert a position into arrays for the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.logic import Constraint, Knowledge, bits
from strategies.kernels import PositionArrays, make_position
from strategies.probability.counts import PRIOR_ODDS, mine_total

Ints: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class KernelInput:
    """The undecided cells, numbered by their index in `cells`, as arrays that use these numbers.

    The first `bound` cells are constrained; `openable` is 1 for cells that may be opened.
    """

    cells: tuple[int, ...]
    bound: int
    openable: Ints
    arrays: PositionArrays

    @classmethod
    def of(
        cls, knowledge: Knowledge, counted: int, openable: int = 0, counts: tuple[int, ...] = ()
    ) -> KernelInput:
        """Convert the undecided cells. `counted` is the set of cells that can be mines without a total."""
        bound = knowledge.once(_arrays_with_total) or _ConstraintArrays.of(knowledge, None, counted)
        own = bound.cells
        around = _numbered_neighbours(own, counts)
        if openable:
            may_open = _is_in(openable, knowledge.universe | openable)[own].astype(np.int64)
        else:
            may_open = np.zeros(len(own), np.int64)
        arrays = make_position(
            bound.counted, may_open, bound.constraints, around, bound.least, bound.most, PRIOR_ODDS
        )
        return cls(tuple(own.tolist()), len(bound.counted), may_open, arrays)


@dataclass(frozen=True, slots=True, eq=False)
class _ConstraintArrays:
    """The arrays that depend only on the constraints; `cells` are all undecided cells."""

    cells: Ints
    counted: Ints
    constraints: tuple[Ints, Ints, Ints, Ints]  # start, members, low, high
    least: int
    most: int

    @classmethod
    def of(cls, knowledge: Knowledge, total: Constraint | None, counted: int) -> _ConstraintArrays:
        """Convert the constraints other than the total; `counted` is the cell set of the total."""
        whole = total.cells if total is not None else 0
        rules = [c for c in knowledge.stated if not (c.is_global and c.cells == whole)]
        held = 0
        for rule in rules:
            held |= rule.cells
        width = knowledge.universe | held | counted
        bound = np.flatnonzero(_is_in(held, width))
        rest = np.flatnonzero(_is_in(knowledge.undecided & counted & ~held, width))
        number = np.zeros(width.bit_length() + 8, np.int64)
        number[bound] = np.arange(len(bound))
        table = _bit_table([rule.cells for rule in rules], width)
        members = np.flatnonzero(table.view(np.bool_)) % table.shape[1]
        return cls(
            np.concatenate((bound, rest)),
            _is_in(counted, width)[bound].astype(np.int64),
            (
                _starts([rule.cells.bit_count() for rule in rules]),
                number[members],
                np.array([rule.low for rule in rules], np.int64),
                np.array([rule.high for rule in rules], np.int64),
            ),
            *((0, -1) if total is None else (total.low, total.high)),
        )


def _arrays_with_total(knowledge: Knowledge) -> _ConstraintArrays | None:
    """The arrays if the total is known; they depend on the knowledge alone, so they are cached with it."""
    total = mine_total(knowledge)
    return None if total is None else _ConstraintArrays.of(knowledge, total, total.cells)


def _is_in(cells: int, width: int) -> NDArray[np.uint8]:
    """Return 1 for each cell of a set and 0 for the others, at least up to the last cell of `width`."""
    return _bit_table([cells], width).ravel()


def _bit_table(sets: Sequence[int], width: int) -> NDArray[np.uint8]:
    """Return a row for each cell set: 1 for its cells, 0 for the others up to the last cell of `width`."""
    octets = width.bit_length() // 8 + 1
    packed = np.frombuffer(b"".join(cells.to_bytes(octets, "little") for cells in sets), np.uint8)
    return np.unpackbits(packed, bitorder="little").reshape(len(sets), 8 * octets)


def _starts(lengths: list[int]) -> Ints:
    starts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(np.array(lengths, np.int64), out=starts[1:])
    return starts


def _numbered_neighbours(own: Ints, counts: tuple[int, ...]) -> tuple[Ints, Ints]:
    """For each cell, the undecided cells that its number would count; none for auxiliary variables."""
    if not counts:
        return np.zeros(len(own) + 1, np.int64), np.zeros(0, np.int64)
    starts, members = _flat(counts)
    is_cell = own < len(counts)
    begins = starts[np.where(is_cell, own, 0)]
    lengths = np.where(is_cell, starts[np.where(is_cell, own + 1, 0)] - begins, 0)
    ends = np.cumsum(lengths)
    whole = int(ends[-1]) if len(ends) else 0
    listed = members[np.repeat(begins - ends + lengths, lengths) + np.arange(whole)]
    number = np.full(max(len(counts), int(own.max(initial=-1)) + 1, int(members.max(initial=-1)) + 1), -1)
    number[own] = np.arange(len(own))
    numbered = number[listed]
    kept = np.concatenate(([0], np.cumsum(numbered >= 0)))
    return kept[np.concatenate(([0], ends))], numbered[numbered >= 0]


@lru_cache(maxsize=16)
def _flat(counts: tuple[int, ...]) -> tuple[Ints, Ints]:
    """Return the start index of each cell set, and all sets as one array."""
    lists = [list(bits(cells)) for cells in counts]
    return _starts([len(own) for own in lists]), np.array(list(chain.from_iterable(lists)), np.int64)
