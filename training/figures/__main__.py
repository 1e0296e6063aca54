"""Draws figures, fits the network, writes it and says how often it is right: `python -m training.figures`.

A network of two hidden layers, fitted with Adam in numpy: some minutes on one core. The fonts are brought by
`python -m training fetch`; the families of validation and test are never trained on.
"""

from __future__ import annotations

import io
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.drawing.fonts import Face, load
from training.ending import exit_code_of
from training.figures.drawing import glyph
from vision.counter import CLASSES, FILE, SIDE, scores
from vision.params import write_checksum

FOLDER = Path(__file__).resolve().parents[2] / "vision" / "counter"
WIDTHS = (SIDE * SIDE + 1, 160, 64, len(CLASSES))
COUNTS = {"train": 48_000, "validation": 4_000, "test": 4_000}
STEPS, BATCH, RATE, DECAY = 4000, 256, 2e-3, 1e-2
SURE = 0.99

Floats = NDArray[np.float32]
Layers = list[tuple[Floats, Floats]]


def drawn(split: str, faces: list[Face]) -> tuple[Floats, NDArray[np.int64]]:
    """Glyphs of one split and their classes."""
    rng = np.random.default_rng(sum(map(ord, split)))
    found: list[tuple[Floats, int]] = []
    while len(found) < COUNTS[split]:
        one = glyph(rng, faces)
        if one is not None:
            found.append(one)
    return np.stack([given for given, _ in found]), np.array([kind for _, kind in found])


def fitted(given: Floats, kinds: NDArray[np.int64]) -> Layers:
    """The network after STEPS steps of Adam, one cycle of the rate; a little noise is on all that it sees."""
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


def report(split: str, layers: Layers, given: Floats, kinds: NDArray[np.int64]) -> None:
    """How often the network is right on glyphs of one split, and how often where it is sure."""
    scored = scores(layers, given).astype(np.float64)
    sure = np.exp(scored - scored.max(axis=1, keepdims=True))
    sure /= sure.sum(axis=1, keepdims=True)
    right, is_sure = scored.argmax(axis=1) == kinds, sure.max(axis=1) > SURE
    print(
        f"{split}: {right.mean():.4f} right; {is_sure.mean():.3f} are more than {SURE} sure, "
        f"and of these {1 - right[is_sure].mean():.5f} are wrong"
    )


def main() -> None:
    """Draws, fits, writes, reports."""
    faces = {split: [face for found in kept.values() for face in found] for split, kept in load().items()}
    layers = fitted(*drawn("train", faces["train"]))
    layers = [(factors.astype(np.float16), biases.astype(np.float16)) for factors, biases in layers]
    named = {f"factors{k}": factors for k, (factors, _) in enumerate(layers)}
    named |= {f"biases{k}": biases for k, (_, biases) in enumerate(layers)}
    data = io.BytesIO()
    np.savez(data, allow_pickle=False, **named)
    (FOLDER / FILE).write_bytes(data.getvalue())
    write_checksum(FOLDER / FILE)
    for split in ("validation", "test"):
        report(split, layers, *drawn(split, faces[split]))


if __name__ == "__main__":
    sys.exit(exit_code_of(main))
