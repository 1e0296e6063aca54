"""Parser for Clue logs, as text or JSON; problems are reported by line.

The header (`cards`, `table`, `players`, `me`) comes first, then entries such as
`Ann asks plum, rope, hall: Bob passes, Cat shows plum`. Text after # is a comment. A JSON log is converted to
these lines. `docs/reference/file-formats.md` describes both formats.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from games import external
from games.clue.cards import CARD_SETS, NOT_IN_NAMES, CardSet
from games.clue.log import (
    ENVELOPE,
    Accusation,
    ClueLog,
    CluePlayer,
    Entry,
    Fact,
    OpenCards,
    Seating,
    Suggestion,
)
from games.errors import InvalidFile
from games.names import UnknownName, normalize_name

MOST_LINES = 2_000
MOST_PLAYERS = 12
RESERVED = ("table", "nobody", "me", "i", "cards", "players", ENVELOPE)
VERBS = re.compile(r"(.+?)\s+(asks?|accuses?|has|have|lacks?)\s+(.+)", re.IGNORECASE)

FindCards = Callable[[str], CardSet]


@dataclass(frozen=True, slots=True)
class LogProblem:
    """An invalid line: its number, the problem and the remedy."""

    line: int
    what: str


@dataclass(frozen=True, slots=True)
class ParsedLog:
    """A log without its invalid lines, and their problems."""

    log: ClueLog
    problems: tuple[LogProblem, ...] = ()


class _LineError(ValueError):
    """An invalid line; the other lines remain usable."""


def builtin_card_set(name: str) -> CardSet:
    """Return a built-in card set. Raises InvalidFile."""
    if name.casefold() not in CARD_SETS:
        raise InvalidFile(f"no card set is called '{name}': use {', '.join(CARD_SETS)} or a TOML file")
    return CARD_SETS[name.casefold()]


def parse_log(text: str, source: str = "the log", find: FindCards = builtin_card_set) -> ParsedLog:
    """Parse a log; `source` is its name for errors, `find` returns card sets by name.

    Raises InvalidFile for an invalid header: no players, or an error in the lines about the cards, the
    players or our hand. Other errors are problems of their line.
    """
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise InvalidFile(f"{source}: {len(lines)} lines are no log of a game: at most {MOST_LINES}")
    return parse_lines(lines, source, find)


def parse_lines(
    lines: Iterable[str], source: str, find: FindCards = builtin_card_set, word: str = "line"
) -> ParsedLog:
    """Parse the lines of a log; `word` names a line in messages."""
    reader = _LogParser(find, word)
    for number, line in enumerate(lines, 1):
        said = line.partition("#")[0].strip()
        if not said:
            continue
        try:
            reader.read(number, said)
        except _HeaderError as error:
            raise InvalidFile(f"{source}, {word} {number}: {error}") from error
        except (_LineError, UnknownName) as error:
            reader.problems.append(LogProblem(number, str(error)))
    if reader.seating is None:
        raise InvalidFile(f"{source}: no players: begin with a line such as 'players Ann 6, Bob 6, Cat 6'")
    return ParsedLog(ClueLog(reader.seating, tuple(reader.entries)), tuple(reader.problems))


class _HeaderError(ValueError):
    """An invalid header, without which the log is unusable."""


@dataclass(slots=True)
class _LogParser:
    """The result so far."""

    find: FindCards
    word: str
    cards: CardSet = field(default_factory=lambda: CARD_SETS["classic"])
    seating: Seating | None = None
    on_table: int = 0  # open cards, which are not dealt
    entries: list[Entry] = field(default_factory=list)
    problems: list[LogProblem] = field(default_factory=list)

    def read(self, number: int, said: str) -> None:
        first, _, rest = said.partition(" ")
        match = VERBS.fullmatch(said)
        if first.casefold() in ("cards", "players", "me") and not (match and self._is_player(match[1])):
            try:
                self._head(first.casefold(), rest.strip(), number)
            except (_LineError, UnknownName, InvalidFile) as error:
                raise _HeaderError(str(error)) from error
        elif self.seating is None and first.casefold() != "table":
            raise _HeaderError("the players come first: write a line such as 'players Ann 6, Bob 6, Cat 6'")
        elif match and (match[1].casefold() != "table" or self._is_player(match[1])):
            self._entry(number, match[1], match[2].casefold(), match[3])
        elif first.casefold() == "table":
            self._lay(number, rest)
        else:
            raise _LineError(
                f"'{said[:60]}' is not understood: write 'NAME asks CARD, CARD, CARD: NAME passes, "
                "NAME shows', 'NAME accuses …', 'NAME has …' or 'NAME lacks …'"
            )

    def _head(self, first: str, rest: str, number: int) -> None:
        if first == "cards":
            if self.seating is not None:
                raise _LineError("the cards come before the players: move the line up")
            self.cards = self.find(rest)
        elif first == "players":
            if self.seating is not None:
                raise _LineError("the players are named already: take one of the lines out")
            self.seating = Seating(self.cards, self._players(rest), None, self.word)
        else:
            self._me(rest, number)

    def _players(self, rest: str) -> tuple[CluePlayer, ...]:
        found: list[tuple[str, int | None, int | None]] = []
        for part in _parts(rest):
            match = re.fullmatch(r"(.*?\S)(?:\s+(\d{1,3})(?:-(\d{1,3}))?)?", part)
            assert match is not None  # a part is never empty
            least = None if match[2] is None else int(match[2])
            found.append((match[1], least, least if match[3] is None else int(match[3])))
        names = [name for name, _, _ in found]
        for name in names:
            if (
                not normalize_name(name)
                or normalize_name(name) in RESERVED
                or any(sign in name for sign in NOT_IN_NAMES)
            ):
                raise _LineError(f"'{name}' is no name for a player: use another")
            if [normalize_name(other) for other in names].count(normalize_name(name)) > 1:
                raise _LineError(f"'{name}' is named twice: give every player a name of their own")
        if not 2 <= len(found) <= MOST_PLAYERS:
            raise _LineError(f"{len(found)} players: name 2 to {MOST_PLAYERS}, with commas between them")
        dealt = self.cards.dealt - self.on_table
        share, more = divmod(dealt, len(found))
        players = [
            CluePlayer(name, share if least is None else least, share + bool(more) if most is None else most)
            for name, least, most in found
        ]
        least_of_all, most_of_all = sum(p.least for p in players), sum(p.most for p in players)
        if not least_of_all <= dealt <= most_of_all:
            number = CluePlayer("", least_of_all, most_of_all).hand_size(" to ")
            raise _LineError(f"the hands hold {number} cards, but {dealt} are dealt: correct the sizes")
        return tuple(players)

    def _me(self, rest: str, number: int) -> None:
        if self.seating is None:
            raise _LineError("the players come first: move the line down")
        if self.seating.me is not None:
            raise _LineError("it is said already who you are: take one of the lines out")
        name, colon, hand = rest.partition(":")
        me = self._player(name.strip())
        player = self.seating.players[me]
        self.seating = replace(self.seating, me=me)
        if colon:
            cards = self._cards(hand)
            if not player.least <= len(cards) <= player.most:
                size = player.hand_size(" or ")
                raise _LineError(
                    f"{len(cards)} cards, but the hand of {player.name} holds {size}: correct one"
                )
            players = list(self.seating.players)
            players[me] = replace(player, least=len(cards), most=len(cards))
            self.seating = replace(self.seating, players=tuple(players))
            self.entries.append(Fact(number, me, cards))

    def _lay(self, number: int, rest: str) -> None:
        cards = self._cards(rest)
        if self.seating is not None:
            raise _LineError("cards that lie on the table come before the players: move the line up")
        self.on_table += len(cards)
        self.entries.append(OpenCards(number, cards))

    def _entry(self, number: int, who: str, verb: str, rest: str) -> None:
        if verb.startswith("ask"):
            self.entries.append(self._suggestion(number, self._player(who), rest))
        elif verb.startswith("accuse"):
            named, _, how = rest.partition(":")
            if how.strip().casefold() not in ("right", "wrong"):
                raise _LineError("say how the accusation ended: put ': wrong' or ': right' behind the cards")
            cards = self._one_of_each(named)
            is_right = how.strip().casefold() == "right"
            self.entries.append(Accusation(number, self._player(who), cards, is_right))
        else:
            holder = self._holder(who)
            self.entries.append(Fact(number, holder, self._cards(rest), verb.startswith("ha")))

    def _suggestion(self, number: int, asker: int, rest: str) -> Suggestion:
        named, _, answers = rest.partition(":")
        cards = self._one_of_each(named)
        assert self.seating is not None
        players, order = self.seating.players, self.seating.after(asker)
        answered = 0  # number of players after the asker who have answered
        shower = card = None
        for answer in _parts(answers):
            if shower is not None:
                raise _LineError(
                    f"'{answer}' comes after {players[shower].name} has shown a card: "
                    "the line ends with the one who shows"
                )
            who, shows, what = self._answer(answer)
            if who is None:
                answered = len(order)
                continue
            if who == asker:
                raise _LineError(
                    f"{players[who].name} asks, and so does not answer: correct one of the names"
                )
            if order.index(who) < answered:
                raise _LineError(
                    f"'{answer}' is out of turn: {players[asker].name} asks clockwise, each once"
                )
            answered = order.index(who) + 1
            if shows:
                shower, card = who, self._shown(what, cards)
        passed = order[: answered - (shower is not None)]
        return Suggestion(number, asker, cards, tuple(passed), shower, card)

    def _answer(self, text: str) -> tuple[int | None, bool, str]:
        """Parse an answer: the player (None for `nobody`), whether a card is shown, its name."""
        if re.fullmatch(r"(nobody|no one|none)(\s+shows?)?", text, re.IGNORECASE):
            return None, False, ""
        match = re.fullmatch(r"(.+?)\s+(passe?s?|shows?)(?:\s+(.+))?", text, re.IGNORECASE)
        if not match or (match[3] and match[2].casefold().startswith("pass")):
            raise _LineError(f"'{text}' is no answer: write 'NAME passes', 'NAME shows', 'NAME shows CARD' …")
        return self._player(match[1]), match[2].casefold().startswith("show"), match[3] or ""

    def _shown(self, text: str, cards: Sequence[int]) -> int | None:
        if not text:
            return None
        card = self.cards.names.number(text)
        if card not in cards:
            asked = ", ".join(self.cards.cards[each] for each in cards)
            raise _LineError(f"{self.cards.cards[card]} was not asked for: name one of {asked}")
        return card

    def _is_player(self, text: str) -> bool:
        try:
            self._player(text)
        except (UnknownName, _LineError):
            return False
        return True

    def _player(self, text: str) -> int:
        found = self._holder(text)
        assert self.seating is not None
        if found == self.seating.envelope:
            raise _LineError("the envelope neither asks nor answers: name a player")
        return found

    def _holder(self, text: str) -> int:
        if self.seating is None:
            raise _LineError("the players come first")
        if normalize_name(text) in ("me", "i") and self.seating.me is not None:
            return self.seating.me
        return self.seating.names.number(text)

    def _cards(self, text: str) -> tuple[int, ...]:
        cards = tuple(self.cards.names.number(part) for part in _parts(text))
        for card in cards:
            if cards.count(card) > 1:
                raise _LineError(f"{self.cards.cards[card]} is named twice: correct one")
        if not cards:
            raise _LineError("no card is named: write them with commas between")
        return cards

    def _one_of_each(self, text: str) -> tuple[int, ...]:
        cards = self._cards(text)
        kinds = [kind.name for kind in self.cards.kinds]
        if sorted(self.cards.kind_of(card) for card in cards) != list(range(len(kinds))):
            raise _LineError(f"{len(cards)} cards: name one of each kind ({', '.join(kinds)}), with commas")
        return tuple(sorted(cards))


def _parts(text: str) -> list[str]:
    return [part for piece in text.split(",") if (part := piece.strip())]


HEAD = ("cards", "table", "players", "me", "hand", "log")
ENTRIES = {
    "asks": ("cards", "passes", "shows", "card", "nobody"),
    "accuses": ("cards", "right"),
    "has": ("cards",),
    "lacks": ("cards",),
}


def parse_json(text: str, source: str = "the log", find: FindCards = builtin_card_set) -> ParsedLog:
    """Parse a log in JSON. Raises InvalidFile like `parse_log`.

    Each statement is converted to the equivalent line of text; `table`, `players` and `me` come first.
    """
    try:
        read = external.parse_json(text)
    except ValueError as error:
        raise InvalidFile(f"{source}: {error}: correct the JSON") from error
    if not isinstance(read, dict):
        raise InvalidFile(f"{source}: this is no log: write one object with 'players' and 'log'")
    try:
        return parse_lines([*_head(read), *_body(read)], source, find, "statement")
    except _JsonError as error:
        raise InvalidFile(f"{source}: {error}") from error


class _JsonError(ValueError):
    """A value of the wrong type."""


def _head(read: Mapping[str, object]) -> Iterator[str]:
    for key in read:
        if key not in HEAD:
            raise _JsonError(f"'{key}' is not known here: use {', '.join(HEAD)}")
    if "cards" in read:
        yield f"cards {_text(read['cards'], 'cards')}"
    if read.get("table"):
        yield f"table {_texts(read['table'], 'table')}"
    players = read.get("players")
    if not isinstance(players, list):
        raise _JsonError("'players' must be a list of names, or of objects with 'name' and 'cards'")
    yield f"players {', '.join(_player(player) for player in players)}"
    if "me" in read:
        hand = f": {_texts(read['hand'], 'hand')}" if read.get("hand") else ""
        yield f"me {_text(read['me'], 'me')}{hand}"


def _player(player: object) -> str:
    if isinstance(player, dict):
        size = player.get("cards", "")
        if set(player) - {"name", "cards"} or isinstance(size, bool) or not isinstance(size, int | str):
            raise _JsonError("a player is a name, or an object with 'name' and 'cards' (a number)")
        return f"{_text(player.get('name'), 'name')} {size}".strip()
    return _text(player, "players")


def _body(read: Mapping[str, object]) -> Iterator[str]:
    log = read.get("log", [])
    if not isinstance(log, list):
        raise _JsonError("'log' must be a list of objects")
    for number, entry in enumerate(log, 1):
        try:
            yield _entry(entry)
        except _JsonError as error:
            raise _JsonError(f"entry {number} of 'log': {error}") from error


def _entry(entry: object) -> str:
    if not isinstance(entry, dict):
        raise _JsonError("must be an object")
    verbs = [verb for verb in ENTRIES if verb in entry]
    if len(verbs) != 1:
        raise _JsonError(f"must have one of {', '.join(ENTRIES)}")
    (verb,) = verbs
    for key in entry:
        if key not in (verb, *ENTRIES[verb]):
            raise _JsonError(f"'{key}' is not known with '{verb}': use {', '.join(ENTRIES[verb])}")
    said = f"{_text(entry[verb], verb)} {verb} {_texts(entry.get('cards'), 'cards')}"
    if verb == "accuses":
        return f"{said}: {'right' if entry.get('right') is True else 'wrong'}"
    if verb != "asks":
        return said
    answers = [f"{_text(name, 'passes')} passes" for name in _list(entry.get("passes", []), "passes")]
    if entry.get("shows") is not None:
        card = "" if entry.get("card") is None else f" {_text(entry['card'], 'card')}"
        answers.append(f"{_text(entry['shows'], 'shows')} shows{card}")
    elif entry.get("nobody") is True:
        answers.append("nobody shows")
    return f"{said}: {', '.join(answers)}"


def _list(value: object, key: str) -> Sequence[object]:
    if not isinstance(value, list):
        raise _JsonError(f"'{key}' must be a list of names")
    return value


def _texts(value: object, key: str) -> str:
    return ", ".join(_text(each, key) for each in _list(value, key))


def _text(value: object, key: str) -> str:
    if not isinstance(value, str) or not value.strip() or any(sign in value for sign in ",:#\n\r"):
        raise _JsonError(f"'{key}' must be a name (without commas, colons and #)")
    return value
