"""Skins: the remembered appearance of a program, as one picture per drawing of each state.

`train_skin` learns a skin from labelled cells: few tiles per state, and none that contradict each other.
`SkinModel` combines a skin with the cell model, so that known drawings are read at once. The file format is
a zip archive with `skin.json` and all tiles in `tiles.png`.
"""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from games.errors import InvalidFile, UsageError
from games.external import DAMAGE, parse_json, read_external
from games.minesweeper import HIDDEN, STATES, UNKNOWN
from games.names import did_you_mean
from vision.annotations import AnnotatedImage
from vision.cells.clusters import CellClassifier, Signatures, distance, signatures
from vision.cells.model import BLANK, CLASSES
from vision.frame import Frame, Pixels
from vision.lattice import Lattice

SUFFIX = ".skin"
ALIKE = 5.0  # grey levels; maximum distance of a picture from a tile of the same drawing (noise)
FORMAT = 2
READABLE = (1, 2)  # format 1 also stored a tolerance per tile
LARGEST_SKIN = 8_000_000  # bytes, packed or unpacked; learned skins have about ten thousand
LARGEST_SIDE = 512  # pixels of a tile
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # fixed time, so that the same skin gives the same bytes

_DAMAGED = (*DAMAGE, zipfile.BadZipFile, zlib.error, struct.error, cv2.error, EOFError, OSError, RuntimeError)


@dataclass(frozen=True, eq=False)
class Tile:
    """One picture, (height, width, 3) uint8 blue green red, of a cell in a state (a letter of STATES)."""

    state: str
    pixels: Pixels = field(repr=False)


