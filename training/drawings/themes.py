"""A theme: the consistent appearance of all cell states in one imaginary program."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np

from training.drawings import fonts, icons
from training.drawings.distractors import draw_distractor, draw_icon
from training.drawings.fonts import Face
from training.drawings.icons import Icon
from training.drawings.landscapes import Plate
from training.drawings.letters import LetterStyle, choose_letters
from training.drawings.signs import ACCENTS, blast, contrasting_colour, cross, flag, mine
from training.drawings.surfaces import (
    Colour,
    Floats,
    Layer,
    Rng,
    Surface,
    colour_distance,
    draw_layers,
    main_colour,
    paint,
    recolour,
    shrink,
)
from training.splits import SPLITS

MIN_SIDE_FOR_BOTH = 20  # pixels; smallest cell for a flag and a `?`


@dataclass(frozen=True, eq=False)
class ThemeResources:
    """The faces (by family) and the icons (by kind) of one split."""

    split: str
    faces: tuple[tuple[Face, ...], ...]
    icons: dict[str, tuple[Icon, ...]]

    @classmethod
    @lru_cache(maxsize=len(SPLITS))
    def load(cls, split: str) -> ThemeResources:
        """The fetched families of a split, loaded once per process."""
        faces = tuple(tuple(found) for found in fonts.load_faces()[split].values())
        kinds: dict[str, list[Icon]] = {}
        for icon in icons.load_icons(split):
            kinds.setdefault(icon.kind, []).append(icon)
        return cls(split, faces, {kind: tuple(found) for kind, found in kinds.items()})

    def face(self, rng: Rng) -> Face:
        """A random face; the weight of a family is the square root of its number of faces."""
        weights = np.sqrt([min(len(family), 16) for family in self.faces])
        family = self.faces[int(rng.choice(len(self.faces), p=weights / weights.sum()))]
        return family[int(rng.integers(len(family)))]

    def icon(self, rng: Rng, kind: str) -> Icon | None:
        """A random icon of a kind; None if the split has none."""
        found = self.icons.get(kind, ())
        return found[int(rng.integers(len(found)))] if found else None


@dataclass(eq=False)
class Theme:
    """The appearance of all states of CLASSES; `size` is (width, height) of a cell in pixels.

    Digits and signs are drawn once and cached; textures differ between cells.
    """

    resources: ThemeResources
    size: tuple[int, int]
    zoom: int
    cover: Surface
    ground: Surface
    accent: Surface
    letters: LetterStyle
    query: LetterStyle
    inks: tuple[Colour, ...]
    seed: int
    smooth: bool = True
    styles: dict[str, str] = field(default_factory=dict)
    number_grounds: tuple[Colour, ...] = ()
    prints_zero: bool = False
    hovers: float = 0.0
    badge: tuple[Layer, ...] = ()
    floor: tuple[Layer, ...] = ()  # on every opened cell
    plate: Plate | None = None  # behind every number
    own: Surface | None = None  # of marks or mines that are neither on cover nor on ground
    icon_part: float = 0.8
    rim: tuple[Colour, int, float] | None = None  # colour, pixels, opacity of the side next to a covered cell
    _kept: dict[str, list[Layer]] = field(default_factory=dict, repr=False)

    def draw(self, state: str, place: tuple[int, int], rng: Rng) -> Floats:
        """Draw the cell at this (column, row), (height, width, 3) 0..255."""
        surface = self._surface(state, rng)
        if state in "12345678" and self.number_grounds:
            surface = replace(surface, colour=self.number_grounds[int(state) - 1], texture=None, other=None)
        cell = paint(surface, self.size, place, rng)
        if self.floor and (surface is self.ground or state in "012345678"):
            draw_layers(cell, self.floor)
        if self.plate is not None and state in "012345678":
            is_empty = state == "0" and not self.prints_zero
            draw_layers(cell, self.plate.empty if is_empty else self.plate.layers)
        if state == ".":
            draw_layers(cell, self.badge)
            if rng.random() < self.hovers:
                by = float(rng.uniform(-0.15, 0.25))
                cell += by * (255 - cell if by > 0 else cell)
                if rng.random() < 0.4:
                    cv2.rectangle(cell, (0, 0), (self.size[0] - 1, self.size[1] - 1), self.cover.light, 1)
        elif state == "~":
            draw_layers(cell, self.draw_other(rng, surface))
        elif state != "0" or self.prints_zero:
            kept = state if surface is not self.cover or state in "F?" else state + "c"
            if kept not in self._kept:
                self._kept[kept] = self._layers(state, surface)
            draw_layers(cell, self._kept[kept])
        return np.clip(cell, 0, 255)

    def _surface(self, state: str, rng: Rng) -> Surface:
        styles = self.styles
        places = {"cover": self.cover, "own": self.own or self.cover, "accent": self.accent}
        marks, mines = styles["marks"], styles["mines"]
        where = {".": "cover", "F": marks, "?": marks, "*": mines, "!": "accent"}.get(state)
        if state == "!" and "on ground" in styles["!"]:
            where = "ground"
        elif state == "!" and styles["!"] == "coloured":
            where = mines
        elif state == "x":
            where = "accent" if "cross" not in styles["x"] else styles["x ground"]
        elif state == "~" and rng.random() < 0.4:
            where = "cover"
        return places.get(where or "ground", self.ground)

    def _layers(self, state: str, surface: Surface) -> list[Layer]:
        rng = np.random.default_rng(self.seed + ord(state) * (1 if state not in "F*!x" else 0))
        base = surface.colour
        how = {"?": self._question, "F": self._flag, "*": self._mine, "!": self._hit, "x": self._wrong}
        if state in how:
            return how[state](rng, base)
        icon = self.resources.icon(rng, state) if self.styles["digits"] == "icon" else None
        ink = self.inks[max(0, int(state) - 1)]
        if self.number_grounds:
            ink = contrasting_colour(rng, base, (self.inks[0],), 50)
        if icon is not None:
            return draw_icon(icon, self.size, self.icon_part, ink, self.smooth)
        return self.letters.layers(rng, state, self.size, ink, base)

    def _question(self, rng: Rng, base: Colour) -> list[Layer]:
        how = self.styles["question"]
        icon = self.resources.icon(rng, "question") if how == "icon" else None
        ink = contrasting_colour(rng, base, (self.inks[0], (0, 0, 0), (255, 255, 255)), 50)
        if how == "beside flag" and min(self.size) >= MIN_SIDE_FOR_BOTH:
            return self._flag_and_question(rng, base, ink)
        if icon is not None:
            return self._icon(rng, icon, ink)
        return self.query.layers(rng, "?", self.size, ink, base)

    def _flag_and_question(self, rng: Rng, base: Colour, ink: Colour) -> list[Layer]:
        """A small flag and a smaller `?`."""
        way = -1.0 if rng.random() < 0.7 else 1.0
        part = float(rng.uniform(0.55, 0.9))
        cloth = flag(np.random.default_rng(self.seed), self.resources.split, self.size, base, self.smooth)
        room = (1 - part) / 2
        shift = way * float(rng.uniform(0.5, 1.0)) * room, float(rng.uniform(-1.0, 0.5)) * room
        query = replace(
            self.query, height=float(rng.uniform(0.26, 0.48)), weight=0, cap="", zoom=1,
            shift=(-way * float(rng.uniform(0.14, 0.3)), float(rng.uniform(-0.05, 0.26))),
        )  # fmt: skip
        small = shrink(cloth, self.size, part, shift, self.smooth)
        return small + query.layers(rng, "?", self.size, ink, base)

    def _hit(self, rng: Rng, base: Colour) -> list[Layer]:
        boom = self.resources.icon(rng, "boom")
        if self.styles["!"] == "mine":
            return self._mine(rng, base)
        if "coloured" in self.styles["!"] and (found := self._mine(rng, base)):
            usual = main_colour(found)
            far = ((usual, 45), (base, 30))
            reds = [red for red in ACCENTS if all(colour_distance(red, each) >= least for each, least in far)]
            if reds:
                return recolour(found, reds[int(rng.integers(len(reds)))])
        if self.styles["!"] == "icon" and boom is not None:
            return self._icon(rng, boom, contrasting_colour(rng, base, ((0, 0, 255), (0, 0, 0)), 50))
        return blast(rng, self.size, self.smooth)

    def _wrong(self, rng: Rng, base: Colour) -> list[Layer]:
        how = self.styles["x"]
        found: list[Layer] = []
        if "flag" in how:
            found = self._flag(rng, base)
        elif "mine" in how:
            found = self._mine(rng, base)
        if "cross" not in how:
            return found
        icon = self.resources.icon(rng, "cross") if self.styles["cross"] == "icon" else None
        if icon is None:
            return found + cross(rng, self.size, self.smooth, base)
        return found + self._icon(rng, icon, contrasting_colour(rng, base, ((0, 0, 255), (0, 0, 0)), 50))

    def _flag(self, rng: Rng, base: Colour) -> list[Layer]:
        how = self.styles["flag"]
        if how == "other":
            return self.draw_other(rng, replace(self.cover, colour=base))
        if how == "letter":
            ink = contrasting_colour(rng, base, ((0, 0, 255), (0, 0, 0)), 60)
            return self.letters.layers(rng, "F", self.size, ink, base)
        icon = self.resources.icon(rng, "flag") if how == "icon" else None
        if icon is not None:
            ink = contrasting_colour(rng, base, ((0, 0, 255), (0, 0, 200), (0, 0, 0)), 50)
            return self._icon(rng, icon, ink)
        found = flag(rng, self.resources.split, self.size, base, self.smooth)
        if how == "small":
            part, (x, y) = float(rng.uniform(0.55, 0.85)), rng.uniform(-0.2, 0.2, 2)
            return shrink(found, self.size, part, (float(x), float(y)), self.smooth)
        return found

    def _mine(self, rng: Rng, base: Colour) -> list[Layer]:
        how = self.styles["mine"]
        if how == "other":
            return self.draw_other(rng, replace(self.ground, colour=base))
        if how == "letter":
            ink = contrasting_colour(rng, base, ((0, 0, 0), (0, 0, 255)), 60)
            return self.letters.layers(rng, "*" if rng.random() < 0.8 else "M", self.size, ink, base)
        icon = self.resources.icon(rng, "mine") if how == "icon" else None
        if icon is not None:
            return self._icon(rng, icon, contrasting_colour(rng, base, ((0, 0, 0), (30, 30, 30)), 50))
        return mine(rng, self.resources.split, self.size, base, self.smooth)

    def _icon(self, rng: Rng, icon: Icon, ink: Colour) -> list[Layer]:
        return draw_icon(icon, self.size, float(rng.uniform(0.5, 1.0)), ink, self.smooth)

    def draw_other(self, rng: Rng, surface: Surface) -> list[Layer]:
        """A drawing on a surface that is no state of a cell."""
        letters = self.letters
        if rng.random() >= 0.5:
            letters = choose_letters(rng, self.resources.face(rng), min(self.size))
        return draw_distractor(rng, letters, self.resources.icon(rng, "other"), self.size, surface.colour)
