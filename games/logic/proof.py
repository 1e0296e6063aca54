"""A deduction is a derived constraint with the step that shows it. Three kinds of step are enough.

Everything that the source documents (docs/sources.md) do is cutting planes or a case split
(`docs/reasoning.md`): propagation, a linear combination with rounding, a split into cases that each end in
propagation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.logic.constraint import Constraint


@dataclass(frozen=True, slots=True)
class Propagation:
    """Assume the opposite; bounds propagation in the premises, one after the other, ends in a conflict."""


@dataclass(frozen=True, slots=True)
class Linear:
    """Add the premises, each times its whole multiplier, then divide and round.

    `multipliers` has one number for each premise: positive takes the premise's lower bound, negative its
    upper bound. `divisor` >= 1 divides the sum; coefficients and bound are rounded up (Chvatal-Gomory).
    That shows the conclusion's lower bound; the same with every sign turned shows its upper bound. What is
    left over may be made up for by 0 <= x <= 1.
    """

    multipliers: tuple[int, ...]
    divisor: int = 1


@dataclass(frozen=True, slots=True)
class Split:
    """Suppose `cell` true, then false; each case falls to propagation (None) or to a further split."""

    cell: int
    if_true: Split | None = None
    if_false: Split | None = None


Method = Propagation | Linear | Split


class ProofStep(NamedTuple):
    """How a deduction follows: by which rule, from which premises, shown by which method.

    `premises` are constraints as the strategy saw them (reduced by what was known then), given or derived.
    `account` is how the strategy itself puts it, for people who ask, with cells as `{12}`; nobody checks it.
    """

    rule: str
    premises: tuple[Constraint, ...]
    method: Method = Propagation()
    account: str = ""


class Deduction(NamedTuple):
    """A constraint that follows from others, and the step that shows it.

    Cells that are certainly true or certainly false are its saturated case.
    """

    constraint: Constraint
    step: ProofStep

    @classmethod
    def true(
        cls, cells: int, because: tuple[Constraint, ...], rule: str = "", method: Method = Propagation()
    ) -> Deduction:
        """All of `cells` (a set) are certainly true: mines."""
        count = cells.bit_count()
        return cls(Constraint(cells, count, count), ProofStep(rule, because, method))

    @classmethod
    def false(
        cls, cells: int, because: tuple[Constraint, ...], rule: str = "", method: Method = Propagation()
    ) -> Deduction:
        """None of `cells` (a set) is true: all are safe."""
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
        """Between `low` and `high` of `cells` (a set) are true."""
        return cls(Constraint(cells, low, high), ProofStep(rule, because, method, account))
