"""What one look's picture says by itself about its meaning: evidence, never proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dots import LETTERS
from vision.frame import Pixels
from vision.glyphs import DIGITS, INKED, SIDE, Floats, Glyph, find_glyph, likeness_to_letters
from vision.cells.likeness import SIDE as SIGNED
from vision.cells.likeness import Signatures, apart, signatures

SHARPNESS = 60.0  # nats for each 1.0 of likeness that one digit is behind another
FLOOR = -9.0  # nats; no shape makes anything impossible
ONE_COLOUR = 170.0  # grey levels that the ink of a number may vary, its edges and gloss included
DRAWN = 40.0  # grey levels; a flag or a mine stands out more, what a packed picture blurs does not
RIM = 3  # places of a signature, on each side, in which bevels, gaps and shadows lie
BIN = 16  # grey levels that are one colour
ODD = 0.02  # of the pixels, which lie between two colours
MATCH = 14.0  # grey levels within which two places have the same ground

_RIM = np.pad(np.zeros((SIDE - 18, SIDE - 18), np.bool_), 9, constant_values=True)


@dataclass(frozen=True, eq=False)
class Traits:
    """The evidence in one picture. Weights are in nats, 0 for what is likely, less for what is not."""

    picture: Pixels

    @cached_property
    def _glyph(self) -> Glyph | None:
        return find_glyph(self.picture)

    @cached_property
    def likeness(self) -> dict[str, float]:
        """For each of LETTERS how much the glyph is like it, -1 for all where there is none."""
        glyph = self._glyph
        return likeness_to_letters(glyph) if glyph is not None else dict.fromkeys(LETTERS, -1.0)

    @property
    def is_many_coloured(self) -> bool:
        """Whether the ink has several colours, as no number has."""
        return self._glyph is not None and self._glyph.colours > ONE_COLOUR

    @cached_property
    def square(self) -> Floats:
        """The picture at a common size, (SIDE, SIDE, 3)."""
        return cv2.resize(self.picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)

    @cached_property
    def is_plain(self) -> bool:
        """Whether nothing is drawn in the middle of the cell."""
        middle = self.square[6:-6, 6:-6].reshape(-1, 3)
        return bool((np.percentile(middle, 99, axis=0) - np.percentile(middle, 1, axis=0)).max() < INKED)

    @cached_property
    def _core(self) -> float:
        """How much the very middle varies, where bevels do not reach, in grey levels."""
        core = self.square[10:-10, 10:-10].reshape(-1, 3)
        return float((np.percentile(core, 97, axis=0) - np.percentile(core, 3, axis=0)).max())

    @property
    def has_core(self) -> bool:
        """Whether anything is drawn in the very middle."""
        return self._core >= INKED

    @property
    def best(self) -> float:
        """How much the glyph is like the digit that it is most like."""
        return max(self.likeness[digit] for digit in DIGITS)

    @property
    def blank(self) -> float:
        """That it is a cell with nothing in it, hidden or open."""
        if self.is_plain:
            return 0.0
        if not self.has_core:
            return -0.5
        return -2.0 if self.best < 0.4 else max(FLOOR, -2.0 - 16.0 * (self.best - 0.4))

    @property
    def glyph(self) -> float:
        """That it is a number."""
        if self.is_plain or self.is_many_coloured:
            return FLOOR
        return min(0.0, max(FLOOR, 20.0 * (self.best - 0.85)))

    def digit(self, digit: str) -> float:
        """That it is this number, if it is one."""
        return max(FLOOR, SHARPNESS * (self.likeness[digit] - self.best))

    @property
    def drawing(self) -> float:
        """That it is a drawing: a flag, a mine."""
        if self._core < DRAWN:
            return FLOOR
        if self.is_many_coloured:
            return 0.0
        alike = SHARPNESS * max(0.0, self.best - 0.85) + 2 * SHARPNESS * max(0.0, self.best - 0.93)
        return max(2 * FLOOR, -alike)

    @property
    def question(self) -> float:
        """That it is a question mark rather than another drawing."""
        like = self.likeness["?"]
        behind = SHARPNESS * max(0.0, self.best - like)  # it is rather a digit
        return min(2.0, max(-2.5, 30.0 * (like - 0.8) - behind))

    @cached_property
    def signed(self) -> Signatures:
        """The signature of the picture."""
        one: Signatures = signatures(self.picture[None])[0]
        return one

    def is_recoloured(self, other: Traits) -> bool:
        """Whether another look has other colours than this one, and nothing else: each became one other."""
        if self.picture.shape != other.picture.shape:
            return False
        old = (self.picture.reshape(-1, 3) // BIN).astype(np.int32) @ (1, 1 << 8, 1 << 16)
        new = other.picture.reshape(-1, 3).astype(np.float32)
        odd = 0
        for colour in np.unique(old):
            became = new[old == colour]
            odd += int((np.abs(became - np.median(became, axis=0)).max(axis=1) > MATCH).sum())
        return odd <= ODD * len(new)

    def inside_apart(self, other: Traits) -> float:
        """How far another look is from this one where they differ most, rims left out, in grey levels."""
        one, two = (each.signed.reshape(SIGNED, SIGNED, 3)[RIM:-RIM, RIM:-RIM] for each in (self, other))
        return float(np.abs(one.astype(np.int16) - two.astype(np.int16)).max())

    def middle_of(self, other: Traits, within: float = MATCH + 6.0) -> float:
        """How much of the middle of the cell looks as in another look, within so many grey levels: 0 to 1."""
        same = np.abs(self.square - other.square).max(axis=2) <= within
        return float(same[7:-7, 7:-7].mean())


class Resemblance:
    """How much the pictures of some looks are like each other, each pair worked out once, when asked for."""

    def __init__(self, traits: Mapping[int, Traits]) -> None:
        self._place = {look: place for place, look in enumerate(traits)}
        self._signed = np.stack([each.signed for each in traits.values()])
        self._squares = np.stack([each.square for each in traits.values()]).astype(np.int16)
        self._off: dict[int, NDArray[np.float32]] = {}
        self._same: dict[int, tuple[Floats, Floats]] = {}

    def apart(self, look: int, other: int) -> float:
        """How far apart two looks are, in grey levels."""
        if look not in self._off:
            self._off[look] = apart(self._signed, self._signed[self._place[look]])
        return float(self._off[look][self._place[other]])

    def middle(self, look: int, ground: int) -> float:
        """How much of the middle of the cell looks as in another look: 0 to 1."""
        return float(self._like(ground)[0][self._place[look]])

    def rim(self, look: int, ground: int) -> float:
        """How much of the cell, outside its middle, looks as in another look: 0 to 1."""
        return float(self._like(ground)[1][self._place[look]])

    def _like(self, ground: int) -> tuple[Floats, Floats]:
        """How much of the middle, and of the rim, of each look is like this one."""
        if ground not in self._same:
            off = np.abs(self._squares - self._squares[self._place[ground]]).max(axis=3)
            middle = (off[:, 7:-7, 7:-7] <= MATCH + 6.0).mean(axis=(1, 2), dtype=np.float32)
            self._same[ground] = middle, (off[:, _RIM] <= MATCH).mean(axis=1, dtype=np.float32)
        return self._same[ground]
