"""The default guess: the cell with which the game is most likely won, as far as the work allowed can say.

When few layouts remain, each cell is played on from plainly, and the rest of the game is solved exactly.
Otherwise the cells that are nearly the safest are candidates. Each number that a candidate may show is
followed: how safe is the best move after it, and the best one after that; is anything certain then; do cells
remain that nothing can distinguish, so that a guess between them comes anyway, and is better taken now?
`docs/guessing.md` says what each of these is worth.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.minesweeper import Guess, Position
from strategies.builtin import lowest_risk
from strategies.compiled.settings import Settings
from strategies.guesser import rank_guesses
from strategies.hookspecs import hookimpl

NAME = "best"
SETTINGS = Settings(
    layouts=2000, work=5e6, played=2e7, beyond=4, listed=2e5, deep=5, gain=0, fours=1, due=1, pockets=8
)


@hookimpl
def guess(position: Position) -> Iterable[Guess]:
    """The best cells that may be opened and are not known to be mines, the best first."""
    return rank_guesses(position, SETTINGS) or lowest_risk.guess(position)
