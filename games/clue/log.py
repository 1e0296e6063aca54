"""Game logs of Clue: the seating and the entries, line by line."""

from __future__ import annotations

from dataclasses import dataclass

from games.clue.cards import CardSet
from games.names import NameTable, normalize_name

ENVELOPE = "envelope"


@dataclass(frozen=True, slots=True)
class CluePlayer:
    """A player; `least` and `most` bound the number of cards in the hand (equal if it is known)."""

    name: str
    least: int
    most: int

    def hand_size(self, to: str = "-") -> str:
        """The number of cards, or its bounds, such as `6-7`."""
        return f"{self.least}" if self.least == self.most else f"{self.least}{to}{self.most}"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """`asker` suggested `cards`, and the players in `passed` had none of them.

    `shower` showed a card (None if unknown, or if no player did); `card` is that card, if we saw it. Players
    and cards are numbers.
    """

    line: int
    asker: int
    cards: tuple[int, ...]
    passed: tuple[int, ...] = ()
    shower: int | None = None
    card: int | None = None


@dataclass(frozen=True, slots=True)
class Accusation:
    """`accuser` named the cards in the envelope, rightly or wrongly."""

    line: int
    accuser: int
    cards: tuple[int, ...]
    is_right: bool


@dataclass(frozen=True, slots=True)
class Fact:
    """A holder (the number of a player, or of the envelope) has all these cards, or none of them.

    `line` is None for a fact from another sheet.
    """

    line: int | None
    holder: int
    cards: tuple[int, ...]
    has: bool = True


@dataclass(frozen=True, slots=True)
class OpenCards:
    """Cards that lie open on the table: neither in a hand nor in the envelope."""

    line: int
    cards: tuple[int, ...]


Entry = Suggestion | Accusation | Fact | OpenCards


@dataclass(frozen=True, slots=True)
class Seating:
    """The cards and the players, clockwise.

    `me` is the number of the player who owns the sheet, None for a spectator. `word` names an entry of the
    log in messages: "line", in JSON logs "statement".
    """

    cards: CardSet
    players: tuple[CluePlayer, ...]
    me: int | None = None
    word: str = "line"

    @property
    def holders(self) -> tuple[str, ...]:
        """The names of all places of a card: the players, then the envelope."""
        return (*(player.name for player in self.players), ENVELOPE)

    @property
    def envelope(self) -> int:
        """The number of the envelope as a holder."""
        return len(self.players)

    @property
    def names(self) -> NameTable:
        """The table of holder names."""
        return NameTable("player", self.holders)

    def card(self, number: int) -> str:
        """The name of a card in sentences: `Scarlett (the card)` if a player has the same name."""
        name = self.cards.cards[number]
        is_player = any(normalize_name(name) == normalize_name(player.name) for player in self.players)
        return f"{name} (the card)" if is_player else name

    def cell(self, card: int, holder: int) -> int:
        """The variable `holder has card`: row-major, one row per card."""
        return card * len(self.holders) + holder

    def card_and_holder(self, cell: int) -> tuple[int, int]:
        """The numbers of a variable."""
        return divmod(cell, len(self.holders))

    def after(self, player: int) -> list[int]:
        """The other players in the order of answers."""
        count = len(self.players)
        return [(player + step) % count for step in range(1, count)]


@dataclass(frozen=True, slots=True)
class ClueLog:
    """The seating and all entries, in the order of the lines."""

    seating: Seating
    entries: tuple[Entry, ...] = ()

    def until(self, count: int) -> ClueLog:
        """The log with only the first `count` entries."""
        return ClueLog(self.seating, self.entries[:count])

    def __str__(self) -> str:
        """The log as text, one line per entry; the parser returns the same entries."""
        seating = self.seating
        lines = [f"cards {seating.cards.name}"]
        players = (f"{player.name} {player.hand_size()}" for player in seating.players)
        lines.append(f"players {', '.join(players)}")
        if seating.me is not None:
            lines.append(f"me {seating.players[seating.me].name}")
        return "\n".join((*lines, *(format_entry(entry, seating) for entry in self.entries))) + "\n"


def format_entry(entry: Entry, seating: Seating) -> str:
    """Format an entry as a line of a log."""
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
