"""Default guesser: the cell with the highest estimated probability of winning the game.

If few layouts remain, the rest of the game is solved exactly. Otherwise the nearly safest cells are
candidates, and look-ahead (depth 2) evaluates each number that a candidate may show: the safety of the next
two moves, new certain moves, and unavoidable 50/50 guesses that are better taken now. `docs/guessing.md`
has the gain of each term.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.minesweeper import Guess, Position
from strategies.builtin import lowest_risk
from strategies.guesser import rank_guesses
from strategies.hookspecs import hookimpl
from strategies.kernels import GuessSettings

NAME = "best"
SETTINGS = GuessSettings(
    layouts=2000, work=5e6, played=2e7, beyond=4, listed=2e5, deep=5, gain=0, fours=1, due=1, pockets=8
)


@hookimpl
def guess(position: Position) -> Iterable[Guess]:
    """Return the best candidates, best first."""
    return rank_guesses(position, SETTINGS) or lowest_risk.guess(position)
