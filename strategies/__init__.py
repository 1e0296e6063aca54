"""Strategies: plugins that derive certain moves, each with its proof, and rank guesses.

A strategy is one file with one or both hooks, `deduce` and `guess`, marked with `hookimpl`::

    from strategies import Deduction, hookimpl

    NAME = "nothing-left"

    @hookimpl
    def deduce(knowledge):
        for constraint in knowledge.constraints:
            if constraint.all_false:
                yield Deduction.false(constraint.cells, because=(constraint,), rule="no mine is left")
"""

from games.logic.constraint import Constraint, bits, cell_set
from games.logic.knowledge import Knowledge
from games.logic.proof import Deduction, Linear, ProofStep, Propagation, Split
from games.minesweeper.board import Board, Move
from games.minesweeper.position import Guess
from strategies.hookspecs import CONTRACT, CertainCell, GameEnd, GameInfo, PlanInfo, hookimpl
from strategies.options import Option
from strategies.position import Position
from strategies.reasoner import Fault, Reasoner, ReasoningResult
from strategies.registry import (
    BUILT_IN,
    DEFAULT_ORDER,
    OBSERVERS,
    available_strategies,
    load_observer,
    load_strategies,
    load_strategy,
)
from strategies.strategy import Strategy

# Deprecated names, kept for one release.
Outcome = ReasoningResult
Step = ProofStep
Game = GameInfo
Planned = PlanInfo
Shown = CertainCell
Ended = GameEnd
available = available_strategies

__all__ = [
    "BUILT_IN",
    "CONTRACT",
    "DEFAULT_ORDER",
    "OBSERVERS",
    "Board",
    "CertainCell",
    "Constraint",
    "Deduction",
    "Fault",
    "GameEnd",
    "GameInfo",
    "Guess",
    "Knowledge",
    "Linear",
    "Move",
    "Option",
    "PlanInfo",
    "Position",
    "ProofStep",
    "Propagation",
    "Reasoner",
    "ReasoningResult",
    "Split",
    "Strategy",
    "available_strategies",
    "bits",
    "cell_set",
    "hookimpl",
    "load_observer",
    "load_strategies",
    "load_strategy",
]
