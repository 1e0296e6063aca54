"""Load the boards, images, recordings and skins named on the command line."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bot.shutdown import require_memory
from games.errors import InvalidFile, UsageError
from games.external import LARGEST_FILE, read_external
from games.logic import bits
from games.minesweeper import Board, Minefield, Move, read_deals
from games.minesweeper.board import LARGEST_TEXT
from games.minesweeper.deals import first_click_in

if TYPE_CHECKING:
    from bot.readers import ReaderFactory, SkinLibrary
    from vision.screenshot import ImageReading
    from vision.skins import Skin


PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"BM")  # signatures of PNG, JPEG and BMP
LAYOUT_FILES = (".boards", ".mbf")  # files that contain mine layouts
MOST_CELLS = 40_000  # cells; largest board to reason on, 200x200


def read_board(name: str, skin: str | None = None, variant: str = "plain") -> Board:
    """Read a board from a text file, screenshot, boards file or MBF file; `-` is text on standard input.

    Screenshots are read by the rules of `variant`.

    Raises InvalidFile with row and column, and the errors of `read_image`.
    """
    if name == "-":
        return parse_board("standard input", sys.stdin.buffer.read(4 * LARGEST_TEXT + 1))
    path = Path(name)
    try:
        data = read_external(path, LARGEST_FILE)
    except OSError as error:
        remedy = "name a board text file, a screenshot, or - for standard input"
        if path.is_dir():
            remedy = "name a file, or use `sapper report` or `sapper review` for a recording"
        raise InvalidFile(f"{name}: {error.strerror}: {remedy}") from error
    if path.suffix.lower() in LAYOUT_FILES:
        return opened_board(path)
    return parse_board_or_image(name, data, skin, variant)


def parse_board_or_image(name: str, data: bytes, skin: str | None = None, variant: str = "plain") -> Board:
    """Parse board text or read an image; `name` is used in errors. Raises the errors of `read_image`.

    `variant` is the variant of a board in an image.
    """
    if not data.startswith(PICTURES):
        return parse_board(name, data)
    require_memory()
    from vision.skins import load_known_skins, load_skin

    skins = [load_skin(skin)] if skin else load_known_skins()
    return read_image_data(name, data, skins, bool(skin), variant).reading.board


def opened_board(path: Path) -> Board:
    """The first board of a boards or MBF file, after its first click. Raises InvalidFile.

    The first click is that of the file, else the first zero, else the first number.
    """
    deal = next(iter(read_deals(path, 1).values()))
    field = Minefield(deal, "none")
    board, mines = field.board, deal.lay(0, "none")
    around, safe = board.around, list(bits(board.everything & ~mines))
    named = first_click_in(path)
    start = board.cell(named) if named else next((k for k in safe if not around[k] & mines), safe[0])
    return field.play([Move("open", start)])


def parse_board(name: str, data: bytes) -> Board:
    """Parse board text; `name` is used in errors. Raises InvalidFile."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidFile(
            f"{name}: neither text nor a PNG, JPEG or BMP image: name a board text file or a screenshot"
        ) from error
    try:
        board = Board.parse(text)
    except InvalidFile as error:
        raise InvalidFile(f"{name}: {error}") from error
    if len(board) > MOST_CELLS:
        raise InvalidFile(
            f"{name}: {board.columns}x{board.rows} cells, too many after row {MOST_CELLS // board.columns}: "
            f"use a board of at most {MOST_CELLS} cells"
        )
    return board


def read_image(image: str | Path, skins: Sequence[Skin], named: bool = False) -> ImageReading:
    """Read the board in an image; `-` is an image on standard input.

    Raises InvalidFile and the errors of `ScreenshotReader.read_file`.
    """
    from vision.frame import Frame

    name = "standard input" if image == "-" else str(image)
    data = sys.stdin.buffer.read(LARGEST_FILE) if image == "-" else Frame.read_file(Path(image))
    return read_image_data(name, data, skins, named)


def read_image_data(
    name: str, data: bytes, skins: Sequence[Skin], named: bool = False, variant: str = "plain"
) -> ImageReading:
    """Read the board in the data of an image file; `name` is used in errors.

    Raises InvalidFile and the errors of `ScreenshotReader.read_file`.
    """
    from strategies.probability.board_prior import UniformMinePrior
    from vision.screenshot import ScreenshotReader

    return ScreenshotReader.load(UniformMinePrior(variant), skins, named).read_file(data, name)


def board_reader(skin: str | None, variant: str = "plain") -> ReaderFactory:
    """The reader for the named skin, or for all known skins. Raises UsageError, InvalidFile."""
    from bot.readers import ReaderFactory

    return ReaderFactory.load(skin_library(skin).skins, bool(skin), variant)


def recordings_in(folder: Path) -> list[Path]:
    """All recordings below the folder, sorted; the folder itself if it is a recording or contains none."""
    from bot.recording.recording import META

    if (folder / META).exists():
        return [folder]
    return sorted(file.parent for file in folder.rglob(META)) or [folder]


def find_recordings_and_images(places: Iterable[Path]) -> Iterator[Path]:
    """Yield the recordings (folders) and annotated screenshots (files) in these places.

    Other paths are yielded unchanged; reading them reports the error. Raises InvalidFile for an empty folder.
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
                f"{place}: contains no recording and no annotated screenshot: name another folder"
            )


def skin_library(skin: str | None, folder: Path | None = None) -> SkinLibrary:
    """The named skin, the skins of a folder, or all known skins. Raises UsageError, InvalidFile."""
    from bot.readers import SkinLibrary
    from vision.skins import load_known_skins, load_skin, user_skins_folder

    if skin and folder:
        raise UsageError("--skin and --skins exclude each other: leave one of them out")
    if skin:
        return SkinLibrary([load_skin(skin)], user_skins_folder())
    return SkinLibrary(load_known_skins(folder), folder or user_skins_folder())
