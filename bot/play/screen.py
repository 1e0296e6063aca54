"""A board on a real screen as a table: looks with the grabber and the reader, acts with the mouse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from bot.desktop.ports import Box
from bot.game.board_change import is_lost_from_view
from bot.game.types import Stopwatch
from bot.play.board_status import BoardVisibility
from bot.play.finder import View
from bot.play.hand import MoveExecutor as MovesHand
from bot.play.hand import SweepExecutor
from games.errors import BoardUnplayable, ImageUnsettled
from games.logic import bits, cell_set
from games.minesweeper import Board, Move
from vision.frame import Capture, Frame
from vision.reading import BoardReader, Reading

QUIET = 0.05  # seconds that a picture must not change, for a program of which nobody said more
POLL = 0.004  # seconds between two looks at a picture that is not yet still
REACT = 0.4  # seconds that a program gets to begin to show an act
LONGEST = 5.0  # seconds after which a picture that does not come to rest is given up
BACK_OFF = 0.5  # longest extra wait, seconds, of an observation that follows one without an act between


class MoveExecutor(MovesHand, Protocol):
    """Something that clicks cells of a board, and goes off it afterwards."""

    def park(self, window: Box | None) -> None:
        """Take the pointer off the board, and off its window where that is known."""


class BoardGuard(Protocol):
    """Somebody who watches the window that the board is in."""

    @property
    def window(self) -> Box | None:
        """The outer box of the window, None when it is not known."""

    @property
    def has_resized(self) -> bool:
        """Whether the window has another size than when its board was found."""

    def check(self) -> None:
        """Return when the board may be clicked on. Raises Unplayable when it may not, ProgramGone."""

    def wait_until_responsive(self) -> bool:
        """Wait for a program that is behind with what was done to it; whether it was. Raises Unplayable."""

    def dismiss_popup(self) -> bool:
        """Dismiss a popup that is known to come up; whether there was one."""


class Finds(Protocol):
    """Somebody who finds the board again where its cells lie elsewhere now; `known` is what they showed."""

    def after_resizing(self, known: Board) -> View:
        """Where it lies in the window that was resized. Raises Stop errors where it is not to be found."""

    def search_again(self, known: Board) -> View | None:
        """Where it lies, now that it cannot be read where it was; None where that does not help."""

    def relocate_lines(self) -> View | None:
        """Where it lies, if some of its columns or rows have grown; None where they have not."""


class ScreenTable:
    """One board on the screen.

    `view` says where it is, `quiet` how many seconds its picture must not change before it is read,
    `on_look` hears every settled frame with what was read in it. `finds` is asked when the cells lie
    elsewhere; while it is None a window that was resized stops the game. While `learns` is set, popups are
    put away before every look (milliseconds), not only when cells cannot be read: the reader learns from it.
    While `stays` is set the pointer stays where it pressed until that shows.
    `is_ended` is asked when the board is covered: True when its own program did that at the end of a game.
    """

    def __init__(
        self,
        grabber: Capture,
        view: View,
        reader: BoardReader,
        hand: MoveExecutor,
        guard: BoardGuard,
        watch: Stopwatch,
        quiet: float = QUIET,
        on_look: Callable[[Frame, Reading], None] | None = None,
    ) -> None:
        self._grabber = grabber
        self._view = view
        self._reader = reader
        self._hand = hand
        self._guard = guard
        self._watch = watch
        self._sweeper = SweepExecutor(
            hand, self._grab, watch.clock, guard.check, self._follow_in_a_sweep, guard.wait_until_responsive,
            is_only_seen=guard.window is None,
        )  # fmt: skip
        self._quiet = quiet
        self._on_look = on_look
        self.finds: Finds | None = None
        self.learns = self.pointer_stays = False
        self.is_ended: Callable[[], bool] | None = None
        self.glimpses = BoardVisibility()
        self._known: Board | None = None  # the last look in which the board was to be seen
        self._is_out_of_sight = False  # whether it was not in the last one
        self._is_blurred = False  # whether cells could not be read in it that could be before
        self._frame: Frame | None = None  # the last look, where the cells lie as they did then
        self._seen: Board | None = None  # what was read in the last look
        self._waiting_for: Sequence[Move] = ()
        self._looks_since_act = 0

    def look(self) -> Reading:
        """What the board shows once it is still. Raises Unsettled, Unplayable, ProgramGone."""
        self._follow()
        frame = self._wait_until_still()
        if self.learns and self._frame is not None and self._guard.dismiss_popup():
            frame = self._wait_until_still()  # a popup over the board is no look to be learned
        if self.glimpses.is_hidden(frame) and not (self.finds and self._guard.has_resized):
            if self._guard.dismiss_popup():
                frame = self._wait_until_still()
            self._check()  # before it is read: what lies over a board says nothing of it
        reading = self._read(frame)
        if reading.board.unread and self._guard.dismiss_popup():
            frame = self._wait_until_still()
            reading = self._read(frame)
        if reading.board.unread and not (self.finds and self._guard.has_resized):
            self._check()
        self._is_blurred = self._seen is not None and bool(reading.board.unread & ~self._seen.unread)
        self._frame, self._seen = frame, reading.board
        self._is_out_of_sight = self._known is not None and is_lost_from_view(reading.board, self._known)
        if not self._is_out_of_sight:
            self._known = reading.board
        self._waiting_for = ()
        self._looks_since_act += 1
        if self._on_look:
            self._on_look(frame, reading)
        return reading

    def act(self, moves: Sequence[Move], certain: bool) -> Sequence[Move]:
        """Make the moves with the mouse, and let the reader know; those that were made.

        Raises Interrupted, Unplayable, ProgramGone.
        """
        assert self._seen is not None, "look before you act"
        self._follow()
        if self._frame is None or not np.array_equal(self._grab().pixels, self._frame.pixels):
            self._check()
        else:
            self._guard.check()
        self.glimpses.begin(self._frame, self._view.lattice, self._known or self._seen)
        with self._watch.timing("act"):
            made = self._sweeper.make(moves, self._frame, self._seen, self._view.lattice, self.pointer_stays)
            self._hand.park(self._guard.window)
        self._reader.notify_moves(made, certain)
        self._waiting_for = made
        self._looks_since_act = 0
        return made

    def _follow_in_a_sweep(self) -> bool:
        """Whether the window was resized in the middle of a sweep, and the board found again since."""
        if self.finds is None or not self._guard.has_resized:
            return False
        self._follow()
        return True

    def picture(self) -> Frame:
        """The board's place as it is now."""
        return self._grab()

    def last_visible(self, covered: int = 0) -> Frame | None:
        """The last picture since the act in which the board was in sight; None for none.

        Without one, the picture as it is now, with the cells that are `covered` (a set) as they were before.
        """
        frame, self.glimpses.latest = self.glimpses.latest, None
        return self.glimpses.patch_covered(self._grab(), covered) if frame is None and covered else frame

    def read_glimpse(self, frame: Frame) -> Reading:
        """What a picture showed that is gone by now."""
        reading = self._read(frame)
        if self._on_look:
            self._on_look(frame, reading)
        return reading

    def _check(self) -> None:
        """Ask the guard, but raise Unplayable at once where the board's own program has covered it."""
        if self.is_ended is not None and self.is_ended():
            raise BoardUnplayable("a window of the program lies over the board: close it")
        self._guard.check()

    def _follow(self) -> None:
        """Go to where the board lies now, if its window was resized or the last look lost sight of it.

        Likewise where the last look could not read some cells: its lines may have moved.
        """
        if self.finds is None or self._known is None:
            return
        view: View | None = None
        if self._guard.has_resized:
            view = self.finds.after_resizing(self._known)
        elif self._is_out_of_sight:
            view = self.finds.search_again(self._known)
        elif self._is_blurred:
            view = self.finds.relocate_lines()
        if view is not None:
            self._view, self._frame = view, None
            self._reader.set_lattice(view.lattice)

    def _read(self, frame: Frame) -> Reading:
        with self._watch.timing("read"):
            return self._reader.observe(frame)

    def _wait_until_still(self) -> Frame:
        """The first frame that shows every act and has not changed for `quiet` seconds."""
        clock = self._watch.clock
        began = still_since = clock.now()
        quiet = self._quiet + min(BACK_OFF, 0.02 * (2**self._looks_since_act - 1))
        react = REACT if self._waiting_for else 0.0
        frame = self._grab()
        self.glimpses.saw(frame)
        while True:
            now = clock.now()
            if now - still_since >= quiet and (now - began >= react or self._shows(frame)):
                return frame
            if now - began > LONGEST:
                raise ImageUnsettled(
                    f"the picture of the board did not come to rest in {LONGEST:.0f} seconds"
                )
            with self._watch.timing("wait"):
                clock.sleep(POLL)
            latest = self._grab()
            if not np.array_equal(latest.pixels, frame.pixels):
                frame, still_since = latest, clock.now()
                self.glimpses.saw(frame)

    def _shows(self, frame: Frame) -> bool:
        """Whether every cell that was acted on looks different from before the act."""
        if self._frame is None:
            return True
        chords = 0  # a chord shows in its neighbours
        if self._seen and any(move.kind == "chord" for move in self._waiting_for):
            board = self._seen
            for move in self._waiting_for:
                chords |= board.around[move.cell] & board.closed if move.kind == "chord" else 0
        marked = cell_set(move.cell for move in self._waiting_for if move.kind == "flag")
        cells = [move.cell for move in self._waiting_for if move.kind != "chord"]
        cells += bits(chords & ~marked)
        return all(self._differs(frame, self._frame, cell) for cell in cells)

    def _differs(self, frame: Frame, before: Frame, cell: int) -> bool:
        left, top, right, bottom = self._reader.lattice.rectangle(cell)
        return not np.array_equal(frame.pixels[top:bottom, left:right], before.pixels[top:bottom, left:right])

    def _grab(self) -> Frame:
        with self._watch.timing("capture"):
            return self._grabber.grab(self._view.region)
