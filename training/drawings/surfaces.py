"""Cell surfaces: fill, edge, and layers of (opacity 0..1, colour)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training.drawings.textures import texture
from training.splits import EDGES, FILLS, families

Rng = np.random.Generator
Floats = NDArray[np.float32]
Colour = tuple[float, float, float]  # BGR, 0..255
Layer = tuple[Floats, Colour | Floats]  # opacity, and one colour or a colour per pixel


@dataclass(frozen=True, eq=False)
class Surface:
    """The appearance of covered (or opened) cells.

    `shade` is the second colour of two-coloured fills; `other` is the second colour of a checkerboard (None:
    no checkerboard). `light`, `dark` and `width` (pixels) describe the edge, and `behind` is the colour of
    gaps between tiles. `rounding` (0..0.5) is a part of the cell. `texture` covers 3x3 cells.
    """

    fill: str
    edge: str
    colour: Colour
    shade: Colour
    light: Colour
    dark: Colour
    behind: Colour
    width: int
    rounding: float
    other: Colour | None = None
    texture: Floats | None = None
    is_seamless: bool = False


def random_colour(rng: Rng, low: float = 0, high: float = 255) -> Colour:
    """A random colour with all values from low to high."""
    blue, green, red = rng.uniform(low, high, 3).tolist()
    return blue, green, red


def mix(a: Colour, b: Colour, part: float) -> Colour:
    """The colour at `part` (0..1) of the way from a to b."""
    return (a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part)


def brightness(colour: Colour) -> float:
    """Brightness of a colour, 0..255."""
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]


def colour_distance(a: Colour, b: Colour) -> float:
    """Visible distance of two colours, about 0..255."""
    chroma = max(abs((a[i] - brightness(a)) - (b[i] - brightness(b))) for i in range(3))
    return abs(brightness(a) - brightness(b)) + 0.4 * chroma


def choose_style(kind: dict[str, str], split: str, rng: Rng, common: str, part: float) -> str:
    """A style of a split, or with probability `part` the style common to all splits."""
    return common if rng.random() < part else str(rng.choice(families(kind, split)))


def choose_surface(
    rng: Rng, split: str, size: tuple[int, int], colour: Colour, behind: Colour, plain: float
) -> Surface:
    """A random surface for cells of (width, height) pixels; `plain` is the probability of no edge."""
    fill = choose_style(FILLS, split, rng, "plain", 0.45 + plain / 2)
    edge = choose_style(EDGES, split, rng, "none", plain)
    strength = rng.uniform(0.05, 0.5)
    shade = mix(colour, (255, 255, 255) if rng.random() < 0.5 else (0, 0, 0), rng.uniform(0.06, 0.4))
    light = mix(colour, (255, 255, 255), rng.uniform(0.25, 1.0))
    dark = mix(colour, (0, 0, 0), rng.uniform(0.12, 0.7))
    if rng.random() < 0.12:
        light, dark = dark, light
    smallest = min(size)
    width = 1 if rng.random() < 0.55 else int(rng.integers(1, max(2, min(6, smallest // 7 + 1))))
    other = mix(colour, (0, 0, 0), rng.uniform(0.04, 0.25)) if rng.random() < 0.14 else None
    return Surface(
        fill, edge, colour, shade, light, dark, behind, width,
        float(rng.uniform(0.05, 0.3)), other,
        texture(rng, fill, size, strength), bool(rng.random() < 0.4),
    )  # fmt: skip


def paint(surface: Surface, size: tuple[int, int], place: tuple[int, int], rng: Rng) -> Floats:
    """Paint the cell at this (column, row), (height, width, 3) 0..255."""
    width, height = size
    is_other = surface.other is not None and sum(place) % 2
    cell = np.full((height, width, 3), surface.other if is_other else surface.colour, np.float32)
    if surface.texture is not None:
        deep, wide = surface.texture.shape
        if surface.is_seamless:
            y, x = place[1] % 3 * height, place[0] % 3 * width
        elif surface.fill in {"noise", "grass", "clouds"}:
            y, x = int(rng.integers(0, deep - height + 1)), int(rng.integers(0, wide - width + 1))
        else:
            y, x = 0, 0
        blend(cell, surface.shade, surface.texture[y : y + height, x : x + width, None])
    _draw_edge(cell, surface)
    return cell


def _draw_edge(cell: Floats, surface: Surface) -> None:
    height, width = cell.shape[:2]
    light, dark, thick = surface.light, surface.dark, surface.width
    if surface.edge == "bevel":
        for k in range(thick):
            cell[height - 1 - k, k:] = dark
            cell[k:, width - 1 - k] = dark
            cell[k, : width - k] = light
            cell[: height - k, k] = light
    elif surface.edge == "soft":
        for k in range(thick + 1):
            part = 1 - k / (thick + 1)
            blend(cell[height - 1 - k], dark, part)
            blend(cell[:, width - 1 - k], dark, part)
            blend(cell[k], light, part)
            blend(cell[:, k], light, part)
    elif surface.edge in {"outline", "inset"}:
        at = 0 if surface.edge == "outline" else thick
        cv2.rectangle(cell, (at, at), (width - 1 - at, height - 1 - at), dark, min(2, thick))
    elif surface.edge == "etched":
        cell[0, :], cell[:, 0] = dark, dark
        cell[1, 1:], cell[1:, 1] = light, light
    elif surface.edge in {"dashed", "dotted", "lines"}:  # squares along the upper and the left edge
        side = 1 if surface.edge == "dashed" else min(thick, 2)
        step = {"dashed": 3, "dotted": 2 * side, "lines": side}[surface.edge]
        for at in range(0, max(height, width), step):
            cell[:side, at : at + side], cell[at : at + side, :side] = dark, dark
    elif surface.edge == "dots":
        cell[:1, :1] = dark
        cell[-1:, -1:] = dark
    elif surface.edge == "gloss":
        cell[: height // 2] += 0.25 * (255 - cell[: height // 2])
        cv2.rectangle(cell, (0, 0), (width - 1, height - 1), dark, 1)
    elif surface.edge in {"tile", "pillow"}:
        _draw_tile(cell, surface)


def _draw_tile(cell: Floats, surface: Surface) -> None:
    height, width = cell.shape[:2]
    gap = 0.5 if surface.width == 1 else surface.width / 2
    radius = surface.rounding * min(width, height)
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32) + 0.5
    across = np.abs(xs - width / 2) - (width / 2 - gap - radius)
    down = np.abs(ys - height / 2) - (height / 2 - gap - radius)
    beyond = np.hypot(np.maximum(across, 0), np.maximum(down, 0))
    out = beyond + np.minimum(np.maximum(across, down), 0) - radius
    if surface.edge == "pillow":
        blend(cell, surface.dark, np.clip(1 + out / (min(width, height) * 0.25), 0, 1)[..., None])
    blend(cell, surface.behind, 1 - np.clip(0.5 - out, 0, 1)[..., None])


def blend(cell: Floats, colour: Colour | Floats, part: float | Floats) -> None:
    """Move the pixels of a cell towards a colour; `part` (0..1) of the way."""
    cell += part * (np.asarray(colour, np.float32) - cell)


def draw_layers(cell: Floats, layers: Sequence[Layer]) -> None:
    """Draw layers onto a cell of the same size."""
    for mask, colour in layers:
        blend(cell, colour, mask if mask.ndim == 3 else mask[..., None])


def shrink(
    layers: list[Layer], size: tuple[int, int], part: float, shift: tuple[float, float], smooth: bool
) -> list[Layer]:
    """The layers at a part (0..1) of their size, shifted by (x, y) parts of the cell from the middle."""
    width, height = size
    small = max(1, round(width * part)), max(1, round(height * part))
    left = min(max(round((width - small[0]) / 2 + shift[0] * width), 0), width - small[0])
    top = min(max(round((height - small[1]) / 2 + shift[1] * height), 0), height - small[1])

    def move_field(field: Floats) -> Floats:
        canvas = np.zeros((height, width, *field.shape[2:]), np.float32)
        less = cv2.resize(field, small, interpolation=cv2.INTER_AREA)
        canvas[top : top + small[1], left : left + small[0]] = less
        return canvas

    found: list[Layer] = []
    for mask, colour in layers:
        less = move_field(mask)
        if not smooth:
            less = (less > 0.45).astype(np.float32)
        found.append((less, move_field(colour) if isinstance(colour, np.ndarray) else colour))
    return found


def recolour(layers: list[Layer], colour: Colour) -> list[Layer]:
    """The layers with another main colour; multi-coloured pictures are tinted."""
    own = main_colour(layers)
    tint = np.asarray(colour, np.float32)
    return [
        (mask, each * np.float32(0.3) + tint * np.float32(0.7))
        if isinstance(each, np.ndarray)
        else (mask, colour if each == own else each)
        for mask, each in layers
    ]


def main_colour(layers: list[Layer]) -> Colour:
    """The colour of the largest layer; the mean colour if it is multi-coloured."""
    mask, colour = max(layers, key=lambda layer: float(layer[0].sum()))
    if not isinstance(colour, np.ndarray):
        return colour
    weights = mask if mask.ndim == 2 else mask.mean(axis=2)
    mean = np.average(colour.reshape(-1, 3), axis=0, weights=weights.reshape(-1) + 1e-6)
    blue, green, red = mean.tolist()
    return blue, green, red
