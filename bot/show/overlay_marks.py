"""Marks on a board and their painting: hidden cells are filled, clues only framed.

Each mark has its own shape and colour with a dark or light border, so it is visible on every theme and for
colour-blind users. Colours are in the order blue, green, red.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import cv2
import numpy as np

from bot.desktop.ports import Drawing
from bot.game.types import Plan
from bot.show.advice import Advice, HighlightedReason, Mark, highlight_of_plan, marks_of_plan
from bot.show.board_text import two_digit_risk
from games.logic import bits, cell_set
from games.minesweeper import Board
from strategies import CertainCell
from vision.lattice import Lattice

# nothing; whether there is a safe cell; the cells; the cells with reasons
Level = Literal["off", "any", "which", "why"]
KEYS: Mapping[str, Level] = {"F6": "any", "F7": "which", "F8": "why"}


@dataclass(frozen=True, slots=True)
class OverlayMarks:
    """Marks over a board.

    `frame` is whether there is a safe cell, shown around the board; None for no frame. `risks` (0 to 1) are
    those of single cells. `pointed` is the highlighted reason. `chords` is the cell set of numbers to chord.
    """

    frame: bool | None = None
    marks: Mapping[int, Mark] = field(default_factory=dict)
    risks: Mapping[int, float] = field(default_factory=dict)
    pointed: HighlightedReason | None = None
    chords: int = 0


def advice_marks(advice: Advice, level: Level, proof: CertainCell | None = None) -> OverlayMarks:
    """The marks for advice; none if there is a problem. `proof` is that of the cell under the pointer."""
    board = advice.board
    if level == "off" or advice.problem or not board.closed | board.flagged:
        return OverlayMarks()
    is_safe = bool(advice.safe | advice.wrong_flags)
    if level == "any":
        return OverlayMarks(is_safe)
    frontier = 1 << advice.guess.cell if advice.guess else 0
    for clue in bits(board.open):
        frontier |= board.around[clue]
    risks = {cell: advice.risks[cell] for cell in bits(frontier) if cell in advice.risks}  # others are equal
    pointed = HighlightedReason.of(board, proof.cell, proof.because) if proof and level == "why" else None
    return OverlayMarks(is_safe, advice.marks, risks, pointed)


def plan_marks(board: Board, plan: Plan) -> OverlayMarks:
    """The marks for a plan; the next move is framed, with the clues of its reason."""
    risks = {plan.guess.cell: 1 - plan.guess.safe} if plan.guess else {}
    chords = cell_set(move.cell for move in (*plan.moves, *plan.later) if move.kind == "chord")
    return OverlayMarks(None, marks_of_plan(board, plan), risks, highlight_of_plan(board, plan), chords)


FINE = 4  # marks are drawn this many times larger, for smooth edges
SMALL = 24  # pixels; smaller cells get thinner marks
MARGIN = 5  # pixels around the board, for the frame
DARK, LIGHT = (20, 20, 20), (255, 255, 255)
SAFE, MINE, GUESS, WRONG = (60, 200, 0), (25, 10, 195), (240, 200, 0), (0, 170, 255)
DEEP = (20, 105, 0)  # SAFE without room for a dark edge
PROOF = (255, 0, 200)  # frames of a reason; no program uses this colour for a number
UNSURE = (0, 200, 255)
HEAT = ((0.1, (235, 235, 235)), (0.25, (90, 230, 255)), (0.5, (80, 160, 255)), (1.01, (120, 110, 255)))

Colour = tuple[int, int, int]


class OverlayPainter:
    """Draws marks; caches the image of each mark and size."""

    def __init__(self) -> None:
        self._tiles: dict[tuple[str, int, int, str], Drawing] = {}

    def paint(self, sketch: OverlayMarks, lattice: Lattice) -> Drawing:
        """Draw marks for a board with this lattice, MARGIN pixels larger on every side."""
        _, _, width, height = lattice.box
        drawing = np.zeros((height + 2 * MARGIN, width + 2 * MARGIN, 4), np.uint8)
        if sketch.frame is not None:
            _frame(drawing, SAFE if sketch.frame else UNSURE, not sketch.frame)
        names: dict[int, tuple[str, str]] = {cell: (mark, "") for cell, mark in sketch.marks.items()}
        for cell, risk in sketch.risks.items():
            names[cell] = (
                ("guess" if names.get(cell, ("",))[0] == "guess" else f"risk {_heat(risk)}"),
                two_digit_risk(risk),
            )
        for cell, (name, text) in names.items():
            self._put(drawing, lattice, cell, name, text)
        for cell in bits(sketch.chords):
            self._put(drawing, lattice, cell, "chord", "")
        if sketch.pointed:
            for cell in range(lattice.rows * lattice.columns):
                if sketch.pointed.clues >> cell & 1:
                    self._put(drawing, lattice, cell, "clue", "")
            self._put(drawing, lattice, sketch.pointed.cell, "pointed", "")
        return drawing

    def _put(self, drawing: Drawing, lattice: Lattice, cell: int, name: str, text: str) -> None:
        left, top, right, bottom = lattice.rectangle(cell)
        key = name, right - left, bottom - top, text
        if key not in self._tiles:
            self._tiles[key] = _tile(*key)
        tile = self._tiles[key]
        x, y = left - lattice.xs[0] + MARGIN, top - lattice.ys[0] + MARGIN
        part = drawing[y : y + tile.shape[0], x : x + tile.shape[1]]
        part[:] = np.where(tile[:, :, 3:] > 0, tile, part)


def _heat(risk: float) -> int:
    return next(k for k, (limit, _) in enumerate(HEAT) if risk < limit)


def _frame(drawing: Drawing, colour: Colour, is_dashed: bool) -> None:
    """Draw a frame on the pixels around the board."""
    height, width = drawing.shape[:2]
    cv2.rectangle(drawing, (0, 0), (width - 1, height - 1), (*DARK, 255), MARGIN - 1)
    cv2.rectangle(drawing, (1, 1), (width - 2, height - 2), (*colour, 255), MARGIN - 3)
    if is_dashed:
        for start in range(0, max(width, height), 4 * MARGIN):
            drawing[[0, 1, 2, -1, -2, -3], start : start + 2 * MARGIN, :3] = DARK
            drawing[start : start + 2 * MARGIN, [0, 1, 2, -1, -2, -3], :3] = DARK
    drawing[MARGIN:-MARGIN, MARGIN:-MARGIN] = 0


def _tile(name: str, width: int, height: int, text: str) -> Drawing:
    """A mark, drawn FINE times larger and then reduced."""
    large = np.zeros((height * FINE, width * FINE, 4), np.uint8)
    DRAWN[name](large, text)
    small = cv2.resize(large.astype(np.float32), (width, height), interpolation=cv2.INTER_AREA)
    tile = np.zeros((height, width, 4), np.uint8)
    tile[:, :, :3] = np.clip(small[:, :, :3] * 255 / np.maximum(small[:, :, 3:], 1), 0, 255)
    tile[:, :, 3] = small[:, :, 3]
    return tile


def _ring(image: Drawing, colour: Colour, thick: float) -> None:
    """Draw a frame at the cell's edge, with a dark line inside; `thick` is in screen pixels."""
    whole = max(1, round(thick))
    for across, tone in (((whole + 1) * FINE, DARK), (whole * FINE, colour)):
        inside = image[across:-across, across:-across].copy()
        image[:] = (*tone, 255)
        image[across:-across, across:-across] = inside


