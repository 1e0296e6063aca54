"""Random themes: combinations of colours, surfaces, letters and signs that programs may use."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from training.drawings.distractors import draw_icon
from training.drawings.landscapes import choose_landscape, choose_plate
from training.drawings.letters import LetterStyle, choose_letters
from training.drawings.signs import ACCENTS, contrasting_colour
from training.drawings.surfaces import (
    Colour,
    Layer,
    Rng,
    Surface,
    brightness,
    choose_surface,
    colour_distance,
    mix,
    random_colour,
)
from training.drawings.themes import Theme, ThemeResources

CLASSIC: tuple[Colour, ...] = (
    (255, 0, 0), (0, 128, 0), (0, 0, 255), (128, 0, 0), (0, 0, 128), (128, 128, 0), (0, 0, 0),
    (128, 128, 128),
)  # fmt: skip

UNRAISED = ("none", "dots", "lines", "dotted", "outline", "dashed", "inset")  # edges of flat cells
LEAST_OPENING, LEAST_NUMBER = 8.0, 4.0  # grey levels; an empty cell differs so from a cover, a number
SHADE, INKED, STEPS = 0.08, 0.3, 6  # parts by which ground and inks move to black or white; most such steps
PLATED = 0.06  # share of themes with a plate behind each number


def _cover_colour(rng: Rng) -> Colour:
    """A random colour of cells: a grey, a hue, or a dark colour."""
    kind = rng.random()
    if kind < 0.4:
        value = float(rng.uniform(50, 245))
        tint = rng.uniform(-12, 12, 3) if rng.random() < 0.5 else np.zeros(3)
        blue, green, red = np.clip(value + tint, 0, 255).tolist()
        return blue, green, red
    if kind < 0.55:
        return random_colour(rng, 8, 80)
    colour = random_colour(rng)
    return mix(colour, (sum(colour) / 3,) * 3, float(rng.uniform(0.1, 0.7)))


def _ground_colour(rng: Rng, cover: Colour) -> Colour:
    kind = rng.random()
    if kind < 0.18:
        return cover
    if kind < 0.5:
        return mix(cover, (255, 255, 255), float(rng.uniform(0.25, 0.98)))
    if kind < 0.75:
        return mix(cover, (0, 0, 0), float(rng.uniform(0.12, 0.8)))
    if kind < 0.88:
        return (float(rng.uniform(185, 255)),) * 3
    return _cover_colour(rng)


def choose_theme(resources: ThemeResources, rng: Rng, size: tuple[int, int] | None = None) -> Theme:
    """A random theme of a split; `size` is (width, height) of its cells in pixels, random if None."""
    if size is None:
        height = int(np.exp(rng.uniform(np.log(10), np.log(72))))
        size = (int(height * rng.uniform(1, 1.5)) if rng.random() < 0.12 else height, height)
    zoom = int(rng.integers(2, 5)) if min(size) >= 24 and rng.random() < 0.12 else 1
    size = (size[0] // zoom, size[1] // zoom)
    base = _cover_colour(rng)
    behind = mix(base, (0, 0, 0) if rng.random() < 0.6 else (255, 255, 255), float(rng.uniform(0.2, 0.9)))
    cover = choose_surface(rng, resources.split, size, base, behind, 0.16)
    ground_colour = _ground_colour(rng, base)
    ground = choose_surface(rng, resources.split, size, ground_colour, behind, 0.5)
    if ground_colour == base and cover.edge in UNRAISED:
        edges = {"validation": "soft", "test": "pillow"}
        cover = replace(cover, edge=edges.get(resources.split, "bevel"))
    if ground.edge in {"bevel", "soft"} and cover.edge == ground.edge:
        is_outlined = resources.split in {"train", "calibration"} and rng.random() < 0.6
        edge = "outline" if is_outlined else ground.edge
        ground = replace(ground, light=cover.dark, dark=cover.light, edge=edge)
    if cover.other is not None and ground.other is None and rng.random() < 0.6:
        ground = replace(ground, other=mix(ground_colour, (0, 0, 0), float(rng.uniform(0.03, 0.2))))
    red = contrasting_colour(rng, ground_colour, ACCENTS, 30)
    styles = _choose_styles(rng)
    if red not in ACCENTS:  # no accent is visible: use a cross or a blast
        styles |= {"!": "blast", "x": "flag cross", "x ground": "ground"}
    accent = replace(ground if rng.random() < 0.75 else cover, colour=red, other=None)
    third = replace(
        cover if rng.random() < 0.5 else ground, texture=None, other=None,
        colour=mix(base, (0, 0, 0) if rng.random() < 0.7 else (255, 255, 255), float(rng.uniform(0.1, 0.5))),
    )  # fmt: skip
    least = float(rng.uniform(30, 75))
    letters = choose_letters(rng, resources.face(rng), min(size))
    query = letters if rng.random() < 0.7 else choose_letters(rng, resources.face(rng), min(size))
    tall = int(rng.random() < 0.08)
    badge = choose_badge(resources, rng, size, base) if rng.random() < 0.04 else ()
    floor: tuple[Layer, ...] = ()
    under = ground_colour
    if rng.random() < 0.07:
        if rng.random() < 0.75:
            badge = choose_landscape(rng, resources.split, size, base).layers
        if not badge or rng.random() < 0.6:
            scene = choose_landscape(rng, resources.split, size, ground_colour)
            floor, under, tall = scene.layers, scene.colour, 0
    plate = choose_plate(rng, resources.split, size, under) if rng.random() < PLATED else None
    if plate is not None:
        under, tall = plate.colour, 0
        tallest = max(plate.height * float(rng.uniform(0.6, 1.0)), min(0.9, 6 / min(size)))
        letters = replace(letters, height=tallest, shift=plate.shift, cap="", zoom=1)
    inks = choose_inks(rng, under, least)
    if not floor and not plate and rng.random() < 0.12:
        ground, letters, inks = _disabled_style(rng, cover, ground, letters)
        tall = 0
    return _with_visible_cells(Theme(
        resources, size, zoom, cover, ground, accent, letters, query,
        inks, int(rng.integers(2**31)), bool(rng.random() < 0.82), styles,
        tuple(_cover_colour(rng) for _ in range(8)) if tall else (),
        bool(rng.random() < 0.03), 0.1 if rng.random() < 0.3 else 0.0,
        badge, floor, plate, third,
        float(rng.uniform(0.55, 1.0)),
        _choose_rim(rng, ground_colour, min(size)) if rng.random() < 0.15 else None,
    ))  # fmt: skip


def _with_visible_cells(theme: Theme) -> Theme:
    """The theme with changed colours, if empty cells look like covered ones, or numbers like empty cells.

    The ground moves away from the inks, and then each ink from the ground.
    """
    end: Colour = (0, 0, 0) if np.mean(theme.inks) > np.mean(theme.ground.colour) else (255, 255, 255)
    for _ in range(STEPS):
        if _difference(theme, ".", "0") >= LEAST_OPENING:
            break
        ground = theme.ground
        other = None if ground.other is None else mix(ground.other, end, SHADE)
        theme.ground = replace(ground, colour=mix(ground.colour, end, SHADE), other=other)
    inks = list(theme.inks)
    for at, number in enumerate("12345678"):
        for _ in range(STEPS):
            if _difference(theme, number, "0") >= LEAST_NUMBER:
                break
            inks[at] = mix(inks[at], (255 - end[0],) * 3, INKED)
            theme = replace(theme, inks=tuple(inks), _kept={})
    return theme


def _difference(theme: Theme, one: str, other: str) -> float:
    """How two states differ, grey levels: the smaller root mean square of a light and a dark field."""
    fields = [
        [theme.draw(state, place, np.random.default_rng(theme.seed)) for state in (one, other)]
        for place in ((0, 0), (1, 0))
    ]
    return min(float(np.sqrt(np.square(a - b).max(axis=2).mean())) for a, b in fields)


def _choose_rim(rng: Rng, ground: Colour, side: int) -> tuple[Colour, int, float]:
    """The line or shadow of covered cells on their open neighbours."""
    colour = mix(ground, (0, 0, 0) if rng.random() < 0.8 else (255, 255, 255), float(rng.uniform(0.2, 1.0)))
    return colour, int(rng.integers(1, max(2, side // 9 + 1))), float(rng.uniform(0.3, 1.0))


def choose_badge(
    resources: ThemeResources, rng: Rng, size: tuple[int, int], base: Colour
) -> tuple[Layer, ...]:
    """A drawing on every covered cell, as in some programs: an icon, or a letter in text themes."""
    ink = contrasting_colour(rng, base, (_cover_colour(rng),), 15)
    if rng.random() < 0.35:
        letters = choose_letters(rng, resources.face(rng), min(size))
        layers = letters.layers(rng, str(rng.choice(list("#-.:+=~"))), size, ink, base)
    else:
        icon = resources.icon(rng, "other")
        layers = draw_icon(icon, size, float(rng.uniform(0.4, 1.1)), ink, smooth=True) if icon else []
    part = np.float32(rng.uniform(0.2, 1.0))
    return tuple((mask * part, colour) for mask, colour in layers)


def choose_inks(rng: Rng, ground: Colour, least: float) -> tuple[Colour, ...]:
    """Random colours of the eight digits, at a distance of at least `least` from the ground if possible."""
    kind = rng.random()
    one = partial(contrasting_colour, rng, ground)
    if kind < 0.35:
        return tuple(one((colour,), min(least, 40)) for colour in CLASSIC)
    if kind < 0.6:
        dark = (0.0, 0.0, 0.0) if brightness(ground) > 110 else (255.0, 255.0, 255.0)
        ink = one((dark, _cover_colour(rng), _cover_colour(rng)), least)
        return (ink,) * 8
    return tuple(one((_cover_colour(rng), _cover_colour(rng)), least) for _ in range(8))


def _disabled_style(
    rng: Rng, cover: Surface, ground: Surface, letters: LetterStyle
) -> tuple[Surface, LetterStyle, tuple[Colour, ...]]:
    """Opened cells that look like disabled buttons: ground, letters, and inks close to the ground."""
    if rng.random() < 0.4:
        part = float(rng.uniform(0, 0.8))
        light, dark = (mix(each, cover.colour, part) for each in (cover.light, cover.dark))
        ground = replace(cover, light=light, dark=dark)
    ground = replace(ground, texture=None)
    end: Colour = (0, 0, 0) if brightness(ground.colour) > 80 else (255, 255, 255)
    off = float(rng.uniform(35, 80))
    one = mix(ground.colour, end, min(1.0, off / max(1.0, colour_distance(ground.colour, end))))
    inks: tuple[Colour, ...] = (one,) * 8
    if rng.random() < 0.3:
        tint = float(rng.uniform(0.05, 0.3))
        tinted = (mix(one, colour, tint) for colour in CLASSIC)
        inks = tuple(contrasting_colour(rng, ground.colour, (each,), 28) for each in tinted)
    relief = float(rng.uniform(0.4, 1.0)) if rng.random() < 0.35 else 0.0
    plain = replace(letters, cap="", outline=False, shadow=None)
    return ground, replace(plain, relief=relief, is_dotted=bool(rng.random() < 0.1)), inks


def _choose_styles(rng: Rng) -> dict[str, str]:
    def pick(**parts: float) -> str:
        names = list(parts)
        weights = np.array(list(parts.values()))
        return str(names[int(rng.choice(len(names), p=weights / weights.sum()))]).replace("_", " ")

    return {
        "marks": pick(cover=0.91, ground=0.06, own=0.03),
        "mines": pick(cover=0.2, ground=0.7, own=0.1),
        "flag": pick(drawn=0.51, icon=0.4, letter=0.02, small=0.07),
        "mine": pick(drawn=0.6, icon=0.32, letter=0.08),
        "question": pick(letter=0.74, icon=0.1, beside_flag=0.16),
        "digits": pick(letter=0.95, icon=0.05),
        "cross": pick(drawn=0.8, icon=0.2),
        "!": pick(
            mine=0.6, icon=0.1, blast=0.1, blast_on_ground=0.08, coloured=0.08, coloured_on_ground=0.04
        ),
        "x": pick(flag_cross=0.45, mine_cross=0.35, cross=0.1, flag=0.1),
        "x ground": pick(cover=0.35, ground=0.5, accent=0.15),
    }
