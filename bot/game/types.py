"""Protocols and values of the game loop.

A screen with a mouse, the simulator and a replayed recording each implement `GameTable`, so all three run the
same loop.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, Protocol

from games.minesweeper import Board, FirstClick, Guess, Move
from vision.reading import Reading

FlagPolicy = Literal["none", "needed", "all"]
WinNeeds = Literal["open", "flags", "unknown"]
ClickedNumber = Literal["harmless", "unknown"]
Result = Literal["won", "lost", "stopped"]
Certainty = Literal["seen", "inferred", "unknown"]
BoardState = Literal["there", "window", "message", "fresh", "gone", "closed"]


@dataclass(frozen=True, slots=True)
class GameRules:
    """What the player has to know about the game at hand.

    `mines` is the mine total, None when it is not known. `win_needs`: "open" when opening every safe cell
    wins, "flags" when every mine must be flagged as well, "unknown" for a program that nobody described.
    `can_chord` says whether a chord is possible; `flags` where flags are set at all; `variant` names the
    rules, as `games.minesweeper.variants` does. `clicked_number`: a plain click on an open number is
    "harmless" (it does nothing, or opens around it when its mines are flagged), or may open its neighbours
    whether or not they are mines.
    """

    mines: int | None = None
    first_click: FirstClick = "unknown"
    win_needs: WinNeeds = "unknown"
    can_chord: bool = False
    flags: FlagPolicy = "needed"
    variant: str = "plain"
    clicked_number: ClickedNumber = "harmless"


@dataclass(frozen=True, slots=True)
class CertainCell:
    """Why a cell is certain: the rule that showed it, the clues it follows from, and whose rule (`by`)."""

    cell: int
    is_mine: bool
    rule: str
    because: tuple[str, ...]
    by: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The moves of one sweep. Either all of them are certain, or there is one guess.

    `certain` gives a reason for each cell that reasoning has decided since the plan before; `moves` may leave
    some of them out (a mine needs no click). `wrong_flags` are flags (a set) that the clues refute.
    `guess_by` is the strategy that guessed.
    """

    moves: tuple[Move, ...]
    certain: Sequence[CertainCell] = ()
    guess: Guess | None = None
    wrong_flags: int = 0
    guess_by: str = ""


@dataclass(frozen=True, slots=True)
class BoardStatus:
    """Status of a board that was readable before an act and is not readable now.

    `state`: "there" (visible, or unknown), "window" (covered by another window of its program), "message"
    (covered inside its own window), "fresh" (replaced by a new board), "gone", or "closed" (its window is
    gone). `unchanged` is the cell set that is visible and looks as it did before the act. `last_reading` is
    the last reading since the act, or None.
    """

    state: BoardState = "there"
    unchanged: int = 0
    last_reading: Reading | None = None


class BoardProbe(Protocol):
    """Determines why a board is no longer readable."""

    def status(self, waits: bool) -> BoardStatus:
        """The status now; with `waits`, allow a few seconds for a temporary cover to disappear."""


class GameTable(Protocol):
    """Where a game lies: something to look at and to act on."""

    def look(self) -> Reading:
        """What the board shows, once it is still. Raises ReadAgain and Stop errors."""

    def act(self, moves: Sequence[Move], certain: bool) -> Sequence[Move] | None:
        """Carry out moves, in this order, and let whoever reads know. Raises Stop errors.

        `certain`: none of them can hit a mine, by what was read. The moves that were made, the first of
        these, where the next observation must show what became of the others; None for all. An error that
        breaks it off says which were `made`.
        """


class Clock(Protocol):
    """Seconds that pass."""

    def now(self) -> float:
        """Seconds since some fixed moment."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class SystemClock:
    """The machine's own clock."""

    def now(self) -> float:
        """Seconds since some fixed moment."""
        return time.perf_counter()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


class GameListener(Protocol):
    """Somebody who hears what happens in a game: a recording, a terminal."""

    def on_reading(self, reading: Reading) -> None:
        """An observation was accepted."""

    def on_plan(self, board: Board, plan: Plan) -> None:
        """These moves were decided on for that board."""

    def on_moves(self, board: Board, moves: Sequence[Move]) -> None:
        """These moves were carried out."""

    def on_note(self, text: str) -> None:
        """Something worth a line happened (a retry, a strategy switched off)."""


Share = Literal["capture", "read", "reason", "act", "wait"]


class Stopwatch:
    """Adds up seconds by kind of work."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock = clock or SystemClock()
        self.seconds: dict[Share, float] = {}
        self.restart()

    def restart(self) -> None:
        """Forget everything and begin again."""
        self._began = self.clock.now()
        self.seconds = dict.fromkeys(("capture", "read", "reason", "act", "wait"), 0.0)

    @property
    def total(self) -> float:
        """Seconds since the restart."""
        return self.clock.now() - self._began

    @contextmanager
    def timing(self, share: Share) -> Iterator[None]:
        """Add the time spent inside to one share."""
        began = self.clock.now()
        try:
            yield
        finally:
            self.seconds[share] += self.clock.now() - began
