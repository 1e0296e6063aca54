"""Reads a board whose look nobody taught it, and learns the look from what was done to the board.

It groups the cells into looks, keeps for each look the states that the acts so far leave possible, and asks
for hypotheses whenever something new is to be seen. A cell is read only when its look has one meaning beyond
doubt; until then it is UNKNOWN. What was settled is taken back when the board cannot be any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from games.errors import InvalidFile
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
    Board,
    neighbours,
)
from games.minesweeper.moves import Move
from vision.frame import Frame
from vision.lattice import Lattice
from vision.learning import learn_tiles
from vision.looks import Gallery, Ids
from vision.meanings import Interpreter, beliefs
from vision.reader import Matcher, Reading
from vision.redrawing import redrawn
from vision.roles import SAME_MIDDLE
from vision.scene import Hypothesis, Judge, Scene
from vision.single import DRAWN_AGAIN, one_look
from vision.skin import Skin, Tile
from vision.traits import Traits

SURE = 0.999  # probability at which a meaning is acted on
PROVEN = 3  # looks after which what was settled is believed rather than a picture that contradicts it
READABLE = STATES.replace(SAFE, "").replace(UNKNOWN, "")


@dataclass(frozen=True)
class _Act:
    """The moves that were made last, on which looks, and what was known then."""

    moves: tuple[Move, ...]
    certain: bool
    before: Ids
    settled: dict[int, str]
    allowed: dict[int, str]


class Apprentice:
    """Reads frame after frame of one board, with no skin or with one that lacks something.

    `mines` is the mine total when it is known. Tell it of every act with `acted`.
    """

    def __init__(
        self, lattice: Lattice, judge: Judge, skin: Skin | None = None, mines: int | None = None
    ) -> None:
        self.lattice = lattice
        self.skin = skin
        self.hypotheses: list[Hypothesis] = []
        self._judge = judge
        self._mines = mines
        self._gallery = Gallery()
        self._traits: list[Traits] = []
        self._interpreter = Interpreter(self._traits, judge)
        self._around = neighbours(lattice.rows, lattice.columns)
        self._taught: dict[int, str] = {}  # look -> state, from the skin
        self._settled: dict[int, str] = {}  # look -> state, worked out
        self._allowed: dict[int, str] = {}  # look -> states that acts leave possible
        self._sure: dict[int, float] = {}
        self._ids: Ids | None = None
        self._interpreted: Ids | None = None
        self._act: _Act | None = None
        self._held = 0  # looks at which what was settled made a board that can be
        self._covered = 0  # cells (a set) that show what cannot be, as under a message
        self._risked: set[int] = set()  # cells that were opened at a risk in this game

    # --- looking ---------------------------------------------------------------------------------------

    def read(self, frame: Frame) -> Reading:
        """Read every cell. Raises Unplayable when the board reaches beyond the frame."""
        ids = self._gallery.group(frame, self.lattice)
        self._meet()
        if self._act is not None:
            # what an earlier look at the same act taught may have been an animation
            self._settled, self._allowed = dict(self._act.settled), dict(self._act.allowed)
            self._interpreted = None
            self._learn_from(self._act, ids)
        elif self._ids is None:
            self._allowed |= {
                look: state for look, state in one_look(ids, self._traits).items() if look not in self._taught
            }
        self._ids = ids
        self._interpret(ids)
        return self._reading(ids)

    def update(self, reading: Reading, before: Frame, now: Frame) -> Reading:
        """Read again after a change; `reading` itself when nothing changed and nothing was learned."""
        is_same = before.pixels.shape == now.pixels.shape and np.array_equal(before.pixels, now.pixels)
        if is_same and self._interpreted is not None:
            return reading
        return self.read(now)

    def acted(self, moves: Sequence[Move], certain: bool) -> None:
        """These moves were made on the board that was read last; `certain`: none of them can hit a mine."""
        if self._ids is None:
            return
        self._act = _Act(tuple(moves), certain, self._ids, dict(self._settled), dict(self._allowed))
        if not certain:
            self._risked |= {move.cell for move in moves if move.kind == "open"}

    def stuck(self) -> bool:
        """The program takes no more acts; whether that is explained by a mine that was hit.

        So it is when a cell was opened at a risk, and what it shows since is no known number.
        """
        if self._ids is None:
            return False
        hit = cell_set(k for k in self._risked if self.states.get(int(self._ids[k]), UNKNOWN) == UNKNOWN)
        if not hit:
            return False
        self._narrow_hit(self._ids, hit)
        if self._act is not None:
            self._act = replace(self._act, settled=dict(self._settled), allowed=dict(self._allowed))
        self._interpreted = None
        return True

    def boards(self, most: int) -> list[tuple[Board, float]]:
        """What the last look may have shown, and how likely that is, the likeliest first; at most so many."""
        if self._ids is None:
            return []
        scene = Scene(self.lattice.rows, self.lattice.columns, self._ids)
        return [(scene.board(each.states, self._mines), each.weight) for each in self.hypotheses[:most]]

    # --- what it knows ---------------------------------------------------------------------------------

    @property
    def states(self) -> dict[int, str]:
        """The state of every look that is known."""
        return self._settled | self._taught

    def learned(self, name: str, program: str | None = None) -> Skin | None:
        """All that it knows as a skin; None while that is nothing, or nothing beside the skin it had."""
        tiles = [
            Tile(state, picture)
            for look, state in sorted(self._settled.items())
            for picture in self._gallery.looks[look].pictures
        ]
        if not tiles:
            return None
        try:
            skin = learn_tiles(name, tiles, self.skin)
        except InvalidFile:  # what the skin says is no longer so: the theme changed
            skin = learn_tiles(name, tiles)
        known = dict(self.skin.evidence) if self.skin is not None else {}
        evidence = self._evidence() | {state: what for state, what in known.items() if state in skin.states}
        told = tuple((state, evidence[state]) for state in skin.states if state in evidence)
        return replace(skin, program=program, evidence=told)

    def _evidence(self) -> dict[str, str]:
        """For each state that was worked out what showed it, in words."""
        found = {}
        for look, state in sorted(self._settled.items()):
            acts = self._allowed.get(look, READABLE)
            sure = f"{100 * self._sure.get(look, 1.0):.2f} %"
            if acts == state:
                found[state] = "an act showed it"
            elif len(acts) < len(READABLE):
                found[state] = f"acts left {acts}; counts, shape and ground: {sure}"
            else:
                found[state] = f"counts, shape and ground: {sure}"
        return found

    # --- working it out --------------------------------------------------------------------------------

    def _meet(self) -> None:
        """Make ready for looks that were not met before."""
        for look in range(len(self._traits), len(self._gallery)):
            picture = self._gallery.looks[look].picture
            self._traits.append(Traits(picture))
            if self.skin is not None:
                height, width = picture.shape[:2]
                state, _ = Matcher(self.skin, height, width).match(picture[None])[0]
                if state != UNKNOWN:
                    self._taught[look] = state

    def _interpret(self, ids: Ids) -> None:
        """Settle what can be settled, if anything is new."""
        scene = Scene(self.lattice.rows, self.lattice.columns, ids)
        if self._interpreted is not None and np.array_equal(ids, self._interpreted):
            return
        self._interpreted = ids.copy()
        self._covered = 0
        known = self.states
        if all(look in known for look in scene.present):
            board = scene.board(known, self._mines)
            if board.shown_mines or self._judge.weigh(board) is not None:
                self._held += 1
                self.hypotheses = [Hypothesis({look: known[look] for look in scene.present}, 1.0)]
                return
            self.hypotheses = []
        else:
            self.hypotheses = self._hypotheses(scene, known)
        if not self.hypotheses and known:
            if self._held >= PROVEN and self._act is not None:
                # what has held so often is right: something lies over the cells that changed
                self._settled, self._allowed = dict(self._act.settled), dict(self._act.allowed)
                drawn = [look for look, state in self.states.items() if state in DIGITS[1:] + FLAG]
                over = (ids != self._act.before) & ~np.isin(ids, drawn)  # nothing else draws these
                self._covered = cell_set(int(k) for k in np.flatnonzero(over))
                return
            self._settled = {}
            self.hypotheses = self._hypotheses(scene, self._taught)
        for look, (state, sure) in beliefs(self.hypotheses).items():
            self._sure[look] = sure
            if sure >= SURE and look not in self._taught:
                self._settled[look] = state

    def _hypotheses(self, scene: Scene, known: dict[int, str]) -> list[Hypothesis]:
        allowed = {look: known.get(look, self._allowed.get(look, READABLE)) for look in scene.present}
        return self._interpreter.interpret(scene, allowed, self._mines)

    def _reading(self, ids: Ids) -> Reading:
        rows, columns = self.lattice.rows, self.lattice.columns
        known = self.states
        board = Scene(rows, columns, ids).board(known)
        board = board.showing(dict.fromkeys(bits(self._covered), UNKNOWN))
        sure = [
            self._sure.get(int(i), 1.0) if state != UNKNOWN else 0.0
            for i, state in zip(ids, board.cells, strict=True)
        ]
        return Reading(board, np.array(sure, np.float32).reshape(rows, columns), board.unread)

    # --- what acts teach -------------------------------------------------------------------------------

    def _learn_from(self, act: _Act, after: Ids) -> None:
        """Narrow down what looks can mean, from what the act changed."""
        before = act.before
        changed = cell_set(int(k) for k in np.flatnonzero(before != after))
        if not changed:
            return
        redrawing = redrawn(before, after, self.states, self._is_alike, self._is_digit)
        if redrawing is not None:
            for look, states in redrawing.items():
                if states == UNKNOWN:
                    self._allowed.setdefault(look, UNKNOWN)
                else:
                    self._narrow_look(look, states)
            self._narrow(after, self._opened(act.moves) & changed, DIGITS + MINE + EXPLODED)
            self._learn_from_redrawn_end(act, after)
            return
        marked = cell_set(move.cell for move in act.moves if move.kind in ("flag", "unflag"))
        for move in act.moves:
            if changed >> move.cell & 1:
                self._learn_from_mark(move, before, after)
        opened = self._opened(act.moves) & changed & ~marked
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
        zero_is_open = act.certain and opened.bit_count() == 1 and reached.bit_count() > 1
        self._narrow(
            after, opened, "0" if zero_is_open else DIGITS + ("" if act.certain else MINE + EXPLODED)
        )

    def _opened(self, moves: Sequence[Move]) -> int:
        """The cells that these moves open by themselves."""
        opened = cell_set(move.cell for move in moves if move.kind == "open")
        for move in moves:
            if move.kind == "chord":
                opened |= self._around[move.cell]
        return opened

    def _reached(self, opened: int, changed: int, after: Ids) -> int:
        """The changed cells that opening these explains: themselves, and what opens around a zero."""
        known = self.states
        reached = edge = opened & changed
        while edge:
            beside = 0
            for k in bits(edge):
                if known.get(int(after[k]), "0") == "0":  # a new look may be a zero on another shade
                    beside |= self._around[k]
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
            is_lit = self._traits[look_after].is_plain  # by the pointer; the flag is yet to be drawn
            self._narrow(after, 1 << move.cell, FLAG + HIDDEN + QUESTION if is_lit else FLAG)
        elif move.kind == "unflag":
            self._narrow(after, 1 << move.cell, HIDDEN + QUESTION)

    def _learn_from_end(self, act: _Act, opened: int, strays: int, after: Ids, hit: bool) -> None:
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
        self._narrow_hit(after, opened)
        self._narrow(after, new & was_flag, WRONG_FLAG + MINE)
        self._narrow(after, mines, MINE)
        self._give_up(after, new & ~was_flag & ~mines)

    def _give_up(self, ids: Ids, cells: int) -> None:
        """The looks of these cells mean nothing, but for those of which something is known: a message."""
        for look in {int(ids[k]) for k in bits(cells)}:
            self._allowed.setdefault(look, UNKNOWN)

    def _is_alike(self, one: int, other: int) -> bool:
        """Whether two looks differ at their rims at most."""
        return self._traits[other].middle_of(self._traits[one], DRAWN_AGAIN) > SAME_MIDDLE

    def _is_digit(self, look: int, digit: str) -> bool:
        """Whether the shape in a look speaks for this number: for nothing in it, if that is 0."""
        traits = self._traits[look]
        return traits.is_plain if digit == "0" else traits.digit(digit) == 0.0 and not traits.is_plain

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
        drawn = [k for k in bits(cells) if not self._traits[int(ids[k])].is_plain]
        found = 0
        for look in {int(ids[k]) for k in drawn}:
            kin = [k for k in drawn if ids[k] == look or self._is_alike(look, int(ids[k]))]
            if len(kin) > 1 and not self._is_line(kin):
                found |= cell_set(k for k in kin if ids[k] == look)
        return found

    def _is_line(self, cells: Sequence[int]) -> bool:
        """Whether these cells, in rising order, are a part of a row or of a column without a gap."""
        steps = {after - before for before, after in pairwise(cells)}
        return steps in ({1}, {self.lattice.columns})

    def _learn_from_redrawn_end(self, act: _Act, after: Ids) -> None:
        """The whole board was drawn anew: if drawings came up on some of the hidden cells, those are mines.

        Only after a risk, only where other cells stay hidden, and only if all of them can be mines.
        """
        opened = self._opened(act.moves)
        hidden = [look for look, state in self.states.items() if state == HIDDEN]
        closed = cell_set(int(k) for k in np.flatnonzero(np.isin(act.before, hidden))) & ~opened
        drawn = cell_set(k for k in bits(closed) if not self._traits[int(after[k])].is_plain)
        if act.certain or not drawn or drawn == closed:
            return
        shown = {look: states for look, states in self._allowed.items() if len(states) == 1}
        board = Scene(self.lattice.rows, self.lattice.columns, after).board(shown | self.states, self._mines)
        cells = dict.fromkeys(bits(board.unread), HIDDEN) | dict.fromkeys(bits(drawn), MINE)
        if self._judge.weigh(board.showing(cells)) is not None:
            self._narrow_hit(after, opened)
            self._narrow(after, drawn, MINE)

    def _narrow_hit(self, ids: Ids, cells: int) -> None:
        """These cells show the mine that was hit."""
        for k in bits(cells):
            is_alone = int((ids == ids[k]).sum()) == 1
            self._narrow(ids, 1 << k, EXPLODED if is_alone else MINE)

    def _narrow(self, ids: Ids, cells: int, states: str) -> None:
        """The looks of these cells can only be one of these states."""
        for look in {int(ids[k]) for k in bits(cells)}:
            self._narrow_look(look, states)

    def _narrow_look(self, look: int, states: str) -> None:
        left = "".join(s for s in self._allowed.get(look, READABLE) if s in states)
        if left:  # acts that contradict each other teach nothing
            self._allowed[look] = left
            if self._settled.get(look, left) not in left:
                del self._settled[look]
