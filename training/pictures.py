"""Pictures of whole boards with what they show: a situation, drawn in a theme, seen by a camera."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from games.minesweeper import Board
from training.drawing.boards import Drawn, draw_board
from training.drawing.camera import photograph
from training.drawing.choosing import choose_theme
from training.drawing.desktop import desktop
from training.drawing.fonts import CACHE
from training.drawing.themes import Supply
from training.situations import situation
from training.splits import SPLITS
from vision.annotations import AnnotatedImage
from vision.frame import Frame
from vision.lattice import Lattice

COVERED = 0.04  # of the pictures: a message or a pointer lies over some cells
SHOWING = 0.15  # of a cell's area that may be covered before it is nothing of a game
STRANGE = {"mine": 0.05, "flag": 0.02}  # of the programs: drawn as nothing that the cell model has learned
PRINTED = 0.03  # of the programs: all covers have such a drawing
SMALLEST = 8  # pixels of a cell


def pictures(supply: Supply, seeds: range) -> Iterator[AnnotatedImage]:
    """One picture for each seed; the same every time. What is too small to be read is left out."""
    for seed in seeds:
        rng = np.random.default_rng([seed, SPLITS.index(supply.split), 7])
        rows = situation(rng)
        theme = choose_theme(supply, rng)
        theme.ways |= {sign: "other" for sign, part in STRANGE.items() if rng.random() < part}
        if rng.random() < PRINTED:
            theme.badge = theme.something(rng)
        drawn = draw_board(theme, rows, rng, margin=6, busy=False)
        if rng.random() < COVERED:
            drawn = _covered(rng, supply, drawn)
        seen = photograph(rng, drawn)
        lattice = Lattice(seen.xs, seen.ys)
        if lattice.pitch >= SMALLEST:
            board = Board(len(rows), len(rows[0]), "".join(seen.rows))
            yield AnnotatedImage(
                Frame(np.ascontiguousarray(seen.pixels)), lattice, board, f"{supply.split} {seed}"
            )


def _covered(rng: np.random.Generator, supply: Supply, drawn: Drawn) -> Drawn:
    """The same with a message over a part of the board, or a pointer on a cell."""
    pixels = drawn.pixels.copy()
    left, right, top, bottom = drawn.xs[0], drawn.xs[-1], drawn.ys[0], drawn.ys[-1]
    wide, tall = drawn.xs[1] - left, drawn.ys[1] - top
    if rng.random() < 0.5:
        size = float(rng.uniform(0.6, 1.2)), float(rng.uniform(0.8, 1.5))
    else:
        size = float(rng.uniform(2, 0.7 * len(drawn.xs))), float(rng.uniform(1, 0.6 * len(drawn.ys)))
    width, height = (min(int(size[0] * wide), right - left), min(int(size[1] * tall), bottom - top))
    x, y = (
        int(rng.integers(left, right - width + 1)),
        int(rng.integers(top, bottom - height + 1)),
    )
    pixels[y : y + height, x : x + width] = desktop(rng, supply, (width, height), textured=False)
    rows = []
    for r, row in enumerate(drawn.rows):
        high = max(0, min(y + height, drawn.ys[r + 1]) - max(y, drawn.ys[r]))
        over = [high * max(0, min(x + width, drawn.xs[c + 1]) - max(x, drawn.xs[c])) for c in range(len(row))]
        rows.append(
            "".join("~" if part > SHOWING * wide * tall else s for s, part in zip(row, over, strict=True))
        )
    return Drawn(pixels, drawn.xs, drawn.ys, tuple(rows))


def drawn_pictures(split: str, seeds: range, folder: Path = CACHE / "boards2") -> Iterator[AnnotatedImage]:
    """The same, kept in a folder: drawing takes longer than reading."""
    folder.mkdir(parents=True, exist_ok=True)
    supply: Supply | None = None
    for seed in seeds:
        kept = folder / f"{split}-{seed:05d}.npz"
        if not kept.exists():
            supply = supply or Supply.load(split)
            found = list(pictures(supply, range(seed, seed + 1)))
            _keep(kept, found[0] if found else None)
        with np.load(kept) as stored:
            if not stored["pixels"].size:
                continue
            rows = stored["rows"].tolist()
            board = Board(len(rows), len(rows[0]), "".join(rows))
            lattice = Lattice(tuple(stored["xs"].tolist()), tuple(stored["ys"].tolist()))
            yield AnnotatedImage(Frame(stored["pixels"]), lattice, board, f"{split} {seed}")


def _keep(path: Path, labelled: AnnotatedImage | None) -> None:
    part = path.with_suffix(f".{os.getpid()}.npz")
    if labelled is None:
        np.savez(part, pixels=np.zeros(0, np.uint8))
    else:
        board = labelled.board
        rows = [board.cells[k : k + board.columns] for k in range(0, len(board), board.columns)]
        np.savez_compressed(
            part, pixels=labelled.frame.pixels, rows=rows, xs=labelled.lattice.xs, ys=labelled.lattice.ys
        )
    part.rename(path)
