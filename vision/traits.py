"""What one look's picture says by itself about its meaning: evidence, never proof."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.dots import LETTERS
from vision.frame import Pixels
from vision.glyphs import DIGITS, INKED, SIDE, Floats, Glyph, find_glyph, likeness_to_letters
from vision.likeness import Signatures, apart, signatures

SHARPNESS = 60.0  # nats for each 1.0 of likeness that one digit is behind another
FLOOR = -9.0  # nats; no shape makes anything impossible
ONE_COLOUR = 170.0  # grey levels that the ink of a number may vary, its edges and gloss included
MATCH = 14.0  # grey levels within which two places have the same ground


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
    def _square(self) -> Floats:
        return cv2.resize(self.picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)

    @cached_property
    def is_plain(self) -> bool:
        """Whether nothing is drawn in the middle of the cell."""
        middle = self._square[6:-6, 6:-6].reshape(-1, 3)
        return bool((np.percentile(middle, 99, axis=0) - np.percentile(middle, 1, axis=0)).max() < INKED)

    @cached_property
    def has_core(self) -> bool:
        """Whether anything is drawn in the very middle, where bevels do not reach."""
        core = self._square[10:-10, 10:-10].reshape(-1, 3)
        return bool((np.percentile(core, 97, axis=0) - np.percentile(core, 3, axis=0)).max() >= INKED)

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
        if not self.has_core:
            return FLOOR
        return 0.0 if self.is_many_coloured else min(0.0, -25.0 * (self.best - 0.85))

    @property
    def question(self) -> float:
        """That it is a question mark rather than another drawing."""
        return min(2.0, max(-2.5, 30.0 * (self.likeness["?"] - 0.8)))

    @cached_property
    def signed(self) -> Signatures:
        """The signature of the picture."""
        one: Signatures = signatures(self.picture[None])[0]
        return one

    def far_from(self, other: Traits) -> float:
        """How far apart the two pictures look, in grey levels."""
        return float(apart(self.signed, other.signed))

    def middle_of(self, other: Traits, within: float = MATCH + 6.0) -> float:
        """How much of the middle of the cell looks as in another look, within so many grey levels: 0 to 1."""
        same = np.abs(self._square - other._square).max(axis=2) <= within
        return float(same[7:-7, 7:-7].mean())

    def on_ground_of(self, other: Traits) -> float:
        """How much of the cell, outside its middle, looks as in another look: 0 to 1."""
        same = np.abs(self._square - other._square).max(axis=2) <= MATCH
        rim = np.ones((SIDE, SIDE), np.bool_)
        rim[9:-9, 9:-9] = False
        return float(same[rim].mean())
