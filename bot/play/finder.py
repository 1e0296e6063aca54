"""Locate the board on the screen, and relocate it during a game.

A board is located in an image that has been still for a moment. When its window is resized, the whole board
may be drawn in another size, or single columns and rows may have grown by a few pixels; the second case is
checked first because it needs no search.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from bot.desktop.input import Input
from bot.desktop.ports import Box, Windows, find_windows, window_at
from bot.play.hand import Hand
from bot.programs.program import Program
from bot.programs.runner import RunningProgram
from bot.readers import ReaderFactory
from games.errors import AmbiguousBoard, BoardNotFound, BoardUnplayable, GameStopped, MissingRequirement
from games.minesweeper import Board, inconsistencies_since
from strategies.isolation.supervisor import process_name
from vision.frame import Capture, Frame, Region
from vision.lattice import Lattice
from vision.locate.locate import locate
from vision.locate.relocate import is_unmoved, relocate_lines
from vision.skins import Skin

STARTING = 10.0  # seconds in which a started program must show a readable board
LOOKING = 1.0  # the same for an existing board
RESIZING = 3.0  # the same for a board in a resized window
STILL = 0.15  # seconds that the image must be still before the search
MOST_TITLES = 8  # window titles listed in a message
NEVER_STILL = 1.5  # seconds after which the search starts anyway: clocks and animations never stop


@dataclass(frozen=True)
class DesktopAccess:
    """Desktop services of a session. `running` is the program that Sapper started, if any."""

    grabber: Capture
    hands: Input
    windows: Windows
    running: RunningProgram | None = None


@dataclass(frozen=True)
class View:
    """A part of the screen, in points, and where in its picture (`scale` pixels a point) the board lies."""

    region: Region
    lattice: Lattice
    scale: float = 1.0

    @classmethod
    def of(cls, frame: Frame, lattice: Lattice) -> View:
        """The smallest region of whole points around a board that was located in a frame."""
        left, top, width, height = lattice.box
        scale = frame.scale
        first_x, first_y = int(left / scale), int(top / scale)
        last_x, last_y = -int(-(left + width) / scale // 1), -int(-(top + height) / scale // 1)
        region = (frame.left + first_x, frame.top + first_y, last_x - first_x, last_y - first_y)
        return cls(region, lattice.translated(-round(first_x * scale), -round(first_y * scale)), scale)


@dataclass(frozen=True)
class LocatedBoard:
    """A board that was found: where, what it shows, and what is known of its program.

    `skin` is what is remembered of how it draws, None for nothing; `program` names the known program whose
    window it lies in.
    """

    frame: Frame
    lattice: Lattice
    skin: Skin | None
    board: Board
    program: str | None = None

    @property
    def box(self) -> Box:
        """The board on the screen: left, top, width, height in points."""
        left, top, width, height = self.lattice.box
        x, y = self.frame.point(left, top)
        return round(x), round(y), round(width / self.frame.scale), round(height / self.frame.scale)

    @property
    def is_finished(self) -> bool:
        """Whether the game has ended: mines are visible, or no cell is left to open."""
        return bool(self.board.shown_mines) or not (self.board.closed or self.board.unread)


class BoardFinder:
    """Finds the board to play.

    `sight` reads it. `size` is (columns, rows) when it is known, `window` a part of the title of the window
    to look in. `hands_off`: the pointer is somebody else's, and left where it is even when it points at the
    board.
    """

    def __init__(
        self,
        around: DesktopAccess,
        sight: ReaderFactory,
        size: tuple[int, int] | None = None,
        window: str | None = None,
        hands_off: bool = False,
    ) -> None:
        self._around = around
        self._hands_off = hands_off
        self.sight = sight
        self._size = size
        self._window = window

    def find(self, before: LocatedBoard | None = None) -> LocatedBoard:
        """The board on the screen, once the picture is still.

        With `before`, the same board as it was found then, of any size of cells.

        Raises NoBoard, ManyBoards, Unplayable (clipped, another size), ProgramGone.
        """
        running = self._around.running
        deadline = time.monotonic() + (RESIZING if before else STARTING if running else LOOKING)
        while True:
            try:
                return self.find_once(before)
            except GameStopped as error:
                # a program that was just started may still be drawing
                if time.monotonic() > deadline or isinstance(error, AmbiguousBoard):
                    raise
                if running:
                    running.dismiss_popups(0.1)

    def screenshot(self) -> Frame:
        """The screen, or the window that was named, as it is now. Raises NoBoard, ManyBoards, ProgramGone."""
        return self._around.grabber.grab(self._region())

    def find_once(self, before: LocatedBoard | None = None) -> LocatedBoard:
        """Like `find`, with a single attempt."""
        frame = self._still_picture()
        found = locate(frame)
        if not self._hands_off and self._points_at(frame, found.lattice):
            # many programs highlight the cell under the pointer
            hand = Hand(self._around.hands)
            hand.aim(frame, found.lattice)
            hand.park()
            self._around.hands.forget_pointer()
            frame = self._still_picture()
            found = locate(frame)
        lattice = found.lattice
        size = (before.lattice.columns, before.lattice.rows) if before else self._size
        if size and size != (lattice.columns, lattice.rows):
            raise BoardUnplayable(
                f"a board of {lattice.size} is to be seen, not of {size[0]}x{size[1]}: "
                "enlarge the window until all of it shows, or correct --size"
            )
        lattice = lattice.clamped(frame.width, frame.height)
        skin, reading = self.sight.best_skin(frame, lattice, found.probability)
        seen = LocatedBoard(frame, lattice, skin, reading.board)
        seen = replace(seen, program=self._program_at(seen))
        self._refuse_half_seen(seen)
        return seen

    def _refuse_half_seen(self, seen: LocatedBoard) -> None:
        """Raise BoardUnplayable if the window leaves the screen where the board seems to end."""
        left, top, width, height = seen.box
        window = window_at(self._around.windows, left + width / 2, top + height / 2)
        if window is None:
            return
        pitch = seen.lattice.pitch / seen.frame.scale
        x, y, wide, high = window.box
        screen = self._around.hands.screen
        cut = {
            "left": x < 0 and left < pitch,
            "top": y < 0 and top < pitch,
            "right": x + wide > screen[0] and left + width > screen[0] - pitch,
            "bottom": y + high > screen[1] and top + height > screen[1] - pitch,
        }
        sides = [side for side, is_cut in cut.items() if is_cut]
        if sides:
            raise BoardUnplayable(
                f"the board is cut at the {' and '.join(sides)}: move all of its window into view"
            )

    def _program_at(self, seen: LocatedBoard) -> str | None:
        """The known program whose window contains the board."""
        if self._around.running:
            return self._around.running.program.name
        left, top, width, height = seen.box
        window = window_at(self._around.windows, left + width / 2, top + height / 2)
        return Program.of_window(window.title, process_name(window.pid)) if window is not None else None

    def _still_picture(self) -> Frame:
        """The screen, or the window that was named, once it is still or has been moving for too long."""
        region = self._region()
        began = still_since = time.monotonic()
        frame = self._around.grabber.grab(region)
        while time.monotonic() - still_since < STILL and time.monotonic() - began < NEVER_STILL:
            time.sleep(0.02)
            latest = self._around.grabber.grab(region)
            if not np.array_equal(latest.pixels, frame.pixels):
                frame, still_since = latest, time.monotonic()
        return frame

    def _region(self) -> Region | None:
        """Where to look: in the program's window, in the window that was named, or everywhere (None)."""
        if self._around.running:
            return clip_to_screen(self._around.running.window.box, self._around.hands.screen)
        if self._window is None:
            return None
        if self._around.windows.all() is None:
            raise MissingRequirement(
                "this desktop does not say which windows it has: leave out --window, and have one board on "
                "the screen"
            )
        found = find_windows(self._around.windows, re.escape(self._window))
        if not found:
            others = {window.title: None for window in self._around.windows.all() or () if window.title}
            seen = ", ".join(f"'{title}'" for title in list(others)[:MOST_TITLES]) or "none with a title"
            raise BoardNotFound(
                f"no window has '{self._window}' in its title: open it, or correct the title (open: {seen})"
            )
        if len(found) > 1:
            titles = ", ".join(f"'{window.title}'" for window in found)
            raise AmbiguousBoard(
                f"'{self._window}' is in the title of {len(found)} windows ({titles}): say more of it"
            )
        return clip_to_screen(found[0].box, self._around.hands.screen)

    def _points_at(self, frame: Frame, lattice: Lattice) -> bool:
        pointer = self._around.hands.pointer
        if pointer is None:
            return True  # it may
        x, y = pointer
        left, top = frame.point(lattice.xs[0], lattice.ys[0])
        right, bottom = frame.point(lattice.xs[-1], lattice.ys[-1])
        return left <= x < right and top <= y < bottom


