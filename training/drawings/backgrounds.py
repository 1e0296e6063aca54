"""Surroundings of a board: wallpapers, windows, texts, tables, icons."""

from __future__ import annotations

import cv2
import numpy as np

from training.drawings.distractors import draw_icon
from training.drawings.signs import contrasting_colour
from training.drawings.surfaces import Colour, Rng, draw_layers, random_colour
from training.drawings.textures import texture
from training.drawings.themes import ThemeResources
from vision.frame import Pixels

WORDS = (
    "File", "Edit", "View", "Game", "Help", "New", "Open", "Score", "Time", "12", "3", "007", "OK", "Cancel",
    "Level", "Best", "of", "1.5", "mines", "flags", "left", "the", "and", "to", "a",
)  # fmt: skip


def draw_desktop(rng: Rng, resources: ThemeResources, size: tuple[int, int], textured: bool = True) -> Pixels:
    """A part of a screen without any board; `size` is (width, height) in pixels."""
    width, height = size
    canvas = np.full((height, width, 3), _any_colour(rng), np.uint8)
    if textured and rng.random() < 0.25:
        fill = str(rng.choice(["gradient", "noise", "clouds", "stripes"]))
        field = texture(rng, fill, (max(8, width // 3 + 1), max(8, height // 3 + 1)), 0.4)
        if field is not None:
            canvas[:] = np.clip(canvas + 120 * field[:height, :width, None], 0, 255)
    for _ in range(int(rng.integers(0, 2 + width * height // 40_000))):
        _draw_item(rng, resources, canvas)
    return canvas


def _any_colour(rng: Rng) -> Colour:
    """A grey or another colour."""
    return (float(rng.uniform(20, 255)),) * 3 if rng.random() < 0.5 else random_colour(rng)


def _draw_item(rng: Rng, resources: ThemeResources, canvas: Pixels) -> None:
    height, width = canvas.shape[:2]
    wide, tall = int(rng.integers(20, max(21, width))), int(rng.integers(12, max(13, height)))
    left, top = (int(rng.integers(0, max(1, size))) for size in (width - wide // 2, height - tall // 2))
    view = canvas[top : top + tall, left : left + wide]
    kind = rng.random()
    if kind < 0.35:
        view[:] = ground = _any_colour(rng)
        _draw_text(rng, resources, view, ground, int(rng.integers(8, 20)))
    elif kind < 0.55:
        view[:] = ground = _any_colour(rng)
        cv2.rectangle(canvas, (left, top), (left + wide, top + tall), (90, 90, 90), 1)
        view[: min(18, tall)] = _any_colour(rng)
        _draw_text(rng, resources, view[20:], ground, 12)
    elif kind < 0.7:
        row, column = int(rng.integers(10, 40)), int(rng.integers(20, 90))
        view[:] = _any_colour(rng)
        view[::row], view[:, ::column] = 128, 128
        for y in range(2, view.shape[0] - row, row):
            for x in range(3, view.shape[1] - column, column):
                cell = view[y : y + row, x : x + column]
                _draw_word(rng, resources, cell, (255, 255, 255), max(7, row // 2))
    elif kind < 0.85:
        for x in range(0, view.shape[1] - 24, 28):
            icon = resources.icon(rng, "other")
            if icon is not None and view.shape[0] > 26:
                patch = view[2:26, x : x + 24].astype(np.float32)
                draw_layers(patch, draw_icon(icon, (24, 24), 0.9, (40, 40, 40), smooth=True))
                view[2:26, x : x + 24] = patch
    else:
        field = rng.integers(0, 256, (6, 6, 3)).astype(np.uint8)
        view[:] = cv2.resize(field, (view.shape[1], view.shape[0]), interpolation=cv2.INTER_CUBIC)


def _draw_text(rng: Rng, resources: ThemeResources, view: Pixels, ground: Colour, size: int) -> None:
    for y in range(3, view.shape[0] - size, size + 6):
        x = 4
        for _ in range(int(rng.integers(0, 8))):
            x += _draw_word(rng, resources, view[y : y + size + 4, x:], ground, max(6, int(size * 0.7))) + 5
            if x > view.shape[1] - 10:
                break


def _draw_word(rng: Rng, resources: ThemeResources, view: Pixels, ground: Colour, size: int) -> int:
    mask = resources.face(rng).mask(str(rng.choice(WORDS)), size)
    if mask is None or not view.size:
        return 1
    ink = np.array(contrasting_colour(rng, ground, ((0, 0, 0), (255, 255, 255)), 70), np.float32)
    part = mask[: view.shape[0], : view.shape[1], None].astype(np.float32) / 255
    goal = view[: part.shape[0], : part.shape[1]]
    goal[:] = goal + part * (ink - goal)
    return int(mask.shape[1])
