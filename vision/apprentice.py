"""Reads a board whose look nobody taught it, and learns the look from what was done to the board.

It groups the cells into looks, keeps for each look the states that the acts so far leave possible, and asks
for hypotheses whenever something new is to be seen. A cell is read only when its look has one meaning beyond
doubt; until then it is UNKNOWN. What was settled is taken back when the board cannot be any more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from games.errors import InvalidFile
from games.logic.bits import bits, cell_set
from games.minesweeper.board import DIGITS, EXPLODED, FLAG, UNKNOWN, neighbours
from games.minesweeper.moves import Move
from vision.frame import Frame
from vision.lattice import Lattice
from vision.learning import learn_tiles
from vision.lessons import READABLE, Act, Lessons
from vision.looks import Gallery, Ids
from vision.meanings import Interpreter, beliefs
from vision.passing import Passing, doubtful
from vision.reader import Matcher
from vision.reading import Alternative, Judge, Reading
from vision.scene import Hypothesis, Scene
from vision.single import one_look
from vision.skin import Skin, Tile
from vision.traits import Traits

SURE = 0.999  # probability at which a meaning is acted on
MOST_MEANINGS = 12  # hypotheses that are told as alternatives
PROVEN = 3  # looks after which what was settled is believed rather than a picture that contradicts it


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
        self._passing = Passing(self._traits)
        self._shown = [(tile.state, Traits(tile.pixels)) for tile in (skin.tiles if skin else ())]
        self._around = neighbours(lattice.rows, lattice.columns)
        self._taught: dict[int, str] = {}  # look -> state, from the skin
        self._settled: dict[int, str] = {}  # look -> state, worked out
        self._allowed: dict[int, str] = {}  # look -> states that acts leave possible
        self._sure: dict[int, float] = {}
        self._frame: Frame | None = None  # the picture that was read last, and what it showed
        self._last: Reading | None = None
        self._ids: Ids | None = None
        self._interpreted: Ids | None = None
        self._act: Act | None = None
        self._start: frozenset[int] = frozenset()  # looks of the first picture of the game
        self._looks = 0  # since the last act
        self._held = 0  # looks at which what was settled made a board that can be
        self._covered = 0  # cells (a set) that show what cannot be, as under a message
        self._risked: set[int] = set()  # cells that were opened at a risk in this game

    # --- looking ---------------------------------------------------------------------------------------

    def observe(self, frame: Frame) -> Reading:
        """What the next picture shows; it is read again where something changed or was learned."""
        before, self._frame = self._frame, frame
        is_same = before is not None and np.array_equal(before.pixels, frame.pixels)
        if self._last is None or not is_same or self._interpreted is None:
            self._last = self.read(frame)
        return self._last

    def read(self, frame: Frame) -> Reading:
        """Read every cell. Raises Unplayable when the board reaches beyond the frame."""
        ids = self._gallery.group(frame, self.lattice)
        self._meet()
        self._looks += 1
        if self._act is not None:
            # what an earlier look at the same act taught may have been an animation
            self._settled, self._allowed = dict(self._act.settled), dict(self._act.allowed)
            self._interpreted = None
            self._lessons().learn_from(self._act, ids)
        elif self._ids is None:
            self._start = frozenset(int(look) for look in ids)
            self._allowed |= {
                look: state for look, state in one_look(ids, self._traits).items() if look not in self._taught
            }
        earlier, self._ids = self._ids, ids
        self._interpret(ids)
        if self._act is not None and earlier is not None and earlier is not self._act.before:
            self._learn_from_passing(self._act, earlier, ids)
        return self._reading(ids)

    def move(self, lattice: Lattice) -> None:
        """From now on the same cells lie here; the next frame is read whole."""
        self.lattice, self._last = lattice, None

    def acted(self, moves: Sequence[Move], certain: bool) -> None:
        """These moves were made on the board that was read last; `certain`: none of them can hit a mine."""
        if self._ids is None:
            return
        self._looks = 0
        self._act = Act(tuple(moves), certain, self._ids, dict(self._settled), dict(self._allowed))
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
        self._lessons().narrow_hit(self._ids, hit)
        if self._act is not None:
            self._act = replace(self._act, settled=dict(self._settled), allowed=dict(self._allowed))
        self._interpreted = None
        return True

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

    def _lessons(self) -> Lessons:
        return Lessons(
            self.lattice.rows, self.lattice.columns, self._mines, self._around, self._judge,
            self._traits, self._taught, self._settled, self._allowed, self._shown,
        )  # fmt: skip

    def _learn_from_passing(self, act: Act, earlier: Ids, now: Ids) -> None:
        """Settle what looks were that have passed since this act."""
        self._keep(self._passing.learn_from(self._lessons(), act, earlier, now))

    def _keep(self, found: Mapping[int, str]) -> None:
        """Settle these looks for good: no later look at the same act takes it back."""
        if found and self._act is not None:
            act = self._act
            self._settled |= found
            self._allowed |= found
            self._act = replace(act, settled={**act.settled, **found}, allowed={**act.allowed, **found})

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
        self._settled |= self._kin(scene)
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
                self._keep(self._kin(scene))
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

    def _kin(self, scene: Scene) -> dict[int, str]:
        """Looks that are known ones but for the rim; the mine that was hit only where there was a risk."""
        kin = self._lessons().kin(scene.present)
        return {
            look: state
            for look, state in kin.items()
            if state != EXPLODED or self._risked.issuperset(scene.cells[look])
        }

    def _hypotheses(self, scene: Scene, known: dict[int, str]) -> list[Hypothesis]:
        allowed = {look: known.get(look, self._allowed.get(look, READABLE)) for look in scene.present}
        before = self._act.allowed if self._act is not None else {}
        opened = {look for look in scene.present if set(before.get(look, READABLE)) <= set(DIGITS)}
        return self._interpreter.interpret(scene, allowed, self._mines, opened)  # it outlived an act

    def _reading(self, ids: Ids) -> Reading:
        rows, columns = self.lattice.rows, self.lattice.columns
        known = self.states
        scene = Scene(rows, columns, ids)
        board = scene.board(known)
        board = board.showing(dict.fromkeys(bits(self._covered), UNKNOWN))
        if self._act is not None:
            board = board.showing(doubtful(board, ids, self._start, known, self._act, self._looks))
        sure = [
            self._sure.get(int(i), 1.0) if state != UNKNOWN else 0.0
            for i, state in zip(ids, board.cells, strict=True)
        ]
        confidence = np.array(sure, np.float32).reshape(rows, columns)
        likely = self.hypotheses[:MOST_MEANINGS] if len(self.hypotheses) > 1 else []
        meant = tuple(Alternative(scene.board(each.states, self._mines), each.weight) for each in likely)
        return Reading(board, confidence, board.unread, meant, bool(board.shown_mines))