@dataclass(frozen=True, eq=False)
class Skin:
    """The appearance of one program. Immutable: learning returns a new skin.

    `tiles` are pictures of every known state, in one or more cell sizes. `program` names the known program
    with this appearance; None for the program with the skin's name. `evidence` (state, reason) is present
    if the skin was learned by playing.
    """

    name: str
    tiles: tuple[Tile, ...] = field(repr=False)
    program: str | None = None
    evidence: tuple[tuple[str, str], ...] = ()

    @property
    def is_learned(self) -> bool:
        """Whether the skin was learned by playing, so that later games may improve it."""
        return bool(self.evidence)

    @property
    def states(self) -> str:
        """The states that this skin can read, in the order of STATES."""
        have = {tile.state for tile in self.tiles}
        return "".join(state for state in STATES if state in have)

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """Cell sizes of the tiles, (height, width) in pixels, ascending."""
        return sorted({(tile.pixels.shape[0], tile.pixels.shape[1]) for tile in self.tiles})

    @cached_property
    def signed(self) -> Signatures:
        """The signatures of the tiles, in their order."""
        return np.concatenate([signatures(tile.pixels[None]) for tile in self.tiles])

    def match(self, picture: Pixels) -> str | None:
        """The state of the tiles that match a picture; None for no match or contradictory ones."""
        same = [k for k, tile in enumerate(self.tiles) if tile.pixels.shape == picture.shape]
        if not same:
            return None
        off = distance(self.signed[same], signatures(picture[None])[0])
        states = {self.tiles[k].state for k, far in zip(same, off, strict=True) if far <= ALIKE}
        return states.pop() if len(states) == 1 else None

    def save(self, path: Path) -> None:
        """Write the skin to one file; the same skin always gives the same bytes."""
        path.write_bytes(self.to_bytes())

    def keep(self, path: Path, advice: str = "make the folder writable") -> None:
        """Write the skin to a file and create its folder if necessary.

        Raises InvalidFile with the advice if writing fails.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.save(path)
        except OSError as error:
            raise InvalidFile(f"{path}: {error.strerror}: {advice}") from error

    def to_bytes(self) -> bytes:
        """The content of a skin file: a zip of `skin.json` and `tiles.png`, the tiles side by side."""
        pictures = [tile.pixels for tile in self.tiles]
        highest = max(map(len, pictures))
        padded = [np.pad(each, ((0, highest - len(each)), (0, 0), (0, 0))) for each in pictures]
        places = [[tile.state, tile.pixels.shape[1], tile.pixels.shape[0]] for tile in self.tiles]
        about: dict[str, Any] = {"format": FORMAT, "name": self.name, "tiles": places}
        if self.program is not None:
            about["program"] = self.program
        if self.evidence:
            about["evidence"] = [list(pair) for pair in self.evidence]
        png = cv2.imencode(".png", np.hstack(padded), [cv2.IMWRITE_PNG_COMPRESSION, 9])[1]
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(zipfile.ZipInfo("skin.json", _LONG_AGO), json.dumps(about))
            archive.writestr(zipfile.ZipInfo("tiles.png", _LONG_AGO), png.tobytes())
        return file.getvalue()

    @classmethod
    def load(cls, path: Path) -> Skin:
        """The skin in a file. Raises InvalidFile if it is missing, damaged or not a skin."""
        try:
            data = read_external(path, LARGEST_SKIN)
        except OSError as error:
            raise InvalidFile(f"{path}: {error.strerror or error}: name a skin file") from error
        return cls.from_bytes(data, str(path))

    @classmethod
    def from_bytes(cls, data: bytes, source: str) -> Skin:
        """The skin in the content of a file. Raises InvalidFile, naming `source`, if it is damaged."""
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                about = parse_json(_unpack(archive, "skin.json"))
                png = _unpack(archive, "tiles.png")
            program = None if about.get("program") is None else str(about["program"])
            evidence = tuple((str(state), str(what)) for state, what in about.get("evidence", ()))
            return cls(str(about["name"]), _cut(about, png), program, evidence)
        except _DAMAGED as error:
            words = " ".join(str(error).split()) or type(error).__name__
            raise InvalidFile(
                f"{source}: this is no skin ({words}): learn it again with 'sapper learn'"
            ) from error


def _unpack(archive: zipfile.ZipFile, name: str) -> bytes:
    """Unpack an entry whose stated size may be forged. Raises ValueError if it is too large.

    Only deflate is accepted: zipfile decompresses bzip2 and LZMA blocks whole, whatever size is asked for.
    """
    entry = archive.getinfo(name)
    if entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise ValueError("an unknown compression")
    with archive.open(entry) as file:
        data = file.read(LARGEST_SKIN + 1)
    if len(data) > LARGEST_SKIN:
        raise ValueError("too large")
    return data


def _cut(about: dict[str, Any], png: bytes) -> tuple[Tile, ...]:
    """Cut the atlas into tiles. Raises ValueError if the list of tiles does not match it."""
    if about["format"] not in READABLE:
        raise ValueError(f"format {about['format']}, this program reads formats {READABLE}")
    try:
        atlas = Frame.decode(png, "its picture").pixels
    except InvalidFile as error:
        raise ValueError("its picture is damaged") from error
    tiles, left = [], 0
    for state, width, height in about["tiles"]:
        inside = isinstance(width * height, int) and 0 < width <= LARGEST_SIDE and 0 < height <= LARGEST_SIDE
        if state not in STATES or len(state) != 1 or state == UNKNOWN or not inside:
            raise ValueError("its list of tiles is damaged")
        pixels = np.ascontiguousarray(atlas[:height, left : left + width], dtype=np.uint8)
        if pixels.shape != (height, width, 3):
            raise ValueError("its picture is smaller than its list of tiles")
        tiles.append(Tile(state, pixels))
        left += width
    if not tiles:
        raise ValueError("it has no tiles")
    return tuple(tiles)


def user_skins_folder() -> Path:
    """Folder of the user's skins."""
    import platformdirs

    return platformdirs.user_data_path("sapper") / "skins"


def known_skins(folder: Path | None = None) -> dict[str, Path]:
    """Names and files of the skins in a folder (default: the user's), by name."""
    place = folder or user_skins_folder()
    return {file.name.removesuffix(SUFFIX): file for file in sorted(place.glob(f"*{SUFFIX}"))}


def load_skin(name_or_path: str | Path, folder: Path | None = None) -> Skin:
    """A known skin by its name, or any skin by its file.

    Raises UsageError if there is neither, InvalidFile if the file is damaged.
    """
    known = known_skins(folder)
    if str(name_or_path) in known:
        return Skin.load(known[str(name_or_path)])
    path = Path(name_or_path)
    if path.suffix == SUFFIX or path.is_file():
        return Skin.load(path)
    meant, names = did_you_mean(str(name_or_path), known), ", ".join(known) or "none yet"
    raise UsageError(
        f"no skin is called '{name_or_path}'{meant}: known are {names}; 'sapper learn' makes a new one"
    )


def load_known_skins(folder: Path | None = None) -> list[Skin]:
    """Every skin in a folder (default: the user's), by name. Raises InvalidFile for a damaged one."""
    return [Skin.load(file) for file in known_skins(folder).values()]


REMEMBERED = 0.99999  # probability of a remembered state: higher than SURE, or it would never be settled
DRAWS = 0.5  # fraction of a board's cells that a skin must match to belong to its program


