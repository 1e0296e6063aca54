"""Actions that start the next game (keys, clicks, menu entries, dialog keys), remembered per program."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from bot.desktop.ports import Box
from games.errors import InvalidFile
from games.external import parse_json, read_external_text

FILE = "new-games.json"  # in the folder of the skins
MOST = 500  # programs that are remembered
LONGEST = 4  # acts one after another that are remembered
KINDS = ("key", "place", "entry", "dialog")
SAME = 0.4  # cells; places that are no farther apart are one
SIDES = ("above", "below", "left", "right", "over")


@dataclass(frozen=True, slots=True)
class RestartAction:
    """One act that may ask for the next game, or for what does.

    A "key" is pressed in the window of the board, or in a "dialog" that came up; `key` names it. A "place" is
    clicked on: `x` and `y` are counted in cells, from the middle of the side of the board that `side` names,
    and from its middle for "over". `is_face`: what lies there is the one small square in a row of wide boxes;
    `width` is that of its box in cells, 0 for letters. An "entry" is that of the menu which the act before it
    has opened: `number` counts from 0, from the top.
    """

    kind: Literal["key", "place", "entry", "dialog"]
    key: str = ""
    side: Literal["above", "below", "left", "right", "over"] = "above"
    x: float = 0.0
    y: float = 0.0
    is_face: bool = False
    width: float = 0.0
    number: int = 0

    @property
    def text(self) -> str:
        """What it is, for people."""
        return {"place": "a click beside the board", "entry": "an entry of a menu"}.get(
            self.kind, f"the key {self.key}"
        )

    def is_like(self, other: RestartAction) -> bool:
        """Whether these are one act, but for a few pixels."""
        is_near = self.side == other.side and max(abs(self.x - other.x), abs(self.y - other.y)) < SAME
        return (self.kind, self.key, self.number) == (other.kind, other.key, other.number) and is_near

    @classmethod
    def click_at(
        cls, x: float, y: float, board: Box, cell: float, is_face: bool = False, wide: float = 0.0
    ) -> RestartAction:
        """The way that clicks on a point of the screen; `board` is the board's box, `cell` a cell's size.

        `wide` is the box that lies there, 0 for none; all in points.
        """
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
        return cls("place", "", side, across, down, is_face, round(wide / cell, 2))

    def point(self, board: Box, cell: float) -> tuple[float, float]:
        """Where a place is on the screen."""
        x, y = _anchor(self.side, board)
        return x + self.x * cell, y + self.y * cell

    @classmethod
    def of_json(cls, data: Any) -> RestartAction:
        """Read what `asdict` made. Raises ValueError, TypeError or KeyError when it is damaged."""
        is_face, width, number = bool(data.get("is_face")), data.get("width", 0.0), data.get("number", 0)
        x, y = float(data["x"]), float(data["y"])
        way = cls(data["kind"], str(data["key"]), data["side"], x, y, is_face, float(width), int(number))
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


Acts = tuple[RestartAction, ...]  # acts one after another: a menu and its entry, a key and a choice of level


class RestartMemory:
    """What started games of programs before, kept in a file; without one it lasts as long as this object."""

    def __init__(self, folder: Path | None = None) -> None:
        self._path = folder / FILE if folder is not None else None
        self._here: dict[str, Acts] = {}

    def of(self, program: str) -> Acts:
        """What worked last for a program, () for nothing. Raises InvalidFile when the file is damaged."""
        return self._here.get(program) or self._read().get(program, ())

    def remember(self, program: str, path: Acts) -> None:
        """This worked. Raises InvalidFile when the file is damaged or cannot be written to."""
        self._here[program] = path
        known = self._read()
        if self._path is None or known.get(program) == path:
            return
        known.pop(program, None)
        newest = [*list(known.items())[1 - MOST :], (program, path)]
        data = {name: [asdict(each) for each in ways] for name, ways in newest}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise InvalidFile(f"{self._path}: {error.strerror}: make the folder writable") from error

    def _read(self) -> dict[str, Acts]:
        if self._path is None or not self._path.exists():
            return {}
        try:
            data = parse_json(read_external_text(self._path))
            return {str(name): _acts_of(ways) for name, ways in data.items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise InvalidFile(f"{self._path}: damaged ({error}): delete it") from error


def _acts_of(data: Any) -> Acts:
    """Read what was kept: a list of acts, or one, as it was written before. Raises as `Way.of_json` does."""
    path = tuple(RestartAction.of_json(way) for way in (data if isinstance(data, list) else [data]))
    if not 1 <= len(path) <= LONGEST:
        raise ValueError("no way")
    return path
