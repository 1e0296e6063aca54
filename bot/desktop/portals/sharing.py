"""One screen that a person shares with Sapper, with or without the right to act on it."""

from __future__ import annotations

import secrets
from contextlib import ExitStack, suppress
from typing import Any, Literal

from bot.closing import Closing
from bot.desktop.portals.bus import Bus, Refused, Remote
from bot.desktop.portals.tokens import Tokens
from games.errors import Interrupted, MachineLacks

Kind = Literal["ScreenCast", "RemoteDesktop"]
CONSENT = 120.0  # seconds that a person gets to answer the desktop's question
MONITOR = 1  # org.freedesktop.portal.ScreenCast: kinds of sources
WITHOUT_POINTER = 1  # and what is done with the pointer in the pictures
KEYBOARD, POINTER = 1, 2  # org.freedesktop.portal.RemoteDesktop: kinds of devices
UNTIL_TAKEN_BACK = 2  # persist_mode: the token is good in other runs too
PERSISTS = {"ScreenCast": 4, "RemoteDesktop": 2}  # the versions of the portals that have tokens
STOPPED = "the screen is not shared with Sapper any more: start again when you want it to go on"


class Sharing(Closing):
    """The screen that a person agreed to share; who `acts` asks for the pointer and the keyboard too.

    `node` is its PipeWire stream, `size` its width and height and `place` its corner, points; each None
    where the desktop does not say. Raises Interrupted when the person says no, MachineLacks when the
    desktop has no such portal.
    """

    def __init__(self, bus: Bus, acts: bool, tokens: Tokens) -> None:
        self._bus = bus
        self._kind: Kind = "RemoteDesktop" if acts else "ScreenCast"
        self._tokens = tokens
        self._ends = ExitStack()
        self._path = ""
        try:
            self._open()
        except Refused as error:
            self.close()
            raise MachineLacks(
                f"this desktop does not let its screen be {'used' if acts else 'seen'} by other programs "
                f"({error}): use --virtual, or log in to an X11 session"
            ) from error
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        version = int(self._bus.read(Remote.portal(self._kind), "version"))
        handle = {"session_handle_token": ("s", f"sapper{secrets.token_hex(8)}")}
        made = self._bus.request(self._kind, "CreateSession", "a{sv}", options=handle)
        self._path = made["session_handle"]
        own = Remote.portal("Session", self._path)
        self._closed: Any = self._ends.enter_context(self._bus.heard(own, "Closed"))
        lasting = self._lasting() if version >= PERSISTS[self._kind] else {}
        sources = {
            "types": ("u", MONITOR),
            "multiple": ("b", False),
            "cursor_mode": ("u", WITHOUT_POINTER),
        }
        if self._kind == "RemoteDesktop":
            devices = {"types": ("u", KEYBOARD | POINTER)} | lasting
            self._bus.request(self._kind, "SelectDevices", "oa{sv}", self._path, options=devices)
        else:
            sources |= lasting
        self._bus.request("ScreenCast", "SelectSources", "oa{sv}", self._path, options=sources)
        given = self._bus.request(self._kind, "Start", "osa{sv}", self._path, "", options={}, seconds=CONSENT)
        if lasting:
            self._tokens.keep(self._kind, given.get("restore_token"))
        if self._kind == "RemoteDesktop" and not given.get("devices", 0) & POINTER:
            raise Interrupted(
                "the screen is shared, but not its mouse: start again and allow remote interaction in the "
                "desktop's question, or use `sapper advise`"
            )
        if not given.get("streams"):
            raise Interrupted("no screen was chosen to be shared: start again and choose one")
        self.node, about = given["streams"][0]
        size, place = about.get("size"), about.get("position")
        self.size: tuple[int, int] | None = size[1] if size else None
        self.place: tuple[int, int] | None = place[1] if place else None

    def _lasting(self) -> dict[str, Any]:
        """The options that make the desktop remember what was agreed to, and name what was before."""
        token = self._tokens.get(self._kind)
        options: dict[str, Any] = {"persist_mode": ("u", UNTIL_TAKEN_BACK)}
        return options | ({"restore_token": ("s", token)} if token else {})

    def pipewire(self) -> int:
        """A descriptor of the connection on which the stream is; its owner closes it."""
        portal = Remote.portal("ScreenCast")
        (wrapped,) = self._bus.call(portal, "OpenPipeWireRemote", "oa{sv}", self._path, {})
        return int(wrapped.to_raw_fd())

    def check(self) -> None:
        """Raise Interrupted when the person has stopped sharing."""
        self._bus.take_in()
        if self._closed:
            raise Interrupted(STOPPED)

    def point(self, x: float, y: float) -> None:
        """Put the pointer at a place of the shared screen, in its own measure. Raises Interrupted."""
        self._notify("NotifyPointerMotionAbsolute", "oa{sv}udd", self.node, float(x), float(y))

    def button(self, code: int, state: int) -> None:
        """Press (1) or release (0) a button of linux/input-event-codes.h. Raises Interrupted."""
        self._notify("NotifyPointerButton", "oa{sv}iu", code, state)

    def key(self, code: int, state: int) -> None:
        """Press (1) or release (0) a key of linux/input-event-codes.h. Raises Interrupted."""
        self._notify("NotifyKeyboardKeycode", "oa{sv}iu", code, state)

    def _notify(self, method: str, signature: str, *values: Any) -> None:
        try:
            self._bus.call(Remote.portal(self._kind), method, signature, self._path, {}, *values)
        except Refused as error:
            self.check()
            raise Interrupted(
                f"the desktop does not take {method} any more ({error}): start again"
            ) from error

    def close(self) -> None:
        """Stop sharing; a second time does nothing."""
        with suppress(MachineLacks, Refused):
            if self._path:
                self._bus.call(Remote.portal("Session", self._path), "Close")
        self._path = ""
        self._ends.close()
