"""Constraints of a Clue log, the deduction sheet, and the log as another player saw it.

A variable states that one holder (a player or the envelope) has one card (Clue inference, from "Symbols" on).
Every constraint has a `LineSource`. The sheet contains for each variable its value, if known, otherwise the
lines in which its card may have been shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from games.clue.log import Accusation, ClueLog, Entry, Fact, OpenCards, Seating, Suggestion
from games.logic import Constraint, Knowledge, bits, cell_set
from games.logic.sentences import join_names


@dataclass(frozen=True, slots=True)
class LineSource:
    """Origin of a constraint: a line of the log and its meaning, or (None) a rule of the game."""

    line: int | None
    text: str
    word: str = "line"

    def __str__(self) -> str:
        return self.text if self.line is None else f"{self.word} {self.line} ({self.text})"

    @property
    def name(self) -> str:
        """The short form: `line 7`, or the rule."""
        return self.text if self.line is None else f"{self.word} {self.line}"


def log_knowledge(log: ClueLog) -> Knowledge:
    """Knowledge from the rules and the log. Raises Contradiction if a single constraint is impossible."""
    seating = log.seating
    universe = (1 << len(seating.cards.cards) * len(seating.holders)) - 1
    return Knowledge.of(universe, log_constraints(log))


def log_constraints(log: ClueLog) -> list[Constraint]:
    """All constraints of the rules and the log."""
    stated = (each for entry in log.entries for each in entry_constraints(entry, log.seating))
    return [*base_constraints(log), *stated]


def base_constraints(log: ClueLog) -> Iterator[Constraint]:
    """Each card is in one place; the envelope contains one of each kind; hands have their sizes."""
    seating = log.seating
    names, holders = range(len(seating.cards.cards)), range(len(seating.holders))
    lying = {card for entry in log.entries if isinstance(entry, OpenCards) for card in entry.cards}
    for card in range(len(names)):
        if card not in lying:
            cells = cell_set(seating.cell(card, holder) for holder in holders)
            yield Constraint(cells, 1, 1, LineSource(None, f"the one place of {seating.card(card)}"))
    for k, kind in enumerate(seating.cards.kinds):
        cells = cell_set(seating.cell(card, seating.envelope) for card in seating.cards.numbers(k))
        yield Constraint(cells, 1, 1, LineSource(None, f"the envelope's one of the {kind.name}"))
    for player, one in enumerate(seating.players):
        cells = cell_set(seating.cell(card, player) for card in range(len(names)))
        size = one.hand_size(" or ")
        source = LineSource(None, f"{one.name}'s hand of {size} card{'' if size == '1' else 's'}")
        yield Constraint(cells, one.least, one.most, source)


def entry_constraints(entry: Entry, seating: Seating) -> Iterator[Constraint]:
    """The constraints of one line (Clue inference, "Information from suggestions")."""

    def row(holder: int, cards: tuple[int, ...]) -> int:
        return cell_set(seating.cell(card, holder) for card in cards)

    def source(text: str) -> LineSource:
        return LineSource(entry.line, f"your sheet: {text}" if entry.line is None else text, seating.word)

    def listed(cards: tuple[int, ...], word: str) -> str:
        return join_names([seating.card(card) for card in cards], word)

    names, cards = seating.holders, entry.cards
    if isinstance(entry, OpenCards):
        everywhere = cell_set(seating.cell(card, holder) for card in cards for holder in range(len(names)))
        yield Constraint(everywhere, 0, 0, source(f"{listed(cards, 'and')} on the table"))
    elif isinstance(entry, Fact):
        count = len(cards) if entry.has else 0
        said = f"has {listed(cards, 'and')}" if entry.has else f"has no {listed(cards, 'or')}"
        yield Constraint(row(entry.holder, cards), count, count, source(f"{names[entry.holder]} {said}"))
    elif isinstance(entry, Accusation):
        low, high = (len(cards), len(cards)) if entry.is_right else (0, len(cards) - 1)
        how = "rightly" if entry.is_right else "wrongly"
        said = f"{names[entry.accuser]} {how} accuses {listed(cards, 'and')}"
        yield Constraint(row(seating.envelope, cards), low, high, source(said))
    else:
        asked = ", ".join(seating.card(card) for card in cards)
        for player in entry.passed:
            yield Constraint(row(player, cards), 0, 0, source(f"{names[player]} passes on {asked}"))
        if entry.shower is not None:
            shown = (entry.card,) if entry.card is not None else cards
            card = f"one of {asked}" if entry.card is None else seating.card(entry.card)
            said = f"{names[entry.shower]} shows {card}"
            yield Constraint(row(entry.shower, shown), 1, len(shown), source(said))


@dataclass(frozen=True, slots=True)
class DeductionSheet:
    """The values of all variables: `true` and `false` are sets (ints); the others are open."""

    log: ClueLog
    true: int
    false: int

    @classmethod
    def of(cls, log: ClueLog, knowledge: Knowledge) -> DeductionSheet:
        """The sheet of this knowledge."""
        return cls(log, knowledge.true, knowledge.false)

    @property
    def seating(self) -> Seating:
        """The players and cards."""
        return self.log.seating

    @property
    def known(self) -> int:
        """The set of known variables."""
        return self.true | self.false

    def has(self, card: int, holder: int) -> bool | None:
        """Whether this holder has this card; None if open."""
        cell = self.seating.cell(card, holder)
        return True if self.true >> cell & 1 else False if self.false >> cell & 1 else None

    def held(self, holder: int) -> list[int]:
        """The known cards of this holder."""
        return [card for card in range(len(self.seating.cards.cards)) if self.has(card, holder)]

    def possible(self, holder: int, cards: Iterable[int]) -> list[int]:
        """The cards among these that this holder has or may have."""
        return [card for card in cards if self.has(card, holder) is not False]

    def maybes(self) -> dict[int, tuple[int, ...]]:
        """For each open variable, the lines in which its card may have been shown.

        A line is settled, and omitted, if its shower certainly has one of its cards.
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
        """For each kind, the cards that may be in the envelope; one if it is known."""
        seating = self.seating
        kinds = range(len(seating.cards.kinds))
        candidates = [self.possible(seating.envelope, seating.cards.numbers(kind)) for kind in kinds]
        held = self.held(seating.envelope)
        return [[card for card in cards if card in held] or cards for cards in candidates]


def log_seen_by(sheet: DeductionSheet, player: int) -> ClueLog:
    """The part of our log that this player certainly knows.

    It consists of everything said aloud, the cards shown by or to the player that we saw, and the known cards
    of their hand. The player may know more. Our own view is our log.
    """
    log = sheet.log
    if player == log.seating.me:
        return log
    entries = (*_hand(sheet, player), *_heard(log, player))
    return ClueLog(replace(log.seating, me=player), entries)


def _heard(log: ClueLog, player: int) -> Iterator[Entry]:
    for entry in log.entries:
        if isinstance(entry, OpenCards | Accusation):
            yield entry
        elif isinstance(entry, Suggestion):
            was_there = player in (entry.asker, entry.shower)
            yield entry if was_there else replace(entry, card=None)


def _hand(sheet: DeductionSheet, player: int) -> Iterator[Fact]:
    cards = range(len(sheet.seating.cards.cards))
    for is_held in (True, False):
        known = tuple(card for card in cards if sheet.has(card, player) is is_held)
        if known:
            yield Fact(None, player, known, is_held)
