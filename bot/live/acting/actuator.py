"""Moves become clicks: on the verified board only, and never against the person at the mouse."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from bot.desktop import Box, Hands, Target
from bot.live.acting.touching import Feel
from bot.programs import ChordWay
from games.errors import Unplayable, Usage
from games.minesweeper import Move
from vision.frame import Frame
from vision.lattice import Lattice

PRESSES = 3  # times that a press is asked for whose place is not the board's, and nothing says why


class PressGuard(Protocol):
    """Somebody who knows what a press is for."""

    @property
    def target(self) -> Target | None:
        """What must be under the pointer; None where the desktop cannot be asked that quickly."""

    def check(self) -> None:
        """Return when the board may be clicked on. Raises Unplayable, ProgramGone."""


class NoGuard:
    """Nothing is known of windows."""

    target: Target | None = None

    def check(self) -> None:
        """Nothing to say."""


class Actuator:
    """Acts on one board.

    `aim` says where the board is: a lattice in the pixels of a frame, the frame's place on the screen and
    its scale. It clicks the middles of that lattice's cells and nothing else. `chord` is how the program
    opens around a satisfied number, `question_marks` says that a second right click makes a question mark and
    a third one takes it off, `interval` is the least time between two acts in seconds. `guard` is asked
    before every press, behind that interval. `feel` is how the program wants to be pressed. `made` counts the
    moves of the last `act` that were made.
    """

    def __init__(
        self,
        hands: Hands,
        chord: ChordWay = "none",
        question_marks: bool = False,
        interval: float = 0.0,
        guard: PressGuard | None = None,
        feel: Feel | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.clicks = self.made = 0
        self._feel = feel or Feel()
        self._hands = hands
        self._chord = chord
        self._question_marks = question_marks
        self._interval = interval
        self._guard = guard or NoGuard()
        self._clock = clock
        self._next_act = 0.0
        self._lattice: Lattice | None = None
        self._frame: Frame | None = None

    def aim(self, frame: Frame, lattice: Lattice) -> None:
        """From now on act on this board. Of the frame only place and scale are used."""
        self._lattice = lattice
        self._frame = frame

    def act(self, moves: Sequence[Move], before: Callable[[], object] = lambda: None) -> None:
        """Do the moves in order; `before` is asked before each, behind the interval.

        Raises Interrupted, what the guard and `before` raise, and Usage for a chord where the program has
        none. The move that raised was not made.
        """
        self.made = 0
        clicks = self.clicks
        try:
            for move in moves:
                self._wait()
                before()
                self._make(move)
                self.made += 1
        finally:
            self._feel.made(self.clicks - clicks)

    @property
    def wants_look(self) -> bool:
        """Whether to see that what was made shows, before the next move is made."""
        return self._feel.wants_look(self.made)

    @property
    def is_tried(self) -> bool:
        """Whether a few presses have shown."""
        return self._feel.is_tried

    def lost(self, moves: int) -> None:
        """So many moves of the last `act` did not show: the next one makes them again."""
        self._feel.lost(moves)

    def _make(self, move: Move) -> None:
        match move.kind:
            case "open":
                self.open(move.cell)
            case "flag":
                self.flag(move.cell)
            case "unflag":
                self.unflag(move.cell)
            case "chord":
                self.chord(move.cell)

    def open(self, cell: int) -> None:
        """Left click."""
        self._click(cell, "left")

    def flag(self, cell: int) -> None:
        """Right click on a hidden cell."""
        self._click(cell, "right")

    def unflag(self, cell: int) -> None:
        """Right click on a flag, twice where the first makes a question mark."""
        self._click(cell, "right")
        if self._question_marks:
            self._wait()
            self._click(cell, "right")

    def chord(self, cell: int) -> None:
        """Open all around a satisfied number. Raises Usage where the program cannot."""
        if self._chord == "none":
            raise Usage("this program has no chord: name its way of chording in its program file")
        self._click(cell, self._chord)

    def place(self, cell: int) -> tuple[float, float]:
        """The middle of a cell on the screen, points. Raises ValueError for a cell outside the lattice."""
        if self._lattice is None or self._frame is None:
            raise RuntimeError("aim first: no board has been verified")
        if not 0 <= cell < self._lattice.rows * self._lattice.columns:
            raise ValueError(f"cell {cell} is not on the {self._lattice.size} board")
        x, y = self._lattice.centre(cell)
        return self._frame.point(x + 0.5, y + 0.5)

    def park(self, window: Box | None = None) -> None:
        """Move the pointer off the board, to where it changes no picture and presses nothing.

        `window` is the board's window in points, None when not known. Never a corner of the screen: that is
        the fail-safe.
        """
        if self._lattice is None or self._frame is None:
            raise RuntimeError("aim first: no board has been verified")
        left, top, width, height = self._lattice.box
        x0, y0 = self._frame.point(left, top)
        x1, y1 = self._frame.point(left + width, top + height)
        self._hands.move(*parking((x0, y0, x1, y1), self._hands.screen, window))

    def _click(self, cell: int, way: ChordWay) -> None:
        x, y = self.place(cell)
        for _ in range(PRESSES):
            target = self._guard.target
            if target is None:
                self._guard.check()
            if self._press(x, y, way, target):
                self.clicks += 1
                return
            self._guard.check()  # it says why, and returns when that has passed
        raise Unplayable("something lies over the board that cannot be named: take it away and start again")

    def _press(self, x: float, y: float, way: ChordWay, target: Target | None) -> bool:
        if way == "both":
            return self._hands.click_both(x, y, target, self._feel.touch)
        assert way != "none"
        return self._hands.click(x, y, way, target, self._feel.touch)

    def _wait(self) -> None:
        now = self._clock()
        if now < self._next_act:
            self._hands.wait(self._next_act - now)
            now = self._clock()
        self._next_act = now + self._interval


def parking(
    board: tuple[float, float, float, float], screen: tuple[int, int], window: Box | None
) -> tuple[float, float]:
    """A place for the pointer near a board (left, top, right, bottom), all in points.

    Just outside the window, where it can touch nothing of the program; where the window fills the screen, the
    rim of the window below, right of, left of or above the board. On every way at least two points away from
    the edges of the screen.
    """
    left, top, right, bottom = board
    if window is not None:
        outer = (window[0], window[1], window[0] + window[2], window[1] + window[3])
    else:
        outer = (int(left), int(top), int(right), int(bottom))
    rooms: list[tuple[float, tuple[float, float]]] = []
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    for edge, limit in ((outer, 12.0), ((left, top, right, bottom), 3.0)):
        rooms = [
            (screen[1] - edge[3], (middle_x, edge[3] + min(limit, (screen[1] - edge[3]) / 2))),
            (screen[0] - edge[2], (edge[2] + min(limit, (screen[0] - edge[2]) / 2), middle_y)),
            (edge[0], (edge[0] - min(limit, edge[0] / 2), middle_y)),
            (edge[1], (middle_x, edge[1] - min(limit, edge[1] / 2))),
        ]
        for room, place in rooms:
            if room >= 2 * 3:
                return place
    return max(rooms)[1]
