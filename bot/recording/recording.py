"""Format and reader of recordings.

A recording is a folder with the frames, plans and moves of one game:

- `meta.json`: format, program, lattice, game rules, strategies and their versions;
- `look.skin`: the skin of the program, if one was known;
- `first.png`: the complete board area of the first observation;
- `cells.png.bin`: concatenated PNG images, each a strip of the cells that changed in one observation;
- `events.jsonl`: one JSON object per line, with seconds since the start: observations (`look`; with
  `lattice` if the board was located again), plans, acts, notes, the state of an unreadable board
  (`witness`), an answered message (`answer`), unread cells of a watched game that are probably mines
  (`inferred`), and the end. `corrected` follows an observation that reads
  cells differently although they cannot have changed, with the old and new state of each.

Every event is written immediately, so an interrupted recording is complete up to that point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.game.types import GameRules
from games.errors import ArgumentError, InvalidFile
from games.external import DAMAGE, LARGEST_FILE, check_links, parse_json, read_external, read_external_text
from games.minesweeper import Board
from games.minesweeper.deals import MOST_CELLS
from vision.frame import MOST_PIXELS, Frame, Pixels
from vision.lattice import Lattice
from vision.skins import Skin

FORMAT = 1
META, SKIN, FIRST, CELLS, EVENTS = "meta.json", "look.skin", "first.png", "cells.png.bin", "events.jsonl"


@dataclass(frozen=True, slots=True)
class RecordedObservation:
    """An observation: its event, the events until the next one, the recorded reading, the board area."""

    look: dict[str, Any]
    events: list[dict[str, Any]]
    board: Board
    frame: Frame


@dataclass(frozen=True)
class RecordingMeta:
    """Data of a whole recording. `strategies` are (name, version) in the order of trial."""

    program: str | None
    lattice: Lattice
    rules: GameRules
    strategies: tuple[tuple[str, str], ...]
    sapper: str

    def as_json(self) -> dict[str, Any]:
        """Return the content of `meta.json`."""
        rules = {name: getattr(self.rules, name) for name in GameRules.__slots__}
        return {
            "format": FORMAT,
            "program": self.program,
            "lattice": encode_lattice(self.lattice),
            "rules": rules,
            "strategies": self.strategies,
            "sapper": self.sapper,
        }

    @property
    def is_watched(self) -> bool:
        """Whether a person played, so that the recording holds no plans."""
        return not self.strategies

    @classmethod
    def of_json(cls, data: dict[str, Any]) -> RecordingMeta:
        """Decode the output of `as_json`. Raises an error of DAMAGE if it is damaged."""
        if data["format"] != FORMAT:
            raise ValueError(f"unknown format {data['format']}")
        rules = GameRules(**data["rules"])
        for total in (rules.mines, rules.assumed_mines):
            if total is not None and type(total) is not int:
                raise ValueError(f"the mine total {total!r} is not a whole number")
        return cls(
            data["program"],
            decode_lattice(data["lattice"]),
            rules,
            tuple((str(name), str(version)) for name, version in data["strategies"]),
            str(data["sapper"]),
        )


def encode_lattice(lattice: Lattice) -> dict[str, Sequence[int]]:
    """Encode the line positions of a lattice."""
    return {"x": lattice.xs, "y": lattice.ys}


def decode_lattice(lines: Any) -> Lattice:
    """Decode the output of `encode_lattice`. Raises an error of DAMAGE if it is damaged."""
    lattice = Lattice(tuple(int(x) for x in lines["x"]), tuple(int(y) for y in lines["y"]))
    if lattice.xs[-1] * lattice.ys[-1] > MOST_PIXELS or lattice.columns * lattice.rows > MOST_CELLS:
        raise ValueError(f"the {lattice.size} board up to ({lattice.xs[-1]}, {lattice.ys[-1]}) is too large")
    return lattice


NUMBER, TEXT, WHOLE, ANYTHING = "a number", "a text", "a whole number", "anything"
LINES = {"x": [WHOLE], "y": [WHOLE]}
REASON = {"cell": TEXT, "is": TEXT, "rule": TEXT, "because": [TEXT], "by?": TEXT}
GUESS = {"cell": TEXT, "safe": NUMBER, "reason": TEXT, "figures": {"*": NUMBER}}
# event kind -> required and optional ("?") fields; [x] is a list of x, {"*": x} maps any name to x
SHAPES: Mapping[str, Mapping[str, Any]] = {
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
    "inferred": {"mines": [TEXT]},
    "end": {"t": NUMBER, "result": {"result": TEXT, "seconds?": NUMBER}, "stopped?": ANYTHING},
}  # fmt: skip


def event_error(event: object) -> str:
    """Describe what is wrong with an event; empty if it is valid. Unknown kinds may contain anything."""
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        return "not an event"
    return _wrong(event, SHAPES.get(event["event"], {}), event["event"])


def _wrong(thing: object, shape: Any, name: str) -> str:
    if isinstance(shape, Mapping):
        return _wrong_object(thing, shape, name)
    if isinstance(shape, list):
        if not isinstance(thing, list):
            return f"'{name}' is not a list"
        return next((wrong for each in thing if (wrong := _wrong(each, shape[0], name))), "")
    is_whole = type(thing) is int and abs(thing) < 1 << 63  # a larger one may be too large for a float
    fits = {
        NUMBER: type(thing) is float or is_whole,
        WHOLE: is_whole,
        TEXT: type(thing) is str,
        ANYTHING: True,
    }
    return "" if fits[shape] else f"'{name}' is not {shape}"


def _wrong_object(thing: object, shape: Mapping[str, Any], name: str) -> str:
    if not isinstance(thing, dict):
        return f"'{name}' is not an object"
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
    """Copy these cells side by side, top aligned, into one image."""
    areas, height, width = _strip_layout(lattice, cells)
    strip = np.zeros((height, width, 3), np.uint8)
    for on_board, on_strip in areas:
        strip[on_strip] = pixels[on_board]
    return strip


def apply_strip(lattice: Lattice, pixels: Pixels, strip: Any, cells: Iterable[int]) -> None:
    """Paste the cells of `cell_strip` back. Raises ValueError if the strip has the wrong size."""
    areas, height, width = _strip_layout(lattice, cells)
    if strip.shape != (height, width, 3):
        raise ValueError(f"a strip has {strip.shape[1]}x{strip.shape[0]} pixels, expected {width}x{height}")
    for on_board, on_strip in areas:
        pixels[on_board] = strip[on_strip]


def _strip_layout(lattice: Lattice, cells: Iterable[int]) -> tuple[list[tuple[Any, Any]], int, int]:
    """Return the area of each cell on the board and on the strip, and the strip's height and width."""
    areas, height, x = [], 0, 0
    for left, top, right, bottom in map(lattice.rectangle, cells):
        areas.append((np.s_[top:bottom, left:right], np.s_[: bottom - top, x : x + right - left]))
        height, x = max(height, bottom - top), x + right - left
    return areas, height, x


