"""Shows over the board what Sapper is about to do."""

from __future__ import annotations

from collections.abc import Sequence

from bot.desktop import Overlay
from bot.live import View
from bot.loop import Plan
from bot.overlay.hints import show
from bot.overlay.painting import Painter
from bot.overlay.sketching import plan_sketch
from games.minesweeper import Board, Move
from vision.reading import Reading


class Plans:
    """A listener of the player.

    `lies` says where the board is; `beneath` takes pictures without what it shows.
    """

    def __init__(self, overlay: Overlay) -> None:
        self.beneath = overlay.beneath
        self._overlay = overlay
        self._painter = Painter()
        self._view: View | None = None

    def lies(self, view: View) -> None:
        """From now on the board lies here."""
        self._view = view
        left, top, width, height = view.region
        self._overlay.lie_over(left + width / 2, top + height / 2)

    def looked(self, reading: Reading) -> None:
        """What was planned has been done."""
        self._overlay.attend()
        self._overlay.hide()

    def planned(self, board: Board, plan: Plan) -> None:
        """Show the moves."""
        if self._view is not None:
            show(self._overlay, self._painter, plan_sketch(board, plan), self._view)

    def acted(self, board: Board, moves: Sequence[Move]) -> None:
        """The next observation takes the marks away."""

    def noted(self, text: str) -> None:
        """Nothing to draw."""
