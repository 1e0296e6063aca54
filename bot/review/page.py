"""The page of a reviewed game: that of a recording, with the verdict on every move."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from bot.report import Judged, Story, page_of, percent, story_of
from bot.review.figures import Figures
from bot.review.judging import Verdict
from bot.review.reviewing import Review
from bot.review.wording import said
from strategies import Strategy


def story_of_review(review: Review, strategies: Sequence[Strategy]) -> Story:
    """The recording retold, and what its moves were worth. Raises InvalidFile when it is damaged."""
    story = story_of(review.recording, strategies)
    at: dict[int, list[Verdict]] = defaultdict(list)
    for verdict in review.verdicts:
        at[verdict.look].append(verdict)
    steps, before = [], 0
    for number, step in enumerate(story.steps):
        made = at[number]
        judged = tuple(Judged(each.move.cell, each.kind, said(each), each.risk) for each in made)
        moves = tuple(each.move.text(each.board) for each in made)
        steps.append(replace(step, judged=judged, moves=moves, before=before))
        before += len(moves)
    return replace(story, steps=tuple(steps), judgement=review.headline, figures=tuple(table(review.figures)))


def page_of_review(review: Review, strategies: Sequence[Strategy]) -> str:
    """The whole page. Raises InvalidFile when the recording is damaged."""
    return page_of(story_of_review(review, strategies))


def table(figures: Figures) -> list[tuple[str, str]]:
    """The figures of a game by name, for people; what is not known is left out."""
    board = figures.board
    rows = [
        ("3BV", f"{figures.solved} of {board.bv3}" if board else ""),
        ("3BV/s", f"{figures.bv3_per_second:.2f}" if figures.bv3_per_second is not None else ""),
        ("clicks", str(figures.clicks)),
        (
            "efficiency (3BV for a click)",
            percent(figures.efficiency) if figures.efficiency is not None else "",
        ),
        ("ZiNi, greedy and human", f"{board.zini}, {board.human_zini}" if board else ""),
        ("openings", str(board.openings) if board else ""),
        ("all risks survived", percent(figures.survival) if figures.expected_hits else ""),
        ("mines hit, and to be expected", f"{figures.hits}, {figures.expected_hits:.2f}"),
        ("chances given away", f"{100 * figures.given_away:.1f} %"),
    ]
    return [(name, value) for name, value in rows if value]
