"""Windows and key bindings of a sway desktop, through its IPC socket (`man sway-ipc`).

Under Wayland, a program receives only the keys sent to its own windows. To receive the stop, pause and hint
keys, `SwayKeyBindings` binds them to commands that do nothing, and sway reports each binding event. No other
program receives these keys during that time; keys that the user's configuration binds are left alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import struct
import time
from collections.abc import Iterator
from typing import Any

from bot.desktop.ports import Box, Window, Windows
from games.errors import MissingRequirement

MAGIC = b"i3-ipc"
COMMAND, SUBSCRIBE, TREE, CONFIG = 0, 2, 4, 9  # message types
PATIENCE = 5.0  # seconds; for a reply of sway


class SwayConnection:
    """A connection to sway; `path` is its socket, by default SWAYSOCK.

    All methods raise MissingRequirement if sway is unreachable.
    """

    def __init__(self, path: str | None = None) -> None:
        where = path or os.environ.get("SWAYSOCK", "")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._events: list[Any] = []
        try:
            self._socket.settimeout(PATIENCE)
            self._socket.connect(where)
        except OSError as error:
            self._socket.close()
            raise MissingRequirement(
                f"cannot connect to sway at '{where}' ({error}): set SWAYSOCK"
            ) from error

    def close(self) -> None:
        """Close the connection; idempotent."""
        self._socket.close()

    def ask(self, kind: int, payload: str = "") -> Any:
        """Send a message and return sway's reply."""
        data = payload.encode()
        try:
            self._socket.sendall(MAGIC + struct.pack("=II", len(data), kind) + data)
            while True:
                answered, answer = self._message()
                if answered == kind:
                    return answer
                self._events.append(answer)
        except (OSError, ValueError) as error:
            raise MissingRequirement(f"sway does not answer ({error}): start again") from error

    def do(self, command: str) -> bool:
        """Execute a command of sway's configuration language; return whether it succeeded."""
        return all(done.get("success") for done in self.ask(COMMAND, command))

    def events(self) -> list[Any]:
        """The events since the last call, without waiting."""
        try:
            self._socket.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while self._socket.recv(1, socket.MSG_PEEK):
                    self._socket.settimeout(PATIENCE)
                    self._events.append(self._message()[1])
                    self._socket.setblocking(False)
        except (OSError, ValueError) as error:
            raise MissingRequirement(f"sway went away ({error}): start again") from error
        finally:
            with contextlib.suppress(OSError):
                self._socket.settimeout(PATIENCE)
        events, self._events = self._events, []
        return events

    def _message(self) -> tuple[int, Any]:
        head = self._bytes(len(MAGIC) + 8)
        length, kind = struct.unpack("=II", head[len(MAGIC) :])
        # titles of X programs are not converted and may be Latin-1
        return kind, json.loads(self._bytes(length).decode(errors="replace"))

    def _bytes(self, count: int) -> bytes:
        parts = b""
        while len(parts) < count:
            part = self._socket.recv(count - len(parts))
            if not part:
                raise ConnectionResetError("connection closed")
            parts += part
        return parts


DOWN, UP = "nop sapper down", "nop sapper up"
TAP = 0.2  # seconds; minimum time that a pressed key counts as held
BINDING = re.compile(r"^\s*bind(?:sym|code)\s+(?:--\S+\s+)*(\S+)", re.MULTILINE)
MODE = re.compile(r"^\s*mode\s.*?\{.*?^\s*\}", re.MULTILINE | re.DOTALL)  # bindings of other modes


