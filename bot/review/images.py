"""Import games from a folder of screenshots (in the order of their names) or from a video of the screen.

In a video, the board is located once and read whenever it has changed and come to rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from bot.play.finder import LocatedBoard
from bot.play.spectator import LOST, SpectatorReader
from bot.readers import ReaderFactory
from bot.review.importer import ImportRecorder
from games.errors import BoardNotFound, BoardUnplayable, GameStopped, InvalidFile, SapperError
from games.external import open_external
from vision.frame import MOST_PIXELS, Frame, Pixels
from vision.lattice import Lattice
from vision.locate.locate import locate
from vision.reading import Reading


def import_images(
    pictures: Sequence[Path],
    keeper: ImportRecorder,
    sight: ReaderFactory,
    progress: Callable[[int, int], object],
) -> list[str]:
    """Keep the games that these pictures show; what was wrong with those that could not be read, a line each.

    When each was taken is known by when its file was written, where these times rise from picture to picture;
    else all are taken to be of one moment.
    """
    troubles = []
    times = _times(pictures)
    place: SpectatorReader | None = None
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
            area, lattice = frame.crop(left, top, width, height), place.lattice.translated(-left, -top)
            keeper.shown(area, lattice, reading, seconds, place.skin)
    keeper.close()
    return troubles


def _read(
    frame: Frame, place: SpectatorReader | None, sight: ReaderFactory
) -> tuple[SpectatorReader, Reading | None]:
    """Where the board lies in a picture, and what is new there. Raises NoBoard, ManyBoards, Unplayable."""
    if place is not None and _lies_in(place.lattice, frame):
        try:
            return place, place.read(frame)
        except BoardNotFound:
            pass  # the window was moved, or it is another picture
    found = locate(frame)
    lattice = found.lattice.clamped(frame.width, frame.height)
    skin, reading = sight.best_skin(frame, lattice, found.probability)
    if reading.board.unread.bit_count() > LOST * len(reading.board):
        raise BoardNotFound(f"what looks like a {lattice.size} board cannot be read")
    place = SpectatorReader(sight, lattice, skin)
    return place, place.read(frame)


def _lies_in(lattice: Lattice, frame: Frame) -> bool:
    return lattice.xs[-1] <= frame.width and lattice.ys[-1] <= frame.height


def _times(pictures: Sequence[Path]) -> list[float]:
    written = [picture.stat().st_mtime for picture in pictures]
    if any(later <= earlier for earlier, later in pairwise(written)):
        return [0.0] * len(pictures)
    return [time - written[0] for time in written]


STIR = (
    6.0  # grey levels, mean of a cell: what compressing a still picture changes is less, a new state is more
)
SOON, LATER = 0.2, 2.0  # seconds between two searches for a board: at first, and at most
RESTLESS = 0.5  # seconds after which a board that never rests is read all the same
LARGEST_VIDEO = 32 << 30  # bytes; frames are decoded one by one
Progress = Callable[[int, int], object]  # frames that are done, and of how many


class VideoFrames:
    """The frames of a video file. Raises InvalidFile when it is none that can be read.

    `number` counts the frames so far.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            open_external(path, LARGEST_VIDEO).close()
        except OSError as error:
            raise InvalidFile(f"{path}: {error.strerror}: name a video") from error
        self._capture = cv2.VideoCapture(str(path))
        sides = (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
        if not self._capture.isOpened() or math.prod(map(self._capture.get, sides)) > MOST_PIXELS:
            raise InvalidFile(f"{path}: no video that can be read: give an MP4, WebM, AVI or GIF file")
        self._rate = self._capture.get(cv2.CAP_PROP_FPS) or 30.0
        self.number = 0
        self.count = max(0, int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT)))

    def frames(self) -> Iterator[tuple[float, Pixels]]:
        """Each frame with its seconds. Raises InvalidFile when there is none."""
        last = -1.0
        while (read := self._capture.read())[0]:
            seconds = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
            last = seconds if seconds > last else last + 1.0 / self._rate
            self.number += 1
            yield last, np.asarray(read[1], np.uint8)
        self._capture.release()
        if not self.number:
            raise InvalidFile(f"{self._path}: the video holds no picture that can be read: record it again")


