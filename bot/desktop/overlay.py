"""A picture over a board that clicks pass through, and pictures of the screen without it: the port."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.capture import Capture

Drawing = NDArray[np.uint8]  # rows, columns, blue green red alpha; colours are not multiplied by alpha


class Overlay(Protocol):
    """A window over the window of a board. It takes neither clicks nor the keyboard, and is in no picture."""

    @property
    def beneath(self) -> Capture:
        """Takes pictures of the desktop as it is without the overlay."""

    @property
    def taken(self) -> Sequence[str]:
        """The keys that it was opened for and does not get: another program has them."""

    def lie_over(self, x: float, y: float) -> None:
        """From now on lie over the window at this place (points), and under whatever lies over that."""

    def show(self, drawing: Drawing, left: int, top: int) -> None:
        """Show this, with its corner at this place (points), in place of what was shown."""

    def hide(self) -> None:
        """Show nothing."""

    def attend(self) -> list[str]:
        """The keys that were pressed since this was last asked, in any window; to be asked often.

        What is shown goes when the window beneath has moved, changed its size or gone.
        """


# Opens the overlay of a desktop: what takes its pictures, and keys (X names) that are heard in any window,
# which no other program gets meanwhile.
OpenOverlay = Callable[[Capture, Sequence[str]], AbstractContextManager[Overlay]]
