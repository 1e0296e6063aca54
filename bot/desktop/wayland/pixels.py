"""Memory that a Wayland server draws pictures into, and what its bytes mean."""

from __future__ import annotations

import contextlib
import mmap
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.desktop.wayland.connection import Connection
from games.errors import MachineLacks

# wl_shm.format: which bytes of a pixel are blue, green and red (little-endian on every machine)
BYTES: Mapping[int, tuple[int, tuple[int, int, int]]] = {
    0: (4, (0, 1, 2)),  # ARGB8888
    1: (4, (0, 1, 2)),  # XRGB8888
    0x34324241: (4, (2, 1, 0)),  # ABGR8888
    0x34324258: (4, (2, 1, 0)),  # XBGR8888
    0x34324752: (3, (0, 1, 2)),  # RGB888
    0x34324742: (3, (2, 1, 0)),  # BGR888
}
# likewise with 10 bits for each colour: how far blue, green and red are shifted
TEN_BITS: Mapping[int, tuple[int, int, int]] = {
    0x30335258: (0, 10, 20),  # XRGB2101010
    0x30335241: (0, 10, 20),  # ARGB2101010
    0x30334258: (20, 10, 0),  # XBGR2101010
    0x30334241: (20, 10, 0),  # ABGR2101010
}


class SharedPicture:
    """Room for one picture, shared with the server; `buffer` is what the server calls it.

    `form` is (wl_shm.format, width, height, bytes in a row). Raises MachineLacks for a format that is not
    known.
    """

    def __init__(self, connection: Connection, form: int, width: int, height: int, stride: int) -> None:
        from pywayland.protocol.wayland import WlShm

        if form not in BYTES and form not in TEN_BITS:
            raise MachineLacks(f"the screen gives pictures in a format that is not known here ({form:#x})")
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
            connection.roundtrip()  # the server has its own copy of the descriptor now
        finally:
            os.close(descriptor)

    def read(self) -> NDArray[np.uint8]:
        """A copy of the picture: rows, columns, blue green red."""
        form, width, height, stride = self.form
        rows = np.frombuffer(self._memory, np.uint8).reshape(height, stride)
        if form in TEN_BITS:
            words = rows[:, : width * 4].copy().view(np.dtype("<u4"))
            return np.stack([(words >> shift + 2 & 255).astype(np.uint8) for shift in TEN_BITS[form]], axis=2)
        size, order = BYTES[form]
        pixels = rows[:, : width * size].reshape(height, width, size)
        return np.ascontiguousarray(pixels[:, :, :3] if order == (0, 1, 2) else pixels[:, :, 2::-1])

    def draw(self, picture: NDArray[np.uint8]) -> None:
        """Put a picture there (rows, columns, blue green red), for a format that begins with these bytes.

        Where it has alpha, too, its colours are multiplied by that already.
        """
        form, width, height, stride = self.form
        rows = np.frombuffer(self._memory, np.uint8).reshape(height, stride)
        rows[:, : width * BYTES[form][0]].reshape(height, width, -1)[:, :, : picture.shape[2]] = picture

    def close(self) -> None:
        """Let go of it; a second time does nothing."""
        if not self.buffer.destroyed:
            self.buffer.destroy()
            with contextlib.suppress(BufferError):  # somebody stopped it while it was read: it goes with that
                self._memory.close()


def upright(picture: NDArray[np.uint8], transform: int) -> NDArray[np.uint8]:
    """A picture the right way up; `transform` is wl_output's: quarter turns, 4 more for a mirror."""
    turned = np.rot90(picture, -(transform % 4)) if transform % 4 else picture
    return np.ascontiguousarray(turned[:, ::-1] if transform >= 4 else turned)
