"""Provers that other people wrote: clauses for them (`ladr`), models by Mace4, proofs by Prover9."""

from strategies.external.ladr import clause_count, clauses, naming, problem, run
from strategies.external.mace4 import (
    MACE4_OPTIONS,
    enumerate_models,
    models_by_mace4,
    read_models,
    reduce_cell_state_variation,
)
from strategies.external.prover9 import find_prover9, prove, prove_all, read_proof

__all__ = [
    "MACE4_OPTIONS",
    "clause_count",
    "clauses",
    "enumerate_models",
    "find_prover9",
    "models_by_mace4",
    "naming",
    "problem",
    "prove",
    "prove_all",
    "read_models",
    "read_proof",
    "reduce_cell_state_variation",
    "run",
]
