"""Write a recording while a game is played."""

from __future__ import annotations

import contextlib
import errno
import itertools
import json
import os
import time
from collections.abc import Callable, Sequence
from io import FileIO
from pathlib import Path
from typing import Any

import cv2

from bot.game.board_change import changed_numbers
from bot.game.types import BoardState, GameListener, Plan
from bot.recording.recording import (
    CELLS,
    EVENTS,
    FIRST,
    META,
    SKIN,
    RecordingMeta,
    cell_strip,
    encode_lattice,
)
from games.errors import InvalidFile, MissingRequirement
from games.logic import bits
from games.minesweeper import Board, Move
from vision.frame import Frame, Pixels
from vision.lattice import Lattice, changed_cells
from vision.reading import Reading
from vision.skins import Skin

RESERVED = "reserved"  # file that keeps space for the last event in case the disk fills up
RESERVE = 16_384  # bytes; its size


class Recorder(GameListener):
    """Writes a recording from the events of the player and the frames of the screen.

    `now` returns the time in seconds. Raises InvalidFile if the folder is not writable.
    """

    def __init__(
        self,
        folder: Path,
        meta: RecordingMeta,
        skin: Skin | None,
        now: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.folder = folder
        self._now = now
        self._began = now()
        self._lattice = meta.lattice
        self._pixels: Pixels | None = None
        self._cells: str = ""
        self._known: Board | None = None  # last readable state of every cell
        self._has_moved = False
        self._reserve = folder / RESERVED
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / META).write_text(json.dumps(meta.as_json(), indent=1) + "\n", encoding="utf-8")
            if skin is not None:
                skin.save(folder / SKIN)
            self._strips = (folder / CELLS).open("wb", buffering=0)
            self._events = (folder / EVENTS).open("wb", buffering=0)
            self._reserve.write_bytes(bytes(RESERVE))
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise self._write_error(error) from error
            raise InvalidFile(f"{folder}: {error.strerror}: name a writable folder with --record") from error

    def set_lattice(self, lattice: Lattice) -> None:
        """Use a new lattice: the board was located again, with the same columns and rows."""
        self._lattice, self._has_moved = lattice, True

    def on_frame(self, frame: Frame, reading: Reading) -> None:
        """Record an observation: the board area (the lattice starts at its corner) and its reading."""
        board = reading.board
        event: dict[str, Any] = {"confidence": round(reading.lowest, 3)}
        if self._pixels is None:
            try:
                (self.folder / FIRST).write_bytes(encode_png(frame.pixels))
            except OSError as error:
                raise self._write_error(error) from error
            event["board"] = list(board.grid)
        else:
            if self._has_moved:
                event["lattice"] = encode_lattice(self._lattice)
                changed = list(range(len(board)))
                self._has_moved = False
            else:
                changed = changed_cells(self._lattice, self._pixels, frame.pixels)
            if changed:
                strip = encode_png(cell_strip(self._lattice, frame.pixels, changed))
                event["strip"] = [self._strips.tell(), len(strip)]
                event["cells"] = [board.name(k) for k in changed]
                self._append(self._strips, strip)
            event["read"] = {board.name(k): s for k, s in enumerate(board.cells) if s != self._cells[k]}
        self._pixels, self._cells = frame.pixels.copy(), board.cells
        self._write("look", event)
        cells, self._known = encode_corrections(board, self._known)
        if cells:
            self._write("corrected", {"cells": cells})

    def on_plan(self, board: Board, plan: Plan) -> None:
        """Record a plan with its reasons."""
        self._write("plan", encode_plan(board, plan))

    def on_moves(self, board: Board, moves: Sequence[Move]) -> None:
        """Record executed moves."""
        self._write("act", {"moves": [move.text(board) for move in moves]})

    def on_note(self, text: str) -> None:
        """Record a note."""
        self._write("note", {"text": text})

    def on_board_status(self, state: BoardState, unchanged: int, is_read: bool) -> None:
        """Record the status of an unreadable board; `is_read`: its last frame is read next."""
        self._write("witness", {"what": state, "same": f"{unchanged:x}", "seen": is_read})

    def on_likely_mines(self, board: Board, mines: int) -> None:
        """Record unread cells of the last observation that are probably opened mines (a cell set)."""
        self._write("inferred", {"mines": board.names(mines)})

    def on_answer(self) -> None:
        """Record that a message over the board was answered."""
        self._write("answer", {})

    def close(self, result: dict[str, Any] | None = None, stopped: str | None = None) -> None:
        """Record the result and what stopped the game, and close the files; later calls do nothing."""
        if not self._events.closed:
            with contextlib.suppress(OSError):
                self._reserve.unlink()
            with contextlib.suppress(MissingRequirement):  # reported with the result
                if result is not None:
                    self._write("end", {"result": result, "stopped": stopped})
            self._events.close()
            self._strips.close()

    def _write(self, kind: str, data: dict[str, Any]) -> None:
        seconds = round(self._now() - self._began, 4)
        self._append(self._events, json.dumps({"event": kind, "t": seconds} | data).encode() + b"\n")

    def _append(self, file: FileIO, data: bytes) -> None:
        """Write all of the data, or nothing. Raises MissingRequirement if that fails."""
        begin = file.tell()
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[file.write(rest) or 0 :]
            if not os.fstat(file.fileno()).st_nlink:
                raise FileNotFoundError(errno.ENOENT, "it was deleted")
        except OSError as error:
            with contextlib.suppress(OSError):
                file.truncate(begin)
                file.seek(begin)
            raise self._write_error(error) from error

    def _write_error(self, error: OSError) -> MissingRequirement:
        return MissingRequirement(
            f"{self.folder}: cannot write the recording ({error.strerror}): check the disk and start again"
        )


def free_folder(folder: Path, name: str) -> Path:
    """The first folder below `folder` with this name and a number that does not exist."""
    folders = (folder / f"{name}-{number:03d}" for number in itertools.count(1))
    return next(each for each in folders if not each.exists())


def encode_corrections(board: Board, known: Board | None) -> tuple[dict[str, list[str]], Board]:
    """Return the cells that an observation corrects (old and new state), and the updated known board.

    `known` is the last readable state of every cell, None at the first observation.
    """
    if known is None:
        return {}, board
    cells = {board.name(k): [known[k], board[k]] for k in bits(changed_numbers(board, known))}
    return cells, board.with_states({k: known[k] for k in bits(board.unread)}) if board.unread else board


def encode_plan(board: Board, plan: Plan) -> dict[str, Any]:
    """Encode a plan: moves as text, a reason for each certain cell, the guess with its figures."""
    data: dict[str, Any] = {
        "moves": [move.text(board) for move in plan.moves],
        "certain": [reason.as_json(board) | {"by": reason.by} for reason in plan.certain],
    }
    if plan.guess:
        guess = plan.guess
        data["guess"] = {
            "cell": board.name(guess.cell),
            "safe": guess.safe,
            "reason": guess.reason,
            "figures": guess.figures,
        }
        data["guess_by"] = plan.guess_by
    if plan.wrong_flags:
        data["wrong_flags"] = board.names(plan.wrong_flags)
    return data


def encode_png(pixels: Pixels, compression: int = 6) -> bytes:
    """Encode a PNG file; `compression` is 0 to 9."""
    return bytes(cv2.imencode(".png", pixels, [cv2.IMWRITE_PNG_COMPRESSION, compression])[1])
