"""Guess the safest cell; ties go to the most likely progress, then to the most expected information."""

from __future__ import annotations

from collections.abc import Iterable

from games.minesweeper import Guess, Position
from strategies.builtin import lowest_risk
from strategies.guesser import rank_guesses
from strategies.hookspecs import hookimpl
from strategies.kernels import GuessSettings

NAME = "lowest-risk-progress"
SETTINGS = GuessSettings(layouts=0, near=1e-9, by_risk=1)


@hookimpl
def guess(position: Position) -> Iterable[Guess]:
    """Return the best candidates, best first."""
    return rank_guesses(position, SETTINGS) or lowest_risk.guess(position)
