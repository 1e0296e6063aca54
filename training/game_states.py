"""Random game states as programs show them: fresh, in play, won and lost.

The rules of the game produce the states. The shares below are assumptions about programs and players.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

STAGES = {"fresh": 0.05, "first": 0.15, "play": 0.4, "won": 0.12, "lost": 0.28}
# cells that an empty cell opens: all neighbours; orthogonal neighbours; all neighbours, with random stops;
# none
CASCADES = {"all": 0.9, "orthogonal": 0.04, "cut": 0.03, "none": 0.03}
# mines shown after a loss: the exploded mine; all; all without a mark on the exploded one; an open board
LOST = {"hit": 0.15, "mines": 0.5, "alike": 0.2, "open": 0.15}
WON = {"nothing": 0.4, "flags": 0.35, "mines": 0.25}
# share of crowded games, and their largest mine density; the density grows to one side
CROWDED, DENSEST = 0.15, (0.4, 0.8)
MARKED = 0.3  # share of crowded games with many flags and question marks
CUT = 0.15  # share of empty cells at which a "cut" cascade stops
# share of games with flags, question marks, random flags, wrong flags
FLAGGING, ASKING, ASTRAY, WRONG = 0.5, 0.08, 0.05, 0.07
MOVING = 0.02  # share of pictures taken during a cascade
STAYING, CROSSED = 0.7, 0.7  # share of programs that keep flags after a loss, and that cross out wrong flags

Grid = NDArray[np.bool_]
AROUND = tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c)
BESIDE = ((-1, 0), (1, 0), (0, -1), (0, 1))
TABLES: Mapping[str, tuple[tuple[int, int], ...]] = MappingProxyType(
    {"all": AROUND, "orthogonal": BESIDE, "cut": AROUND, "none": ()}
)


def random_state(rng: np.random.Generator, stages: Mapping[str, float] = STAGES) -> list[str]:
    """A random board, one letter of CLASSES per cell, as rows."""
    rows, columns = int(rng.integers(6, 17)), int(rng.integers(6, 31))
    stage = _drawn(rng, stages)
    game = _RandomGame(rng, rows, columns, _drawn(rng, CASCADES))
    if stage == "fresh":
        return game.text()
    game.click(*game.first())
    if stage == "first":
        return game.text()
    part = 1.0 if stage == "won" else float(rng.uniform(0.03, 1.0))
    game.play(part)
    if rng.random() < FLAGGING:
        game.flag(float(rng.uniform(0.2, 1.0)))
    if rng.random() < ASKING:
        game.mark("?", game.hidden(), int(rng.integers(1, 5)))
    game.crowd()
    if stage == "won":
        game.win(_drawn(rng, WON))
    elif stage == "lost":
        game.lose(_drawn(rng, LOST))
    elif rng.random() < MOVING:
        game.half_open()
    return game.text()


def _ramp(rng: np.random.Generator, rows: int, columns: int) -> NDArray[np.float64]:
    """Mine probability of each cell of a crowded board."""
    turn = float(rng.uniform(0, 2 * np.pi))
    r, c = np.mgrid[0:rows, 0:columns]
    along = np.cos(turn) * (r / rows - 0.5) + np.sin(turn) * (c / columns - 0.5)
    part = (along - along.min()) / (along.max() - along.min())
    return np.asarray(float(rng.uniform(*DENSEST)) * np.clip(2 * part - 1, 0.02, 1.0))


def _drawn(rng: np.random.Generator, shares: Mapping[str, float]) -> str:
    return str(rng.choice(list(shares), p=np.array(list(shares.values()))))


class _RandomGame:
    """One game: mines and visible states."""

    def __init__(self, rng: np.random.Generator, rows: int, columns: int, cascade: str) -> None:
        self._rng, self._cascade = rng, cascade
        self._mines = np.zeros((rows, columns), np.bool_)
        self._crowded = bool(rng.random() < CROWDED)
        if self._crowded:
            self._mines[:] = rng.random((rows, columns)) < _ramp(rng, rows, columns)
            self._mines[rows // 2, columns // 2], self._mines[0, 0] = False, True
        else:
            count = max(2, int(rows * columns * rng.uniform(0.08, 0.22)))
            self._mines.ravel()[rng.choice(rows * columns, count, replace=False)] = True
        mines = self._mines.astype(np.uint8)
        self._numbers = cv2.filter2D(mines, -1, np.ones((3, 3)), borderType=cv2.BORDER_CONSTANT)
        self._shown = np.full((rows, columns), ".")

    def text(self) -> list[str]:
        return ["".join(row) for row in self._shown.tolist()]

    def hidden(self) -> Grid:
        return np.asarray(self._shown == ".")

    def first(self) -> tuple[int, int]:
        """The first cell; usually an empty one."""
        empty = (self._numbers == 0) & ~self._mines
        return self._any(empty if empty.any() and self._rng.random() < 0.8 else ~self._mines)

    def click(self, row: int, column: int) -> None:
        """Open a safe cell and its cascade."""
        waiting = [(row, column)]
        while waiting:
            r, c = waiting.pop()
            if self._shown[r, c] != "." or self._mines[r, c]:
                continue
            self._shown[r, c] = str(self._numbers[r, c])
            if self._numbers[r, c] or (self._cascade == "cut" and self._rng.random() < CUT):
                continue
            waiting += [
                (r + y, c + x)
                for y, x in TABLES[self._cascade]
                if 0 <= r + y < self._shown.shape[0] and 0 <= c + x < self._shown.shape[1]
            ]

    def play(self, part: float) -> None:
        """Open cells, usually next to open ones, until this part of the safe cells is open."""
        goal = part * float((~self._mines).sum())
        while True:
            left = self.hidden() & ~self._mines
            if not left.any() or float((self._shown != ".").sum()) >= goal:
                return
            near = left & self._beside_open()
            self.click(*self._any(near if near.any() and self._rng.random() < 0.85 else left))

    def flag(self, part: float) -> None:
        """Flag a part of the mines next to open cells, and rarely other cells."""
        beside = self._beside_open()
        for r, c in np.argwhere(self._mines & self.hidden() & beside):
            if self._rng.random() < part:
                self._shown[r, c] = "F"
        if self._rng.random() < ASTRAY:
            self.mark("F", self.hidden() & ~beside, int(self._rng.integers(1, 4)))
        if self._rng.random() < WRONG:
            self.mark("F", self.hidden() & ~self._mines & beside, int(self._rng.integers(1, 4)))

    def crowd(self) -> None:
        """In some crowded games, mark two thirds of the hidden mines with flags and question marks."""
        if self._crowded and self._rng.random() < MARKED:
            for state in "F?":
                mines = self.hidden() & self._mines
                self.mark(state, mines, int(mines.sum()) // 3)

    def mark(self, state: str, where: Grid, count: int) -> None:
        """Put a mark on up to `count` of these cells."""
        places = np.argwhere(where)
        for r, c in self._rng.permutation(places)[:count]:
            self._shown[r, c] = state

    def win(self, style: str) -> None:
        """Show a won game as a program does."""
        if style != "nothing":
            self._shown[self._mines] = "F" if style == "flags" else "*"

    def lose(self, style: str) -> None:
        """Open a mine and show the lost game as a program does."""
        hidden, flags = self.hidden() & self._mines, self._shown == "F"
        if not hidden.any():
            return
        hit = self._any(hidden)
        covered = (self._shown == ".") | (self._shown == "?")
        if style == "open":
            self._shown[covered & ~self._mines] = self._numbers[covered & ~self._mines].astype(str)
        if style != "hit":
            self._shown[covered & self._mines] = "*"
            if self._rng.random() >= STAYING:
                self._shown[flags & self._mines] = "*"
            if self._rng.random() < CROSSED:
                self._shown[flags & ~self._mines] = "x"
        self._shown[hit] = "*" if style == "alike" else "!"
        if style != "alike" and self._rng.random() < 0.04:  # a chord opens two mines
            self.mark("!", self._shown == "*", 1)

    def half_open(self) -> None:
        """Cover some open cells, as during a cascade."""
        shown = np.isin(self._shown, list("012345678"))
        self._shown[shown & (self._rng.random(shown.shape) < self._rng.uniform(0.05, 0.5))] = "."

    def _any(self, where: Grid) -> tuple[int, int]:
        places = np.argwhere(where)
        r, c = places[int(self._rng.integers(len(places)))]
        return int(r), int(c)

    def _beside_open(self) -> Grid:
        """The cells that are not hidden, and their neighbours."""
        return cv2.dilate((self._shown != ".").astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
