"""Determine the mine total from the command line and the counter of the program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from bot.desktop.ports import window_of
from bot.game.types import Clock, GameRules, SystemClock
from bot.play.finder import DesktopAccess, LocatedBoard, clip_to_screen
from bot.programs.program import Program
from games.errors import BoardNotFound, UsageError
from games.minesweeper import Board, FirstClick
from games.minesweeper.variants import needs_total
from vision.counter import CounterObservation, CounterReader, CounterTracker, CounterValue

AGAIN = 2.0  # seconds between two attempts to read the counter
TICK = 1.2  # seconds in which every timer changes

Say = Callable[[str], object]


@dataclass(eq=False)
class MineTotalSource:
    """The mine total of consecutive games, from the option --mines (`asked`) and the program's counter.

    `say` receives the value of the counter, and a warning if it differs from `asked`. `total` is confirmed:
    the counter shows it, or `asked` and a number that may be the counter agree. `assumed` comes from only one
    of these two: it proves nothing, but guesses may use it. Both are None if the total is unknown or the
    values differ.
    """

    access: DesktopAccess
    asked: int | None
    say: Say
    reader: CounterReader = field(default_factory=CounterReader.load)
    clock: Clock = field(default_factory=SystemClock)
    _is_read: bool = field(default=False, init=False)
    _next: float = field(default=0.0, init=False)
    _flags: int | None = field(default=None, init=False)  # on the board at the last attempt
    total: int | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._tally = CounterTracker()
        self.assumed = self.asked

    def begin(self, seen: LocatedBoard) -> None:
        """Start a game on this board. Raises UsageError if it has no room for `asked` mines."""
        room = seen.board.not_open.bit_count()
        if self.asked is not None and self.asked > room:
            raise UsageError(
                f"--mines {self.asked}, but only {room} cells of the {seen.lattice.size} board are not "
                "open: correct --mines, or leave it out"
            )
        self._tally, self._is_read, self.total = CounterTracker(), False, None
        self._next, self._flags, self.assumed = 0.0, None, self.asked
        first = self._observe(seen.board, seen)
        if first is not None and not self._settle(first):
            self._compare_single(first, seen)

    def drop_claim(self) -> None:
        """Ignore the option from now on, because the clues refute it."""
        self.asked = self.assumed = None

    def in_rules(self, rules: GameRules) -> GameRules:
        """The rules with the current mine total."""
        return with_total(rules, self.total, self.assumed)

    def learn(self, board: Board, located: LocatedBoard) -> bool:
        """Try to read the counter next to this board; returns whether `total` has changed."""
        flags = board.flagged.bit_count()
        if self._is_read or flags == self._flags or self.clock.now() < self._next:
            return False
        sighting, before = self._observe(board, located), self.total
        if sighting is not None:
            self._settle(sighting)
        return self.total != before

    def _settle(self, sighting: CounterObservation) -> bool:
        """Whether all observations so far prove the total."""
        counter = self._tally.add(sighting)
        if counter is None:
            return False
        self._is_read, self.assumed = True, None
        self.total = reconcile_total(self.asked, counter, self.say)
        return True

    def _compare_single(self, first: CounterObservation, located: LocatedBoard) -> None:
        """Compare the option with the numbers that may be the counter, or assume the only such number."""
        found = first.single_totals()
        if found:  # each may be a timer
            self.clock.sleep(TICK)
            later = self._observe(located.board, located)
            found = later.single_totals(first) if later else ()
        if self.asked in {each.total for each in found}:
            self.total, self._is_read = self.asked, True
        elif len(found) == 1:
            self.assumed = reconcile_total(self.asked, found[0], self.say)

    def _observe(self, board: Board, located: LocatedBoard) -> CounterObservation | None:
        self._next, self._flags = self.clock.now() + AGAIN, board.flagged.bit_count()
        left, top, _, _ = located.region
        window = window_of(self.access.windows, located.box)
        if window is None:
            return None
        try:
            frame = self.access.grabber.grab(clip_to_screen(window.box, self.access.controls.screen))
        except BoardNotFound:
            return None
        x, y = round((left - frame.left) * frame.scale), round((top - frame.top) * frame.scale)
        if min(x, y) < 0:
            return None
        return self.reader.look(frame, located.region_lattice.translated(x, y), board)


def with_total(rules: GameRules, total: int | None, assumed: int | None) -> GameRules:
    """The rules with a confirmed total or an assumed one, which counts if the variant requires a total."""
    if total is None and needs_total(rules.variant):
        total = assumed
    return replace(rules, mines=total, assumed_mines=assumed if total is None else None)


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
