"""Constraints on sets of Boolean variables, and proofs; independent of any game."""

from games.logic.checker import DeductionRejected, check
from games.logic.constraint import (
    Constraint,
    affected_components,
    bits,
    cell_set,
    connected_components,
    union_cells,
)
from games.logic.knowledge import Knowledge
from games.logic.proof import Deduction, Linear, Method, ProofStep, Propagation, Split

__all__ = [
    "Constraint",
    "Deduction",
    "DeductionRejected",
    "Knowledge",
    "Linear",
    "Method",
    "ProofStep",
    "Propagation",
    "Split",
    "affected_components",
    "bits",
    "cell_set",
    "check",
    "connected_components",
    "union_cells",
]
