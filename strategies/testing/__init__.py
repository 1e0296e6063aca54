"""Tools for strategy authors: boards as text, brute-force ground truth, the contract suite."""

from strategies.testing.contract import CHECKS, assert_deduces, assert_sound, check_strategy
from strategies.testing.minimize import minimize_fault
from strategies.testing.samples import (
    SampleBoard,
    all_models,
    certain_variables,
    mid_game,
    position_of,
    samples,
    small_boards,
    small_knowledge,
)

# Deprecated names, kept for one release.
Sample = SampleBoard
layouts = all_models
certain = certain_variables
smallest_like = minimize_fault

__all__ = [
    "CHECKS",
    "SampleBoard",
    "all_models",
    "assert_deduces",
    "assert_sound",
    "certain_variables",
    "check_strategy",
    "mid_game",
    "minimize_fault",
    "position_of",
    "samples",
    "small_boards",
    "small_knowledge",
]
