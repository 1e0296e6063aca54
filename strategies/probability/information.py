"""Which question is worth most: each has replies, and each reply adds constraints.

A cell that could be opened is such a question (its replies are the numbers, and the mine), and so is a
suggestion in Clue. Layouts that are each as likely as any other say how likely every reply is and what
would be left to know behind it; what a question is expected to show is that difference in entropy, in bits
(Shannon, "A mathematical theory of communication", 1948).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from games.logic import Constraint, bits

BITS_KEPT = 12  # of bits; what is behind them is the rounding of sums
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer: the constraints that hold then, at least one.

    `among` is a set of cells of which whoever answers picks one that is true, each as likely: of two true
    ones the answer that names one of them comes half the time.
    """

    constraints: tuple[Constraint, ...]
    among: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """Something to ask or to try, and all that can come out."""

    name: Hashable
    replies: tuple[Reply, ...]


@dataclass(frozen=True, slots=True)
class ExpectedInformation:
    """What a question is expected to show, in bits: about the cells that matter, and about all."""

    question: Question
    matters: float
    everything: float


def cell_question(cell: int, counted: int) -> Question:
    """The question that opening a cell asks: a mine, or any number of mines in `counted` (a set)."""
    numbers = (
        Reply((Constraint(1 << cell, 0, 0), Constraint(counted, n, n)))
        for n in range(counted.bit_count() + 1)
    )
    return Question(cell, (Reply((Constraint(1 << cell, 1, 1),)), *numbers))


def expected_information(
    layouts: Sequence[int], questions: Sequence[Question], matters: int, are_all: bool = False
) -> list[ExpectedInformation]:
    """What each question is expected to show, the questions in the order given.

    `layouts` (sets of true cells) are equally likely; `matters` is the set of the cells that one wants to
    know. Unless the layouts are all that there are (`are_all`), what so few of them make look informative by
    chance is taken off (the correction of Miller and Madow).
    """
    if not layouts:
        return [ExpectedInformation(question, 0.0, 0.0) for question in questions]
    spoken = [c.cells for question in questions for each in question.replies for c in each.constraints]
    numbers: dict[int, int] = {}
    targets = np.array([numbers.setdefault(layout & matters, len(numbers)) for layout in layouts])
    chance = 0.0 if are_all else 1 / (2 * len(layouts) * np.log(2))
    shares = _ReplyShares(_columns(layouts, max((*spoken, *layouts)).bit_length()))
    return [_worth(question, shares, targets, len(numbers), chance) for question in questions]


@dataclass(slots=True)
class _ReplyShares:
    """For each layout how much of it falls to a reply; what questions share is computed once."""

    columns: Floats  # a row for each cell, a column for each layout
    _counts: dict[int, Floats] = field(default_factory=dict)
    _chosen: dict[int, Floats] = field(default_factory=dict)
    _logs: dict[int, Floats] = field(default_factory=dict)
    _begun: tuple[tuple[Constraint, ...], Floats | None] = ((), None)  # what the reply before began with

    def count(self, cells: int) -> Floats:
        """How many of these cells (a set) are true."""
        if cells not in self._counts:
            self._counts[cells] = sum((self.columns[k] for k in bits(cells)), np.zeros(self.columns.shape[1]))
        return self._counts[cells]

    def choice(self, cells: int) -> Floats:
        """The bits that are lost by choosing one of these that is true."""
        if cells not in self._logs:
            self._logs[cells] = np.log2(self.chosen(cells))
        return self._logs[cells]

    def chosen(self, cells: int) -> Floats:
        """Among how many of these one that is true is chosen, 1 where none is."""
        if cells not in self._chosen:
            self._chosen[cells] = np.maximum(self.count(cells), 1)
        return self._chosen[cells]

    def of(self, reply: Reply) -> Floats:
        """1 where the reply comes, 0 where it cannot come, a share where somebody chooses."""
        *before, last = reply.constraints
        begin = tuple(before)
        if self._begun[0] != begin:
            self._begun = begin, self._all(begin)
        share = self._holds(last) if self._begun[1] is None else self._begun[1] * self._holds(last)
        return share / self.chosen(reply.among) if reply.among else share

    def _all(self, constraints: Sequence[Constraint]) -> Floats | None:
        """1 where all of them hold, 0 elsewhere; None when there are none."""
        share = None
        for constraint in constraints:
            share = self._holds(constraint) if share is None else share * self._holds(constraint)
        return share

    def _holds(self, constraint: Constraint) -> Floats:
        true = self.count(constraint.cells)
        if constraint.low == constraint.high == constraint.size == 1:
            return true
        return ((true >= constraint.low) & (true <= constraint.high)).astype(np.float64)


def _worth(
    question: Question, shares: _ReplyShares, targets: NDArray[np.int64], count: int, chance: float
) -> ExpectedInformation:
    """Entropies of the reply: as it is, when the target is known, when the whole layout is."""
    rows = len(targets)
    joint = np.zeros((len(question.replies), count))
    by_choice = 0.0
    for number, reply in enumerate(question.replies):
        share = shares.of(reply)
        if reply.among:
            by_choice += float(share @ shares.choice(reply.among)) / rows
        joint[number] = np.bincount(targets, weights=share, minlength=count)
    joint /= rows
    replies, goals = joint.sum(axis=1), joint.sum(axis=0)
    everything = max(round(_surprise(replies) - by_choice, BITS_KEPT), 0.0)
    shared = _surprise(replies) + _surprise(goals) - _surprise(joint)
    pairs, seen, ends = (int(np.count_nonzero(each)) for each in (joint, replies, goals))
    matters = float(shared - chance * (pairs - seen - ends + 1))
    return ExpectedInformation(question, min(max(matters, 0.0), everything), everything)


def _surprise(shares: Floats) -> float:
    """The sum of -p log2 p."""
    some = shares[shares > 0]
    return float(-(some @ np.log2(some)))


def _columns(layouts: Sequence[int], cells: int) -> Floats:
    """A row for each cell, a column for each layout."""
    width = cells // 8 + 1
    packed = np.frombuffer(b"".join(layout.to_bytes(width, "little") for layout in layouts), dtype=np.uint8)
    table = np.unpackbits(packed.reshape(len(layouts), width), axis=1, bitorder="little")
    return np.ascontiguousarray(table.T, dtype=np.float64)
