"""Expected information of questions, in bits.

A question has replies, and each reply adds constraints. Opening a cell is a question (a number, or a mine),
and so is a suggestion in Clue. Equally likely layouts give the probability of each reply and the remaining
uncertainty; the expected information is the difference in entropy (Shannon, "A mathematical theory of
communication", 1948).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from games.logic import Constraint, bits

BITS_KEPT = 12  # decimals of a result in bits; later ones are rounding errors
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Reply:
    """One possible reply: the constraints that hold then (at least one).

    If `among` is set, the reply names one true cell of that set, chosen at random: if two of them are true,
    the reply with either of them comes half the time.
    """

    constraints: tuple[Constraint, ...]
    among: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """A question or a move, with all possible replies."""

    name: Hashable
    replies: tuple[Reply, ...]


@dataclass(frozen=True, slots=True)
class ExpectedInformation:
    """Expected information of a question, in bits: about the cells that matter, and about all cells."""

    question: Question
    matters: float
    everything: float


def expected_information(
    layouts: Sequence[int], questions: Sequence[Question], matters: int, are_all: bool = False
) -> list[ExpectedInformation]:
    """Return the expected information of each question, in the given order.

    `layouts` (sets of true cells) are equally likely; `matters` is the set of cells of interest. If the
    layouts are a sample (not `are_all`), the bias of small samples is subtracted (Miller-Madow correction).
    """
    if not layouts:
        return [ExpectedInformation(question, 0.0, 0.0) for question in questions]
    mentioned = [c.cells for question in questions for each in question.replies for c in each.constraints]
    numbers: dict[int, int] = {}
    targets = np.array([numbers.setdefault(layout & matters, len(numbers)) for layout in layouts])
    chance = 0.0 if are_all else 1 / (2 * len(layouts) * np.log(2))
    shares = _ReplyShares(_columns(layouts, max((*mentioned, *layouts)).bit_length()))
    return [_worth(question, shares, targets, len(numbers), chance) for question in questions]


@dataclass(slots=True)
class _ReplyShares:
    """Share of each layout that leads to a reply; caches what questions have in common."""

    columns: Floats  # one row per cell, one column per layout
    _counts: dict[int, Floats] = field(default_factory=dict)
    _chosen: dict[int, Floats] = field(default_factory=dict)
    _logs: dict[int, Floats] = field(default_factory=dict)
    _begun: tuple[tuple[Constraint, ...], Floats | None] = ((), None)  # of the previous reply

    def count(self, cells: int) -> Floats:
        """Number of true cells in this set, per layout."""
        if cells not in self._counts:
            self._counts[cells] = sum((self.columns[k] for k in bits(cells)), np.zeros(self.columns.shape[1]))
        return self._counts[cells]

    def choice(self, cells: int) -> Floats:
        """Bits that a random choice among the true cells of this set costs, per layout."""
        if cells not in self._logs:
            self._logs[cells] = np.log2(self.chosen(cells))
        return self._logs[cells]

    def chosen(self, cells: int) -> Floats:
        """Number of true cells in this set to choose from, per layout; at least 1."""
        if cells not in self._chosen:
            self._chosen[cells] = np.maximum(self.count(cells), 1)
        return self._chosen[cells]

    def of(self, reply: Reply) -> Floats:
        """Probability of the reply, per layout."""
        *before, last = reply.constraints
        begin = tuple(before)
        if self._begun[0] != begin:
            self._begun = begin, self._all(begin)
        share = self._holds(last) if self._begun[1] is None else self._begun[1] * self._holds(last)
        return share / self.chosen(reply.among) if reply.among else share

    def _all(self, constraints: Sequence[Constraint]) -> Floats | None:
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
    """Mutual information of the reply with the target cells, and with the whole layout."""
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
    everything = max(round(_entropy(replies) - by_choice, BITS_KEPT), 0.0)
    shared = _entropy(replies) + _entropy(goals) - _entropy(joint)
    pairs, seen, ends = (int(np.count_nonzero(each)) for each in (joint, replies, goals))
    matters = float(shared - chance * (pairs - seen - ends + 1))
    return ExpectedInformation(question, min(max(matters, 0.0), everything), everything)


def _entropy(shares: Floats) -> float:
    some = shares[shares > 0]
    return float(-(some @ np.log2(some)))


def _columns(layouts: Sequence[int], cells: int) -> Floats:
    width = cells // 8 + 1
    packed = np.frombuffer(b"".join(layout.to_bytes(width, "little") for layout in layouts), dtype=np.uint8)
    table = np.unpackbits(packed.reshape(len(layouts), width), axis=1, bitorder="little")
    return np.ascontiguousarray(table.T, dtype=np.float64)
