"""Guessers: `lowest-risk`, and three plugins that differ only in the settings of the scores.

`best` solves the rest of the game exactly if few layouts remain. Otherwise the nearly safest cells are
candidates, and look-ahead (depth 2) evaluates each number that a candidate may show: the safety of the next
two moves, new certain moves, and unavoidable 50/50 guesses that are better taken now.
`docs/explain/guessing.md` describes the terms.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.logic import bits
from games.minesweeper import Guess
from strategies.guesser import promised_first_click, rank_guesses
from strategies.hookspecs import hookimpl
from strategies.kernels import GuessSettings
from strategies.position import Position
from strategies.probability.risks import MineProbabilities, mine_probabilities


class LowestRisk:
    """Guess the cell with the lowest exact mine probability.

    Ties go to cells next to a clue (their number is more likely to be useful), then to cells with fewer
    neighbours (more likely to be zero), then to the lower index.
    """

    @hookimpl
    def guess(self, position: Position) -> list[Guess]:
        """Return all cells that may be opened and are not known mines, safest first."""
        first = promised_first_click(position)
        if first is not None:
            return [first]
        found = mine_probabilities(position.knowledge, (1 << position.cells) - 1)
        false = position.knowledge.false
        ranked = sorted(
            (
                0.0 if false >> k & 1 else round(found.of(k), 9),
                k not in found.by_cell,
                position.counts[k].bit_count(),
                k,
            )
            for k in bits(position.openable & ~position.knowledge.true)
        )
        return [Guess(k, 1.0 - risk, _reason(risk, k, found)) for risk, _, _, k in ranked]


def _reason(risk: float, cell: int, found: MineProbabilities) -> str:
    share = f"{100 * risk:.1f} %"
    if found.estimated >> cell & 1:
        return f"a mine with about {share}: too many layouts to count, estimated from the clues beside it"
    if cell in found.by_cell:
        return f"a mine in {share} of the layouts that the clues allow"
    return f"next to no clue; a mine with {share}"


class ScoreGuesser:
    """Guess with the scores of the kernels; with `lowest-risk` in positions that are too large for them."""

    def __init__(self, about: str, settings: GuessSettings) -> None:
        self.__doc__ = about
        self.settings = settings

    @hookimpl
    def guess(self, position: Position) -> Iterable[Guess]:
        """Return the best candidates, best first."""
        return rank_guesses(position, self.settings) or lowest_risk.guess(position)


lowest_risk = LowestRisk()
lowest_risk_progress = ScoreGuesser(
    "Guess the safest cell; ties go to the most likely progress, then to the most expected information.",
    GuessSettings(layouts=0, near=1e-9, by_risk=1),
)
quick = ScoreGuesser(
    "`best` with a small share of its work: look-ahead by one move, and a short endgame.",
    GuessSettings(layouts=300, work=1e6, candidates=12, away=4, fours=1, due=1, pockets=8),
)
best = ScoreGuesser(
    "Default guesser: the cell with the highest estimated probability of winning the game.",
    GuessSettings(
        layouts=2000, work=5e6, played=2e7, beyond=4, listed=2e5, deep=5, gain=0, fours=1, due=1, pockets=8
    ),
)
