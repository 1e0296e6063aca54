"""Settings and results of the kernels, and the names of their array types."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

Ints: TypeAlias = list[int]  # in the extension: a C array of 64-bit integers
Floats: TypeAlias = list[float]  # a C array of doubles
Octets: TypeAlias = list[int]  # a C array of 8-bit integers

# how `choose_cell` found its answer
FAILED, SAFE, SOLVED, SCORED, PLAYED, ISOLATED = -1, 0, 1, 2, 3, 4


class Choice(NamedTuple):
    """The answer of `choose_cell`.

    `way` is one of the constants above, `cell` the number of the chosen cell. The lists have one entry per
    cell: the probability that it is safe, its score (negative if it has none), the probability of surviving
    the next move as well, and the expected number of certain cells.
    """

    way: int
    cell: int
    safe: list[float]
    score: list[float]
    second: list[float]
    progress: list[float]


class Survey(NamedTuple):
    """Exact risks of each bound cell, and of the others; `size` is the logarithm of the number of layouts.

    Risks are 0 or 1 only if all layouts agree. Without `is_valid` the position was not counted.
    """

    is_valid: bool
    risks: list[float]
    rest_risk: float
    size: float


class GuessSettings(NamedTuple):
    """Settings of `choose_cell`; `work` limits count cells times layouts.

    Endgames: with at most `layouts` layouts, the rest of the game is solved exactly, within `work`; 0
    disables it. With up to `beyond` times as many layouts (and at most `listed` cells times layouts), the
    most promising cells are solved. Before that each cell is played greedily, within `played`. An isolated
    component with at most `closed` layouts is solved first.

    Candidates: a candidate's risk exceeds the lowest risk by at most `near`. `candidates` cells are scored,
    at most `away` of them next to no clue. The best `deep` are followed by a second move, chosen among
    `replies`. `gain`: value of certain cells in addition to survival. With `by_risk` the risk decides, and
    everything else breaks ties.

    Unavoidable 50/50s: pairs have the weight `stuck`, squares the weight `fours`. `due`: weight of the
    unavoidable loss that is subtracted from the risk when candidates are selected. Cells of isolated groups
    with fewer than `pockets` cells wait.
    """

    layouts: float = 400.0
    work: float = 2e6
    played: float = 1e6
    beyond: float = 1.0
    near: float = 0.1
    candidates: float = 30.0
    away: float = 8.0
    deep: float = 0.0
    replies: float = 6.0
    gain: float = 0.1
    stuck: float = 1.0
    by_risk: float = 0.0
    closed: float = 400.0
    fours: float = 0.0
    due: float = 0.0
    pockets: float = 0.0
    listed: float = 1e9
