"""Image sizes are read from headers before decoding."""

from __future__ import annotations

import io
import struct
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from said import Sapper, refused, run_sapper

from games.errors import InvalidFile
from vision.frame import Frame, image_size


@pytest.mark.parametrize("kind", [".png", ".jpg", ".bmp"])
@pytest.mark.parametrize("shape", [(7, 300, 3), (300, 7, 3), (70, 30)])
def test_image_header_size_is_picture_size(kind: str, shape: tuple[int, ...]) -> None:
    _, data = cv2.imencode(kind, np.full(shape, 90, np.uint8))
    assert image_size(bytes(data)) == (shape[1], shape[0])
    assert Frame.decode(bytes(data), "it").pixels.shape == (*shape[:2], 3)
    for cut in range(40):
        image_size(bytes(data)[:cut])


def png(width: int, height: int) -> bytes:
    """A small file with a huge picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packer, packed = zlib.compressobj(9), io.BytesIO()
    row = bytes(1 + width // 8 + 1)
    for _ in range(height):
        packed.write(packer.compress(row))
    packed.write(packer.flush())
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", packed.getvalue()) + chunk(b"IEND", b"")
    )


def test_image_header_huge_picture_costs_nothing(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.png"
    bomb.write_bytes(png(30_000, 30_000))
    assert bomb.stat().st_size < 200_000

    def at_most_4_gb() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))

    limit = None if sys.platform == "win32" else at_most_4_gb  # Windows has no such limits
    refused(run_sapper("read", bomb, preexec_fn=limit), 7, "30000x30000 pixels, more than 34 million")


def test_image_largest_screen_accepted() -> None:
    assert Frame.decode(png(7680, 4320), "it").pixels.shape == (4320, 7680, 3)
    with pytest.raises(InvalidFile, match="8192x8192 pixels, more than 34 million"):
        Frame.decode(png(8192, 8192), "it")


def test_image_header_invalid_or_too_large_refused(tmp_path: Path, sapper: Sapper) -> None:
    with pytest.raises(InvalidFile, match="is no picture"):
        Frame.decode(b"GIF89a" + bytes(100), "it")
    sparse = tmp_path / "sparse.png"
    with sparse.open("wb") as file:
        file.truncate((256 << 20) + 1)
    refused(sapper("read", sparse), 7, "larger than 256 MB")
