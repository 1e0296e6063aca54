"""Reasoning's ground, with no game in it: constraints on sets of yes/no variables, and proof."""

from games.logic.bits import bits, cell_set
from games.logic.checker import Rejected, check
from games.logic.components import components, reached
from games.logic.constraint import Constraint
from games.logic.knowledge import Knowledge
from games.logic.proof import Deduction, Linear, Method, Propagation, Split, Step

__all__ = [
    "Constraint",
    "Deduction",
    "Knowledge",
    "Linear",
    "Method",
    "Propagation",
    "Rejected",
    "Split",
    "Step",
    "bits",
    "cell_set",
    "check",
    "components",
    "reached",
]
