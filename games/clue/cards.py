"""Card sets: categories (suspects, weapons, rooms) and the cards of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate

from games.errors import InvalidFile
from games.external import parse_toml
from games.names import NameTable, normalize_name

MOST_CARDS = 100
NOT_IN_NAMES = ",:#"  # separators in a log
ALIKE = (  # names of the same card in different editions
    ("Dagger", "Knife"),
    ("Wrench", "Spanner", "Monkey Wrench"),
    ("Lead Pipe", "Lead Piping", "Pipe"),
    ("Revolver", "Pistol", "Gun", "Handgun"),
    ("Candlestick", "Candle Holder"),
    ("Scarlett", "Scarlet"),
    ("Billiard Room", "Billiards", "Billiards Room", "Games Room"),
    ("Conservatory", "Winter Garden"),
    ("Lounge", "Living Room", "Drawing Room"),
)


@dataclass(frozen=True, slots=True)
class CardCategory:
    """A kind of card; the envelope contains exactly one card of each."""

    name: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardSet:
    """All cards of an edition, numbered from 0 by kind."""

    name: str
    kinds: tuple[CardCategory, ...]

    @property
    def cards(self) -> tuple[str, ...]:
        """All card names, by number."""
        return tuple(card for kind in self.kinds for card in kind.cards)

    @property
    def dealt(self) -> int:
        """The number of cards in the hands: all but one of each kind."""
        return sum(len(kind.cards) for kind in self.kinds) - len(self.kinds)

    @property
    def names(self) -> NameTable:
        """The card names with their synonyms in other editions."""
        synonyms: dict[str, str] = {}
        for alike in ALIKE:
            own = next((name for name in alike if name in self.cards), None)
            if own is not None:
                synonyms |= {normalize_name(name): own for name in alike}
        return NameTable("card", self.cards, synonyms)

    def numbers(self, kind: int) -> range:
        """The card numbers of one kind (0, 1, …)."""
        ends = list(accumulate((len(each.cards) for each in self.kinds), initial=0))
        return range(ends[kind], ends[kind + 1])

    def kind_of(self, card: int) -> int:
        """The kind number of a card."""
        return next(k for k in range(len(self.kinds)) if card in self.numbers(k))

    @classmethod
    def parse(cls, text: str, source: str) -> CardSet:
        """Parse TOML: `name`, and a table `kinds` with a list of names for each kind.

        `source` is the file name for errors. Raises InvalidFile.
        """
        try:
            read = parse_toml(text)
        except ValueError as error:
            raise InvalidFile(f"{source}: {error}: correct the TOML") from error
        name, kinds = read.pop("name", source), read.pop("kinds", None)
        for key in read:
            raise InvalidFile(f"{source}: unknown key '{key}': use 'name' and 'kinds'")
        if not isinstance(name, str) or not isinstance(kinds, dict) or not kinds:
            raise InvalidFile(f"{source}: invalid 'kinds': write a table with a list of names for each kind")
        for kind, cards in kinds.items():
            if not isinstance(cards, list) or len(cards) < 2 or not all(isinstance(c, str) for c in cards):
                raise InvalidFile(f"{source}: invalid 'kinds.{kind}': write a list of at least two names")
        found = cls(name, tuple(CardCategory(kind, tuple(cards)) for kind, cards in kinds.items()))
        found.check(source)
        return found

    def check(self, source: str) -> None:
        """Raise InvalidFile for names that cannot be distinguished or written in a log."""
        seen: set[str] = set()
        for card in self.cards:
            if not normalize_name(card) or any(sign in card for sign in NOT_IN_NAMES):
                raise InvalidFile(f"{source}: invalid card name '{card}': use letters and digits")
            if normalize_name(card) in seen:
                raise InvalidFile(f"{source}: duplicate card name '{card}': give each card its own name")
            seen.add(normalize_name(card))
        if len(seen) > MOST_CARDS:
            raise InvalidFile(f"{source}: {len(seen)} cards: use at most {MOST_CARDS}")


ROOMS = CardCategory(
    "rooms",
    (
        "Ballroom",
        "Billiard Room",
        "Conservatory",
        "Dining Room",
        "Hall",
        "Kitchen",
        "Library",
        "Lounge",
        "Study",
    ),
)
CLASSIC = CardSet(
    "classic",
    (
        CardCategory("suspects", ("Green", "Mustard", "Peacock", "Plum", "Scarlett", "White")),
        CardCategory("weapons", ("Candlestick", "Dagger", "Lead Pipe", "Revolver", "Rope", "Wrench")),
        ROOMS,
    ),
)
ORCHID = CardSet(  # the edition of 2016, with Orchid instead of White
    "orchid",
    (
        CardCategory("suspects", ("Green", "Mustard", "Orchid", "Peacock", "Plum", "Scarlett")),
        CLASSIC.kinds[1],
        ROOMS,
    ),
)
CLUEDO = CardSet(  # the British names
    "cluedo",
    (
        CLASSIC.kinds[0],
        CardCategory("weapons", ("Candlestick", "Dagger", "Lead Piping", "Revolver", "Rope", "Spanner")),
        ROOMS,
    ),
)
CARD_SETS: Mapping[str, CardSet] = {each.name: each for each in (CLASSIC, ORCHID, CLUEDO)}
