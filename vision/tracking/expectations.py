"""How often cells show what, after what was done to them: natural logarithms of probabilities, 0 for certain.

"same" is a cell whose picture did not change, "number" an open one that did; "opened" was clicked, "reached"
hangs together with an opened cell through changed ones, "hidden" does not; ", ended": the game is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

EXPECTED: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "ended": {"guess": -1.5, "certain": -4.0, "untouched": -6.0},
        "same": {"~": -7.0, "other": -12.0},
        "number": {"~": -3.0, "other": -12.0},
        "opened": {"1-8": -2.2, "0": -1.5, "~": -4.0, "?": -9.0, ".": -9.0, "other": -12.0},
        "opened, ended": {"!": -0.7, "*": -1.0, "1-8": -3.5, "0": -3.5, "~": -2.5, "other": -12.0},
        "reached": {"1-8": -2.2, "0": -1.0, ".": -3.0, "~": -4.0, "F": -8.0, "?": -9.0, "other": -12.0},
        "hidden": {".": -0.5, "~": -2.0, "F": -6.0, "?": -6.0, "1-8": -8.0, "0": -7.0, "other": -10.0},
        "hidden, ended": {
            "*": -1.0,
            ".": -1.5,
            "F": -2.0,
            "1-8": -4.0,
            "0": -3.0,
            "~": -2.5,
            "!": -4.0,
            "x": -7.0,
            "other": -9.0,
        },
        "flagged": {"F": -0.1, ".": -3.0, "~": -4.0, "?": -6.0, "other": -10.0},
        "unflagged": {".": -0.5, "?": -1.0, "~": -4.0, "other": -10.0},
        "flag": {"F": -0.2, "~": -2.0, ".": -7.0, "1-8": -9.0, "0": -9.0, "?": -6.0, "other": -9.0},
        "flag, ended": {"F": -1.0, "*": -1.2, "x": -1.2, "~": -2.5, "1-8": -4.0, "0": -4.0, "other": -9.0},
    }
)
