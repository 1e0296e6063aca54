"""Ways to the next game: keys, places beside a board, dialogs; and what is remembered of them by program."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from bot.desktop import Box
from games.errors import InvalidFile

FILE = "new-games.json"  # in the folder of the skins
MOST = 500  # programs that are remembered
KINDS = ("key", "place", "dialog")
SIDES = ("above", "below", "left", "right", "over")


@dataclass(frozen=True, slots=True)
class Way:
    """One way to ask for the next game.

    A "key" is pressed in the window of the board, or in a "dialog" that came up; `key` names it. A "place" is
    clicked on: `x` and `y` are counted in cells, from the middle of the side of the board that `side` names,
    and from its middle for "over". `is_face`: what lies there is the one small square in a row of wide boxes.
    """

    kind: Literal["key", "place", "dialog"]
    key: str = ""
    side: Literal["above", "below", "left", "right", "over"] = "above"
    x: float = 0.0
    y: float = 0.0
    is_face: bool = False

    @property
    def text(self) -> str:
        """What it is, for people."""
        return "a click beside the board" if self.kind == "place" else f"the key {self.key}"

    @classmethod
    def to_place(cls, x: float, y: float, board: Box, cell: float, is_face: bool = False) -> Way:
        """The way that clicks on a point of the screen; `board` is the board's box, `cell` a cell's size."""
        left, top, width, height = board
        side: Literal["above", "below", "left", "right", "over"] = "over"
        if y < top:
            side = "above"
        elif y > top + height:
            side = "below"
        elif x < left:
            side = "left"
        elif x > left + width:
            side = "right"
        from_x, from_y = _anchor(side, board)
        across, down = round((x - from_x) / cell, 2), round((y - from_y) / cell, 2)
        return cls("place", "", side, across, down, is_face)

    def point(self, board: Box, cell: float) -> tuple[float, float]:
        """Where a place is on the screen."""
        x, y = _anchor(self.side, board)
        return x + self.x * cell, y + self.y * cell

    @classmethod
    def of_json(cls, data: Any) -> Way:
        """Read what `asdict` made. Raises ValueError, TypeError or KeyError when it is damaged."""
        is_face = bool(data.get("is_face"))
        way = cls(data["kind"], str(data["key"]), data["side"], float(data["x"]), float(data["y"]), is_face)
        if way.kind not in KINDS or way.side not in SIDES or max(abs(way.x), abs(way.y)) > 1000:
            raise ValueError("no way")
        return way


def _anchor(side: str, board: Box) -> tuple[float, float]:
    left, top, width, height = board
    return {
        "above": (left + width / 2, top),
        "below": (left + width / 2, top + height),
        "left": (left, top + height / 2),
        "right": (left + width, top + height / 2),
        "over": (left + width / 2, top + height / 2),
    }[side]


class KnownWays:
    """What started games of programs before, kept in a file; without one it lasts as long as this object."""

    def __init__(self, folder: Path | None = None) -> None:
        self._path = folder / FILE if folder is not None else None
        self._here: dict[str, Way] = {}

    def of(self, program: str) -> Way | None:
        """What worked last for a program. Raises InvalidFile when the file is damaged."""
        return self._here.get(program) or self._read().get(program)

    def keep(self, program: str, way: Way) -> None:
        """This worked. Raises InvalidFile when the file is damaged or cannot be written to."""
        self._here[program] = way
        known = self._read()
        if self._path is None or known.get(program) == way:
            return
        known.pop(program, None)
        newest = [*list(known.items())[1 - MOST :], (program, way)]
        text = json.dumps({name: asdict(each) for name, each in newest}, indent=1) + "\n"
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise InvalidFile(f"{self._path}: {error.strerror}: make the folder writable") from error

    def _read(self) -> dict[str, Way]:
        if self._path is None or not self._path.exists():
            return {}
        try:
            data = json.loads(self._path.read_text(encoding="utf-8"))
            return {str(name): Way.of_json(way) for name, way in data.items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise InvalidFile(f"{self._path}: damaged ({error}): delete it") from error


def in_order(remembered: Way | None, others: Sequence[Way]) -> list[Way]:
    """All ways, the one that is remembered first."""
    return [remembered, *(way for way in others if way != remembered)] if remembered else list(others)
