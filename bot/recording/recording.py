"""What a recording of one game consists of: what was seen, concluded and done, to be replayed offline.

A folder with

- `meta.json`: format, program, lattice, what was known of the game, the strategies and their versions;
- `look.skin`: what was remembered of the program, where anything was;
- `first.png`: the board area as the first observation saw it, whole;
- `cells.png.bin`: PNG pictures one behind the other, each a strip of the cells that changed in one
  observation;
- `events.jsonl`: observations (`look`; with new lines, `lattice`, where the board was found again), plans,
  acts, notes, what became of a board that could not be read (`witness`), that a
  message over it was answered (`answer`) and the end, one JSON object a line, with seconds since the start.
  `corrected` follows an observation that reads cells otherwise than an earlier one although they cannot have
  changed: what each was read as, and is.

Everything is written at once, line by line, so a recording that breaks off is complete up to that moment.

What an event of a recording may hold: checked when it is read, so that nobody is surprised later.

Cells cut out of a picture of the board and laid side by side: what a recording keeps of a frame.

A recording that is on disk.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np

from bot.game.types import GameRules
from games.errors import InvalidFile
from games.minesweeper import Board
from vision.frame import Frame, Pixels
from vision.lattice import Lattice
from vision.skins import Skin

FORMAT = 1
META, SKIN, FIRST, CELLS, EVENTS = "meta.json", "look.skin", "first.png", "cells.png.bin", "events.jsonl"


@dataclass(frozen=True)
class RecordingMeta:
    """What holds for the whole of a recording.

    `strategies` are (name, version) in the order of trial.
    """

    program: str | None
    lattice: Lattice
    rules: GameRules
    strategies: tuple[tuple[str, str], ...]
    sapper: str

    def as_json(self) -> dict[str, Any]:
        """A dictionary for `meta.json`."""
        rules = {name: getattr(self.rules, name) for name in GameRules.__slots__}
        return {
            "format": FORMAT,
            "program": self.program,
            "lattice": encode_lattice(self.lattice),
            "rules": rules,
            "strategies": self.strategies,
            "sapper": self.sapper,
        }

    @classmethod
    def of_json(cls, data: dict[str, Any]) -> RecordingMeta:
        """Read what `as_json` wrote. Raises KeyError, TypeError or ValueError when something is missing."""
        if data["format"] != FORMAT:
            raise ValueError(f"format {data['format']} is not known")
        return cls(
            data["program"],
            decode_lattice(data["lattice"]),
            GameRules(**data["rules"]),
            tuple((str(name), str(version)) for name, version in data["strategies"]),
            str(data["sapper"]),
        )


def encode_lattice(lattice: Lattice) -> dict[str, Sequence[int]]:
    """Where the lines run, for a recording."""
    return {"x": lattice.xs, "y": lattice.ys}


def decode_lattice(lines: Any) -> Lattice:
    """Read what `encode_lattice` wrote. Raises KeyError, TypeError or ValueError when it is damaged."""
    return Lattice(tuple(int(x) for x in lines["x"]), tuple(int(y) for y in lines["y"]))


NUMBER, TEXT, WHOLE, ANYTHING = "a number", "a text", "a whole number", "anything"
LINES = {"x": [WHOLE], "y": [WHOLE]}
REASON = {"cell": TEXT, "is": TEXT, "rule": TEXT, "because": [TEXT], "by?": TEXT}
GUESS = {"cell": TEXT, "safe": NUMBER, "reason": TEXT, "figures": {"*": NUMBER}}
# kind of event -> what it must hold, and may ("?"); [x] is a list of such, {"*": x} holds such by name
SHAPES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "look": {
            "t": NUMBER, "confidence?": NUMBER, "board?": [TEXT], "read?": {"*": TEXT}, "strip?": [WHOLE],
            "cells?": [TEXT], "lattice?": LINES,
        },
        "plan": {
            "t": NUMBER, "moves": [TEXT], "certain": [REASON], "guess?": GUESS, "guess_by?": TEXT,
            "wrong_flags?": [TEXT],
        },
        "act": {"t": NUMBER, "moves": [TEXT]},
        "note": {"t": NUMBER, "text": TEXT},
        "corrected": {"cells": {"*": [TEXT]}},
        "end": {"t": NUMBER, "result": {"result": TEXT}, "stopped?": ANYTHING},
    }
)  # fmt: skip


def event_error(event: object) -> str:
    """What is wrong with an event, in words; empty when nothing is. Unknown kinds may hold anything."""
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        return "not an event"
    return _wrong(event, SHAPES.get(event["event"], {}), event["event"])


def _wrong(thing: object, shape: Any, name: str) -> str:
    if isinstance(shape, Mapping):
        return _wrong_object(thing, shape, name)
    if isinstance(shape, list):
        if not isinstance(thing, list):
            return f"'{name}' is no list"
        return next((wrong for each in thing if (wrong := _wrong(each, shape[0], name))), "")
    fits = {
        NUMBER: type(thing) in {int, float},
        WHOLE: type(thing) is int,
        TEXT: type(thing) is str,
        ANYTHING: True,
    }
    return "" if fits[shape] else f"'{name}' is not {shape}"


def _wrong_object(thing: object, shape: Mapping[str, Any], name: str) -> str:
    if not isinstance(thing, dict):
        return f"'{name}' holds nothing by name"
    if "*" in shape:
        return next((wrong for value in thing.values() if (wrong := _wrong(value, shape["*"], name))), "")
    for key, inner in shape.items():
        plain = key.rstrip("?")
        if plain in thing and (wrong := _wrong(thing[plain], inner, plain)):
            return wrong
        if plain == key and key not in thing:
            return f"'{name}' lacks '{key}'"
    return ""


def cell_strip(lattice: Lattice, pixels: Pixels, cells: Iterable[int]) -> Pixels:
    """These cells side by side, top aligned, in one picture."""
    boxes = [lattice.rectangle(k) for k in cells]
    height = max(bottom - top for _, top, _, bottom in boxes)
    strip = np.zeros((height, sum(right - left for left, _, right, _ in boxes), 3), np.uint8)
    x = 0
    for left, top, right, bottom in boxes:
        strip[: bottom - top, x : x + right - left] = pixels[top:bottom, left:right]
        x += right - left
    return strip


def apply_strip(lattice: Lattice, pixels: Pixels, strip: Any, cells: Iterable[int]) -> None:
    """Undo `cell_strip`: put each cell back into its place. Raises ValueError when the sizes do not fit."""
    boxes = [lattice.rectangle(k) for k in cells]
    height = max(bottom - top for _, top, _, bottom in boxes)
    width = sum(right - left for left, _, right, _ in boxes)
    if strip.shape != (height, width, 3):
        raise ValueError(f"a strip of {strip.shape[1]}x{strip.shape[0]} pixels, {width}x{height} are needed")
    x = 0
    for left, top, right, bottom in boxes:
        pixels[top:bottom, left:right] = strip[: bottom - top, x : x + right - left]
        x += right - left


def resize_to_lattice(frame: Frame, lattice: Lattice, wanted: Lattice) -> Frame:
    """The board of a picture, each cell drawn as large, and where, as another lattice of its size has it."""
    if lattice == wanted:
        return frame
    pixels = np.zeros((wanted.ys[-1], wanted.xs[-1], 3), np.uint8)
    for k in range(lattice.rows * lattice.columns):
        left, top, right, bottom = lattice.rectangle(k)
        x, y, x2, y2 = wanted.rectangle(k)
        cell = frame.pixels[top:bottom, left:right]
        pixels[y:y2, x:x2] = cv2.resize(cell, (x2 - x, y2 - y), interpolation=cv2.INTER_AREA)
    return Frame(pixels)


class Recording:
    """A recording on disk. Raises InvalidFile, naming file and line, when it is damaged."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self.meta = RecordingMeta.of_json(json.loads((folder / META).read_text()))
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
            if wrong := event_error(event):
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
                    found = decode_lattice(event["lattice"])
                except (KeyError, TypeError, ValueError) as error:
                    raise self._damaged(event, f"its lines: {error}") from error
                if (found.rows, found.columns) != (first.rows, first.columns) or min(found.box[:2]) < 0:
                    raise self._damaged(event, f"its lines are of {found.size}, not of {first.size}")
            if event is look:
                break
        return found

    def as_first(self, frame: Frame, look: dict[str, Any]) -> Frame:
        """The picture of this observation, its cells as large, and where, as in the first one."""
        return resize_to_lattice(frame, self.lattice_of(look), self.meta.lattice)

    def _damaged(self, look: dict[str, Any], what: str) -> InvalidFile:
        where = f"{self.folder / EVENTS}: the look at {look.get('t')} s"
        return InvalidFile(f"{where} is damaged ({what}): record the game again")

    @contextmanager
    def naming_damage(self) -> Iterator[None]:
        """While this is open, an event that lacks something is reported as that. Raises InvalidFile."""
        try:
            yield
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise InvalidFile(
                f"{self.folder}: an event lacks something ({error!r}): record the game again"
            ) from error

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
            apply_strip(lattice, pixels, strip, [board.cell(name) for name in look["cells"]])
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
            return before.with_states(
                {before.cell(name): state for name, state in look.get("read", {}).items()}
            )
        except (ValueError, KeyError, TypeError, AttributeError, InvalidFile) as error:
            raise self._damaged(look, str(error)) from error
