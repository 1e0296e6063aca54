"""Import games from a folder of screenshots (in the order of their names) or from a video of the screen.

In a video, the board is located once, and read whenever it is still after a change.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import fsum
from pathlib import Path

import cv2
import numpy as np

from bot.play.finder import LocatedBoard
from bot.readers import ReaderFactory
from bot.recording.embedded import LARGEST_VIDEO
from bot.review.importer import ImportRecorder
from bot.spectator_reader import LOST, SpectatorReader
from games.errors import BoardNotFound, BoardUnplayable, GameStopped, InvalidFile, SapperError
from games.external import open_external
from vision.frame import MOST_PIXELS, Frame, Pixels
from vision.lattice import Lattice
from vision.locate.locate import locate
from vision.reading import Reading

Progress = Callable[[int, int], object]  # finished and all images or frames


def import_images(
    pictures: Sequence[Path],
    keeper: ImportRecorder,
    readers: ReaderFactory,
    progress: Progress,
) -> list[str]:
    """Record the games in these images; return one line about each unreadable image.

    The times are the modification times of the files if they increase; otherwise all are 0.
    """
    troubles = []
    times = _times(pictures)
    place: SpectatorReader | None = None
    for number, (picture, seconds) in enumerate(zip(pictures, times, strict=True)):
        progress(number, len(pictures))
        try:
            frame = Frame.load(picture)
            place, reading = _read(frame, place, readers)
        except SapperError as error:
            if isinstance(error, GameStopped):
                keeper.on_gone(seconds)
            message = str(error)
            troubles.append(message if str(picture) in message else f"{picture}: {message}")
            continue
        if reading is not None:
            left, top, width, height = place.lattice.box
            area, lattice = frame.crop(left, top, width, height), place.lattice.translated(-left, -top)
            keeper.on_frame(area, lattice, reading, seconds, place)
            keeper.on_picture(frame, place.lattice, seconds)
    keeper.close()
    return troubles


def _read(
    frame: Frame, place: SpectatorReader | None, readers: ReaderFactory
) -> tuple[SpectatorReader, Reading | None]:
    """Read a known board, or locate it again; the reading is None if nothing has changed.

    Raises BoardNotFound, AmbiguousBoard, BoardUnplayable.
    """
    if place is not None:
        lattice = place.lattice
        if lattice.xs[-1] <= frame.width and lattice.ys[-1] <= frame.height:
            with contextlib.suppress(BoardNotFound):  # the window was moved, or it is another picture
                return place, place.read(frame)
    located, _ = _locate(frame, readers)
    place = SpectatorReader(readers, located.lattice, located.skin)
    return place, place.read(frame)


def _locate(
    frame: Frame, readers: ReaderFactory, size: tuple[int, int] | None = None
) -> tuple[LocatedBoard, float]:
    """Locate and read the only board of an image, of this size (columns, rows) if given; with probability."""
    found = locate(frame)
    lattice = found.lattice.clamped(frame.width, frame.height)
    if size and size != (lattice.columns, lattice.rows):
        raise BoardUnplayable(f"the board is {lattice.size}, expected {size[0]}x{size[1]}")
    skin, reading = readers.best_skin(frame, lattice, found.probability)
    if reading.board.unread.bit_count() > LOST * len(reading.board):
        raise BoardNotFound(f"the {lattice.size} board is unreadable")
    return LocatedBoard(frame, lattice, reading.board, skin), found.probability


def _times(pictures: Sequence[Path]) -> list[float]:
    written = [picture.stat().st_mtime for picture in pictures]
    if any(later <= earlier for earlier, later in pairwise(written)):
        return [0.0] * len(pictures)
    return [time - written[0] for time in written]


STIR = 6.0  # grey levels, mean of a cell; compression changes less, a new state more
SOON, LATER = 0.2, 2.0  # seconds between two searches for a board: first and largest interval
COMPARED = 30.0  # seconds after the first board is found; in them, the board found most often is chosen
RESTLESS = 0.5  # seconds; a board that keeps changing is read after this time


class VideoFrames:
    """The frames of a video file; `number` counts those read. Raises InvalidFile if it is unreadable."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            open_external(path, LARGEST_VIDEO).close()
        except OSError as error:
            raise InvalidFile(f"{path}: {error.strerror}: name a video") from error
        self._capture = cv2.VideoCapture(str(path))
        sides = (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
        if not self._capture.isOpened() or math.prod(map(self._capture.get, sides)) > MOST_PIXELS:
            raise InvalidFile(f"{path}: unreadable video: name an MP4, WebM, AVI or GIF file")
        self._rate = self._capture.get(cv2.CAP_PROP_FPS) or 30.0
        self.number = 0
        self.count = max(0, int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT)))

    def frames(self) -> Iterator[tuple[float, Pixels]]:
        """Yield each frame with its time in seconds. Raises InvalidFile if there is none."""
        last = -1.0
        if self.number:  # from the start again
            self._capture.open(str(self._path))
            self.number = 0
        while (read := self._capture.read())[0]:
            seconds = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
            last = seconds if seconds > last else last + 1.0 / self._rate
            self.number += 1
            yield last, np.asarray(read[1], np.uint8)
        if not self.number:
            raise InvalidFile(f"{self._path}: the video contains no readable frame: record it again")


