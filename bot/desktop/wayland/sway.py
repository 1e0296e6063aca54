"""The windows of a sway desktop: its own tree says which there are, where, and which is on top."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bot.desktop.wayland.boundkeys import BoundKeys
from bot.desktop.wayland.swayline import TREE, SwayLine
from bot.desktop.windows import Box, Window


class SwayWindows:
    """The windows of a sway desktop; satisfies `bot.desktop.windows.Windows`. Boxes are points.

    What is in no tree is not known: menus and other popups, notifications and bars. Raises MachineLacks as
    SwayLine does.
    """

    def __init__(self, path: str | None = None) -> None:
        self._line = SwayLine(path)
        self.keys = BoundKeys(path)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the desktop, from its origin to its far corner, points."""
        rect = self._line.ask(TREE)["rect"]
        return int(rect["x"] + rect["width"]), int(rect["y"] + rect["height"])

    def all(self) -> list[Window] | None:
        """Every window, lowest first."""
        return seen_in(self._line.ask(TREE))

    def get(self, id: int) -> Window | None:
        """One window as it is now; None when it is gone."""
        return next((window for window in self.all() or () if window.id == id), None)

    def extent(self, id: int) -> tuple[int, int] | None:
        """Width and height of one window now; None when it is gone."""
        window = self.get(id)
        return window.box[2:] if window else None

    def belongs(self, id: int, to: int) -> bool:
        """Whether two windows are of the same process."""
        pids = [window.pid if (window := self.get(each)) else None for each in (id, to)]
        return id == to or (pids[0] is not None and pids[0] == pids[1])

    def held_keys(self, *names: str) -> bool:
        """Whether one of these keys is held down, or was tapped since it was last asked for."""
        return self.keys.held(*names)

    def focus(self, id: int) -> None:
        """Send the keys to this window from now on; a window that is gone is left alone."""
        self._line.do(f"[con_id={id}] focus")

    def close(self) -> None:
        """Hang up, and give the stop keys back; a second time does nothing."""
        self.keys.close()
        self._line.close()


def seen_in(tree: Any) -> list[Window]:
    """The windows of a tree as sway lists it, lowest first."""
    nodes = sorted(_views(tree), key=lambda each: each[0])  # keeps the order of those on one floor
    return [_window(node, level) for level, (_, node) in enumerate(nodes)]


def _views(node: Any, floor: int = 0) -> Iterator[tuple[int, Any]]:
    """Every window below a node with its floor: tiled 0, floating 1, full-screen 2."""
    if node.get("fullscreen_mode") and node.get("type") in ("con", "floating_con"):
        floor = 2
    if node.get("pid") is not None and node.get("type") in ("con", "floating_con") and not node["nodes"]:
        yield floor, node
    for child in node.get("nodes", ()):
        yield from _views(child, floor)
    for child in node.get("floating_nodes", ()):
        yield from _views(child, max(floor, 1))


def _window(node: Any, level: int) -> Window:
    left, top, width, height = _box(node["rect"])
    x, y, wide, high = _box(node["window_rect"])
    title = _box(node["deco_rect"])[3]
    fills = bool(node.get("fullscreen_mode"))  # its window_rect is then that of the border that it had
    return Window(
        id=int(node["id"]),
        title=str(node.get("name") or ""),
        pid=int(node["pid"]) or None,
        box=(left, top, width, height) if fills else (left + x, top + y, wide, high),
        outer=(left, top - title, width, height + title),
        level=level,
        is_shown=bool(node.get("visible")),
    )


def _box(rect: Any) -> Box:
    return int(rect["x"]), int(rect["y"]), int(rect["width"]), int(rect["height"])
