"""Logs and card sets from files."""

from __future__ import annotations

import sys
from pathlib import Path

from games.clue import CardSet, ParsedLog, built_in, parse_json, parse_log
from games.errors import InvalidFile

LARGEST = 1_000_000  # bytes of a log, or of a card set


def read_log(name: str) -> ParsedLog:
    """The log in a file, text or JSON; `-` is standard input. Raises InvalidFile."""
    text = _decoded(name, sys.stdin.buffer.read(LARGEST + 1)) if name == "-" else _text(Path(name))
    folder = Path() if name == "-" else Path(name).parent
    source = "standard input" if name == "-" else name

    def find(cards: str) -> CardSet:
        return read_cards(folder / cards) if cards.endswith(".toml") else built_in(cards)

    parse = parse_json if text.lstrip().startswith(("{", "[")) else parse_log
    return parse(text, source, find)


def read_cards(path: Path) -> CardSet:
    """The card set in a TOML file. Raises InvalidFile."""
    return CardSet.parse(_text(path), str(path))


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return _decoded(str(path), file.read(LARGEST + 1))
    except OSError as error:
        raise InvalidFile(f"{path}: {error.strerror}: name a log, or - for standard input") from error


def _decoded(name: str, data: bytes) -> str:
    if len(data) > LARGEST:
        raise InvalidFile(f"{name}: more than {LARGEST:,} bytes: this is no log of a game")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidFile(f"{name}: this is no text: give a log as text or JSON") from error
