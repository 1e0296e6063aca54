"""Search over constraints: refutation, models, minimal and smallest conflicts.

`solver` propagates and splits within a step budget; `model_finder` finds models with it, and `conflicts`
reduces contradictions to few constraints.
"""