def import_video(
    video: VideoFrames,
    keeper: ImportRecorder,
    readers: ReaderFactory,
    size: tuple[int, int] | None,
    progress: Progress,
) -> str:
    """Record the games of a video; `size` is (columns, rows) if known.

    The place where a board is found first is read from the start of the video. A game goes on while its board
    is covered or moves: Sapper watches the same place, and also searches the whole picture at intervals. A
    board of another size counts if two searches find it.
    Return why no board was found; empty if one was found.
    """
    watch, trouble = _first_board(video, readers, size, progress)
    if watch is None:
        return trouble
    due, pause = 0.0, SOON  # time of the next search; interval
    other = watch.size  # found by the last search
    for seconds, pixels in video.frames():
        progress(video.number, video.count)
        if watch.see(seconds, pixels, keeper):
            due, pause = 0.0, SOON
        elif seconds >= due:
            due, pause = seconds + pause, min(2.0 * pause, LATER)
            with contextlib.suppress(GameStopped):
                found = _VideoBoard.find(pixels, readers, size)
                if found.size in (watch.size, other):
                    watch = found
                    watch.see(seconds, pixels, keeper)
                other = found.size
    watch.finish(keeper)
    keeper.close()
    return ""


def _first_board(
    video: VideoFrames, readers: ReaderFactory, size: tuple[int, int] | None, progress: Progress
) -> tuple[_VideoBoard | None, str]:
    """The first board; None if there is none, and why.

    Compression can hide lines of the board in some pictures, so the size is that of most probable finds.
    """
    trouble, due, pause, end = "the video shows no board", 0.0, SOON, math.inf
    found: list[_VideoBoard] = []
    for seconds, pixels in video.frames():
        progress(video.number, video.count)
        if seconds > end:
            break
        if seconds >= due:
            due, pause = seconds + pause, min(2.0 * pause, LATER)
            try:
                found.append(_VideoBoard.find(pixels, readers, size))
            except GameStopped as error:
                trouble = str(error)
            else:
                end = min(end, seconds + COMPARED)
    if not found:
        return None, trouble
    votes = {one.size: fsum(each.probability for each in found if each.size == one.size) for one in found}
    return max(found, key=lambda each: (votes[each.size], each.probability)), ""


