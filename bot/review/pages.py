"""Review recorded games and render their pages.

The page of a game is its report with an assessment of every move. The index page of several games has totals
by program and board, and one row per game.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from html import escape
from math import fsum
from typing import Any
from urllib.parse import quote

from bot.recording.recording import Recording
from bot.review.assessment import JUDGED, MoveAssessment, MoveAssessor, describe, summary
from bot.review.metrics import GameMetrics, game_metrics, rounded
from bot.review.reviewed_game import ReviewedGame, game_of
from bot.show.board_text import pluralize
from bot.show.coordinates import Coordinates
from bot.show.page import report_page
from bot.show.story import GameStory, MoveCaption, format_percent, tell_story
from bot.show.webpage import render_page
from bot.simulation.tournament import WinRate, win_rate
from strategies import Strategy


@dataclass(frozen=True)
class Review:
    """A game with the assessments of its moves, in order. `source` is its file or folder."""

    source: str
    recording: Recording
    game: ReviewedGame
    verdicts: tuple[MoveAssessment, ...]
    figures: GameMetrics

    @property
    def program(self) -> str | None:
        """The program, if known."""
        return self.recording.meta.program

    def count(self, kind: str) -> int:
        """The number of moves of a kind."""
        return sum(verdict.kind == kind for verdict in self.verdicts)

    @property
    def headline(self) -> str:
        """The game in one sentence."""
        kinds = Counter(verdict.kind for verdict in self.verdicts)
        ended = {"won": "Won", "lost": "Lost", "stopped": "Not finished"}[self.game.ended]
        missing = f" ({self.missing_end})" if self.missing_end else ""
        luck = ""
        if self.figures.expected_hits:
            survived = format_percent(self.figures.survival)
            luck = f" The chance to survive all its risks was {survived}."
        return f"{ended} in {self.game.seconds:.1f} s{missing}: {summary(kinds)}.{luck}"

    @property
    def missing_end(self) -> str:
        """Why watched pictures do not show the result; empty if they show it."""
        if self.game.is_exact or self.game.ended != "stopped":
            return ""
        return (
            "the board disappears during the game"
            if self.game.is_gone
            else "the pictures end during the game"
        )

    @property
    def unknown(self) -> tuple[str, ...]:
        """What the source does not show, one sentence each."""
        game, is_exact = self.game, self.game.is_exact
        opened = [sum(bool(one.opened) for one in moment.made) for moment in game.moments]
        zeros = sum(each.made.is_ambiguous and not each.hit for each in self.verdicts)
        unread, redrawn = game.last.names(game.last.unread), game.redrawn.bit_count()
        first = any(each.kind == "first click" and each.risk is None for each in self.verdicts)
        start = next((moment.board for moment in game.moments), game.last)
        facts = {
            "The pictures begin during the game.": not is_exact and bool(start.open),
            "The clicks are inferred from the pictures: clicks without effect are unknown.": not is_exact,
            f"{pluralize(zeros, 'click')} hit one of several zeros: the safest is assumed.": zeros,
            f"Up to {max(opened, default=0)} moves lie between two pictures: the best order is assumed.": (
                not is_exact and max(opened, default=0) > 1
            ),
            "Which mine was clicked is unknown, and so is the risk of that click.": any(
                each.kind == "not judged" and each.hit for each in self.verdicts
            ),
            "The mine total is unknown: name it with --mines.": game.mines is None,
            f"The mine total of {game.mines} is a number next to the board: nothing confirms it.": (
                game.is_assumed
            ),
            "Whether a first click can hit a mine is unknown: name the rule with --first-click.": first,
            "The loss is inferred: the last opened cell shows neither a number nor a flag.": (
                game.is_inferred and game.ended == "lost"
            ),
            "The win is inferred: the board disappeared one certain move before the end.": (
                game.is_inferred and game.ended == "won"
            ),
            f"The result is unknown: {self.missing_end}.": bool(self.missing_end),
            f"{pluralize(redrawn, 'closed cell')} changed in the pictures: possibly opened.": bool(
                not is_exact and redrawn
            ),
            f"Unread at the end: {', '.join(unread)}.": bool(not is_exact and unread),
            "Some mines are unknown, and so are 3BV and efficiency.": (
                game.ended != "stopped" and game.truth is None
            ),
        }
        return tuple(fact for fact, is_unknown in facts.items() if is_unknown)

    def as_json(self) -> dict[str, Any]:
        """Return the object for `sapper review --json`."""
        last = self.game.last
        return {
            "source": self.source,
            "program": self.program,
            "size": f"{last.columns}x{last.rows}",
            "mines": self.game.mines,
            "result": self.game.ended,
            "exact": self.game.is_exact,
            "headline": self.headline,
            "unknown": list(self.unknown),
            **self.figures.as_json(),
            "counts": {kind: self.count(kind) for kind in JUDGED},
            "moves": [_move(verdict) for verdict in self.verdicts],
        }


def review(recording: Recording, strategies: Sequence[Strategy], source: str | None = None) -> Review:
    """Assess the moves of a recorded game. Raises InvalidFile if the recording is damaged."""
    strategies = tuple(strategies)
    game = game_of(recording, strategies)
    judge = MoveAssessor(strategies, recording.meta.rules)
    verdicts = tuple(verdict for moment in game.moments for verdict in judge.judge(moment))
    return Review(source or str(recording.folder), recording, game, verdicts, game_metrics(game, verdicts))


def _move(verdict: MoveAssessment) -> dict[str, Any]:
    board = verdict.board
    judged: dict[str, Any] = {
        "look": verdict.look + 1,
        "seconds": round(verdict.seconds, 3),
        "move": verdict.move.text(board),
        "verdict": verdict.kind,
        "opened": verdict.made.opened.bit_count(),
        "hit": verdict.hit,
        "risk": None if verdict.risk is None else round(verdict.risk, 6),
        "given_away": round(verdict.win_chance_lost, 6),
        "text": describe(verdict),
    }
    if verdict.made.is_ambiguous:
        judged["clicked"] = board.names(verdict.made.clicked)
    if verdict.proven:
        judged |= {"rule": verdict.proven.rule, "because": list(verdict.proven.because)}
    if verdict.certain:
        judged["certain"] = board.names(verdict.certain)
    if verdict.best:
        judged["best"] = board.name(verdict.best.cell)
        judged["best_risk"] = round(1.0 - verdict.best.safe, 6)
    if verdict.by == "win":
        judged |= {"win": verdict.win, "best_win": verdict.best_win}
    return judged


def story_of_review(review: Review, strategies: Sequence[Strategy]) -> GameStory:
    """Tell the story of a recording with a caption for each move. Raises InvalidFile if it is damaged."""
    story = tell_story(review.recording, strategies)
    at: dict[int, list[MoveAssessment]] = defaultdict(list)
    for verdict in review.verdicts:
        at[verdict.look].append(verdict)
    steps, before = [], 0
    for number, step in enumerate(story.steps):
        made = at[number]
        judged = tuple(
            MoveCaption(each.move.cell, each.kind, describe(each), each.risk, each.made.is_ambiguous)
            for each in made
        )
        moves = tuple(each.move.text(each.board) for each in made)
        steps.append(replace(step, judged=judged, moves=moves, before=before))
        before += len(moves)
    figures = tuple(metrics_table(review.figures))
    return replace(
        story, steps=tuple(steps), judgement=review.headline, figures=figures, unknown=review.unknown
    )


def review_page(review: Review, strategies: Sequence[Strategy], coordinates: Coordinates = "r0c0") -> str:
    """Render the page of a game. Raises InvalidFile if the recording is damaged."""
    return report_page(replace(story_of_review(review, strategies), coordinates=coordinates))


def metrics_table(figures: GameMetrics) -> list[tuple[str, str]]:
    """The known metrics of a game as (name, text)."""
    board = figures.board
    rows = [
        ("3BV", f"{figures.solved} of {board.bv3}" if board else ""),
        ("3BV/s", f"{figures.bv3_per_second:.2f}" if figures.bv3_per_second is not None else ""),
        ("clicks", str(figures.clicks)),
        (
            "efficiency (3BV per click)",
            format_percent(figures.efficiency) if figures.efficiency is not None else "",
        ),
        ("ZiNi (greedy / human)", f"{board.zini} / {board.human_zini}" if board else ""),
        ("openings", str(board.openings) if board else ""),
        ("all risks survived", format_percent(figures.survival) if figures.expected_hits else ""),
        ("mines hit / expected", f"{figures.hits} / {figures.expected_hits:.2f}"),
        ("chances given away", f"{100 * figures.given_away:.1f} %"),
    ]
    return [(name, value) for name, value in rows if value]


@dataclass(frozen=True)
class PlayerTotals:
    """Totals of one program and board; `fast` are the 3BV/s of the games won."""

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
    def rate(self) -> WinRate | None:
        """The win rate of the finished games with its interval; None without finished games."""
        return win_rate(self.won, self.finished) if self.finished else None

    @property
    def mean_speed(self) -> float | None:
        """The mean 3BV/s of the games won."""
        return fsum(self.fast) / len(self.fast) if self.fast else None

    def as_json(self) -> dict[str, object]:
        """Return one object of the `totals`."""
        rate = self.rate
        named = asdict(rate) if rate else dict.fromkeys(("rate", "low", "high"))
        shares: dict[str, float | None] = {
            "given_away": self.given_away,
            "expected_hits": self.expected_hits,
            **named,
            "bv3_per_second": self.mean_speed,
            "fastest": max(self.fast, default=None),
        }
        return {
            "program": self.program,
            "board": self.board,
            "games": self.games,
            "finished": self.finished,
            "won": self.won,
            "unnecessary_guesses": self.unnecessary,
            "guesses": self.guesses,
            "hits": self.hits,
            **rounded(shares),
        }


def totals_of(reviews: Iterable[Review]) -> list[PlayerTotals]:
    """Totals by program and board, most games first; if there are several, the grand total is last."""
    games = list(reviews)
    groups: dict[tuple[str, str], list[Review]] = {}
    for each in games:
        groups.setdefault((each.program or "unknown", board_label(each)), []).append(each)
    found = [
        _player_totals(*key, own)
        for key, own in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    ]
    return [*found, _player_totals("all", "", games)] if len(found) > 1 else found


def board_label(review: Review) -> str:
    """Size and mine total, such as `30x16/99`; without an unknown total."""
    last = review.game.last
    return f"{last.columns}x{last.rows}" + (f"/{review.game.mines}" if review.game.mines is not None else "")


def _player_totals(program: str, board: str, games: Sequence[Review]) -> PlayerTotals:
    figures = [each.figures for each in games]
    won = [each for each in games if each.game.ended == "won"]
    speeds = [each.figures.bv3_per_second for each in won]
    return PlayerTotals(
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


NONE = "-"
TOTALS = (
    "program", "board", "games", "won", "win rate, %", "unnecessary a game", "guesses a game",
    "given away a game", "mines hit", "expected", "3BV/s of wins", "fastest",
)  # fmt: skip
GAMES = (
    "game", "program", "board", "result", "seconds", "3BV", "3BV/s", "ZiNi", "efficiency", "certain",
    "unnecessary", "guesses", "given away", "risks survived",
)  # fmt: skip


def index_page(reviews: Sequence[tuple[Review, str]]) -> str:
    """Render the index page of (review, relative path of its page)."""
    totals = totals_of(review for review, _ in reviews)
    everything = totals[-1]
    return render_page(
        "bot.review",
        "Sapper: games reviewed",
        headline=f"{everything.games} games, {everything.won} of {everything.finished} finished ones won.",
        facts=luck_sentence(everything),
        totals=_table("Totals", TOTALS, map(_totals_list, totals)),
        games=_table("Games", GAMES, (_game(review, page) for review, page in reviews)),
    )


def luck_sentence(totals: PlayerTotals) -> str:
    """Compare the number of mines hit with its expected value."""
    if not totals.expected_hits:
        return "No risks were taken."
    return (
        f"Luck: {totals.hits} mines were hit, where the risks that were taken hit "
        f"{totals.expected_hits:.1f} on average."
    )


def _table(title: str, names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"<tr>{''.join(f'<th>{name}</th>' for name in names)}</tr>"]
    lines += [f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows]
    box = f'<div class="scroll" tabindex="0" role="region" aria-label="{title}">'
    return "\n".join([f"{box}<table>", *lines, "</table></div>"])


def _totals_list(totals: PlayerTotals) -> list[str]:
    games = totals.games
    return [
        escape(totals.program),
        totals.board,
        str(games),
        str(totals.won),
        str(totals.rate) if totals.rate else NONE,
        f"{totals.unnecessary / games:.1f}",
        f"{totals.guesses / games:.1f}",
        f"{100 * totals.given_away / games:.1f} %",
        str(totals.hits),
        f"{totals.expected_hits:.1f}",
        _number(totals.mean_speed),
        _number(max(totals.fast, default=None)),
    ]


def _game(review: Review, page: str) -> list[str]:
    figures, name = review.figures, escape(review.recording.folder.name)
    board = figures.board
    return [
        f'<a href="{escape(quote(page))}">{name}</a>',
        escape(review.program or "unknown"),
        board_label(review),
        f'<span class="{review.game.ended}">{review.game.ended}</span>',
        f"{figures.seconds:.1f}",
        str(board.bv3) if board else NONE,
        _number(figures.bv3_per_second),
        str(board.zini) if board else NONE,
        format_percent(figures.efficiency) if figures.efficiency is not None else NONE,
        str(review.count("certain")),
        str(review.count("unnecessary guess") + review.count("mistake")),
        str(review.count("guess")),
        f"{100 * figures.given_away:.1f} %",
        format_percent(figures.survival),
    ]


def _number(value: float | None) -> str:
    return f"{value:.2f}" if value is not None else NONE
