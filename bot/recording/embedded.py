"""A recording inside the video that shows it, so that `sapper review` judges the recorded game.

A video shows neither every move nor the mine total, and its marks hide cells. The recording is a zip archive
at the end of the file, inside an element that players skip: a `free` box (MP4) or a `Void` element (WebM).
The last bytes are the length of the archive and a mark.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path

from bot.recording.recording import CELLS, EVENTS, FIRST, META, SKIN
from games.errors import InvalidFile
from games.external import DAMAGE, LARGEST_FILE, open_external, read_external

FILES = (META, SKIN, FIRST, CELLS, EVENTS)
MARK = b"sapper recording"
LENGTH = 8  # bytes of the length of the archive
LARGEST_VIDEO = 32 << 30  # bytes; frames are decoded one by one


def embed_recording(folder: Path, video: Path) -> None:
    """Append the recording in a folder to an MP4 or WebM file. Raises OSError."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in FILES:
            if (folder / name).exists():
                archive.writestr(name, read_external(folder / name, LARGEST_FILE))
    data = buffer.getvalue()
    data += len(data).to_bytes(LENGTH, "big") + MARK
    if video.suffix.lower() == ".webm":
        head = b"\xec\x01" + len(data).to_bytes(7, "big")
    else:
        head = (len(data) + 8).to_bytes(4, "big") + b"free"
    with video.open("ab") as file:
        file.write(head + data)


def extract_recording(video: Path, folder: Path) -> bool:
    """Write the recording inside a video into a new folder; return whether there is one.

    Raises InvalidFile if it is damaged or too large, or the folder cannot be written.
    """
    try:
        data = _archive(video)
        if data is None:
            return False
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            if sum(info.file_size for info in infos) > LARGEST_FILE or {i.filename for i in infos} - {*FILES}:
                raise ValueError("too large, or with other files")
            contents = {info.filename: archive.read(info) for info in infos}
        folder.mkdir(parents=True)
        for name, content in contents.items():
            (folder / name).write_bytes(content)
    except (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, *DAMAGE) as error:
        raise InvalidFile(
            f"{video}: the recording inside cannot be read ({error}): write it again"
        ) from error
    return True


def _archive(video: Path) -> bytes | None:
    with open_external(video, LARGEST_VIDEO) as file:
        size = file.seek(0, io.SEEK_END)
        tail = LENGTH + len(MARK)
        file.seek(max(0, size - tail))
        end = file.read(tail)
        length = int.from_bytes(end[:LENGTH], "big")
        if not end.endswith(MARK) or length > min(LARGEST_FILE, size - tail):
            return None
        file.seek(size - tail - length)
        return file.read(length)
