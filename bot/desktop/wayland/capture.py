"""Capture of a Wayland desktop with wlr-screencopy, into memory shared with the server."""

from __future__ import annotations

import contextlib
import mmap
import os
from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.desktop.ports import Box, intersection, round_region
from bot.desktop.wayland.connection import WaylandConnection, WaylandOutput
from bot.shutdown import Closeable
from games.errors import MissingRequirement
from vision.frame import Frame, Region, drop_alpha

# wl_shm.format: bytes per pixel, and the offsets of blue, green and red (always little-endian)
BYTES: Mapping[int, tuple[int, tuple[int, int, int]]] = {
    0: (4, (0, 1, 2)),  # ARGB8888
    1: (4, (0, 1, 2)),  # XRGB8888
    0x34324241: (4, (2, 1, 0)),  # ABGR8888
    0x34324258: (4, (2, 1, 0)),  # XBGR8888
    0x34324752: (3, (0, 1, 2)),  # RGB888
    0x34324742: (3, (2, 1, 0)),  # BGR888
}
# wl_shm.format with 10 bits per colour: bit shifts of blue, green and red
TEN_BITS: Mapping[int, tuple[int, int, int]] = {
    0x30335258: (0, 10, 20),  # XRGB2101010
    0x30335241: (0, 10, 20),  # ARGB2101010
    0x30334258: (20, 10, 0),  # XBGR2101010
    0x30334241: (20, 10, 0),  # ABGR2101010
}


class ShmBuffer:
    """Memory for one image, shared with the server as its object `buffer`.

    `form` is (wl_shm.format, width, height, bytes per row). Raises MissingRequirement for an unknown format.
    """

    def __init__(
        self, connection: WaylandConnection, form: int, width: int, height: int, stride: int
    ) -> None:
        from pywayland.protocol.wayland import WlShm

        if form not in BYTES and form not in TEN_BITS:
            raise MissingRequirement(f"the screen's pixel format {form:#x} is not supported: use --virtual")
        self.form = (form, width, height, stride)
        size = stride * height
        descriptor = os.memfd_create("sapper-picture", os.MFD_CLOEXEC)
        try:
            os.ftruncate(descriptor, size)
            self._memory = mmap.mmap(descriptor, size)
            shm = connection.bind(WlShm)
            pool = shm.create_pool(descriptor, size)
            self.buffer: Any = pool.create_buffer(0, width, height, stride, form)
            pool.destroy()
            connection.roundtrip()  # the server has duplicated the descriptor
        finally:
            os.close(descriptor)

    def read(self) -> NDArray[np.uint8]:
        """A copy of the image: (rows, columns, BGR)."""
        form, width, height, stride = self.form
        rows = np.frombuffer(self._memory, np.uint8).reshape(height, stride)
        if form in TEN_BITS:
            words = rows[:, : width * 4].copy().view(np.dtype("<u4"))
            return np.stack([(words >> shift + 2 & 255).astype(np.uint8) for shift in TEN_BITS[form]], axis=2)
        size, order = BYTES[form]
        pixels = rows[:, : width * size].reshape(height, width, size)
        colours = drop_alpha(pixels) if size == 4 else pixels.copy()
        return np.ascontiguousarray(colours if order == (0, 1, 2) else colours[:, :, ::-1])

    def draw(self, picture: NDArray[np.uint8]) -> None:
        """Write an image (rows, columns, BGR or BGRA with premultiplied alpha) in a format of that order."""
        form, width, height, stride = self.form
        rows = np.frombuffer(self._memory, np.uint8).reshape(height, stride)
        rows[:, : width * BYTES[form][0]].reshape(height, width, -1)[:, :, : picture.shape[2]] = picture

    def close(self) -> None:
        """Release the memory; idempotent."""
        if not self.buffer.destroyed:
            self.buffer.destroy()
            with contextlib.suppress(BufferError):  # interrupted while an array still refers to it
                self._memory.close()


def apply_transform(picture: NDArray[np.uint8], transform: int) -> NDArray[np.uint8]:
    """An upright image; `transform` is wl_output.transform: quarter turns, plus 4 if mirrored."""
    turned = np.rot90(picture, -(transform % 4)) if transform % 4 else picture
    return np.ascontiguousarray(turned[:, ::-1] if transform >= 4 else turned)


WITHOUT_POINTER = 0  # overlay_cursor of a capture
TIMEOUT = 5.0  # seconds; for the next frame of an output, which never comes if it sleeps


