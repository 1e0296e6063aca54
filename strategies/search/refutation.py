"""Showing that something cannot be: its opposite is supposed, and every case ends in a conflict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.logic import Constraint, Problem, Propagation, Split, bits
from strategies.search.splitting import Budget, Failure, search

MOST_CASES = 400  # splits in one proof


@dataclass(frozen=True, slots=True)
class Refutation:
    """How it fails: the method, and the constraints that it takes, in the order given."""

    method: Propagation | Split
    premises: tuple[Constraint, ...]


def refute(
    premises: Sequence[Constraint], opposite: Constraint, cap: int = MOST_CASES, budget: Budget | None = None
) -> Refutation | None:
    """Show that `opposite` cannot hold beside the premises.

    None when it can, or when that takes more than `cap` splits, or more than are left of the budget.
    """
    cap = cap if budget is None else min(cap, budget.left)
    problem = Problem.of((opposite, *premises))
    touching = problem.touching

    def busiest(cells: int) -> int:
        """The cell of the most constraints, the lowest of equals."""
        return 1 << max(bits(cells), key=lambda k: (len(touching[k]), -k))

    own = Budget(cap)
    failure = search(problem, own, pick=busiest)
    if budget is not None:
        budget.spend(1 + cap - own.left)
    if not isinstance(failure, Failure):
        return None
    used = tuple(premise for place, premise in enumerate(premises, 1) if failure.rules >> place & 1)
    return Refutation(failure.split or Propagation(), used)
