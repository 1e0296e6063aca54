"""A theme: how one imagined program draws every state of a cell, the same way each time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from training import fonts, icons
from training.fonts import Face
from training.icons import Icon
from training.lettering import Lettering, choose_lettering
from training.others import bright, icon_layers, other_layers
from training.signs import Layer, blast, contrasting, cross, flag, lay, mine
from training.surfaces import Colour, Floats, Surface, choose_surface, grey, mix, paint

CLASSIC: tuple[Colour, ...] = (
    (255, 0, 0), (0, 128, 0), (0, 0, 255), (128, 0, 0), (0, 0, 128), (128, 128, 0), (0, 0, 0), (128, 128, 128),
)  # fmt: skip
ACCENTS: tuple[Colour, ...] = (
    (0, 0, 255),
    (40, 40, 220),
    (0, 100, 255),
    (0, 165, 255),
    (80, 80, 255),
    (30, 30, 150),
)


@dataclass(frozen=True, eq=False)
class Supply:
    """What themes of one split may use: its faces by family, its icons by kind."""

    split: str
    faces: tuple[tuple[Face, ...], ...]
    icons: dict[str, tuple[Icon, ...]]

    @classmethod
    def load(cls, split: str) -> Supply:
        """The families of a split, fetched before."""
        faces = tuple(tuple(found) for found in fonts.load()[split].values())
        kinds: dict[str, list[Icon]] = {}
        for icon in icons.load()[split]:
            kinds.setdefault(icon.kind, []).append(icon)
        return cls(split, faces, {kind: tuple(found) for kind, found in kinds.items()})

    def face(self, rng: np.random.Generator) -> Face:
        """A face; every family is as likely as any other of its number of faces' square root."""
        weights = np.sqrt([min(len(family), 16) for family in self.faces])
        family = self.faces[int(rng.choice(len(self.faces), p=weights / weights.sum()))]
        return family[int(rng.integers(len(family)))]

    def icon(self, rng: np.random.Generator, kind: str) -> Icon | None:
        """An icon of a kind, None where the split has none."""
        found = self.icons.get(kind, ())
        return found[int(rng.integers(len(found)))] if found else None


