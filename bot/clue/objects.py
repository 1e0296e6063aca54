"""The sheet as JSON objects, one for each thing that is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.clue.deducing import Deduced
from bot.clue.odds import Odds
from bot.clue.proofs import Proof
from bot.clue.suggesting import Ranked
from games.clue import Seating
from games.logic import bits

Object = dict[str, object]


def marks(deduced: Deduced) -> Iterator[Object]:
    """One object for each tick and cross."""
    sheet = deduced.sheet
    for cell in bits(sheet.known):
        is_new = bool(deduced.news >> cell & 1)
        yield {**_place(sheet.seating, cell), "is": _state(bool(sheet.true >> cell & 1)), "new": is_new}


def hands(deduced: Deduced) -> Iterator[Object]:
    """One object for each player: how many cards are known of how many; one for the envelope."""
    sheet, seating = deduced.sheet, deduced.log.seating
    names = seating.cards.cards
    for number, player in enumerate(seating.players):
        held = [names[card] for card in sheet.held(number)]
        yield {"player": player.name, "hand": held, "least": player.least, "most": player.most}
    found = zip(seating.cards.kinds, sheet.solution(), strict=True)
    yield {"envelope": {kind.name: [names[card] for card in cards] for kind, cards in found}}


def proof(found: Proof, seating: Seating) -> Object:
    """One mark with its proof."""
    said: Object = {**_place(seating, found.cell), "is": _state(found.is_true)}
    if found.is_true is not None:
        said |= {"rule": found.rule, "because": list(found.because), "text": " ".join(found.sentences)}
    return said


def odds(found: Odds, seating: Seating) -> Iterator[Object]:
    """One object for each open place; then how many deals remain, and how that was found."""
    for cell, chance in sorted(found.chances.items()):
        yield {**_place(seating, cell), "odds": round(chance, 6)}
    yield {"deals": found.deals, "exact": found.is_exact, "error": round(found.error, 6)}


def suggestions(found: Sequence[Ranked], seating: Seating) -> Iterator[Object]:
    """One object for each suggestion, the best first."""
    names = seating.cards.cards
    for each in found:
        cards = [names[card] for card in each.cards]
        bits_each = {"envelope_bits": round(each.envelope, 4), "all_bits": round(each.everything, 4)}
        yield {"suggest": cards, **bits_each}


def conflict(deduced: Deduced) -> Object:
    """The lines that cannot all be true; none when all can."""
    return {"contradiction": list(deduced.conflict.lines) if deduced.conflict else []}


def _place(seating: Seating, cell: int) -> Object:
    card, holder = seating.card_and_holder(cell)
    return {"card": seating.cards.cards[card], "holder": seating.holders[holder]}


def _state(is_true: bool | None) -> str:
    return "open" if is_true is None else "has" if is_true else "lacks"
