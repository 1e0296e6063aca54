"""Draw digits and fit the network that reads mine counters: `python -m training digits`.

The glyphs come from the fonts of `python -m training fetch` and from seven-segment displays. The network has
two hidden layers; numpy fits it with Adam in some minutes on one core. It never sees the validation and test
families before the report.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from training.drawings.fonts import Face, load_faces
from training.drawings.letters import slanted
from training.drawings.surfaces import Rng
from training.storage import PARAMS, Fit, digest_arrays, sized, write_network
from vision.counter import CLASSES, FILE, OTHER, SIDE, Ink, Weights, load_weights, prepared, probabilities

WIDTHS = (SIDE * SIDE + 1, 160, 64, len(CLASSES))
COUNTS = {"train": 120_000, "validation": 4_000, "test": 4_000}
STEPS, BATCH, RATE, DECAY = 8000, 256, 2e-3, 1e-2
SURE = 0.99

# letters that are no digit in any face
LETTERS = "ACEFGHJKLMNPRTUVWXYacdefhkmnprtuvwxy+-.,()[]{}%#?!<>=*&@"
FINE = 4  # glyphs are drawn this many times larger, then averaged
SEGMENTS = {  # top, top left, top right, middle, bottom left, bottom right, bottom
    "0": "1110111", "1": "0010010", "2": "1011101", "3": "1011011", "4": "0111010",
    "5": "1101011", "6": "1101111", "7": "1010010", "8": "1111111", "9": "1111011",
}  # fmt: skip
VARIANTS = {"6": "0101111", "7": "1110010", "9": "1111010"}
OTHER_SEGMENTS = ("0001000", "1001001", "0111110", "1100101", "0101101")  # a minus, and letters

Floats = NDArray[np.float32]


def random_glyph(rng: Rng, families: Sequence[Sequence[Face]]) -> tuple[NDArray[np.float32], int] | None:
    """The network input of a random glyph, and its class; None if the face lacks the letter.

    All families are equally likely, because more than half of the faces belong to three families of bitmaps.
    """
    kind = rng.random()
    if kind < 0.25:
        name, fine = seven_segments(rng)
    else:
        faces = families[int(rng.integers(len(families)))]
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
        drawn = font_glyph(rng, face, text)
        if drawn is None:
            return None
        fine = drawn
    if rng.random() < 0.04:  # half of a glyph
        name, fine = OTHER, half_of(rng, fine)
    ink = render_on_screen(rng, fine)
    return None if ink is None else (prepared(ink), CLASSES.index(name))


def font_glyph(rng: Rng, face: Face, text: str) -> Ink | None:
    """A text in a face, FINE times as large as on the screen; two digits may touch."""
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
        drawn = slanted(drawn, float(rng.uniform(0.08, 0.25)), drawn.shape[0])
    return drawn


def seven_segments(rng: Rng) -> tuple[str, Ink]:
    """A seven-segment digit, and its name."""
    name = str(rng.integers(10))
    lit = VARIANTS[name] if name in VARIANTS and rng.random() < 0.25 else SEGMENTS[name]
    if rng.random() < 0.06:
        name, lit = OTHER, OTHER_SEGMENTS[rng.integers(len(OTHER_SEGMENTS))]
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
        canvas = slanted(canvas, float(rng.uniform(0.05, 0.2)), high)
    return name, canvas


def _segment(
    first: tuple[float, float], last: tuple[float, float], half: float, gap: float, bevel: float
) -> NDArray[np.int32]:
    """The outline of one segment: a bar between two corners with more or less pointed ends."""
    start, end = np.array(first), np.array(last)
    along = (end - start) / np.linalg.norm(end - start)
    across = np.array([-along[1], along[0]]) * half
    grown = along * half * (1 - bevel)
    start, end = start + along * gap - grown, end - along * gap + grown
    tip = along * half * bevel
    outline = [start, start + tip + across, end - tip + across, end, end - tip - across, start + tip - across]
    return np.round(outline).astype(np.int32)


def half_of(rng: Rng, fine: Ink) -> Ink:
    """Half of a glyph, cut horizontally or vertically."""
    height, width = fine.shape
    if rng.random() < 0.5:
        return fine[: height // 2] if rng.random() < 0.5 else fine[height // 2 :]
    return fine[:, : max(1, width // 2)] if rng.random() < 0.5 else fine[:, width // 2 :]


def render_on_screen(rng: Rng, fine: Ink) -> Ink | None:
    """The glyph as cut from a screenshot: pixels, blur, noise, cropped to its box."""
    pad = 2 * FINE
    x, y = rng.integers(0, FINE, 2)
    grown = np.pad(fine, ((pad + y, 2 * pad), (pad + x, 2 * pad)))
    height, width = (side // FINE * FINE for side in grown.shape)
    grown = grown[:height, :width]
    ink: Ink = grown.reshape(height // FINE, FINE, width // FINE, FINE).mean(axis=(1, 3)).astype(np.float32)
    if rng.random() < 0.2:
        ink = np.asarray(cv2.GaussianBlur(ink, (3, 3), rng.uniform(0.3, 0.8)), np.float32)
    if rng.random() < 0.2:  # without antialiasing
        ink = (ink > 0.45).astype(np.float32)
    ink = np.clip(ink / max(0.2, float(ink.max())), 0, 1).astype(np.float32)
    ink = np.clip(ink + rng.normal(0, 0.02, ink.shape), 0, 1).astype(np.float32)
    if rng.random() < 0.3:  # the second threshold of the reader
        ink = np.clip((ink - 0.5) / 0.5, 0, 1).astype(np.float32)
    rows, columns = np.nonzero(ink >= 0.5)
    if len(rows) < 4 or np.ptp(rows) < 4:
        return None
    return ink[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]


def draw_glyphs(split: str, families: Sequence[Sequence[Face]]) -> tuple[Floats, NDArray[np.int64]]:
    """Random glyphs of one split and their classes."""
    rng = np.random.default_rng(sum(map(ord, split)))
    found: list[tuple[Floats, int]] = []
    while len(found) < sized(COUNTS[split]):
        one = random_glyph(rng, families)
        if one is not None:
            found.append(one)
    return np.stack([given for given, _ in found]), np.array([kind for _, kind in found])


def fit_network(given: Floats, kinds: NDArray[np.int64]) -> Weights:
    """Fit the network with STEPS steps of Adam, one cycle of the learning rate, and input noise."""
    rng = np.random.default_rng(0)
    sizes = list(pairwise(WIDTHS))
    values = [rng.normal(0, np.sqrt(2 / a), (a, b)).astype(np.float32) for a, b in sizes]
    values += [np.zeros(b, np.float32) for _, b in sizes]
    first = [np.zeros_like(value) for value in values]
    second = [np.zeros_like(value) for value in values]
    depth = len(sizes)
    for step in range(1, STEPS + 1):
        chosen = rng.integers(len(kinds), size=BATCH)
        layers = [given[chosen] + rng.normal(0, 0.05, (BATCH, WIDTHS[0])).astype(np.float32)]
        for k in range(depth):
            out = layers[-1] @ values[k] + values[depth + k]
            layers.append(np.maximum(out, 0) if k < depth - 1 else out)
        scored = np.exp(layers[-1] - layers[-1].max(axis=1, keepdims=True))
        scored /= scored.sum(axis=1, keepdims=True)
        scored[np.arange(BATCH), kinds[chosen]] -= 1
        slope, slopes = scored / BATCH, {}
        for k in reversed(range(depth)):
            slopes[k], slopes[depth + k] = layers[k].T @ slope, slope.sum(axis=0)
            slope = (slope @ values[k].T) * (layers[k] > 0)
        rate = RATE * (0.5 + 0.5 * np.cos(np.pi * step / STEPS)) * min(1.0, step / 300)
        for k in range(2 * depth):
            first[k] = 0.9 * first[k] + 0.1 * slopes[k]
            second[k] = 0.999 * second[k] + 0.001 * slopes[k] ** 2
            move = first[k] / (1 - 0.9**step) / (np.sqrt(second[k] / (1 - 0.999**step)) + 1e-8)
            values[k] -= (rate * (move + (DECAY * values[k] if k < depth else 0))).astype(np.float32)
        if step % 1000 == 0:
            print(f"{step} of {STEPS}", flush=True)
    return list(zip(values[:depth], values[depth:], strict=True))


def measure(layers: Weights, given: Floats, kinds: NDArray[np.int64]) -> dict[str, float]:
    """The accuracy on glyphs, for all glyphs and for confident readings."""
    sure = probabilities(layers, given)
    right, is_sure = sure.argmax(axis=1) == kinds, sure.max(axis=1) > SURE
    return {
        "right": float(right.mean()),
        f"confidence above {SURE}": float(is_sure.mean()),
        "of these wrong": float(1 - right[is_sure].mean()) if is_sure.any() else 0.0,
        "nats per glyph": float(-np.log(sure[np.arange(len(kinds)), kinds]).mean()),
    }


def main() -> None:
    """Draw, fit, measure, and write."""
    faces = {split: list(families.values()) for split, families in load_faces().items()}
    train = draw_glyphs("train", faces["train"] + faces["calibration"])
    written = [(a.astype(np.float16), b.astype(np.float16)) for a, b in fit_network(*train)]
    layers = [(a.astype(np.float32), b.astype(np.float32)) for a, b in written]
    held = draw_glyphs("validation", faces["validation"])
    print(f"before: {measure(load_weights(), *held)}")
    named = {f"factors{k}": factors for k, (factors, _) in enumerate(written)}
    named |= {f"biases{k}": biases for k, (_, biases) in enumerate(written)}
    np.savez(PARAMS / FILE, allow_pickle=False, **named)
    write_network(FILE, Fit(f"{len(train[1])} drawn glyphs", digest_arrays(*train), measure(layers, *held)))
    print(f"test families: {measure(layers, *draw_glyphs('test', faces['test']))}")
