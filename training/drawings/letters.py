"""The letter style of a theme: face, size, place in the cell, weight, slant, shadow, relief, outline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from training.drawings.fonts import Face
from training.drawings.signs import contrasting_colour
from training.drawings.surfaces import Colour, Floats, Layer, Rng, mix

SMALL = 7, 13  # pixels; digit height of toolkits that ignore the cell size
ROOMY = 22  # pixels; smallest cell for such digits


@dataclass(frozen=True, eq=False)
class LetterStyle:
    """`height` of a digit and `shift` (x, y) from the centre are parts (0..1) of the smaller cell side."""

    face: Face
    height: float
    weight: int = 0
    smooth: bool = True
    fringes: bool = False
    slant: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)
    shadow: tuple[int, int] | None = None
    outline: bool = False
    cap: str = ""  # "disc" or "square" behind the letter
    zoom: int = 1  # pixels per dot of the letter
    relief: float = 0.0  # whiteness (0..1) of a copy one pixel below and to the right
    is_dotted: bool = False  # only every second pixel is drawn

    def layers(self, rng: Rng, text: str, size: tuple[int, int], ink: Colour, ground: Colour) -> list[Layer]:
        """The layers of a text on a ground; empty if the face lacks a letter."""
        mask = self._mask(text, size)
        if mask is None:
            return []
        found: list[Layer] = []
        if self.cap:
            behind = ink
            ink = contrasting_colour(rng, behind, ((255, 255, 255), (0, 0, 0), (240, 240, 240)), 70)
            found.append((_cap(self.cap, size, self.height), behind))
        if self.shadow is not None:
            dark = (0.0, 0.0, 0.0) if sum(ink) > 200 else (255.0, 255.0, 255.0)
            moved = np.roll(mask, (self.shadow[1], self.shadow[0]), (0, 1)) * np.float32(0.6)
            found.append((moved, dark))
        if self.relief:
            found.append((np.roll(mask, (1, 1), (0, 1)), mix(ground, (255, 255, 255), self.relief)))
        if self.outline:
            wider = np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), np.float32).reshape(mask.shape)
            found.append((wider, contrasting_colour(rng, ink, ((0, 0, 0), (255, 255, 255)), 70)))
        if self.is_dotted:
            dots = (np.indices(mask.shape[:2]).sum(axis=0) % 2).astype(np.float32)
            mask = mask * (dots if mask.ndim == 2 else dots[..., None])
        found.append((mask, ink))
        return found

    def _mask(self, text: str, size: tuple[int, int]) -> Floats | None:
        width, height = size
        side = min(width, height)
        wanted = max(4.0, self.height * side / self.zoom)
        across = 3 if self.fringes else 1
        raw: Any = self.face.mask(text, wanted * across, self.weight * across, self.smooth)
        if raw is None:
            return None
        glyph: Floats = raw.astype(np.float32) / 255
        if self.slant:
            glyph = slanted(glyph, self.slant, glyph.shape[0])
        if self.zoom > 1:
            glyph = np.kron(glyph, np.ones((self.zoom, self.zoom), np.float32))
        broad = 0.96 * width * across
        if glyph.shape[1] > broad or glyph.shape[0] > height * across:
            fit = min(broad / glyph.shape[1], 0.98 * height * across / glyph.shape[0])
            shape = (max(1, int(glyph.shape[1] * fit)), max(1, int(glyph.shape[0] * fit)))
            how = cv2.INTER_AREA if self.smooth else cv2.INTER_NEAREST
            glyph = cv2.resize(glyph, shape, interpolation=how).astype(np.float32)
        dx, dy = self.shift[0] * side * across, self.shift[1] * side * across
        canvas = place_glyph(glyph, (width * across, height * across), dx, dy)
        if not self.fringes:
            return canvas
        rows = canvas.reshape(height, 3, width * 3).mean(axis=1)
        soft = cv2.blur(rows, (3, 1))
        return np.ascontiguousarray(soft.reshape(height, width, 3)[..., ::-1], np.float32)


def slanted(glyph: Floats, slant: float, height: float) -> Floats:
    """The glyph, whose foot is at `height`, leaning to the right by a part of the height."""
    lean = slant * height
    move = np.array([[1, -slant, lean], [0, 1, 0]], np.float32)
    size = int(glyph.shape[1] + lean + 1), glyph.shape[0]
    return np.asarray(cv2.warpAffine(glyph, move, size), np.float32)


def place_glyph(glyph: Floats, size: tuple[int, int], dx: float, dy: float) -> Floats:
    """A canvas of size (width, height) with the clipped glyph (dx, dy) pixels from its middle."""
    width, height = size
    canvas = np.zeros((height, width), np.float32)
    left, top = round((width - glyph.shape[1]) / 2 + dx), round((height - glyph.shape[0]) / 2 + dy)
    x, y = max(0, left), max(0, top)
    part = glyph[y - top : height - top, x - left : width - left]
    canvas[y : y + part.shape[0], x : x + part.shape[1]] = part
    return canvas


def _cap(form: str, size: tuple[int, int], height: float) -> Floats:
    width, tall = size
    ys, xs = np.mgrid[0:tall, 0:width].astype(np.float32) + 0.5
    reach = min(0.48, height * 0.8) * min(size)
    across, down = np.abs(xs - width / 2), np.abs(ys - tall / 2)
    far = np.hypot(across, down) if form == "disc" else np.maximum(across, down)
    return np.asarray(np.clip(reach - far + 0.5, 0, 1), np.float32)


def choose_letters(rng: Rng, face: Face, side: int) -> LetterStyle:
    """A random letter style for cells whose smaller side is `side` pixels."""
    height = float(rng.uniform(0.3, 0.72) if rng.random() < 0.9 else rng.uniform(0.25, 0.92))
    height = max(height, min(0.9, 6 / side))
    if side >= ROOMY and rng.random() < 0.12:
        height = float(rng.uniform(*SMALL)) / side
    plain = rng.random() < 0.75
    shift = rng.normal(0, 0.03, 2) if rng.random() < 0.85 else rng.uniform(-0.16, 0.16, 2)
    return LetterStyle(
        face,
        height,
        weight=int(rng.random() < 0.08 and height * side > 12),
        smooth=bool(rng.random() < 0.82),
        fringes=bool(rng.random() < 0.12 and not face.is_bitmap),
        slant=float(rng.uniform(0.1, 0.3)) if rng.random() < 0.05 else 0.0,
        shift=(float(shift[0]), float(shift[1])),
        shadow=None if plain or rng.random() < 0.5 else (int(rng.integers(0, 3)), int(rng.integers(1, 3))),
        outline=bool(not plain and rng.random() < 0.4),
        cap="" if plain or rng.random() < 0.65 else ("disc" if rng.random() < 0.5 else "square"),
        zoom=int(rng.integers(2, 4)) if side > 20 and rng.random() < 0.07 else 1,
    )
