"""What the folders that a person names hold: recordings, screenshots with their text beside them, skins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from games.errors import InvalidFile, Usage

if TYPE_CHECKING:
    from bot.sight import SkinShelf


def recordings_in(folder: Path) -> list[Path]:
    """The folder itself when it is a recording, or is none at all; else the recordings below it, by name."""
    from bot.recording import META

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


def choose_shelf(skin: str | None, folder: Path | None) -> SkinShelf:
    """The skins to read with: the one that was named, those of a folder only, or all that are known."""
    from bot.sight import SkinShelf
    from vision.skins import load_known_skins, load_skin, skins_in, user_skins_folder

    if skin and folder:
        raise Usage("--skin names the skin, --skins says where skins are: leave one of them out")
    if skin:
        return SkinShelf([load_skin(skin)], user_skins_folder())
    return SkinShelf(skins_in(folder) if folder else load_known_skins(), folder or user_skins_folder())
