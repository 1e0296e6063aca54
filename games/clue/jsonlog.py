"""The same log as JSON, for programs that write one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from games.clue.reading import FindCards, ParsedLog, built_in, parse_lines
from games.errors import InvalidFile

HEAD = ("cards", "table", "players", "me", "hand", "log")
ENTRIES = {
    "asks": ("cards", "passes", "shows", "card", "nobody"),
    "accuses": ("cards", "right"),
    "has": ("cards",),
    "lacks": ("cards",),
}


def parse_json(text: str, source: str = "the log", find: FindCards = built_in) -> ParsedLog:
    """Read a log that is one JSON object (`docs/clue.md`). Raises InvalidFile as `parse_log` does.

    Each statement becomes the line of text that says the same; `table`, `players` and `me` come first.
    """
    try:
        read = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidFile(f"{source}: {error}: correct the JSON") from error
    if not isinstance(read, dict):
        raise InvalidFile(f"{source}: this is no log: write one object with 'players' and 'log'")
    try:
        return parse_lines([*_head(read), *_body(read)], source, find, "statement")
    except _Odd as error:
        raise InvalidFile(f"{source}: {error}") from error


class _Odd(ValueError):
    """Something that is not of its kind."""


def _head(read: Mapping[str, object]) -> Iterator[str]:
    for key in read:
        if key not in HEAD:
            raise _Odd(f"'{key}' is not known here: use {', '.join(HEAD)}")
    if "cards" in read:
        yield f"cards {_text(read['cards'], 'cards')}"
    if read.get("table"):
        yield f"table {_texts(read['table'], 'table')}"
    players = read.get("players")
    if not isinstance(players, list):
        raise _Odd("'players' must be a list of names, or of objects with 'name' and 'cards'")
    yield f"players {', '.join(_player(player) for player in players)}"
    if "me" in read:
        hand = f": {_texts(read['hand'], 'hand')}" if read.get("hand") else ""
        yield f"me {_text(read['me'], 'me')}{hand}"


def _player(player: object) -> str:
    if isinstance(player, dict):
        size = player.get("cards", "")
        if set(player) - {"name", "cards"} or isinstance(size, bool) or not isinstance(size, int | str):
            raise _Odd("a player is a name, or an object with 'name' and 'cards' (a number)")
        return f"{_text(player.get('name'), 'name')} {size}".strip()
    return _text(player, "players")


def _body(read: Mapping[str, object]) -> Iterator[str]:
    log = read.get("log", [])
    if not isinstance(log, list):
        raise _Odd("'log' must be a list of objects")
    for number, entry in enumerate(log, 1):
        try:
            yield _entry(entry)
        except _Odd as error:
            raise _Odd(f"entry {number} of 'log': {error}") from error


def _entry(entry: object) -> str:
    if not isinstance(entry, dict):
        raise _Odd("must be an object")
    verbs = [verb for verb in ENTRIES if verb in entry]
    if len(verbs) != 1:
        raise _Odd(f"must have one of {', '.join(ENTRIES)}")
    (verb,) = verbs
    for key in entry:
        if key not in (verb, *ENTRIES[verb]):
            raise _Odd(f"'{key}' is not known beside '{verb}': use {', '.join(ENTRIES[verb])}")
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
        raise _Odd(f"'{key}' must be a list of names")
    return value


def _texts(value: object, key: str) -> str:
    return ", ".join(_text(each, key) for each in _list(value, key))


def _text(value: object, key: str) -> str:
    if not isinstance(value, str) or not value.strip() or any(sign in value for sign in ",:#\n\r"):
        raise _Odd(f"'{key}' must be a name (without commas, colons and #)")
    return value
