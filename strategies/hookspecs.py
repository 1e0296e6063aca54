"""The contract: the two hooks that a strategy may have. It implements one or both.

A hook takes only the arguments it names, so `def deduce(knowledge)` is enough and new arguments never break
an old strategy. Strategies see variables and constraints; that they are cells of a board is not their
business. They keep nothing between calls and change nothing they are handed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from games.logic import Deduction, Knowledge
    from games.minesweeper import Guess, Position

PROJECT = "sapper"
ENTRY_POINTS = "sapper.strategies"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def deduce(knowledge: Knowledge, changed: int) -> Iterable[Deduction]:  # type: ignore[empty-body]
    """What certainly follows from this knowledge, each with the step that shows it.

    `changed` is the set (int) of the variables about which something is new since this strategy was last
    asked; all of them at first. The total counts as new every time and is left out of it. A premise must be
    a constraint of `knowledge`, or the conclusion of a deduction that this call yielded before. What the
    step does not show is not believed, and costs the strategy the rest of the game.
    """


@hookspec
def guess(position: Position) -> Iterable[Guess]:  # type: ignore[empty-body]
    """Where to go on when nothing is certain: cells of `position.openable`, best first.

    A strategy with nothing to say answers with an empty list; then the next one is asked.
    """
