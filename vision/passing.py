"""What looks were that came and went without an act between: a flash, a cell that is lit by the pointer.

A picture may be taken in the middle of an animation. What the same cells show when it has passed tells what
they showed in it, where nothing else can be meant; met again, such a look is read at once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from games.logic.bits import bits, cell_set
from games.minesweeper.board import CLOSED, DIGITS, FLAG, HIDDEN, UNKNOWN, Board
from vision.glyphs import Floats
from vision.lessons import Act, Lessons
from vision.looks import Ids
from vision.roles import SAME_MIDDLE
from vision.single import DRAWN_AGAIN
from vision.traits import Traits

SAME_INK = 24.0  # grey levels that ink may differ between two grounds; its edges are mixed with them
SAME_DRAWING = 0.9  # of the middle must be ground in both pictures, or the same ink in both
LEAST_INK = 0.03  # of the middle that must be the same ink
PASSING = 3  # looks after an act in which an animation may still go on
OCCASIONS = 2  # cells on which a plain look came before a number, before it is believed to be a hidden cell


class Passing:
    """Learns from looks that have passed. `traits` has an entry for every look that was met."""

    def __init__(self, traits: Sequence[Traits]) -> None:
        self._traits = traits
        self._before_numbers: dict[int, set[int]] = {}  # plain look -> cells that showed it, then a number

    def learn_from(self, lessons: Lessons, act: Act, earlier: Ids, now: Ids) -> dict[int, str]:
        """The states of looks that were there at an earlier look after the same act, and are gone now.

        `lessons` say what is known, and what an act opens. Only looks of which nothing is known yet.
        """
        states = lessons.states
        gone = {int(look) for look in np.unique(earlier)} - {int(look) for look in np.unique(now)}
        found = {}
        for look in sorted(gone - set(states)):
            cells = [int(k) for k in np.flatnonzero(earlier == look)]
            if self._traits[look].is_plain:
                alone = int((earlier != act.before).sum()) == 1
                state = self._cover(look, cells, lessons, act, now, alone)
            else:
                state = self._drawing(look, {int(now[k]) for k in cells}, states)
            if state:
                found[look] = state
        return found

    def _drawing(self, look: int, after: set[int], states: Mapping[int, str]) -> str:
        """The number, or the flag, that all its cells show now, drawn as it was; "" when that is not so."""
        shown = {states.get(other, UNKNOWN) for other in after}
        if len(shown) != 1 or not shown <= set(DIGITS[1:] + FLAG):
            return ""
        is_same = all(
            is_drawn_alike(self._traits[look].square, self._traits[other].square) for other in after
        )
        return shown.pop() if is_same else ""

    def _cover(
        self, look: int, cells: Sequence[int], lessons: Lessons, act: Act, now: Ids, alone: bool
    ) -> str:
        """HIDDEN for a plain look of cells that were about to be flagged, or to open; else "".

        An open cell takes no flag. A cell that is pressed may be drawn as an open one with nothing in it, so
        that must be known, and be something else. A zero that has opened its neighbours since was still
        closed while it was `alone` in looking new.
        """
        states = lessons.states
        if any(states.get(int(act.before[k])) not in set(CLOSED) for k in cells):
            return ""
        flagged = {move.cell for move in act.moves if move.kind == "flag"}
        opened = lessons.opened(act.moves)
        shows = {k: states.get(int(now[k]), UNKNOWN) for k in cells}
        if all(k in flagged and shows[k] == FLAG for k in cells):
            return HIDDEN
        opens = [other for other, state in states.items() if state == "0"]
        traits = self._traits[look]
        if not opens or any(
            traits.middle_of(self._traits[other], DRAWN_AGAIN) > SAME_MIDDLE for other in opens
        ):
            return ""
        if alone and all(shows[k] == "0" and self._is_amid_open(k, lessons, now) for k in cells):
            return HIDDEN
        seen = self._before_numbers.setdefault(look, set())
        seen |= {k for k in cells if opened >> k & 1 and shows[k] in DIGITS[1:]}
        return HIDDEN if len(seen) >= OCCASIONS else ""

    def _is_amid_open(self, cell: int, lessons: Lessons, now: Ids) -> bool:
        """Whether all neighbours of a cell are known to be open."""
        return all(lessons.states.get(int(now[k]), UNKNOWN) in DIGITS for k in bits(lessons.around[cell]))


def doubtful(
    board: Board, ids: Ids, start: Collection[int], states: Mapping[int, str], act: Act, looks: int
) -> dict[int, str]:
    """Cells that cannot be what their look means elsewhere, and what they are: UNKNOWN, or as before.

    A hidden cell under the pointer may look just like an empty one in a game that is over. So an empty cell
    that was closed and opened none of its neighbours is not believed for PASSING looks after the act; nor is
    a hidden cell whose look stands on an open one, too. `start` are the looks of the first picture.
    """
    found: dict[int, str] = {}
    if not board.shown_mines and looks <= PASSING:
        was_closed = cell_set(k for k, look in enumerate(act.before) if states.get(int(look)) in set(CLOSED))
        zeros = bits(board.having("0") & was_closed)
        found |= {k: UNKNOWN for k in zeros if board.around[k] & board.having(HIDDEN)}
    for look in {int(look) for look in ids} - set(start):
        if states.get(look) != HIDDEN:
            continue
        cells = [int(k) for k in np.flatnonzero(ids == look)]
        was = {k: states.get(int(act.before[k]), UNKNOWN) for k in cells}
        if any(state in DIGITS for state in was.values()):
            found |= {k: state if state in DIGITS else UNKNOWN for k, state in was.items()}
    return found


def is_drawn_alike(one: Floats, other: Floats) -> bool:
    """Whether the same thing is drawn in two pictures of one size, each on a ground of its own."""
    one, other = (picture[6:-6, 6:-6].astype(np.float32) for picture in (one, other))
    grounds = [
        np.abs(picture - np.median(picture.reshape(-1, 3), axis=0)).max(axis=2) <= SAME_INK
        for picture in (one, other)
    ]
    ink = (np.abs(one - other).max(axis=2) <= SAME_INK) & ~(grounds[0] & grounds[1])
    both = grounds[0] & grounds[1]
    return bool(ink.mean() >= LEAST_INK and (ink | both).mean() >= SAME_DRAWING)
