"""Protocols and values of the game loop.

A screen with a mouse, the simulator and a replayed recording each implement `GameTable`, so all three run the
same loop.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, Protocol

from games.minesweeper import Board, FirstClick, Guess, Move
from strategies import CertainCell
from vision.reading import Reading

FlagPolicy = Literal["none", "needed", "all"]
WinNeeds = Literal["open", "flags", "unknown"]
ClickedNumber = Literal["harmless", "unknown"]
Result = Literal["won", "lost", "stopped"]
Certainty = Literal["seen", "inferred", "unknown"]
BoardState = Literal["there", "window", "message", "veil", "fresh", "gone", "closed"]


@dataclass(frozen=True, slots=True)
class GameRules:
    """Rules of the game under play.

    `mines` is the mine total, or None if unknown. `assumed_mines` is a total that nothing confirms: guesses
    use it, certain moves do not. `win_needs`: "open" if opening every safe cell wins, "flags" if every mine
    must be flagged as well, "unknown" for programs without a program file. `can_chord`: the program supports
    chords. `flags`: where to set flags. `variant`: a name from `games.minesweeper.variants`.
    `clicked_number`: a click on an open number is "harmless" (it does nothing, or chords when its mines are
    flagged), or, if "unknown", may open its neighbours even if they are mines. `one_by_one`: read the board
    after each move, so that viewers can follow.
    """

    mines: int | None = None
    first_click: FirstClick = "unknown"
    win_needs: WinNeeds = "unknown"
    can_chord: bool = False
    flags: FlagPolicy = "needed"
    variant: str = "plain"
    clicked_number: ClickedNumber = "harmless"
    assumed_mines: int | None = None
    one_by_one: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """The moves of one sweep: certain moves, or a single guess.

    `certain` gives a reason for each cell decided since the previous plan; not all of them need a move (a
    mine needs no click). `wrong_flags` is the cell set of flags that the clues refute. `guess_by` is the
    strategy that guessed. `later` are certain moves that wait for further plans. `mines` is the cell set of
    known mines without a flag. `reasons` are those of the first move, computed on access. `next_guess` is the
    second choice of the strategy that guessed, if it was asked.
    """

    moves: tuple[Move, ...]
    certain: Iterable[CertainCell] = ()
    guess: Guess | None = None
    wrong_flags: int = 0
    guess_by: str = ""
    later: tuple[Move, ...] = ()
    mines: int = 0
    reasons: Iterable[CertainCell] = ()
    next_guess: Guess | None = None


@dataclass(frozen=True, slots=True)
class BoardStatus:
    """Status of a board that was readable before an act and is not readable now.

    `state`: "there" (visible, or unknown), "window" (covered by another window of its program), "message"
    (covered inside its own window), "veil" (darkened or tinted, as pages do below a message), "fresh"
    (replaced by a new board), "gone", or "closed" (its window is gone). `unchanged` is the cell set that is
    visible and looks as it did before the act. `last_reading` is the last reading since the act, or None.
    """

    state: BoardState = "there"
    unchanged: int = 0
    last_reading: Reading | None = None


class BoardProbe(Protocol):
    """Determines why a board is no longer readable."""

    def status(self, waits: bool) -> BoardStatus:
        """The status now; with `waits`, allow a few seconds for a temporary cover to disappear."""


class GameTable(Protocol):
    """A board that can be read and played on."""

    def look(self) -> Reading:
        """Read the board once it is still. Raises RetryableError and GameStopped errors."""

    def act(self, moves: Sequence[Move], certain: bool) -> Sequence[Move] | None:
        """Make moves in this order and notify the reader. Raises GameStopped errors.

        `certain`: none of the moves can hit a mine, according to the reading. Returns the moves made, a
        prefix of `moves`, if the sweep was interrupted; None means all. The attribute `made` of an error
        counts the moves made before it.
        """


class Clock(Protocol):
    """Source of time, seconds."""

    def now(self) -> float:
        """Seconds since a fixed moment."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class SystemClock:
    """Clock of the machine."""

    def now(self) -> float:
        """Seconds since a fixed moment."""
        return time.perf_counter()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


class GameListener:
    """Receives the events of a game: a recorder, a terminal. Subclasses may ignore events."""

    def on_reading(self, reading: Reading) -> None:
        """An observation was accepted."""

    def on_plan(self, board: Board, plan: Plan) -> None:
        """These moves were chosen for this board."""

    def on_moves(self, board: Board, moves: Sequence[Move]) -> None:
        """These moves were made."""

    def on_note(self, text: str) -> None:
        """A message for the person (a retry, a quarantined strategy)."""


Share = Literal["capture", "read", "reason", "act", "wait"]


class Stopwatch:
    """Adds up seconds by kind of work."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock = clock or SystemClock()
        self.seconds: dict[Share, float] = {}
        self.restart()

    def restart(self) -> None:
        """Reset all times."""
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
