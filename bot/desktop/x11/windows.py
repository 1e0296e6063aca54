"""Windows of an X screen, queried from the X server, and the X cookie file.

Positions are pixels from the top left corner of the X screen, as for the mouse. Queries work with and
without a window manager; with one, the frame around each window is included.

python3-xlib, and therefore pyautogui, requires a cookie file. Its format is that of libXau (`man Xau`):
big-endian shorts for the family and for the length of each field: address, display number, name, data.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import secrets
import socket
import struct
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

from Xlib import XK, X, Xatom, display, error
from Xlib.protocol import rq
from Xlib.protocol.event import ClientMessage

from bot.desktop.ports import Box, ButtonPresser, PressTarget, Window, Windows
from bot.desktop.x11.input import PointerGrabQuery, X11ButtonPresser, press_target
from bot.desktop.x11.keyboard import X11Keyboard, X11KeyLog
from games.errors import MissingRequirement
from strategies.isolation.supervisor import process_state

FAMILY_LOCAL = 256
COOKIE_BYTES = 16
PING_POLL = 0.002  # seconds between two checks for the reply to a ping


def create_xauth_cookie() -> bytes:
    """A fresh secret for one X server."""
    return secrets.token_bytes(COOKIE_BYTES)


def write_cookie(path: Path, cookie: bytes, number: str) -> None:
    """Write a private file with the cookie of this machine's display `number`."""
    fields = [socket.gethostname().encode(), number.encode(), b"MIT-MAGIC-COOKIE-1", cookie]
    entry = struct.pack(">H", FAMILY_LOCAL) + b"".join(struct.pack(">H", len(f)) + f for f in fields)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(entry)


def have_cookie_file() -> None:
    """Set XAUTHORITY to a file with a dummy entry if the cookie file is missing or empty.

    python3-xlib fails without a file, even if the display needs no cookie, and prints a warning to stdout if
    the file is empty.
    """
    named = Path(os.environ.get("XAUTHORITY") or "~/.Xauthority").expanduser()
    if not named.exists() or not named.stat().st_size:
        descriptor, name = tempfile.mkstemp(prefix="sapper-", suffix=".Xauthority")
        os.close(descriptor)
        atexit.register(Path(name).unlink, missing_ok=True)
        write_cookie(Path(name), bytes(COOKIE_BYTES), "none")
        os.environ["XAUTHORITY"] = name


def open_display(name: str | None = None) -> Any:
    """A connection to a display, by default the one that DISPLAY names. Raises errors of python3-xlib."""
    have_cookie_file()
    with warnings.catch_warnings():  # python3-xlib does not close the cookie file
        warnings.simplefilter("ignore", ResourceWarning)
        return display.Display(name)


class _QueryClientIds(rq.ReplyRequest):  # type: ignore[misc]  # python3-xlib has no types
    """Asks for the ids of one client (X-Resource extension, version 1.2)."""

    LOCAL_PROCESS = 2  # mask for the process id
    _request = rq.Struct(
        rq.Card8("opcode"), rq.Opcode(4), rq.RequestLength(),
        rq.Card32("count"), rq.Card32("client"), rq.Card32("mask"),
    )  # fmt: skip
    _reply = rq.Struct(  # the values: client, mask, length in bytes, process id
        rq.ReplyCode(), rq.Pad(1), rq.Card16("sequence_number"), rq.ReplyLength(), rq.Card32("count"),
        rq.Pad(20), rq.List("values", rq.Card32Obj),
    )  # fmt: skip


