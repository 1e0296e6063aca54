"""Status of a board that is no longer readable: covered, replaced by a new game, or gone.

Windows over the board decide first. Otherwise the image is compared with the one before the last act: numbers
never change, so a board whose numbers look the same is visible, and one that shows some of them is covered by
a message. A board may also be darkened or tinted as a whole. If no number is visible, the whole screen is
searched for a board.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from bot.desktop.input import Input
from bot.desktop.ports import Window, Windows, boxes_overlap, window_ids, windows_over
from bot.game.types import BoardState, BoardStatus
from bot.play.finder import LocatedBoard
from bot.play.screen import IN_SIGHT, ScreenTable
from bot.recording.recorder import Recorder
from games.errors import BoardNotFound, SapperError
from games.logic import cell_set

PASSES = 5.0  # seconds in which a message over a running game usually disappears
SHUT_AGAIN = 0.25  # share of the open cells; only a new game closes so many
KEYS = ("enter", "space")  # keys that press the button of a dialog
BETWEEN = 0.5  # seconds between two checks
CLOSES = 2.0  # seconds in which a message inside the window reacts to a key


@dataclass
class BoardStatusProbe:
    """Determines the status of the board on `screen` when it cannot be read.

    `recorder` records the statuses and the dismissed dialogs. Only windows that open later are closed.
    """

    screen: ScreenTable
    windows: Windows
    controls: Input
    recorder: Recorder | None = None
    _at_start: frozenset[int] = field(init=False)  # the windows before the game

    def __post_init__(self) -> None:
        self._at_start = window_ids(self.windows)

    def status(self, waits: bool) -> BoardStatus:
        """The status now; with `waits`, allow a few seconds for a temporary cover to disappear."""
        clock = self.screen.watch.clock
        deadline = clock.now() + PASSES
        state, same = self._now()
        while waits and state in ("message", "veil", "gone") and clock.now() < deadline:
            clock.sleep(BETWEEN)
            state, same = self._now()
        frame = self.screen.last_visible(self._covered() if state == "window" else 0)
        if self.recorder is not None:
            self.recorder.on_board_status(state, same, frame is not None)
        return BoardStatus(state, same, self.screen.read_earlier(frame) if frame is not None else None)

    def dismiss_dialog(self) -> bool:
        """Dismiss a dialog of the program over its board with a key, or close it; whether there was one.

        Windows of other programs and visible boards are left alone. Raises Interrupted.
        """
        is_answered = self._answer()
        if is_answered and self.recorder is not None:
            self.recorder.on_answer()
        return is_answered

    def _answer(self) -> bool:
        own = self.screen.guard.board_window
        now = self.windows.get(own.id) if own else None
        if own is None or now is None or not now.is_shown or now.box != own.box:
            return False
        covers = self._covers(own)
        if covers:
            return self._answer_windows(own, covers)
        message = self.screen.picture()
        same = self.screen.visibility.unchanged_cells(message)
        if same is None or self.screen.visibility.visible_share(same) >= IN_SIGHT:
            return False
        clock = self.screen.watch.clock
        deadline = clock.now() + CLOSES
        self._press(own.id, KEYS[0])  # in the window itself; space would press the last clicked button
        while np.array_equal(self.screen.picture().pixels, message.pixels):
            if clock.now() > deadline:
                return False  # no message, or the message stays
            clock.sleep(BETWEEN)
        return True

    def _answer_windows(self, own: Window, covers: list[Window]) -> bool:
        if not all(self.windows.same_program(each.id, own.id) for each in covers):
            return False
        for key in KEYS:
            self._press(covers[0].id, key)
            if self._covers(own) != covers:
                return True
        if covers[0].id not in self._at_start:
            self.controls.check()
            self.windows.dismiss(covers[0].id)
            self.screen.watch.clock.sleep(BETWEEN)
        return True

    def _press(self, window: int, key: str) -> None:
        self.windows.focus(window)
        self.controls.press(key)
        self.screen.watch.clock.sleep(BETWEEN)

    def _covers(self, own: Window) -> list[Window]:
        return windows_over(self.windows, own.id, self.screen.located.box)

    def _covered(self) -> int:
        own = self.screen.guard.board_window
        return self._under(self._covers(own)) if own else 0

    def _now(self) -> tuple[BoardState, int]:
        own = self.screen.guard.board_window
        covers = self._covers(own) if own else []
        if own is not None:
            now = self.windows.get(own.id)
            if now is None:
                return "gone" if self._goes_on(own) else "closed", 0
            is_put_away = not now.is_shown or now.box[:2] != own.box[:2]  # it may grow with its cells
            if is_put_away or not all(self.windows.same_program(each.id, own.id) for each in covers):
                return "there", 0  # behind a window of another program: unknown
        picture, visibility = self.screen.picture(), self.screen.visibility
        same = visibility.unchanged_cells(picture)
        if covers:
            return "window", (same or 0) & ~self._under(covers)
        if same is None:
            return "there", 0
        cleared = visibility.without_veil(picture)
        if cleared is not None:
            return "veil", visibility.unchanged_cells(cleared) or 0
        return self._uncovered(same)

    def _goes_on(self, gone: Window) -> bool:
        """Whether the program of a closed window shows another one: some have a window for their menu."""
        others = self.windows.all() or ()
        return gone.pid is not None and any(each.pid == gone.pid and each.is_shown for each in others)

    def _uncovered(self, same: int) -> tuple[BoardState, int]:
        """The state of a board that no window covers, with the `same` cells unchanged."""
        share = self.screen.visibility.visible_share(same)
        if share >= IN_SIGHT:
            return "there", same
        found: BoardState = "message" if share else "there"
        try:
            seen = self.screen.finder.find_once()
        except BoardNotFound:
            found = "message" if share else "gone"
        except SapperError:
            pass
        else:
            if self._is_another_game(seen):
                return "fresh", 0
        return found, same

    def _is_another_game(self, seen: LocatedBoard) -> bool:
        """Whether a new game has replaced the old one: open cells are closed again."""
        before, now = self.screen.visibility.board, seen.board
        if not before.open or (now.rows, now.columns) != (before.rows, before.columns) or now.shown_mines:
            return False
        return SHUT_AGAIN * before.open.bit_count() <= (before.open & now.closed).bit_count()

    def _under(self, covers: list[Window]) -> int:
        seen = self.screen.located
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
