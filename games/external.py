"""Data from outside: read files within limits, and show text without control characters.

Recordings, skins, boards, logs and program files may come from strangers. A device or FIFO would block or
never end, a sparse file would fill the memory, a link could lead out of a recording, and deep nesting would
exhaust the interpreter's stack. Each reader therefore opens its file here, with a size limit.
Window titles, names and messages may contain escape sequences that control a terminal.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import Any, BinaryIO

from games.errors import InvalidFile, SapperError

LARGEST_TEXT_FILE = 8 << 20  # bytes: limit of settings, logs and program files
LARGEST_FILE = 256 << 20  # bytes: limit of recordings, pictures and lists of boards
# errors raised while decoding values that are missing, infinite, too deeply nested or of the wrong type
DAMAGE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


def open_external(path: Path, limit: int) -> BinaryIO:
    """Open a regular file of at most `limit` bytes. Raises OSError with a reason for users."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except ValueError as error:
        raise OSError(errno.EINVAL, "not a file name", str(path)) from error
    file = os.fdopen(descriptor, "rb")
    about = os.fstat(descriptor)
    if stat.S_ISREG(about.st_mode) and about.st_size <= limit:
        return file
    file.close()
    if stat.S_ISREG(about.st_mode):
        raise OSError(errno.EFBIG, f"larger than {limit >> 20} MB", str(path))
    raise OSError(errno.EINVAL, "not a regular file", str(path))


def read_external(path: Path, limit: int) -> bytes:
    """The content of a regular file of at most `limit` bytes. Raises OSError with a reason for users."""
    with open_external(path, limit) as file:
        size = os.fstat(file.fileno()).st_size + 65536  # the file may grow; read(n) allocates n bytes at once
        return file.read(min(limit, size))


def check_links(folder: Path) -> None:
    """Raise OSError if a link in a folder from outside leads out of it, or the folder is unreadable."""
    for path in folder.iterdir():
        if path.is_symlink() and not path.resolve().is_relative_to(folder.resolve()):
            raise OSError(errno.EPERM, "a link that leaves the folder", str(path))


def read_external_text(path: Path, limit: int = LARGEST_TEXT_FILE) -> str:
    """The content of a UTF-8 file, with Unix line ends. Raises OSError and UnicodeDecodeError."""
    return read_external(path, limit).decode("utf-8").replace("\r\n", "\n")


def parse_json(data: bytes | str) -> Any:
    """The value in a JSON text. Raises ValueError, also if nested too deeply, or if a text is no Unicode."""
    try:
        value = json.loads(data)
        if b"\\ud" in data.lower() if isinstance(data, bytes) else "\\ud" in data.lower():
            json.dumps(value, ensure_ascii=False).encode()  # half of a surrogate pair cannot be written
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    return value


def parse_toml(text: str) -> dict[str, Any]:
    """The values in a TOML text. Raises ValueError, also if it is nested too deeply."""
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def entry_points(group: str) -> list[metadata.EntryPoint]:
    """The entry points of a group in all installed packages, by name. Raises InvalidFile for bad metadata."""
    try:
        points = metadata.entry_points(group=group)
        return sorted(points, key=lambda point: (point.name, point.dist.name if point.dist else ""))
    except (OSError, *DAMAGE) as error:
        reason = " ".join(str(error).split())
        raise InvalidFile(
            f"the metadata of an installed package is damaged ({reason}): install the package again"
        ) from error


@contextmanager
def file_errors(path: Path, remedy: str, kind: type[SapperError] = InvalidFile) -> Iterator[None]:
    """Convert an OSError into an error of this kind that names the path and the remedy."""
    try:
        yield
    except OSError as error:
        raise kind(f"{path}: {error.strerror}: {remedy}") from error


def replace_file(path: Path, data: bytes) -> None:
    """Write a file atomically. A link at this path is replaced, not followed. Raises OSError."""
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    new.unlink(missing_ok=True)
    try:
        with new.open("xb") as file:
            file.write(data)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def printable(text: str, limit: int = 100_000) -> str:
    """The text with control characters made visible, except line breaks, and its length limited."""
    shown = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in shown)
