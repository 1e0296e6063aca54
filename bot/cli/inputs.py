"""Boards that a person hands over: as text, on standard input, or in a screenshot.

What the folders that a person names hold: recordings, screenshots with their text beside them, skins.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from games.errors import BoardUnplayable, InvalidFile, UsageError
from games.logic import bits
from games.minesweeper import LARGEST_TEXT, Board, Minefield, Move, read_deals
from games.minesweeper.deals import first_click_in

if TYPE_CHECKING:
    from bot.readers import SkinLibrary
    from vision.frame import Frame
    from vision.lattice import Lattice
    from vision.reading import Reading
    from vision.skins import Skin


PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"BM")  # how PNG, JPEG and BMP files begin
DEALT = (".boards", ".mbf")  # files of boards of which nothing has been opened
MOST_CELLS = 40_000  # of a board to reason on: 200x200


def read_board(name: str, skin: str | None = None) -> Board:
    """The board in a text file, a screenshot, a boards file or an MBF file; `-` is text on standard input.

    Raises InvalidFile with the row and column of what is wrong, and what `sapper read` raises for pictures.
    """
    if name == "-":
        return parse_board("standard input", sys.stdin.buffer.read(4 * LARGEST_TEXT + 1))
    path = Path(name)
    try:
        with path.open("rb") as file:
            data = file.read(4 * LARGEST_TEXT + 1)
    except OSError as error:
        raise InvalidFile(
            f"{name}: {error.strerror}: name a board as text, a screenshot, or - for standard input"
        ) from error
    if path.suffix.lower() in DEALT:
        return opened_board(path)
    if data.startswith(PICTURES):
        from vision.skins import load_known_skins, load_skin

        return read_image(path, [load_skin(skin)] if skin else load_known_skins(), bool(skin)).reading.board
    return parse_board(name, data)


def opened_board(path: Path) -> Board:
    """The first board of a boards file or an MBF file after its first click.

    That is where the file says, or else the first zero, or the first number where there is none. Raises
    InvalidFile.
    """
    deal = next(iter(read_deals(path, 1).values()))
    field = Minefield(deal, "none")
    board, mines = field.board, deal.lay(0, "none")
    around, safe = board.around, list(bits(board.everything & ~mines))
    named = first_click_in(path)
    start = board.cell(named) if named else next((k for k in safe if not around[k] & mines), safe[0])
    return field.play([Move("open", start)])


def parse_board(name: str, data: bytes) -> Board:
    """The board in these bytes. Raises InvalidFile, naming where they are from."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidFile(
            f"{name}: neither text nor a PNG, JPEG or BMP picture: give a board as text or a screenshot"
        ) from error
    try:
        board = Board.parse(text)
    except InvalidFile as error:
        raise InvalidFile(f"{name}: {error}") from error
    if len(board) > MOST_CELLS:
        raise InvalidFile(
            f"{name}: {board.columns}x{board.rows} cells, row {MOST_CELLS // board.columns} and what follows "
            f"are too many: give a board of at most {MOST_CELLS} cells"
        )
    return board


@dataclass(frozen=True, eq=False)
class ImageReading:
    """What a picture was read as: the skin that helped (None: none), where the cells lie, what they show."""

    skin: Skin | None
    lattice: Lattice
    reading: Reading


def read_image(image: str | Path, skins: Sequence[Skin], named: bool = False) -> ImageReading:
    """What a screenshot shows; `-` is a picture on standard input. A picture of ours says so itself.

    Raises what `fit_frame` raises, InvalidFile when there is no such picture.
    """
    from vision.frame import MOST_BYTES, Frame, read_png_text

    name = "standard input" if image == "-" else str(image)
    if image == "-":
        data = sys.stdin.buffer.read(MOST_BYTES)
        frame = Frame.decode(data, name)
    else:
        frame, data = Frame.load(Path(image)), Path(image).read_bytes()
    note = read_png_text(data)
    return (
        read_embedded_note(note, name)
        if note is not None and not named
        else fit_frame(frame, name, skins, named)
    )


def read_embedded_note(note: str, name: str) -> ImageReading:
    """What a picture of `sapper report` says that it shows. Raises InvalidFile when that is damaged."""
    import numpy as np

    from games.minesweeper import UNKNOWN
    from vision.annotations import parse_labels
    from vision.reading import Reading

    lattice, board = parse_labels(note, name)
    sure = np.array([state != UNKNOWN for state in board.cells], np.float32)
    return ImageReading(None, lattice, Reading(board, sure.reshape(board.rows, board.columns)))


def fit_frame(frame: Frame, name: str, skins: Sequence[Skin], named: bool = False) -> ImageReading:
    """What a picture shows, that was loaded already; `name` is what messages call it.

    Of these skins the one that fits helps, or the one that was `named`. Raises NoBoard, ManyBoards, and
    Unplayable when no cell can be read.
    """
    from bot.readers import ReaderFactory
    from vision.locate.locate import locate

    found = locate(frame)
    lattice = found.lattice
    skin, reading = ReaderFactory.load(skins, named).best_skin(frame, lattice, found.confidence)
    if not reading.confidence.any():
        raise BoardUnplayable(
            f"{name}: no cell of the {lattice.size} board can be read: teach its skin with 'sapper learn'"
        )
    return ImageReading(skin, lattice, reading)


def recordings_in(folder: Path) -> list[Path]:
    """The folder itself when it is a recording, or is none at all; else the recordings below it, by name."""
    from bot.recording.recording import META

    if (folder / META).exists():
        return [folder]
    return sorted(file.parent for file in folder.rglob(META)) or [folder]


def find_recordings_and_images(places: Iterable[Path]) -> Iterator[Path]:
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


def skin_library(skin: str | None, folder: Path | None) -> SkinLibrary:
    """The skins to read with: the one that was named, those of a folder only, or all that are known."""
    from bot.readers import SkinLibrary
    from vision.skins import load_known_skins, load_skin, skins_in, user_skins_folder

    if skin and folder:
        raise UsageError("--skin names the skin, --skins says where skins are: leave one of them out")
    if skin:
        return SkinLibrary([load_skin(skin)], user_skins_folder())
    return SkinLibrary(skins_in(folder) if folder else load_known_skins(), folder or user_skins_folder())
