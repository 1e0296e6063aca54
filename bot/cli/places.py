"""What the folders that a person names hold: recordings, and screenshots with their text beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from games.errors import InvalidFile


def recordings_in(folder: Path) -> list[Path]:
    """The folder itself when it is a recording, or is none at all; else the recordings below it, by name."""
    from bot.recording.recording import META

    if (folder / META).exists():
        return [folder]
    return sorted(file.parent for file in folder.rglob(META)) or [folder]


def found_in(places: Iterable[Path]) -> Iterator[Path]:
    """The recordings (folders) and screenshots (files) that these places hold.

    What is neither is yielded as it is, for whoever reads it to complain. Raises InvalidFile for a folder
    that holds nothing.
    """
    for place in places:
        if not place.is_dir():
            yield place
            continue
        recordings = recordings_in(place)
        pictures = [file for file in place.rglob("*.png") if file.with_suffix(".txt").exists()]
        if recordings != [place]:
            yield from sorted(recordings + pictures)
        elif pictures:
            yield from sorted(pictures)
        elif any(place.iterdir()):
            yield place
        else:
            raise InvalidFile(
                f"{place}: holds no recording, and no picture with its text: name another folder"
            )
