"""Why a mark stands on the sheet: the proof in sentences that cite lines of the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.clue.deducing import Deduced
from games.clue import ClueWords, Seating, UnknownName, plain
from games.errors import Usage
from games.logic.writing import in_sentences
from strategies import Strategy
from strategies.explaining import Explanations


@dataclass(frozen=True, slots=True)
class Proof:
    """A variable and what is known of it: `is_true` is None while it is open.

    `because` names the lines and rules that it follows from, none of them to spare; `sentences` is the proof.
    """

    cell: int
    is_true: bool | None
    said: str
    rule: str = ""
    because: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()


def asked_for(text: str, seating: Seating) -> int:
    """`CARD,HOLDER` as a variable. Raises Usage."""
    card, comma, holder = text.rpartition(",")
    try:
        if not comma:
            raise UnknownName(f"'{text}' is no mark")
        number = seating.me if plain(holder) in ("me", "i") and seating.me is not None else None
        return seating.cell(
            seating.cards.names.number(card), seating.names.number(holder) if number is None else number
        )
    except UnknownName as error:
        raise Usage(f"{error} (write a card and a holder, such as 'plum,envelope')") from error


def player_called(name: str, seating: Seating) -> int:
    """The number of a player. Raises Usage."""
    try:
        number = seating.names.number(name)
    except UnknownName as error:
        raise Usage(str(error)) from error
    if number == seating.envelope:
        raise Usage("the envelope sees nothing: name a player")
    return number


class Proofs:
    """Proofs of the marks of one sheet."""

    def __init__(self, deduced: Deduced, strategies: Sequence[Strategy]) -> None:
        self._seating = deduced.log.seating
        self._reasons = Explanations(deduced.knowledge, strategies)

    def of(self, cell: int) -> Proof:
        """The simplest proof that the strategies find."""
        words = ClueWords.of(self._seating, focus=1 << cell)
        reason = self._reasons.of(cell)
        if reason is None:
            return Proof(cell, None, f"{words.cell(cell)} is open: it can be so, and it can be otherwise")
        because = dict.fromkeys(str(constraint.source) for constraint in reason.because)
        sentences = in_sentences(reason.lineage, 1 << cell, words)
        return Proof(
            cell,
            reason.is_true,
            words.state(1 << cell, reason.is_true),
            reason.rule,
            tuple(because),
            tuple(sentences),
        )