class _VideoBoard:
    """Position of a board in a video, and its pixels at the last reading."""

    def __init__(self, located: LocatedBoard, probability: float, onlooker: SpectatorReader) -> None:
        self.probability = probability
        self.size = located.lattice.columns, located.lattice.rows
        left, top, width, height = (round(value) for value in located.region)
        self._area = np.s_[top : top + height, left : left + width]
        self._lattice = located.region_lattice
        self._in_picture = located.lattice
        self._onlooker = onlooker
        self._read: Pixels | None = None  # at the last reading
        self._read_at = 0.0  # seconds
        self._picture: Pixels | None = None  # the whole picture before
        self._since: float | None = None  # start of the current change
        self._is_readable = True

    @classmethod
    def find(cls, pixels: Pixels, readers: ReaderFactory, size: tuple[int, int] | None) -> _VideoBoard:
        """Locate the only board. Raises BoardNotFound, AmbiguousBoard, BoardUnplayable (another size)."""
        located, probability = _locate(Frame(pixels), readers, size)
        return cls(located, probability, SpectatorReader(readers, located.region_lattice, located.skin))

    def see(self, seconds: float, pixels: Pixels, keeper: ImportRecorder) -> bool:
        """Record the next frame if the board has changed; return whether the board was readable last."""
        before, self._picture = self._picture, pixels
        if self._read is None or before is None:
            self._read_board(seconds, pixels[self._area].copy(), keeper)
            return self._is_readable
        area, earlier = pixels[self._area], before[self._area]
        is_same = self._since is None and cv2.norm(area, earlier, cv2.NORM_INF) == 0
        if is_same or not changed_beyond_noise(self._lattice, self._read, area):
            self._since = None
            if self._onlooker.is_half_drawn and seconds - self._read_at >= RESTLESS:
                self._read_board(seconds, self._read, keeper, has_stayed=True)
            return self._is_readable
        self._since = seconds if self._since is None else self._since
        is_restless = changed_beyond_noise(self._lattice, earlier, area)
        if not is_restless or seconds - self._since >= RESTLESS:
            self._read_changes(keeper)
        return self._is_readable

    def finish(self, keeper: ImportRecorder) -> None:
        """Record the last picture if the board was still changing."""
        if self._since is not None:
            self._read_changes(keeper)

    def _read_changes(self, keeper: ImportRecorder) -> None:
        """Read the last picture, with the earlier pixels of the cells that have not changed."""
        assert self._read is not None
        assert self._picture is not None
        assert self._since is not None
        area, pixels = self._picture[self._area], self._read.copy()
        for k in changed_beyond_noise(self._lattice, self._read, area):
            left, top, right, bottom = self._lattice.rectangle(k)
            pixels[top:bottom, left:right] = area[top:bottom, left:right]
        self._read_board(self._since, pixels, keeper)
        self._since = None

    def _read_board(
        self, seconds: float, pixels: Pixels, keeper: ImportRecorder, has_stayed: bool | None = None
    ) -> None:
        """Read the board area, and record it if it shows anything new."""
        assert self._picture is not None
        self._read, self._read_at, frame, place = pixels, seconds, Frame(pixels), self._onlooker
        try:
            reading = place.read(frame, has_stayed)
        except BoardNotFound:
            self._is_readable = False
            keeper.on_gone(seconds)
            return
        self._is_readable = True
        if reading is not None:
            keeper.on_frame(frame, place.lattice, reading, seconds, place)
            keeper.on_picture(Frame(self._picture), self._in_picture, seconds)


def changed_beyond_noise(lattice: Lattice, before: Pixels, now: Pixels) -> list[int]:
    """The cells that changed between two images of the board area by more than compression noise."""
    left, top, width, height = lattice.box
    area = np.s_[top : top + height, left : left + width]
    blue, green, red = cv2.split(cv2.absdiff(before[area], now[area]))
    sums = cv2.integral(cv2.max(cv2.max(blue, green), red))
    columns, rows = np.array(lattice.xs) - left, np.array(lattice.ys) - top
    cells = np.diff(np.diff(sums[np.ix_(rows, columns)], axis=0), axis=1)
    means = cells / np.outer(np.diff(rows), np.diff(columns))
    return [int(k) for k in np.flatnonzero(means > STIR)]
