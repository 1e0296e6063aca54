"""Searches over constraints: what cannot be, what can be, and the smallest conflicts.

`refuting` shows what cannot be, `witnesses` and `layouts` what can. Every search propagates (`forcing`),
chooses a cell where nothing more follows, and splits, within a number of steps. `elimination` and `families`
are the exact methods behind the strategies `linear` and `packing`.
"""

from strategies.search.elimination import Elimination, Row
from strategies.search.families import best_disjoint, hitting_sets
from strategies.search.layouts import find_layout, is_countable
from strategies.search.legality import Legality, State
from strategies.search.minimal import Clues, cannot_hold, narrowed, smallest_core
from strategies.search.refuting import MOST_CASES, Effort, Refutation, refute
from strategies.search.smallest import can_hold, smallest_conflict
from strategies.search.touching import components, reached
from strategies.search.witnesses import Witnesses

__all__ = [
    "MOST_CASES",
    "Clues",
    "Effort",
    "Elimination",
    "Legality",
    "Refutation",
    "Row",
    "State",
    "Witnesses",
    "best_disjoint",
    "can_hold",
    "cannot_hold",
    "components",
    "find_layout",
    "hitting_sets",
    "is_countable",
    "narrowed",
    "reached",
    "refute",
    "smallest_conflict",
    "smallest_core",
]
