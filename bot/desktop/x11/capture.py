"""Capture an X screen or a single window through python3-xlib.

`X11Capture` supports colour depths that mss does not. Image data goes through memory shared with the server
(MIT-SHM) where available, because python3-xlib needs about 30 ms per megabyte through the connection.
"""

from __future__ import annotations

import contextlib
import ctypes
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from Xlib import X, error
from Xlib.protocol import rq

from bot.desktop.ports import round_region
from bot.desktop.x11.windows import open_display
from bot.shutdown import Closeable
from games.errors import MissingRequirement
from vision.frame import Frame, Region, drop_alpha

ALL_PLANES = 0xFFFFFFFF
BAND = 30_000  # bytes per reply
BYTES = (0xFF, 0xFF00, 0xFF0000)  # masks of blue, green and red in the most common pixel format
TRUE_COLOR = 4  # visual class without a palette


class X11Capture(Closeable):
    """Captures the screen named by DISPLAY; satisfies `vision.frame.Capture`.

    All true-colour depths are supported. Raises MissingRequirement without a screen or with a palette.
    """

    def __init__(self) -> None:
        self._gone = (error.BadWindow, error.BadDrawable, error.BadMatch)
        self._failures = (error.DisplayError, error.XError, error.ConnectionClosedError, OSError)
        self._shared: X11SharedMemory | None = None
        try:
            self._display: Any = open_display()
        except self._failures as problem:
            raise MissingRequirement(_advice(problem)) from problem
        screen = self._display.screen()
        depths = {depth.depth: depth.visuals for depth in screen.allowed_depths}
        visual = next(each for each in depths[screen.root_depth] if each.visual_id == screen.root_visual)
        form = next(
            each for each in self._display.display.info.pixmap_formats if each.depth == screen.root_depth
        )
        self._root: Any = screen.root
        if visual.visual_class != TRUE_COLOR or form.bits_per_pixel not in (16, 32):
            self.close()
            raise MissingRequirement(
                f"a {screen.root_depth}-bit screen without true colour is not supported: use 16 or 24 bits"
            )
        self._masks = (visual.blue_mask, visual.green_mask, visual.red_mask)
        order = "<" if self._display.display.info.image_byte_order == 0 else ">"
        self._pixel = np.dtype(f"{order}u{form.bits_per_pixel // 8}")
        self._pad = form.scanline_pad // 8  # bytes; the length of a row is a multiple of it
        self._shares = True

    def grab(self, region: Region | None = None) -> Frame:
        """A frame of a region, or of the whole screen if None; one point is one pixel.

        Raises MissingRequirement if capturing fails.
        """
        try:
            if region is None:
                whole = self._root.get_geometry()
                region = (0, 0, whole.width, whole.height)
            left, top, width, height = round_region(region)
            return Frame(self._pixels(self._root, left, top, width, height), float(left), float(top))
        except self._failures as problem:
            raise MissingRequirement(_advice(problem)) from problem

    def grab_window(self, id: int, region: Region) -> Frame | None:
        """A frame of a screen region, taken from one window with the screen's colour depth.

        Windows above it are visible in the frame, unless the window is redirected (Composite). None if the
        region is not entirely inside the window, or the window is gone. Raises MissingRequirement.
        """
        left, top, width, height = round_region(region)
        window = self._display.create_resource_object("window", id)
        try:
            corner = window.translate_coords(self._root, left, top)
            pixels = self._pixels(window, corner.x, corner.y, width, height)
        except self._gone:
            return None
        except self._failures as problem:
            raise MissingRequirement(_advice(problem)) from problem
        return Frame(pixels, float(left), float(top))

    def close(self) -> None:
        """Close the connection; idempotent."""
        if self._display is not None:
            with contextlib.suppress(*self._failures):  # the screen may be gone
                if self._shared is not None:
                    self._shared.close()
                self._display.close()
            self._display = None

    def _pixels(self, window: Any, left: int, top: int, width: int, height: int) -> NDArray[np.uint8]:
        """An area of a window: (rows, columns, BGR)."""
        row = int(-(-width * self._pixel.itemsize // self._pad) * self._pad)
        data = self._data(window, (left, top, width, height), row)
        rows = np.frombuffer(data, np.uint8, row * height).reshape(height, row)
        pixels = np.ascontiguousarray(rows[:, : width * self._pixel.itemsize]).view(self._pixel)
        if self._masks == BYTES and self._pixel == np.dtype("<u4"):
            return drop_alpha(pixels.view(np.uint8).reshape(height, width, 4))
        return np.stack([channel(pixels.astype(np.uint32), mask) for mask in self._masks], axis=2)

    def _data(self, window: Any, box: tuple[int, int, int, int], row: int) -> bytes:
        """The bytes of an area of a window, `row` bytes per row, through shared memory if possible."""
        left, top, width, height = box
        if self._shares and (self._shared is None or self._shared.size < row * height):
            if self._shared is not None:
                self._shared.close()
            self._shared = X11SharedMemory.of(self._display, row * height)
            self._shares = self._shared is not None
        if self._shared is not None:
            return self._shared.picture(window, left, top, width, height)
        # rows per reply: python3-xlib is much slower with one large reply than with many small ones
        few = max(1, BAND // row)
        return b"".join(
            self._band(window, left, top + done, width, min(few, height - done))
            for done in range(0, height, few)
        )

    @staticmethod
    def _band(window: Any, left: int, top: int, width: int, height: int) -> bytes:
        image = window.get_image(left, top, width, height, X.ZPixmap, ALL_PLANES)
        # python3-xlib decodes data that happens to be valid UTF-8
        return image.data.encode() if isinstance(image.data, str) else bytes(image.data)


def channel(pixels: NDArray[np.uint32], mask: int) -> NDArray[np.uint8]:
    """One colour channel, scaled to 0-255; `mask` selects its bits."""
    lowest = (mask & -mask).bit_length() - 1
    most = mask >> lowest
    values: NDArray[np.uint32] = (pixels & np.uint32(mask)) >> np.uint32(lowest)
    return ((values * 255 + most // 2) // most).astype(np.uint8)


def _advice(error: Exception) -> str:
    reason = " ".join(str(error).split()) or type(error).__name__
    return f"cannot capture the screen ({reason}): start a desktop session and set DISPLAY, or use --virtual"


PRIVATE, CREATE, REMOVE = 0, 0o1000 | 0o600, 0  # shmget(2), shmctl(2)


class _Attach(rq.Request):  # type: ignore[misc] # python3-xlib ships no types
    _request = rq.Struct(
        rq.Card8("opcode"), rq.Opcode(1), rq.RequestLength(),
        rq.Card32("segment"), rq.Card32("memory"), rq.Bool("read_only"), rq.Pad(3),
    )  # fmt: skip


class _Detach(rq.Request):  # type: ignore[misc]
    _request = rq.Struct(rq.Card8("opcode"), rq.Opcode(2), rq.RequestLength(), rq.Card32("segment"))


class _GetImage(rq.ReplyRequest):  # type: ignore[misc]
    _request = rq.Struct(
        rq.Card8("opcode"), rq.Opcode(4), rq.RequestLength(),
        rq.Card32("drawable"), rq.Int16("x"), rq.Int16("y"), rq.Card16("width"), rq.Card16("height"),
        rq.Card32("planes"), rq.Card8("format"), rq.Pad(3), rq.Card32("segment"), rq.Card32("offset"),
    )  # fmt: skip
    _reply = rq.Struct(
        rq.ReplyCode(), rq.Card8("depth"), rq.Card16("sequence_number"), rq.ReplyLength(),
        rq.Card32("visual"), rq.Card32("size"), rq.Pad(16),
    )  # fmt: skip


class X11SharedMemory:
    """Shared memory that the X server of a python3-xlib connection fills with image data."""

    def __init__(self, display: Any, opcode: int, size: int) -> None:
        self.size = size
        self._wire = display.display
        self._opcode = opcode
        libc = ctypes.CDLL(None, use_errno=True)
        libc.shmat.restype = ctypes.c_void_p
        self._libc = libc
        number = libc.shmget(PRIVATE, ctypes.c_size_t(size), CREATE)
        if number < 0:
            raise OSError(ctypes.get_errno(), "no shared memory")
        self._address = libc.shmat(number, None, 0)
        self._segment = self._wire.allocate_resource_id()
        caught = error.CatchError(error.BadAccess, error.BadRequest)
        _Attach(
            display=self._wire, onerror=caught, opcode=opcode,
            segment=self._segment, memory=number, read_only=False,
        )  # fmt: skip
        display.sync()
        libc.shmctl(number, REMOVE, None)  # freed when both sides have detached
        if caught.get_error() is not None:
            libc.shmdt(ctypes.c_void_p(self._address))
            raise OSError("the X server cannot attach the shared memory")

    @classmethod
    def of(cls, display: Any, size: int) -> Self | None:
        """New shared memory; None with a remote server or without the extension."""
        found = display.query_extension("MIT-SHM")
        if found is None or not found.present:
            return None
        try:
            return cls(display, found.major_opcode, size)
        except OSError:
            return None

    def picture(self, drawable: Any, left: int, top: int, width: int, height: int) -> bytes:
        """The bytes of an area of a window, with the server's row padding."""
        reply = _GetImage(
            display=self._wire, opcode=self._opcode, drawable=drawable.id, x=left, y=top, width=width,
            height=height, planes=ALL_PLANES, format=X.ZPixmap, segment=self._segment, offset=0,
        )  # fmt: skip
        return ctypes.string_at(self._address, reply.size)

    def close(self) -> None:
        """Detach the memory."""
        _Detach(display=self._wire, opcode=self._opcode, segment=self._segment)
        self._libc.shmdt(ctypes.c_void_p(self._address))
