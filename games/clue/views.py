"""What another player can know, as far as our own sheet says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from games.clue.log import Accusation, Entry, Fact, Log, OnTable, Suggestion
from games.clue.sheet import Sheet


def seen_by(sheet: Sheet, player: int) -> Log:
    """The log as this player has certainly seen it.

    What was said aloud, the cards that they asked to see or showed themselves where we saw them too, and what
    we know of their hand, which they know of course. They may know more: the rest of their hand, and cards
    shown to them that we did not see. Our own view is our log.
    """
    log = sheet.log
    if player == log.seating.me:
        return log
    entries = (*_hand(sheet, player), *_heard(log, player))
    return Log(replace(log.seating, me=player), entries)


def _heard(log: Log, player: int) -> Iterator[Entry]:
    for entry in log.entries:
        if isinstance(entry, OnTable | Accusation):
            yield entry
        elif isinstance(entry, Suggestion):
            was_there = player in (entry.asker, entry.shower)
            yield entry if was_there else replace(entry, card=None)


def _hand(sheet: Sheet, player: int) -> Iterator[Fact]:
    cards = range(len(sheet.seating.cards.cards))
    for is_held in (True, False):
        known = tuple(card for card in cards if sheet.has(card, player) is is_held)
        if known:
            yield Fact(None, player, known, is_held)
