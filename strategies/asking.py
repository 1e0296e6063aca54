"""Which question tells most: each has outcomes, and each outcome adds constraints.

A cell that could be opened is such a question (its outcomes are the numbers, and the mine), and so is a
suggestion in Clue. Layouts that are each as likely as any other say how likely every outcome is and what
would be left to know behind it; what a question is expected to tell is that difference in entropy, in bits
(Shannon, "A mathematical theory of communication", 1948).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.logic import Constraint, bits

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One answer: the constraints that hold then.

    `among` is a set of cells of which whoever answers picks one that is true, each as likely: of two true
    ones the answer that names one of them comes half the time.
    """

    constraints: tuple[Constraint, ...]
    among: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """Something to ask or to try, and all that can come out."""

    name: Hashable
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Worth:
    """What a question is expected to tell, in bits: about the cells that matter, and about all."""

    question: Question
    matters: float
    everything: float


def opening(cell: int, counted: int) -> Question:
    """The question that opening a cell asks: a mine, or any number of mines in `counted` (a set)."""
    numbers = (
        Outcome((Constraint(1 << cell, 0, 0), Constraint(counted, n, n)))
        for n in range(counted.bit_count() + 1)
    )
    return Question(cell, (Outcome((Constraint(1 << cell, 1, 1),)), *numbers))


def worths(
    layouts: Sequence[int], questions: Sequence[Question], matters: int, are_all: bool = False
) -> list[Worth]:
    """What each question is expected to tell, the questions in the order given.

    `layouts` (sets of true cells) are equally likely; `matters` is the set of the cells that one wants to
    know. Unless the layouts are all that there are (`are_all`), what so few of them make look informative by
    chance is taken off (the correction of Miller and Madow).
    """
    if not layouts:
        return [Worth(question, 0.0, 0.0) for question in questions]
    spoken = [c.cells for question in questions for each in question.outcomes for c in each.constraints]
    table = _table(layouts, max((*spoken, *layouts)).bit_length())
    numbers: dict[int, int] = {}
    targets = np.array([numbers.setdefault(layout & matters, len(numbers)) for layout in layouts])
    chance = 0.0 if are_all else 1 / (2 * len(layouts) * np.log(2))
    known: dict[tuple[int, int, int], Floats] = {}

    def holds(constraint: Constraint) -> Floats:
        key = constraint.cells, constraint.low, constraint.high
        if key not in known:
            true = table[:, list(bits(constraint.cells))].sum(axis=1)
            known[key] = ((true >= constraint.low) & (true <= constraint.high)).astype(np.float64)
        return known[key]

    return [_worth(question, table, targets, len(numbers), chance, holds) for question in questions]


def _worth(
    question: Question,
    table: NDArray[np.uint8],
    targets: NDArray[np.int64],
    count: int,
    chance: float,
    holds: Callable[[Constraint], Floats],
) -> Worth:
    """Entropies of the outcome: as it is, when the target is known, when the whole layout is."""
    rows = len(table)
    joint = np.zeros((len(question.outcomes), count))
    by_choice = 0.0
    for number, outcome in enumerate(question.outcomes):
        weight = np.ones(rows)
        for constraint in outcome.constraints:
            weight = weight * holds(constraint)
        if outcome.among:
            choices = table[:, list(bits(outcome.among))].sum(axis=1)
            weight = weight / np.maximum(choices, 1)
        by_choice += _surprise(weight) / rows
        joint[number] = np.bincount(targets, weights=weight, minlength=count)
    joint /= rows
    outcomes, goals = joint.sum(axis=1), joint.sum(axis=0)
    everything = _surprise(outcomes) - by_choice
    shared = _surprise(outcomes) + _surprise(goals) - _surprise(joint)
    pairs, seen, ends = (int(np.count_nonzero(each)) for each in (joint, outcomes, goals))
    matters = shared - chance * (pairs - seen - ends + 1)
    everything = max(float(everything), 0.0)
    return Worth(question, min(max(float(matters), 0.0), everything), everything)


def _surprise(shares: Floats) -> float:
    """The sum of -p log2 p."""
    some = shares[shares > 0]
    return float(-(some * np.log2(some)).sum())


def _table(layouts: Sequence[int], cells: int) -> NDArray[np.uint8]:
    """A row for each layout, a column for each cell."""
    width = cells // 8 + 1
    packed = np.frombuffer(b"".join(layout.to_bytes(width, "little") for layout in layouts), dtype=np.uint8)
    return np.unpackbits(packed.reshape(len(layouts), width), axis=1, bitorder="little")
