"""Proofs written down: sentences for people (`sentences`), VeriPB files for other checkers (`export`).

Both are made from the `lineage` of a knowledge: what each conclusion rests on, and nothing else.
"""

from games.logic.writing.export import export
from games.logic.writing.lineage import Ground, Lineage, Link
from games.logic.writing.phrases import MOST_NAMED, Words, between, joined
from games.logic.writing.sentences import in_a_sentence, in_sentences

__all__ = [
    "MOST_NAMED",
    "Ground",
    "Lineage",
    "Link",
    "Words",
    "between",
    "export",
    "in_a_sentence",
    "in_sentences",
    "joined",
]
