"""Determine the mine total from the command line and the counter of the program."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from bot.desktop.ports import Windows, window_at
from bot.game.types import GameRules
from bot.play.finder import LocatedBoard, clip_to_screen
from bot.programs.program import Program
from games.errors import BoardNotFound, UsageError
from games.minesweeper import Board, FirstClick
from vision.counter import CounterObservation, CounterReader, CounterTracker, CounterValue
from vision.frame import Capture

AGAIN = 2.0  # seconds between two attempts to read the counter
TICK = 1.2  # seconds in which every timer changes

Say = Callable[[str], object]


class MineTotalSource:
    """The mine total of consecutive games, from the option --mines (`asked`) and the program's counter.

    `screen` is the size of the screen, points. `say` receives the value of the counter, and a warning if it
    differs from `asked`. `total` is None if the total is unknown or the two values differ; it `is_claimed`
    if only `asked` states it. `assumed` is the total according to a single number that may be the counter:
    it proves nothing, but guesses may use it.
    """

    def __init__(
        self,
        reader: CounterReader,
        grabber: Capture,
        windows: Windows,
        screen: tuple[int, int],
        asked: int | None,
        say: Say,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._reader = reader
        self._grabber = grabber
        self._windows = windows
        self._screen = screen
        self._asked = asked
        self._say = say
        self._clock = clock
        self._sleep = sleep
        self._tally = CounterTracker()
        self._is_read = False
        self._next = 0.0
        self._flags: int | None = None  # on the board at the last attempt
        self.total = asked
        self.assumed: int | None = None

    @property
    def is_claimed(self) -> bool:
        """Whether the total is known from the option only."""
        return self.total is not None and not self._is_read

    def begin(self, seen: LocatedBoard) -> None:
        """Start a game on this board. Raises UsageError if it has no room for `asked` mines."""
        room = seen.board.not_open.bit_count()
        if self._asked is not None and self._asked > room:
            raise UsageError(
                f"--mines {self._asked}, but only {room} cells of the {seen.lattice.size} board are not "
                "open: correct --mines, or leave it out"
            )
        self._tally, self._is_read, self.total = CounterTracker(), False, self._asked
        self._next, self._flags, self.assumed = 0.0, None, None
        self.learn(seen.board, seen)
        if not self._is_read:
            self._compare_single(seen)

    def drop_claim(self) -> None:
        """Ignore the option from now on, because the clues refute it."""
        self._asked = self.total = None

    def in_rules(self, rules: GameRules) -> GameRules:
        """The rules with the current mine total."""
        return replace(rules, mines=self.total, is_claimed=self.is_claimed, assumed_mines=self.assumed)

    def learn(self, board: Board, located: LocatedBoard) -> bool:
        """Try to read the counter next to this board; returns whether `total` has changed."""
        flags = board.flagged.bit_count()
        if self._is_read or flags == self._flags or self._clock() < self._next:
            return False
        sighting = self._observe(board, located)
        counter = self._tally.add(sighting) if sighting else None
        self._next, self._flags = self._clock() + AGAIN, flags
        if counter is None:
            return False
        before, self._is_read, self.assumed = self.total, True, None
        self.total = reconcile_total(self._asked, counter, self._say)
        return self.total != before

    def _compare_single(self, located: LocatedBoard) -> None:
        """Compare the option with the only number that may be the counter, or assume that number."""
        first = self._observe(located.board, located)
        found = first.single_totals() if first else ()
        if first and len(found) > 1:
            self._sleep(TICK)
            later = self._observe(located.board, located)
            found = later.single_totals(first) if later else ()
        if len(found) != 1 or self._asked in {each.total for each in found}:
            return
        self.total = reconcile_total(self._asked, found[0], self._say)
        self.total, self.assumed = None, self.total

    def _observe(self, board: Board, located: LocatedBoard) -> CounterObservation | None:
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
        return self._reader.look(frame, located.region_lattice.translated(x, y), board)


def program_first_click(seen: LocatedBoard) -> FirstClick:
    """The first-click guarantee of the program of a board."""
    return Program.load(seen.program).first_click if seen.program else "unknown"


def reconcile_total(asked: int | None, counter: CounterValue, say: Say) -> int | None:
    """The mine total; None if the option and the counter differ. `say` receives the finding."""
    if asked is None and counter.form == "single":
        say(f"{counter.total} mines, if the number next to the board ({counter.shows}) counts them")
    elif asked is None:
        say(f"{counter.total} mines, from the program's counter ({counter.shows})")
    elif asked != counter.total:
        what = "number next to the board" if counter.form == "single" else "program's counter"
        say(
            f"--mines is {asked}, but the {what} ({counter.shows}) shows {counter.total}: "
            "both are ignored; correct --mines, or leave it out"
        )
        return None
    return counter.total
