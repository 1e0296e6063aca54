"""Memory of the kernels in plain Python: lists.

`memory.pyx` replaces this module in the extension: there, arrays are slices of a C arena, and `release` frees
all arrays that were made after `mark`.
"""

from __future__ import annotations

from typing import Any

from strategies.kernels.settings import Floats, Ints, Octets


class Memory:
    """Makes arrays."""

    is_compiled = False

    def mark(self) -> int:
        """The present fill level, for `release`."""
        return 0

    def release(self, mark: int) -> None:
        """Free all arrays that were made since `mark`."""

    def ints(self, count: int, value: int) -> Ints:
        """An array of `count` integers, all equal to `value`."""
        return [value] * count

    def copy_ints(self, values: Any) -> Ints:
        """A copy of a contiguous NumPy array of 64-bit integers."""
        copied: Ints = values.tolist()
        return copied

    def floats(self, count: int, value: float) -> Floats:
        """An array of `count` floats, all equal to `value`."""
        return [value] * count

    def large_floats(self, count: int) -> Floats:
        """An array of up to `count` floats; `extend` makes room in it."""
        return []

    def extend(self, values: Floats, length: int) -> None:
        """Make room for `length` floats in an array of `large_floats`."""
        if len(values) < length:
            values.extend([0.0] * (length - len(values)))

    def octets(self, count: int) -> Octets:
        """An array of 8-bit integers with arbitrary contents."""
        return [0] * count