@dataclass(frozen=True)
class SkinModel:
    """A cell model that adds the tiles of a skin to the probabilities of another model.

    A remembered state is likely, not certain: the rules of the game can overrule it.
    """

    skin: Skin
    model: CellClassifier

    def likelihoods(self, pictures: Sequence[Pixels]) -> NDArray[np.float32]:
        """(pictures, classes), natural logarithms of probabilities, in the order of CLASSES."""
        rows = self.model.likelihoods(pictures)
        for place, picture in enumerate(pictures):
            state = self.skin.match(picture)
            if state is not None:
                remembered = np.log([REMEMBERED if each == state else 1e-30 for each in CLASSES])
                rows[place] = np.logaddexp(remembered, rows[place] + np.log(1.0 - REMEMBERED))
        return rows

    def recognise(self, picture: Pixels) -> str | None:
        """The most likely state of a remembered picture, as of `most_likely`; None for another picture."""
        state = self.skin.match(picture)
        return BLANK if state in (HIDDEN, "0") else state if state in CLASSES else None


def best_skin(frame: Frame, lattice: Lattice, skins: Sequence[Skin]) -> Skin | None:
    """The skin that matches most cells of this board; None if none matches at least half."""
    if not skins:
        return None
    pictures: dict[tuple[int, bytes], tuple[Pixels, int]] = {}
    for k in range(lattice.rows * lattice.columns):
        picture = lattice.picture(frame.pixels, k)
        key = picture.shape[1], picture.tobytes()
        pictures[key] = picture, pictures.get(key, (picture, 0))[1] + 1
    known = [
        sum(count for picture, count in pictures.values() if skin.match(picture) is not None)
        for skin in skins
    ]
    best = int(np.argmax(known))
    return skins[best] if known[best] >= DRAWS * lattice.rows * lattice.columns else None


def train_skin(name: str, samples: Iterable[AnnotatedImage], base: Skin | None = None) -> Skin:
    """Learn a skin from labelled pictures, in addition to `base`. Cells labelled UNKNOWN are ignored.

    Raises InvalidFile, naming picture and cell, if two cells with different states look the same, or no cell
    is labelled.
    """
    return _learn(name, ((tile, where) for sample in samples for tile, where in _cells(sample)), base)


def train_skin_from_tiles(name: str, tiles: Iterable[Tile]) -> Skin:
    """Learn a skin from pictures of cells. Raises InvalidFile like `train_skin`."""
    return _learn(name, ((tile, f"cell {number}") for number, tile in enumerate(tiles)), None)


def _learn(name: str, cells: Iterable[tuple[Tile, str]], base: Skin | None) -> Skin:
    tiles = list(base.tiles) if base else []
    wheres = [f"skin {base.name}" for _ in tiles] if base else []
    signed = [signatures(tile.pixels[None])[0] for tile in tiles]
    met: dict[tuple[int, bytes], str] = {}
    for tile, where in cells:
        key = tile.pixels.shape[1], tile.pixels.tobytes()
        if met.get(key) == tile.state:
            continue
        met[key] = tile.state
        mine = signatures(tile.pixels[None])[0]
        same = [k for k, other in enumerate(tiles) if other.pixels.shape == tile.pixels.shape]
        near = [k for k in same if distance(signed[k], mine) <= ALIKE]
        for k in near:
            if tiles[k].state != tile.state:
                raise InvalidFile(
                    f"{where} is labelled '{tile.state}', but looks the same as {wheres[k]}, labelled "
                    f"'{tiles[k].state}': correct one of them"
                )
        if not near:
            tiles.append(tile)
            wheres.append(where)
            signed.append(mine)
    if not tiles:
        raise InvalidFile(f"no cell is labelled, so skin '{name}' cannot be learned: label at least one")
    return Skin(name, tuple(tiles), base.program if base else None, base.evidence if base else ())


def _cells(sample: AnnotatedImage) -> Iterable[tuple[Tile, str]]:
    """Every labelled cell of a picture, and where it is."""
    for k, state in enumerate(sample.board.cells):
        left, top, right, bottom = sample.lattice.rectangle(k)
        pixels: Pixels = np.ascontiguousarray(sample.frame.pixels[top:bottom, left:right])
        where = f"{sample.source or 'picture'}: {sample.board.name(k)}"
        if pixels.shape != (bottom - top, right - left, 3):
            raise InvalidFile(f"{where} lies beyond the picture: correct its lines")
        if state != UNKNOWN:
            yield Tile(state, pixels), where
