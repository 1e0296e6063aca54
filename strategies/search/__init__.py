"""Searches over constraints: what cannot be, what can be, and the smallest conflicts.

`splitting` is the kernel: it propagates (`games.logic.propagation`), chooses a cell where nothing more
follows, and splits, within a number of steps. `refutation` shows with it what cannot be, `models` and
`layouts` what can; conflicts are made small by asking both (`minimal_conflicts`: none to spare,
`smallest_conflicts`: as few as can be). `legality` has the functions of Deduction functions. `elimination`
and `disjoint_sets` are the exact methods behind the strategies `linear` and `packing`.
"""

from strategies.search.disjoint_sets import best_disjoint, hitting_sets
from strategies.search.elimination import Elimination, Row
from strategies.search.layouts import find_layout, is_countable
from strategies.search.legality import Legality, State
from strategies.search.minimal_conflicts import Clues, cannot_hold, minimal_conflict, narrowed
from strategies.search.models import Models
from strategies.search.refutation import MOST_CASES, Refutation, refute
from strategies.search.smallest_conflicts import can_hold, smallest_conflict
from strategies.search.splitting import Budget

__all__ = [
    "MOST_CASES",
    "Budget",
    "Clues",
    "Elimination",
    "Legality",
    "Models",
    "Refutation",
    "Row",
    "State",
    "best_disjoint",
    "can_hold",
    "cannot_hold",
    "find_layout",
    "hitting_sets",
    "is_countable",
    "minimal_conflict",
    "narrowed",
    "refute",
    "smallest_conflict",
]
