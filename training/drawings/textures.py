"""Textures of cells: fields of -1 (dark) to 1 (light) over 3x3 cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class TextureCanvas:
    """Coordinates of the pixels of 3x3 cells: `xs`, `ys` in pixels, `across`, `down` within a cell.

    `size` is (width, height) of a cell; `noise` is a random number for each pixel.
    """

    rng: np.random.Generator
    size: tuple[int, int]
    xs: Floats
    ys: Floats
    noise: Floats

    @property
    def side(self) -> int:
        """The smaller side of a cell, pixels."""
        return min(self.size)

    @property
    def across(self) -> Floats:
        """Distance from the left edge of the cell, 0..1."""
        return (self.xs % self.size[0]) / np.float32(self.size[0])

    @property
    def down(self) -> Floats:
        """Distance from the upper edge of the cell, 0..1."""
        return (self.ys % self.size[1]) / np.float32(self.size[1])

    def soft(self, sigma: float) -> Floats:
        """The noise, blurred with this standard deviation in pixels."""
        return np.asarray(cv2.GaussianBlur(self.noise, (0, 0), sigma), np.float32)

    def gap(self, part: int) -> float:
        """A random distance between two pixels and a part of the cell."""
        return float(self.rng.integers(2, max(3, self.side // part + 1)))


def _gradient(canvas: TextureCanvas) -> Floats:
    x, y = canvas.across, canvas.down
    way = int(canvas.rng.integers(0, 4))
    ramp = (y, x, (x + y) / 2, np.hypot(x - 0.5, y - 0.5) * 1.4)[way]
    return np.asarray((ramp * 2 - 1) * (1 if canvas.rng.random() < 0.5 else -1), np.float32)


def _lines(canvas: TextureCanvas, way: Floats, least: float | None = None) -> Floats:
    gap = canvas.gap(3)
    return np.where(way % (2 * gap) < (least or gap), np.float32(1), np.float32(-1))


def _wood(canvas: TextureCanvas) -> Floats:
    bend = canvas.soft(max(2.0, canvas.side / 3)) * canvas.side
    rings = max(3.0, canvas.side / canvas.rng.uniform(2, 5))
    return np.asarray(np.sin((canvas.ys + bend * 2) * 2 * np.pi / rings) + 0.3 * canvas.noise, np.float32)


def _weave(canvas: TextureCanvas) -> Floats:
    gap = canvas.gap(4)
    over = ((canvas.xs // gap) + (canvas.ys // gap)) % 2 < 1
    return np.asarray(np.where(over, canvas.ys % gap, canvas.xs % gap) / gap * 2 - 1, np.float32)


def _cracks(canvas: TextureCanvas) -> Floats:
    height, width = canvas.xs.shape
    lines = np.zeros((height, width), np.float32)
    for _ in range(int(canvas.rng.integers(6, 40))):
        a, b, c, d = (int(value) for value in canvas.rng.integers(0, [width, height, width, height]))
        cv2.line(lines, (a, b), ((a + c) // 2, (b + d) // 2), 1.0, 1, cv2.LINE_AA)
    return lines * 2 - np.float32(0.5)


def _rings(canvas: TextureCanvas) -> Floats:
    x, y = np.abs(canvas.across - 0.5), np.abs(canvas.down - 0.5)
    far = np.hypot(x, y) if canvas.rng.random() < 0.5 else np.maximum(x, y)
    return np.asarray(np.sin(far * 2 * np.pi * canvas.rng.uniform(1.5, 5)), np.float32)


def _photo(canvas: TextureCanvas) -> Floats:
    few = canvas.rng.uniform(-1.5, 1.5, tuple(canvas.rng.integers(3, 12, 2))).astype(np.float32)
    height, width = canvas.xs.shape
    large = np.asarray(cv2.resize(few, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)
    return large + np.float32(0.1) * canvas.noise


def _waves(canvas: TextureCanvas) -> Floats:
    bend = np.sin(canvas.xs * canvas.rng.uniform(0.2, 0.8)) * canvas.rng.uniform(1, 3)
    return np.asarray(np.sin(canvas.ys * canvas.rng.uniform(0.3, 1.5) + bend), np.float32)


def _bricks(canvas: TextureCanvas) -> Floats:
    tall = max(3, canvas.size[1] // 3)
    joints = (canvas.xs + tall * ((canvas.ys // tall) % 2)) % (2 * tall) < 1
    return np.where((canvas.ys % tall < 1) | joints, np.float32(-1), np.float32(0.3))


def _marble(canvas: TextureCanvas) -> Floats:
    bend = canvas.soft(max(2.0, canvas.side / 3)) * canvas.side
    return np.asarray(
        np.abs(np.sin((canvas.xs + canvas.ys) * np.pi / canvas.side + bend * 3)) * 2 - 1, np.float32
    )


def _halftone(canvas: TextureCanvas) -> Floats:
    gap = float(canvas.rng.integers(3, 6))
    far = np.hypot(canvas.xs % gap - gap / 2, canvas.ys % gap - gap / 2)
    return np.where(far < gap / 3, np.float32(1), np.float32(-0.5))


FIELDS: dict[str, Callable[[TextureCanvas], Floats]] = {
    "gradient": _gradient,
    "noise": lambda canvas: canvas.noise * np.float32(0.5),
    "dither": lambda canvas: np.where((canvas.xs + canvas.ys) % 2 < 1, np.float32(1), np.float32(-1)),
    "stripes": lambda canvas: _lines(canvas, canvas.xs * np.float32(canvas.rng.random() < 0.5) + canvas.ys),
    "hatch": lambda canvas: _lines(canvas, canvas.xs - canvas.ys, 1.0),
    "scanlines": lambda canvas: _lines(canvas, canvas.ys),
    "grass": lambda canvas: np.asarray(
        cv2.GaussianBlur(canvas.noise, (1, 5), 0, sigmaY=1.5) * 1.2, np.float32
    ),
    "clouds": lambda canvas: canvas.soft(max(1.5, canvas.side / 6)) * np.float32(canvas.side / 2),
    "wood": _wood,
    "speckle": lambda canvas: np.where(
        canvas.noise > canvas.rng.uniform(1.2, 2.5), np.float32(1), np.float32(-0.2)
    ),
    "weave": _weave,
    "cracks": _cracks,
    "rings": _rings,
    "photo": _photo,
    "waves": _waves,
    "bricks": _bricks,
    "marble": _marble,
    "halftone": _halftone,
}


def texture(rng: np.random.Generator, fill: str, size: tuple[int, int], strength: float) -> Floats | None:
    """Lightness (-1..1) of each pixel of 3x3 cells; None if the fill has no texture."""
    if fill not in FIELDS:
        return None
    width, height = size[0] * 3, size[1] * 3
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    noise = rng.standard_normal((height, width)).astype(np.float32)
    field = FIELDS[fill](TextureCanvas(rng, size, xs, ys, noise))
    return np.asarray(np.clip(field * strength, -1, 1), np.float32)
