"""Overlays during a game: hints for a player, and the next moves of Sapper."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from bot.desktop.ports import Overlay
from bot.game.types import GameListener, Plan
from bot.play.finder import LocatedBoard
from bot.show.advice import Advice, Advisor, HighlightedReason
from bot.show.overlay_marks import KEYS, MARGIN, Level, OverlayMarks, OverlayPainter, advice_marks, plan_marks
from games.minesweeper import Board, Move
from strategies import CertainCell
from vision.reading import Reading

REST = 0.1  # seconds; a board must be unchanged for this long before a proof or a guess is computed

Pointer = Callable[[], tuple[float, float] | None]


@dataclass(eq=False)
class HintOverlay:
    """Shows hints over successive boards.

    `pointer` returns the position of the pointer, in points. `say` receives complete advice, and again with
    the proof of each certain cell under the pointer; it returns whether it has learned something, so that
    the board is analysed again.
    """

    overlay: Overlay
    adviser: Advisor
    pointer: Pointer
    say: Callable[[Advice], bool]
    clock: Callable[[], float] = time.monotonic
    _level: Level = field(default="why", init=False)
    _view: LocatedBoard | None = field(default=None, init=False)
    _advice: Advice | None = field(default=None, init=False)
    _since: float = field(default=0.0, init=False)
    _is_said: bool = field(default=True, init=False)
    _cell: int | None = field(default=None, init=False)  # under the pointer
    _proof: CertainCell | None = field(default=None, init=False)
    _shown: tuple[OverlayMarks, LocatedBoard] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._painter = OverlayPainter()
        self._stages: Iterator[Advice] = iter(())

    def on_board(self, board: Board, view: LocatedBoard | None) -> None:
        """Start advice on a new reading of the board at this position."""
        if view is None:
            self.lost()
            return
        if view is not self._view:
            left, top, width, height = view.region
            self.overlay.attach_at(left + width / 2, top + height / 2)
        self._view = view
        self._stages = self.adviser.stages(board)
        self._advice, self._since = next(self._stages), self.clock()
        self._is_said = False
        self._cell = self._proof = self._shown = None
        self._draw()

    def lost(self) -> None:
        """Hide everything: no board is visible."""
        self._view = self._advice = self._shown = None
        self._stages = iter(())
        self.overlay.hide()

    def refresh(self) -> None:
        """Handle keys, follow the pointer, complete the advice; call this often."""
        for key in self.overlay.poll_keys():
            self._level = "off" if KEYS[key] == self._level else KEYS[key]
            self._shown = None
        if self.clock() - self._since > REST:
            self._work_out()
        if self._advice is not None and self._level == "why":
            cell = self._pointed()
            if cell != self._cell:
                self._cell = cell
                self._proof = None if cell is None else self.adviser.proof(cell)
                if self._proof is not None:
                    self.say(replace(self._advice, proven=self._proof))
        self._draw()

    def _work_out(self) -> None:
        if self._advice is not None and not self._is_said:
            for more in self._stages:
                self._advice = more
            self._is_said = True
            if self.say(self._advice) and self._view is not None:
                self.on_board(self._advice.board, self._view)

    def _pointed(self) -> int | None:
        place, view = self.pointer(), self._view
        if place is None or view is None:
            return None
        lattice = view.region_lattice
        column = bisect_right(lattice.xs, (place[0] - view.region[0]) * view.scale) - 1
        row = bisect_right(lattice.ys, (place[1] - view.region[1]) * view.scale) - 1
        is_on = 0 <= column < lattice.columns and 0 <= row < lattice.rows
        return row * lattice.columns + column if is_on else None

    def _draw(self) -> None:
        if self._advice is None or self._view is None:
            return
        sketch = advice_marks(self._advice, self._level, self._proof or self._advice.proven)
        if self._shown == (sketch, self._view):
            return
        self._shown = sketch, self._view
        show_marks(self.overlay, self._painter, sketch, self._view)


def show_marks(overlay: Overlay, painter: OverlayPainter, sketch: OverlayMarks, view: LocatedBoard) -> None:
    """Show marks over a board; hide the overlay if there are none."""
    if sketch == OverlayMarks():
        overlay.hide()
        return
    lattice = view.region_lattice
    left, top = (
        int(corner + (line - MARGIN) / view.scale)
        for corner, line in zip(view.region, (lattice.xs[0], lattice.ys[0]), strict=False)
    )
    overlay.show(painter.paint(sketch, lattice), left, top)


class PlanOverlay(GameListener):
    """Game listener that shows planned moves until they are visible; call `refresh` often.

    `beneath` captures the screen without the marks.
    """

    def __init__(self, overlay: Overlay) -> None:
        self.beneath = overlay.clean_capture
        self._overlay = overlay
        self._painter = OverlayPainter()
        self._view: LocatedBoard | None = None
        self._sketch = OverlayMarks()
        self._mines = 0  # the known mines of the last plan
        self._next: HighlightedReason | None = None  # the move that follows those of the last plan

    def on_board_moved(self, view: LocatedBoard) -> None:
        """Use a new board position."""
        self._view, self._sketch = view, OverlayMarks()
        self._overlay.hide()
        left, top, width, height = view.region
        self._overlay.attach_at(left + width / 2, top + height / 2)

    def refresh(self) -> None:
        """Keep the marks above the window of the board, and hide them if it has moved."""
        self._overlay.poll_keys()

    def on_reading(self, reading: Reading) -> None:
        """Hide the marks of cells that are open now; hide everything after the game."""
        self.refresh()
        board = reading.board
        hidden = board.closed | board.flagged
        if board.shown_mines or reading.has_ended or not hidden & ~self._mines:
            self._sketch = OverlayMarks()
        marks = {cell: mark for cell, mark in self._sketch.marks.items() if hidden >> cell & 1}
        if marks != self._sketch.marks or not marks:
            self._show(replace(self._sketch, marks=marks, risks={}, pointed=self._next))

    def on_plan(self, board: Board, plan: Plan) -> None:
        """Show the planned moves."""
        self._mines = plan.mines
        self._next = HighlightedReason(plan.later[0].cell) if plan.later else None
        self._show(plan_marks(board, plan))

    def _show(self, sketch: OverlayMarks) -> None:
        self._sketch = sketch
        if self._view is not None:
            show_marks(self._overlay, self._painter, sketch, self._view)

    def on_moves(self, board: Board, moves: Sequence[Move]) -> None:
        """Frame the move that follows; the next observation hides the marks of those made."""
        self._show(replace(self._sketch, pointed=self._next))
