"""Reasoning's ground, with no game in it: constraints on sets of yes/no variables, and proof."""

from games.logic.bits import bits, cell_set
from games.logic.checker import Rejected, check
from games.logic.components import components, reached
from games.logic.constraint import Constraint
from games.logic.drawing import MOST_DRAWN, LayoutGraph, all_layouts
from games.logic.knowledge import Knowledge
from games.logic.mirror import Mirror, Sender
from games.logic.proof import Deduction, Linear, Method, Propagation, Split, Step
from games.logic.propagation import Conflict, Forced, Problem, Rule, propagate

__all__ = [
    "MOST_DRAWN",
    "Conflict",
    "Constraint",
    "Deduction",
    "Forced",
    "Knowledge",
    "LayoutGraph",
    "Linear",
    "Method",
    "Mirror",
    "Problem",
    "Propagation",
    "Rejected",
    "Rule",
    "Sender",
    "Split",
    "Step",
    "all_layouts",
    "bits",
    "cell_set",
    "check",
    "components",
    "propagate",
    "reached",
]
