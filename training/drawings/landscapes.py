"""Landscapes and plates, which some themes draw on cells.

A landscape (mounds, stones, slabs, tufts) is on every covered or opened cell. A plate (a disc, a plank, a
shield, some on a pole) is behind every number.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from training.drawings.signs import Points, ShapeCanvas, contrasting_colour
from training.drawings.surfaces import Colour, Layer, Rng, mix, random_colour
from training.splits import PLATES, SCENES, families


@dataclass(frozen=True, eq=False)
class Landscape:
    """The layers on every cell of a kind, and their main colour."""

    layers: tuple[Layer, ...]
    colour: Colour


def choose_landscape(rng: Rng, split: str, size: tuple[int, int], ground: Colour) -> Landscape:
    """A random landscape in shades close to the ground, for cells of (width, height) pixels."""
    end = random_colour(rng) if rng.random() < 0.5 else (0.0, 0.0, 0.0)
    if rng.random() < 0.25:
        end = (255.0, 255.0, 255.0)
    colour = mix(ground, end, float(rng.uniform(0.12, 0.55)))
    light = mix(colour, (255, 255, 255), float(rng.uniform(0.04, 0.25)))
    dark = mix(colour, (0, 0, 0), float(rng.uniform(0.1, 0.5)))
    canvas = ShapeCanvas(size, bool(rng.random() < 0.9))
    form = str(rng.choice(families(SCENES, split)))
    if form == "mound":
        y, tall = rng.uniform(0.5, 0.7), rng.uniform(0.2, 0.38)
        wide = rng.uniform(0.3, 0.48)
        canvas.fill(_blob(rng, 0.5, y + 0.04, wide, tall, 0.12), dark)
        canvas.fill(_blob(rng, 0.5, y, wide, tall, 0.12), colour)
        _blades(rng, canvas, y - tall * 0.4, 0.25, (light, dark))
    elif form == "stones":
        for _ in range(int(rng.integers(2, 7))):
            x, y, radius = rng.uniform(0.15, 0.85), rng.uniform(0.2, 0.85), rng.uniform(0.06, 0.24)
            canvas.fill(_blob(rng, x, y + 0.03, radius, radius * 0.8, 0.2), dark)
            canvas.fill(_blob(rng, x, y, radius, radius * 0.75, 0.2), colour if rng.random() < 0.7 else light)
    elif form == "slab":
        _slab(rng, canvas, (colour, light, dark))
    elif form == "tuft":
        _blades(rng, canvas, rng.uniform(0.75, 0.95), rng.uniform(0.3, 0.7), (colour, light, dark))
    elif form == "bush":
        for shade in (dark, colour, light):
            for _ in range(int(rng.integers(3, 8))):
                x, y = rng.uniform(0.2, 0.8), rng.uniform(0.3, 0.8)
                canvas.disc(x, y, rng.uniform(0.06, 0.2), shade)
    else:
        count = int(rng.integers(2, 5))
        for k in range(count):
            top = 0.08 + 0.84 * k / count
            shade = (colour, light, dark)[int(rng.integers(3))]
            canvas.fill(_blob(rng, 0.5, top + 0.4 / count, 0.45, 0.36 / count, 0.03), shade)
    part = np.float32(rng.uniform(0.55, 1.0))
    layers = tuple((mask * part, shade) for mask, shade in canvas.layers)
    return Landscape(layers, mix(ground, colour, float(part)))


@dataclass(frozen=True, eq=False)
class Plate:
    """The layers behind a number and those of an empty opened cell.

    The plate has one colour. Its `shift` (x, y) from the centre of the cell and its `height` are parts of the
    smaller cell side.
    """

    layers: tuple[Layer, ...]
    empty: tuple[Layer, ...]
    colour: Colour
    shift: tuple[float, float]
    height: float


def choose_plate(rng: Rng, split: str, size: tuple[int, int], ground: Colour) -> Plate:
    """A random plate for cells of (width, height) pixels, half of them on a pole.

    An empty cell has no plate, the same, or a smaller one.
    """
    colour = contrasting_colour(rng, ground, (random_colour(rng),), 40)
    dark = mix(colour, (0, 0, 0), float(rng.uniform(0.2, 0.8)))
    form, smooth = str(rng.choice(families(PLATES, split))), bool(rng.random() < 0.85)
    x, y = 0.5 + rng.uniform(-0.08, 0.08), rng.uniform(0.36, 0.56)
    wide, tall = rng.uniform(0.2, 0.42), rng.uniform(0.2, 0.36)
    foot = (x + rng.uniform(-0.12, 0.12), 0.95) if rng.random() < 0.5 else None
    pole, edge, skew = rng.uniform(0.03, 0.1), rng.uniform(0.0, 0.05), rng.uniform(-0.1, 0.1)
    seams = rng.uniform(-0.8, 0.8, int(rng.integers(1, 4))) if rng.random() < 0.3 else ()

    def draw(part: float) -> tuple[Layer, ...]:
        canvas = ShapeCanvas(size, smooth)
        if foot is not None:
            canvas.lines([(x, y, *foot)], pole, dark)
        for shade, more in ((dark, edge), (colour, 0.0)):
            across, down = part * wide + more, part * tall + more
            canvas.fill([(x + across * a, y + down * b) for a, b in _outline(form, skew)], shade)
        ends = [(x - part * wide, y + tall * s, x + part * wide, y + tall * s) for s in seams]
        canvas.lines(ends, 0.02, dark)
        return tuple(canvas.layers)

    layers = draw(1.0)
    lot = rng.random()
    empty = () if lot < 0.5 else layers if lot < 0.7 else draw(float(rng.uniform(0.3, 0.7)))
    return Plate(layers, empty, colour, (float(x) - 0.5, float(y) - 0.5), float(2 * tall))


def _outline(form: str, skew: float) -> Points:
    """The corners of a plate between -1 and 1."""
    if form in {"disc", "tag"}:
        turns = np.linspace(0, 2 * np.pi, 32, endpoint=False)
        power = 1.0 if form == "disc" else 0.35  # exponent of a superellipse
        return [
            (float(np.sign(c) * abs(c) ** power), float(np.sign(s) * abs(s) ** power))
            for c, s in zip(np.cos(turns), np.sin(turns), strict=True)
        ]
    if form == "plank":
        return [(-1, -1 + skew), (1, -1 - skew), (1 - skew, 1 + skew), (-1 + skew, 1 - skew)]
    if form == "shield":
        return [(-1, -1), (1, -1), (1, 0.3), (skew, 1.2), (-1, 0.3)]
    return [(-1, -0.8), (1, -0.8), (0.7, 0), (1, 0.8), (-1, 0.8), (-0.7, 0)]


def _blob(rng: Rng, x: float, y: float, wide: float, tall: float, ragged: float) -> Points:
    """A rounded, uneven shape around (x, y) with half axes `wide` and `tall`."""
    turns = np.linspace(0, 2 * np.pi, 28, endpoint=False)
    square = rng.uniform(0.35, 1.0)  # exponent of a superellipse; 1 is round
    far = 1 + ragged * rng.uniform(-1, 1, len(turns))
    across = np.sign(np.cos(turns)) * np.abs(np.cos(turns)) ** square
    down = np.sign(np.sin(turns)) * np.abs(np.sin(turns)) ** square
    return [(x + wide * a * f, y + tall * b * f) for a, b, f in zip(across, down, far, strict=True)]


def _blades(rng: Rng, canvas: ShapeCanvas, foot: float, reach: float, shades: tuple[Colour, ...]) -> None:
    """Blades of grass on a line, up to `reach` high."""
    for shade in shades:
        for _ in range(int(rng.integers(2, 7))):
            x, high = rng.uniform(0.12, 0.88), rng.uniform(0.3, 1.0) * reach
            half, tip = rng.uniform(0.01, 0.05), x + rng.uniform(-0.12, 0.12)
            canvas.fill([(x - half, foot), (tip, foot - high), (x + half, foot)], shade)


def _slab(rng: Rng, canvas: ShapeCanvas, shades: tuple[Colour, Colour, Colour]) -> None:
    """A standing or lying slab with a shadow, sometimes with arms."""
    colour, light, dark = shades
    x, half = 0.5 + rng.uniform(-0.06, 0.06), rng.uniform(0.18, 0.4)
    top, foot = rng.uniform(0.06, 0.25), rng.uniform(0.72, 0.95)
    lean = rng.uniform(-0.08, 0.08)
    parts = [(x, (top + foot) / 2, half, (foot - top) / 2)]
    if rng.random() < 0.4:
        parts = [(x, (top + foot) / 2, half * 0.4, (foot - top) / 2)]
        parts.append((x, top + (foot - top) * 0.35, rng.uniform(0.25, 0.42), rng.uniform(0.06, 0.14)))
    for off, shade in ((0.04, dark), (-0.015, light), (0.0, colour)):
        for left, middle, wide, tall in parts:
            a, b = left - wide + off, left + wide + off
            above, below = middle - tall + off, middle + tall + off
            canvas.fill([(a + lean, above), (b + lean, above), (b, below), (a, below)], shade)
    if rng.random() < 0.5:
        _blades(rng, canvas, min(0.98, foot + 0.04), 0.15, (light, dark))
