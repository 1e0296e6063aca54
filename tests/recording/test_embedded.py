"""Recordings inside videos."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from places import FIXTURES

from bot.recording.embedded import LENGTH, MARK, embed_recording, extract_recording
from bot.recording.recording import META, Recording
from games.errors import InvalidFile

RECORDING = FIXTURES / "recordings" / "ace-minesweeper-001"


def archive(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as opened:
        for name, data in files.items():
            opened.writestr(name, data)
    return buffer.getvalue()


@pytest.mark.parametrize("suffix", ["mp4", "webm"])
def test_embedded_recording_is_the_same(suffix: str, tmp_path: Path) -> None:
    video = tmp_path / f"game.{suffix}"
    video.write_bytes(b"pictures")
    embed_recording(RECORDING, video)
    assert extract_recording(video, tmp_path / "out" / "game-001")
    for path in RECORDING.iterdir():
        assert (tmp_path / "out" / "game-001" / path.name).read_bytes() == path.read_bytes()
    assert Recording(tmp_path / "out" / "game-001").meta == Recording(RECORDING).meta


@pytest.mark.parametrize("data", [b"", b"pictures", MARK, (1 << 40).to_bytes(LENGTH, "big") + MARK])
def test_embedded_none_in_other_videos(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "game.mp4").write_bytes(data)
    assert not extract_recording(tmp_path / "game.mp4", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "data", [b"no archive", archive(**{"../meta.json": b"{}"}), archive(**{META: b"{}"})[:-9]]
)
def test_embedded_damaged_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "game.mp4").write_bytes(data + len(data).to_bytes(LENGTH, "big") + MARK)
    with pytest.raises(InvalidFile, match="the recording inside cannot be read"):
        extract_recording(tmp_path / "game.mp4", tmp_path / "out")
    assert not (tmp_path / "out").exists()