@dataclass(eq=False)
class Theme:
    """`size` is (width, height) of a cell in pixels. `draw` gives any state of CLASSES.

    The drawings of digits and signs are made once and kept; textures differ from cell to cell.
    """

    supply: Supply
    size: tuple[int, int]
    zoom: int
    cover: Surface
    ground: Surface
    accent: Surface
    letters: Lettering
    query: Lettering
    inks: tuple[Colour, ...]
    seed: int
    smooth: bool = True
    ways: dict[str, str] = field(default_factory=dict)
    number_grounds: tuple[Colour, ...] = ()
    prints_zero: bool = False
    hovers: float = 0.0
    _kept: dict[str, list[Layer]] = field(default_factory=dict, repr=False)

    def draw(self, state: str, place: tuple[int, int], rng: np.random.Generator) -> Floats:
        """One cell, (height, width, 3) 0..255, in this (column, row)."""
        surface = self._surface(state, rng)
        if state in "12345678" and self.number_grounds:
            surface = replace(surface, colour=self.number_grounds[int(state) - 1], texture=None, other=None)
        cell = paint(surface, self.size, place, rng)
        if state in ".0" and not (state == "0" and self.prints_zero):
            if state == "." and rng.random() < self.hovers:
                bright(cell, float(rng.uniform(-0.15, 0.25)))
            return np.clip(cell, 0, 255)
        if state == "~":
            lay(cell, self._other(rng, surface))
        else:
            kept = state if surface is not self.cover or state in "F?" else state + "c"
            if kept not in self._kept:
                self._kept[kept] = self._layers(state, surface)
            lay(cell, self._kept[kept])
        return np.clip(cell, 0, 255)

    def _surface(self, state: str, rng: np.random.Generator) -> Surface:
        on = self.ways
        if state in ".F?":
            return self.cover if state == "." or on["marks"] == "cover" else self.ground
        if state == "!":
            return self.ground if on["!"] == "blast on ground" else self.accent
        if state == "x":
            ground = "accent" if "cross" not in on["x"] else on["x ground"]
            return {"cover": self.cover, "accent": self.accent}.get(ground, self.ground)
        if state == "*":
            return self.cover if on["mines"] == "cover" else self.ground
        if state == "~":
            return self.cover if rng.random() < 0.4 else self.ground
        return self.ground

    def _layers(self, state: str, surface: Surface) -> list[Layer]:
        rng = np.random.default_rng(self.seed + ord(state) * (1 if state not in "F*!x" else 0))
        base = surface.colour
        if state in "012345678":
            ink = self.inks[int(state) - 1] if state != "0" else self.inks[0]
            if self.number_grounds:
                ink = contrasting(rng, base, (self.inks[0],), 50)
            return self.letters.layers(rng, state, self.size, ink, base)
        if state == "?":
            icon = self.supply.icon(rng, "question") if self.ways["question"] == "icon" else None
            ink = contrasting(rng, base, (self.inks[0], (0, 0, 0), (255, 255, 255)), 50)
            if icon is not None:
                return self._icon(rng, icon, ink)
            return self.query.layers(rng, "?", self.size, ink, base)
        if state == "F":
            return self._flag(rng, base)
        if state == "*":
            return self._mine(rng, base)
        if state == "!":
            hit = self.ways["!"]
            boom = self.supply.icon(rng, "boom")
            if hit == "mine":
                return self._mine(rng, base)
            if hit == "icon" and boom is not None:
                return self._icon(rng, boom, contrasting(rng, base, ((0, 0, 255), (0, 0, 0)), 50))
            return blast(rng, self.size, self.smooth)
        return self._wrong(rng, base)

    def _wrong(self, rng: np.random.Generator, base: Colour) -> list[Layer]:
        how = self.ways["x"]
        found: list[Layer] = []
        if "flag" in how:
            found = self._flag(rng, base)
        elif "mine" in how:
            found = self._mine(rng, base)
        if "cross" not in how:
            return found
        icon = self.supply.icon(rng, "cross") if self.ways["cross"] == "icon" else None
        if icon is not None:
            return [*found, *self._icon(rng, icon, contrasting(rng, base, ((0, 0, 255), (0, 0, 0)), 50))]
        return [*found, *cross(rng, self.size, self.smooth, base)]

    def _flag(self, rng: np.random.Generator, base: Colour) -> list[Layer]:
        how = self.ways["flag"]
        if how == "letter":
            ink = contrasting(rng, base, ((0, 0, 255), (0, 0, 0)), 60)
            return self.letters.layers(rng, "F", self.size, ink, base)
        icon = self.supply.icon(rng, "flag") if how == "icon" else None
        if icon is not None:
            return self._icon(rng, icon, contrasting(rng, base, ((0, 0, 255), (0, 0, 200), (0, 0, 0)), 50))
        return flag(rng, self.supply.split, self.size, base, self.smooth)

    def _mine(self, rng: np.random.Generator, base: Colour) -> list[Layer]:
        how = self.ways["mine"]
        if how == "letter":
            ink = contrasting(rng, base, ((0, 0, 0), (0, 0, 255)), 60)
            return self.letters.layers(rng, "*" if rng.random() < 0.8 else "M", self.size, ink, base)
        icon = self.supply.icon(rng, "mine") if how == "icon" else None
        if icon is not None:
            return self._icon(rng, icon, contrasting(rng, base, ((0, 0, 0), (30, 30, 30)), 50))
        return mine(rng, self.supply.split, self.size, base, self.smooth)

    def _icon(self, rng: np.random.Generator, icon: Icon, ink: Colour) -> list[Layer]:
        return icon_layers(icon, self.size, float(rng.uniform(0.5, 1.0)), ink, self.smooth)

    def _other(self, rng: np.random.Generator, surface: Surface) -> list[Layer]:
        letters = (
            self.letters
            if rng.random() < 0.5
            else choose_lettering(rng, self.supply.face(rng), min(self.size))
        )
        chosen = [icon for icon in [self.supply.icon(rng, "other")] if icon is not None]
        return other_layers(rng, letters, chosen, self.size, surface.colour)


def _colour(rng: np.random.Generator) -> Colour:
    """A colour that a program may give its cells: a grey, a hue, or something dark."""
    kind = rng.random()
    if kind < 0.4:
        value = float(rng.uniform(50, 245))
        tint = rng.uniform(-12, 12, 3) if rng.random() < 0.5 else np.zeros(3)
        blue, green, red = np.clip(value + tint, 0, 255)
        return (float(blue), float(green), float(red))
    if kind < 0.55:
        blue, green, red = rng.uniform(8, 80, 3)
        return (float(blue), float(green), float(red))
    blue, green, red = rng.uniform(0, 255, 3)
    middle = (blue + green + red) / 3
    part = rng.uniform(0.1, 0.7)
    return mix((float(blue), float(green), float(red)), (middle, middle, middle), float(part))


