"""Image files named by patterns and folders, and new images in a watched folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from games.errors import InvalidFile
from games.external import file_errors

if TYPE_CHECKING:
    from bot.game.types import Clock


PICTURES = (".png", ".jpg", ".jpeg", ".bmp")
EVERY = 0.3  # seconds between two listings of a watched folder
WILDCARDS = "*?["


def expand_image_paths(names: Iterable[str]) -> list[str]:
    """Replace folders by their images and patterns by the matching files, in order, without duplicates.

    Patterns are as in `shots/*.png`, with `**` for subfolders; `-` is kept. Raises InvalidFile for a pattern
    without matches or a folder without images.
    """
    found: list[str] = []
    for name in names:
        path = Path(name)
        if path.is_dir():
            found += _some(name, map(str, _pictures_in(path)), "holds no picture")
        elif name != "-" and not path.exists() and any(sign in name for sign in WILDCARDS):
            start = Path(path.anchor) if path.anchor else Path()
            matching = sorted(p for p in start.glob(str(path.relative_to(path.anchor))) if p.is_file())
            found += _some(name, map(str, matching), "no file matches")
        else:
            found.append(name)
    unique: dict[Path, str] = {}
    for name in found:
        unique.setdefault(Path(name), name)
    return list(unique.values())


def watch_folder(folder: Path, clock: Clock) -> Iterator[Path]:
    """The images that are added to a folder or changed in it, once they have stopped growing; never ends.

    Raises InvalidFile if the folder does not exist.
    """
    seen = _stamps(folder)
    growing: dict[Path, tuple[int, int]] = {}
    while True:
        clock.sleep(EVERY)
        now = _stamps(folder)
        for path, stamp in now.items():
            if seen.get(path) == stamp or not stamp[0]:
                continue
            if growing.get(path) == stamp:
                seen[path] = stamp
                yield path
            growing[path] = stamp


def _stamps(folder: Path) -> dict[Path, tuple[int, int]]:
    stamps = {}
    for path in _pictures_in(folder):
        try:
            about = path.stat()
        except FileNotFoundError:  # deleted after the listing
            continue
        stamps[path] = about.st_size, about.st_mtime_ns
    return stamps


def _pictures_in(folder: Path) -> list[Path]:
    with file_errors(folder, "name a folder that can be read"):
        return sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)


def _some(name: str, found: Iterable[str], complaint: str) -> list[str]:
    listed = list(found)
    if not listed:
        raise InvalidFile(
            f"{name}: {complaint}: name pictures, folders of pictures, or patterns such as *.png"
        )
    return listed
