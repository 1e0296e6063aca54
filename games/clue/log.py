"""Game logs of Clue: the seating, the entries line by line, and simulated games with random deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from games.clue.cards import CLASSIC, CardSet
from games.names import NameTable, normalize_name

ENVELOPE = "envelope"


@dataclass(frozen=True, slots=True)
class CluePlayer:
    """A player; `least` and `most` bound the number of cards in the hand (equal when it is known)."""

    name: str
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Suggestion:
    """`asker` suggested `cards`; the players in `passed` had none of them (all who came before the shower).

    `shower` is who showed a card, None when nobody did or it was not seen; `card` is the card, when we saw
    it. Players and cards are numbers.
    """

    line: int
    asker: int
    cards: tuple[int, ...]
    passed: tuple[int, ...] = ()
    shower: int | None = None
    card: int | None = None


@dataclass(frozen=True, slots=True)
class Accusation:
    """`accuser` said what is in the envelope: right or wrong."""

    line: int
    accuser: int
    cards: tuple[int, ...]
    is_right: bool


@dataclass(frozen=True, slots=True)
class Fact:
    """A holder (a player's number, or that of the envelope) has these cards, or has none of them.

    `line` is None for what no line says: what one sheet lends to another.
    """

    line: int | None
    holder: int
    cards: tuple[int, ...]
    has: bool = True


@dataclass(frozen=True, slots=True)
class OpenCards:
    """Cards that lie open on the table: in nobody's hand, and not in the envelope."""

    line: int
    cards: tuple[int, ...]


Entry = Suggestion | Accusation | Fact | OpenCards


@dataclass(frozen=True, slots=True)
class Seating:
    """Who plays with which cards: `players` in seating order, clockwise.

    `me` is the number of the player whose sheet this is, None for somebody who only watches. `word` says what
    a line of the log is called ("line", in JSON "entry").
    """

    cards: CardSet
    players: tuple[CluePlayer, ...]
    me: int | None = None
    word: str = "line"

    @property
    def holders(self) -> tuple[str, ...]:
        """The names of all who can hold a card: the players, then the envelope."""
        return (*(player.name for player in self.players), ENVELOPE)

    @property
    def envelope(self) -> int:
        """The envelope's number among the holders."""
        return len(self.players)

    @property
    def names(self) -> NameTable:
        """The holders' names, as a person may type them."""
        return NameTable("player", self.holders)

    def card(self, number: int) -> str:
        """What a card is called in a sentence: `Scarlett (the card)` where a player goes by that name."""
        name = self.cards.cards[number]
        is_player = any(normalize_name(name) == normalize_name(player.name) for player in self.players)
        return f"{name} (the card)" if is_player else name

    def cell(self, card: int, holder: int) -> int:
        """The variable that says that this holder has this card: row-major, a row for each card."""
        return card * len(self.holders) + holder

    def card_and_holder(self, cell: int) -> tuple[int, int]:
        """The numbers behind a variable."""
        return divmod(cell, len(self.holders))

    def after(self, player: int) -> list[int]:
        """The other players in the order in which they are asked."""
        count = len(self.players)
        return [(player + step) % count for step in range(1, count)]


@dataclass(frozen=True, slots=True)
class ClueLog:
    """The table and everything that happened, in the order of the lines."""

    seating: Seating
    entries: tuple[Entry, ...] = ()

    def until(self, count: int) -> ClueLog:
        """The log with its first `count` entries only."""
        return ClueLog(self.seating, self.entries[:count])

    def without(self, lines: set[int]) -> ClueLog:
        """The log without what these lines say."""
        return ClueLog(self.seating, tuple(entry for entry in self.entries if entry.line not in lines))

    def __str__(self) -> str:
        """The log as text, one line for each entry; reading it gives the same entries."""
        seating = self.seating
        lines = [f"cards {seating.cards.name}"]
        lines.append("players " + ", ".join(_with_size(player) for player in seating.players))
        if seating.me is not None:
            lines.append(f"me {seating.players[seating.me].name}")
        return "\n".join((*lines, *(format_entry(entry, seating) for entry in self.entries))) + "\n"


def format_entry(entry: Entry, seating: Seating) -> str:
    """An entry as a line of a log."""
    cards = ", ".join(seating.cards.cards[card] for card in entry.cards)
    if isinstance(entry, OpenCards):
        return f"table {cards}"
    if isinstance(entry, Fact):
        return f"{seating.holders[entry.holder]} {'has' if entry.has else 'lacks'} {cards}"
    if isinstance(entry, Accusation):
        return f"{seating.holders[entry.accuser]} accuses {cards}: {'right' if entry.is_right else 'wrong'}"
    said = [f"{seating.holders[player]} passes" for player in entry.passed]
    if entry.shower is not None:
        shown = "" if entry.card is None else f" {seating.cards.cards[entry.card]}"
        said.append(f"{seating.holders[entry.shower]} shows{shown}")
    return f"{seating.holders[entry.asker]} asks {cards}{': ' if said else ''}{', '.join(said)}"


def _with_size(player: CluePlayer) -> str:
    if player.least == player.most:
        return f"{player.name} {player.least}"
    return f"{player.name} {player.least}-{player.most}"


@dataclass(frozen=True, slots=True)
class CardDeal:
    """Where the cards are: `places[c]` is the number of the holder of card c (the envelope's is the last)."""

    seating: Seating
    places: tuple[int, ...]

    @classmethod
    def random(cls, players: int, rng: Random, cards: CardSet = CLASSIC, me: int | None = 0) -> CardDeal:
        """A fair deal to so many players: one card of each kind to the envelope, the others one by one.

        Players are called P0, P1, …; where the cards do not come out even, the first ones hold one more.
        """
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
        """The log before anybody has asked: our own hand, if we play."""
        me = self.seating.me
        return ClueLog(self.seating, () if me is None else (Fact(1, me, self.hand(me)),))

    def asked(self, line: int, asker: int, cards: Sequence[int], rng: Random) -> Suggestion:
        """What happens when a player suggests these cards, as we see it.

        Who has several of them shows any with the same chance; which, we see if we ask or answer.
        """
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
    """A deal, and its log after so many turns in which everybody suggests anything."""
    deal = CardDeal.random(players, rng, me=me)
    cards, log = deal.seating.cards, deal.log()
    entries = list(log.entries)
    for turn in range(turns):
        named = [rng.choice(cards.numbers(kind)) for kind in range(len(cards.kinds))]
        entries.append(deal.asked(turn + 2, turn % players, named, rng))
    return deal, ClueLog(deal.seating, tuple(entries))
