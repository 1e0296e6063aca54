"""Pictures of a Wayland desktop, by wlr-screencopy into shared memory."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.closing import Closing
from bot.desktop.wayland.connection import Connection, Output
from bot.desktop.wayland.pixels import SharedPicture, upright
from games.errors import MachineLacks
from vision.capture import Region
from vision.frame import Frame

LATE = 5.0  # seconds that an output gets to show its next frame: one that sleeps shows none
Box = tuple[int, int, int, int]


class WaylandGrabber(Closing):
    """Takes pictures of a desktop; satisfies `vision.capture.Capture`.

    Where the screens have several scales, everything is brought to the largest of them, so that a board keeps
    the size of its cells wherever it lies. Raises MachineLacks when the server takes no pictures.
    """

    def __init__(self, connection: Connection) -> None:
        from bot.desktop.wayland.protocols import ScreencopyManager

        self._connection = connection
        self._copier = connection.bind(ScreencopyManager)
        self._shared: SharedPicture | None = None

    def grab(self, region: Region | None = None, with_pointer: bool = False) -> Frame:
        """The picture of a region (points), or of all screens when it is None; black where no screen is.

        `with_pointer` draws the pointer into it. Raises MachineLacks when there is no picture.
        """
        outputs = self._connection.outputs
        scale = max(output.scale for output in outputs)
        points = whole_points(region or self._connection.bounds)
        left, top, right, bottom = pixels_of(points, scale)
        parts = [(output, part) for output in outputs if (part := self._part(output, points)) is not None]
        if len(parts) == 1 and parts[0][1] == points and parts[0][0].scale == scale:
            return Frame(self._picture(*parts[0], with_pointer), left / scale, top / scale, scale)
        canvas = np.zeros((bottom - top, right - left, 3), np.uint8)
        for output, part in parts:
            picture = self._picture(output, part, with_pointer)
            x, y, x_end, y_end = pixels_of(part, scale)
            if output.scale != scale:
                picture = cv2.resize(picture, (x_end - x, y_end - y), interpolation=cv2.INTER_NEAREST).astype(
                    np.uint8, copy=False
                )
            paste(picture, canvas, x - left, y - top)
        return Frame(canvas, left / scale, top / scale, scale)

    def close(self) -> None:
        """Let go of the memory that was shared with the server; a second time does nothing."""
        if self._shared is not None:
            self._shared.close()
            self._shared = None

    def _part(self, output: Output, points: Box) -> Box | None:
        """What to ask an output for: its part of the box, or all where servers cut in their own ways."""
        own = (output.left, output.top, output.width, output.height)
        common = intersection(own, points)
        is_plain = output.scale.is_integer() and not output.transform
        return common if common is None or is_plain else own

    def _picture(self, output: Output, part: Box, with_pointer: bool) -> NDArray[np.uint8]:
        """A part of an output (points) in its own pixels."""
        left, top, width, height = part
        if part == (output.left, output.top, output.width, output.height):
            frame = self._copier.capture_output(int(with_pointer), output.proxy)
        else:
            frame = self._copier.capture_output_region(
                int(with_pointer), output.proxy, left - output.left, top - output.top, width, height
            )
        try:
            return upright(self._filled(frame, output), output.transform)
        finally:
            frame.destroy()

    def _filled(self, frame: Any, output: Output) -> NDArray[np.uint8]:
        wanted: list[tuple[int, int, int, int]] = []
        state = {"flags": 0, "done": 0, "failed": 0}
        frame.dispatcher["buffer"] = lambda _, *form: wanted.append(form)
        frame.dispatcher["flags"] = lambda _, flags: state.update(flags=flags)
        frame.dispatcher["ready"] = lambda *_: state.update(done=1)
        frame.dispatcher["failed"] = lambda _: state.update(failed=1)
        self._connection.wait(lambda: bool(wanted or state["failed"]), LATE)
        if wanted:
            shared = self._shared_as(*wanted[0])
            frame.copy(shared.buffer)
            self._connection.wait(lambda: bool(state["done"] or state["failed"]), LATE)
        if state["failed"]:
            raise MachineLacks(f"the screen {output.name} gives no picture: is it locked or switched off?")
        picture = shared.read()
        return picture[::-1] if state["flags"] & 1 else picture

    def _shared_as(self, form: int, width: int, height: int, stride: int) -> SharedPicture:
        """Shared memory for a picture of this form; the last one again where it fits."""
        if self._shared is None or self._shared.form != (form, width, height, stride):
            self.close()
            self._shared = SharedPicture(self._connection, form, width, height, stride)
        return self._shared


def whole_points(region: Region) -> Box:
    """A region in whole points, at least one each way."""
    left, top, width, height = region
    return round(left), round(top), max(1, round(width)), max(1, round(height))


def pixels_of(box: Box, scale: float) -> Box:
    """Left, top, right and bottom of a box of points, in pixels."""
    left, top, width, height = box
    return (
        round(left * scale),
        round(top * scale),
        round((left + width) * scale),
        round((top + height) * scale),
    )


def intersection(a: Box, b: Box) -> Box | None:
    """What two boxes share, None for nothing."""
    left, top = max(a[0], b[0]), max(a[1], b[1])
    right, bottom = min(a[0] + a[2], b[0] + b[2]), min(a[1] + a[3], b[1] + b[3])
    return (left, top, right - left, bottom - top) if left < right and top < bottom else None


def paste(picture: NDArray[np.uint8], canvas: NDArray[np.uint8], x: int, y: int) -> None:
    """Draw a picture at a place of a canvas; what does not fit is cut off."""
    common = intersection(
        (x, y, picture.shape[1], picture.shape[0]), (0, 0, canvas.shape[1], canvas.shape[0])
    )
    if common is not None:
        left, top, width, height = common
        canvas[top : top + height, left : left + width] = picture[
            top - y : top - y + height, left - x : left - x + width
        ]
