"""How much what was read speaks for a board, in nats for one of its unit (`evidence`).

Made by `python -m training.locating readings`; do not edit. It has seen
217 drawn boards and 65 other grids.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

BOARD: Mapping[str, float] = MappingProxyType(
    {
        "located": 0.348,
        "looks": 0.351,
        "strange": -0.668,
        "numbers": 0.386,
    }
)
ADDED = -0.211  # nats
