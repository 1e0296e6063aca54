"""Random deals of Clue and the logs of random games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from games.clue.cards import CLASSIC, CardSet
from games.clue.log import ClueLog, CluePlayer, Fact, Seating, Suggestion


@dataclass(frozen=True, slots=True)
class CardDeal:
    """A deal: `places[c]` is the holder of card c; the envelope has the last number."""

    seating: Seating
    places: tuple[int, ...]

    @classmethod
    def random(cls, players: int, rng: Random, cards: CardSet = CLASSIC, me: int | None = 0) -> CardDeal:
        """Deal one card of each kind to the envelope and the others to players P0, P1, … in turn."""
        places = [-1] * len(cards.cards)
        for kind in range(len(cards.kinds)):
            places[rng.choice(cards.numbers(kind))] = players
        dealt = [card for card, place in enumerate(places) if place < 0]
        rng.shuffle(dealt)
        for turn, card in enumerate(dealt):
            places[card] = turn % players
        sizes = [places.count(player) for player in range(players)]
        seats = tuple(CluePlayer(f"P{player}", size, size) for player, size in enumerate(sizes))
        return cls(Seating(cards, seats, me), tuple(places))

    @property
    def envelope(self) -> tuple[int, ...]:
        """The cards in the envelope."""
        return self.hand(self.seating.envelope)

    def hand(self, holder: int) -> tuple[int, ...]:
        """The cards of a holder."""
        return tuple(card for card, place in enumerate(self.places) if place == holder)

    def log(self) -> ClueLog:
        """The log before the first suggestion: our own hand, if we play."""
        me = self.seating.me
        return ClueLog(self.seating, () if me is None else (Fact(1, me, self.hand(me)),))

    def asked(self, line: int, asker: int, cards: Sequence[int], rng: Random) -> Suggestion:
        """The result of a suggestion, as we see it; players show a random one of their matching cards."""
        me = self.seating.me
        passed: list[int] = []
        for player in self.seating.after(asker):
            held = [card for card in cards if self.places[card] == player]
            if held:
                shown = rng.choice(held)
                seen = shown if me in (asker, player) and me is not None else None
                return Suggestion(line, asker, tuple(cards), tuple(passed), player, seen)
            passed.append(player)
        return Suggestion(line, asker, tuple(cards), tuple(passed))


def random_log(players: int, turns: int, rng: Random, me: int | None = 0) -> tuple[CardDeal, ClueLog]:
    """A random deal, and its log after a number of random suggestions."""
    deal = CardDeal.random(players, rng, me=me)
    cards, log = deal.seating.cards, deal.log()
    entries = list(log.entries)
    for turn in range(turns):
        named = [rng.choice(cards.numbers(kind)) for kind in range(len(cards.kinds))]
        entries.append(deal.asked(turn + 2, turn % players, named, rng))
    return deal, ClueLog(deal.seating, tuple(entries))
