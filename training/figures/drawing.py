"""Draws single figures: in the faces of fonts, and as displays of seven segments draw them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from training.drawing.fonts import Face
from vision.counter import CLASSES, OTHER, Ink, prepared

# letters that are no figure in any face
LETTERS = "ACEFGHJKLMNPRTUVWXYacdefhkmnprtuvwxy+-.,()[]{}%#?!<>=*&@"
FINE = 4  # times finer than the screen glyphs are drawn
SEGMENTS = {  # top, top left, top right, middle, bottom left, bottom right, bottom
    "0": "1110111", "1": "0010010", "2": "1011101", "3": "1011011", "4": "0111010",
    "5": "1101011", "6": "1101111", "7": "1010010", "8": "1111111", "9": "1111011",
}  # fmt: skip
VARIANTS = {"6": "0101111", "7": "1110010", "9": "1111010"}
STRANGE = ("0001000", "1001001", "0111110", "1100101", "0101101")  # a minus, and letters
Rng = np.random.Generator


def glyph(rng: Rng, faces: Sequence[Face]) -> tuple[NDArray[np.float32], int] | None:
    """What the network is given of a random glyph, and its class; None where the face has none."""
    kind = rng.random()
    if kind < 0.25:
        name, fine = segments(rng)
    else:
        face = faces[int(rng.integers(len(faces)))]
        if kind < 0.72:
            text = str(rng.integers(10))
        elif kind < 0.80:
            text = "/:"[rng.integers(2)]
        elif kind < 0.93:
            text = LETTERS[rng.integers(len(LETTERS))]
        else:
            text = "".join(str(rng.integers(10)) for _ in range(2))
        name = text if len(text) == 1 and text in CLASSES else OTHER
        drawn = lettered(rng, face, text)
        if drawn is None:
            return None
        fine = drawn
    if rng.random() < 0.04:  # a part of something
        name, fine = OTHER, part_of(rng, fine)
    ink = on_screen(rng, fine)
    return None if ink is None else (prepared(ink), CLASSES.index(name))


def lettered(rng: Rng, face: Face, text: str) -> Ink | None:
    """A text in a face, FINE times as large as on the screen; two figures touch."""
    height = float(np.exp(rng.uniform(np.log(7), np.log(40))))
    if face.is_bitmap:
        mask = face.mask(text, 8)
        zoom = FINE * int(rng.integers(1, 3))
        fine = None if mask is None else np.kron(mask, np.ones((zoom, zoom), np.uint8))
    else:
        fine = face.mask(text, height * FINE, int(rng.random() < 0.15) * int(rng.integers(1, FINE)))
    if fine is None or fine.max() == 0 or min(fine.shape) < 2:
        return None
    drawn: Ink = np.asarray(fine, np.float32) / np.float32(255)
    if rng.random() < 0.15:
        lean = float(rng.uniform(0.08, 0.25))
        move = np.array([[1, -lean, lean * drawn.shape[0]], [0, 1, 0]], np.float32)
        size = int(drawn.shape[1] + lean * drawn.shape[0] + 1), drawn.shape[0]
        drawn = np.asarray(cv2.warpAffine(drawn, move, size), np.float32)
    return drawn


def segments(rng: Rng) -> tuple[str, Ink]:
    """A figure of seven segments, and its name."""
    name = str(rng.integers(10))
    lit = VARIANTS[name] if name in VARIANTS and rng.random() < 0.25 else SEGMENTS[name]
    if rng.random() < 0.06:
        name, lit = OTHER, STRANGE[rng.integers(len(STRANGE))]
    high = float(np.exp(rng.uniform(np.log(12), np.log(60)))) * FINE
    wide, thick = high * rng.uniform(0.42, 0.75), high * rng.uniform(0.06, 0.19)
    gap, bevel = high * rng.uniform(0, 0.03), rng.uniform(0, 1)
    unlit = float(rng.uniform(0.05, 0.45)) if rng.random() < 0.3 else 0.0
    canvas = np.zeros((int(high) + 2, int(wide) + 2), np.float32)
    half = thick / 2
    corners = [(x, y) for y in (half, high / 2, high - half) for x in (half, wide - half)]
    ends = ((0, 1), (0, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 5))
    for strength in (unlit, 1.0):
        for on, (first, last) in zip(lit, ends, strict=True):
            if strength and (on == "1") == (strength == 1.0):
                shape = _segment(corners[first], corners[last], half, gap, bevel)
                cv2.fillPoly(canvas, [shape], strength)
    if rng.random() < 0.2:
        lean = float(rng.uniform(0.05, 0.2))
        move = np.array([[1, -lean, lean * high], [0, 1, 0]], np.float32)
        size = int(canvas.shape[1] + lean * high + 1), canvas.shape[0]
        canvas = np.asarray(cv2.warpAffine(canvas, move, size), np.float32)
    return name, canvas


def _segment(
    first: tuple[float, float], last: tuple[float, float], half: float, gap: float, bevel: float
) -> NDArray[np.int32]:
    """The outline of one segment: a bar between two corners, its ends more or less pointed."""
    start, end = np.array(first), np.array(last)
    along = (end - start) / np.linalg.norm(end - start)
    across = np.array([-along[1], along[0]]) * half
    grown = along * half * (1 - bevel)
    start, end = start + along * gap - grown, end - along * gap + grown
    tip = along * half * bevel
    outline = [start, start + tip + across, end - tip + across, end, end - tip - across, start + tip - across]
    return np.round(outline).astype(np.int32)


def part_of(rng: Rng, fine: Ink) -> Ink:
    """A half of it, cut across or along."""
    height, width = fine.shape
    if rng.random() < 0.5:
        return fine[: height // 2] if rng.random() < 0.5 else fine[height // 2 :]
    return fine[:, : max(1, width // 2)] if rng.random() < 0.5 else fine[:, width // 2 :]


def on_screen(rng: Rng, fine: Ink) -> Ink | None:
    """The glyph as it is cut from a picture of a screen: pixels, blur, noise, and only its box."""
    pad = 2 * FINE
    x, y = rng.integers(0, FINE, 2)
    grown = np.pad(fine, ((pad + y, 2 * pad), (pad + x, 2 * pad)))
    height, width = (side // FINE * FINE for side in grown.shape)
    grown = grown[:height, :width]
    ink: Ink = grown.reshape(height // FINE, FINE, width // FINE, FINE).mean(axis=(1, 3)).astype(np.float32)
    if rng.random() < 0.2:
        ink = np.asarray(cv2.GaussianBlur(ink, (3, 3), rng.uniform(0.3, 0.8)), np.float32)
    if rng.random() < 0.2:  # drawn without smooth rims
        ink = (ink > 0.45).astype(np.float32)
    ink = np.clip(ink / max(0.2, float(ink.max())), 0, 1).astype(np.float32)
    ink = np.clip(ink + rng.normal(0, 0.02, ink.shape), 0, 1).astype(np.float32)
    if rng.random() < 0.3:  # the second of the shares of ink
        ink = np.clip((ink - 0.5) / 0.5, 0, 1).astype(np.float32)
    rows, columns = np.nonzero(ink >= 0.5)
    if len(rows) < 4 or np.ptp(rows) < 4:
        return None
    return ink[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
