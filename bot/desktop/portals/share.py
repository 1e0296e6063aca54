"""A line to the session bus (D-Bus): calls with a deadline, and the signals that answer a request.

What a desktop gave to remember that a person has agreed: a token for each kind of sharing, in one file.

One screen that a person shares with Sapper, with or without the right to act on it.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from bot.shutdown import Closeable
from games.errors import Interrupted, MissingRequirement

PATIENCE = 20.0  # seconds that a service gets to answer: a desktop without a graphics card draws meanwhile
PORTAL = "org.freedesktop.portal"
DESKTOP = "/org/freedesktop/portal/desktop"
AGREED, DECLINED = 0, 1  # a portal's answer; everything else: it could not


@dataclass(frozen=True)
class BusInterface:
    """One interface of an object of a service."""

    service: str
    path: str
    interface: str

    @classmethod
    def portal(cls, interface: str, path: str = DESKTOP) -> BusInterface:
        """A portal, such as `ScreenCast`."""
        return cls(f"{PORTAL}.Desktop", path, f"{PORTAL}.{interface}")


class BusError(Exception):
    """A service answered with an error; its text is that of the service."""


class SessionBus(Closeable):
    """An open connection to the session bus. Used by one thread only.

    Everything raises MissingRequirement when the bus cannot be reached, does not answer, or goes away.
    """

    def __init__(self) -> None:
        try:
            from jeepney.io.blocking import open_dbus_connection
        except ImportError as error:
            raise MissingRequirement(
                "this Wayland desktop needs the Python package jeepney: pip install 'sapper[wayland]'"
            ) from error
        if not os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
            raise MissingRequirement(
                "there is no session bus (DBUS_SESSION_BUS_ADDRESS is not set): run from a terminal of the "
                "desktop itself"
            )
        with _named():
            self._connection: Any = open_dbus_connection(enable_fds=True)

    def close(self) -> None:
        """Hang up; a second time does nothing."""
        self._connection.close()

    def call(self, remote: BusInterface, method: str, signature: str = "", *body: Any) -> tuple[Any, ...]:
        """What a method answers. Raises BusError."""
        from jeepney import DBusAddress, MessageType, new_method_call

        address = DBusAddress(remote.path, remote.service, remote.interface)
        message = new_method_call(address, method, signature or None, body)
        with _named():
            reply = self._connection.send_and_get_reply(message, timeout=PATIENCE)
        if reply.header.message_type == MessageType.error:
            raise BusError(" ".join(map(str, reply.body)) or "no reason is given")
        answer: tuple[Any, ...] = reply.body
        return answer

    def read(self, remote: BusInterface, name: str) -> Any:
        """A property. Raises BusError."""
        properties = BusInterface(remote.service, remote.path, "org.freedesktop.DBus.Properties")
        return self.call(properties, "Get", "ss", remote.interface, name)[0][1]

    @contextmanager
    def heard(self, remote: BusInterface, signal: str) -> Iterator[Any]:
        """The queue into which this signal of an object goes as long as the block lasts."""
        from jeepney import MatchRule, message_bus

        rule = MatchRule(type="signal", interface=remote.interface, member=signal, path=remote.path)
        with _named():
            self._connection.send_and_get_reply(message_bus.AddMatch(rule), timeout=PATIENCE)
        with self._connection.filter(rule, bufsize=8) as queue:
            yield queue

    def dispatch(self) -> None:
        """Take in what has come, without waiting."""
        with _named(), suppress(TimeoutError):
            while True:
                self._connection.recv_messages(timeout=0)

    def request(
        self,
        interface: str,
        method: str,
        signature: str,
        *body: Any,
        options: dict[str, Any],
        seconds: float = PATIENCE,
    ) -> dict[str, Any]:
        """What a portal's request came to, which may show a dialog; `seconds` are for the person.

        `options` go behind `body`, and the signature covers them. Raises Interrupted where the person said
        no, or nothing; BusError; MissingRequirement.
        """
        token = f"sapper{secrets.token_hex(8)}"
        me = self._connection.unique_name[1:].replace(".", "_")
        path = f"{DESKTOP}/request/{me}/{token}"
        with self.heard(BusInterface.portal("Request", path), "Response") as queue:
            self.call(
                BusInterface.portal(interface),
                method,
                signature,
                *body,
                options | {"handle_token": ("s", token)},
            )
            with _named():
                try:
                    answer = self._connection.recv_until_filtered(queue, timeout=seconds).body
                except TimeoutError as error:
                    raise Interrupted(
                        f"nobody answered the desktop's question about sharing within {seconds:.0f} s: start "
                        "again and answer it"
                    ) from error
        code, results = answer
        if code == DECLINED:
            raise Interrupted("you did not agree to share the screen: start again and agree")
        if code != AGREED:
            raise BusError(f"{interface}.{method} ended without a result")
        return {name: value for name, (_, value) in results.items()}


@contextmanager
def _named() -> Iterator[None]:
    """What goes wrong with the connection, as MissingRequirement."""
    from jeepney.auth import AuthenticationError

    try:
        yield
    except (OSError, EOFError, RuntimeError, KeyError, AuthenticationError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise MissingRequirement(
            f"the session bus (D-Bus) does not answer ({reason}): start again"
        ) from error


FILE = "consent.json"


def state_folder() -> Path:
    """The folder for what lasts between runs and is worth nothing elsewhere."""
    import platformdirs

    return platformdirs.user_state_path("sapper")


@dataclass(frozen=True)
class ConsentTokens:
    """The tokens that are kept in a folder. A file that cannot be read or written only costs a dialog."""

    folder: Path

    def get(self, kind: str) -> str | None:
        """The token for this kind of sharing, None for none."""
        token = self._all().get(kind)
        return token if isinstance(token, str) else None

    def keep(self, kind: str, token: str | None) -> None:
        """Keep this one from now on, or none: each can be used once."""
        known = {name: each for name, each in self._all().items() if name != kind}
        if token:
            known[kind] = token
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            part = self.folder / f"{FILE}.part"
            part.touch(mode=0o600)
            part.write_text(json.dumps(known) + "\n")
            part.replace(self.folder / FILE)

    def _all(self) -> dict[str, object]:
        try:
            data = json.loads((self.folder / FILE).read_text())
        except (OSError, ValueError):
            return {}
        return data if isinstance(data, dict) else {}


Kind = Literal["ScreenCast", "RemoteDesktop"]
CONSENT = 120.0  # seconds that a person gets to answer the desktop's question
MONITOR = 1  # org.freedesktop.portal.ScreenCast: kinds of sources
WITHOUT_POINTER = 1  # and what is done with the pointer in the pictures
KEYBOARD, POINTER = 1, 2  # org.freedesktop.portal.RemoteDesktop: kinds of devices
UNTIL_TAKEN_BACK = 2  # persist_mode: the token is good in other runs too
PERSISTS = {"ScreenCast": 4, "RemoteDesktop": 2}  # the versions of the portals that have tokens
STOPPED = "the screen is not shared with Sapper any more: start again when you want it to go on"


class ScreenShare(Closeable):
    """The screen that a person agreed to share; who `acts` asks for the pointer and the keyboard too.

    `node` is its PipeWire stream, `size` its width and height and `place` its corner, points; each None
    where the desktop does not say. Raises Interrupted when the person says no, MissingRequirement when the
    desktop has no such portal.
    """

    def __init__(self, bus: SessionBus, acts: bool, tokens: ConsentTokens) -> None:
        self._bus = bus
        self._kind: Kind = "RemoteDesktop" if acts else "ScreenCast"
        self._tokens = tokens
        self._ends = ExitStack()
        self._path = ""
        try:
            self._open()
        except BusError as error:
            self.close()
            raise MissingRequirement(
                f"this desktop does not let its screen be {'used' if acts else 'seen'} by other programs "
                f"({error}): use --virtual, or log in to an X11 session"
            ) from error
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        version = int(self._bus.read(BusInterface.portal(self._kind), "version"))
        handle = {"session_handle_token": ("s", f"sapper{secrets.token_hex(8)}")}
        made = self._bus.request(self._kind, "CreateSession", "a{sv}", options=handle)
        self._path = made["session_handle"]
        own = BusInterface.portal("Session", self._path)
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
        portal = BusInterface.portal("ScreenCast")
        (wrapped,) = self._bus.call(portal, "OpenPipeWireRemote", "oa{sv}", self._path, {})
        return int(wrapped.to_raw_fd())

    def check(self) -> None:
        """Raise Interrupted when the person has stopped sharing."""
        self._bus.dispatch()
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
            self._bus.call(BusInterface.portal(self._kind), method, signature, self._path, {}, *values)
        except BusError as error:
            self.check()
            raise Interrupted(
                f"the desktop does not take {method} any more ({error}): start again"
            ) from error

    def close(self) -> None:
        """Stop sharing; a second time does nothing."""
        with suppress(MissingRequirement, BusError):
            if self._path:
                self._bus.call(BusInterface.portal("Session", self._path), "Close")
        self._path = ""
        self._ends.close()
