"""A picture and where on the screen it came from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from games.errors import InvalidFile
from vision.headers import size_of

MOST_PIXELS = 8192 * 8192  # of one picture: the largest virtual screen; some 200 MB unpacked
MOST_BYTES = 256 << 20  # of one file: such a picture, not packed at all
Pixels = NDArray[np.uint8]  # (height, width, 3), blue green red


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture of the screen, or of a part of it.

    `pixels` is (height, width, 3) uint8, blue green red. `left`, `top` say where the picture's corner is on
    the screen, in points; `scale` is how many pixels make one point (1.0 but on scaled screens). A picture
    from a file has its corner at (0, 0) and scale 1.
    """

    pixels: Pixels
    left: float = 0.0
    top: float = 0.0
    scale: float = 1.0

    @classmethod
    def load(cls, path: Path) -> Frame:
        """The picture in a file. Raises InvalidFile when it is missing, empty or no picture."""
        try:
            if path.stat().st_size > MOST_BYTES:
                raise InvalidFile(f"{path}: larger than {MOST_BYTES >> 20} MB: give a screenshot")
            data = path.read_bytes()
        except OSError as error:
            raise InvalidFile(
                f"{path}: {error.strerror or error}: name a picture that can be read"
            ) from error
        return cls.decode(data, str(path))

    @classmethod
    def decode(cls, data: bytes, source: str) -> Frame:
        """The picture in these bytes. Raises InvalidFile, naming the source, when they are none."""
        import cv2

        if not data:
            raise InvalidFile(f"{source}: the file is empty: take the screenshot again")
        size = size_of(data)
        if size is not None and size[0] * size[1] > MOST_PIXELS:
            raise InvalidFile(
                f"{source}: it says that it is {size[0]}x{size[1]} pixels, more than {MOST_PIXELS / 1e6:.0f} "
                "million: give a screenshot, or a part of it"
            )
        try:
            if size is None:
                raise ValueError("no kind of picture whose size is known before it is unpacked")
            decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        except (cv2.error, ValueError):  # a size beyond all measure, for one
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

    def cut(self, left: int, top: int, width: int, height: int) -> Frame:
        """A part of the picture (pixels); it knows where on the screen it lies. A view, not a copy."""
        return Frame(
            self.pixels[top : top + height, left : left + width],
            self.left + left / self.scale,
            self.top + top / self.scale,
            self.scale,
        )

    def point(self, x: float, y: float) -> tuple[float, float]:
        """The screen position, in points, of a pixel of this picture."""
        return self.left + x / self.scale, self.top + y / self.scale
