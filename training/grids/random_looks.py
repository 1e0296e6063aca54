"""Random looks of cells: covers and open cells that no theme has, with the letters and signs of themes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from training.drawings.letters import choose_letters
from training.drawings.signs import contrasting_colour, flag, mine
from training.drawings.surfaces import Colour, Floats, Layer, Rng, draw_layers
from training.drawings.theme_choice import choose_inks
from training.drawings.themes import ThemeResources
from training.grids.scene_parts import colour, different_colour

FINE = 2  # cells are drawn this many times larger, then averaged
COVERS = (
    "bevel", "bevel", "flat", "lined", "gap", "gap", "rounded", "texture", "texture", "picture", "picture",
    "dots", "gradient", "corners", "dither", "thin", "object", "object",
)  # fmt: skip
OPENS = ("plain", "lined", "lined", "gap", "gap", "inset", "dots", "rounded", "texture", "corners", "clear")


def draw_texture(rng: Rng, height: int, width: int, ground: Floats, strength: float) -> Floats:
    """A texture: coarse or fine noise, strokes or spots on a ground."""
    kind = rng.integers(4)
    base = np.broadcast_to(ground, (height, width, 3)).astype(np.float32)
    if kind <= 1:
        grain = int(rng.integers(1, 5)) if kind else int(rng.integers(3, 12))
        small = rng.normal(0, 1, (height // grain + 2, width // grain + 2, 1 if rng.random() < 0.7 else 3))
        way = cv2.INTER_CUBIC if rng.random() < 0.6 else cv2.INTER_NEAREST
        large = cv2.resize(small.astype(np.float32), (width, height), interpolation=way)
        return base + strength * large.reshape(height, width, -1)
    picture = np.ascontiguousarray(base)
    for _ in range(int(rng.integers(2, 14))):
        ink = ground + rng.normal(0, 1.6 * strength, 3)
        spot = (int(rng.integers(width)), int(rng.integers(height)))
        if kind == 2:
            x, y = (int(v + rng.normal(0, 0.3 * height)) for v in spot)
            thick = int(rng.integers(1, 2 + height // 12))
            cv2.line(picture, spot, (x, y), ink.tolist(), thick, cv2.LINE_AA)
        else:
            axes = tuple(int(v) for v in rng.integers(1, 2 + height // 4, 2))
            turn = float(rng.uniform(0, 180))
            cv2.ellipse(picture, spot, axes, turn, 0, 360, ink.tolist(), -1, cv2.LINE_AA)
    return picture


@dataclass(frozen=True)
class RandomLook:
    """The pictures (height, width, 3) of the cells of one imaginary program.

    `covers` and `opens` contain one picture, or two for a checkerboard. `drift` is the difference between
    cells of one state in grey levels.
    """

    covers: tuple[Floats, ...]
    opens: tuple[Floats, ...]
    marks: Mapping[str, list[Layer]]
    drift: float

    def draw(self, state: str, place: tuple[int, int], rng: Rng) -> Floats:
        """Draw the cell at this (column, row), (height, width, 3) 0..255."""
        grounds = self.covers if state in ".F?" else self.opens
        cell = grounds[sum(place) % len(grounds)].copy()
        if state not in ".0":
            draw_layers(cell, self.marks["*" if state == "!" else state])
        by = rng.normal(0, self.drift) if self.drift else 0.0
        return np.asarray(np.clip(cell + by, 0, 255), np.float32)


def mean_colour(cell: Floats) -> Colour:
    """Mean colour of a picture."""
    blue, green, red = cell.mean(axis=(0, 1)).tolist()
    return blue, green, red


def _draw_cell(
    rng: Rng, kind: str, size: tuple[int, int], ground: Floats, line: Floats, raised: bool
) -> Floats:
    width, height = size
    cell = np.full((height, width, 3), ground, np.float32)
    thin = max(1, round(min(size) * float(rng.uniform(0.02, 0.09))))
    if kind in ("bevel", "inset"):
        thin = max(FINE, round(min(size) * float(rng.uniform(0.03, 0.14))))
        up, down = (60.0, -70.0) if raised else (-40.0, 45.0)
        by = float(rng.uniform(0.4, 1.4))
        _draw_bevel(cell, ground + by * up, ground + by * down, thin)
        if rng.random() < 0.3:
            _draw_outline(cell, line, FINE, rng.random() < 0.5)
    elif kind == "lined":
        _draw_outline(cell, line, thin, rng.random() < 0.7)
    elif kind == "thin":
        faint = ground + float(rng.choice((-1, 1)) * rng.uniform(4, 14))
        _draw_outline(cell, faint, FINE, rng.random() < 0.5)
    elif kind == "gap":
        cell[:] = line
        gap = max(FINE, round(min(size) * float(rng.uniform(0.02, 0.12))))
        cell[: height - gap, : width - gap] = ground  # the gap belongs to the previous cell
    elif kind == "rounded":
        cell[:] = line
        start = max(1, thin) if rng.random() < 0.4 else 0
        _draw_rounded(cell, ground, (start, max(1, thin)), float(rng.uniform(0.08, 0.4)))
    elif kind in ("texture", "picture", "dither"):
        strength = float(rng.uniform(3, 28)) if kind != "picture" else float(rng.uniform(15, 50))
        cell = draw_texture(rng, height, width, ground, strength).copy()
        if kind == "dither":
            cell[:] = ground
            ys, xs = np.indices((height, width)) // FINE
            cell[(ys + xs) % 2 == 0] = ground + float(rng.choice((-1, 1))) * float(rng.uniform(10, 90))
        if rng.random() < (0.5 if kind == "texture" else 0.15):
            _draw_bevel(cell, cell.mean((0, 1)) + 40, cell.mean((0, 1)) - 40, thin)
    elif kind == "object":
        cell = draw_texture(rng, height, width, ground, float(rng.uniform(0, 5))).copy()
        _draw_object(rng, cell, ground)
    elif kind == "gradient":
        ramp = np.linspace(1, -1, height, dtype=np.float32)[:, None, None] * float(rng.uniform(4, 40))
        is_down = rng.random() < 0.7
        cell += ramp if is_down else ramp.transpose(1, 0, 2)[:, np.linspace(0, height - 1, width).astype(int)]
        if rng.random() < 0.5:
            _draw_outline(cell, line, FINE, rng.random() < 0.5)
    elif kind == "dots":
        cell[0 :: 2 * FINE, :FINE] = cell[:FINE, 0 :: 2 * FINE] = line
    elif kind == "corners":
        radius = max(1, round(min(size) * float(rng.uniform(0.02, 0.07))))
        for x in (0, width):
            for y in (0, height):
                cv2.circle(cell, (x, y), radius, line.tolist(), -1)
    return cell


def _draw_object(rng: Rng, cell: Floats, ground: Floats) -> None:
    """Draw an object on a cell, such as a stone, a tuft or a button, near its middle."""
    height, width = cell.shape[:2]
    middle = np.array((width * rng.uniform(0.4, 0.6), height * rng.uniform(0.4, 0.7)))
    reach = np.array((width * rng.uniform(0.15, 0.45), height * rng.uniform(0.15, 0.45)))
    for _ in range(int(rng.integers(3, 16))):
        ink = np.clip(ground + rng.normal(0, 1, 3) * rng.uniform(5, 40) + rng.normal(0, 25), 0, 255)
        at = middle + rng.uniform(-1, 1, 2) * reach
        if rng.random() < 0.5:
            axes = tuple(int(v) for v in 1 + reach * rng.uniform(0.1, 0.7, 2))
            spot = (int(at[0]), int(at[1]))
            cv2.ellipse(cell, spot, axes, float(rng.uniform(0, 180)), 0, 360, ink.tolist(), -1, cv2.LINE_AA)
        else:
            corners = at + rng.normal(0, 0.4, (3, 2)) * reach
            cv2.fillPoly(cell, [corners.astype(np.int32)], ink.tolist(), cv2.LINE_AA)


def _draw_bevel(cell: Floats, up: Floats, down: Floats, thin: int) -> None:
    height, width = cell.shape[:2]
    for step in range(thin):
        cell[step, step : width - step] = cell[step : height - step, step] = up
        cell[height - 1 - step, step : width - step] = down
        cell[step : height - step, width - 1 - step] = down


def _draw_outline(cell: Floats, line: Floats, thin: int, one_sided: bool) -> None:
    cell[:thin], cell[:, :thin] = line, line
    if not one_sided:
        cell[-thin:], cell[:, -thin:] = line, line


def _draw_rounded(cell: Floats, ground: Floats, margins: tuple[int, int], share: float) -> None:
    height, width = cell.shape[:2]
    radius = max(1, int(share * min(height, width)))
    ink = ground.tolist()
    before, after = margins
    left, top, right, bottom = before, before, width - 1 - after, height - 1 - after
    cv2.rectangle(cell, (left + radius, top), (right - radius, bottom), ink, -1)
    cv2.rectangle(cell, (left, top + radius), (right, bottom - radius), ink, -1)
    for x in (left + radius, right - radius):
        for y in (top + radius, bottom - radius):
            cv2.circle(cell, (x, y), radius, ink, -1, cv2.LINE_AA)


def random_look(rng: Rng, resources: ThemeResources, width: int, height: int) -> RandomLook:
    """A random look for cells of this size in pixels."""
    size = (width * FINE, height * FINE)
    cover, line = colour(rng), colour(rng)
    ground = different_colour(rng, cover, 14) if rng.random() < 0.9 else cover
    kind, open_kind = str(rng.choice(COVERS)), str(rng.choice(OPENS))
    if open_kind == "clear":  # like the cover in another colour
        open_kind = kind if kind not in ("picture", "bevel") else "plain"
    shade = float(rng.choice((-1, 1)) * rng.uniform(4, 40)) if rng.random() < 0.22 else 0.0
    if shade and rng.random() < 0.6:
        kind = "flat"
    open_shade = shade * float(rng.choice((0.0, 0.7, 1.0)))
    if open_shade:
        open_kind = str(rng.choice(("plain", open_kind)))
    state = int(rng.integers(2**31))

    def pictures(seed: int, kind: str, ground: Floats, shade: float, raised: bool) -> tuple[Floats, ...]:
        cells = (
            _draw_cell(np.random.default_rng(seed), kind, size, ground + by, line, raised)
            for by in dict.fromkeys((0.0, shade))
        )
        small = (
            cv2.resize(np.clip(cell, 0, 255), (width, height), interpolation=cv2.INTER_AREA) for cell in cells
        )
        return tuple(np.asarray(cell, np.float32) for cell in small)

    covers = pictures(state, kind, cover, shade, raised=True)
    opens = pictures(state + 1, open_kind, ground, open_shade, raised=False)
    lit, dim = mean_colour(covers[0]), mean_colour(opens[0])
    letters = choose_letters(rng, resources.face(rng), min(width, height))
    inks = choose_inks(rng, dim, 60)
    signs = [(text, ink, dim) for text, ink in zip("12345678", inks, strict=True)]
    signs.append(("?", contrasting_colour(rng, lit, inks), lit))
    marks = {text: letters.layers(rng, text, (width, height), ink, below) for text, ink, below in signs}
    marks["F"] = flag(rng, resources.split, (width, height), lit, smooth=True)
    marks["*"] = mine(rng, resources.split, (width, height), dim, smooth=True)
    drift = float(rng.choice((0.0, 0.0, 0.0, 0.0, 3.0, 8.0)))
    return RandomLook(covers, opens, marks, drift)
