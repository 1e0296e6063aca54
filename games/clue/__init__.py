"""The card game Clue (Cluedo): cards, the log of a game, what it states. Nothing is read from disk here."""

from games.clue.cards import CARD_SETS, CLASSIC, CardSet, Kind
from games.clue.log import (
    Accusation,
    Deal,
    Entry,
    Fact,
    Log,
    OnTable,
    Player,
    Seating,
    Suggestion,
    describe,
    random_game,
)
from games.clue.parser import ParsedLog, Problem, built_in, parse_json, parse_log
from games.clue.phrases import ClueWords
from games.clue.sheet import Sheet, Source, knowledge_of, rules, seen_by, stated
from games.names import UnknownName, plain

__all__ = [
    "CARD_SETS",
    "CLASSIC",
    "Accusation",
    "CardSet",
    "ClueWords",
    "Deal",
    "Entry",
    "Fact",
    "Kind",
    "Log",
    "OnTable",
    "ParsedLog",
    "Player",
    "Problem",
    "Seating",
    "Sheet",
    "Source",
    "Suggestion",
    "UnknownName",
    "built_in",
    "describe",
    "knowledge_of",
    "parse_json",
    "parse_log",
    "plain",
    "random_game",
    "rules",
    "seen_by",
    "stated",
]
