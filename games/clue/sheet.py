"""The deduction sheet: for every card and holder a tick, a cross, or the lines that it may be about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games.clue.log import Log, Seating, Suggestion
from games.logic import Knowledge, bits, cell_set


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is known of every variable: `true` and `false` are sets (ints), the others are open."""

    log: Log
    true: int
    false: int

    @classmethod
    def of(cls, log: Log, knowledge: Knowledge) -> Sheet:
        """The sheet of what is known."""
        return cls(log, knowledge.true, knowledge.false)

    @property
    def seating(self) -> Seating:
        """Who plays, and with which cards."""
        return self.log.seating

    @property
    def known(self) -> int:
        """The variables (a set) that are known."""
        return self.true | self.false

    def has(self, card: int, holder: int) -> bool | None:
        """Whether this holder has this card; None while that is open."""
        cell = self.seating.cell(card, holder)
        return True if self.true >> cell & 1 else False if self.false >> cell & 1 else None

    def held(self, holder: int) -> list[int]:
        """The cards that this holder is known to have."""
        return [card for card in range(len(self.seating.cards.cards)) if self.has(card, holder)]

    def possible(self, holder: int, cards: Iterable[int]) -> list[int]:
        """Those of these cards that this holder has or may have."""
        return [card for card in cards if self.has(card, holder) is not False]

    def maybes(self) -> dict[int, tuple[int, ...]]:
        """For each open variable the lines in which its card may have been the one shown.

        A line is settled, and left out, once its shower is known to hold one of its cards.
        """
        found: dict[int, tuple[int, ...]] = {}
        for entry in self.log.entries:
            if not isinstance(entry, Suggestion) or entry.shower is None or entry.card is not None:
                continue
            cells = cell_set(self.seating.cell(card, entry.shower) for card in entry.cards)
            if not cells & self.true:
                for k in bits(cells & ~self.false):
                    found[k] = (*found.get(k, ()), entry.line)
        return found

    def solution(self) -> list[list[int]]:
        """For each kind the cards that can be in the envelope: one when it is known."""
        seating = self.seating
        kinds = range(len(seating.cards.kinds))
        candidates = [self.possible(seating.envelope, seating.cards.numbers(kind)) for kind in kinds]
        held = self.held(seating.envelope)
        return [[card for card in cards if card in held] or cards for cards in candidates]
