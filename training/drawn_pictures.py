"""Labelled pictures of whole boards: a random game state, drawn in a theme, changed by a camera."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from games.minesweeper import Board
from training.drawings.backgrounds import draw_desktop
from training.drawings.board_images import MARGIN, DrawnBoard, draw_board
from training.drawings.camera import photograph
from training.drawings.theme_choice import choose_theme
from training.drawings.themes import ThemeResources
from training.game_states import random_state
from training.splits import SPLITS
from training.storage import DRAWN, cached_arrays
from vision.annotations import AnnotatedImage
from vision.frame import Frame
from vision.lattice import Lattice

COVERED = 0.04  # share of pictures with a message or a pointer over some cells
MAX_HIDDEN = 0.15  # covered share of a cell above which it counts as unknown
UNFAMILIAR = {"mine": 0.05, "flag": 0.02}  # share of themes with a sign that the cell model does not know
BADGED = 0.03  # share of themes with an unfamiliar drawing on all covers
SMALLEST = 8  # pixels; smallest cell


def draw_picture(resources: ThemeResources, seed: int) -> DrawnBoard:
    """Draw the picture of a seed."""
    rng = np.random.default_rng([seed, SPLITS.index(resources.split), 7])
    rows = random_state(rng)
    theme = choose_theme(resources, rng)
    theme.styles |= {sign: "other" for sign, part in UNFAMILIAR.items() if rng.random() < part}
    if rng.random() < BADGED:
        theme.badge = tuple(theme.draw_other(rng, theme.cover))
    drawn = draw_board(theme, rows, rng, MARGIN)
    if rng.random() < COVERED:
        drawn = _cover_part(rng, resources, drawn)
    return photograph(rng, drawn)


def _cover_part(rng: np.random.Generator, resources: ThemeResources, drawn: DrawnBoard) -> DrawnBoard:
    """Draw a message over a part of the board, or a pointer on a cell."""
    pixels = drawn.pixels.copy()
    left, right, top, bottom = drawn.xs[0], drawn.xs[-1], drawn.ys[0], drawn.ys[-1]
    wide, tall = drawn.xs[1] - left, drawn.ys[1] - top
    if rng.random() < 0.5:
        size = float(rng.uniform(0.6, 1.2)), float(rng.uniform(0.8, 1.5))
    else:
        size = float(rng.uniform(2, 0.7 * len(drawn.xs))), float(rng.uniform(1, 0.6 * len(drawn.ys)))
    width, height = (min(int(size[0] * wide), right - left), min(int(size[1] * tall), bottom - top))
    x, y = (int(rng.integers(left, right - width + 1)), int(rng.integers(top, bottom - height + 1)))
    pixels[y : y + height, x : x + width] = draw_desktop(rng, resources, (width, height), textured=False)
    rows = []
    for r, row in enumerate(drawn.rows):
        high = max(0, min(y + height, drawn.ys[r + 1]) - max(y, drawn.ys[r]))
        over = [high * max(0, min(x + width, drawn.xs[c + 1]) - max(x, drawn.xs[c])) for c in range(len(row))]
        states = zip(row, over, strict=True)
        rows.append("".join("~" if part > MAX_HIDDEN * wide * tall else state for state, part in states))
    return DrawnBoard(pixels, drawn.xs, drawn.ys, tuple(rows))


def drawn_pictures(split: str, seeds: range) -> Iterator[AnnotatedImage]:
    """Draw pictures or load them from the cache; skip pictures whose cells are too small."""
    for seed in seeds:

        def draw(seed: int = seed) -> Mapping[str, Any]:
            drawn = draw_picture(ThemeResources.load(split), seed)
            if Lattice(drawn.xs, drawn.ys).pitch < SMALLEST:
                return {"pixels": np.zeros(0, np.uint8)}
            return {"pixels": drawn.pixels, "rows": drawn.rows, "xs": drawn.xs, "ys": drawn.ys}

        stored = cached_arrays(DRAWN / "boards" / f"{split}-{seed:05d}.npz", draw)
        if stored["pixels"].size:
            rows = stored["rows"].tolist()
            board = Board(len(rows), len(rows[0]), "".join(rows))
            lattice = Lattice(tuple(stored["xs"].tolist()), tuple(stored["ys"].tolist()))
            yield AnnotatedImage(Frame(stored["pixels"]), lattice, board, f"{split} {seed}")
