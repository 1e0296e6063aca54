"""What a board showed since the last act, if for a moment: a window may come over it before it is read.

Looks what became of a board that cannot be read any more: a dialog, a message, a new game, nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bot.desktop.ports import Window, Windows, boxes_overlap, windows_over
from bot.desktop.x11.windows import same_program
from bot.game.board_change import FEW_NUMBERS
from bot.game.types import BoardState, BoardStatus, Clock
from bot.play.finder import LocatedBoard
from games.errors import BoardNotFound, SapperError
from games.logic import bits, cell_set
from games.minesweeper import Board
from vision.frame import Frame
from vision.lattice import Lattice, changed_cells

if TYPE_CHECKING:
    from bot.play.screen import ScreenTable
    from bot.recording.recorder import Recorder

HARDLY = 0.25  # of all cells that look as they did, where there are no numbers: a first click may open most
IN_SIGHT = 0.9  # of the numbers that look as they did: then it is the board, and nothing lies over it


class BoardVisibility:
    """Compares pictures of one board with that before the last act: its numbers stay if they are seen."""

    def __init__(self) -> None:
        self.latest: Frame | None = None  # the last picture since the act in which the board was in sight
        self._before: Frame | None = None
        self._lattice: Lattice | None = None
        self.board: Board | None = None  # what it showed before the act

    def begin(self, before: Frame | None, lattice: Lattice, board: Board) -> None:
        """An act is made on this board, that looked so."""
        self._before, self._lattice, self.board = before, lattice, board
        self.latest = None

    def saw(self, frame: Frame) -> None:
        """A picture after the act, or one that has changed since the one before."""
        same = self.unchanged_cells(frame)
        if same is None or self.board is None or same == self.board.everything:
            return  # the act does not show yet
        if self.visible_share(same) >= (IN_SIGHT if self._has_numbers else HARDLY):
            self.latest = frame

    def is_hidden(self, frame: Frame) -> bool:
        """Whether something lies over the board, or it is another one; False where that cannot be said."""
        same = self.unchanged_cells(frame)
        return same is not None and self.visible_share(same) < IN_SIGHT

    def unchanged_cells(self, frame: Frame) -> int | None:
        """The cells (a set) that look as they did before the act; None where that cannot be said."""
        before, lattice, board = self._before, self._lattice, self.board
        if before is None or lattice is None or board is None or before.pixels.shape != frame.pixels.shape:
            return None
        same = board.everything
        for cell in changed_cells(lattice, before.pixels, frame.pixels):
            same &= ~(1 << cell)
        return same

    def patch_covered(self, frame: Frame, covered: int) -> Frame | None:
        """This picture with `covered` cells (a set) as they were before the act; None where nobody knows."""
        before, lattice = self._before, self._lattice
        if before is None or lattice is None or before.pixels.shape != frame.pixels.shape:
            return None
        pixels = frame.pixels.copy()
        for cell in bits(covered):
            left, top, right, bottom = lattice.rectangle(cell)
            pixels[top:bottom, left:right] = before.pixels[top:bottom, left:right]
        return replace(frame, pixels=pixels)

    def visible_share(self, same: int) -> float:
        """The share of the numbers, of all cells where there are few, that these cells (a set) hold."""
        assert self.board is not None
        cells = self.board.open if self._has_numbers else self.board.everything
        return (cells & same).bit_count() / cells.bit_count()

    @property
    def _has_numbers(self) -> bool:
        return self.board is not None and self.board.open.bit_count() >= FEW_NUMBERS


PASSES = 5.0  # seconds in which a message over a game that goes on has mostly passed
SHUT_AGAIN = 0.25  # of the open cells: nothing but a new game shuts so many
KEYS = ("enter", "space")  # what presses the button that a message offers
BETWEEN = 0.5  # seconds between two looks at it


@dataclass
class BoardStatusProbe:
    """Determines the status of the board on `screen` when it cannot be read.

    `window` returns the board's window, or None if unknown; `board` returns its last known location;
    `find_once` searches the whole screen for a board; `press` presses a key in a window. `recorder` records
    the statuses and the dialogs that were dismissed.
    """

    screen: ScreenTable
    windows: Windows
    window: Callable[[], Window | None]
    board: Callable[[], LocatedBoard]
    find_once: Callable[[], LocatedBoard]
    clock: Clock
    press: Callable[[int, str], object]
    recorder: Recorder | None = None

    def status(self, waits: bool) -> BoardStatus:
        """What became of the board. `waits`: what may pass by itself is given a few seconds."""
        deadline = self.clock.now() + PASSES
        state, same = self._now()
        while waits and state in ("message", "gone") and self.clock.now() < deadline:
            self.clock.sleep(BETWEEN)
            state, same = self._now()
        frame = self.screen.last_visible(self._covered() if state == "window" else 0)
        if self.recorder is not None:
            self.recorder.witnessed(state, same, frame is not None)
        return BoardStatus(state, same, self.screen.read_glimpse(frame) if frame is not None else None)

    def dismiss_dialog(self) -> bool:
        """Answer what the program has laid over its board, as a person would; whether anything was there.

        Somebody else's window, and a board that is in sight, are left alone. Raises Interrupted.
        """
        is_answered = self._has_answered()
        if is_answered and self.recorder is not None:
            self.recorder.answered()
        return is_answered

    def _has_answered(self) -> bool:
        own = self.window()
        now = self.windows.get(own.id) if own else None
        if own is None or now is None or not now.is_shown or now.box != own.box:
            return False
        covers = self._covers(own)
        if covers:
            if not all(same_program(self.windows, each.id, own.id) for each in covers):
                return False
            for key in KEYS:
                self.press(covers[0].id, key)
                self.clock.sleep(BETWEEN)
                if self._covers(own) != covers:
                    break
            return True
        same = self.screen.glimpses.unchanged_cells(self.screen.picture())
        if same is None or self.screen.glimpses.visible_share(same) >= IN_SIGHT:
            return False
        self.press(own.id, KEYS[0])  # in the window itself; space would press what was clicked on last
        self.clock.sleep(BETWEEN)
        return True

    def _covers(self, own: Window) -> list[Window]:
        """The windows that lie over the board, uppermost first."""
        return windows_over(self.windows, own.id, self.board().box)

    def _covered(self) -> int:
        """The cells (a set) that other windows lie over."""
        own = self.window()
        return self._under(self._covers(own)) if own else 0

    def _now(self) -> tuple[BoardState, int]:
        """What became of the board, and the cells (a set) that are in sight and look as they did."""
        own = self.window()
        covers = self._covers(own) if own else []
        if own is not None:
            now = self.windows.get(own.id)
            if now is None:
                return "gone" if self._goes_on(own) else "closed", 0
            is_put_away = not now.is_shown or now.box[:2] != own.box[:2]  # it may grow with its cells
            if is_put_away or not all(same_program(self.windows, each.id, own.id) for each in covers):
                return "there", 0  # behind somebody else's window: nobody can say
        same = self.screen.glimpses.unchanged_cells(self.screen.picture())
        if covers:
            return "window", (same or 0) & ~self._under(covers)
        if same is None:
            return "there", 0
        return self._uncovered(same)

    def _goes_on(self, gone: Window) -> bool:
        """Whether the program of a window that is gone has another: some make one for their menu."""
        others = self.windows.all() or ()
        return gone.pid is not None and any(each.pid == gone.pid and each.is_shown for each in others)

    def _uncovered(self, same: int) -> tuple[BoardState, int]:
        """The same where no window lies over the board, of which these cells look as they did."""
        share = self.screen.glimpses.visible_share(same)
        if share >= IN_SIGHT:
            return "there", same
        found: BoardState = "message" if share else "there"
        try:
            seen = self.find_once()
        except BoardNotFound:
            found = "message" if share else "gone"
        except SapperError:
            pass
        else:
            if self._is_another_game(seen):
                return "fresh", 0
        return found, same

    def _is_another_game(self, seen: LocatedBoard) -> bool:
        """Whether a new game lies in the place of the old one: open cells are shut again."""
        before, now = self.screen.glimpses.board, seen.board
        if (
            before is None
            or not before.open
            or (now.rows, now.columns) != (before.rows, before.columns)
            or now.shown_mines
        ):
            return False
        return SHUT_AGAIN * before.open.bit_count() <= (before.open & now.closed).bit_count()

    def _under(self, covers: list[Window]) -> int:
        """The cells (a set) that windows lie over."""
        seen = self.board()
        lattice, frame = seen.lattice, seen.frame
        cells = range(lattice.rows * lattice.columns)
        boxes = [lattice.rectangle(cell) for cell in cells]
        corners = [(*frame.point(x, y), *frame.point(x2, y2)) for x, y, x2, y2 in boxes]
        return cell_set(
            cell
            for cell, (x, y, x2, y2) in zip(cells, corners, strict=True)
            if any(
                boxes_overlap(each.outer, (int(x), int(y), int(x2 - x) + 1, int(y2 - y) + 1))
                for each in covers
            )
        )
