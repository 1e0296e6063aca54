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
from games.logic.model_count import MAX_STEPS, ModelGraph, build_model_graph
from games.logic.proof import Deduction, Linear, Method, ProofStep, Propagation, Split
from games.logic.propagation import ForcedCells, PropagationConflict, PropagationProblem, Rule, propagate
from games.logic.sync import KnowledgeReplica, KnowledgeSender

__all__ = [
    "MAX_STEPS",
    "Constraint",
    "Deduction",
    "DeductionRejected",
    "ForcedCells",
    "Knowledge",
    "KnowledgeReplica",
    "KnowledgeSender",
    "Linear",
    "Method",
    "ModelGraph",
    "ProofStep",
    "Propagation",
    "PropagationConflict",
    "PropagationProblem",
    "Rule",
    "Split",
    "affected_components",
    "bits",
    "build_model_graph",
    "cell_set",
    "check",
    "connected_components",
    "propagate",
    "union_cells",
]