def resize_to_lattice(frame: Frame, lattice: Lattice, wanted: Lattice) -> Frame:
    """Redraw a board with the cell sizes and positions of another lattice."""
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
    """A recording on disk. Raises InvalidFile, with file and line, if it is damaged."""

    def __init__(self, folder: Path | str) -> None:
        if not isinstance(folder, str | Path):
            raise ArgumentError(f"a recording of type {type(folder).__name__}: pass the path of its folder")
        self.folder = folder = Path(folder)
        try:
            check_links(folder)
            self.meta = RecordingMeta.of_json(parse_json(read_external_text(folder / META)))
            self.skin = Skin.load(folder / SKIN) if (folder / SKIN).exists() else None
            self._strips = read_external(folder / CELLS, LARGEST_FILE)
            lines = read_external(folder / EVENTS, LARGEST_FILE).splitlines()
        except OSError as error:
            raise InvalidFile(
                f"{error.filename or folder}: {error.strerror}: name the folder of a recording"
            ) from error
        except DAMAGE as error:
            raise InvalidFile(f"{folder / META}: this is no recording that can be read ({error})") from error
        self.events = [self._event(number, line) for number, line in enumerate(lines, 1)]
        if not self.events or "board" not in self.events[0]:
            raise InvalidFile(f"{folder / EVENTS}: the recording holds no observation: record the game again")

    def _event(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            event: dict[str, Any] = parse_json(line)
            if wrong := event_error(event):
                raise ValueError(wrong)
        except ValueError as error:
            raise InvalidFile(
                f"{self.folder / EVENTS}, line {number}: damaged ({error}): take the line out"
            ) from error
        return event

    def lattice_of(self, look: dict[str, Any]) -> Lattice:
        """Return the lattice of this observation. Raises InvalidFile if it is damaged."""
        found, first = self.meta.lattice, self.meta.lattice
        for event in self.events:
            if "lattice" in event:
                try:
                    found = decode_lattice(event["lattice"])
                except DAMAGE as error:
                    raise self._damaged(event, f"invalid lattice: {error}") from error
                if (found.rows, found.columns) != (first.rows, first.columns) or min(found.box[:2]) < 0:
                    raise self._damaged(event, f"its lattice is {found.size}, expected {first.size}")
            if event is look:
                break
        return found

    def as_first(self, frame: Frame, look: dict[str, Any]) -> Frame:
        """Redraw an observation with the lattice of the first one."""
        return resize_to_lattice(frame, self.lattice_of(look), self.meta.lattice)

    def _damaged(self, look: dict[str, Any], what: str) -> InvalidFile:
        place = f"{self.folder / EVENTS}: the look at {look.get('t')} s"
        return InvalidFile(f"{place} is damaged ({what}): record the game again")

    @contextmanager
    def naming_damage(self) -> Iterator[None]:
        """Turn errors from incomplete events into InvalidFile."""
        try:
            yield
        except DAMAGE as error:
            raise InvalidFile(
                f"{self.folder}: an event lacks something ({error!r}): record the game again"
            ) from error

    def turns(self) -> list[list[dict[str, Any]]]:
        """Return the events grouped by observation, each group starting with its observation."""
        found: list[list[dict[str, Any]]] = []
        for event in self.events:
            if event["event"] == "look":
                found.append([event])
            elif found:
                found[-1].append(event)
        return found

    def looks(self) -> Iterator[tuple[Frame, Board]]:
        """Yield the board area and reading of each observation, with the lattice of the first one.

        Raises InvalidFile if they are damaged.
        """
        for seen in self.observations():
            yield self.as_first(seen.frame, seen.look), seen.board

    def frames(self) -> Iterator[Pixels]:
        """Yield the board as it looked, (height, width, 3) uint8, BGR, of equal size for all observations.

        Raises InvalidFile if it is damaged.
        """
        left, top, width, height = self.meta.lattice.box
        for frame, _ in self.looks():
            yield frame.crop(left, top, width, height).pixels

    def boards(self) -> NDArray[np.str_]:
        """The recorded readings, (observations, rows, columns), one letter for each cell.

        Raises InvalidFile if they are damaged.
        """
        found: list[Board] = []
        for look, *_ in self.turns():
            found.append(self.board(found[-1] if found else None, look))
        return np.array([np.asarray(board) for board in found])

    def observations(self) -> Iterator[RecordedObservation]:
        """Yield each observation. Raises InvalidFile if it is damaged."""
        frame: Frame | None = None
        board: Board | None = None
        for look, *events in self.turns():
            frame = self.after(frame, look) if frame else self.first()
            board = self.board(board, look)
            yield RecordedObservation(look, events, board, frame)

    def first(self) -> Frame:
        """Load the first board area. Raises InvalidFile if the lattice exceeds it."""
        frame, lattice = Frame.load(self.folder / FIRST), self.meta.lattice
        if (
            min(lattice.xs[0], lattice.ys[0]) < 0
            or lattice.xs[-1] > frame.width
            or lattice.ys[-1] > frame.height
        ):
            raise InvalidFile(f"{self.folder / FIRST}: the board exceeds this image: record the game again")
        return frame

    def after(self, before: Frame, look: dict[str, Any]) -> Frame:
        """Return the board area of a later observation: the previous one with the changed cells.

        If the board was located again, only its cells are drawn. Raises InvalidFile for damaged images.
        """
        if "strip" not in look:
            return before
        lattice = self.lattice_of(look)
        if "lattice" not in look and (before.width < lattice.xs[-1] or before.height < lattice.ys[-1]):
            raise ArgumentError(
                f"a picture of {before.width}x{before.height} pixels does not contain the board: "
                "pass the frame before this look, or use frames()"
            )
        try:
            start, length = look["strip"]
            strip = Frame.decode(self._strips[start : start + length], "a strip of cells").pixels
            pixels = before.pixels.copy()
            if "lattice" in look:
                pixels = np.zeros((lattice.ys[-1], lattice.xs[-1], 3), np.uint8)
            board = Board.fresh(lattice.rows, lattice.columns)
            apply_strip(lattice, pixels, strip, [board.cell(name) for name in look["cells"]])
        except (*DAMAGE, InvalidFile, cv2.error) as error:
            raise InvalidFile(
                f"{self.folder / CELLS}: the images do not match the events ({error}): record the game again"
            ) from error
        return Frame(pixels)

    def board(self, before: Board | None, look: dict[str, Any]) -> Board:
        """Return the recorded reading of an observation, given the one before it (None: it is the first).

        Raises InvalidFile if it is damaged.
        """
        size = self.meta.lattice.columns, self.meta.lattice.rows
        if (before is None and look is not self.events[0]) or (
            before is not None and (before.columns, before.rows) != size
        ):
            raise ArgumentError(
                f"the look at {look.get('t')} s needs the reading before it, {size[0]}x{size[1]} cells: "
                "use boards() or observations()"
            )
        try:
            if before is None:
                board = Board.parse("\n".join(look["board"]))
                if (board.columns, board.rows) != size:
                    raise ValueError(f"a board of {board.columns}x{board.rows}, expected {size[0]}x{size[1]}")
                return board
            return before.with_states(
                {before.cell(name): state for name, state in look.get("read", {}).items()}
            )
        except (*DAMAGE, InvalidFile) as error:
            raise self._damaged(look, str(error)) from error
