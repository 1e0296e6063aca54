"""A picture of what changed: one observation twice, on the left as recorded, on the right as it is now."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from bot.recording import Change
from games.minesweeper import Board
from vision.frame import Frame, Pixels
from vision.lattice import Lattice

SMALLEST_CELL = 28  # pixels of a cell; smaller ones are drawn larger
GAP, HEAD = 16, 28  # pixels between the two, and above them
COLOURS = {"reading": (200, 0, 200), "certain": (0, 140, 255)}  # blue, green, red
WHITE, BLACK = (255, 255, 255), (0, 0, 0)


def side_by_side(lattice: Lattice, frame: Frame, changes: Sequence[Change], board: Board) -> Pixels:
    """The two pictures; in each, every cell that changed is framed and says what it is there."""
    across, down = lattice.xs[-1] - lattice.xs[0], lattice.ys[-1] - lattice.ys[0]
    zoom = max(1, round(SMALLEST_CELL * lattice.columns / across))
    area = frame.pixels[lattice.ys[0] : lattice.ys[-1], lattice.xs[0] : lattice.xs[-1]]
    seen = cv2.resize(area, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_NEAREST)
    width = across * zoom
    picture = np.full((HEAD + down * zoom, 2 * width + GAP, 3), 255, np.uint8)
    for side, title in enumerate(("recorded", "now")):
        left = side * (width + GAP)
        picture[HEAD:, left : left + width] = seen
        cv2.putText(
            picture, title, (left + 4, HEAD - 9), cv2.FONT_HERSHEY_SIMPLEX, 0.6, BLACK, 1, cv2.LINE_AA
        )
        for change in changes:
            if not change.cell:
                continue
            x0, y0, x1, y1 = lattice.rectangle(board.cell(change.cell))
            corners = [(v - lattice.xs[0]) * zoom + left for v in (x0, x1)]
            rows = [(v - lattice.ys[0]) * zoom + HEAD for v in (y0, y1)]
            says = change.now if side else change.recorded
            _mark(
                picture, corners, rows, says[:1] if change.what == "certain" else says, COLOURS[change.what]
            )
    return np.asarray(picture, np.uint8)


def _mark(
    picture: Pixels, columns: Sequence[int], rows: Sequence[int], says: str, colour: tuple[int, int, int]
) -> None:
    """A frame, and what the cell is said to be: large, with a light edge."""
    cv2.rectangle(picture, (columns[0] + 1, rows[0] + 1), (columns[1] - 2, rows[1] - 2), colour, 3)
    size = (rows[1] - rows[0]) / 40
    (wide, high), _ = cv2.getTextSize(says, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
    at = ((columns[0] + columns[1] - wide) // 2, (rows[0] + rows[1] + high) // 2)
    cv2.putText(picture, says, at, cv2.FONT_HERSHEY_SIMPLEX, size, WHITE, 5, cv2.LINE_AA)
    cv2.putText(picture, says, at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 2, cv2.LINE_AA)
