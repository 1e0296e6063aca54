"""The three usual levels."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# name -> rows, columns, mines
LEVELS: Mapping[str, tuple[int, int, int]] = MappingProxyType(
    {"beginner": (9, 9, 10), "intermediate": (16, 16, 40), "expert": (16, 30, 99)}
)
