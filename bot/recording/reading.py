"""A recording that is on disk."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bot.recording.cell_strips import fitted, paste
from bot.recording.events import wrong_with
from bot.recording.meta import CELLS, EVENTS, FIRST, META, SKIN, Meta, lattice_in
from games.errors import InvalidFile
from games.minesweeper import Board
from vision.frame import Frame
from vision.lattice import Lattice
from vision.skins import Skin


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
                    found = lattice_in(event["lattice"])
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