class WaylandCapture(Closeable):
    """Captures a Wayland desktop; satisfies `vision.frame.Capture`.

    If the screens have different scales, frames use the largest, so that a board has the same cell size on
    every screen. Raises MissingRequirement if the server does not support screencopy.
    """

    def __init__(self, connection: WaylandConnection) -> None:
        from bot.desktop.wayland.protocols import ScreencopyManager

        self._connection = connection
        self._copier = connection.bind(ScreencopyManager)
        self._shared: ShmBuffer | None = None

    def grab(self, region: Region | None = None) -> Frame:
        """A frame of a region (points), or of all screens if None; black outside the screens.

        Raises MissingRequirement if capturing fails.
        """
        outputs = self._connection.outputs
        scale = max(output.scale for output in outputs)
        points = round_region(region or self._connection.bounds)
        left, top, right, bottom = pixels_of(points, scale)
        parts = [(output, part) for output in outputs if (part := self._part(output, points)) is not None]
        if len(parts) == 1 and parts[0][1] == points and parts[0][0].scale == scale:
            return Frame(self._picture(*parts[0]), left / scale, top / scale, scale)
        canvas = np.zeros((bottom - top, right - left, 3), np.uint8)
        for output, part in parts:
            picture = self._picture(output, part)
            x, y, x_end, y_end = pixels_of(part, scale)
            if output.scale != scale:
                picture = cv2.resize(picture, (x_end - x, y_end - y), interpolation=cv2.INTER_NEAREST).astype(
                    np.uint8, copy=False
                )
            blit(picture, canvas, x - left, y - top)
        return Frame(canvas, left / scale, top / scale, scale)

    def close(self) -> None:
        """Release the shared memory; idempotent."""
        if self._shared is not None:
            self._shared.close()
            self._shared = None

    def _part(self, output: WaylandOutput, points: Box) -> Box | None:
        """The area to request from an output: the common area, or all of it if scaled or transformed.

        Servers crop fractional scales and transforms differently.
        """
        own = (output.left, output.top, output.width, output.height)
        common = intersection(own, points)
        is_plain = output.scale.is_integer() and not output.transform
        return common if common is None or is_plain else own

    def _picture(self, output: WaylandOutput, part: Box) -> NDArray[np.uint8]:
        """An area of an output (points), in the output's pixels."""
        left, top, width, height = part
        if part == (output.left, output.top, output.width, output.height):
            frame = self._copier.capture_output(WITHOUT_POINTER, output.proxy)
        else:
            frame = self._copier.capture_output_region(
                WITHOUT_POINTER, output.proxy, left - output.left, top - output.top, width, height
            )
        try:
            return apply_transform(self._filled(frame, output), output.transform)
        finally:
            frame.destroy()

    def _filled(self, frame: Any, output: WaylandOutput) -> NDArray[np.uint8]:
        wanted: list[tuple[int, int, int, int]] = []
        state = {"flags": 0, "done": 0, "failed": 0}
        frame.dispatcher["buffer"] = lambda _, *form: wanted.append(form)
        frame.dispatcher["flags"] = lambda _, flags: state.update(flags=flags)
        frame.dispatcher["ready"] = lambda *_: state.update(done=1)
        frame.dispatcher["failed"] = lambda _: state.update(failed=1)
        self._connection.wait(lambda: bool(wanted or state["failed"]), TIMEOUT)
        if wanted:
            shared = self._shared_as(*wanted[0])
            frame.copy(shared.buffer)
            self._connection.wait(lambda: bool(state["done"] or state["failed"]), TIMEOUT)
        if state["failed"]:
            raise MissingRequirement(f"cannot capture the screen {output.name}: unlock it or switch it on")
        picture = shared.read()
        return picture[::-1] if state["flags"] & 1 else picture

    def _shared_as(self, form: int, width: int, height: int, stride: int) -> ShmBuffer:
        """Shared memory of this form; reuses the last buffer if possible."""
        if self._shared is None or self._shared.form != (form, width, height, stride):
            self.close()
            self._shared = ShmBuffer(self._connection, form, width, height, stride)
        return self._shared


def pixels_of(box: Box, scale: float) -> Box:
    """Left, top, right and bottom in pixels of a box in points."""
    left, top, width, height = box
    return (
        round(left * scale),
        round(top * scale),
        round((left + width) * scale),
        round((top + height) * scale),
    )


def blit(picture: NDArray[np.uint8], canvas: NDArray[np.uint8], x: int, y: int) -> None:
    """Copy an image to a position on a canvas, clipped to the canvas."""
    common = intersection(
        (x, y, picture.shape[1], picture.shape[0]), (0, 0, canvas.shape[1], canvas.shape[0])
    )
    if common is not None:
        left, top, width, height = common
        canvas[top : top + height, left : left + width] = picture[
            top - y : top - y + height, left - x : left - x + width
        ]
