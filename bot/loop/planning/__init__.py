"""From a board to the moves of one sweep: `planner` asks the strategies, `sweep` orders the clicks.

`exploring` decides where a picture may show more than one board, `reasons` writes proofs down when somebody
asks, `reach` says what an act may open beside the cells that it is meant for.
"""

from bot.loop.planning.exploring import may_be_closed
from bot.loop.planning.planner import Planner
from bot.loop.planning.reach import may_be_zeros, opened_beside
from bot.loop.planning.sweep import without_chords

__all__ = ["Planner", "may_be_closed", "may_be_zeros", "opened_beside", "without_chords"]
