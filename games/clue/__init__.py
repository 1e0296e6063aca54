"""The card game Clue (Cluedo): cards, the log of a game, what it states. Nothing is read from disk here."""

from games.clue.cards import CARD_SETS, CLASSIC, CardSet, Kind
from games.clue.dealing import Deal, random_game
from games.clue.jsonlog import parse_json
from games.clue.log import Accusation, Entry, Fact, Log, OnTable, Player, Seating, Suggestion, describe
from games.clue.naming import UnknownName, plain
from games.clue.reading import ParsedLog, Problem, built_in, parse_log
from games.clue.rules import Source, knowledge_of, rules, stated
from games.clue.sheet import Sheet
from games.clue.views import seen_by
from games.clue.words import ClueWords

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
