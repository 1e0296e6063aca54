"""What many reviewed games come to, by program and level: how many were won, how lucky, how quick."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import fsum

from bot.review.reviewing import Review
from bot.simulation import Rate, win_rate

DECIMALS = 4


@dataclass(frozen=True)
class Totals:
    """The games of one program and board. `finished` were won or lost; `fast` are the 3BV/s of those won."""

    program: str
    board: str
    games: int
    finished: int
    won: int
    unnecessary: int
    guesses: int
    given_away: float
    hits: int
    expected_hits: float
    fast: tuple[float, ...]

    @property
    def rate(self) -> Rate | None:
        """The share of the finished games that were won, with its interval; None without any."""
        return win_rate(self.won, self.finished) if self.finished else None

    @property
    def mean_speed(self) -> float | None:
        """The mean 3BV/s of the games that were won."""
        return fsum(self.fast) / len(self.fast) if self.fast else None

    def as_json(self) -> dict[str, object]:
        """The fields of one of the `totals`."""
        rate = self.rate
        named = asdict(rate) if rate else dict.fromkeys(("rate", "low", "high"))
        speeds = {"bv3_per_second": self.mean_speed, "fastest": max(self.fast, default=None)}
        shares: dict[str, float | None] = {
            "given_away": self.given_away, "expected_hits": self.expected_hits, **named, **speeds,
        }  # fmt: skip
        return {
            "program": self.program,
            "board": self.board,
            "games": self.games,
            "finished": self.finished,
            "won": self.won,
            "unnecessary_guesses": self.unnecessary,
            "guesses": self.guesses,
            "hits": self.hits,
            **{name: None if value is None else round(value, DECIMALS) for name, value in shares.items()},
        }


def totals_of(reviews: Iterable[Review]) -> list[Totals]:
    """The totals by program and board, the most played first; where there are several, all together last."""
    games = list(reviews)
    groups: dict[tuple[str, str], list[Review]] = {}
    for each in games:
        groups.setdefault((each.program or "unknown", board_of(each)), []).append(each)
    found = [
        _total(*key, own) for key, own in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    ]
    return [*found, _total("all", "", games)] if len(found) > 1 else found


def board_of(review: Review) -> str:
    """`30x16/99`; without the mines where nobody knows them."""
    last = review.game.last
    return f"{last.columns}x{last.rows}" + (f"/{review.game.mines}" if review.game.mines is not None else "")


def _total(program: str, board: str, games: Sequence[Review]) -> Totals:
    figures = [each.figures for each in games]
    won = [each for each in games if each.game.ended == "won"]
    speeds = [each.figures.bv3_per_second for each in won]
    return Totals(
        program,
        board,
        len(games),
        sum(each.game.ended != "stopped" for each in games),
        len(won),
        sum(each.count("unnecessary guess") + each.count("mistake") for each in games),
        sum(each.count("guess") for each in games),
        fsum(each.given_away for each in figures),
        sum(each.hits for each in figures),
        fsum(each.expected_hits for each in figures),
        tuple(speed for speed in speeds if speed is not None),
    )
