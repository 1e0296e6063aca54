"""Landscapes: the mounds, stones, slabs and tufts that pictured themes put on covered or on opened cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from training.drawing.signs import Points, Sheet
from training.drawing.surfaces import Colour, Layer, mix
from training.splits import SCENES, families


@dataclass(frozen=True, eq=False)
class Scene:
    """What lies on every cell of a kind, and the colour that most of it has."""

    layers: tuple[Layer, ...]
    colour: Colour


def choose_scene(rng: np.random.Generator, split: str, size: tuple[int, int], ground: Colour) -> Scene:
    """Something of a landscape, in shades not far from the ground's, for cells of (width, height)."""
    end = tuple(float(value) for value in rng.uniform(0, 255, 3)) if rng.random() < 0.5 else (0.0, 0.0, 0.0)
    if rng.random() < 0.25:
        end = (255.0, 255.0, 255.0)
    colour = mix(ground, (end[0], end[1], end[2]), float(rng.uniform(0.12, 0.55)))
    light = mix(colour, (255, 255, 255), float(rng.uniform(0.04, 0.25)))
    dark = mix(colour, (0, 0, 0), float(rng.uniform(0.1, 0.5)))
    sheet = Sheet(size, bool(rng.random() < 0.9))
    form = str(rng.choice(families(SCENES, split)))
    if form == "mound":
        y, tall = rng.uniform(0.5, 0.7), rng.uniform(0.2, 0.38)
        wide = rng.uniform(0.3, 0.48)
        sheet.fill(_blob(rng, 0.5, y + 0.04, wide, tall, 0.12), dark)
        sheet.fill(_blob(rng, 0.5, y, wide, tall, 0.12), colour)
        _blades(rng, sheet, y - tall * 0.4, 0.25, (light, dark))
    elif form == "stones":
        for _ in range(int(rng.integers(2, 7))):
            x, y, radius = rng.uniform(0.15, 0.85), rng.uniform(0.2, 0.85), rng.uniform(0.06, 0.24)
            sheet.fill(_blob(rng, x, y + 0.03, radius, radius * 0.8, 0.2), dark)
            sheet.fill(_blob(rng, x, y, radius, radius * 0.75, 0.2), colour if rng.random() < 0.7 else light)
    elif form == "slab":
        _slab(rng, sheet, (colour, light, dark))
    elif form == "tuft":
        _blades(rng, sheet, rng.uniform(0.75, 0.95), rng.uniform(0.3, 0.7), (colour, light, dark))
    elif form == "bush":
        for shade in (dark, colour, light):
            for _ in range(int(rng.integers(3, 8))):
                x, y = rng.uniform(0.2, 0.8), rng.uniform(0.3, 0.8)
                sheet.disc(x, y, rng.uniform(0.06, 0.2), shade)
    else:
        count = int(rng.integers(2, 5))
        for k in range(count):
            top = 0.08 + 0.84 * k / count
            shade = (colour, light, dark)[int(rng.integers(3))]
            sheet.fill(_blob(rng, 0.5, top + 0.4 / count, 0.45, 0.36 / count, 0.03), shade)
    part = np.float32(rng.uniform(0.55, 1.0))
    return Scene(
        tuple((mask * part, shade) for mask, shade in sheet.layers), mix(ground, colour, float(part))
    )


def _blob(rng: np.random.Generator, x: float, y: float, wide: float, tall: float, ragged: float) -> Points:
    """A rounded, uneven shape around (x, y), `wide` and `tall` to each side."""
    turns = np.linspace(0, 2 * np.pi, 28, endpoint=False)
    square = rng.uniform(0.35, 1.0)  # the power of a superellipse: 1 is round
    far = 1 + ragged * rng.uniform(-1, 1, len(turns))
    across = np.sign(np.cos(turns)) * np.abs(np.cos(turns)) ** square
    down = np.sign(np.sin(turns)) * np.abs(np.sin(turns)) ** square
    return [(x + wide * a * f, y + tall * b * f) for a, b, f in zip(across, down, far, strict=True)]


def _blades(
    rng: np.random.Generator, sheet: Sheet, foot: float, reach: float, shades: tuple[Colour, ...]
) -> None:
    """Blades of grass that stand on a line, up to `reach` high."""
    for shade in shades:
        for _ in range(int(rng.integers(2, 7))):
            x, high = rng.uniform(0.12, 0.88), rng.uniform(0.3, 1.0) * reach
            half = rng.uniform(0.01, 0.05)
            sheet.fill(
                [(x - half, foot), (x + rng.uniform(-0.12, 0.12), foot - high), (x + half, foot)], shade
            )


def _slab(rng: np.random.Generator, sheet: Sheet, shades: tuple[Colour, Colour, Colour]) -> None:
    """A stone or board that stands or lies there, sometimes with arms, and throws a shadow."""
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
            sheet.fill([(a + lean, above), (b + lean, above), (b, below), (a, below)], shade)
    if rng.random() < 0.5:
        _blades(rng, sheet, min(0.98, foot + 0.04), 0.15, (light, dark))
