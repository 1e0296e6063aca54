"""The common rules."""

from __future__ import annotations

from games.minesweeper.variants.registry import PLAIN, Variant

VARIANT = Variant(PLAIN, "mines may be anywhere; a number counts the mines in the eight cells around it")
