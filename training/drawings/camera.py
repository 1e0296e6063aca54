"""Image changes between a drawing and the model: scale, compression, blur, colours, inexact cuts."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from training.drawings.board_images import DrawnBoard
from training.drawings.surfaces import Rng
from vision.frame import Pixels

FILTERS = (cv2.INTER_NEAREST, cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_AREA, cv2.INTER_LANCZOS4)


def photograph(rng: Rng, drawn: DrawnBoard) -> DrawnBoard:
    """The board as another screen or screenshot shows it, with scaled lines."""
    pixels, xs, ys = drawn.pixels, np.array(drawn.xs, float), np.array(drawn.ys, float)
    cell = min(xs[1] - xs[0], ys[1] - ys[0])
    if rng.random() < 0.55:
        scale = float(np.exp(rng.uniform(np.log(0.75), np.log(2.5))))
        scale = min(max(scale, 9 / cell), 96 / cell)
        size = (max(1, round(pixels.shape[1] * scale)), max(1, round(pixels.shape[0] * scale)))
        how = FILTERS[int(rng.integers(len(FILTERS)))]
        xs, ys = xs * size[0] / pixels.shape[1], ys * size[1] / pixels.shape[0]
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=how), np.uint8)
        cell = min(xs[1] - xs[0], ys[1] - ys[0])
    if rng.random() < 0.08 and cell > 14:
        pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), float(rng.uniform(0.3, 0.9))), np.uint8)
    if rng.random() < 0.15:
        pixels = _change_colours(rng, pixels)
    if rng.random() < 0.05:
        noise = rng.normal(0, rng.uniform(1, 6), pixels.shape)
        pixels = np.clip(pixels + noise, 0, 255).astype(np.uint8)
    if rng.random() < 1 / 7:
        _, packed = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 96))])
        pixels = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    lines = [tuple(round(float(line)) for line in edges) for edges in (xs, ys)]
    return DrawnBoard(pixels, lines[0], lines[1], drawn.rows)


def _change_colours(rng: Rng, pixels: Pixels) -> Pixels:
    if rng.random() < 0.5:
        gamma = float(np.exp(rng.uniform(-0.6, 0.6)))
        return (255 * (np.arange(256) / 255) ** gamma).round().astype(np.uint8)[pixels]
    hsv = cv2.cvtColor(pixels, cv2.COLOR_BGR2HSV)
    hsv[..., 0] = (hsv[..., 0].astype(int) + int(rng.integers(0, 180))) % 180
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8)


def cut_cells(rng: Rng, drawn: DrawnBoard, exact: float = 0.5) -> Iterator[tuple[str, Pixels]]:
    """The state and picture of every cell, cut with errors of up to 6 % or two pixels.

    `exact` is the probability that all cells are cut exactly.
    """
    is_exact = rng.random() < exact
    height, width = drawn.pixels.shape[:2]
    for r, row in enumerate(drawn.rows):
        for c, state in enumerate(row):
            left, top, right, bottom = drawn.xs[c], drawn.ys[r], drawn.xs[c + 1], drawn.ys[r + 1]
            if not is_exact:
                reach = max(1, min(2, round(0.06 * (right - left))))
                off = rng.integers(-reach, reach + 1, 4)
                left, top = max(0, left + int(off[0])), max(0, top + int(off[1]))
                right, bottom = min(width, right + int(off[2])), min(height, bottom + int(off[3]))
            yield state, drawn.pixels[top:bottom, left:right]


def wrong_cuts(rng: Rng, drawn: DrawnBoard, count: int) -> Iterator[Pixels]:
    """Cuts that are visibly no cell: shifted, or half to three times the pitch."""
    wide, tall = drawn.xs[1] - drawn.xs[0], drawn.ys[1] - drawn.ys[0]
    whole = [unevenness(cut) for _, cut in cut_cells(rng, drawn, exact=1.0)]
    least = 1.5 * float(np.median(whole)) + 10
    for _ in range(count * 3):
        if count <= 0:
            return
        c, r = int(rng.integers(len(drawn.xs) - 1)), int(rng.integers(len(drawn.ys) - 1))
        left, top = float(drawn.xs[c]), float(drawn.ys[r])
        kind = rng.random()
        size = 1.0
        if kind < 0.5:
            move = rng.uniform(0.25, 0.5, 2) * rng.choice([-1, 1], 2)
            move[int(rng.integers(0, 2))] *= rng.random() < 0.5
            left, top = left + move[0] * wide, top + move[1] * tall
        else:
            size = float(rng.choice([0.5, 2.0, 1.5, 2.0, 0.5, 3.0]))
            if size == 0.5:
                left, top = left + rng.integers(0, 2) * wide / 2, top + rng.integers(0, 2) * tall / 2
        box = [int(left), int(top), int(left + wide * size), int(top + tall * size)]
        cut = drawn.pixels[max(0, box[1]) : box[3], max(0, box[0]) : box[2]]
        if cut.shape[:2] != (box[3] - box[1], box[2] - box[0]) or min(cut.shape[:2]) < 6:
            continue  # small, or partly outside the picture
        if unevenness(cut) > least:
            count -= 1
            yield cut


def unevenness(cut: Pixels) -> float:
    """Largest deviation along a side of a picture without its corners, in grey levels.

    A high value means that a drawing crosses the border.
    """
    height, width = cut.shape[:2]
    x, y = max(1, width // 6), max(1, height // 6)
    sides = (cut[0, x:-x], cut[-1, x:-x], cut[y:-y, 0], cut[y:-y, -1])
    return max(float(side.astype(np.float32).std(axis=0).max()) for side in sides)
