"""What fills cells that are not of one colour: fields of -1..1 over 3x3 cells, from dark to light."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Sheet:
    """Where each pixel of 3x3 cells is, on the sheet (`xs`, `ys`, pixels) and in its cell (`across`, `down`).

    `size` is (width, height) of a cell, `noise` a number of its own for each pixel.
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
        """How far from a cell's left edge, 0..1."""
        return (self.xs % self.size[0]) / np.float32(self.size[0])

    @property
    def down(self) -> Floats:
        """How far from a cell's upper edge, 0..1."""
        return (self.ys % self.size[1]) / np.float32(self.size[1])

    def soft(self, sigma: float) -> Floats:
        """The noise, blurred over so many pixels."""
        return np.asarray(cv2.GaussianBlur(self.noise, (0, 0), sigma), np.float32)

    def gap(self, part: int) -> float:
        """A distance of two pixels up to a part of a cell."""
        return float(self.rng.integers(2, max(3, self.side // part + 1)))


def _gradient(sheet: Sheet) -> Floats:
    x, y = sheet.across, sheet.down
    way = int(sheet.rng.integers(0, 4))
    ramp = (y, x, (x + y) / 2, np.hypot(x - 0.5, y - 0.5) * 1.4)[way]
    return np.asarray((ramp * 2 - 1) * (1 if sheet.rng.random() < 0.5 else -1), np.float32)


def _lines(sheet: Sheet, way: Floats, least: float | None = None) -> Floats:
    gap = sheet.gap(3)
    return np.where(way % (2 * gap) < (least or gap), np.float32(1), np.float32(-1))


def _stripes(sheet: Sheet) -> Floats:
    return _lines(sheet, sheet.xs * np.float32(sheet.rng.random() < 0.5) + sheet.ys)


def _wood(sheet: Sheet) -> Floats:
    bend = sheet.soft(max(2.0, sheet.side / 3)) * sheet.side
    rings = max(3.0, sheet.side / sheet.rng.uniform(2, 5))
    return np.asarray(np.sin((sheet.ys + bend * 2) * 2 * np.pi / rings) + 0.3 * sheet.noise, np.float32)


def _weave(sheet: Sheet) -> Floats:
    gap = sheet.gap(4)
    over = ((sheet.xs // gap) + (sheet.ys // gap)) % 2 < 1
    return np.asarray(np.where(over, sheet.ys % gap, sheet.xs % gap) / gap * 2 - 1, np.float32)


def _cracks(sheet: Sheet) -> Floats:
    height, width = sheet.xs.shape
    lines = np.zeros((height, width), np.float32)
    for _ in range(int(sheet.rng.integers(6, 40))):
        a, b, c, d = (int(value) for value in sheet.rng.integers(0, [width, height, width, height]))
        cv2.line(lines, (a, b), ((a + c) // 2, (b + d) // 2), 1.0, 1, cv2.LINE_AA)
    return lines * 2 - np.float32(0.5)


def _rings(sheet: Sheet) -> Floats:
    x, y = np.abs(sheet.across - 0.5), np.abs(sheet.down - 0.5)
    far = np.hypot(x, y) if sheet.rng.random() < 0.5 else np.maximum(x, y)
    return np.asarray(np.sin(far * 2 * np.pi * sheet.rng.uniform(1.5, 5)), np.float32)


def _photo(sheet: Sheet) -> Floats:
    few = sheet.rng.uniform(-1.5, 1.5, tuple(sheet.rng.integers(3, 12, 2))).astype(np.float32)
    height, width = sheet.xs.shape
    large = np.asarray(cv2.resize(few, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)
    return large + np.float32(0.1) * sheet.noise


def _waves(sheet: Sheet) -> Floats:
    bend = np.sin(sheet.xs * sheet.rng.uniform(0.2, 0.8)) * sheet.rng.uniform(1, 3)
    return np.asarray(np.sin(sheet.ys * sheet.rng.uniform(0.3, 1.5) + bend), np.float32)


def _bricks(sheet: Sheet) -> Floats:
    tall = max(3, sheet.size[1] // 3)
    joints = (sheet.xs + tall * ((sheet.ys // tall) % 2)) % (2 * tall) < 1
    return np.where((sheet.ys % tall < 1) | joints, np.float32(-1), np.float32(0.3))


def _marble(sheet: Sheet) -> Floats:
    bend = sheet.soft(max(2.0, sheet.side / 3)) * sheet.side
    return np.asarray(
        np.abs(np.sin((sheet.xs + sheet.ys) * np.pi / sheet.side + bend * 3)) * 2 - 1, np.float32
    )


def _halftone(sheet: Sheet) -> Floats:
    gap = float(sheet.rng.integers(3, 6))
    far = np.hypot(sheet.xs % gap - gap / 2, sheet.ys % gap - gap / 2)
    return np.where(far < gap / 3, np.float32(1), np.float32(-0.5))


FIELDS: dict[str, Callable[[Sheet], Floats]] = {
    "gradient": _gradient,
    "noise": lambda sheet: sheet.noise * np.float32(0.5),
    "dither": lambda sheet: np.where((sheet.xs + sheet.ys) % 2 < 1, np.float32(1), np.float32(-1)),
    "stripes": _stripes,
    "hatch": lambda sheet: _lines(sheet, sheet.xs - sheet.ys, 1.0),
    "scanlines": lambda sheet: _lines(sheet, sheet.ys),
    "grass": lambda sheet: np.asarray(cv2.GaussianBlur(sheet.noise, (1, 5), 0, sigmaY=1.5) * 1.2, np.float32),
    "clouds": lambda sheet: sheet.soft(max(1.5, sheet.side / 6)) * np.float32(sheet.side / 2),
    "wood": _wood,
    "speckle": lambda sheet: np.where(
        sheet.noise > sheet.rng.uniform(1.2, 2.5), np.float32(1), np.float32(-0.2)
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
    """How far (-1..1) from the colour to light and dark each pixel of 3x3 cells is; None when it is even."""
    if fill not in FIELDS:
        return None
    width, height = size[0] * 3, size[1] * 3
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    noise = rng.standard_normal((height, width)).astype(np.float32)
    field = FIELDS[fill](Sheet(rng, size, xs, ys, noise))
    return np.asarray(np.clip(field * strength, -1, 1), np.float32)
