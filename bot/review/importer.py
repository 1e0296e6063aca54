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
from games.external import DAMAGE, parse_json, read_external_text, replace_file
from games.minesweeper import Board, Move
from vision.frame import Frame
from vision.lattice import Lattice
from vision.reading import Reading
from vision.skins import Skin


class ManualClock:
    """A clock that is set by hand, such as the clock of a video."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        """The time that was set."""
        return self.time

    def sleep(self, seconds: float) -> None:
        """Advance the clock."""
        self.time += seconds


class ImportRecorder:
    """Records watched games, each in its own folder below `folder`.

    `name` is the prefix of the folder names, by default the name of the program. `program` is used if a
    reading does not name one. `kept` receives every folder at the end of its game. Raises InvalidFile if
    nothing can be written.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        rules: GameRules,
        version: str,
        program: str | None,
        kept: Callable[[Path], object],
    ) -> None:
        self._folder, self._name, self._rules = folder, name, rules
        self._version, self._program, self._kept = version, program, kept
        self._clock = ManualClock()
        self._recorder: Recorder | None = None
        self._last: Board | None = None
        self._lattice: Lattice | None = None

    def on_frame(
        self,
        frame: Frame,
        lattice: Lattice,
        reading: Reading,
        seconds: float,
        skin: Skin | None = None,
        program: str | None = None,
    ) -> None:
        """Record an observation at a time in seconds; an incompatible board starts a new game."""
        board = reading.board
        if self._recorder is not None and (
            lattice != self._lattice or not is_continuation(board, self._last)
        ):
            self.close()
        if self._recorder is None:
            if board.shown_mines or not board.closed:
                return  # the end of an unseen game
            program = program or self._program
            meta = RecordingMeta(program, lattice, self._rules, (), self._version)
            self._clock.time = seconds
            self._recorder = Recorder(self._free_folder(program), meta, skin, self._clock)
            self._lattice = lattice
        self._clock.time = seconds
        self._recorder.on_frame(frame, reading)
        self._last = board

    def on_moves(self, moves: Sequence[Move], seconds: float) -> None:
        """Record moves on the latest board."""
        if self._recorder is not None and self._last is not None:
            self._clock.time = seconds
            self._recorder.on_moves(self._last, moves)

    def close(self, result: dict[str, Any] | None = None) -> None:
        """End the current game; delete it if nothing was opened."""
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
    """Whether this can be a later board of the same game: open cells stay open, mines stay visible."""
    if before is None:
        return True
    if before.shown_mines and not board.shown_mines | board.unread:
        return False
    return not before.open & (board.closed | board.flagged)


@contextlib.contextmanager
def import_recorder(
    folder: Path, rules: GameRules, version: str, say: Callable[[str], object]
) -> Iterator[OnLook]:
    """Record every observation of a `Spectator`; `say` reports the folder of each game."""
    clock = SystemClock()
    recorder = ImportRecorder(
        folder, "", rules, version, None, lambda path: say(f"the game is recorded in {path}")
    )

    def on_look(frame: Frame, place: SpectatorReader, reading: Reading) -> None:
        recorder.on_frame(frame, place.lattice, reading, clock.now(), place.skin, place.program)

    try:
        yield on_look
    finally:
        recorder.close()


def write_mine_total(folder: Path, mines: int) -> None:
    """Add the mine total to a recording. Raises InvalidFile if that fails."""
    path = folder / META
    try:
        meta = parse_json(read_external_text(path))
        meta["rules"]["mines"] = mines
        replace_file(path, (json.dumps(meta, indent=1) + "\n").encode())
    except (OSError, *DAMAGE) as error:
        raise InvalidFile(f"{path}: the mine total cannot be written: {error}") from error
