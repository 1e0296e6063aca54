"""How likely cells show what, and after what was done to them: natural logarithms of probabilities.

Made by `python -m training.expectations` from 1500 games; do not edit. "opened" was clicked, "reached" hangs
together with an opened cell through changed ones, "hidden" does not; ", ended": the game is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

EXPECTED: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "ended": {"guess": -1.48, "certain": -3.28},
        "flag": {"1": -5.27, "2": -5.27, "3": -5.27, "4": -5.27, "5": -5.27, "6": -5.27, "7": -5.27, "8": -5.27, "F": -1.17, "~": -0.44, "other": -5.27},
        "flag, ended": {"*": -0.05, "1": -6.81, "2": -6.81, "3": -6.81, "4": -6.81, "5": -6.81, "6": -6.81, "7": -6.81, "8": -6.81, "F": -4.62, "~": -3.64, "other": -6.81},
        "flagged": {"*": -4.62, "1": -9.28, "2": -9.28, "3": -9.28, "4": -9.28, "5": -9.28, "6": -9.28, "7": -9.28, "8": -9.28, "F": -0.03, "~": -4.07, "other": -9.28},
        "hidden": {".": -1.02, "1": -7.99, "2": -7.99, "3": -7.99, "4": -7.99, "5": -7.99, "6": -7.99, "7": -7.99, "8": -7.99, "~": -0.45, "other": -7.99},
        "hidden, ended": {"*": -0.52, ".": -6.56, "0": -3.13, "1": -3.40, "2": -3.40, "3": -3.40, "4": -3.40, "5": -3.40, "6": -3.40, "7": -3.40, "8": -3.40, "F": -2.69, "~": -3.60, "other": -10.51},
        "number": {"same": -1.11, "~": -0.40, "other": -8.28},
        "opened": {"0": -2.05, "1": -2.24, "2": -2.24, "3": -2.24, "4": -2.24, "5": -2.24, "6": -2.24, "7": -2.24, "8": -2.24, "~": -4.00, "other": -10.88},
        "opened, ended": {"!": -0.33, "*": -1.40, "1": -6.87, "2": -6.87, "3": -6.87, "4": -6.87, "5": -6.87, "6": -6.87, "7": -6.87, "8": -6.87, "~": -3.73, "other": -6.87},
        "reached": {".": -6.44, "0": -0.84, "1": -2.69, "2": -2.69, "3": -2.69, "4": -2.69, "5": -2.69, "6": -2.69, "7": -2.69, "8": -2.69, "~": -3.74, "other": -11.83},
    }
)
