"""How much what was read speaks for a board, in nats for one of its unit (`evidence`).

Made by `python -m training.locating readings`; do not edit. It has seen
218 drawn boards and 66 other grids.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

BOARD: Mapping[str, float] = MappingProxyType(
    {
        "located": 0.473,
        "looks": 0.511,
        "strange": -0.330,
        "numbers": 0.260,
    }
)
ADDED = -1.460  # nats
