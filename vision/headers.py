"""What a picture file says of itself: its size, before anybody makes room for it; a note in a PNG."""

from __future__ import annotations

import struct
import zlib

PNG = b"\x89PNG\r\n\x1a\n"
JPEG = b"\xff\xd8"
BMP = b"BM"
NOTE = b"Sapper"  # the keyword of a text of ours in a PNG
HEADER_END = 33  # bytes of a PNG before its second chunk
FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}  # markers of a JPEG that say the size


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


def with_note(png: bytes, text: str) -> bytes:
    """A PNG with an ASCII text in it (a tEXt chunk, PNG specification, 11.3.3) that nobody sees."""
    body = b"tEXt" + NOTE + b"\0" + text.encode("ascii")
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return png[:HEADER_END] + chunk + png[HEADER_END:]


def note_in(data: bytes) -> str | None:
    """The text that `with_note` wrote; None where there is none, or it is damaged."""
    start = len(PNG)
    while data.startswith(PNG) and start + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, start)
        body = data[start + 4 : start + 8 + length]
        if body.startswith(b"tEXt" + NOTE + b"\0"):
            checksum = data[start + 8 + length : start + 12 + length]
            is_whole = checksum == struct.pack(">I", zlib.crc32(body))
            return body[len(NOTE) + 5 :].decode("ascii", "replace") if is_whole else None
        if body[:4] == b"IDAT":
            return None
        start += 12 + length
    return None


def _bmp(data: bytes) -> tuple[int, int]:
    """The header says how long it is: the oldest kind has short numbers. A height below 0 is from above."""
    kind = "<HH" if struct.unpack_from("<I", data, 14)[0] == 12 else "<ii"
    width, height = struct.unpack_from(kind, data, 18)
    return width, abs(height)


def _jpeg(data: bytes) -> tuple[int, int] | None:
    """Marker after marker, each with its length, until one says the size."""
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
