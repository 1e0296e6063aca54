"""Determine the mine total from the command line and the counter of the program."""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.desktop.ports import Box, Windows, window_at
from bot.play.finder import LocatedBoard, clip_to_screen
from bot.programs.program import Program
from games.errors import BoardNotFound, UsageError
from games.minesweeper import Board, FirstClick
from vision.counter import CounterReader, CounterTracker, CounterValue
from vision.frame import Capture

AGAIN = 2.0  # seconds between two attempts to read the counter

Say = Callable[[str], object]


class MineTotalSource:
    """The mine total of consecutive games, from the option --mines (`asked`) and the program's counter.

    `screen` is the box of the screen, points. `say` receives the value of the counter, and a warning if it
    differs from `asked`. `total` is None if the total is unknown or the two values differ.
    """

    def __init__(
        self,
        reader: CounterReader,
        grabber: Capture,
        windows: Windows,
        screen: Box,
        asked: int | None,
        say: Say,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._reader = reader
        self._grabber = grabber
        self._windows = windows
        self._screen = screen
        self._asked = asked
        self._say = say
        self._clock = clock
        self._tally = CounterTracker()
        self._is_read = False
        self._next = 0.0
        self._flags: int | None = None  # on the board at the last attempt
        self.total = asked

    def begin(self, seen: LocatedBoard) -> None:
        """Start a game on this board. Raises UsageError if it has no room for `asked` mines."""
        room = seen.board.not_open.bit_count()
        if self._asked is not None and self._asked > room:
            raise UsageError(
                f"--mines {self._asked}, but only {room} cells of the {seen.lattice.size} board are not "
                "open: correct --mines, or leave it out"
            )
        self._tally, self._is_read, self.total = CounterTracker(), False, self._asked
        self._next, self._flags = 0.0, None
        self.learn(seen.board, seen)

    def learn(self, board: Board, located: LocatedBoard) -> bool:
        """Try to read the counter next to this board; returns whether `total` has changed."""
        flags = board.flagged.bit_count()
        if self._is_read or flags == self._flags or self._clock() < self._next:
            return False
        counter = self._counter(board, located)
        self._next, self._flags = self._clock() + AGAIN, flags
        if counter is None:
            return False
        before, self._is_read = self.total, True
        self.total = reconcile_total(self._asked, counter, self._say)
        return self.total != before

    def _counter(self, board: Board, located: LocatedBoard) -> CounterValue | None:
        left, top, width, height = located.region
        window = window_at(self._windows, left + width / 2, top + height / 2)
        if window is None:
            return None
        try:
            frame = self._grabber.grab(clip_to_screen(window.box, self._screen))
        except BoardNotFound:
            return None
        x, y = round((left - frame.left) * frame.scale), round((top - frame.top) * frame.scale)
        if min(x, y) < 0:
            return None
        return self._tally.add(self._reader.look(frame, located.region_lattice.translated(x, y), board))


def program_first_click(seen: LocatedBoard) -> FirstClick:
    """The first-click guarantee of the program of a board."""
    return Program.load(seen.program).first_click if seen.program else "unknown"


def reconcile_total(asked: int | None, counter: CounterValue, say: Say) -> int | None:
    """The mine total; None if the option and the counter differ. `say` receives the finding."""
    if asked is None:
        say(f"{counter.total} mines, from the program's counter ({counter.shows})")
    elif asked != counter.total:
        say(
            f"--mines is {asked}, but the program's counter ({counter.shows}) shows {counter.total}: "
            "both are ignored; correct --mines, or leave it out"
        )
        return None
    return counter.total
