"""The rules of variants: where mines may be, what a number counts. A file for each that is built in."""

from games.minesweeper.variants.registry import BUILT_IN, PLAIN, Variant, available, variant_of

__all__ = ["BUILT_IN", "PLAIN", "Variant", "available", "variant_of"]
