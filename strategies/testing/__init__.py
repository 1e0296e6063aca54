"""What a strategy's author tests with: boards as text, the truth about them, the contract of a strategy."""

from strategies.testing.contract import CHECKS, assert_deduces, assert_sound, check_strategy
from strategies.testing.minimize import smallest_like
from strategies.testing.samples import (
    Sample,
    certain,
    layouts,
    mid_game,
    position_of,
    samples,
    small_boards,
    small_knowledge,
)

__all__ = [
    "CHECKS",
    "Sample",
    "assert_deduces",
    "assert_sound",
    "certain",
    "check_strategy",
    "layouts",
    "mid_game",
    "position_of",
    "samples",
    "small_boards",
    "small_knowledge",
    "smallest_like",
]
