"""Reasoning's ground, with no game in it: constraints on sets of yes/no variables, and proof."""

from games.logic.checker import Rejected, check
from games.logic.constraint import Constraint, bits, cell_set, components, reached
from games.logic.knowledge import Knowledge
from games.logic.model_count import MOST_DRAWN, LayoutGraph, all_layouts
from games.logic.proof import Deduction, Linear, Method, Propagation, Split, Step
from games.logic.propagation import Conflict, Forced, Problem, Rule, propagate
from games.logic.sync import Mirror, Sender

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