def clip_to_screen(box: Box, screen: tuple[int, int]) -> Region:
    """The part of a box that is on the screen. Raises NoBoard when all of it lies beyond the edges."""
    left, top = max(box[0], 0), max(box[1], 0)
    width, height = min(box[0] + box[2], screen[0]) - left, min(box[1] + box[3], screen[1]) - top
    if width <= 0 or height <= 0:
        raise BoardNotFound("the window lies beyond the edge of the screen: move it into view")
    return left, top, width, height


NEAR = 3  # points that a board may be found beside its place, and be where it was


@dataclass
class Follower:
    """Knows where a board was found last.

    `find` looks for it until the program has drawn it, `glance` once; `picture` is what the screen shows.
    `found` hears where it lies now, on the screen and in the view.
    """

    seen: LocatedBoard
    find: Callable[[LocatedBoard], LocatedBoard]
    find_once: Callable[[LocatedBoard], LocatedBoard]
    screenshot: Callable[[], Frame]
    found: Callable[[LocatedBoard, View], None]
    _drawn: LocatedBoard = field(init=False)  # how its lines looked when its cells were drawn in this size

    def __post_init__(self) -> None:
        self._drawn = self.seen

    def after_resizing(self, known: Board) -> View:
        """The board of a window that was resized, whose cells were `known`.

        Raises Unplayable when it is not to be found, or another board is there; ProgramGone.
        """
        if (view := self.relocate_lines()) is not None:
            return view
        try:
            seen = self.find_once(self.seen)
        except (BoardNotFound, AmbiguousBoard, BoardUnplayable):
            if (view := self.relocate_lines() or self._where_it_was()) is not None:
                return view
            try:
                seen = self.find(self.seen)
            except (BoardNotFound, AmbiguousBoard, BoardUnplayable) as error:
                raise BoardUnplayable(
                    f"the window changed its size, and its board is gone: {error}"
                ) from error
        problem = self._problem(seen, known)
        if problem:
            raise BoardUnplayable(
                f"the window changed its size, and shows another board now ({problem}): "
                "leave its size as it is and start again"
            )
        return self._go_to(seen)

    def relocate_lines(self) -> View | None:
        """The board some of whose columns or rows have grown; None where they have not, or are not seen."""
        now, seen, drawn = self.screenshot(), self.seen, self._drawn
        if (now.left, now.top) != (drawn.frame.left, drawn.frame.top):
            return None  # its window has been moved
        lattice = relocate_lines(drawn.frame, drawn.lattice, seen.frame, seen.lattice, now)
        if lattice is None:
            return None
        view = self._go_to(replace(seen, frame=now, lattice=lattice))
        self._drawn = drawn
        return view

    def _where_it_was(self) -> View | None:
        """The board in the place where it was; None where it is not."""
        now, seen, drawn = self.screenshot(), self.seen, self._drawn
        is_moved = (now.left, now.top) != (seen.frame.left, seen.frame.top)
        if is_moved or not is_unmoved(seen.frame, seen.lattice, now):
            return None
        view = self._go_to(replace(seen, frame=now))
        self._drawn = drawn
        return view

    def search_again(self, known: Board) -> View | None:
        """The board where it is now, that cannot be read where it was; None where nothing like it is."""
        if (view := self.relocate_lines()) is not None:
            return view
        try:
            seen = self.find_once(self.seen)
        except GameStopped:
            return None
        is_elsewhere = any(abs(a - b) > NEAR for a, b in zip(seen.box, self.seen.box, strict=True))
        return self._go_to(seen) if is_elsewhere and not self._problem(seen, known) else None

    def _problem(self, seen: LocatedBoard, known: Board) -> str:
        """Why this cannot be the board that was known, "" when it can."""
        problems = inconsistencies_since(seen.board, known)
        return problems[0] if problems else ""

    def _go_to(self, seen: LocatedBoard) -> View:
        self.seen = self._drawn = seen
        view = View.of(seen.frame, seen.lattice)
        self.found(seen, view)
        return view
