"""What a strategy's author tests with: boards as text, the truth about them, the contract of a strategy."""

from strategies.testing.contract import CHECKS, check_strategy
from strategies.testing.counterexamples import smallest_like
from strategies.testing.deducing import assert_deduces
from strategies.testing.samples import Sample, position_of, samples, small_boards, small_knowledge
from strategies.testing.soundness import assert_sound
from strategies.testing.trials import mid_game
from strategies.testing.truth import certain, layouts

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