def import_video(
    video: VideoFrames,
    keeper: ImportRecorder,
    sight: ReaderFactory,
    size: tuple[int, int] | None,
    progress: Progress,
) -> str:
    """Keep the games of a video. `size` is (columns, rows) where that is known.

    What stood against finding a board, where none was found at all; else nothing.
    """
    watch: _VideoBoard | None = None
    trouble, found = "the video shows no board", False
    due, pause = 0.0, SOON  # when it is looked for next
    for seconds, pixels in video.frames():
        progress(video.number, video.count)
        if watch is None:
            if seconds < due:
                continue
            due, pause = seconds + pause, min(2.0 * pause, LATER)
            try:
                watch = _VideoBoard.find(pixels, sight, size)
            except GameStopped as error:
                trouble = str(error)
                continue
            found, due, pause = True, 0.0, SOON
        try:
            watch.see(seconds, pixels, keeper)
        except BoardNotFound:
            keeper.close()
            watch = None
    keeper.close()
    return "" if found else trouble


class _VideoBoard:
    """Where a board lies in a video, and what it showed when it was read last."""

    def __init__(self, located: LocatedBoard, onlooker: SpectatorReader) -> None:
        left, top, width, height = (round(value) for value in located.region)
        self._area = np.s_[top : top + height, left : left + width]
        self._lattice = located.region_lattice
        self._onlooker = onlooker
        self._read: Pixels | None = None  # the cells as they were read last
        self._before: Pixels | None = None
        self._since: float | None = None  # when something began to change

    @classmethod
    def find(cls, pixels: Pixels, sight: ReaderFactory, size: tuple[int, int] | None) -> _VideoBoard:
        """Where the one board lies in a picture. Raises NoBoard, ManyBoards, Unplayable (another size)."""
        frame = Frame(pixels)
        found = locate(frame)
        lattice = found.lattice.clamped(frame.width, frame.height)
        if size and size != (lattice.columns, lattice.rows):
            raise BoardUnplayable(f"a board of {lattice.size} is to be seen, not of {size[0]}x{size[1]}")
        skin, reading = sight.best_skin(frame, lattice, found.probability)
        if reading.board.unread.bit_count() > LOST * len(reading.board):
            raise BoardNotFound(f"what looks like a {lattice.size} board cannot be read")
        located = LocatedBoard(frame, lattice, reading.board, skin)
        return cls(located, SpectatorReader(sight, located.region_lattice, skin))

    def see(self, seconds: float, pixels: Pixels, keeper: ImportRecorder) -> None:
        """The next frame. Raises NoBoard when the board is there no more."""
        area = pixels[self._area]
        before, self._before = self._before, area
        if before is not None and self._read is not None:
            if self._since is None and cv2.norm(area, before, cv2.NORM_INF) == 0:
                return
            changed = changed_beyond_noise(self._lattice, self._read, area)
            if not changed:
                self._since = None
                return
            self._since = seconds if self._since is None else self._since
            if changed_beyond_noise(self._lattice, before, area) and seconds - self._since < RESTLESS:
                return
            self._read = self._read.copy()
            for k in changed:
                left, top, right, bottom = self._lattice.rectangle(k)
                self._read[top:bottom, left:right] = area[top:bottom, left:right]
        else:
            self._read = area.copy()
        began, self._since = self._since, None
        frame = Frame(self._read)
        reading = self._onlooker.read(frame)
        if reading is not None:
            keeper.saw(frame, self._onlooker, reading, seconds if began is None else began)


def changed_beyond_noise(lattice: Lattice, before: Pixels, now: Pixels) -> list[int]:
    """The cells that changed between two pictures of the board area by more than compressing does."""
    left, top, width, height = lattice.box
    area = np.s_[top : top + height, left : left + width]
    blue, green, red = cv2.split(cv2.absdiff(before[area], now[area]))
    sums = cv2.integral(cv2.max(cv2.max(blue, green), red))
    columns, rows = np.array(lattice.xs) - left, np.array(lattice.ys) - top
    cells = np.diff(np.diff(sums[np.ix_(rows, columns)], axis=0), axis=1)
    means = cells / np.outer(np.diff(rows), np.diff(columns))
    return [int(k) for k in np.flatnonzero(means > STIR)]
