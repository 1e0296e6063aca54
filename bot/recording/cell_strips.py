"""Cells cut out of a picture of the board and laid side by side: what a recording keeps of a frame."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np

from vision.frame import Frame, Pixels
from vision.lattice import Lattice


def strip_of(lattice: Lattice, pixels: Pixels, cells: Iterable[int]) -> Pixels:
    """These cells side by side, top aligned, in one picture."""
    boxes = [lattice.rectangle(k) for k in cells]
    height = max(bottom - top for _, top, _, bottom in boxes)
    strip = np.zeros((height, sum(right - left for left, _, right, _ in boxes), 3), np.uint8)
    x = 0
    for left, top, right, bottom in boxes:
        strip[: bottom - top, x : x + right - left] = pixels[top:bottom, left:right]
        x += right - left
    return strip


def paste(lattice: Lattice, pixels: Pixels, strip: Any, cells: Iterable[int]) -> None:
    """Undo `strip_of`: put each cell back into its place. Raises ValueError when the sizes do not fit."""
    boxes = [lattice.rectangle(k) for k in cells]
    height = max(bottom - top for _, top, _, bottom in boxes)
    width = sum(right - left for left, _, right, _ in boxes)
    if strip.shape != (height, width, 3):
        raise ValueError(f"a strip of {strip.shape[1]}x{strip.shape[0]} pixels, {width}x{height} are needed")
    x = 0
    for left, top, right, bottom in boxes:
        pixels[top:bottom, left:right] = strip[: bottom - top, x : x + right - left]
        x += right - left


def fitted(frame: Frame, lattice: Lattice, wanted: Lattice) -> Frame:
    """The board of a picture, each cell drawn as large, and where, as another lattice of its size has it."""
    if lattice == wanted:
        return frame
    pixels = np.zeros((wanted.ys[-1], wanted.xs[-1], 3), np.uint8)
    for k in range(lattice.rows * lattice.columns):
        left, top, right, bottom = lattice.rectangle(k)
        x, y, x2, y2 = wanted.rectangle(k)
        cell = frame.pixels[top:bottom, left:right]
        pixels[y:y2, x:x2] = cv2.resize(cell, (x2 - x, y2 - y), interpolation=cv2.INTER_AREA)
    return Frame(pixels)
