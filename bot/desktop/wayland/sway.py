"""A line to sway: i3's IPC, `man sway-ipc`.

The keys with which a person stops, pauses or asks for hints, as far as sway says which keys are pressed.

Under Wayland a program sees only the keys that are meant for its own windows. Sway runs a command when a key
is pressed or let go, and names it to who asked for it; so the keys are bound to commands that do nothing,
from the first question for them until the end. Meanwhile no other program gets them. A key that the person's
own configuration has bound stays the person's.

The windows of a sway desktop: its own tree says which there are, where, and which is on top.
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

from bot.desktop.ports import Box, Window
from games.errors import MissingRequirement

MAGIC = b"i3-ipc"
COMMAND, SUBSCRIBE, TREE, CONFIG = 0, 2, 4, 9  # kinds of messages
PATIENCE = 5.0  # seconds that sway gets to answer


class SwayConnection:
    """One connection to sway; `path` is its socket, SWAYSOCK's by default.

    Everything raises MissingRequirement when sway cannot be asked.
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
            raise MissingRequirement(f"sway cannot be asked at '{where}' ({error}): set SWAYSOCK") from error

    def close(self) -> None:
        """Hang up; a second time does nothing."""
        self._socket.close()

    def ask(self, kind: int, payload: str = "") -> Any:
        """Sway's answer to a message."""
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
        """Whether sway did what a line of its config language says."""
        return all(done.get("success") for done in self.ask(COMMAND, command))

    def events(self) -> list[Any]:
        """The events that came since the last time, without waiting."""
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
        # titles of X programs come as they are, also in Latin-1
        return kind, json.loads(self._bytes(length).decode(errors="replace"))

    def _bytes(self, count: int) -> bytes:
        parts = b""
        while len(parts) < count:
            part = self._socket.recv(count - len(parts))
            if not part:
                raise ConnectionResetError("it hung up")
            parts += part
        return parts


DOWN, UP = "nop sapper down", "nop sapper up"
TAP = 0.2  # seconds that a key counts as held at least, from when Sapper hears of it
BINDING = re.compile(r"^\s*bind(?:sym|code)\s+(?:--\S+\s+)*(\S+)", re.MULTILINE)
MODE = re.compile(r"^\s*mode\s.*?\{.*?^\s*\}", re.MULTILINE | re.DOTALL)  # what is bound in another mode


class SwayKeyBindings:
    """Watches keys by sway's binding events; `path` is sway's socket, SWAYSOCK's by default.

    Names are XKB's, such as `Escape`. Asks sway for nothing before it is asked for a key. Raises MissingRequirement
    when sway goes away.
    """

    def __init__(self, path: str | None = None) -> None:
        self._path = path
        self._line: SwayConnection | None = None
        self._bound: set[str] = set()
        self._asked: set[str] = set()
        self._down: set[str] = set()
        self._tapped: list[str] = []
        self._until: dict[str, float] = {}  # until when a key counts as held that was let go meanwhile

    def held(self, *names: str) -> bool:
        """Whether one of the keys is down, or was tapped since the last question: then a moment long."""
        self._watch(set(names) - self._asked)
        self._take_in()
        now = time.monotonic()
        return any(name in self._down or now < self._until.get(name, now) for name in names)

    def tapped(self) -> list[str]:
        """The keys that were pressed since this was last asked, of those that are bound here."""
        self._take_in()
        tapped, self._tapped = self._tapped, []
        return tapped

    def bind(self, *names: str) -> tuple[str, ...]:
        """From now on hear these keys; those that somebody else has."""
        self._watch(set(names) - self._asked)
        return tuple(name for name in names if name not in self._bound)

    @contextlib.contextmanager
    def let_through(self) -> Iterator[None]:
        """Meanwhile the keys go to the programs: Sapper presses them itself."""
        bound = set(self._bound)
        self._unbind()
        try:
            yield
        finally:
            self._bind(bound)

    def close(self) -> None:
        """Give the keys back; a second time does nothing."""
        if self._line is not None:
            with contextlib.suppress(MissingRequirement):  # sway went first, and its bindings with it
                self._unbind()
            self._line.close()
            self._line = None

    def _watch(self, names: set[str]) -> None:
        if not names:
            return
        if self._line is None:
            self._line = SwayConnection(self._path)
            self._line.ask(SUBSCRIBE, json.dumps(["binding"]))
        self._asked |= names
        self._bind(names - user_bindings(str(self._line.ask(CONFIG).get("config", ""))))

    def _bind(self, names: set[str]) -> None:
        assert self._line is not None or not names
        for name in sorted(names):
            assert self._line is not None
            if self._line.do(f"bindsym --no-repeat {name} {DOWN}"):
                self._line.do(f"bindsym --release {name} {UP}")
                self._bound.add(name)

    def _unbind(self) -> None:
        for name in sorted(self._bound):
            assert self._line is not None
            self._line.do(f"unbindsym {name}")
            self._line.do(f"unbindsym --release {name}")
        self._bound.clear()
        self._down.clear()
        self._until.clear()

    def _take_in(self) -> None:
        """Note what was pressed and let go."""
        for event in self._line.events() if self._line is not None else ():
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
    """The keys that a configuration of sway binds by themselves, without a modifier, in its usual mode."""
    return {key for key in BINDING.findall(MODE.sub("", config)) if "+" not in key}


class SwayWindows:
    """The windows of a sway desktop; satisfies `bot.desktop.ports.Windows`. Boxes are points.

    What is in no tree is not known: menus and other popups, notifications and bars. Raises MissingRequirement as
    SwayLine does.
    """

    def __init__(self, path: str | None = None) -> None:
        self._line = SwayConnection(path)
        self.keys = SwayKeyBindings(path)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the desktop, from its origin to its far corner, points."""
        rect = self._line.ask(TREE)["rect"]
        return int(rect["x"] + rect["width"]), int(rect["y"] + rect["height"])

    def all(self) -> list[Window] | None:
        """Every window, lowest first."""
        return windows_in_tree(self._line.ask(TREE))

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


def windows_in_tree(tree: Any) -> list[Window]:
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
