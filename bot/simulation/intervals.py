"""How sure a count of wins is: intervals at 95 %."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

Z = 1.96  # standard deviations that hold 95 % of a normal distribution


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of games with its 95 % interval; all between 0 and 1 (differences: -1 and 1)."""

    rate: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.rate:.2f} % ({100 * self.low:.2f} to {100 * self.high:.2f})"


def win_rate(won: int, games: int) -> Rate:
    """The share of games won, with the score interval of E. B. Wilson (1927), also good near 0 and 1."""
    if not games:
        return Rate(0.0, 0.0, 1.0)
    share = won / games
    scale = 1 + Z * Z / games
    middle = (share + Z * Z / (2 * games)) / scale
    half = Z / scale * sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    return Rate(share, max(middle - half, 0.0), min(middle + half, 1.0))


@dataclass(frozen=True, slots=True)
class Paired:
    """Two players compared game by game: games that both played, those that only one of them won."""

    games: int
    only_ours: int
    only_theirs: int

    @classmethod
    def of(cls, ours: Mapping[int, bool], theirs: Mapping[int, bool]) -> Paired:
        """Compare the games that are in both, by number."""
        both = ours.keys() & theirs.keys()
        return cls(
            len(both),
            sum(ours[game] and not theirs[game] for game in both),
            sum(theirs[game] and not ours[game] for game in both),
        )

    @property
    def difference(self) -> Rate:
        """Our share of wins less theirs: (x - y)/n ± 1.96 sqrt(x + y - (x - y)²/n)/n."""
        x, y, n = self.only_ours, self.only_theirs, self.games
        if not n:
            return Rate(0.0, -1.0, 1.0)
        half = Z * sqrt(max(x + y - (x - y) ** 2 / n, 0.0)) / n
        return Rate((x - y) / n, (x - y) / n - half, (x - y) / n + half)
