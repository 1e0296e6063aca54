"""The risk of every cell: counted by compiled code where there is some, else in whole numbers of any size."""

from __future__ import annotations

from games.logic import Knowledge
from strategies.compiled import Kernels, kernels
from strategies.counting import Risks, risks, take_census, tied_risks
from strategies.guessing.situation import Situation


def risks_of(knowledge: Knowledge, counted: int, use: Kernels | None = None) -> Risks:
    """The probability of a mine for every undecided cell, each layout being as likely as any other.

    `counted` is the set of the cells that can hold mines, where no total says so. 0 and 1 are answered only
    where all layouts agree. What compiled code cannot count (a very wide frontier, a component of more cells
    than a double can count the layouts of) goes the plain way, and what that cannot count is tied together.
    """
    loops = use or kernels()
    if loops.is_compiled:
        situation = Situation.of(knowledge, counted)
        answer = loops["survey"](situation.field, loops.tables)
        if answer.worked:
            bound = situation.field.bound
            by_cell = dict(zip(situation.cells[:bound], answer.risks.tolist(), strict=True))
            return Risks(by_cell, _set(situation.cells[bound:]), float(answer.rest_risk))
    census = take_census(knowledge, counted)
    return risks(census) if census.is_complete else tied_risks(knowledge, counted)


def _set(cells: tuple[int, ...]) -> int:
    result = 0
    for k in cells:
        result |= 1 << k
    return result
