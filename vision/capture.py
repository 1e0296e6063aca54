"""Takes pictures of the screen."""

from __future__ import annotations

import contextlib
from typing import Any, Protocol, Self

import numpy as np

from games.errors import MachineLacks
from vision.frame import Frame

Region = tuple[float, float, float, float]  # left, top, width, height in points


class Capture(Protocol):
    """Whoever takes the pictures of a desktop. A context manager that lets go of the screen."""

    def grab(self, region: Region | None = None) -> Frame:
        """The picture of a region (points), or of the whole desktop when it is None.

        Raises MachineLacks when there is no picture.
        """

    def close(self) -> None:
        """Let go of the screen."""

    def __enter__(self) -> Self:
        """Itself."""

    def __exit__(self, *raised: object) -> None:
        """Let go of the screen."""


class Grabber:
    """Takes pictures with mss.

    One open connection to the screen is kept for the whole game: opening it costs more than a picture.

    Raises MachineLacks when there is no display to look at.
    """

    def __init__(self) -> None:
        # Imported here so that importing vision needs neither a display nor its libraries.
        import mss
        from mss.exception import ScreenShotError

        self._failures = (ScreenShotError, OSError)  # by platform and version; X errors are among the first
        try:
            self._screen: Any = mss.MSS()
        except self._failures as error:
            raise MachineLacks(_advice(error)) from error

    def grab(self, region: Region | None = None) -> Frame:
        """The picture of a region (points), or of the whole virtual screen when it is None.

        Raises MachineLacks when the screen gives no picture (it went away, or the system forbids it).
        """
        if region is None:
            whole = self._screen.monitors[0]
            region = (whole["left"], whole["top"], whole["width"], whole["height"])
        left, top = round(region[0]), round(region[1])
        width, height = max(1, round(region[2])), max(1, round(region[3]))
        try:
            shot = self._screen.grab({"left": left, "top": top, "width": width, "height": height})
        except self._failures as error:
            raise MachineLacks(_advice(error)) from error
        wide, high = shot.size
        with_alpha = np.frombuffer(shot.bgra, np.uint8).reshape(high, wide, 4)
        pixels = np.ascontiguousarray(with_alpha[:, :, :3])
        return Frame(pixels, float(left), float(top), wide / width)

    def close(self) -> None:
        """Lets go of the screen; a second time does nothing."""
        with contextlib.suppress(*self._failures):  # the screen may have gone first
            self._screen.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def _advice(error: Exception) -> str:
    reason = " ".join(str(error).split()) or type(error).__name__
    return (
        f"the screen cannot be read ({reason}): "
        "start a desktop session and set DISPLAY, or use --virtual (needs Xvfb: apt install xvfb)"
    )
