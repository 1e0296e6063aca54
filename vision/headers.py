"""How large a picture says it is, read from its first bytes, before anybody makes room for it."""

from __future__ import annotations

import struct

PNG = b"\x89PNG\r\n\x1a\n"
JPEG = b"\xff\xd8"
BMP = b"BM"
FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}  # markers of a JPEG that tell the size


def size_of(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels of a PNG, JPEG or BMP; None for anything else, or where they are missing."""
    try:
        if data.startswith(PNG):
            width, height = struct.unpack_from(">II", data, 16)
            return width, height
        if data.startswith(BMP):
            return _bmp(data)
        if data.startswith(JPEG):
            return _jpeg(data)
    except struct.error:  # it is cut off
        pass
    return None


def _bmp(data: bytes) -> tuple[int, int]:
    """The header says how long it is: the oldest kind has short numbers. A height below 0 is from above."""
    kind = "<HH" if struct.unpack_from("<I", data, 14)[0] == 12 else "<ii"
    width, height = struct.unpack_from(kind, data, 18)
    return width, abs(height)


def _jpeg(data: bytes) -> tuple[int, int] | None:
    """Marker after marker, each with its length, until one tells the size."""
    place = 2
    while place < len(data):
        mark, kind, length = struct.unpack_from(">BBH", data, place)
        if mark != 0xFF:
            return None
        if kind in FRAMES:
            height, width = struct.unpack_from(">HH", data, place + 5)
            return width, height
        place += 1 if kind == 0xFF else 2 + length
    return None
