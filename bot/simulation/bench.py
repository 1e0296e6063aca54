"""A tournament from its beginning, or from where its table ends, to its figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.simulation.boards import Course
from bot.simulation.intervals import Rate, win_rate
from bot.simulation.lineup import Lineup
from bot.simulation.results import Results
from bot.simulation.simulated import Opening, Score
from bot.simulation.tournament import Tournament
from bot.simulation.workers import Workers
from bot.terminal import RunProgress
from games.minesweeper import Board
from strategies.watching import Watching


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of a tournament; times are CPU time of the player, in milliseconds.

    `faults` are what strategies did wrong, each once, in parts, with the `game` in which it was first seen.
    `outcomes` says in words what became of each game.
    """

    games: int
    won: int
    guesses: float
    decisions: float
    ms_per_game: float
    slowest_move_ms: float
    wins: Mapping[int, bool]
    faults: tuple[Mapping[str, Any], ...] = ()
    outcomes: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, scores: Mapping[int, Score], slowest: float, faults: Sequence[Mapping[str, Any]] = ()
    ) -> Summary:
        """The figures of these games; `slowest` is their slowest decision in seconds."""
        games = len(scores) or 1
        return cls(
            len(scores),
            sum(score.won for score in scores.values()),
            sum(score.guesses for score in scores.values()) / games,
            sum(score.decisions for score in scores.values()) / games,
            1000 * sum(score.seconds for score in scores.values()) / games,
            1000 * slowest,
            {game: score.won for game, score in scores.items()},
            tuple(faults),
            {
                f"game {game}": f"{'won' if score.won else 'lost'}, {score.guesses} guesses"
                for game, score in scores.items()
            },
        )

    @property
    def rate(self) -> Rate:
        """The share of games won."""
        return win_rate(self.won, self.games)

    def as_json(self) -> dict[str, Any]:
        """What `bench --json` prints of it."""
        return {
            "games": self.games,
            "won": self.won,
            "rate": self.rate.rate,
            "low": self.rate.low,
            "high": self.rate.high,
            "ms_per_game": round(self.ms_per_game, 4),
            "slowest_move_ms": round(self.slowest_move_ms, 3),
            "guesses_per_game": round(self.guesses, 4),
            "decisions_per_game": round(self.decisions, 4),
            "faults": list(self.faults),
        }


def run_of(course: Course, opening: Opening, lineup: Lineup) -> dict[str, object]:
    """What a table is of, so that no other run is mixed into it."""
    start = None if opening.start is None else Board.fresh(course.rows, course.columns).name(opening.start)
    return {
        "boards": course.boards,
        "first_click": opening.first_click,
        "start": start or "the strategies' own",
        "strategies": [
            f"{name} {version}" for name, version in zip(lineup.names, lineup.versions, strict=True)
        ],
    }


def play_course(
    course: Course,
    opening: Opening,
    lineup: Lineup,
    workers: Workers,
    out: Path | None = None,
    say: Callable[[str], None] = lambda text: None,
    quiet: bool = True,
    watching: Watching | None = None,
) -> Summary:
    """Play all of a course, or what the table at `out` does not have of it yet.

    `say` hears what strategies did wrong, one for each line of their files, and how
    often, and what observers say. Raises InvalidFile for a table of another run, and what playing raises.
    """
    scores: dict[int, Score] = {}
    slowest, faults = 0.0, _Faults()
    with ExitStack() as stack:
        table = stack.enter_context(Results(out, run_of(course, opening, lineup))) if out else None
        if table:
            scores = {game: score for game, score in table.scores.items() if game in course.deals}
            slowest = table.slowest if scores else 0.0
        progress = stack.enter_context(RunProgress(lineup.names[-1], quiet))
        won = sum(score.won for score in scores.values())
        for score in Tournament(lineup, opening, course.deals, watching).scores(workers, frozenset(scores)):
            scores[score.game] = score
            slowest = max(slowest, score.slowest)
            if table:
                table.add(score)
            for fault in faults.new(score):
                say(f"game {score.game}: {fault}")
            for text in score.says:
                say(text)
            won += score.won
            progress.at(len(scores), len(course.deals), f"{100 * won / len(scores):.1f} % won")
    for often in faults.often():
        say(often)
    return Summary.of(scores, slowest, faults.details)


class _Faults:
    """What strategies did wrong, and in how many games; the same line of a file goes wrong in many ways."""

    def __init__(self) -> None:
        self.details: list[Mapping[str, Any]] = []
        self._games: dict[tuple[object, ...], int] = {}

    def new(self, score: Score) -> Iterator[str]:
        """Those of a game that were not met before, in words."""
        for place, fault in enumerate(score.faults):
            detail = score.details[place] if place < len(score.details) else None
            key = (detail["strategy"], detail["file"], detail["line"]) if detail else (fault,)
            self._games[key] = self._games.get(key, 0) + 1
            if self._games[key] == 1:
                if detail:
                    self.details.append({"game": score.game, **detail})
                yield fault

    def often(self) -> Iterator[str]:
        """How often, of those that were met in more than one game."""
        for (what, *where), games in self._games.items():
            if games > 1:
                line = f" ({where[0]}, line {where[1]})" if where and where[1] else ""
                yield f"{f'strategy {what}{line}' if where else what}: the like in {games} games"
