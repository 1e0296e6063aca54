"""Watch a board that a person plays, without touching the mouse."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field

import numpy as np

from bot.game.types import Clock, SystemClock
from bot.play.finder import BoardFinder, LocatedBoard
from bot.spectator_reader import SpectatorReader
from games.errors import BoardNotFound, GameStopped
from games.minesweeper import Board
from vision.frame import Capture, Frame, Region
from vision.reading import Reading

POLL = 0.05  # seconds between two captures
STILL = 0.1  # seconds that an image must be still before it is read
STAYS = 0.4  # seconds after which an image is not a transient
AGAIN = 1.0  # seconds between two searches for a board


OnLook = Callable[[Frame, SpectatorReader, Reading], object]


@dataclass(eq=False)
class Spectator:
    """Finds a board and reads it whenever it changes.

    `poll` is the time between two captures and `still` the time that an image must be still before it is
    read, seconds. `on_look` receives every image of the board with new contents, its reader and its reading;
    `on_idle` receives `seen` at every capture. `seen` is the located board, None while there is none.
    """

    grabber: Capture
    finder: BoardFinder
    clock: Clock = field(default_factory=SystemClock)
    poll: float = POLL
    still: float = STILL
    on_look: OnLook | None = None
    on_idle: Callable[[LocatedBoard | None], object] | None = None
    seen: LocatedBoard | None = field(default=None, init=False)

    def boards(self) -> Iterator[Board | str]:
        """Every new state of the board, endlessly; a message whenever there is no board.

        Raises the errors of `BoardFinder.find_first` if the first search fails.
        """
        self.seen = self.finder.find_first()
        while True:
            yield from self._watch_board(self.seen)
            self.seen = None
            self._idle()
            self.seen = yield from self._search()

    def _idle(self) -> None:
        if self.on_idle is not None:
            self.on_idle(self.seen)

    def _search(self) -> Generator[str, None, LocatedBoard]:
        said = ""
        while True:
            try:
                return self.finder.find()
            except GameStopped as error:
                if str(error) != said:
                    said = str(error)
                    yield said
                self._idle()
                self.clock.sleep(AGAIN)

    def _watch_board(self, seen: LocatedBoard) -> Iterator[Board]:
        """The boards in one place, until it shows none."""
        reader = SpectatorReader(self.finder.readers, seen.region_lattice, seen.skin, seen.program)
        for frame, has_stayed in self._changes(seen.region):
            try:
                reading = reader.read(frame, has_stayed)
            except BoardNotFound:
                return
            if reading is not None:
                if self.on_look is not None:
                    self.on_look(frame, reader, reading)
                yield reading.board

    def _changes(self, region: Region) -> Iterator[tuple[Frame, bool]]:
        """Every settled image that differs from the last one, and again once it has stayed."""
        shown: Frame | None = None
        since: float | None = None
        while True:
            frame = self.grabber.grab(region)
            if shown is None or not np.array_equal(frame.pixels, shown.pixels):
                shown = self._settled(region, frame)
                yield shown, False
                since = self.clock.now()
            elif since is not None and self.clock.now() - since > STAYS:
                since = None
                yield shown, True
            self._idle()
            self.clock.sleep(self.poll)

    def _settled(self, region: Region, frame: Frame) -> Frame:
        since = self.clock.now()
        while self.clock.now() - since < self.still:
            self.clock.sleep(self.poll / 2)
            latest = self.grabber.grab(region)
            if not np.array_equal(latest.pixels, frame.pixels):
                frame, since = latest, self.clock.now()
        return frame
