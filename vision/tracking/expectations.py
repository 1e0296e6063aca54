"""How likely cells show what, after what was done to them, in nats.

Made by `python -m training.expectations` from 1500 games; do not edit. "opened" was clicked, "reached"
hangs together with an opened cell through changed ones, "hidden" does not; ", ended": the game is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

EXPECTED: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "ended": {"guess": -1.48, "certain": -3.28},
        "flag": {"F": -1.14, "~": -0.40, "other": -5.23},
        "flag, ended": {"*": -0.04, "F": -4.61, "~": -3.63, "other": -6.81},
        "flagged": {"*": -4.62, "F": -0.03, "~": -4.07, "other": -9.28},
        "hidden": {".": -1.02, "~": -0.45, "other": -7.99},
        "hidden, ended": {
            "*": -0.52,
            ".": -6.56,
            "0": -3.13,
            "1-8": -3.40,
            "F": -2.69,
            "~": -3.60,
            "other": -10.51,
        },
        "number": {"same": -1.11, "~": -0.40, "other": -8.28},
        "opened": {"0": -2.05, "1-8": -2.24, "~": -4.00, "other": -10.88},
        "opened, ended": {"!": -0.32, "*": -1.39, "~": -3.73, "other": -6.86},
        "reached": {".": -6.44, "0": -0.84, "1-8": -2.69, "~": -3.74, "other": -11.83},
    }
)