class SwayKeyBindings:
    """Receives keys through sway's binding events.

    Names are XKB key names such as `Escape`. It connects to sway on the first query. Raises
    MissingRequirement if sway goes away.
    """

    def __init__(self) -> None:
        self._connection: SwayConnection | None = None
        self._bound: set[str] = set()
        self._requested: set[str] = set()
        self._down: set[str] = set()
        self._tapped: list[str] = []
        self._until: dict[str, float] = {}  # end of the time that a tapped key counts as held

    def held(self, *names: str) -> bool:
        """Whether one of the keys is down, or was pressed less than TAP seconds ago."""
        self._request_keys(set(names))
        self._process_events()
        now = time.monotonic()
        return any(name in self._down or now < self._until.get(name, now) for name in names)

    def tapped(self) -> list[str]:
        """The bound keys that were pressed since the last call."""
        self._process_events()
        tapped, self._tapped = self._tapped, []
        return tapped

    def bind(self, *names: str) -> tuple[str, ...]:
        """Bind these keys; return the unavailable ones."""
        self._request_keys(set(names))
        return tuple(name for name in names if name not in self._bound)

    @contextlib.contextmanager
    def let_through(self) -> Iterator[None]:
        """Unbind the keys until the block ends, while Sapper presses keys itself."""
        connection, bound = self._connection, set(self._bound)
        if connection is None:
            yield
            return
        self._unbind(connection)
        try:
            yield
        finally:
            self._bind(connection, bound)

    def close(self) -> None:
        """Unbind the keys; idempotent."""
        if self._connection is not None:
            with contextlib.suppress(MissingRequirement):  # sway is gone, and its bindings with it
                self._unbind(self._connection)
            self._connection.close()
            self._connection = None

    def _request_keys(self, names: set[str]) -> None:
        names -= self._requested
        if not names:
            return
        if self._connection is None:
            self._connection = SwayConnection()
            self._connection.ask(SUBSCRIBE, json.dumps(["binding"]))
        self._requested |= names
        config = str(self._connection.ask(CONFIG).get("config", ""))
        self._bind(self._connection, names - user_bindings(config))

    def _bind(self, connection: SwayConnection, names: set[str]) -> None:
        for name in sorted(names):
            if connection.do(f"bindsym --no-repeat {name} {DOWN}"):
                connection.do(f"bindsym --release {name} {UP}")
                self._bound.add(name)

    def _unbind(self, connection: SwayConnection) -> None:
        for name in sorted(self._bound):
            connection.do(f"unbindsym {name}")
            connection.do(f"unbindsym --release {name}")
        self._bound.clear()
        self._down.clear()
        self._until.clear()

    def _process_events(self) -> None:
        for event in self._connection.events() if self._connection is not None else ():
            binding = event.get("binding", {})
            symbol = str(binding.get("symbol"))
            if symbol not in self._bound:
                continue
            if binding.get("command") == DOWN:
                self._down.add(symbol)
                self._tapped.append(symbol)
                self._until[symbol] = time.monotonic() + TAP
            elif binding.get("command") == UP:
                self._down.discard(symbol)


def user_bindings(config: str) -> set[str]:
    """The keys without modifiers that a sway configuration binds in the default mode."""
    return {key for key in BINDING.findall(MODE.sub("", config)) if "+" not in key}


class SwayWindows(Windows):
    """The windows of a sway desktop. Boxes are points.

    Menus and other popups, notifications and bars are not in sway's tree and are not reported. Raises
    MissingRequirement if sway is unreachable.
    """

    def __init__(self) -> None:
        self._connection = SwayConnection()
        self.keys = SwayKeyBindings()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the desktop, from its origin to its far corner, points."""
        rect = self._connection.ask(TREE)["rect"]
        return int(rect["x"] + rect["width"]), int(rect["y"] + rect["height"])

    def all(self) -> list[Window] | None:
        """All windows, lowest first."""
        return windows_in_tree(self._connection.ask(TREE))

    def pressed_keys(self, *names: str) -> frozenset[str]:
        """Those of these keys that are held or were pressed since the last call, at least for TAP seconds."""
        return frozenset(name for name in names if self.keys.held(name))

    def focus(self, id: int) -> None:
        """Give this window the keyboard focus; ignored if it is gone."""
        self._connection.do(f"[con_id={id}] focus")

    def close(self) -> None:
        """Close the connection and unbind the keys; idempotent."""
        self.keys.close()
        self._connection.close()


def windows_in_tree(tree: Any) -> list[Window]:
    """The windows of a sway tree, lowest first."""
    nodes = sorted(_views(tree), key=lambda each: each[0])  # stable within a floor
    return [_window(node, level) for level, (_, node) in enumerate(nodes)]


def _views(node: Any, floor: int = 0) -> Iterator[tuple[int, Any]]:
    """All windows below a node with their stacking floor: tiled 0, floating 1, full-screen 2."""
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
    fills = bool(node.get("fullscreen_mode"))  # its window_rect then still describes the former border
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
