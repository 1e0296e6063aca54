"""Actions that start the next game: keys, clicks, menu entries, dialog keys. Remembered per program."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from bot.desktop.ports import Box
from games.errors import InvalidFile
from games.external import DAMAGE, parse_json, read_external_text

FILE = "new-games.json"  # in the folder of the skins
MOST = 500  # remembered programs
LONGEST = 4  # actions of a path
Kind = Literal["key", "place", "entry", "dialog"]
Side = Literal["above", "below", "left", "right", "over"]
SAME = 0.4  # cells; places within this distance are the same


@dataclass(frozen=True, slots=True)
class RestartAction:
    """One action on the way to the next game.

    A "key" is pressed in the window of the board, or in a "dialog"; `key` is its name. A "place" is clicked:
    `x` and `y` are its distance, in cells, from the middle of this `side` of the board, or from its centre
    for "over". `is_face` marks a smiley, the only small square in a row of wide boxes; `width` is the width
    of the box in cells, 0 for letters. An "entry" belongs to the menu that the previous action opened;
    `number` counts from 0 at the top.
    """

    kind: Kind
    key: str = ""
    side: Side = "above"
    x: float = 0.0
    y: float = 0.0
    is_face: bool = False
    width: float = 0.0
    number: int = 0

    @property
    def text(self) -> str:
        """Description for messages."""
        return {"place": "a click next to the board", "entry": "a menu entry"}.get(
            self.kind, f"the key {self.key}"
        )

    def is_like(self, other: RestartAction) -> bool:
        """Whether two actions are the same, apart from a few pixels."""
        is_near = self.side == other.side and max(abs(self.x - other.x), abs(self.y - other.y)) < SAME
        return (self.kind, self.key, self.number) == (other.kind, other.key, other.number) and is_near

    @classmethod
    def click_at(
        cls, x: float, y: float, board: Box, cell: float, is_face: bool = False, width: float = 0.0
    ) -> RestartAction:
        """A click at a point of the screen, in a box of this width, 0 for none.

        `board` is the box of the board, `cell` the size of a cell; all in points.
        """
        left, top, columns, rows = board
        side: Side = "over"
        if y < top:
            side = "above"
        elif y > top + rows:
            side = "below"
        elif x < left:
            side = "left"
        elif x > left + columns:
            side = "right"
        from_x, from_y = _anchor(side, board)
        across, down = round((x - from_x) / cell, 2), round((y - from_y) / cell, 2)
        return cls("place", "", side, across, down, is_face, round(width / cell, 2))

    def point(self, board: Box, cell: float) -> tuple[float, float]:
        """The position of a place on the screen, points."""
        x, y = _anchor(self.side, board)
        return x + self.x * cell, y + self.y * cell

    @classmethod
    def of_json(cls, data: Any) -> RestartAction:
        """Invert `asdict`. Raises an error of DAMAGE for invalid data."""
        is_face, width, number = bool(data.get("is_face")), data.get("width", 0.0), data.get("number", 0)
        x, y = float(data["x"]), float(data["y"])
        action = cls(data["kind"], str(data["key"]), data["side"], x, y, is_face, float(width), int(number))
        is_known = action.kind in get_args(Kind) and action.side in get_args(Side)
        numbers = (action.x, action.y, action.width, action.number)
        if not is_known or not all(abs(each) <= 1000 for each in numbers):  # NaN is neither
            raise ValueError("invalid action")
        return action


def _anchor(side: str, board: Box) -> tuple[float, float]:
    left, top, width, height = board
    return {
        "above": (left + width / 2, top),
        "below": (left + width / 2, top + height),
        "left": (left, top + height / 2),
        "right": (left + width, top + height / 2),
        "over": (left + width / 2, top + height / 2),
    }[side]


RestartPath = tuple[RestartAction, ...]  # consecutive actions, such as a menu and its entry


class RestartMemory:
    """Remembers for each program the path that started a game, in a file of `folder` if there is one."""

    def __init__(self, folder: Path | None = None) -> None:
        self._path = folder / FILE if folder is not None else None
        self._here: dict[str, RestartPath] = {}

    def of(self, program: str) -> RestartPath:
        """The last successful path of a program, or (). Raises InvalidFile."""
        return self._here.get(program) or self._read().get(program, ())

    def remember(self, program: str, path: RestartPath) -> None:
        """Remember a successful path. Raises InvalidFile if the file is damaged or not writable."""
        self._here[program] = path
        known = self._read()
        if self._path is None or known.get(program) == path:
            return
        known.pop(program, None)
        newest = [*list(known.items())[1 - MOST :], (program, path)]
        data = {name: [asdict(each) for each in actions] for name, actions in newest}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise InvalidFile(f"{self._path}: {error.strerror}: make the folder writable") from error

    def _read(self) -> dict[str, RestartPath]:
        if self._path is None or not self._path.exists():
            return {}
        try:
            data = parse_json(read_external_text(self._path))
            return {str(name): _decode_path(actions) for name, actions in data.items()}
        except (OSError, *DAMAGE) as error:
            raise InvalidFile(f"{self._path}: damaged ({error}): delete it") from error


def _decode_path(data: Any) -> RestartPath:
    """Decode a path: a list of actions, or a single action in old files."""
    path = tuple(RestartAction.of_json(each) for each in (data if isinstance(data, list) else [data]))
    if not 1 <= len(path) <= LONGEST:
        raise ValueError("invalid action")
    return path
