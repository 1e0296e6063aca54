"""Reads a board whose look nobody taught it, and learns the look from what was done to the board.

It groups the cells into looks, keeps for each look the states that the acts so far leave possible, and asks
for hypotheses whenever something new is to be seen. A cell is read only when its look has one meaning beyond
doubt; until then it is UNKNOWN. What was settled is taken back when the board cannot be any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
    QUESTION,
    SAFE,
    STATES,
    UNKNOWN,
    WRONG_FLAG,
    neighbours,
)
from games.minesweeper.moves import Move
from vision.frame import Frame
from vision.lattice import Lattice
from vision.learning import learn_tiles
from vision.looks import Gallery, Ids
from vision.meanings import Hypothesis, Interpreter, Judge, Scene, beliefs
from vision.reader import Matcher, Reading
from vision.skin import Skin, Tile
from vision.traits import Traits

SURE = 0.999  # probability at which a meaning is acted on
READABLE = STATES.replace(SAFE, "").replace(UNKNOWN, "")


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
        self._taught: dict[int, str] = {}  # look -> state, from the skin
        self._settled: dict[int, str] = {}  # look -> state, worked out
        self._allowed: dict[int, str] = {}  # look -> states that acts leave possible
        self._sure: dict[int, float] = {}
        self._ids: Ids | None = None
        self._interpreted: Ids | None = None
        self._acts: tuple[Move, ...] = ()
        self._certain = True

    # --- looking ---------------------------------------------------------------------------------------

    def read(self, frame: Frame) -> Reading:
        """Read every cell. Raises Unplayable when the board reaches beyond the frame."""
        ids = self._gallery.group(frame, self.lattice)
        self._meet(ids)
        if self._ids is not None and self._acts:
            self._learn_from_acts(self._ids, ids)
        elif self._ids is None and len(set(ids.tolist())) == 1 and int(ids[0]) not in self._taught:
            self._allowed[int(ids[0])] = HIDDEN  # nothing else fills a whole board
        self._ids = ids
        self._interpret(ids)
        return self._reading(ids)

    def update(self, reading: Reading, before: Frame, now: Frame) -> Reading:
        """Read again after a change; `reading` itself when nothing changed and nothing was learned."""
        if before.pixels.shape == now.pixels.shape and np.array_equal(before.pixels, now.pixels):
            return reading
        return self.read(now)

    def acted(self, moves: Sequence[Move], certain: bool) -> None:
        """These moves were made on the board that was read last; `certain`: none of them can hit a mine."""
        self._acts, self._certain = tuple(moves), certain

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

    def _meet(self, ids: Ids) -> None:
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
        known = self.states
        if all(look in known for look in scene.present):
            board = scene.board(known, self._mines)
            if board.shown_mines or self._judge.weigh(board) is not None:
                self.hypotheses = [Hypothesis({look: known[look] for look in scene.present}, 1.0)]
                return
            self._settled = {}  # this cannot be: something was settled wrongly
        self.hypotheses = self._hypotheses(scene, self.states)
        if not self.hypotheses and self._settled:
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
        sure = [self._sure.get(int(i), 1.0) if int(i) in known else 0.0 for i in ids]
        return Reading(board, np.array(sure, np.float32).reshape(rows, columns), board.unread)

    # --- what acts teach -------------------------------------------------------------------------------

    def _learn_from_acts(self, before: Ids, after: Ids) -> None:
        """Narrow down what looks can mean, from what the acts changed."""
        changed = cell_set(int(k) for k in np.flatnonzero(before != after))
        if not changed:
            return
        acts, self._acts = self._acts, ()
        around = neighbours(self.lattice.rows, self.lattice.columns)
        marked = cell_set(move.cell for move in acts if move.kind in ("flag", "unflag"))
        opened = cell_set(move.cell for move in acts if move.kind == "open")
        for move in acts:
            if move.kind == "chord":
                opened |= around[move.cell]
        for move in acts:
            if changed >> move.cell & 1:
                self._learn_from_mark(move, before, after)
        met = {int(look) for look in before}
        grown = _areas(changed & ~marked, around)
        strays = sum(area for area in grown if not area & opened)
        if strays:
            self._learn_from_end(opened & changed, strays, before, after, met)
            return
        for area in grown:
            if area.bit_count() > 1 and self._certain and (area & opened).bit_count() == 1:
                self._narrow(after, area & opened, "0")
        hit = "" if self._certain else MINE + EXPLODED
        self._narrow(after, opened & changed, DIGITS + hit)

    def _learn_from_mark(self, move: Move, before: Ids, after: Ids) -> None:
        was = self.states.get(int(before[move.cell]), UNKNOWN)
        if move.kind == "flag" and was in CLOSED:
            self._narrow(after, 1 << move.cell, FLAG)
        elif move.kind == "unflag":
            self._narrow(after, 1 << move.cell, HIDDEN + QUESTION)

    def _learn_from_end(self, opened: int, strays: int, before: Ids, after: Ids, met: set[int]) -> None:
        """Cells changed that no opening reaches: the game is over, and the program shows what was where."""
        lost = not self._certain and not any(int(after[k]) in met for k in bits(opened))
        was_flag = cell_set(k for k in bits(strays) if self.states.get(int(before[k])) == FLAG)
        new = cell_set(k for k in bits(strays) if int(after[k]) not in met)
        if not lost:
            self._narrow(after, new, FLAG + MINE)
            return
        for k in bits(opened):
            only_here = int((after == after[k]).sum()) == 1
            self._narrow(after, 1 << k, EXPLODED if only_here else MINE)
        self._narrow(after, new & was_flag, WRONG_FLAG + MINE)
        self._narrow(after, new & ~was_flag, MINE)

    def _narrow(self, ids: Ids, cells: int, states: str) -> None:
        """The looks of these cells can only be one of these states."""
        for look in {int(ids[k]) for k in bits(cells)}:
            left = "".join(s for s in self._allowed.get(look, READABLE) if s in states)
            if left:  # acts that contradict each other teach nothing
                self._allowed[look] = left
                if self._settled.get(look, left) not in left:
                    del self._settled[look]


def _areas(cells: int, around: Sequence[int]) -> list[int]:
    """The connected parts of a set of cells."""
    found = []
    while cells:
        area = edge = cells & -cells
        while edge:
            reached = 0
            for k in bits(edge):
                reached |= around[k]
            edge = reached & cells & ~area
            area |= edge
        found.append(area)
        cells &= ~area
    return found


def read_unknown(frame: Frame, lattice: Lattice, judge: Judge, skin: Skin | None = None) -> Reading:
    """Work one picture out with no skin that fits: what logic and shapes allow, the rest UNKNOWN."""
    return Apprentice(lattice, judge, skin).read(frame)
