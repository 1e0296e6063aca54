"""The index page over many reviewed games: totals, and a row for each with its page behind it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib import resources
from urllib.parse import quote

from bot.report import percent
from bot.review.reviewing import Review
from bot.review.totals import Totals, board_of, totals_of

NONE = "-"
STYLE = """
main { display: block; } .scroll { overflow-x: auto; margin-bottom: 20px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { padding: 5px 12px 5px 0; border-bottom: 1px solid var(--line); text-align: right; }
th { color: var(--soft); font-size: .8rem; font-weight: 600; }
th:first-child, td:first-child, .text { text-align: left; } a { color: var(--accent); }
.won { color: var(--safe); } .lost { color: var(--mine); }
"""
TOTALS = (
    "program", "board", "games", "won", "win rate, %", "unnecessary a game", "guesses a game",
    "given away a game", "mines hit", "expected", "3BV/s of wins", "fastest",
)  # fmt: skip
GAMES = (
    "game", "program", "board", "result", "seconds", "3BV", "3BV/s", "ZiNi", "efficiency", "certain",
    "unnecessary", "guesses", "given away", "risks survived",
)  # fmt: skip


def index_of(reviews: Sequence[tuple[Review, str]]) -> str:
    """The page. Each review comes with where its own page is, as seen from this one."""
    style = resources.files("bot.report").joinpath("page.css").read_text(encoding="utf-8") + STYLE
    totals = totals_of(review for review, _ in reviews)
    everything = totals[-1]
    headline = f"{everything.games} games, {everything.won} of {everything.finished} finished ones won."
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>Sapper: games reviewed</title>\n<style>\n{style}</style>\n</head>\n<body>",
            f'<header>\n<h1>Games reviewed</h1>\n<p id="headline">{escape(headline)}</p>',
            f'<p class="facts">{escape(luck(everything))}</p>\n</header>\n<main>',
            "<h2>Totals</h2>",
            *_table(TOTALS, map(_total, totals)),
            "<h2>Games</h2>",
            *_table(GAMES, (_game(review, page) for review, page in reviews)),
            "</main>\n</body>\n</html>\n",
        ]
    )


def luck(totals: Totals) -> str:
    """The mines that were hit beside those that the risks taken hit on average, in a sentence."""
    if not totals.expected_hits:
        return "No risks were taken."
    return (
        f"Luck: {totals.hits} mines were hit, where the risks that were taken hit "
        f"{totals.expected_hits:.1f} on average."
    )


def _table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = ['<div class="scroll"><table>', f"<tr>{''.join(f'<th>{name}</th>' for name in names)}</tr>"]
    lines += [f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows]
    return [*lines, "</table></div>"]


def _total(totals: Totals) -> list[str]:
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
        board_of(review),
        f'<span class="{review.game.ended}">{review.game.ended}</span>',
        f"{figures.seconds:.1f}",
        str(board.bv3) if board else NONE,
        _number(figures.bv3_per_second),
        str(board.zini) if board else NONE,
        percent(figures.efficiency) if figures.efficiency is not None else NONE,
        str(review.count("certain")),
        str(review.count("unnecessary guess") + review.count("mistake")),
        str(review.count("guess")),
        f"{100 * figures.given_away:.1f} %",
        percent(figures.survival),
    ]


def _number(value: float | None) -> str:
    return f"{value:.2f}" if value is not None else NONE
