"""One sweep of moves on the screen: made in order, broken off when the board is no longer what it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from bot.loop import FEW_NUMBERS, MANY_NUMBERS, MOST_LOST, Clock
from games.errors import Interrupted, SapperError, Unplayable
from games.logic import bits
from games.minesweeper import Board, Move
from vision.changes import changed_cells
from vision.frame import Frame
from vision.lattice import Lattice

GLANCE = 0.05  # least seconds between two glances at the whole board in the middle of a sweep
MOVED = 0.05  # of all cells look otherwise: a board that is elsewhere; one or two may change under a pointer
REACT, POLL = 0.4, 0.005  # seconds that a program gets to show moves; between two looks whether it does
STAY = 0.05  # seconds, a frame at 20 a second: the pointer stays so long where it pressed at first
BUSY = 0.3  # seconds more that a program gets before what it did not take is made again


class Hand(Protocol):
    """Something that clicks cells of a board."""

    @property
    def made(self) -> int:
        """How many moves of the last `act` were made."""

    @property
    def wants_look(self) -> bool:
        """Whether to see that what was made shows, before the next move is made."""

    @property
    def is_tried(self) -> bool:
        """Whether a few presses have shown."""

    def act(self, moves: Sequence[Move], before: Callable[[], object]) -> None:
        """Make these moves; `before` is asked before each. Raises Interrupted when a person takes over."""

    def lost(self, moves: int) -> None:
        """So many moves of the last `act` did not show; they are made again next."""


class _CutShort(Exception):  # no error: the next observation says why
    pass


class _NotTaken(_CutShort):  # the first moves do not show: they may be lost
    pass


class Sweeper:
    """Makes sweeps with `hand`. `grab` takes a picture of the board, `clock` lets time pass.

    `is_only_seen`: no window is known, so the picture is the guard, and is looked at before every press.
    `check` raises when the board may not be clicked on. `follow` is asked when a press was refused: whether
    the board lies elsewhere, and is followed, since. `wait` waits for a program that is behind with what was
    done to it, and says whether it had to.
    """

    def __init__(
        self,
        hand: Hand,
        grab: Callable[[], Frame],
        clock: Clock,
        check: Callable[[], object],
        follow: Callable[[], bool],
        wait: Callable[[], bool] = lambda: False,
        is_only_seen: bool = False,
    ) -> None:
        self._hand = hand
        self._grab = grab
        self._clock = clock
        self._check = check
        self._follow = follow
        self._wait = wait
        self._is_only_seen = is_only_seen
        self._last: Sequence[Move] = ()  # the moves of the last sweep
        self._next: Sequence[Move] = ()  # those that the hand was given
        self._frame: Frame | None = None  # the board before the sweep
        self._numbers: Sequence[int] = ()  # cells that showed a number then: they stay as they are
        self._lattice: Lattice | None = None
        self._next_glance = 0.0

    def make(
        self,
        moves: Sequence[Move],
        before: Frame | None,
        board: Board,
        lattice: Lattice,
        stays: bool = False,
    ) -> Sequence[Move]:
        """Make moves on this board, which looks as in `before`; None where that is not known.

        Those that were made: it ends early, for the next observation to show why, where the picture is wholly
        another one and the window is as it was, or where moves that are made a second time have begun to
        show, or their program has only now come to them. With `stays` the pointer is left where it pressed
        last until the moves show: a program that draws frame by frame may ask where it is only when it comes
        to a press. Raises what the hand and the guard raise, with how
        many were `made`, and Interrupted at the keyboard.
        """
        self._frame, self._lattice = before, lattice
        self._numbers = [*bits(board.open)]
        self._next_glance = self._clock.now() + GLANCE
        done, has_begun = 0, False
        again = len(set(moves) & set(self._last))
        self._last = moves
        try:
            if again:
                self._clock.sleep(BUSY)
                if self._wait() or self._changed([move.cell for move in moves]):
                    return ()
                self._hand.lost(again)
            has_begun = True
            while True:
                self._next = moves[done:]
                try:
                    self._hand.act(self._next, self._glance)
                except _CutShort as cut:
                    made = moves[: done + self._hand.made]
                    self._last = made if isinstance(cut, _NotTaken) else ()
                    return made
                except Unplayable:
                    if not self._follow():
                        raise
                    done += self._hand.made
                    self._frame = None
                else:
                    if stays:
                        self._stay(moves)
                    return moves
        except KeyboardInterrupt as error:
            stopped = Interrupted("stopped by the keyboard")
            stopped.made = done + self._hand.made if has_begun else 0
            raise stopped from error
        except SapperError as error:
            error.made = done + self._hand.made if has_begun else 0
            raise

    def _glance(self) -> None:
        """Break off where hardly a number looks as it did: a black screen, another page.

        Likewise where a program of which nobody knows whether it takes presses did not take some. Raises what
        the guard raises where it was the window.
        """
        if self._hand.made and self._hand.wants_look and not self._takes(self._last[: self._hand.made]):
            raise _NotTaken
        if self._is_only_seen:
            self._look_closely()
        now = self._clock.now()
        if now < self._next_glance or len(self._numbers) < MANY_NUMBERS:
            return
        self._next_glance = now + GLANCE
        changed = self._changed(self._numbers)
        if len(changed) > MOST_LOST * len(self._numbers):
            self._check()
            raise _CutShort

    def _look_closely(self) -> None:
        """Break off where the next press would not go to the cell that it is for, as it was.

        Its cell must look as it did, most numbers too, and before the first press nearly all cells: a board
        that moved by just one cell shows others at its edges.
        """
        if self._frame is None or self._lattice is None:
            return
        cells = range(self._lattice.rows * self._lattice.columns)
        changed = {*self._changed(cells)}
        numbers = [cell for cell in self._numbers if cell in changed]
        is_another = len(self._numbers) >= FEW_NUMBERS and len(numbers) > MOST_LOST * len(self._numbers)
        is_moved = not self._hand.made and len(changed) > MOVED * len(cells)
        if is_another or is_moved or self._next[self._hand.made].cell in changed:
            raise _CutShort

    def _stay(self, moves: Sequence[Move]) -> None:
        """Leave the pointer until these moves show; a moment at least while few presses have shown."""
        self._clock.sleep(0.0 if self._hand.is_tried else STAY)
        self._takes(moves)

    def _takes(self, moves: Sequence[Move]) -> bool:
        """Whether all of these moves show within a moment, or cannot be seen to."""
        cells = [move.cell for move in moves if move.kind != "chord"]
        if self._frame is None:
            return True
        deadline = self._clock.now() + REACT
        while len(self._changed(cells)) < len(cells):
            if self._clock.now() > deadline:
                return False
            self._clock.sleep(POLL)
        return True

    def _changed(self, cells: Sequence[int]) -> list[int]:
        """Those of the cells that look otherwise than before the sweep."""
        if self._frame is None or self._lattice is None:
            return []
        changed = {*changed_cells(self._lattice, self._frame.pixels, self._grab().pixels)}
        return [cell for cell in cells if cell in changed]
