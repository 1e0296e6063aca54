"""Pictures of an X screen whose colours mss does not know (15, 16 or 30 bits), by python3-xlib."""

from __future__ import annotations

import contextlib
import warnings
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from bot.desktop.cookies import have_cookie_file
from games.errors import MachineLacks
from vision.capture import Region
from vision.frame import Frame

ALL_PLANES = 0xFFFFFFFF
BAND = 30_000  # bytes of one answer
TRUE_COLOR = 4  # the visual class whose pixels are their colours, not numbers of a palette


class XImageGrabber:
    """Takes pictures of the screen that DISPLAY names; satisfies `vision.capture.Capture`.

    Raises MachineLacks where there is none, or its pixels are numbers of a palette.
    """

    def __init__(self) -> None:
        from Xlib import display, error

        have_cookie_file()
        self._failures = (error.DisplayError, error.XError, error.ConnectionClosedError, OSError)
        try:
            with warnings.catch_warnings():  # python3-xlib leaves the file of cookies open
                warnings.simplefilter("ignore", ResourceWarning)
                self._display: Any = display.Display()
        except self._failures as problem:
            raise MachineLacks(_advice(problem)) from problem
        screen = self._display.screen()
        depths = {depth.depth: depth.visuals for depth in screen.allowed_depths}
        visual = next(each for each in depths[screen.root_depth] if each.visual_id == screen.root_visual)
        form = next(
            each for each in self._display.display.info.pixmap_formats if each.depth == screen.root_depth
        )
        self._root: Any = screen.root
        if visual.visual_class != TRUE_COLOR or form.bits_per_pixel not in (16, 32):
            self.close()
            raise MachineLacks(
                f"a screen of {screen.root_depth} bits without true colour cannot be read: choose 16 or 24"
            )
        self._masks = (visual.blue_mask, visual.green_mask, visual.red_mask)
        order = "<" if self._display.display.info.image_byte_order == 0 else ">"
        self._pixel = np.dtype(f"{order}u{form.bits_per_pixel // 8}")
        self._pad = form.scanline_pad // 8  # bytes that a row's length is a multiple of

    def grab(self, region: Region | None = None) -> Frame:
        """The picture of a region, or of the whole screen when it is None; points are pixels here.

        Raises MachineLacks when the screen gives no picture.
        """
        try:
            if region is None:
                whole = self._root.get_geometry()
                region = (0, 0, whole.width, whole.height)
            left, top = round(region[0]), round(region[1])
            width, height = max(1, round(region[2])), max(1, round(region[3]))
            bands = [
                self._band(left, top + row, width, min(self._rows(width), height - row))
                for row in range(0, height, self._rows(width))
            ]
        except self._failures as problem:
            raise MachineLacks(_advice(problem)) from problem
        return Frame(np.concatenate(bands), float(left), float(top))

    def close(self) -> None:
        """Let go of the screen; a second time does nothing."""
        if self._display is not None:
            with contextlib.suppress(*self._failures):  # the screen may have gone first
                self._display.close()
            self._display = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _row_bytes(self, width: int) -> int:
        return int(-(-width * self._pixel.itemsize // self._pad) * self._pad)

    def _rows(self, width: int) -> int:
        """The rows to ask for at once: python3-xlib takes far longer for one large answer than for many."""
        return max(1, BAND // self._row_bytes(width))

    def _band(self, left: int, top: int, width: int, height: int) -> NDArray[np.uint8]:
        """Some rows of the screen: rows, columns, blue green red."""
        from Xlib import X

        image = self._root.get_image(left, top, width, height, X.ZPixmap, ALL_PLANES)
        # python3-xlib takes what happens to be UTF-8 for text
        data = image.data.encode() if isinstance(image.data, str) else image.data
        row = self._row_bytes(width)
        rows = np.frombuffer(data, np.uint8, row * height).reshape(height, row)
        pixels = np.ascontiguousarray(rows[:, : width * self._pixel.itemsize]).view(self._pixel)
        return np.stack([shade(pixels.astype(np.uint32), mask) for mask in self._masks], axis=2)


def shade(pixels: NDArray[np.uint32], mask: int) -> NDArray[np.uint8]:
    """One colour of pixels, from 0 to 255; `mask` says in which bits it lies."""
    lowest = (mask & -mask).bit_length() - 1
    most = mask >> lowest
    values: NDArray[np.uint32] = (pixels & np.uint32(mask)) >> np.uint32(lowest)
    return ((values * 255 + most // 2) // most).astype(np.uint8)


def _advice(error: Exception) -> str:
    reason = " ".join(str(error).split()) or type(error).__name__
    return f"the screen cannot be read ({reason}): start a desktop session and set DISPLAY, or use --virtual"