class X11Windows(Windows):
    """The windows of an X screen. A context manager.

    Raises MissingRequirement if the display cannot be opened.
    """

    def __init__(self, name: str | None = None) -> None:
        name = name or os.environ.get("DISPLAY")
        if not name:
            raise MissingRequirement("there is no display: use --virtual, or run from a desktop session")
        try:
            self._display: Any = open_display(name)
        except (error.DisplayError, error.XError, OSError) as problem:
            reason = " ".join(str(problem).split()) or type(problem).__name__
            raise MissingRequirement(
                f"the display {name} cannot be opened ({reason}): use --virtual, or run from a desktop"
            ) from problem
        self._name = name
        self._root: Any = self._display.screen().root
        self.ours: set[int] = set()  # our click-through windows; not reported by `all`
        self._grab = PointerGrabQuery(self._display)
        self._keyboard = X11Keyboard(self._display)
        self._log: X11KeyLog | None = None
        self._listens = False
        self._resources = self._display.query_extension("X-Resource")

    def close(self) -> None:
        """Close the connection; idempotent."""
        if self._log is not None:
            self._log.close()
            self._log = None
        if self._display is not None:
            # the screen, and the connection with it, may be gone
            with contextlib.suppress(error.ConnectionClosedError, OSError):
                self._display.close()
            if self._keyboard.added:
                # our connection may be in the middle of a request that a signal interrupted
                with contextlib.suppress(Exception), contextlib.closing(open_display(self._name)) as other:
                    self._keyboard.restore(other)
            self._display = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the screen, pixels."""
        shape = self._root.get_geometry()
        return int(shape.width), int(shape.height)

    @property
    def depth(self) -> int:
        """Colour bits per pixel of the screen."""
        return int(self._display.screen().root_depth)

    @property
    def is_managed(self) -> bool:
        """Whether a window manager runs on this screen (EWMH, _NET_SUPPORTING_WM_CHECK)."""
        return self._number(self._root, "_NET_SUPPORTING_WM_CHECK") is not None

    def all(self) -> list[Window] | None:
        """All top-level windows except input-only windows and `ours`, lowest first."""
        found = []
        for level, child in enumerate(self._root.query_tree().children):
            if child.id in self.ours:
                continue
            try:
                window = self._describe(child, level)
            except error.XError:
                continue  # closed during the query
            if window is not None:
                found.append(window)
        return found

    def extent(self, id: int) -> tuple[int, int] | None:
        """Current width and height of one window, including its own shadow; None if it is gone."""
        try:
            shape = self._display.create_resource_object("window", id).get_geometry()
        except error.XError:
            return None
        return int(shape.width), int(shape.height)

    def target(self, id: int) -> PressTarget | None:
        """The current state of a window as a press target; None if it is gone."""
        return press_target(self._display, id)

    def presser(self) -> ButtonPresser | None:
        """The button presser for this screen; None without the XTEST extension."""
        return X11ButtonPresser(self._display) if self._display.has_extension("XTEST") else None

    def hotkey(self, *keys: str) -> None:
        """Press keys together and release them, in any keyboard layout. Raises UsageError."""
        self._keyboard.press(keys)

    @property
    def is_pointer_grabbed(self) -> bool:
        """Whether another client, such as one with an open menu, receives all presses."""
        return self._grab.is_held

    def same_program(self, id: int, other: int) -> bool:
        """Whether two windows belong to the same program.

        They do if they have the same connection (the upper bits of their ids, X protocol, 8), the same
        process (_NET_WM_PID, EWMH), or `id` is transient for `other` (X client conventions, 4.1.2.6).
        """
        if not (id ^ other) & ~int(self._display.display.info.resource_id_mask):
            return True
        windows = [self._display.create_resource_object("window", each) for each in (id, other)]
        try:
            pids = [self._number(window, "_NET_WM_PID") for window in windows]
            parent = self._number(windows[0], "WM_TRANSIENT_FOR")
        except error.XError:
            return False
        return parent == other or (pids[0] is not None and pids[0] == pids[1])

    def is_popup(self, id: int) -> bool:
        """Whether a window is a menu, drop-down list or tooltip (override-redirect, X protocol, 8)."""
        try:
            return bool(self._display.create_resource_object("window", id).get_attributes().override_redirect)
        except error.XError:
            return False

    def is_responsive(self, id: int, seconds: float) -> bool | None:
        """Whether a window's program answers a _NET_WM_PING (EWMH) within this time.

        An answer means that it has processed all earlier events. None if the window is gone or does not
        support the protocol.
        """
        window, root = self._display.create_resource_object("window", id), self._root
        kind, ping = (self._display.get_atom(name) for name in ("WM_PROTOCOLS", "_NET_WM_PING"))
        try:
            known = window.get_full_property(kind, X.AnyPropertyType)
            if known is None or ping not in known.value:
                return None
            root.change_attributes(event_mask=X.SubstructureNotifyMask)  # replies go to the root window
            stamp = time.monotonic_ns() // 1000 & 0x7FFFFFFF
            window.send_event(
                ClientMessage(window=window, client_type=kind, data=(32, [ping, stamp, id, 0, 0]))
            )
            self._display.sync()
            deadline = time.monotonic() + seconds
            while True:
                while self._display.pending_events():
                    event = self._display.next_event()
                    if (
                        event.type == X.ClientMessage
                        and event.client_type == kind
                        and [*event.data[1][:2]] == [ping, stamp]
                    ):
                        return True
                if time.monotonic() > deadline:
                    return False
                time.sleep(PING_POLL)
        except error.XError:
            return None
        finally:
            root.change_attributes(event_mask=0)

    def pressed_keys(self, *names: str) -> frozenset[str]:
        """Those of these keys (X names such as `Escape`) that are held or were pressed since the last call.

        The first call begins to listen to its keys; without the RECORD extension, only held keys are noticed.
        """
        codes = {name: self._display.keysym_to_keycode(XK.string_to_keysym(name)) for name in names}
        if not self._listens and self._display.has_extension("RECORD"):
            self._keyboard.ours.clear()
            control, data = open_display(self._name), open_display(self._name)
            self._log = X11KeyLog(control, data, frozenset(codes.values()), self._keyboard.ours)
        self._listens = True
        tapped = self._log.take() if self._log else set()
        keymap = self._display.query_keymap()
        return frozenset(
            name
            for name, code in codes.items()
            if code and (code in tapped or keymap[code // 8] >> code % 8 & 1)
        )

    def focus(self, id: int) -> None:
        """Give this window the keyboard focus; ignored if it is gone or hidden."""
        quiet = error.CatchError(error.BadWindow, error.BadMatch)
        window = self._display.create_resource_object("window", id)
        if self.is_managed:
            self._ask_manager_to_raise(window)
        window.set_input_focus(X.RevertToPointerRoot, X.CurrentTime, onerror=quiet)
        self._display.sync()

    def _ask_manager_to_raise(self, window: Any) -> None:
        """Send _NET_ACTIVE_WINDOW (EWMH): the manager puts the window on top."""
        kind = self._display.get_atom("_NET_ACTIVE_WINDOW")
        # source indication 2: a pager, that is, a direct user action
        message = ClientMessage(window=window, client_type=kind, data=(32, [2, X.CurrentTime, 0, 0, 0]))
        self._root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)

    def dismiss(self, id: int) -> None:
        """Ask a window's program to close it (WM_DELETE_WINDOW, X client conventions, 4.2.8.1).

        Ignored if the window does not support the protocol.
        """
        window = self._display.create_resource_object("window", id)
        protocols, delete = (self._display.get_atom(name) for name in ("WM_PROTOCOLS", "WM_DELETE_WINDOW"))
        try:
            taken = window.get_full_property(protocols, 0)
        except error.XError:
            return  # the window is gone
        if taken is not None and delete in taken.value:
            message = ClientMessage(
                window=window, client_type=protocols, data=(32, [delete, X.CurrentTime, 0, 0, 0])
            )
            window.send_event(message, onerror=error.CatchError(error.BadWindow))
            self._display.sync()

    def move(self, id: int, left: int, top: int) -> None:
        """Request a window position; a window manager may refuse."""
        self._configure(id, x=left, y=top)

    def resize(self, id: int, width: int, height: int) -> None:
        """Request a window size; a window manager may refuse."""
        self._configure(id, width=width, height=height)

    def _configure(self, id: int, **wanted: int) -> None:
        quiet = error.CatchError(error.BadWindow, error.BadMatch)
        self._display.create_resource_object("window", id).configure(onerror=quiet, **wanted)
        self._display.sync()

    def _describe(self, frame: Any, level: int) -> Window | None:
        attributes = frame.get_attributes()
        if attributes.win_class == X.InputOnly:
            return None
        client = self._client(frame) or frame
        is_framed = client.id != frame.id
        outer = self._box(frame)
        return Window(
            id=int(client.id),
            title=self._title(client),
            pid=self._number(client, "_NET_WM_PID") or self._process(client),
            box=self._box(client) if is_framed else outer,
            outer=outer,
            level=level,
            is_shown=attributes.map_state == X.IsViewable
            and (not is_framed or client.get_attributes().map_state == X.IsViewable),
        )

    def _client(self, window: Any, depth: int = 3) -> Any | None:
        """The program's own window in a frame: the one with WM_STATE (X client conventions, 4.1.3.1)."""
        state = self._display.get_atom("WM_STATE")
        if window.get_full_property(state, 0) is not None:
            return window
        if depth:
            for child in window.query_tree().children:
                client = self._client(child, depth - 1)
                if client is not None:
                    return client
        return None

    def _box(self, window: Any) -> Box:
        """The screen area of a window, without the invisible shadow that GTK draws around it."""
        shape = window.get_geometry()
        corner = self._root.translate_coords(window, 0, 0)
        left, top, width, height = int(corner.x), int(corner.y), int(shape.width), int(shape.height)
        shadow = window.get_full_property(self._display.get_atom("_GTK_FRAME_EXTENTS"), 0)
        if shadow is not None and len(shadow.value) == 4:
            west, east, north, south = (int(side) for side in shadow.value)
            return left + west, top + north, width - west - east, height - north - south
        return left, top, width, height

    def _title(self, window: Any) -> str:
        for name in ("_NET_WM_NAME", "WM_NAME"):
            value = window.get_full_property(self._display.get_atom(name), 0)
            if value is not None and value.value:
                latin = value.property_type == Xatom.STRING  # X client conventions, 2.7.1
                raw = value.value  # python3-xlib returns str for UTF-8 and bytes otherwise
                return (
                    raw.decode("latin-1" if latin else "utf-8", "replace")
                    if isinstance(raw, bytes)
                    else str(raw)
                )
        return ""

    def _process(self, window: Any) -> int | None:
        """The process that opened a window, according to the X server; None if unknown or remote."""
        if self._resources is None or not self._resources.present:
            return None
        mask, opcode = _QueryClientIds.LOCAL_PROCESS, self._resources.major_opcode
        reply = _QueryClientIds(
            display=self._display.display, opcode=opcode, count=1, client=window.id, mask=mask
        )
        values = list(reply.values)
        return int(values[3]) if len(values) == 4 and process_state(values[3]) else None

    def _number(self, window: Any, name: str) -> int | None:
        value = window.get_full_property(self._display.get_atom(name), 0)
        return int(value.value[0]) if value is not None and len(value.value) else None
