"""What acts on a board teach about its looks: what was opened, flagged, or shown when the game ended.

An act narrows down what looks can mean; what it contradicts is no longer settled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from games.logic.bits import bits, cell_set
from games.minesweeper.board import (
    CLOSED,
    DIGITS,
    EXPLODED,
    FLAG,
    HIDDEN,
    MINE,
    MINES_SHOWN,
    QUESTION,
    SAFE,
    STATES,
    UNKNOWN,
    WRONG_FLAG,
)
from games.minesweeper.moves import Move
from vision.looks import ALIKE, Ids
from vision.reading import Judge
from vision.redrawing import redrawn
from vision.roles import SAME_MIDDLE
from vision.scene import Scene
from vision.single import DRAWN_AGAIN, LEGIBLE
from vision.traits import Traits

READABLE = STATES.replace(SAFE, "").replace(UNKNOWN, "")


@dataclass(frozen=True)
class Act:
    """The moves that were made last, on which looks, and what was known then."""

    moves: tuple[Move, ...]
    certain: bool
    before: Ids
    settled: dict[int, str]
    allowed: dict[int, str]


@dataclass(frozen=True)
class Lessons:
    """Draws lessons from acts on one board; `settled` and `allowed` are narrowed down in place.

    `traits` are those of each look; `taught` and `settled` the states that are known, `allowed` the states
    that a look may yet have (all of `READABLE` where nothing is said). `around` are the neighbours of each
    cell as a set; `mines` the mine total when it is known; `shown` pictures that a skin brought, with states.
    """

    rows: int
    columns: int
    mines: int | None
    around: Sequence[int]
    judge: Judge
    traits: Sequence[Traits]
    taught: Mapping[int, str]
    settled: dict[int, str]
    allowed: dict[int, str]
    shown: Sequence[tuple[str, Traits]] = ()

    @property
    def states(self) -> dict[int, str]:
        """The state of every look that is known."""
        return self.settled | dict(self.taught)

    def learn_from(self, act: Act, after: Ids) -> None:
        """Narrow down what looks can mean, from what the act changed."""
        before = act.before
        changed = cell_set(int(k) for k in np.flatnonzero(before != after))
        if not changed:
            return
        redrawing = redrawn(before, after, self.states, self._is_alike, self._is_digit, self._is_recoloured)
        if redrawing is not None:
            for look, states in redrawing.items():
                if states == UNKNOWN:
                    self.allowed.setdefault(look, UNKNOWN)
                else:
                    self._narrow_look(look, self._unless_amid_hidden(look, states, after, redrawing))
            self._narrow(after, self.opened(act.moves) & changed, DIGITS + MINE + EXPLODED)
            self._learn_from_redrawn_end(act, after)
            return
        marked = cell_set(move.cell for move in act.moves if move.kind in ("flag", "unflag"))
        for move in act.moves:
            if changed >> move.cell & 1:
                self._learn_from_mark(move, before, after)
        opened = self.opened(act.moves) & changed & ~marked
        was_open = cell_set(
            k for k in bits(changed) if self.states.get(int(before[k]), UNKNOWN) in DIGITS
        )  # such cells may change their rims only
        reached = self._reached(opened, changed & ~marked & ~was_open, after)
        strays = changed & ~marked & ~reached
        strays = self._but_for_unchanged(strays, before, after)
        if strays:
            shown = {k: self._kin_of(int(after[k]), DIGITS[1:]) for k in bits(opened)}
            for k, state in shown.items():
                if state:
                    self._narrow(after, 1 << k, state)
            hit = not act.certain and not any(
                shown[k] or self.states.get(int(after[k])) == "0" for k in bits(opened)
            )
            if hit:  # a mine opens nothing beside it
                strays |= self._but_for_unchanged(reached & ~opened, before, after)
            self._learn_from_end(act, opened, strays, after, hit)
            return
        is_legible = any(self.traits[int(after[k])].best >= LEGIBLE for k in bits(opened))
        # around a number the rims of its neighbours may change
        zero_is_open = act.certain and opened.bit_count() == 1 and reached.bit_count() > 1 and not is_legible
        self._narrow(
            after, opened, "0" if zero_is_open else DIGITS + ("" if act.certain else MINE + EXPLODED)
        )

    def _unless_amid_hidden(self, look: int, states: str, after: Ids, redrawing: Mapping[int, str]) -> str:
        """The states of a look on a board drawn anew, without 0 where a hidden cell lies beside it."""
        if states != HIDDEN + "0":
            return states
        beside = 0
        for k in np.flatnonzero(after == look):
            beside |= self.around[int(k)]
        return HIDDEN if any(redrawing.get(int(after[k])) == HIDDEN for k in bits(beside)) else states

    def opened(self, moves: Sequence[Move]) -> int:
        """The cells that these moves open by themselves."""
        opened = cell_set(move.cell for move in moves if move.kind == "open")
        for move in moves:
            if move.kind == "chord":
                opened |= self.around[move.cell]
        return opened

    def _reached(self, opened: int, changed: int, after: Ids) -> int:
        """The changed cells that opening these explains: themselves, and what opens around a zero."""
        known = self.states
        reached = edge = opened & changed
        while edge:
            beside = 0
            for k in bits(edge):
                if known.get(int(after[k]), "0") == "0":  # a new look may be a zero on another shade
                    beside |= self.around[k]
            edge = beside & changed & ~reached
            reached |= edge
        return reached

    def _but_for_unchanged(self, strays: int, before: Ids, after: Ids) -> int:
        """The changed cells that no opening reached, but for those that still show what they did.

        A number never changes. And where the middle of a cell is as before, only its rim has changed, as it
        may beside a cell that is opened or shown.
        """
        same = 0
        for k in bits(strays):
            was = self.states.get(int(before[k]), UNKNOWN)
            is_same = self._is_alike(int(before[k]), int(after[k]))
            if is_same and was in DIGITS + HIDDEN + FLAG:
                self._narrow(after, 1 << k, was)
            elif was in DIGITS:
                self._give_up(after, 1 << k)
            if is_same or was in DIGITS:
                same |= 1 << k
        return strays & ~same

    def _learn_from_mark(self, move: Move, before: Ids, after: Ids) -> None:
        look, look_after = int(before[move.cell]), int(after[move.cell])
        was = self.states.get(look, UNKNOWN)
        if self._is_alike(look, look_after):
            return  # nothing was drawn: only the rim changed, as it does beside a cell that was opened
        if move.kind == "flag" and was in CLOSED:
            is_lit = self.traits[look_after].is_plain  # by the pointer; the flag is yet to be drawn
            self._narrow(after, 1 << move.cell, FLAG + HIDDEN + QUESTION if is_lit else FLAG)
        elif move.kind == "unflag":
            self._narrow(after, 1 << move.cell, HIDDEN + QUESTION)

    def _learn_from_end(self, act: Act, opened: int, strays: int, after: Ids, hit: bool) -> None:
        """Cells changed that no opening reaches: the game is over, and the program shows what was where."""
        before = act.before
        met = {int(look) for look in before}
        was_flag = cell_set(k for k in bits(strays) if self.states.get(int(before[k])) == FLAG)
        new = cell_set(k for k in bits(strays) if int(after[k]) not in met)
        new &= ~self._learn_from_kin(new, after)
        if not hit:  # won: what comes up where the mines are is a flag as ours, or the mines are shown
            has_flags = any(self.states.get(int(look)) == FLAG for look in np.unique(before))
            mines = self._drawn_alike(new, after) if has_flags else 0
            self._narrow(after, mines, MINE)
            self._give_up(after, new & ~mines)
            return
        mines = self._drawn_alike(new & ~was_flag, after)
        known = any(self.states.get(int(after[k]), UNKNOWN) in MINES_SHOWN for k in bits(strays))
        if not (mines or known or new & was_flag):  # a cell that is lit no more, or another that is now
            self._narrow(after, opened, DIGITS + MINE + EXPLODED)
            self._give_up(after, new)
            return
        self.narrow_hit(after, opened)
        self._narrow(after, new & was_flag, WRONG_FLAG + MINE)
        self._narrow(after, mines, MINE)
        self._give_up(after, new & ~was_flag & ~mines)

    def _give_up(self, ids: Ids, cells: int) -> None:
        """The looks of these cells mean nothing, but for those of which something is known: a message."""
        for look in {int(ids[k]) for k in bits(cells)}:
            self.allowed.setdefault(look, UNKNOWN)

    def _is_alike(self, one: int, other: int) -> bool:
        """Whether two looks differ at their rims at most."""
        return self.traits[other].middle_of(self.traits[one], DRAWN_AGAIN) > SAME_MIDDLE

    def _is_recoloured(self, one: int, other: int) -> bool:
        """Whether a second look differs from a first in its colours only."""
        return self.traits[one].is_recoloured(self.traits[other])

    def _is_digit(self, look: int, digit: str) -> bool:
        """Whether the shape in a look speaks for this number: for nothing in it, if that is 0."""
        traits = self.traits[look]
        return traits.is_plain if digit == "0" else traits.digit(digit) == 0.0 and not traits.is_plain

    def kin(self, looks: Sequence[int]) -> dict[int, str]:
        """Those of these looks, of all unknown ones, that draw what a known one does, but for the rim.

        A number, a flag, or the mine that was hit.
        """
        states = self.states
        met = [(state, self.traits[look]) for look, state in states.items()]
        drawn = [(state, one) for state, one in (*met, *self.shown) if state not in CLOSED + "0"]
        found = {}
        for look in looks:
            traits = self.traits[look]
            if look in states or traits.is_plain:
                continue
            kin = {state for state, one in drawn if one.inside_apart(traits) <= ALIKE}
            likely = set(self.allowed.get(look, READABLE)) & set(DIGITS + FLAG + EXPLODED)
            if len(kin) == 1 and kin <= likely:
                found[look] = kin.pop()
        return found

    def _learn_from_kin(self, cells: int, ids: Ids) -> int:
        """Those of these cells that show a flag or a mine as known ones, but for the rim."""
        kin = {k: state for k in bits(cells) if (state := self._kin_of(int(ids[k]), FLAG + MINE))}
        for k, state in kin.items():
            self._narrow(ids, 1 << k, state)
        return cell_set(kin)

    def _kin_of(self, look: int, states: str) -> str:
        """Which of these states a look has, if it is one that is known but for the rim; "" for none."""
        if look in self.states:
            return self.states[look] if self.states[look] in states else ""
        kin = {s for other, s in self.states.items() if s in states and self._is_alike(other, look)}
        return kin.pop() if len(kin) == 1 else ""

    def _drawn_alike(self, cells: int, ids: Ids) -> int:
        """Those of these cells that show a drawing which others show as well, and not all beside each other.

        The parts of a message are all different, or lie in one line, as its edge does.
        """
        drawn = [k for k in bits(cells) if not self.traits[int(ids[k])].is_plain]
        found = 0
        for look in {int(ids[k]) for k in drawn}:
            kin = [k for k in drawn if ids[k] == look or self._is_alike(look, int(ids[k]))]
            if len(kin) > 1 and not self._is_line(kin):
                found |= cell_set(k for k in kin if ids[k] == look)
        return found

    def _is_line(self, cells: Sequence[int]) -> bool:
        """Whether these cells, in rising order, are a part of a row or of a column without a gap."""
        steps = {after - before for before, after in pairwise(cells)}
        return steps in ({1}, {self.columns})

    def _learn_from_redrawn_end(self, act: Act, after: Ids) -> None:
        """The whole board was drawn anew: if drawings came up on some of the hidden cells, those are mines.

        Only after a risk, only where other cells stay hidden, and only if all of them can be mines.
        """
        opened = self.opened(act.moves)
        hidden = [look for look, state in self.states.items() if state == HIDDEN]
        closed = cell_set(int(k) for k in np.flatnonzero(np.isin(act.before, hidden))) & ~opened
        drawn = cell_set(k for k in bits(closed) if not self.traits[int(after[k])].is_plain)
        if act.certain or not drawn or drawn == closed:
            return
        shown = {look: states for look, states in self.allowed.items() if len(states) == 1}
        board = Scene(self.rows, self.columns, after).board(shown | self.states, self.mines)
        cells = dict.fromkeys(bits(board.unread), HIDDEN) | dict.fromkeys(bits(drawn), MINE)
        if self.judge.weigh(board.showing(cells)) is not None:
            self.narrow_hit(after, opened)
            self._narrow(after, drawn, MINE)

    def narrow_hit(self, ids: Ids, cells: int) -> None:
        """These cells show the mine that was hit."""
        for k in bits(cells):
            is_alone = int((ids == ids[k]).sum()) == 1
            self._narrow(ids, 1 << k, EXPLODED if is_alone else MINE)

    def _narrow(self, ids: Ids, cells: int, states: str) -> None:
        """The looks of these cells can only be one of these states."""
        for look in {int(ids[k]) for k in bits(cells)}:
            self._narrow_look(look, states)

    def _narrow_look(self, look: int, states: str) -> None:
        left = "".join(s for s in self.allowed.get(look, READABLE) if s in states)
        if left:  # acts that contradict each other teach nothing
            self.allowed[look] = left
            if self.settled.get(look, left) not in left:
                del self.settled[look]
