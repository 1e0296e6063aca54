"""Write watched games as recordings: one folder per game, with its boards and frames."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.game.board_change import MOST_UNREAD, changed_numbers
from bot.game.types import GameRules, SystemClock
from bot.play.mine_total import TICK
from bot.play.spectator import OnLook
from bot.recording.compare import update
from bot.recording.recorder import Recorder, free_folder
from bot.recording.recording import META, Recording, RecordingMeta
from bot.review.reviewed_game import has_redrawn_loss
from bot.spectator_reader import SpectatorReader, likely_mines
from games.errors import InvalidFile
from games.external import DAMAGE, parse_json, read_external_text, replace_file
from games.minesweeper import Board, Move
from vision.counter import CounterObservation, CounterReader, CounterTracker
from vision.frame import Frame
from vision.lattice import Lattice
from vision.reading import Reading
from vision.skins import Skin


class CounterTotal:
    """The mine total of one game, from the numbers next to its board.

    `total` is proved by a fraction or a falling counter; `assumed` is the only number that may be the counter
    and did not change with the time. Both are None if unknown or contradictory.
    """

    def __init__(self) -> None:
        self._tracker = CounterTracker()
        self._first: tuple[float, CounterObservation] | None = None  # since the board has these flags
        self._proved: set[int] = set()
        self._single: set[int] | None = None

    @property
    def total(self) -> int | None:
        """The proved total."""
        return next(iter(self._proved)) if len(self._proved) == 1 else None

    @property
    def assumed(self) -> int | None:
        """The total that may be right, if none is proved."""
        is_clear = not self._proved and self._single is not None and len(self._single) == 1
        return next(iter(self._single)) if is_clear and self._single else None

    def add(self, seconds: float, seen: CounterObservation) -> None:
        """Add an observation at this time."""
        if (counter := self._tracker.add(seen)) is not None:
            self._proved.add(counter.total)
        if not seen.board.open:
            return  # the clock of most programs does not run yet
        if self._first is None or self._first[1].board.flagged != seen.board.flagged:
            self._first = seconds, seen
        elif seconds - self._first[0] >= TICK:
            single = {each.total for each in seen.single_totals(self._first[1])}
            self._single = single if self._single is None else self._single & single


@dataclass(eq=False)
class ImportRecorder:
    """Records watched games, each in its own folder below `folder`.

    `name` is the prefix of the folder names, by default the name of the program. `program` is used if a
    reading does not name one. `kept` receives every folder at the end of its game. Without a mine total in
    `rules`, `counters` reads it from the pictures. `is_live`: a person is playing and needs advice. Raises
    InvalidFile if nothing can be written.
    """

    folder: Path
    name: str
    rules: GameRules
    version: str
    program: str | None
    kept: Callable[[Path], object]
    counters: CounterReader | None = None
    is_live: bool = False
    _seconds: float = field(default=0.0, init=False)  # the time of the picture that is being recorded
    _recorder: Recorder | None = field(default=None, init=False)
    _last: Board | None = field(default=None, init=False)
    _lattice: Lattice | None = field(default=None, init=False)
    _total: CounterTotal = field(default_factory=CounterTotal, init=False)
    _open_at_start: int = field(default=0, init=False)  # cell set
    _probable: int = field(default=0, init=False)  # mines since the last opened cell (a cell set)
    _reader: SpectatorReader | None = field(default=None, init=False)  # of the last observation
    _is_visible: bool = field(default=False, init=False)

    def on_frame(
        self,
        frame: Frame,
        lattice: Lattice,
        reading: Reading,
        seconds: float,
        reader: SpectatorReader | None = None,
        skin: Skin | None = None,
    ) -> None:
        """Record an observation at a time in seconds; an incompatible board starts a new game.

        `reader` has read it; without one, the picture is drawn with the appearance `skin`.
        """
        board = reading.board
        if self._recorder is not None and not is_continuation(board, self._last):
            self.on_gone(seconds)
            self.close()
        self._seconds = seconds
        if self._recorder is not None and lattice != self._lattice:
            self._recorder.set_lattice(lattice)
        if self._recorder is None:
            if board.shown_mines or not board.closed:
                return  # the end of an unseen game
            program = (reader.program if reader else None) or self.program
            skin = reader.skin if reader else skin
            meta = RecordingMeta(program, lattice, self.rules, (), self.version)
            folder = free_folder(self.folder, self.name or program or "board")
            self._recorder = Recorder(folder, meta, skin, lambda: self._seconds)
            self._total, self._open_at_start = CounterTotal(), board.open
        self._lattice = lattice
        self._recorder.on_frame(frame, reading)
        is_same = self._last is not None and board.open == self._last.open  # the same end, seen again
        probable = self._probable & (board.unread | board.flagged) if is_same else 0
        self._reader, self._probable = reader, likely_mines(reading, self._last) | probable
        self._last, self._is_visible = board, True

    def on_picture(self, picture: Frame, lattice: Lattice, seconds: float) -> None:
        """Read the numbers next to the last board, which is at `lattice` in this picture."""
        if self.counters is None or self.rules.mines is not None or self._last is None:
            return
        is_same_size = (self._last.rows, self._last.columns) == (lattice.rows, lattice.columns)
        if is_same_size and self._total.total is None:
            self._total.add(seconds, self.counters.look(picture, lattice, self._last))

    def on_gone(self, seconds: float) -> None:
        """Record that the board is no longer visible."""
        if self._recorder is not None and self._is_visible:
            self._seconds, self._is_visible = seconds, False
            self._recorder.on_board_status("gone", 0, is_read=False)

    def on_moves(self, moves: Sequence[Move], seconds: float) -> None:
        """Record moves on the latest board."""
        if self._recorder is not None and self._last is not None:
            self._seconds = seconds
            self._recorder.on_moves(self._last, moves)

    def close(self, result: dict[str, Any] | None = None) -> None:
        """End the current game; delete it if nothing was opened.

        Its pictures are read again with everything that was learned of the program, unless it is live.
        """
        if self._recorder is None or self._last is None:
            return
        recorder, last = self._recorder, self._last
        self._recorder, self._last = None, None
        if self._probable and result is None:
            recorder.on_likely_mines(last, self._probable)
        recorder.close(result)
        is_played = last.open & ~self._open_at_start or last.shown_mines or self._probable
        if is_played or has_redrawn_loss(Recording(recorder.folder)):
            if self._total.total or self._total.assumed:
                write_mine_total(recorder.folder, self._total.total, self._total.assumed)
            if self._reader is not None and not self.is_live:
                update(Recording(recorder.folder), (), self._reader.learned())
            self.kept(recorder.folder)
        else:
            shutil.rmtree(recorder.folder)


def is_continuation(board: Board, before: Board | None) -> bool:
    """Whether this can be a later board of the same game: numbers stay, mines stay visible.

    A few numbers may change, because they were misread.
    """
    if before is None:
        return True
    if (board.rows, board.columns) != (before.rows, before.columns):
        return False
    if before.shown_mines and not board.shown_mines | board.unread:
        return False
    numbers = before.open & board.open
    if changed_numbers(board, before).bit_count() > MOST_UNREAD * numbers.bit_count():
        return False
    return not before.open & ~before.unfinished_zeros & (board.closed | board.flagged)


@contextlib.contextmanager
def import_recorder(
    folder: Path, rules: GameRules, version: str, say: Callable[[str], object]
) -> Iterator[OnLook]:
    """Record every observation of a `Spectator`; `say` reports the folder of each game."""
    clock = SystemClock()
    recorder = ImportRecorder(
        folder, "", rules, version, None, lambda path: say(f"the game is recorded in {path}"), is_live=True
    )

    def on_look(frame: Frame, place: SpectatorReader, reading: Reading) -> None:
        recorder.on_frame(frame, place.lattice, reading, clock.now(), place)

    try:
        yield on_look
    finally:
        recorder.close()


def write_mine_total(folder: Path, mines: int | None, assumed: int | None = None) -> None:
    """Write the mine total into a recording. Raises InvalidFile if that fails."""
    path = folder / META
    try:
        meta = parse_json(read_external_text(path))
        meta["rules"] |= {"mines": mines, "assumed_mines": assumed if mines is None else None}
        replace_file(path, (json.dumps(meta, indent=1) + "\n").encode())
    except (OSError, *DAMAGE) as error:
        raise InvalidFile(f"{path}: the mine total cannot be written: {error}") from error
