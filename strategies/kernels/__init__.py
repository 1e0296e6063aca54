"""The inner loops of counting and guessing: an extension if it was built, otherwise plain Python.

Each module has one source: Cython compiles the `.py` file, and `setup.py` derives the C types from its
annotations. Only `memory` exists twice. Both forms do the same work in the same order, so they give the same
answers to the last bit. Therefore, kernels only index arrays (no slices, no `len`), and each array access
stays within the arrays' bounds: the extension does not check them.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from strategies.kernels.arrays import PositionArrays, make_position
from strategies.kernels.choice import choose_cell, win_share
from strategies.kernels.components import survey
from strategies.kernels.counting import make_memory
from strategies.kernels.memory import Memory
from strategies.kernels.settings import Choice, GuessSettings

if TYPE_CHECKING:
    from strategies.kernels.counting import CountingMemory

__all__ = [
    "Choice",
    "GuessSettings",
    "PositionArrays",
    "choose_cell",
    "is_compiled",
    "make_position",
    "survey",
    "thread_memory",
    "win_share",
]

_own = threading.local()


def is_compiled() -> bool:
    """Whether the extension is in use."""
    return Memory.is_compiled


def thread_memory() -> CountingMemory:
    """The memory of this thread, to be passed to the kernels; it must not be used by two calls at once."""
    if not hasattr(_own, "memory"):
        _own.memory = make_memory()
    memory: CountingMemory = _own.memory
    return memory
