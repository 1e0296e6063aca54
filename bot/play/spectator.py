"""Watch a board that a person plays, without touching the mouse."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

import numpy as np

from bot.game.board_change import is_mid_cascade, is_partly_covered, keep_known_numbers
from bot.game.types import Clock, SystemClock
from bot.play.finder import BoardFinder, LocatedBoard
from bot.readers import ReaderFactory
from games.errors import BoardNotFound, GameStopped
from games.logic import bits
from games.minesweeper import DIGITS, FLAG, MINE, UNKNOWN, Board, inconsistencies
from vision.frame import Capture, Frame, Region
from vision.lattice import Lattice
from vision.reading import Reading
from vision.skins import Skin

POLL = 0.05  # seconds between two captures
STILL = 0.1  # seconds that an image must be still before it is read
STAYS = 0.4  # seconds after which an image is not a transient
LOST = 0.2  # share of unread cells; with more, the board has moved or disappeared
AGAIN = 1.0  # seconds between two searches for a board
MARKED = 0.5  # probability above which an unread cell that is not open is a flag, or a mine
NOT_OPEN = 0.01  # probability of a number below which a cell counts as not open (as for settled cells)


class SpectatorReader:
    """Reads a board that a person plays, from settled images of one region.

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
        """The reading of an image; None if it shows nothing new or a board that is changing.

        An image that has not stayed may be a transient (the flash of a lost game, a blank cell under a held
        button). It never starts a new game, and its zeros among closed cells and new unread cells are
        ignored. The reader learns only from new or lasting images. Raises BoardNotFound if too much of a
        lasting image is unreadable.
        """
        reading = with_likely_marks(self._reader.observe(frame))
        if reading.board.unread and has_stayed:  # the previous board may belong to another game
            alone = self._sight.reader(self.lattice, self.skin)
            by_itself = with_likely_marks(alone.observe(frame))
            if by_itself.board.unread.bit_count() < reading.board.unread.bit_count():
                self._reader, reading = alone, by_itself
        if reading.board.unread.bit_count() > LOST * len(reading.board):
            if not has_stayed:
                return None
            raise BoardNotFound("the board is no longer visible")
        previous, board = self._board, reading.board
        if previous and (hidden := previous.open & board.closed):
            if is_partly_covered(board, previous):
                board = board.with_states(dict.fromkeys(bits(hidden), UNKNOWN))
            else:
                previous = None  # a new game
        now = keep_known_numbers(board, previous)
        is_possible = bool(now.shown_mines) or not inconsistencies(now)
        has_lost_cells = self._board and now.unread & ~self._board.unread
        if not has_stayed and (previous is not self._board or is_mid_cascade(now) or has_lost_cells):
            return None
        is_new = now != self._board
        if is_possible and (has_stayed or is_new):
            self._reader.notify_moves((), certain=False)  # the person may open any cell next
        if not is_new or not is_possible:
            return None
        self._board = now
        return replace(reading, board=now)


def with_likely_marks(reading: Reading) -> Reading:
    """The reading with flags on unread cells that are probably flags and certainly not open.

    The first flag of a game looks new. The clues support it if it is right, so that only wrong flags stay
    unread, which a player must see. Flags are claims: proofs do not depend on them. If the board shows a
    mine, the game is over, and unread cells can be mines in the same way.
    """
    total = sum(other.weight for other in reading.alternatives)
    kinds = (FLAG, MINE) if reading.board.shown_mines else (FLAG,)
    marks: dict[int, str] = {}
    for cell in bits(reading.board.unread & ~reading.covered):
        shares = dict.fromkeys((*kinds, DIGITS), 0.0)
        for other in reading.alternatives:
            state = other.board[cell]
            kind = DIGITS if state in DIGITS else state
            shares[kind] = shares.get(kind, 0.0) + other.weight
        if shares[DIGITS] < NOT_OPEN * total:
            marks.update((cell, kind) for kind in kinds if shares[kind] > MARKED * total)
    return replace(reading, board=reading.board.with_states(marks)) if marks else reading


OnLook = Callable[[Frame, SpectatorReader, Reading], object]


class Spectator:
    """Finds a board and reads it whenever it changes.

    `poll` is the time between two captures and `still` the time that an image must be still before it is
    read, seconds. `on_look` receives every image of the board with new contents, its reader and its reading;
    `on_idle` receives `seen` at every capture. `seen` is the located board, None while there is none.
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
        self._poll, self._still = poll, still
        self._on_look = on_look
        self._on_idle = on_idle
        self.seen: LocatedBoard | None = None

    def boards(self) -> Iterator[Board | str]:
        """Every new state of the board, endlessly; a message whenever there is no board.

        Raises the errors of `BoardFinder.find_first` if the first search fails.
        """
        self.seen = self._finder.find_first()
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
        """The boards in one place, until it shows none."""
        reader = SpectatorReader(self._finder.sight, seen.region_lattice, seen.skin, seen.program)
        for frame, has_stayed in self._changes(seen.region):
            try:
                reading = reader.read(frame, has_stayed)
            except BoardNotFound:
                return
            if reading is not None:
                if self._on_look is not None:
                    self._on_look(frame, reader, reading)
                yield reading.board

    def _changes(self, region: Region) -> Iterator[tuple[Frame, bool]]:
        """Every settled image that differs from the last one, and again once it has stayed."""
        shown: Frame | None = None
        since: float | None = None
        while True:
            frame = self._grabber.grab(region)
            if shown is None or not np.array_equal(frame.pixels, shown.pixels):
                shown = self._settled(region, frame)
                yield shown, False
                since = self._clock.now()
            elif since is not None and self._clock.now() - since > STAYS:
                since = None
                yield shown, True
            self._idle()
            self._clock.sleep(self._poll)

    def _settled(self, region: Region, frame: Frame) -> Frame:
        since = self._clock.now()
        while self._clock.now() - since < self._still:
            self._clock.sleep(self._poll / 2)
            latest = self._grabber.grab(region)
            if not np.array_equal(latest.pixels, frame.pixels):
                frame, since = latest, self._clock.now()
        return frame
