"""Everything that was asked of one log, inferred; how it is said is for others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.clue.deducing import Deduced, deduce
from bot.clue.odds import Odds, odds
from bot.clue.proofs import Proof, Proofs, asked_for, player_called
from bot.clue.suggesting import Ranked, cards_called, ranked
from games.clue import ParsedLog, seen_by
from strategies import Strategy


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked: proofs of marks, a player's view, odds, suggestions (with `only` these cards)."""

    marks: tuple[str, ...] = ()
    view: str | None = None
    odds: bool = False
    suggest: bool = False
    only: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What came out; `odds` is None and `suggestions` empty where they were not asked for."""

    reading: ParsedLog
    deduced: Deduced
    proofs: tuple[Proof, ...] = ()
    odds: Odds | None = None
    suggestions: tuple[Ranked, ...] = ()

    @property
    def is_valid(self) -> bool:
        """Whether every line could be understood, and all of them can be true."""
        return not self.reading.problems and self.deduced.conflict is None

    @property
    def shows_sheet(self) -> bool:
        """Whether the sheet is wanted: not when only something else was asked."""
        return self.odds is not None or not (self.proofs or self.suggestions)


def answer(
    reading: ParsedLog, request: Request, strategies: Sequence[Strategy], proving: Sequence[Strategy]
) -> Answer:
    """Infer it with `strategies`, and prove with `proving`.

    Raises Usage for names that are not known, Contradiction where nothing can be said.
    """
    seating = reading.log.seating
    cells = [asked_for(text, seating) for text in request.marks]
    viewer = None if request.view is None else player_called(request.view, seating)
    only = cards_called(request.only, seating) if request.only else []
    deduced = deduce(reading.log, strategies)
    if viewer is not None:
        deduced = deduce(seen_by(deduced.sheet, viewer), strategies)
    proofs = Proofs(deduced, proving) if cells else None
    return Answer(
        reading,
        deduced,
        tuple(proofs.of(cell) for cell in cells) if proofs else (),
        odds(deduced.knowledge) if request.odds else None,
        tuple(ranked(deduced.sheet, deduced.knowledge, only)) if request.suggest else (),
    )
