"""The files of trained numbers that Sapper ships, each with its SHA-256 in a file beside it."""

from __future__ import annotations

import hashlib
from importlib import resources
from pathlib import Path, PurePath

from games.errors import MachineLacks

AGAIN = "install Sapper again"


def shipped(package: str, name: str) -> bytes:
    """The bytes of a file of a package. Raises MachineLacks (exit 8) when it is missing or damaged."""
    folder, place = resources.files(package), f"{package.replace('.', '/')}/{name}"
    try:
        data = (folder / name).read_bytes()
        wanted = (folder / seal_of(name)).read_text(encoding="ascii").split()[0]
    except (OSError, IndexError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it cannot be read"
        raise MachineLacks(f"{place}: {reason}: {AGAIN}") from error
    if hashlib.sha256(data).hexdigest() != wanted:
        raise MachineLacks(f"{place}: the file is damaged (its checksum is another): {AGAIN}")
    return data


def seal_of(name: str) -> str:
    """The name of the file that holds the checksum."""
    return PurePath(name).with_suffix(".sha256").name


def seal(file: Path) -> str:
    """Write the checksum of a file beside it; the checksum."""
    checksum = hashlib.sha256(file.read_bytes()).hexdigest()
    file.with_name(seal_of(file.name)).write_text(f"{checksum}  {file.name}\n", encoding="ascii")
    return checksum
