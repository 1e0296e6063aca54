"""Strategies: plugins that turn knowledge into certain moves, each with its proof, and into good guesses.

A strategy is one file with one or both hooks, marked with `hookimpl`::

    from strategies import Deduction, hookimpl

    NAME = "nothing-left"

    @hookimpl
    def deduce(knowledge):
        for constraint in knowledge.constraints:
            if constraint.all_false:
                yield Deduction.false(constraint.cells, because=(constraint,), rule="no mine is left")
"""

from games.logic import Constraint, Deduction, Knowledge, Linear, Propagation, Split, bits, cell_set
from games.minesweeper import Guess, Position
from strategies.faults import Fault, Outcome
from strategies.hookspecs import hookimpl
from strategies.reasoner import Reasoner
from strategies.registry import BUILT_IN, DEFAULT_ORDER, Strategy, available, load_strategies, load_strategy

__all__ = [
    "BUILT_IN",
    "DEFAULT_ORDER",
    "Constraint",
    "Deduction",
    "Fault",
    "Guess",
    "Knowledge",
    "Linear",
    "Outcome",
    "Position",
    "Propagation",
    "Reasoner",
    "Split",
    "Strategy",
    "available",
    "bits",
    "cell_set",
    "hookimpl",
    "load_strategies",
    "load_strategy",
]
