"""A recording of one game: what was seen, concluded and done, so that it can be replayed offline.

A folder with

- `meta.json`: format, program, lattice, what was known of the game, the strategies and their versions;
- `look.skin`: what was remembered of the program, where anything was;
- `first.png`: the board area as the first observation saw it, whole;
- `cells.png.bin`: PNG pictures one behind the other, each a strip of the cells that changed in one
  observation;
- `events.jsonl`: observations (`look`; with new lines, `lattice`, where the board was found again), plans,
  acts, notes, what became of a board that could not be read (`witness`) and the end, one JSON object a line,
  with seconds since the start. `corrected` follows an observation that reads cells otherwise than an earlier
  one although they cannot have changed: what each was read as, and is.

Everything is written at once, line by line, so a recording that breaks off is complete up to that moment.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bot.loop import Became, Clock, Plan, Rules, SystemClock, corrected
from bot.recording.cell_strips import fitted, paste, strip_of
from bot.recording.events import wrong_with
from games.errors import InvalidFile, MachineLacks
from games.logic import bits
from games.minesweeper import Board, Move
from vision.changes import changed_cells
from vision.frame import Frame, Pixels
from vision.lattice import Lattice
from vision.reading import Reading
from vision.skins import Skin

FORMAT = 1
RESERVED = "reserved"  # a file that keeps room for the last event, also on a disk that fills up …
RESERVE = 16_384  # … of so many bytes
META, SKIN, FIRST, CELLS, EVENTS = "meta.json", "look.skin", "first.png", "cells.png.bin", "events.jsonl"


@dataclass(frozen=True)
class Meta:
    """What holds for the whole of a recording.

    `strategies` are (name, version) in the order of trial.
    """

    program: str | None
    lattice: Lattice
    rules: Rules
    strategies: tuple[tuple[str, str], ...]
    sapper: str

    def as_json(self) -> dict[str, Any]:
        """A dictionary for `meta.json`."""
        rules = {name: getattr(self.rules, name) for name in Rules.__slots__}
        return {
            "format": FORMAT,
            "program": self.program,
            "lattice": _lines_of(self.lattice),
            "rules": rules,
            "strategies": self.strategies,
            "sapper": self.sapper,
        }

    @classmethod
    def of_json(cls, data: dict[str, Any]) -> Meta:
        """Read what `as_json` wrote. Raises KeyError, TypeError or ValueError when something is missing."""
        if data["format"] != FORMAT:
            raise ValueError(f"format {data['format']} is not known")
        return cls(
            data["program"],
            _lattice_of(data["lattice"]),
            Rules(**data["rules"]),
            tuple((str(name), str(version)) for name, version in data["strategies"]),
            str(data["sapper"]),
        )


def _lines_of(lattice: Lattice) -> dict[str, Sequence[int]]:
    return {"x": lattice.xs, "y": lattice.ys}


def _lattice_of(lines: Any) -> Lattice:
    """Read what `_lines_of` wrote. Raises KeyError, TypeError or ValueError when it is damaged."""
    return Lattice(tuple(int(x) for x in lines["x"]), tuple(int(y) for y in lines["y"]))


class Recorder:
    """Writes a recording. It listens to the player (plans, acts, notes) and to the screen (`saw`).

    Raises InvalidFile when the folder cannot be written to.
    """

    def __init__(self, folder: Path, meta: Meta, skin: Skin | None, clock: Clock | None = None) -> None:
        self.folder = folder
        self._clock = clock or SystemClock()
        self._began = self._clock.now()
        self._lattice = meta.lattice
        self._pixels: Pixels | None = None
        self._cells: str = ""
        self._known: Board | None = None  # what every cell showed when it could be read last
        self._has_moved = False
        self._reserve = folder / RESERVED
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / META).write_text(json.dumps(meta.as_json(), indent=1) + "\n")
            if skin is not None:
                skin.save(folder / SKIN)
            self._strips = (folder / CELLS).open("wb", buffering=0)
            self._events = (folder / EVENTS).open("wb", buffering=0)
            self._reserve.write_bytes(bytes(RESERVE))
        except OSError as error:
            raise InvalidFile(
                f"{folder}: {error.strerror}: name a folder that can be written to with --record"
            ) from error

    def moved(self, lattice: Lattice) -> None:
        """From now on the lines run here: a board of the same columns and rows was found again."""
        self._lattice, self._has_moved = lattice, True

    def saw(self, frame: Frame, reading: Reading) -> None:
        """An observation: the board area (whose corner is the lattice's (0, 0)) and what was read in it."""
        board = reading.board
        event: dict[str, Any] = {"confidence": round(reading.lowest, 3)}
        if self._pixels is None:
            try:
                _write_png(self.folder / FIRST, frame.pixels)
            except OSError as error:
                raise self._lacks(error) from error
            event["board"] = list(board.grid)
        else:
            if self._has_moved:
                event["lattice"] = _lines_of(self._lattice)
                changed = list(range(len(board)))
                self._has_moved = False
            else:
                changed = changed_cells(self._lattice, self._pixels, frame.pixels)
            if changed:
                strip = _encode(strip_of(self._lattice, frame.pixels, changed))
                event["strip"] = [self._strips.tell(), len(strip)]
                event["cells"] = [board.name(k) for k in changed]
                self._append(self._strips, strip)
            news = {board.name(k): s for k, s in enumerate(board.cells) if s != self._cells[k]}
            event["read"] = news
        self._pixels, self._cells = frame.pixels.copy(), board.cells
        self._write("look", event)
        cells, self._known = corrections(board, self._known)
        if cells:
            self._write("corrected", {"cells": cells})

    def looked(self, reading: Reading) -> None:
        """Nothing: `saw` has written it."""

    def planned(self, board: Board, plan: Plan) -> None:
        """A plan, with its reasons."""
        self._write("plan", plan_as_json(board, plan))

    def acted(self, board: Board, moves: Sequence[Move]) -> None:
        """Acts that were carried out."""
        self._write("act", {"moves": [move.text(board) for move in moves]})

    def noted(self, text: str) -> None:
        """Anything else."""
        self._write("note", {"text": text})

    def witnessed(self, what: Became, same: int, is_seen: bool) -> None:
        """What became of a board that cannot be read; `is_seen`: what it showed last is looked at now."""
        self._write("witness", {"what": what, "same": f"{same:x}", "seen": is_seen})

    def close(self, result: dict[str, Any] | None = None, stopped: str | None = None) -> None:
        """Write how it ended (the result, and what stopped it) and close the files; once is enough."""
        if not self._events.closed:
            with contextlib.suppress(OSError):
                self._reserve.unlink()
            with contextlib.suppress(MachineLacks):  # it is reported by whoever reports the result
                if result is not None:
                    self._write("end", {"result": result, "stopped": stopped})
            self._events.close()
            self._strips.close()

    def _write(self, kind: str, data: dict[str, Any]) -> None:
        seconds = round(self._clock.now() - self._began, 4)
        self._append(self._events, json.dumps({"event": kind, "t": seconds} | data).encode() + b"\n")

    def _append(self, file: FileIO, data: bytes) -> None:
        """All of the data, or nothing of it. Raises MachineLacks when it cannot be written."""
        begin = file.tell()
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[file.write(rest) or 0 :]
        except OSError as error:
            with contextlib.suppress(OSError):
                file.truncate(begin)
                file.seek(begin)
            raise self._lacks(error) from error

    def _lacks(self, error: OSError) -> MachineLacks:
        return MachineLacks(
            f"{self.folder}: the recording cannot be written ({error.strerror}): make room and start again"
        )


class Recording:
    """A recording on disk. Raises InvalidFile, naming file and line, when it is damaged."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self.meta = Meta.of_json(json.loads((folder / META).read_text()))
            self.skin = Skin.load(folder / SKIN) if (folder / SKIN).exists() else None
            self._strips = (folder / CELLS).read_bytes()
            lines = (folder / EVENTS).read_bytes().splitlines()
        except OSError as error:
            raise InvalidFile(
                f"{error.filename or folder}: {error.strerror}: name the folder of a recording"
            ) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InvalidFile(f"{folder / META}: this is no recording that can be read ({error})") from error
        self.events = [self._event(number, line) for number, line in enumerate(lines, 1)]
        if not self.events or "board" not in self.events[0]:
            raise InvalidFile(f"{folder / EVENTS}: the recording holds no observation: record the game again")

    def _event(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            event: dict[str, Any] = json.loads(line)
            if wrong := wrong_with(event):
                raise ValueError(wrong)
        except (ValueError, RecursionError) as error:
            raise InvalidFile(
                f"{self.folder / EVENTS}, line {number}: damaged ({error}): take the line out"
            ) from error
        return event

    def lattice_of(self, look: dict[str, Any]) -> Lattice:
        """Where the lines run in the picture of this observation. Raises InvalidFile when that is damaged."""
        found, first = self.meta.lattice, self.meta.lattice
        for event in self.events:
            if "lattice" in event:
                try:
                    found = _lattice_of(event["lattice"])
                except (KeyError, TypeError, ValueError) as error:
                    raise self._damaged(event, f"its lines: {error}") from error
                if (found.rows, found.columns) != (first.rows, first.columns) or min(found.box[:2]) < 0:
                    raise self._damaged(event, f"its lines are of {found.size}, not of {first.size}")
            if event is look:
                break
        return found

    def as_first(self, frame: Frame, look: dict[str, Any]) -> Frame:
        """The picture of this observation, its cells as large, and where, as in the first one."""
        return fitted(frame, self.lattice_of(look), self.meta.lattice)

    def _damaged(self, look: dict[str, Any], what: str) -> InvalidFile:
        where = f"{self.folder / EVENTS}: the look at {look.get('t')} s"
        return InvalidFile(f"{where} is damaged ({what}): record the game again")

    def turns(self) -> list[list[dict[str, Any]]]:
        """Each observation with the events that follow it, up to the next."""
        found: list[list[dict[str, Any]]] = []
        for event in self.events:
            if event["event"] == "look":
                found.append([event])
            elif found:
                found[-1].append(event)
        return found

    def looks(self) -> Iterator[tuple[Frame, Board]]:
        """The board area and what was read there, one by one, cells as large as in the first.

        Raises InvalidFile when they are damaged.
        """
        frame, board = self.first(), None
        for event in self.events:
            if event["event"] == "look":
                frame = self.after(frame, event)
                board = self.board(board, event)
                yield self.as_first(frame, event), board

    def first(self) -> Frame:
        """The board area as the first observation saw it. Raises InvalidFile when the board is not in it."""
        frame, lattice = Frame.load(self.folder / FIRST), self.meta.lattice
        if (
            min(lattice.xs[0], lattice.ys[0]) < 0
            or lattice.xs[-1] > frame.width
            or lattice.ys[-1] > frame.height
        ):
            raise InvalidFile(
                f"{self.folder / FIRST}: the board does not lie in this picture: record the game again"
            )
        return frame

    def after(self, before: Frame, look: dict[str, Any]) -> Frame:
        """The board area of a later observation: the frame before it with the changed cells pasted in.

        Where the board was found again, a frame of another size, with nothing but its cells.

        Raises InvalidFile when the pictures are damaged.
        """
        if "strip" not in look:
            return before
        try:
            start, length = look["strip"]
            strip = Frame.decode(self._strips[start : start + length], "a strip of cells").pixels
            lattice = self.lattice_of(look)
            pixels = before.pixels.copy()
            if "lattice" in look:
                pixels = np.zeros((lattice.ys[-1], lattice.xs[-1], 3), np.uint8)
            board = Board.fresh(lattice.rows, lattice.columns)
            paste(lattice, pixels, strip, [board.cell(name) for name in look["cells"]])
        except (ValueError, KeyError, TypeError, InvalidFile, cv2.error) as error:
            raise InvalidFile(
                f"{self.folder / CELLS}: the pictures do not fit the events ({error}): record the game again"
            ) from error
        return Frame(pixels)

    def board(self, before: Board | None, look: dict[str, Any]) -> Board:
        """What the observation was read as when it was recorded. Raises InvalidFile when that is damaged."""
        try:
            if before is None:
                return Board.parse("\n".join(look["board"]))
            return before.showing({before.cell(name): state for name, state in look.get("read", {}).items()})
        except (ValueError, KeyError, TypeError, AttributeError, InvalidFile) as error:
            raise self._damaged(look, str(error)) from error


def corrections(board: Board, known: Board | None) -> tuple[dict[str, list[str]], Board]:
    """What an observation corrects, and what every cell showed when it could be read last.

    `known` is the latter at the one before, None at the first. A cell that is corrected is named with what it
    was read as, and is read as now.
    """
    if known is None:
        return {}, board
    cells = {board.name(k): [known[k], board[k]] for k in bits(corrected(board, known))}
    return cells, board.showing({k: known[k] for k in bits(board.unread)}) if board.unread else board


def plan_as_json(board: Board, plan: Plan) -> dict[str, Any]:
    """A plan as recorded: moves as text, a reason for each decided cell, the guess with its figures."""
    data: dict[str, Any] = {
        "moves": [move.text(board) for move in plan.moves],
        "certain": [
            {
                "cell": board.name(reason.cell),
                "is": "mine" if reason.is_mine else "safe",
                "rule": reason.rule,
                "because": list(reason.because),
                "by": reason.by,
            }
            for reason in plan.certain
        ],
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


def _encode(pixels: Pixels) -> bytes:
    _, png = cv2.imencode(".png", pixels, [cv2.IMWRITE_PNG_COMPRESSION, 6])
    return bytes(png)


def _write_png(path: Path, pixels: Pixels) -> None:
    path.write_bytes(_encode(pixels))