def _ground_colour(rng: np.random.Generator, cover: Colour) -> Colour:
    kind = rng.random()
    if kind < 0.18:
        return cover
    if kind < 0.5:
        return mix(cover, (255, 255, 255), float(rng.uniform(0.25, 0.98)))
    if kind < 0.75:
        return mix(cover, (0, 0, 0), float(rng.uniform(0.12, 0.8)))
    if kind < 0.88:
        return tuple([float(rng.uniform(185, 255))] * 3)  # type: ignore[return-value]
    return _colour(rng)


def choose_theme(supply: Supply, rng: np.random.Generator, size: tuple[int, int] | None = None) -> Theme:
    """A theme of a split; `size` is (width, height) of its cells in pixels, drawn by chance when not given."""
    if size is None:
        height = int(np.exp(rng.uniform(np.log(10), np.log(72))))
        size = (int(height * rng.uniform(1, 1.5)) if rng.random() < 0.12 else height, height)
    zoom = int(rng.integers(2, 5)) if min(size) >= 24 and rng.random() < 0.12 else 1
    size = (size[0] // zoom, size[1] // zoom)
    base = _colour(rng)
    behind = mix(base, (0, 0, 0) if rng.random() < 0.6 else (255, 255, 255), float(rng.uniform(0.2, 0.9)))
    cover = choose_surface(rng, supply.split, size, base, behind, 0.16)
    ground_colour = _ground_colour(rng, base)
    ground = choose_surface(rng, supply.split, size, ground_colour, behind, 0.5)
    if ground_colour == base and cover.edge in {"none", "dots", "lines", "outline", "dashed", "inset"}:
        own = "bevel" if supply.split == "train" else ("soft" if supply.split == "validation" else "pillow")
        cover = replace(cover, edge=own)
    if ground.edge in {"bevel", "soft"} and cover.edge == ground.edge:
        edge = "outline" if supply.split == "train" and rng.random() < 0.6 else ground.edge
        ground = replace(ground, light=cover.dark, dark=cover.light, edge=edge)
    if cover.other is not None and ground.other is None and rng.random() < 0.6:
        ground = replace(ground, other=mix(ground_colour, (0, 0, 0), float(rng.uniform(0.03, 0.2))))
    red = contrasting(rng, ground_colour, ACCENTS, 45)
    accent = replace(ground if rng.random() < 0.75 else cover, colour=red, other=None)
    least = float(rng.uniform(30, 75))
    face = supply.face(rng)
    letters = choose_lettering(rng, face, min(size))
    same = rng.random() < 0.7
    query = letters if same else choose_lettering(rng, supply.face(rng), min(size))
    tall = int(rng.random() < 0.06)
    return Theme(
        supply, size, zoom, cover, ground, accent, letters, query,
        _inks(rng, ground_colour, least), int(rng.integers(2**31)), bool(rng.random() < 0.82), _ways(rng),
        tuple(_colour(rng) for _ in range(8)) if tall else (),
        bool(rng.random() < 0.03), 0.1 if rng.random() < 0.3 else 0.0,
    )  # fmt: skip


def _inks(rng: np.random.Generator, ground: Colour, least: float) -> tuple[Colour, ...]:
    kind = rng.random()
    one = partial(contrasting, rng, ground)
    if kind < 0.35:
        return tuple(one((colour,), min(least, 40)) for colour in CLASSIC)
    if kind < 0.6:
        dark = (0.0, 0.0, 0.0) if grey(ground) > 110 else (255.0, 255.0, 255.0)
        ink = one((dark, _colour(rng), _colour(rng)), least)
        return (ink,) * 8
    return tuple(one((_colour(rng), _colour(rng)), least) for _ in range(8))


def _ways(rng: np.random.Generator) -> dict[str, str]:
    def pick(**parts: float) -> str:
        names = list(parts)
        weights = np.array(list(parts.values()))
        return str(names[int(rng.choice(len(names), p=weights / weights.sum()))]).replace("_", " ")

    return {
        "marks": pick(cover=0.94, ground=0.06),
        "mines": pick(cover=0.2, ground=0.8),
        "flag": pick(drawn=0.58, icon=0.4, letter=0.02),
        "mine": pick(drawn=0.6, icon=0.32, letter=0.08),
        "question": pick(letter=0.9, icon=0.1),
        "cross": pick(drawn=0.8, icon=0.2),
        "!": pick(mine=0.72, icon=0.1, blast=0.1, blast_on_ground=0.08),
        "x": pick(flag_cross=0.45, mine_cross=0.35, cross=0.1, flag=0.1),
        "x ground": pick(cover=0.35, ground=0.5, accent=0.15),
    }
