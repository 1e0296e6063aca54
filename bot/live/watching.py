"""Watches a board that somebody else plays: looks, and never touches the mouse."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

import numpy as np

from bot.live.finding import Finder, Seen
from bot.live.screen import View
from bot.loop.observing import carried_over, is_unfinished
from bot.loop.ports import Clock, SystemClock
from games.errors import Stop
from games.minesweeper import Board
from games.minesweeper.clues import problems
from vision.capture import Capture
from vision.frame import Frame

POLL = 0.05  # seconds between two looks
STILL = 0.1  # seconds that a picture must not change before it is read
STAYS = 0.4  # seconds after which a picture is no passing one
LOST = 0.2  # of the cells unread: the board is somewhere else, or gone
AGAIN = 1.0  # seconds between two searches for a board


class Watcher:
    """Finds a board and reads it whenever it changes.

    `poll` and `still` are the seconds between two looks, and those that a picture must not change before it
    is read; `idle` is called at every look. `seen` is the board as it was found, None while none is, and
    `view` where it lies.
    """

    def __init__(
        self,
        grabber: Capture,
        finder: Finder,
        clock: Clock | None = None,
        idle: Callable[[], object] = lambda: None,
        poll: float = POLL,
        still: float = STILL,
    ) -> None:
        self._grabber = grabber
        self._finder = finder
        self._clock = clock or SystemClock()
        self._idle = idle
        self._poll, self._still = poll, still
        self.seen: Seen | None = None
        self.view: View | None = None

    def boards(self) -> Iterator[Board | str]:
        """Every board that is seen, without end; a sentence in between where none can be.

        The first search raises what `Finder.find` raises: whoever starts to watch is told at once.
        """
        self.seen = self._finder.find()
        while True:
            yield from self._one_place(self.seen)
            self.seen = self.view = None
            self._idle()
            self.seen = yield from self._search()

    def _search(self) -> Generator[str, None, Seen]:
        told = ""
        while True:
            try:
                return self._finder.find()
            except Stop as error:
                if str(error) != told:
                    told = str(error)
                    yield told
                self._idle()
                self._clock.sleep(AGAIN)

    def _one_place(self, seen: Seen) -> Iterator[Board]:
        """The boards in one place, until what is there is no board any more.

        What the reader learns from a picture counts only when that has stayed for a while: a button that is
        held draws a blank.
        """
        self.view = view = View.of(seen.frame, seen.lattice)
        reader = self._finder.sight.reader(view.lattice, seen.skin)
        board: Board | None = None
        waiting: Board | None = None  # for its picture to stay: a zero among closed cells may be such a blank
        for frame in self._changes(view):
            if frame is None:
                reader.acted((), certain=False)  # whoever plays may do anything next
                if waiting is not None:
                    board, waiting = waiting, None
                    yield board
                continue
            waiting = None
            reading = reader.observe(frame)
            if reading.board.unread:  # what was there before may be another game's
                alone = self._finder.sight.reader(view.lattice, seen.skin)
                by_itself = alone.observe(frame)
                if by_itself.board.unread.bit_count() < reading.board.unread.bit_count():
                    reader, reading = alone, by_itself
            if reading.board.unread.bit_count() > LOST * len(reading.board):
                return
            following = board if board and not board.open & reading.board.closed else None  # else a new game
            now = carried_over(reading.board, following)
            if now == board or (not now.shown_mines and problems(now)):
                continue  # nothing new, or caught in the middle of a change
            if is_unfinished(now):
                waiting = now
                continue
            board = now
            yield board

    def _changes(self, view: View) -> Iterator[Frame | None]:
        """The picture there whenever it has changed and come to rest; None once when it has stayed since."""
        shown: Frame | None = None
        since: float | None = None
        while True:
            frame = self._grabber.grab(view.region)
            if shown is None or not np.array_equal(frame.pixels, shown.pixels):
                shown = self._at_rest(view, frame)
                yield shown
                since = self._clock.now()
            elif since is not None and self._clock.now() - since > STAYS:
                since = None
                yield None
            self._idle()
            self._clock.sleep(self._poll)

    def _at_rest(self, view: View, frame: Frame) -> Frame:
        since = self._clock.now()
        while self._clock.now() - since < self._still:
            self._clock.sleep(self._poll / 2)
            latest = self._grabber.grab(view.region)
            if not np.array_equal(latest.pixels, frame.pixels):
                frame, since = latest, self._clock.now()
        return frame
