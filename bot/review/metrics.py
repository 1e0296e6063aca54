"""Metrics of a game: 3BV, ZiNi, clicks, efficiency, luck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import reduce
from math import prod

from bot.review.assessment import MoveAssessment
from bot.review.reviewed_game import ReviewedGame
from games.logic import bits
from games.minesweeper import neighbours
from games.minesweeper.minefield import bv3, find_openings, human_zini, zini

DECIMALS = 4  # digits after the decimal point in JSON


@dataclass(frozen=True, slots=True)
class BoardMetrics:
    """Metrics of a board: 3BV, openings, greedy and human ZiNi."""

    bv3: int
    openings: int
    zini: int
    human_zini: int

    @classmethod
    def of(cls, rows: int, columns: int, mines: int) -> BoardMetrics:
        """Compute the metrics of a board with these mines (a cell set)."""
        size = rows, columns, mines
        return cls(bv3(*size), len(find_openings(*size)), zini(*size), human_zini(*size))


@dataclass(frozen=True, slots=True)
class GameMetrics:
    """Metrics of a game.

    `solved` is the 3BV opened by its moves, None if the mines are unknown. `survival` is the probability of
    surviving all risks taken, `expected_hits` their mean number of mines, `hits` the actual number.
    `given_away` is the sum of lost win chances. `unjudged` counts moves of unknown risk.
    """

    seconds: float
    clicks: int
    board: BoardMetrics | None
    solved: int | None
    survival: float
    expected_hits: float
    hits: int
    given_away: float
    unjudged: int

    @property
    def bv3_per_second(self) -> float | None:
        """Solved 3BV per second."""
        return self.solved / self.seconds if self.solved is not None and self.seconds > 0 else None

    @property
    def efficiency(self) -> float | None:
        """Solved 3BV per click, known as IOE."""
        return self.solved / self.clicks if self.solved is not None and self.clicks else None

    def as_json(self) -> dict[str, object]:
        """Return all metrics by name; unknown ones are None."""
        board = asdict(self.board) if self.board else dict.fromkeys(("bv3", "openings", "zini", "human_zini"))
        shares = {
            "seconds": self.seconds,
            "bv3_per_second": self.bv3_per_second,
            "efficiency": self.efficiency,
            "survival": self.survival,
            "expected_hits": self.expected_hits,
            "given_away": self.given_away,
        }
        counts = {"solved": self.solved, "clicks": self.clicks, "hits": self.hits, "unjudged": self.unjudged}
        return board | counts | rounded(shares)


def rounded(values: Mapping[str, float | None]) -> dict[str, float | None]:
    """Round values for JSON."""
    return {name: None if value is None else round(value, DECIMALS) for name, value in values.items()}


def game_metrics(game: ReviewedGame, verdicts: Sequence[MoveAssessment]) -> GameMetrics:
    """Compute the metrics of a game from the assessments of its moves."""
    board, solved = None, None
    if game.truth is not None:
        size = game.last.rows, game.last.columns
        board = BoardMetrics.of(*size, game.truth)
        opened = reduce(int.__or__, (made.opened for made in game.moves), 0)
        solved = solved_bv3(*size, game.truth, opened)
    risks = [verdict.risk for verdict in verdicts if verdict.risk is not None]
    return GameMetrics(
        game.seconds,
        game.clicks,
        board,
        solved,
        prod(1.0 - risk for risk in risks),
        sum(risks),
        sum(verdict.hit for verdict in verdicts),
        sum(verdict.win_chance_lost for verdict in verdicts),
        sum(verdict.risk is None and verdict.made.opened > 0 for verdict in verdicts),
    )


def solved_bv3(rows: int, columns: int, mines: int, opened: int) -> int:
    """The part of the 3BV in a set of opened cells: complete openings, and numbers outside of openings."""
    around = neighbours(rows, columns)
    alone, done = opened & ~mines, 0
    for opening in find_openings(rows, columns, mines):
        zeros = sum(1 << k for k in bits(opening) if not around[k] & mines)
        done += not zeros & ~opened
        alone &= ~opening
    return done + alone.bit_count()
