"""Pictures for sharing: the position of one step as a PNG, the whole game as a GIF."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bot.report.story import Step, Story
from games.errors import InvalidFile
from games.logic import bits
from games.minesweeper import Move
from vision.frame import Pixels
from vision.lattice import Lattice

SMALLEST_CELL = 24  # pixels of a cell in a picture; smaller ones are drawn larger
MOST_FRAMES = 200  # of a GIF; of a longer game only so many looks are shown
MOST_PIXELS = 60_000_000  # of all frames together, which are in memory at once
FRAME_MS, LAST_MS = 250, 3000
SAFE, MINE, OPEN, MARK, GUESS = (
    (60, 160, 20),
    (40, 40, 200),
    (208, 80, 0),
    (176, 0, 122),
    (0, 123, 224),
)  # BGR


def write_png(story: Story, path: Path, look: int) -> None:
    """The board as look number `look` (from 0) saw it, with what was certain and the moves that followed."""
    _write(path, cv2.imencode(".png", picture_of(story.recording.meta.lattice, story.steps[look])))


def write_gif(story: Story, path: Path) -> None:
    """The whole game, one picture for each look; the last one stays for a while."""
    lattice = story.recording.meta.lattice
    most = min(MOST_FRAMES, max(2, MOST_PIXELS // picture_of(lattice, story.steps[0])[..., 0].size))
    every = -(-len(story.steps) // most)
    chosen = [*story.steps[:-1:every], story.steps[-1]]
    animation = cv2.Animation()
    animation.frames = [cv2.cvtColor(picture_of(lattice, step), cv2.COLOR_BGR2BGRA) for step in chosen]
    animation.durations = [FRAME_MS] * (len(chosen) - 1) + [LAST_MS]
    _write(path, cv2.imencodeanimation(".gif", animation))


def _write(path: Path, encoded: tuple[bool, Any]) -> None:
    try:
        path.write_bytes(bytes(encoded[1]))
    except OSError as error:
        raise InvalidFile(f"{path}: {error.strerror}: name a file that can be written to") from error


def picture_of(lattice: Lattice, step: Step) -> Pixels:
    """The screenshot with overlays: certain cells tinted, risks as a heat map, moves framed."""
    zoom = max(1, round(SMALLEST_CELL * lattice.columns / (lattice.xs[-1] - lattice.xs[0])))
    pixels = cv2.resize(step.frame.pixels, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_NEAREST)
    tints = dict.fromkeys(bits(step.true & step.board.not_open), MINE)
    tints |= dict.fromkeys(bits(step.false & step.board.not_open), SAFE)
    if step.guess:
        tints |= {k: _heat(risk) for k, risk in step.risks.items()}
    for k, colour in tints.items():
        left, top, right, bottom = (v * zoom for v in lattice.rectangle(k))
        area = pixels[top:bottom, left:right]
        pixels[top:bottom, left:right] = (0.6 * area + 0.4 * np.array(colour)).astype(np.uint8)
    for text in step.moves:
        move = Move.parse(text, step.board)
        colour = GUESS if step.guess else OPEN if move.kind in ("open", "chord") else MARK
        left, top, right, bottom = (v * zoom for v in lattice.rectangle(move.cell))
        cv2.rectangle(pixels, (left + 1, top + 1), (right - 2, bottom - 2), colour, max(2, zoom))
    return np.asarray(pixels, np.uint8)


def _heat(risk: float) -> tuple[int, int, int]:
    """From yellow to red (BGR)."""
    return 30, round(220 * (1 - min(1.0, 1.3 * risk))), 230
