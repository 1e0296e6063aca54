"""Locate the board on the screen, and relocate it during a game.

A board is located in an image that has been still for a moment. After its window was resized, either the
whole board has another size, or only some columns and rows have grown by a few pixels. The second case is
checked first because it needs no search.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from bot.desktop.input import Input
from bot.desktop.ports import Box, Window, Windows, find_windows, intersection, window_of
from bot.play.hand import park_pointer
from bot.programs.program import Program
from bot.programs.runner import RunningProgram
from bot.readers import ReaderFactory
from games.errors import AmbiguousBoard, BoardNotFound, BoardUnplayable, GameStopped, MissingRequirement
from games.logic import bits
from games.minesweeper import DIGITS, Board, inconsistencies_since
from strategies.isolation.supervisor import process_name
from vision.frame import Capture, Frame, Region
from vision.fresh_board import looks_fresh
from vision.lattice import Lattice
from vision.locate.locate import REQUIRED, locate, locate_all
from vision.locate.relocate import is_unmoved, relocate_lines
from vision.skins import Skin

STARTING = 10.0  # seconds in which a started program must show a readable board
LOOKING = 1.0  # seconds; the same if Sapper started no program
RESIZING = 3.0  # seconds; the same when a known board is searched again
STILL = 0.15  # seconds that the image must be still before the search
MOST_TITLES = 8  # window titles listed in a message
NEVER_STILL = 1.5  # seconds after which the search starts even if the image changes: clocks never stop
MOST_UNREAD = 0.5  # fraction of the cells of a board; the picture reader leaves false boards unread
SMALLEST = 60  # points; smallest side of a window that may show a board
NEAR = 3  # points; a board this close to its last place has not moved


@dataclass(frozen=True)
class DesktopAccess:
    """Desktop services of a session. `running` is the program that Sapper started, if any."""

    grabber: Capture
    controls: Input
    windows: Windows
    running: RunningProgram | None = None


@dataclass(frozen=True, eq=False)
class LocatedBoard:
    """A board on the screen, its states when it was located, and its program.

    `frame` is the searched image; `lattice` is in its pixels. `skin` is the stored appearance of the program,
    `program` the name of a known program; both are None if unknown. If some columns or rows have grown,
    `drawn` is the board before that, otherwise None.
    """

    frame: Frame
    lattice: Lattice
    board: Board
    skin: Skin | None = None
    program: str | None = None
    drawn: LocatedBoard | None = None

    @property
    def box(self) -> Box:
        """The board on the screen: left, top, width, height in points."""
        left, top, width, height = self.lattice.box
        x, y = self.frame.point(left, top)
        return round(x), round(y), round(width / self.frame.scale), round(height / self.frame.scale)

    @property
    def scale(self) -> float:
        """Pixels per point."""
        return self.frame.scale

    @cached_property
    def region(self) -> Region:
        """The smallest region of whole points that contains the board."""
        x, y, right, bottom = self._edges
        return self.frame.left + x, self.frame.top + y, right - x, bottom - y

    @cached_property
    def region_lattice(self) -> Lattice:
        """The lattice in pixels of `region`."""
        x, y, _, _ = self._edges
        return self.lattice.translated(-round(x * self.scale), -round(y * self.scale))

    @property
    def _edges(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom in whole points, from the corner of the frame."""
        left, top, width, height = self.lattice.box
        scale = self.scale
        right, bottom = -int(-(left + width) / scale // 1), -int(-(top + height) / scale // 1)
        return int(left / scale), int(top / scale), right, bottom

    @property
    def is_mostly_unread(self) -> bool:
        """Whether the board is probably something else."""
        return self.board.unread.bit_count() > MOST_UNREAD * len(self.board)

    @property
    def is_finished(self) -> bool:
        """Whether the game has ended: mines are visible, or no cell is left to open."""
        return bool(self.board.shown_mines) or not (self.board.closed or self.board.unread)


@dataclass(eq=False)
class BoardFinder:
    """Finds the board to play, and finds it again when it has moved or grown.

    `readers` creates the readers. `size` is (columns, rows), or None if unknown; `window` is a part of the
    title of the window to search. With `hands_off`, the pointer is left to the user, even if it points at the
    board; otherwise it is moved away, because a highlighted cell may be misread.
    """

    access: DesktopAccess
    readers: ReaderFactory
    size: tuple[int, int] | None = None
    window: str | None = None
    hands_off: bool = False
    # the last board that `relocate` did not find, and the image
    _missed: tuple[LocatedBoard, Frame] | None = field(default=None, init=False)

    def find(self, before: LocatedBoard | None = None) -> LocatedBoard:
        """The board on the screen, once the image is still; with `before`, a board of the same size.

        Raises BoardNotFound, AmbiguousBoard, BoardUnplayable (clipped, another size), ProgramExited.
        """
        running = self.access.running
        deadline = time.monotonic() + (RESIZING if before else STARTING if running else LOOKING)
        while True:
            try:
                return self.find_once(before)
            except GameStopped as error:
                if time.monotonic() > deadline or isinstance(error, AmbiguousBoard):
                    is_anywhere = type(error) is BoardNotFound and self.window is None and running is None
                    if is_anywhere and (titles := self._titles()):
                        raise BoardNotFound(
                            f"{error}; or name its window with --window (open: {titles})"
                        ) from error
                    raise
                if running:
                    running.dismiss_popups(0.1)

    def _titles(self) -> str:
        shown = [
            window.title
            for window in self.access.windows.all() or ()
            if window.title and window.is_shown and min(window.box[2:]) >= SMALLEST
        ]
        return ", ".join(f"'{title}'" for title in [*dict.fromkeys(shown)][:MOST_TITLES])

    def find_first(self) -> LocatedBoard:
        """Like `find`, for the first board of a session: it looks like a game, and there is no other.

        A program that Sapper started shows one board. A window named by the user may show an empty table.
        Raises like `find`.
        """
        deadline = time.monotonic() + LOOKING
        while True:
            located = self.find()
            if self.access.running or not located.is_mostly_unread or time.monotonic() > deadline:
                break
        if self.access.running:
            return located
        what = f"the {located.lattice.size} grid at {located.box[:2]}"
        if located.is_mostly_unread:
            raise BoardNotFound(f"no board found: {what} does not show a game, so open one and try again")
        if self.window is not None:
            return located
        if (
            located.skin is None
            and not located.board.open
            and not looks_fresh(located.frame, located.lattice)
        ):
            raise BoardNotFound(
                f"no board found: {what} looks like an empty table; if it is a board, name its window with "
                "--window"
            )
        self._refuse_others(located)
        return located

    def _refuse_others(self, located: LocatedBoard) -> None:
        """Raise AmbiguousBoard if another window shows a readable board as well.

        `locate` has found other boards with visible lines. Boards without visible lines take longer to find,
        so only other windows are searched for them.
        """
        frame = self._elsewhere(located)
        if frame is None:
            return
        for other in locate_all(frame):
            lattice = other.lattice.clamped(frame.width, frame.height)
            if other.clipped or other.probability < REQUIRED:
                continue
            _, reading = self.readers.best_skin(frame, lattice, other.probability)
            if reading.board.unread.bit_count() <= MOST_UNREAD * len(reading.board):
                left, top = frame.point(lattice.xs[0], lattice.ys[0])
                raise AmbiguousBoard(
                    f"2 boards found ({located.lattice.size} at {located.box[:2]}, {lattice.size} at "
                    f"{round(left), round(top)}): leave one visible, or name its window with --window"
                )

    def _elsewhere(self, located: LocatedBoard) -> Frame | None:
        """The searched image with only the visible parts of other windows; None if there are none.

        If the desktop does not report its windows, the image without the board.
        """
        frame, own = located.frame, self._window_of(located)
        if own is None:
            pixels = frame.pixels.copy()
            x, y, width, height = located.lattice.box
            edge = round(located.lattice.pitch)
            pixels[max(0, y - edge) : y + height + edge, max(0, x - edge) : x + width + edge] = 0
            return replace(frame, pixels=pixels)
        pixels = np.zeros_like(frame.pixels)
        has_others = False
        for window in self.access.windows.all() or ():  # from the bottom up
            left, top, width, height = window.outer
            x, y = round((left - frame.left) * frame.scale), round((top - frame.top) * frame.scale)
            right, bottom = x + round(width * frame.scale), y + round(height * frame.scale)
            part = slice(max(0, y), max(0, bottom)), slice(max(0, x), max(0, right))
            if window.is_shown:
                is_other = window.id != own.id and min(width, height) >= SMALLEST
                has_others = has_others or is_other
                pixels[part] = frame.pixels[part] if is_other else 0
        return replace(frame, pixels=pixels) if has_others else None

    def set_skins(self, skins: Sequence[Skin]) -> None:
        """Use these skins from now on."""
        self.readers = replace(self.readers, skins=tuple(skins))

    def screenshot(self) -> Frame:
        """The current image of the searched region. Raises BoardNotFound, AmbiguousBoard, ProgramExited."""
        return self.access.grabber.grab(self._region())

    def find_once(self, before: LocatedBoard | None = None) -> LocatedBoard:
        """Like `find`, with a single attempt."""
        frame = self._still_frame()
        found = locate(frame)
        if not self.hands_off and self._points_at(frame, found.lattice):
            # many programs highlight the cell under the pointer
            park_pointer(self.access.controls, frame, found.lattice)
            self.access.controls.forget_pointer()
            frame = self._still_frame()
            found = locate(frame)
        lattice = found.lattice
        size = (before.lattice.columns, before.lattice.rows) if before else self.size
        if size and size != (lattice.columns, lattice.rows):
            raise BoardUnplayable(
                f"found a {lattice.size} board, expected {size[0]}x{size[1]}: "
                "enlarge the window until the whole board is visible, or correct --size"
            )
        lattice = lattice.clamped(frame.width, frame.height)
        skin, reading = self.readers.best_skin(frame, lattice, found.probability)
        located = LocatedBoard(frame, lattice, reading.board, skin)
        window = self._window_of(located)
        self._refuse_clipped(located, window)
        return replace(located, program=self._program(window))

    def relocate_lines(self, last: LocatedBoard) -> LocatedBoard | None:
        """The board after some of its columns or rows grew; None if none grew or the lines are not found."""
        now, drawn = self.screenshot(), last.drawn or last
        if (now.left, now.top) != (drawn.frame.left, drawn.frame.top):
            return None  # its window has moved
        lattice = relocate_lines(drawn.frame, drawn.lattice, last.frame, last.lattice, now)
        return None if lattice is None else replace(last, frame=now, lattice=lattice, drawn=drawn)

    def relocate(self, last: LocatedBoard, known: Board) -> LocatedBoard | None:
        """The board after it moved or some of its columns or rows grew.

        None if it did neither, is not found, or contradicts the `known` cells at its new place.
        """
        missed, image = self._missed or (None, None)
        if missed is last and image is not None and np.array_equal(self.screenshot().pixels, image.pixels):
            return None  # the search is slow, and the image has not changed since the last one
        if (grown := self.relocate_lines(last)) is not None:
            return grown
        try:
            now = self.find_once(last)
        except GameStopped:
            self._missed = last, self.screenshot()
            return None
        is_elsewhere = any(abs(a - b) > NEAR for a, b in zip(now.box, last.box, strict=True))
        if is_elsewhere and not _differences(now.board, known):
            return now
        self._missed = last, now.frame
        return None

    def relocate_resized(self, last: LocatedBoard, known: Board) -> LocatedBoard:
        """The board after its window was resized; it must agree with the `known` cells.

        Raises BoardUnplayable if there is no board or another board, ProgramExited.
        """
        if (grown := self.relocate_lines(last)) is not None:
            return grown
        try:
            now = self.find_once(last)
        except (BoardNotFound, AmbiguousBoard, BoardUnplayable):
            if (same := self.relocate_lines(last) or self._unmoved(last)) is not None:
                return same
            try:
                now = self.find(last)
            except (BoardNotFound, AmbiguousBoard, BoardUnplayable) as error:
                raise BoardUnplayable(f"the window was resized, and its board is gone: {error}") from error
        problems = _differences(now.board, known)
        if problems:
            raise BoardUnplayable(
                f"the window was resized and shows another board now ({problems[0]}): "
                "start again, and do not resize the window"
            )
        return now

    def _unmoved(self, last: LocatedBoard) -> LocatedBoard | None:
        now = self.screenshot()
        is_moved = (now.left, now.top) != (last.frame.left, last.frame.top)
        if is_moved or not is_unmoved(last.frame, last.lattice, now):
            return None
        return replace(last, frame=now, drawn=last.drawn or last)

    def _window_of(self, located: LocatedBoard) -> Window | None:
        return window_of(self.access.windows, located.box)

    def _refuse_clipped(self, located: LocatedBoard, window: Window | None) -> None:
        """Raise BoardUnplayable if the window, and perhaps the board, extends beyond the screen."""
        if window is None:
            return
        left, top, width, height = located.box
        pitch = located.lattice.pitch / located.scale
        x, y, wide, high = window.box
        first_x, first_y, across, down = self.access.controls.screen
        end_x, end_y = first_x + across, first_y + down
        cut = {
            "left": x < first_x and left < first_x + pitch,
            "top": y < first_y and top < first_y + pitch,
            "right": x + wide > end_x and left + width > end_x - pitch,
            "bottom": y + high > end_y and top + height > end_y - pitch,
        }
        sides = [side for side, is_cut in cut.items() if is_cut]
        if sides:
            raise BoardUnplayable(
                f"the board is cut at the {' and '.join(sides)}: move its whole window onto the screen"
            )

    def _program(self, window: Window | None) -> str | None:
        if self.access.running:
            return self.access.running.program.name
        return Program.of_window(window.title, process_name(window.pid)) if window is not None else None

    def _still_frame(self) -> Frame:
        """The searched region, once it is still or NEVER_STILL has passed."""
        region = self._region()
        began = still_since = time.monotonic()
        frame = self.access.grabber.grab(region)
        while time.monotonic() - still_since < STILL and time.monotonic() - began < NEVER_STILL:
            time.sleep(0.02)
            latest = self.access.grabber.grab(region)
            if not np.array_equal(latest.pixels, frame.pixels):
                frame, still_since = latest, time.monotonic()
        return frame

    def _region(self) -> Region | None:
        """The region to search: the window of the program, the named window, or everything (None)."""
        if self.access.running:
            return clip_to_screen(self.access.running.window.box, self.access.controls.screen)
        if self.window is None:
            return None
        if self.access.windows.all() is None:
            raise MissingRequirement(
                "this desktop does not report its windows: leave out --window, and show only one board"
            )
        found = find_windows(self.access.windows, re.escape(self.window))
        if not found:
            titles = self._titles() or "none with a title"
            raise BoardNotFound(
                f"no window has '{self.window}' in its title: open it, or correct the title (open: {titles})"
            )
        if len(found) > 1:
            titles = ", ".join(f"'{title}'" for title in {window.title: None for window in found})
            raise AmbiguousBoard(
                f"'{self.window}' is in the titles of {len(found)} windows ({titles}): "
                "name a longer part, or close the others"
            )
        return clip_to_screen(found[0].box, self.access.controls.screen)

    def _points_at(self, frame: Frame, lattice: Lattice) -> bool:
        pointer = self.access.controls.pointer
        if pointer is None:
            return True  # position unknown: the pointer may be on the board
        x, y = pointer
        left, top = frame.point(lattice.xs[0], lattice.ys[0])
        right, bottom = frame.point(lattice.xs[-1], lattice.ys[-1])
        return left <= x < right and top <= y < bottom


def _differences(now: Board, known: Board) -> list[str]:
    """Why a board read without history is not the known one; empty if it may be.

    The numbers identify a board. An empty cell may be read as a hidden one, because in some themes a single
    picture does not show the difference.
    """
    if not known.cells_showing(DIGITS[1:]):
        return inconsistencies_since(now, known)
    empty = known.cells_showing("0") & now.closed
    return inconsistencies_since(now.with_states(dict.fromkeys(bits(empty), "0")), known)


def clip_to_screen(box: Box, screen: Box) -> Region:
    """The part of a box on the screen. Raises BoardNotFound if there is none."""
    region = intersection(box, screen)
    if region is None:
        raise BoardNotFound("the window is outside the screen: move it onto the screen")
    return region
