"""Drawings that are no state of a cell: letters, numbers, faces, hearts, arrows, dice, icons, boxes."""

from __future__ import annotations

import cv2
import numpy as np

from training.drawings.icons import SIDE, Icon
from training.drawings.letters import LetterStyle, place_glyph
from training.drawings.signs import ShapeCanvas, contrasting_colour
from training.drawings.surfaces import Colour, Layer, Rng

LETTERS = "ABCDEHJKLMNOPQRTUVWXYabcdefghjkmnoprtuvwxy9@#$%&+=<>/\\{}[]()~^;:,."
DIGIT_LIKE = "SZGBgqsz"  # letters that look like digits in some faces; rare


def draw_icon(icon: Icon, size: tuple[int, int], part: float, ink: Colour, smooth: bool) -> list[Layer]:
    """An icon at a part (0..1) of the smaller cell side; the layer has a colour for each pixel."""
    side = max(4, round(min(size) * part))
    how = cv2.INTER_AREA if side < SIDE else cv2.INTER_LINEAR
    small = cv2.resize(icon.picture, (side, side), interpolation=how)
    opaque = np.asarray(small[..., 3], np.float32) / np.float32(255)
    if not smooth:
        opaque = (opaque > 0.5).astype(np.float32)
    mask = place_glyph(opaque, size, 0, 0)
    if icon.is_ink:
        return [(mask, ink)]
    colours = [place_glyph(small[..., k].astype(np.float32), size, 0, 0) for k in range(3)]
    return [(mask, np.stack(colours, axis=-1))]


def draw_distractor(
    rng: Rng, letters: LetterStyle, icon: Icon | None, size: tuple[int, int], ground: Colour
) -> list[Layer]:
    """A random drawing that is no state of a Minesweeper cell."""
    ink = contrasting_colour(rng, ground, ((0, 0, 0), (255, 255, 255), (40, 40, 200), (200, 60, 40)), 50)
    kind = rng.random()
    found: list[Layer] = []
    if kind < 0.3:
        pool = DIGIT_LIKE if rng.random() < 0.06 else LETTERS
        text = "".join(rng.choice(list(pool), int(rng.choice([1, 1, 1, 2, 3]))))
        found = letters.layers(rng, text, size, ink, ground)
    elif kind < 0.42:
        found = letters.layers(rng, str(rng.integers(9, 200)), size, ink, ground)
    elif kind < 0.7 and icon is not None:
        found = draw_icon(icon, size, float(rng.uniform(0.4, 1.0)), ink, bool(rng.random() < 0.9))
    return found or draw_shape(rng, size, ink, ground)


def draw_shape(rng: Rng, size: tuple[int, int], ink: Colour, ground: Colour) -> list[Layer]:
    """A face, a die, a heart, an arrow, or lines and boxes."""
    canvas = ShapeCanvas(size, bool(rng.random() < 0.8))
    kind = int(rng.integers(0, 7))
    second = contrasting_colour(rng, ground, ((0, 220, 255), (0, 0, 220), (200, 120, 0)), 30)
    if kind == 0:
        canvas.disc(0.5, 0.5, rng.uniform(0.3, 0.47), second, 0.0)
        for x in (0.38, 0.62):
            canvas.disc(x, 0.42, 0.05, ink)
        canvas.lines([(0.35, 0.62, 0.5, 0.68), (0.5, 0.68, 0.65, 0.62)], 0.05, ink)
    elif kind == 1:
        spots = int(rng.integers(2, 7))
        grid = [(0.25, 0.25), (0.75, 0.75), (0.25, 0.75), (0.75, 0.25), (0.5, 0.5), (0.25, 0.5), (0.75, 0.5)]
        for x, y in grid[:spots]:
            canvas.disc(x, y, 0.09, ink)
    elif kind == 2:
        canvas.disc(0.35, 0.38, 0.17, second)
        canvas.disc(0.65, 0.38, 0.17, second)
        canvas.fill([(0.2, 0.46), (0.8, 0.46), (0.5, 0.85)], second)
    elif kind == 3:
        canvas.lines([(0.2, 0.5, 0.8, 0.5)], 0.1, ink)
        canvas.fill([(0.55, 0.25), (0.85, 0.5), (0.55, 0.75)], ink)
    elif kind == 4:
        for _ in range(int(rng.integers(1, 4))):
            a, b, c, d = rng.uniform(0, 1, 4)
            canvas.box(a, b, c, d, ink if rng.random() < 0.5 else second)
    elif kind == 5:
        ends = [tuple(rng.uniform(-0.1, 1.1, 4)) for _ in range(int(rng.integers(2, 7)))]
        canvas.lines([(a, b, c, d) for a, b, c, d in ends], rng.uniform(0.02, 0.15), ink)
    else:
        canvas.disc(rng.uniform(0.3, 0.7), rng.uniform(0.3, 0.7), rng.uniform(0.2, 0.45), ink, 0.06)
        canvas.fill([tuple(rng.uniform(0, 1, 2)) for _ in range(3)], second)
    return canvas.layers
