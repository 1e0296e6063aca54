"""`best` with a small share of its work: look-ahead by one move, and a short endgame."""

from __future__ import annotations

from collections.abc import Iterable

from games.minesweeper import Guess, Position
from strategies.builtin import lowest_risk
from strategies.guesser import rank_guesses
from strategies.hookspecs import hookimpl
from strategies.kernels import GuessSettings

NAME = "quick"
SETTINGS = GuessSettings(layouts=300, work=1e6, candidates=12, away=4, fours=1, due=1, pockets=8)


@hookimpl
def guess(position: Position) -> Iterable[Guess]:
    """Return the best candidates, best first."""
    return rank_guesses(position, SETTINGS) or lowest_risk.guess(position)
