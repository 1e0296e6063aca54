"""Flags, mines and crosses made of shapes, as layers of (opacity 0..1, colour)."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from training.drawings.surfaces import Colour, Layer, Rng, colour_distance, random_colour
from training.splits import FLAGS, MINES, families

FINE = 4  # shapes are drawn this many times larger, then averaged

Points = list[tuple[float, float]]
REDS: tuple[Colour, ...] = (
    (0, 0, 255), (0, 0, 200), (40, 40, 220), (60, 20, 230), (30, 80, 255), (20, 20, 150),
)  # fmt: skip
DARKS: tuple[Colour, ...] = ((0, 0, 0), (40, 40, 40), (60, 30, 20), (20, 20, 60), (80, 80, 80))
ACCENTS: tuple[Colour, ...] = (  # of exploded mines
    (0, 0, 255), (40, 40, 220), (0, 100, 255), (0, 165, 255), (80, 80, 255), (30, 30, 150),
)  # fmt: skip
FUSES: tuple[Colour, ...] = ((40, 90, 150), (230, 230, 230))
SPARKS: tuple[Colour, ...] = ((0, 200, 255), (0, 100, 255))


class ShapeCanvas:
    """A square for shapes in coordinates 0..1; it produces layers of any size."""

    def __init__(self, size: tuple[int, int], smooth: bool) -> None:
        self.size, self.smooth = size, smooth
        self.layers: list[Layer] = []

    def _canvas(self) -> tuple[NDArray[np.uint8], float, float, float]:
        width, height = self.size
        side = min(width, height) * FINE
        left, top = (width * FINE - side) / 2, (height * FINE - side) / 2
        return np.zeros((height * FINE, width * FINE), np.uint8), side, left, top

    def _keep(self, canvas: NDArray[np.uint8], colour: Colour) -> None:
        small = cv2.resize(canvas, self.size, interpolation=cv2.INTER_AREA)
        mask = np.asarray(small, np.float32) / np.float32(255)
        if not self.smooth:
            mask = (mask > 0.45).astype(np.float32)
        self.layers.append((mask, colour))

    def fill(self, points: Points, colour: Colour) -> None:
        """Draw a filled polygon."""
        canvas, side, left, top = self._canvas()
        corners = np.array([[left + x * side, top + y * side] for x, y in points]).round().astype(np.int32)
        cv2.fillPoly(canvas, [corners], 255)
        self._keep(canvas, colour)

    def box(self, left: float, top: float, right: float, bottom: float, colour: Colour) -> None:
        """Draw a filled rectangle."""
        self.fill([(left, top), (right, top), (right, bottom), (left, bottom)], colour)

    def lines(self, ends: list[tuple[float, float, float, float]], thick: float, colour: Colour) -> None:
        """Draw straight strokes; `thick` is a part of the side."""
        canvas, side, left, top = self._canvas()
        width = max(FINE, round(thick * side))
        for a, b, c, d in ends:
            start, end = ((round(left + x * side), round(top + y * side)) for x, y in ((a, b), (c, d)))
            cv2.line(canvas, start, end, 255, width)
        self._keep(canvas, colour)

    def disc(self, x: float, y: float, radius: float, colour: Colour, ring: float = 0) -> None:
        """Draw a filled circle, or with `ring` (part of the side) only its rim."""
        canvas, side, left, top = self._canvas()
        thick = max(FINE, round(ring * side)) if ring else -1
        middle = round(left + x * side), round(top + y * side)
        cv2.circle(canvas, middle, max(1, round(radius * side)), 255, thick)
        self._keep(canvas, colour)


def contrasting_colour(rng: Rng, ground: Colour, wanted: tuple[Colour, ...], least: float = 60) -> Colour:
    """One of `wanted` whose distance from the ground is at least `least`; otherwise another such colour."""
    for _ in range(6):
        colour = wanted[int(rng.integers(len(wanted)))]
        if colour_distance(colour, ground) >= least:
            return colour
    for _ in range(40):
        red, green, blue = rng.uniform(0, 255, 3)
        if colour_distance((blue, green, red), ground) >= least:
            return (blue, green, red)
    return (0.0, 0.0, 0.0) if sum(ground) > 380 else (255.0, 255.0, 255.0)


def flag(rng: Rng, split: str, size: tuple[int, int], ground: Colour, smooth: bool) -> list[Layer]:
    """A random flag."""
    canvas = ShapeCanvas(size, smooth)
    form = str(rng.choice(families(FLAGS, split)))
    cloths = REDS if rng.random() < 0.75 else tuple(map(random_colour, [rng] * 4))
    cloth = contrasting_colour(rng, ground, cloths)
    pole_colour = contrasting_colour(rng, ground, (cloth,) if rng.random() < 0.3 else DARKS, 35)
    top, bottom = rng.uniform(0.08, 0.28), rng.uniform(0.72, 0.93)
    pole = rng.uniform(0.25, 0.75)
    way = 1.0 if rng.random() < 0.55 else -1.0
    length = min(rng.uniform(0.22, 0.55), (0.94 - pole) if way > 0 else (pole - 0.06))
    if length < 0.2:
        way, length = -way, rng.uniform(0.25, 0.45)
    low = top + rng.uniform(0.2, 0.42)
    thick = rng.uniform(0.03, 0.12)
    slant = rng.uniform(-0.2, 0.2) if rng.random() < 0.15 else 0.0
    if rng.random() < 0.93:
        canvas.lines([(pole, top, pole + slant, bottom)], thick, pole_colour)
        if rng.random() < 0.1:  # the lower part is lit
            lit = contrasting_colour(rng, ground, ((255, 255, 255), (200, 200, 200)), 35)
            canvas.lines([(pole, low, pole + slant, bottom)], thick, lit)
    if rng.random() < 0.6:
        wide = rng.uniform(0.12, 0.36)
        foot = rng.uniform(0.03, 0.12)
        canvas.box(pole - wide, bottom - foot, pole + wide, bottom, pole_colour)
        if rng.random() < 0.4:
            half = wide * rng.uniform(0.4, 0.7)
            canvas.box(pole - half, bottom - 2 * foot, pole + half, bottom, pole_colour)
    end = pole + way * length
    middle, half, notch = (top + low) / 2, pole + way * length / 2, pole + 0.7 * way * length
    shapes: dict[str, Points] = {
        "triangle": [(pole, top), (end, middle), (pole, low)],
        "rectangle": [(pole, top), (end, top), (end, low), (pole, low)],
        "pennant": [(pole, top), (end, top + 0.05), (end, low - 0.05), (pole, low)],
        "thin": [(pole, top), (end, top + (low - top) * 0.4), (pole, top + (low - top) * 0.6)],
        "swallowtail": [(pole, top), (end, top), (notch, middle), (end, low), (pole, low)],
        "banner": [(pole, top), (end, top), (end, low + 0.1), (half, low), (pole, low + 0.1)],
    }
    if form in {"wave", "curved"}:
        at = np.linspace(0, 1, 9)
        swing = rng.uniform(0.03, 0.09) * np.sin(at * np.pi * rng.uniform(1, 2.5))
        upper = [(pole + way * length * t, top + s) for t, s in zip(at, swing, strict=True)]
        depth = (low - top) * (1.0 if form == "wave" else 0.6)
        shape = upper + [(x, y + depth) for x, y in reversed(upper)]
    else:
        shape = shapes[form]
    if rng.random() < 0.12:
        ends = [(*a, *b) for a, b in zip(shape, [*shape[1:], shape[0]], strict=True)]
        canvas.lines(ends, rng.uniform(0.02, 0.06), cloth)
    else:
        canvas.fill(shape, cloth)
    return canvas.layers


def mine(rng: Rng, split: str, size: tuple[int, int], ground: Colour, smooth: bool) -> list[Layer]:
    """A random mine, bomb or star."""
    canvas = ShapeCanvas(size, smooth)
    form = str(rng.choice(families(MINES, split)))
    wanted = DARKS if rng.random() < 0.8 else tuple(map(random_colour, [rng] * 4))
    body = contrasting_colour(rng, ground, wanted, 60 if rng.random() < 0.8 else 40)
    radius = rng.uniform(0.16, 0.36)
    x, y = 0.5 + rng.uniform(-0.04, 0.04), 0.5 + rng.uniform(-0.04, 0.06)
    turns = rng.uniform(0, 0.4) if rng.random() < 0.3 else 0.0
    if form in {"ball", "gear", "asterisk", "cross_mine", "burst_ball"}:
        spikes = int(rng.choice([0, 4, 6, 8, 8, 8, 10, 12] if form == "ball" else [4, 5, 6, 8]))
        reach = min(0.49, radius + rng.uniform(0.06, 0.18))
        thick = {"gear": 0.14, "cross_mine": 0.1}.get(form, rng.uniform(0.03, 0.1))
        rays = [
            (x, y, x + reach * np.cos(t + turns), y + reach * np.sin(t + turns))
            for t in np.arange(spikes) * 2 * np.pi / max(1, spikes)
        ]
        if rays:
            canvas.lines(rays, thick, body)
        if form == "burst_ball":
            canvas.fill(_star(x, y, reach, radius * 0.8, 9, turns), body)
        if form != "asterisk":
            ring = rng.uniform(0.03, 0.09) if rng.random() < 0.12 else 0.0
            canvas.disc(x, y, radius * (0.7 if form == "cross_mine" else 1.0), body, ring)
        if rng.random() < 0.3:
            canvas.disc(x, y, radius, contrasting_colour(rng, body, ((128, 128, 128), (0, 0, 0))), 0.03)
    elif form == "star":
        near, points = radius * rng.uniform(0.5, 0.9), int(rng.integers(5, 13))
        canvas.fill(_star(x, y, min(0.48, radius * 1.6), near, points, turns), body)
    else:
        y += 0.08
        canvas.disc(x, y, radius, body)
        way = 1 if rng.random() < 0.7 else -1
        bend = (x + way * radius * 0.7, y - radius * 0.75)
        tip = (x + way * (radius * 0.7 + 0.12), y - radius * 0.75 - rng.uniform(0.06, 0.16))
        fuse = contrasting_colour(rng, ground, (body, *FUSES), 30)
        neck, thin = rng.uniform(0.08, 0.16), 0.04
        if rng.random() < 0.4:
            neck, thin = 0.0, rng.uniform(0.05, 0.11)
        canvas.lines([(x, y, *bend)], neck or thin, body)
        if not neck:  # the fuse is a cord that starts at the ball
            start = (x + way * radius * 0.45, y - radius * 0.45)
            canvas.lines([(*start, *bend)], thin, fuse)
        canvas.lines([(*bend, *tip)], thin, fuse)
        if rng.random() < 0.5:
            size_of_spark = rng.uniform(0.03, 0.08)
            canvas.disc(*tip, size_of_spark, contrasting_colour(rng, ground, SPARKS, 20))
    if rng.random() < 0.55 and form not in {"asterisk", "star"}:
        light = contrasting_colour(rng, body, ((255, 255, 255), (200, 200, 200)), 40)
        canvas.disc(x - radius * 0.35, y - radius * 0.35, radius * rng.uniform(0.12, 0.4), light)
    return canvas.layers


def _star(x: float, y: float, far: float, near: float, points: int, turn: float) -> Points:
    steps = np.arange(points * 2)
    lengths = np.where(steps % 2 == 0, far, near)
    angles = steps * np.pi / points + turn - np.pi / 2
    return [(x + r * np.cos(t), y + r * np.sin(t)) for r, t in zip(lengths, angles, strict=True)]


def blast(rng: Rng, size: tuple[int, int], smooth: bool) -> list[Layer]:
    """An explosion: a ragged star in two warm colours."""
    canvas = ShapeCanvas(size, smooth)
    points = int(rng.integers(7, 15))
    far = rng.uniform(0.35, 0.5)
    outer = _star(0.5, 0.5, far, far * rng.uniform(0.5, 0.75), points, 0.2)
    canvas.fill(outer, (0, float(rng.uniform(0, 130)), 255))
    canvas.fill(_star(0.5, 0.5, far * 0.6, far * 0.35, points, 0.5), (0, float(rng.uniform(180, 255)), 255))
    return canvas.layers


def cross(rng: Rng, size: tuple[int, int], smooth: bool, over: Colour) -> list[Layer]:
    """The cross over a wrong flag: two strokes, rarely one."""
    canvas = ShapeCanvas(size, smooth)
    colour = contrasting_colour(rng, over, (*REDS, (0, 0, 0), (255, 255, 255)), 45)
    a, b = rng.uniform(0.02, 0.25), rng.uniform(0.75, 0.98)
    ends = [(a, a, b, b), (a, b, b, a)]
    canvas.lines(ends if rng.random() < 0.92 else ends[1:], rng.uniform(0.04, 0.16), colour)
    return canvas.layers
