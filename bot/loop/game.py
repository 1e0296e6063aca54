"""The one place where a game is put together, for live play, replays and tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.loop.planning import Planner
from bot.loop.player import Player
from bot.loop.ports import Listener, Rules, Table, Witness
from bot.loop.stopwatch import Stopwatch
from strategies import Reasoner


def put_together(
    table: Table,
    reasoner: Reasoner,
    rules: Rules,
    listeners: Sequence[Listener] = (),
    watch: Stopwatch | None = None,
    explain: Callable[[], bool] | None = None,
    witness: Witness | None = None,
    planner: Callable[[Reasoner, Rules], Planner] = Planner,
) -> Player:
    """Who plays one game at this table, by these rules and with these strategies.

    `listeners` hear what happens, in this order; `watch` takes the time. `explain` is asked when acts do not
    show: True when a mine that was hit explains it, and the next observation will show it. `witness` is asked
    what became of a board that cannot be read after an act. `planner` makes the planner.
    """
    return Player(table, planner(reasoner, rules), rules, listeners, watch, explain, witness)
