"""Games from screenshots: the pictures of one folder, in the order of their names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

from bot.live import LOST, Onlooker
from bot.review.keeping import Keeper
from bot.sight import Sight
from games.errors import NoBoard, SapperError
from vision.frame import Frame
from vision.lattice import Lattice
from vision.locating import find
from vision.reading import Reading


def keep_pictures(
    pictures: Sequence[Path], keeper: Keeper, sight: Sight, progress: Callable[[int, int], object]
) -> list[str]:
    """Keep the games that these pictures show; what was wrong with those that could not be read, a line each.

    When each was taken is known by when its file was written, where these times rise from picture to picture;
    else all are taken to be of one moment.
    """
    troubles = []
    times = _times(pictures)
    place: Onlooker | None = None
    for number, (picture, seconds) in enumerate(zip(pictures, times, strict=True)):
        progress(number, len(pictures))
        try:
            frame = Frame.load(picture)
            place, reading = _read(frame, place, sight)
        except SapperError as error:
            message = str(error)
            troubles.append(message if str(picture) in message else f"{picture}: {message}")
            continue
        if reading is not None:
            left, top, width, height = place.lattice.box
            area, lattice = frame.cut(left, top, width, height), place.lattice.moved(-left, -top)
            keeper.shown(area, lattice, reading, seconds, place.skin)
    keeper.close()
    return troubles


def _read(frame: Frame, place: Onlooker | None, sight: Sight) -> tuple[Onlooker, Reading | None]:
    """Where the board lies in a picture, and what is new there. Raises NoBoard, ManyBoards, Unplayable."""
    if place is not None and _lies_in(place.lattice, frame):
        try:
            return place, place.read(frame)
        except NoBoard:
            pass  # the window was moved, or it is another picture
    found = find(frame)
    lattice = found.lattice.completed(frame.width, frame.height)
    skin, reading = sight.look(frame, lattice, found.confidence)
    if reading.board.unread.bit_count() > LOST * len(reading.board):
        raise NoBoard(f"what looks like a {lattice.size} board cannot be read")
    place = Onlooker(sight, lattice, skin)
    return place, place.read(frame)


def _lies_in(lattice: Lattice, frame: Frame) -> bool:
    return lattice.xs[-1] <= frame.width and lattice.ys[-1] <= frame.height


def _times(pictures: Sequence[Path]) -> list[float]:
    written = [picture.stat().st_mtime for picture in pictures]
    if any(later <= earlier for earlier, later in pairwise(written)):
        return [0.0] * len(pictures)
    return [time - written[0] for time in written]