def _safe(image: Drawing, text: str) -> None:
    side, middle = _side_and_middle(image)
    tones = [LIGHT, DEEP]
    if side >= SMALL * FINE:
        _ring(image, SAFE, side / FINE / 14)
        tones = [DARK, LIGHT, SAFE]
    for less, tone in enumerate(tones):
        cv2.circle(image, middle, round(0.34 * side) - less * FINE, (*tone, 255), -1)


def _wrong(image: Drawing, text: str) -> None:
    """Frame the flag and strike it out."""
    side, _ = _side_and_middle(image)
    _ring(image, WRONG, side / FINE / 10)
    height, width = image.shape[:2]
    for across, tone in ((side / 9 + 2 * FINE, DARK), (side / 9, WRONG)):
        cv2.line(image, (0, height), (width, 0), (*tone, 255), round(across))


def _mine(image: Drawing, text: str) -> None:
    side, (x, y) = _side_and_middle(image)
    reach = round(0.24 * side)
    for across, tone in ((side / 6 + 2 * FINE, LIGHT), (side / 6, MINE)):
        for rise in (-reach, reach):
            cv2.line(image, (x - reach, y - rise), (x + reach, y + rise), (*tone, 255), round(across))


def _guess(image: Drawing, text: str) -> None:
    _ring(image, GUESS, _side_and_middle(image)[0] / FINE / 9)
    _plate(image, text, GUESS)


def _plate(image: Drawing, text: str, colour: Colour) -> None:
    side, (x, y) = _side_and_middle(image)
    wide, high = round(0.4 * side), round(0.3 * side)
    for grown, tone in ((FINE, DARK), (0, colour)):
        corner, far = (x - wide - grown, y - high - grown), (x + wide + grown, y + high + grown)
        cv2.rectangle(image, corner, far, (*tone, 255), -1)
    font, thick = cv2.FONT_HERSHEY_SIMPLEX, max(1, round(side / 14))
    (across, tall), _ = cv2.getTextSize(text or "0", font, 1.0, 1)
    scale = min(1.7 * wide / across, 1.6 * high / tall)
    (across, tall), _ = cv2.getTextSize(text, font, scale, thick)
    letters = np.zeros(image.shape[:2], np.uint8)
    cv2.putText(letters, text, (x - across // 2, y + tall // 2), font, scale, 255, thick)
    image[letters > 0] = (*DARK, 255)


def _side_and_middle(image: Drawing) -> tuple[int, tuple[int, int]]:
    """The shorter side of an image, and its middle (x, y)."""
    height, width = image.shape[:2]
    return min(width, height), (width // 2, height // 2)


def _risk(colour: Colour) -> DrawMark:
    return lambda image, text: _plate(image, text, colour)


def _framed(colour: Colour, thick: float) -> DrawMark:
    """Draw a frame; it is one pixel thinner on small cells."""
    return lambda image, _: _ring(image, colour, thick - (_side_and_middle(image)[0] < SMALL * FINE))


DrawMark = Callable[[Drawing, str], None]  # on an empty image; marks of risks contain a text
DRAWN: Mapping[str, DrawMark] = {
    "safe": _safe,
    "mine": _mine,
    "wrong flag": _wrong,
    "guess": _guess,
    "clue": _framed(PROOF, 2.0),
    "pointed": _framed(PROOF, 3.0),
    "chord": _framed(SAFE, 2.0),
    **{f"risk {k}": _risk(colour) for k, (_, colour) in enumerate(HEAT)},
}
