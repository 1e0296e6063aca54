"""The card game Clue (Cluedo): cards, game logs and their constraints; no file access."""

from games.clue.cards import CARD_SETS, CLASSIC, CardCategory, CardSet
from games.clue.log import (
    Accusation,
    ClueLog,
    CluePlayer,
    Entry,
    Fact,
    OpenCards,
    Seating,
    Suggestion,
    format_entry,
)
from games.clue.parser import LogProblem, ParsedLog, builtin_card_set, parse_json, parse_log
from games.clue.phrases import ClueVocabulary
from games.clue.sheet import (
    DeductionSheet,
    LineSource,
    base_constraints,
    entry_constraints,
    log_constraints,
    log_knowledge,
    log_seen_by,
)

__all__ = [
    "CARD_SETS",
    "CLASSIC",
    "Accusation",
    "CardCategory",
    "CardSet",
    "ClueLog",
    "CluePlayer",
    "ClueVocabulary",
    "DeductionSheet",
    "Entry",
    "Fact",
    "LineSource",
    "LogProblem",
    "OpenCards",
    "ParsedLog",
    "Seating",
    "Suggestion",
    "base_constraints",
    "builtin_card_set",
    "entry_constraints",
    "format_entry",
    "log_constraints",
    "log_knowledge",
    "log_seen_by",
    "parse_json",
    "parse_log",
]
