"""Watch a board that a person plays, without touching the mouse."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

import numpy as np

from bot.game.board_change import is_mid_cascade, keep_known_numbers
from bot.game.types import Clock, SystemClock
from bot.play.finder import BoardFinder, LocatedBoard
from bot.readers import ReaderFactory
from games.errors import BoardNotFound, GameStopped
from games.minesweeper import Board, inconsistencies
from vision.frame import Capture, Frame, Region
from vision.lattice import Lattice
from vision.reading import Reading
from vision.skins import Skin

POLL = 0.05  # seconds between two looks
STILL = 0.1  # seconds that a picture must not change before it is read
STAYS = 0.4  # seconds after which a picture is no passing one
LOST = 0.2  # of the cells unread: the board is somewhere else, or gone
AGAIN = 1.0  # seconds between two searches for a board


class SpectatorReader:
    """Reads a board that a person plays, from settled images of one place.

    `skin` is the stored appearance of its program, if any; `program` is the name of a known program.
    """

    def __init__(
        self, sight: ReaderFactory, lattice: Lattice, skin: Skin | None, program: str | None = None
    ) -> None:
        self.program = program
        self.lattice = lattice
        self.skin = skin
        self._sight = sight
        self._reader = sight.reader(lattice, skin)
        self._board: Board | None = None

    def read(self, frame: Frame, has_stayed: bool = True) -> Reading | None:
        """What is new in a picture; None where nothing is, or where it was taken in the middle of a change.

        Until a picture `has_stayed` for a while it may be passing (the flash of a game that is lost, a blank
        that a held button draws): it is no other game's then, and neither a zero among closed cells nor a
        cell that cannot be read any more is believed. What is neither new nor has stayed is not learned from.
        Raises NoBoard when so little of one that stayed can be read that the board is somewhere else, or
        gone.
        """
        reading = self._reader.observe(frame)
        if reading.board.unread and has_stayed:  # what was there before may be another game's
            alone = self._sight.reader(self.lattice, self.skin)
            by_itself = alone.observe(frame)
            if by_itself.board.unread.bit_count() < reading.board.unread.bit_count():
                self._reader, reading = alone, by_itself
        if reading.board.unread.bit_count() > LOST * len(reading.board):
            if not has_stayed:
                return None
            raise BoardNotFound("the board is not to be seen any more")
        following = self._board
        if following and following.open & reading.board.closed:
            following = None  # a new game
        now = keep_known_numbers(reading.board, following)
        is_possible = bool(now.shown_mines) or not inconsistencies(now)
        known_less = self._board and now.unread & ~self._board.unread
        if not has_stayed and (following is not self._board or is_mid_cascade(now) or known_less):
            return None
        is_new = now != self._board
        if is_possible and (has_stayed or is_new):
            self._reader.notify_moves((), certain=False)  # whoever plays may do anything next, and at once
        if not is_new or not is_possible:
            return None
        self._board = now
        return replace(reading, board=now)


OnLook = Callable[[Frame, SpectatorReader, Reading], object]


class Spectator:
    """Finds a board and reads it whenever it changes.

    `poll` and `still` are the seconds between two looks, and those that a picture must not change before it
    is read; `idle` is called at every look. `seen` is the board as it was found, None while none is, and
    `view` where it lies. `on_look` hears every picture of the board area that showed something new, who
    reads it, and what was read.
    """

    def __init__(
        self,
        grabber: Capture,
        finder: BoardFinder,
        clock: Clock | None = None,
        poll: float = POLL,
        still: float = STILL,
        on_look: OnLook | None = None,
        on_idle: Callable[[LocatedBoard | None], object] | None = None,
    ) -> None:
        self._grabber = grabber
        self._finder = finder
        self._clock = clock or SystemClock()
        self._on_idle = on_idle
        self._poll, self._still = poll, still
        self._on_look = on_look
        self.seen: LocatedBoard | None = None

    def boards(self) -> Iterator[Board | str]:
        """Every board that is seen, without end; a sentence in between where none can be.

        The first search raises what `Finder.find` raises: whoever starts to watch hears it at once.
        """
        self.seen = self._finder.find()
        while True:
            yield from self._watch_board(self.seen)
            self.seen = None
            self._idle()
            self.seen = yield from self._search()

    def _idle(self) -> None:
        if self._on_idle is not None:
            self._on_idle(self.seen)

    def _search(self) -> Generator[str, None, LocatedBoard]:
        said = ""
        while True:
            try:
                return self._finder.find()
            except GameStopped as error:
                if str(error) != said:
                    said = str(error)
                    yield said
                self._idle()
                self._clock.sleep(AGAIN)

    def _watch_board(self, seen: LocatedBoard) -> Iterator[Board]:
        """The boards in one place, until what is there is no board any more."""
        onlooker = SpectatorReader(self._finder.sight, seen.region_lattice, seen.skin, seen.program)
        for frame, has_stayed in self._changes(seen.region):
            try:
                reading = onlooker.read(frame, has_stayed)
            except BoardNotFound:
                return
            if reading is not None:
                if self._on_look is not None:
                    self._on_look(frame, onlooker, reading)
                yield reading.board

    def _changes(self, region: Region) -> Iterator[tuple[Frame, bool]]:
        """The picture there whenever it has changed and come to rest, and once more when it has stayed."""
        shown: Frame | None = None
        since: float | None = None
        while True:
            frame = self._grabber.grab(region)
            if shown is None or not np.array_equal(frame.pixels, shown.pixels):
                shown = self._at_rest(region, frame)
                yield shown, False
                since = self._clock.now()
            elif since is not None and self._clock.now() - since > STAYS:
                since = None
                yield shown, True
            self._idle()
            self._clock.sleep(self._poll)

    def _at_rest(self, region: Region, frame: Frame) -> Frame:
        since = self._clock.now()
        while self._clock.now() - since < self._still:
            self._clock.sleep(self._poll / 2)
            latest = self._grabber.grab(region)
            if not np.array_equal(latest.pixels, frame.pixels):
                frame, since = latest, self._clock.now()
        return frame
