"""Write watched games as recordings: one folder per game, with its boards and frames."""

from __future__ import annotations

import contextlib
import itertools
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bot.game.types import GameRules, SystemClock
from bot.play.spectator import OnLook, SpectatorReader
from bot.recording.recorder import Recorder
from bot.recording.recording import META, RecordingMeta
from games.errors import InvalidFile
from games.external import parse_json, read_external_text, replace_file
from games.minesweeper import Board, Move
from vision.frame import Frame
from vision.lattice import Lattice
from vision.reading import Reading
from vision.skins import Skin


class ManualClock:
    """A clock that somebody sets: of a video, of a replay."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        """What it was set to."""
        return self.time

    def sleep(self, seconds: float) -> None:
        """Move on."""
        self.time += seconds


class ImportRecorder:
    """Writes the games that somebody watches, each into a folder of its own below `folder`.

    `name` begins the folders' names ("": that of the program), `program` is played where nobody knows better.
    `kept` hears every folder once its game is over. Raises InvalidFile where nothing can be written.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        rules: GameRules,
        version: str,
        program: str | None = None,
        kept: Callable[[Path], object] = lambda folder: None,
    ) -> None:
        self._folder, self._name, self._rules = folder, name, rules
        self._version, self._program, self._kept = version, program, kept
        self._clock = ManualClock()
        self._recorder: Recorder | None = None
        self._last: Board | None = None
        self._lattice: Lattice | None = None

    def saw(self, frame: Frame, place: SpectatorReader, reading: Reading, seconds: float) -> None:
        """What somebody read who looks at one place, `seconds` after some fixed moment.

        `frame` is the picture in which his cells lie. A board that cannot follow on the one before begins a
        new game.
        """
        self.shown(frame, place.lattice, reading, seconds, place.skin, place.program)

    def shown(
        self,
        frame: Frame,
        lattice: Lattice,
        reading: Reading,
        seconds: float,
        skin: Skin | None = None,
        program: str | None = None,
    ) -> None:
        """An observation of a board that lies so; `program` is what is played, if that is known.

        A board that cannot follow on the one before begins a new game.
        """
        board = reading.board
        if self._recorder is not None and (
            lattice != self._lattice or not is_continuation(board, self._last)
        ):
            self.close()
        if self._recorder is None:
            if board.shown_mines or not board.closed:
                return  # the end of a game of which nothing was seen
            program = program or self._program
            meta = RecordingMeta(program, lattice, self._rules, (), self._version)
            self._clock.time = seconds
            self._recorder = Recorder(self._free_folder(program), meta, skin, self._clock)
            self._lattice = lattice
        self._clock.time = seconds
        self._recorder.on_frame(frame, reading)
        self._last = board

    def acted(self, moves: Sequence[Move], seconds: float) -> None:
        """Moves that were made on the board that was seen last."""
        if self._recorder is not None and self._last is not None:
            self._clock.time = seconds
            self._recorder.on_moves(self._last, moves)

    def close(self, result: dict[str, Any] | None = None) -> None:
        """The game that is being watched is over. One in which nothing was opened is not kept."""
        if self._recorder is None or self._last is None:
            return
        recorder, last = self._recorder, self._last
        self._recorder, self._last = None, None
        recorder.close(result)
        if last.open:
            self._kept(recorder.folder)
        else:
            shutil.rmtree(recorder.folder)

    def _free_folder(self, program: str | None) -> Path:
        name = self._name or program or "board"
        folders = (self._folder / f"{name}-{number:03d}" for number in itertools.count(1))
        return next(folder for folder in folders if not folder.exists())


def is_continuation(board: Board, before: Board | None) -> bool:
    """Whether this can be a later board of the same game: what was open is, and mines stay shown."""
    if before is None:
        return True
    if before.shown_mines and not board.shown_mines | board.unread:
        return False
    return not before.open & (board.closed | board.flagged)


@contextlib.contextmanager
def import_recorder(
    folder: Path, rules: GameRules, version: str, say: Callable[[str], object]
) -> Iterator[OnLook]:
    """What hears every observation of a `Spectator` and keeps the games; `say` hears where each one is."""
    clock = SystemClock()
    keeper = ImportRecorder(
        folder, "", rules, version, kept=lambda path: say(f"the game is recorded in {path}")
    )
    try:
        yield lambda frame, place, reading: keeper.saw(frame, place, reading, clock.now())
    finally:
        keeper.close()


def write_mine_total(folder: Path, mines: int) -> None:
    """Write down the mine total of a game that was kept, once its end has shown it."""
    path = folder / META
    try:
        meta = parse_json(read_external_text(path))
        meta["rules"]["mines"] = mines
        replace_file(path, (json.dumps(meta, indent=1) + "\n").encode())
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InvalidFile(f"{path}: the mine total cannot be written down ({error})") from error
