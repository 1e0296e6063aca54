"""What is believed of one board in the middle of a game. Frozen: an observation makes a new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from games.minesweeper import Board
from vision.cells import Ids
from vision.labelling import Hypothesis
from vision.tracking.acts import NONE, Acts, Unread


@dataclass(frozen=True, eq=False)
class Belief:
    """What is believed of a board.

    `board` is what was known when `acts` were made, `ids` the clusters of all cells then; `states` are those
    of clusters that were settled then. `now` and `ids_now` are of the last observation, `settled` what it
    settled in its turn: it counts only when the next act is made, for a picture may be an animation.
    `unread` is what acts before the last ones say of cells that are not read. `risked` are the cells (a set)
    that were opened at a risk in this game, `observed` counts observations since the acts. `is_stuck`: the
    program takes no more acts since the last observation; `was_stuck`: it was so before in this game.
    """

    board: Board | None = None
    ids: Ids | None = None
    states: Mapping[int, str] = field(default_factory=dict)
    acts: Acts | None = None
    now: Board | None = None
    ids_now: Ids | None = None
    settled: Mapping[int, str] = field(default_factory=dict)
    hypotheses: tuple[Hypothesis, ...] = ()
    unread: Unread = NONE
    risked: int = 0
    observed: int = 0
    is_stuck: bool = False
    was_stuck: bool = False

    def is_plain(self, changed: int) -> bool:
        """Whether what changed is just what acts that are no risk do: cells were opened, or marked."""
        if self.board is None or self.acts is None or not self.acts.certain or self.is_stuck:
            return self.board is not None and not changed
        return True
