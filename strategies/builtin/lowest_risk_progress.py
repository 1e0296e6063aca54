"""The safest cell; of equals the likeliest to make something certain, then the most informative one."""

from __future__ import annotations

from collections.abc import Iterable

from games.minesweeper import Guess, Position
from strategies.builtin import lowest_risk
from strategies.compiled.settings import Settings
from strategies.guesser import rank_guesses
from strategies.hookspecs import hookimpl

NAME = "lowest-risk-progress"
SETTINGS = Settings(layouts=0, near=1e-9, by_risk=1)


@hookimpl
def guess(position: Position) -> Iterable[Guess]:
    """The best cells that may be opened and are not known to be mines, the best first."""
    return rank_guesses(position, SETTINGS) or lowest_risk.guess(position)
