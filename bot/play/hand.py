"""Mouse clicks for moves: click timing, single clicks, and sweeps.

A program that polls the mouse once per frame misses a click shorter than a frame. `ClickProfile` starts with
the fastest clicks and slows down after lost clicks; `ClickProfileStore` keeps the result in `touch.json`.
`Hand` clicks only cells of the located board, and asks the window guard before every press. `SweepExecutor`
makes the moves of a plan in order, and stops when the board no longer looks as expected.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import numpy as np

from bot.desktop.input import Input
from bot.desktop.ports import QUICK, Box, Button, PressTiming
from bot.game.board_change import FEW_NUMBERS, MANY_NUMBERS, MOST_LOST
from bot.game.types import Clock, GameListener, Plan
from bot.play.guard import WindowGuard
from bot.programs.program import ChordWay
from bot.shutdown import BY_KEYBOARD
from games.errors import BoardUnplayable, Interrupted, SapperError, UsageError
from games.external import DAMAGE, parse_json, read_external_text, replace_file
from games.logic import bits
from games.minesweeper import Board, Move
from vision.frame import Frame, Pixels
from vision.lattice import Lattice, changed_cells

FILE = "touch.json"
# one per level: fastest; one frame at 30 Hz; a late frame at 30 Hz; one frame at 12 Hz; slower programs
PRESS_TIMINGS = (
    QUICK,
    PressTiming(0.0, 0.04, 0.04),
    PressTiming(0.0, 0.06, 0.06),
    PressTiming(0.04, 0.09, 0.09),
    PressTiming(0.15, 0.2, 0.15),
)
NEAR = 50  # presses at level 0; a second loss within this many raises the level
SELDOM = 200  # the same at higher levels; checks end after this many presses without a loss
TRIED = 4  # accepted presses after which sweeps at level 0 are no longer checked
PROBES = 2  # presses in a sweep after which an untried program is checked
PATIENCE = 200  # presses without a loss before faster clicks are tried again
MOST_PATIENCE = 3200  # upper limit of that number, which doubles with each trial


@dataclass
class ClickProfile:
    """Click timing of one program: its level, and the presses without a loss at that level.

    After a single loss, which may be the machine's fault, only the repeated press is longer. The level rises
    if the program loses as many presses as it accepts, or loses two within a short time. At higher levels
    every press is checked until losses are known to be rare. `proved` is the last level at which presses were
    accepted. Only that level is stored, because a program that ignores every press may simply have ended its
    game. After `patience` presses without a loss, the next game tries a faster level, which works if the
    machine was busy and not the program slow.
    """

    level: int = 0
    clean: int = 0  # presses at this level since the last loss
    proved: tuple[int, int] = (0, 0)  # the last level that accepted presses, and `clean` there
    patience: int = PATIENCE
    _accepted: int = 0  # presses of this game at this level that were not lost
    _since_loss: int | None = None  # presses since the last loss of this game
    _is_retry: bool = field(default=False)  # the next presses repeat lost ones

    @property
    def touch(self) -> PressTiming:
        """Timing of the next press."""
        return PRESS_TIMINGS[min(self.level + self._is_retry, len(PRESS_TIMINGS) - 1)]

    def should_verify(self, made: int) -> bool:
        """Whether to verify, before the next press, that the `made` presses of a sweep are visible."""
        if self._is_retry and made == 1:
            return True
        if self.level:
            return max(self._accepted, self.clean) < SELDOM
        return not self.is_tried and made == PROBES

    @property
    def is_tried(self) -> bool:
        """Whether a few presses have succeeded, in this game or earlier at this level."""
        return max(self._accepted, self.clean) >= TRIED

    def record_presses(self, presses: int) -> None:
        """Count presses that were made."""
        if self._accepted > 0:
            self.proved = self.level, self.clean
        if not self._is_retry:  # longer presses do not count for this level
            self._accepted += presses
            self.clean += presses
        self._is_retry = False
        if self._since_loss is not None:
            self._since_loss += presses

    def record_losses(self, presses: int) -> None:
        """Count presses that had no effect and are about to be repeated."""
        self._accepted -= presses
        near = SELDOM if self.level else NEAR
        has_lost_recently = self._since_loss is not None and self._since_loss <= near
        self.clean, self._since_loss, self._is_retry = 0, 0, True
        if (self._accepted <= presses or has_lost_recently) and self.level < len(PRESS_TIMINGS) - 1:
            self.level, self._accepted, self._is_retry = self.level + 1, 0, False


class ClickProfileStore:
    """Stores click profiles in a file of `folder`; without a folder nothing is stored."""

    def __init__(self, folder: Path | None) -> None:
        self._file = folder / FILE if folder is not None else None

    def of(self, program: str) -> ClickProfile:
        """The profile of a program; one level faster than last time after enough presses without a loss.

        An unreadable file is ignored, because profiles only save time.
        """
        level, clean, patience = self._all().get(program, (0, 0, PATIENCE))
        if clean >= patience:
            level, clean, patience = level - 1, 0, min(2 * patience, MOST_PATIENCE)
        level = min(max(level, 0), len(PRESS_TIMINGS) - 1)
        return ClickProfile(level, clean, (level, clean), patience)

    def keep(self, program: str, profile: ClickProfile) -> None:
        """Store the proved level of a profile unless it is the default. Raises OSError."""
        known = self._all()
        updated = {name: each for name, each in known.items() if name != program}
        level, clean = profile.proved
        if level and program:  # "" if the program is unknown
            updated[program] = level, clean, profile.patience
        if self._file is None or updated == known:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(self._file, (json.dumps(updated, indent=1, sort_keys=True) + "\n").encode())

    def _all(self) -> dict[str, tuple[int, int, int]]:
        if self._file is None:
            return {}
        try:
            data = parse_json(read_external_text(self._file))
            return {  # files of older versions lack `patience`
                str(name): (int(level), int(clean), int(patience[0]) if patience else PATIENCE)
                for name, (level, clean, *patience) in data.items()
            }
        except (OSError, *DAMAGE):
            return {}


LEFT: tuple[Button, ...] = ("left",)
RIGHT: tuple[Button, ...] = ("right",)
PRESSES = 3  # attempts for a press that the desktop refuses without a known reason


@dataclass(eq=False)
class Hand:
    """Clicks the cells of one board at their centres, and nothing else.

    `frame` and `lattice` are the location of the board; only the position and scale of the frame are used.
    `guard` is asked immediately before every press. `chord` is the click that chords in this
    program. With `question_marks`, a second right click makes a question mark and a third one removes it.
    `interval` is the minimum time between two moves, seconds. `profile` is the click timing of the program.
    `moves_made` counts the completed moves of the last `act`.
    """

    controls: Input
    frame: Frame
    lattice: Lattice
    guard: WindowGuard
    chord: ChordWay = "none"
    question_marks: bool = False
    interval: float = 0.0
    profile: ClickProfile = field(default_factory=ClickProfile)
    clock: Callable[[], float] = time.monotonic
    clicks: int = field(default=0, init=False)
    moves_made: int = field(default=0, init=False)
    _next_act: float = field(default=0.0, init=False)

    def aim(self, frame: Frame, lattice: Lattice) -> None:
        """Use another location of the board."""
        self.frame, self.lattice = frame, lattice

    def act(self, moves: Sequence[Move], before: Callable[[], object] | None = None) -> None:
        """Make the moves in order. Before each move, wait for the interval, then call `before`.

        Raises Interrupted, UsageError for an unsupported chord, and the errors of the guard and `before`. A
        move that raises an error counts as not made.
        """
        self.moves_made = 0
        clicks = self.clicks
        try:
            for move in moves:
                self._wait()
                if before is not None:
                    before()
                self._make(move)
                self.moves_made += 1
        finally:
            self.profile.record_presses(self.clicks - clicks)

    def _make(self, move: Move) -> None:
        match move.kind:
            case "open":
                self._click(move.cell, LEFT)
            case "flag":
                self._click(move.cell, RIGHT)
            case "unflag":
                self._click(move.cell, RIGHT)
                if self.question_marks:  # the first click turned the flag into a question mark
                    self._wait()
                    self._click(move.cell, RIGHT)
            case "chord":
                if self.chord == "none":
                    raise UsageError("this program does not support chords: add `chord` to its program file")
                self._click(move.cell, (*LEFT, *RIGHT) if self.chord == "both" else (self.chord,))

    def place(self, cell: int) -> tuple[float, float]:
        """The centre of a cell on the screen, points. Raises ValueError for a cell outside the board."""
        if not 0 <= cell < self.lattice.rows * self.lattice.columns:
            raise ValueError(f"cell {cell} is not on the {self.lattice.size} board")
        x, y = self.lattice.centre(cell)
        return self.frame.point(x + 0.5, y + 0.5)

    def restart_interval(self) -> None:
        """Wait for the whole interval before the next move, starting now."""
        self._next_act = self.clock() + self.interval

    def park(self, window: Box | None) -> None:
        """Move the pointer off the board; `window` is the box of its window in points, None if unknown."""
        park_pointer(self.controls, self.frame, self.lattice, window)

    def _click(self, cell: int, buttons: Sequence[Button]) -> None:
        x, y = self.place(cell)
        self.guard.wait_while_stopped()
        for _ in range(PRESSES):
            target = self.guard.target
            if target is None:
                self.guard.check()
            if self.controls.click(x, y, buttons, target, self.profile.touch):
                self.clicks += 1
                return
            self.guard.check(was_refused=True)  # raises the reason, or returns when the board is free
        raise BoardUnplayable("an unknown window covers the board: uncover the board and start again")

    def _wait(self) -> None:
        now = self.clock()
        if now < self._next_act:
            self.controls.wait(self._next_act - now)
            now = self.clock()
        self._next_act = now + self.interval


class MovePacer(GameListener):
    """Game listener that waits before a move that the previous plan did not announce."""

    def __init__(self, hand: Hand) -> None:
        self._hand = hand
        self._announced: tuple[Move, ...] = ()

    def on_plan(self, board: Board, plan: Plan) -> None:
        """Wait for the interval, beginning now, if the next move is new."""
        if not set(plan.moves) & set(self._announced):
            self._hand.restart_interval()
        self._announced = plan.later


def park_pointer(controls: Input, frame: Frame, lattice: Lattice, window: Box | None = None) -> None:
    """Move the pointer off a board, to a harmless place outside the fail-safe corners.

    `window` is the box of the board's window in points, None if unknown.
    """
    left, top, width, height = lattice.box
    board = (*frame.point(left, top), *frame.point(left + width, top + height))
    controls.move(*parking_point(board, controls.screen, window))


def parking_point(
    board: tuple[float, float, float, float], screen: Box, window: Box | None
) -> tuple[float, float]:
    """A place for the pointer near a board (left, top, right, bottom), all in points.

    Just outside the window, or inside it if the window fills the screen: below the board, right of it, left
    of it or above it. Keeps away from the edges of the screen.
    """
    left, top, right, bottom = board
    if window is not None:
        outer = (window[0], window[1], window[0] + window[2], window[1] + window[3])
    else:
        outer = (int(left), int(top), int(right), int(bottom))
    first_x, first_y = screen[:2]
    end_x, end_y = first_x + screen[2], first_y + screen[3]
    rooms: list[tuple[float, tuple[float, float]]] = []
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    for edge, limit in ((outer, 12.0), ((left, top, right, bottom), 3.0)):
        rooms = [
            (end_y - edge[3], (middle_x, edge[3] + min(limit, (end_y - edge[3]) / 2))),
            (end_x - edge[2], (edge[2] + min(limit, (end_x - edge[2]) / 2), middle_y)),
            (edge[0] - first_x, (edge[0] - min(limit, (edge[0] - first_x) / 2), middle_y)),
            (edge[1] - first_y, (middle_x, edge[1] - min(limit, (edge[1] - first_y) / 2))),
        ]
        for room, place in rooms:
            if room >= 2 * 3:
                return place
    return max(rooms)[1]


GLANCE = 0.05  # seconds; minimum time between two captures during a sweep
MOVED = 0.05  # share of cells; if more have changed before the first press, the board has moved
REACT = 0.4  # seconds within which moves must become visible
POLL = 0.005  # seconds between two checks whether moves are visible
STAY = 0.05  # seconds, a frame at 20 Hz; the pointer stays this long after a press in an untried program
BUSY = 0.3  # seconds; extra time for the program before moves without effect are repeated


class _SweepInterrupted(Exception):  # not an error: the next observation shows the reason
    pass


class _PressIgnored(_SweepInterrupted):  # the moves made so far are not visible, so they may be lost
    pass


def _margin(side: int, length: int) -> slice:
    """The quarter of a cell at its left or top (-1), or at its right or bottom (1); the whole cell for 0."""
    return (slice(None), slice(length - length // 4, None), slice(length // 4))[side]


@dataclass(eq=False)
class SweepExecutor:
    """Executes sweeps with `hand`; `grab` captures the board, `grab_cell` one of its cells.

    `guard` protects the window. On a desktop that does not report windows, the image of the board is checked
    before every press instead. `follow` is called after a refused press: it relocates the board and returns
    whether the board had moved.
    """

    hand: Hand
    grab: Callable[[], Frame]
    clock: Clock
    guard: WindowGuard
    follow: Callable[[], bool]
    grab_cell: Callable[[int], Frame]
    _last: Sequence[Move] = field(default=(), init=False)  # moves of the last sweep
    _next: Sequence[Move] = field(default=(), init=False)  # moves passed to the hand
    _frame: Frame | None = field(default=None, init=False)  # the board before the sweep
    _numbers: Sequence[int] = field(default=(), init=False)  # cells with a number: they must not change
    _lattice: Lattice | None = field(default=None, init=False)
    _checks_cells: bool = field(default=False, init=False)
    _next_glance: float = field(default=0.0, init=False)
    _begun_at: list[float] = field(
        default_factory=list, init=False
    )  # times at which the moves began, in this call of the hand

    def make(
        self, moves: Sequence[Move], before: Frame | None, board: Board, lattice: Lattice, stays: bool = False
    ) -> Sequence[Move]:
        """Make moves on this board and return the moves made; `before` is its last image, None if outdated.

        The sweep ends early if moves seem lost, if most numbers change, or if moves that seemed lost in the
        last sweep become visible. The next observation shows the reason. With `stays`, the pointer stays
        after the last press until the moves are visible, because a program that draws frame by frame may
        query its position late. The sweep then also ends before a cell that has changed, because something
        may cover it. Raises Interrupted, and the errors of the hand and the guard; their attribute `made` is
        the number of moves made.
        """
        self._frame, self._lattice = before, lattice
        self._numbers = [*bits(board.open)]
        self._checks_cells = stays
        self._next_glance = self.clock.now() + GLANCE
        done, has_begun = 0, False
        again = len(set(moves) & set(self._last))
        self._last = moves
        try:
            if again:
                self.clock.sleep(BUSY)
                if self.guard.wait_until_responsive() or self._changed([move.cell for move in moves]):
                    return ()
                self.hand.profile.record_losses(again)
            has_begun = True
            while True:
                self._next = moves[done:]
                self._begun_at = []
                try:
                    self.hand.act(self._next, self._glance)
                except _SweepInterrupted as cut:
                    made = moves[: done + self.hand.moves_made]
                    self._last = made if isinstance(cut, _PressIgnored) else ()
                    return made
                except BoardUnplayable:
                    if not self.follow():
                        raise
                    done += self.hand.moves_made
                    self._frame = None
                else:
                    if stays:
                        self._stay(moves)
                    return moves
        except KeyboardInterrupt as error:
            stopped = Interrupted(str(error) or BY_KEYBOARD)
            stopped.made = done + self.hand.moves_made if has_begun else 0
            raise stopped from error
        except SapperError as error:
            error.made = done + self.hand.moves_made if has_begun else 0
            raise

    def _glance(self) -> None:
        """Interrupt the sweep if presses seem lost, or if most numbers changed.

        Presses are checked if the program may lose some of them, and once they are older than REACT: the
        program may ignore all presses, for example while it shows a message. Raises the errors of the guard.
        """
        if (
            self.hand.moves_made
            and self.hand.profile.should_verify(self.hand.moves_made)
            and not self._become_visible(self._last[: self.hand.moves_made])
        ):
            raise _PressIgnored
        if self.guard.window is None:
            self._check_image()
        elif self._checks_cells and self.hand.moves_made:
            self._check_cell(self._next[self.hand.moves_made])
        now = self.clock.now()
        self._begun_at.append(now)
        old = sum(at < now - REACT for at in self._begun_at)
        if now < self._next_glance or (len(self._numbers) < MANY_NUMBERS and not old):
            return
        self._next_glance = now + GLANCE
        cells = [move.cell for move in self._next[:old] if move.kind != "chord"]
        changed = self._changed([*self._numbers, *cells])
        if len(self._numbers) >= MANY_NUMBERS and (
            len(set(self._numbers) & set(changed)) > MOST_LOST * len(self._numbers)
        ):
            self.guard.check()
            raise _SweepInterrupted
        if self._frame is not None and set(cells) - set(changed) and not self.guard.wait_until_responsive():
            raise _PressIgnored

    def _check_cell(self, move: Move) -> None:
        """Interrupt the sweep if a cell that is about to be opened has changed.

        Programs may redraw the margin of a cell when its neighbour is opened. Any other change may be a
        cover, even one in the colour of hidden cells.
        """
        if self._frame is None or self._lattice is None or move.kind != "open":
            return
        left, top, right, bottom = self._lattice.rectangle(move.cell)
        before = self._frame.pixels[top:bottom, left:right]
        now = self.grab_cell(move.cell).pixels
        if now.shape != before.shape or np.array_equal(now, before):
            return
        now = self.grab().pixels
        differs = (now[top:bottom, left:right] != before).any(axis=2)
        high, wide = differs.shape
        row, column = divmod(move.cell, self._lattice.columns)
        for y, x in product((-1, 0, 1), repeat=2):
            is_inside = 0 <= row + y < self._lattice.rows and 0 <= column + x < self._lattice.columns
            if (y or x) and is_inside and self._has_new_middle(now, (row + y, column + x)):
                differs[_margin(y, high), _margin(x, wide)] = False
        if differs.any():
            raise _SweepInterrupted

    def _has_new_middle(self, now: Pixels, place: tuple[int, int]) -> bool:
        """Whether the middle of the cell at (row, column) differs from its image before the sweep."""
        assert self._frame is not None
        assert self._lattice is not None
        middle = self._lattice.middle(place[0] * self._lattice.columns + place[1])
        return not np.array_equal(now[middle], self._frame.pixels[middle])

    def _check_image(self) -> None:
        """Interrupt the sweep if the next cell or most numbers changed.

        Before the first press a few changed cells suffice: if the board moved by exactly one cell, only the
        cells at its edges may look different.
        """
        if self._frame is None or self._lattice is None:
            return
        cells = range(self._lattice.rows * self._lattice.columns)
        changed = {*self._changed(cells)}
        numbers = [cell for cell in self._numbers if cell in changed]
        is_other_board = len(self._numbers) >= FEW_NUMBERS and len(numbers) > MOST_LOST * len(self._numbers)
        has_moved = not self.hand.moves_made and len(changed) > MOVED * len(cells)
        if is_other_board or has_moved or self._next[self.hand.moves_made].cell in changed:
            raise _SweepInterrupted

    def _stay(self, moves: Sequence[Move]) -> None:
        """Keep the pointer until these moves are visible; for an untried program, at least for STAY."""
        self.clock.sleep(0.0 if self.hand.profile.is_tried else STAY)
        self._become_visible(moves)

    def _become_visible(self, moves: Sequence[Move]) -> bool:
        """Wait up to REACT for these moves; return whether all of them (except chords) became visible."""
        cells = [move.cell for move in moves if move.kind != "chord"]
        if self._frame is None:
            return True
        deadline = self.clock.now() + REACT
        while len(self._changed(cells)) < len(cells):
            if self.clock.now() > deadline:
                return False
            self.clock.sleep(POLL)
        return True

    def _changed(self, cells: Sequence[int]) -> list[int]:
        if self._frame is None or self._lattice is None:
            return []
        changed = {*changed_cells(self._lattice, self._frame.pixels, self.grab().pixels)}
        return [cell for cell in cells if cell in changed]
