"""Guesses of which several candidates were played out, and what better choices would win.

Chance alone makes one of equal candidates look best. So a choice is made by some of the layouts and judged by
the others; what it seems to win on its own ones is above the truth, and what it wins on the others is no more
than the best choice would.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path

from bot.simulation.tournament import WinRate, Z

HIT, LOST, WON = "x", "012345678", "abcdefghi"  # a mine; the number shown, in a game lost and in one won


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell that might be opened: its figures, and what came of it, a letter for each layout."""

    cell: int
    is_bound: bool
    safe: float
    score: float
    second: float
    progress: float
    played: str

    def value(self, *parts: slice) -> float:
        """Its share of wins by these layouts: of those in which it is no mine, times how safe it is.

        How often it was one is chance, and would only add to it.
        """
        own = [letter for part in parts for letter in self.played[part] if letter != HIT]
        return self.safe * sum(letter in WON for letter in own) / max(len(own), 1)


@dataclass(frozen=True, slots=True)
class Decision:
    """A guess: the how manieth of its game, ln of the layouts left, the board; the choice of `best` first.

    All candidates were played on the first `sifted` layouts; those that these showed to be worse, no more.
    """

    game: int
    first_click: str
    number: int
    way: int
    log_layouts: float
    state: str
    sifted: int
    candidates: tuple[Candidate, ...]

    @property
    def layouts(self) -> int:
        """On how many layouts those that were not left out were played."""
        return max(len(candidate.played) for candidate in self.candidates)

    @property
    def rivals(self) -> tuple[Candidate, ...]:
        """The choice of `best`, and the others that were not left out."""
        full = self.layouts
        return tuple(candidate for candidate in self.candidates if len(candidate.played) == full)

    def gain(self, count: int) -> tuple[float, float]:
        """What the choice by `count` of the layouts wins more than `best` does: on others, and on those.

        The mean over all parts of so many layouts that do not overlap; `count` is at most half of them.
        """
        begin, end = self.sifted, self.layouts
        rivals = self.rivals
        if len(rivals) < 2:
            return 0.0, 0.0
        fair, fooled, parts = 0.0, 0.0, 0
        for start in range(begin, end - count + 1, count):
            own, others = slice(start, start + count), (slice(begin, start), slice(start + count, end))
            values = [rival.value(own) for rival in rivals]
            taken = values.index(max(values))
            fooled += values[taken] - values[0]
            fair += rivals[taken].value(*others) - rivals[0].value(*others)
            parts += 1
        return fair / parts, fooled / parts

    @property
    def line(self) -> str:
        """What a table keeps."""
        return json.dumps(asdict(self))

    @classmethod
    def of(cls, line: str) -> Decision:
        """Read a line of a table. Raises ValueError, KeyError or TypeError."""
        kept = json.loads(line)
        kept["candidates"] = tuple(Candidate(**one) for one in kept["candidates"])
        return cls(**kept)


def mean_of(values: Iterable[float]) -> WinRate:
    """The mean with its 95 % interval."""
    numbers = list(values)
    count = len(numbers)
    if count < 2:
        return WinRate(sum(numbers), -1.0, 1.0)
    mean = sum(numbers) / count
    half = Z * sqrt(sum((value - mean) ** 2 for value in numbers) / (count - 1) / count)
    return WinRate(mean, mean - half, mean + half)


def gain_per_game(decisions: Sequence[Decision], gains: Sequence[float], games: int, share: float) -> WinRate:
    """What all guesses of a game bring, of which only a `share` was looked at; the mean over `games`."""
    of_game: dict[int, float] = {}
    for decision, gain in zip(decisions, gains, strict=True):
        of_game[decision.game] = of_game.get(decision.game, 0.0) + gain / share
    return mean_of([*of_game.values(), *[0.0] * (games - len(of_game))])


def read(path: Path) -> list[Decision]:
    """The decisions of a table, without a last line that is cut off."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [Decision.of(line) for line in text[: text.rfind("\n") + 1].splitlines()]
