"""How likely a state is to be on a board at all, in nats.

Made by `python -m training.expectations` from 1500 games; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

PRESENT: Mapping[str, float] = MappingProxyType(
    {
        ".": -0.03,
        "0": -0.10,
        "1": -0.03,
        "2": -0.05,
        "3": -0.15,
        "4": -0.72,
        "5": -2.12,
        "6": -4.31,
        "7": -8.46,
        "8": -9.84,
        "F": -0.77,
        "?": -9.84,
        "*": -3.07,
        "!": -3.30,
        "x": -9.84,
        "~": -2.78,
    }
)
