"""Deductions (derived constraints) and their proof steps.

Three proof methods cover all rules of the source documents (docs/reference/sources.md): propagation, a linear
combination with rounding (cutting planes), and a split into cases that each end in propagation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.logic.constraint import Constraint


@dataclass(frozen=True, slots=True)
class Propagation:
    """Assume the negation: bounds propagation in the premises ends in a conflict."""


@dataclass(frozen=True, slots=True)
class Linear:
    """Add the premises, each times its integer multiplier, then divide and round.

    `multipliers` has one number per premise: a positive one uses the premise's lower bound, a negative one
    its upper bound. `divisor` >= 1 divides the sum; coefficients and bound are rounded up (Chvatal-Gomory).
    This shows the lower bound of the conclusion; with all signs inverted it shows the upper bound. Remaining
    coefficients are cancelled with 0 <= x <= 1.
    """

    multipliers: tuple[int, ...]
    divisor: int = 1


@dataclass(frozen=True, slots=True)
class Split:
    """Assume `cell` true, then false; each case is refuted by propagation (None) or by a further split."""

    cell: int
    if_true: Split | None = None
    if_false: Split | None = None


Method = Propagation | Linear | Split


class ProofStep(NamedTuple):
    """The rule, premises and proof method of a deduction.

    `premises` are given or derived constraints, reduced by the cells known at that time. `account` is the
    strategy's own wording for readers, with cells as `{12}`; it is not checked.
    """

    rule: str
    premises: tuple[Constraint, ...]
    method: Method = Propagation()
    account: str = ""


class Deduction(NamedTuple):
    """A derived constraint with its proof step; certain cells are the saturated case."""

    constraint: Constraint
    step: ProofStep

    @classmethod
    def true(
        cls, cells: int, because: tuple[Constraint, ...], rule: str = "", method: Method = Propagation()
    ) -> Deduction:
        """All of this cell set are certainly true: mines."""
        count = cells.bit_count()
        return cls(Constraint(cells, count, count), ProofStep(rule, because, method))

    @classmethod
    def false(
        cls, cells: int, because: tuple[Constraint, ...], rule: str = "", method: Method = Propagation()
    ) -> Deduction:
        """All of this cell set are certainly false: safe."""
        return cls(Constraint(cells, 0, 0), ProofStep(rule, because, method))

    @classmethod
    def bounds(
        cls,
        cells: int,
        low: int,
        high: int,
        because: tuple[Constraint, ...],
        rule: str = "",
        method: Method = Propagation(),
        account: str = "",
    ) -> Deduction:
        """Between `low` and `high` of this cell set are true."""
        return cls(Constraint(cells, low, high), ProofStep(rule, because, method, account))
