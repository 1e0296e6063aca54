"""Frames: pictures of the screen with their screen position, and how they are captured.

Pillow reads the dimensions of an image file from its header, so that oversized files are rejected before
OpenCV decodes them. `add_png_text` and `read_png_text` store a short note in a PNG file.
"""

from __future__ import annotations

import contextlib
import io
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from games.errors import ArgumentError, InvalidFile, MissingRequirement
from games.external import LARGEST_FILE, read_external

PNG = b"\x89PNG\r\n\x1a\n"
NOTE = b"Sapper"  # keyword of our PNG text chunk
HEADER_END = 33  # bytes of a PNG before its second chunk


def image_size(data: bytes) -> tuple[int, int]:
    """Width and height in pixels of a PNG, JPEG or BMP; (0, 0) for other or damaged data.

    A PNG with a chunk beyond its end is damaged; OpenCV would reserve the memory for the chunk first.
    """
    from PIL import BmpImagePlugin, JpegImagePlugin, PngImagePlugin

    if any(end > len(data) for _, end in _png_chunks(data)):
        return 0, 0
    for image in (PngImagePlugin.PngImageFile, JpegImagePlugin.JpegImageFile, BmpImagePlugin.BmpImageFile):
        with contextlib.suppress(OSError, ValueError, SyntaxError, struct.error):
            width, height = image(io.BytesIO(data)).size
            return width, height
    return 0, 0


def add_png_text(png: bytes, text: str) -> bytes:
    """Insert an ASCII text into a PNG (tEXt chunk, PNG specification, 11.3.3)."""
    body = b"tEXt" + NOTE + b"\0" + text.encode("ascii")
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return png[:HEADER_END] + chunk + png[HEADER_END:]


def read_png_text(data: bytes) -> str | None:
    """The text written by `add_png_text`; None if it is absent or damaged."""
    for start, end in _png_chunks(data):
        body = data[start + 4 : end - 4]
        if body.startswith(b"tEXt" + NOTE + b"\0"):
            is_whole = data[end - 4 : end] == struct.pack(">I", zlib.crc32(body))
            return body[len(NOTE) + 5 :].decode("ascii", "replace") if is_whole else None
        if body[:4] == b"IDAT":
            return None
    return None


def _png_chunks(data: bytes) -> Iterator[tuple[int, int]]:
    """Start and end of each chunk of a PNG up to IEND; a damaged chunk may end beyond the data."""
    start = len(PNG)
    while data.startswith(PNG) and start + 8 <= len(data):
        end = start + 12 + int.from_bytes(data[start : start + 4])
        yield start, end
        if data[start + 4 : start + 8] == b"IEND":
            return
        start = end


