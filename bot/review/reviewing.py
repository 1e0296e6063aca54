"""A recorded game reviewed: every move judged, and what the game came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.recording import Recording
from bot.report import percent
from bot.review.figures import Figures, figures_of
from bot.review.game import Game, game_of
from bot.review.judging import Judge, Verdict
from bot.review.wording import JUDGED, counted, said
from strategies import Strategy


@dataclass(frozen=True)
class Review:
    """A game with the verdicts on its moves, in order. `source` is the file or folder that it is from."""

    source: str
    recording: Recording
    game: Game
    verdicts: tuple[Verdict, ...]
    figures: Figures

    @property
    def program(self) -> str | None:
        """The program that was played, as far as it is known."""
        return self.recording.meta.program

    def count(self, kind: str) -> int:
        """How many moves were of a kind."""
        return sum(verdict.kind == kind for verdict in self.verdicts)

    @property
    def headline(self) -> str:
        """What the game came to, in one sentence."""
        kinds = Counter(verdict.kind for verdict in self.verdicts)
        ended = {"won": "Won", "lost": "Lost", "stopped": "Not finished"}[self.game.ended]
        luck = ""
        if self.figures.expected_hits:
            luck = f" All risks that it took are survived in {percent(self.figures.survival)} of such games."
        return f"{ended} in {self.game.seconds:.1f} s: {counted(kinds)}.{luck}"

    def as_json(self) -> dict[str, Any]:
        """One line of `sapper review --json`."""
        last = self.game.last
        return {
            "source": self.source,
            "program": self.program,
            "size": f"{last.columns}x{last.rows}",
            "mines": self.game.mines,
            "result": self.game.ended,
            "exact": self.game.is_exact,
            "headline": self.headline,
            **self.figures.as_json(),
            "counts": {kind: self.count(kind) for kind in JUDGED},
            "moves": [_move(verdict) for verdict in self.verdicts],
        }


def review(recording: Recording, strategies: Sequence[Strategy], source: str | None = None) -> Review:
    """Judge a recorded game with these strategies. Raises InvalidFile when the recording is damaged."""
    strategies = tuple(strategies)
    game = game_of(recording, strategies)
    judge = Judge(strategies, recording.meta.rules)
    verdicts = tuple(verdict for moment in game.moments for verdict in judge.judge(moment))
    return Review(source or str(recording.folder), recording, game, verdicts, figures_of(game, verdicts))


def _move(verdict: Verdict) -> dict[str, Any]:
    board = verdict.board
    judged: dict[str, Any] = {
        "look": verdict.look + 1,
        "seconds": round(verdict.seconds, 3),
        "move": verdict.move.text(board),
        "verdict": verdict.kind,
        "opened": verdict.made.opened.bit_count(),
        "hit": verdict.hit,
        "risk": None if verdict.risk is None else round(verdict.risk, 6),
        "given_away": round(verdict.given_away, 6),
        "text": said(verdict),
    }
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
