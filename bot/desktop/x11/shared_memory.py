"""Pictures of an X screen through memory that is shared with the server (MIT-SHM), for python3-xlib.

python3-xlib takes some 30 ms for a picture of a megabyte through the connection, this one of them.
"""

from __future__ import annotations

import ctypes
from typing import Any, Self

from Xlib import X, error
from Xlib.protocol import rq

PRIVATE, CREATE, REMOVE = 0, 0o1000 | 0o600, 0  # shmget(2), shmctl(2)
ALL_PLANES = 0xFFFFFFFF


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


class SharedMemory:
    """Room for pictures that the server of a connection (python3-xlib's) fills."""

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
        libc.shmctl(number, REMOVE, None)  # it goes when the last of both has let go of it
        if caught.get_error() is not None:
            libc.shmdt(ctypes.c_void_p(self._address))
            raise OSError("the server shares no memory with this machine")

    @classmethod
    def of(cls, display: Any, size: int) -> Self | None:
        """The same; None where the server is elsewhere, or has no such extension."""
        found = display.query_extension("MIT-SHM")
        if found is None or not found.present:
            return None
        try:
            return cls(display, found.major_opcode, size)
        except OSError:
            return None

    def picture(self, drawable: Any, left: int, top: int, width: int, height: int) -> bytes:
        """The bytes of a part of a window, row by row, each padded as the server pads."""
        reply = _GetImage(
            display=self._wire, opcode=self._opcode, drawable=drawable.id, x=left, y=top, width=width,
            height=height, planes=ALL_PLANES, format=X.ZPixmap, segment=self._segment, offset=0,
        )  # fmt: skip
        return ctypes.string_at(self._address, reply.size)

    def close(self) -> None:
        """Let go of it."""
        _Detach(display=self._wire, opcode=self._opcode, segment=self._segment)
        self._libc.shmdt(ctypes.c_void_p(self._address))