MOST_PIXELS = 34_000_000  # pixels per picture: 7680x4320 fits; locating a board needs up to 30 bytes each
Pixels = NDArray[np.uint8]  # (height, width, 3), blue green red


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture of the screen, or of a part of it.

    `pixels` is (height, width, 3) uint8, BGR. `left`, `top` are the screen position of its corner, in points;
    `scale` is the number of pixels per point (1.0 except on scaled screens). A picture from a file has its
    corner at (0, 0) and scale 1.
    """

    pixels: Pixels
    left: float = 0.0
    top: float = 0.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        shape, kind = getattr(self.pixels, "shape", None), getattr(self.pixels, "dtype", None)
        if shape is None or len(shape) != 3 or shape[2] != 3 or kind != np.uint8:
            got = f"an array {shape} of {kind}" if shape is not None else type(self.pixels).__name__
            raise ArgumentError(f"{got} is no picture: pass (height, width, 3) uint8 in the order BGR")

    @classmethod
    def load(cls, path: Path) -> Frame:
        """The picture in a file. Raises InvalidFile if it is missing, empty or not an image."""
        return cls.decode(cls.read_file(path), str(path))

    @staticmethod
    def read_file(path: Path) -> bytes:
        """The content of an image file, not decoded. Raises InvalidFile if it is unreadable or too large."""
        try:
            return read_external(path, LARGEST_FILE)
        except OSError as error:
            raise InvalidFile(f"{path}: {error.strerror}: name a picture that can be read") from error

    @classmethod
    def decode(cls, data: bytes, source: str) -> Frame:
        """Decode an image file. Raises InvalidFile, naming the source."""
        import cv2

        if not data:
            raise InvalidFile(f"{source}: the file is empty: take the screenshot again")
        size = image_size(data)
        if size[0] * size[1] > MOST_PIXELS:
            raise InvalidFile(
                f"{source}: {size[0]}x{size[1]} pixels, more than {MOST_PIXELS / 1e6:.0f} million: "
                "give a screenshot, or a part of it"
            )
        try:
            decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if size[0] else None
        except cv2.error:
            decoded = None
        if decoded is None:
            raise InvalidFile(f"{source}: this is no picture: give a PNG, JPEG or BMP screenshot")
        return cls(np.ascontiguousarray(decoded, dtype=np.uint8))

    @property
    def width(self) -> int:
        """Pixels across."""
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        """Pixels down."""
        return int(self.pixels.shape[0])

    def crop(self, left: int, top: int, width: int, height: int) -> Frame:
        """A part of the picture (pixels), with its own screen position. A view, not a copy."""
        part = self.pixels[top : top + height, left : left + width]
        return Frame(part, *self.point(left, top), self.scale)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """The screen position, in points, of a pixel of this picture."""
        return self.left + x / self.scale, self.top + y / self.scale


Region = tuple[float, float, float, float]  # left, top, width, height in points


class Capture(Protocol):
    """Captures pictures of a desktop. A context manager that releases the screen."""

    def grab(self, region: Region | None = None) -> Frame:
        """The picture of a region (points); None: the whole desktop.

        Raises MissingRequirement if capturing fails.
        """

    def close(self) -> None:
        """Release the screen."""

    def __enter__(self) -> Self:
        """Return self."""

    def __exit__(self, *raised: object) -> None:
        """Release the screen."""


class MssCapture:
    """Captures pictures with mss.

    Keeps one connection to the screen open, because opening it costs more than a picture. Raises
    MissingRequirement if there is no display.
    """

    def __init__(self) -> None:
        # Imported here so that importing vision needs neither a display nor its libraries.
        import mss
        from mss.exception import ScreenShotError

        self._failures = (ScreenShotError, OSError)  # the first includes X errors
        try:
            self._screen: Any = mss.MSS()
        except self._failures as error:
            raise MissingRequirement(_advice(error)) from error

    def grab(self, region: Region | None = None) -> Frame:
        """The picture of a region (points); None: the whole virtual screen.

        Raises MissingRequirement if the screen returns no picture (disconnected or forbidden).
        """
        if region is None:
            whole = self._screen.monitors[0]
            region = (whole["left"], whole["top"], whole["width"], whole["height"])
        left, top = round(region[0]), round(region[1])
        width, height = max(1, round(region[2])), max(1, round(region[3]))
        try:
            shot = self._screen.grab({"left": left, "top": top, "width": width, "height": height})
        except self._failures as error:
            raise MissingRequirement(_advice(error)) from error
        wide, high = shot.size
        with_alpha = np.frombuffer(shot.raw, np.uint8).reshape(high, wide, 4)  # `bgra` is a copy
        return Frame(drop_alpha(with_alpha), float(left), float(top), wide / width)

    def close(self) -> None:
        """Release the screen; repeated calls do nothing."""
        with contextlib.suppress(*self._failures):  # the screen may already be gone
            self._screen.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def drop_alpha(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """BGR pixels of BGRA pixels; numpy's slicing takes a hundred times as long on a whole screen."""
    import cv2

    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR), np.uint8)


def _advice(error: Exception) -> str:
    reason = " ".join(str(error).split()) or type(error).__name__
    return (
        f"the screen cannot be read ({reason}): "
        "start a desktop session and set DISPLAY, or use --virtual (needs Xvfb: apt install xvfb)"
    )
