"""Import replay files of the Minesweeper community (AVF, EVF, MVF, RMV) with `ms_toollib`.

Such a file contains the mines and the mouse events. ms_toollib decides which events are moves; the moves are
then played on the same mines.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.game.types import GameRules
from bot.review.importer import ImportRecorder
from bot.review.replay_parser import MOST_MEMORY
from bot.show.pictures import draw_board, drawn_skin, lattice_of
from games.errors import InvalidFile, MissingRequirement
from games.external import DAMAGE, parse_json, read_external
from games.logic import cell_set
from games.minesweeper import FLAG, Board, Deal, Minefield, Move
from vision.reading import Reading

LONGEST = 64 << 20  # bytes per file
PATIENCE = 120.0  # seconds per file
RULES = GameRules(None, "safe", "open", can_chord=True)  # of all programs with such files
PARSING = Path(__file__).with_name("replay_parser.py")


@dataclass(frozen=True)
class ReplayFileGame:
    """A game from a replay file: the mines, the moves with their seconds, the duration, the program.

    `clicks` also counts clicks outside the board.
    """

    deal: Deal
    moves: tuple[tuple[float, Move], ...]
    seconds: float
    clicks: int
    program: str


def read_replay(path: Path) -> ReplayFileGame:
    """Parse a replay file. Raises MissingRequirement without ms_toollib, InvalidFile if it is unreadable."""
    if importlib.util.find_spec("ms_toollib") is None:
        raise MissingRequirement(
            f"{path}: replay files require ms_toollib, which is missing: pip install ms-toollib"
        )
    try:
        size = len(read_external(path, LONGEST))
    except OSError as error:
        raise InvalidFile(f"{path}: {error.strerror}: name a readable replay file") from error
    if not size:
        raise InvalidFile(f"{path}: the file is empty: save it again")
    words = [sys.executable, "-I", str(PARSING), str(path.absolute())]
    try:
        with TemporaryDirectory(prefix="sapper-") as away:  # a crashing ms_toollib leaves a log in its folder
            parsed = parse_json(_output(words, away))
        mines = cell_set(parsed["mines"])
        moves = tuple((float(seconds), Move(kind, cell)) for seconds, kind, cell in parsed["moves"])
        if not 0 < mines.bit_count() < parsed["rows"] * parsed["columns"]:
            raise ValueError("a board without mines or without safe cells")
    except (subprocess.SubprocessError, *DAMAGE) as error:
        kind = path.suffix[1:].upper()
        raise InvalidFile(f"{path}: ms_toollib cannot read this {kind} file: save it again") from error
    deal = Deal.of(parsed["rows"], parsed["columns"], mines)
    return ReplayFileGame(deal, moves, parsed["seconds"], parsed["clicks"], parsed["program"])


def _output(words: Sequence[str], folder: str) -> bytes:
    """The output of the parser, run in this folder. Raises SubprocessError."""
    if sys.platform == "win32":  # elsewhere, the parser limits its memory itself
        from strategies.isolation.jobs import Job

        with closing(Job(MOST_MEMORY)) as job:
            process = job.start(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder)
            output, _ = process.communicate(timeout=PATIENCE)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, words)
        return output
    return subprocess.run(words, capture_output=True, timeout=PATIENCE, check=True, cwd=folder).stdout


def import_replay(replay: ReplayFileGame, keeper: ImportRecorder) -> None:
    """Record the game, with a drawn board before each move and at the end."""
    field = Minefield(replay.deal, "none")
    lattice = lattice_of(replay.deal.rows, replay.deal.columns)
    board: Board | None = None
    skin = drawn_skin()
    for seconds, move in replay.moves:
        if board is None or field.board != board:
            board = field.board
            keeper.on_frame(draw_board(board), lattice, Reading.sure(board), seconds, skin=skin)
        if move.kind == "flag" and board[move.cell] == FLAG:
            move = Move("unflag", move.cell)  # noqa: PLW2901 - a second right click removes the flag
        keeper.on_moves((move,), seconds)
        field.play([move])
    end = field.board
    keeper.on_frame(draw_board(end), lattice, Reading.sure(end), replay.seconds, skin=skin)
    ended = "won" if field.is_won else "lost" if field.is_lost else "stopped"
    keeper.close({"result": ended, "seconds": replay.seconds, "clicks": replay.clicks})
