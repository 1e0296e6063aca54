"""Screen sharing through portals: the D-Bus session bus, stored consent, and the shared screen.

A portal request is answered by a signal after the user has answered a dialog. If the portal supports it, it
returns a token that avoids the dialog next time; `ConsentTokens` stores one token per kind of sharing.
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
from games.external import parse_json, read_external_text

PATIENCE = 20.0  # seconds; for a reply, which is slow with software rendering
PORTAL = "org.freedesktop.portal"
DESKTOP = "/org/freedesktop/portal/desktop"
AGREED, DECLINED = 0, 1  # response codes of a portal; all others are failures


@dataclass(frozen=True)
class BusInterface:
    """An interface of an object that a service provides."""

    service: str
    path: str
    interface: str

    @classmethod
    def portal(cls, interface: str, path: str = DESKTOP) -> BusInterface:
        """The interface of a portal such as `ScreenCast`."""
        return cls(f"{PORTAL}.Desktop", path, f"{PORTAL}.{interface}")


class BusError(Exception):
    """An error reply of a service, with the service's text."""


class SessionBus(Closeable):
    """An open connection to the session bus, for one thread only.

    All methods raise MissingRequirement if the bus is unreachable, does not answer or goes away.
    """

    def __init__(self) -> None:
        try:
            from jeepney.io.blocking import open_dbus_connection
        except ImportError as error:
            raise MissingRequirement(
                "this Wayland desktop needs the Python package jeepney: pip install pywayland jeepney"
            ) from error
        if not os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
            raise MissingRequirement(
                "no session bus (DBUS_SESSION_BUS_ADDRESS is not set): run from a terminal of the desktop"
            )
        with _bus_errors():
            self._connection: Any = open_dbus_connection(enable_fds=True)

    def close(self) -> None:
        """Close the connection; idempotent."""
        self._connection.close()

    def call(self, remote: BusInterface, method: str, signature: str = "", *body: Any) -> tuple[Any, ...]:
        """Call a method and return its reply. Raises BusError."""
        from jeepney import DBusAddress, MessageType, new_method_call

        address = DBusAddress(remote.path, remote.service, remote.interface)
        message = new_method_call(address, method, signature or None, body)
        with _bus_errors():
            reply = self._connection.send_and_get_reply(message, timeout=PATIENCE)
        if reply.header.message_type == MessageType.error:
            raise BusError(" ".join(map(str, reply.body)) or "unknown reason")
        answer: tuple[Any, ...] = reply.body
        return answer

    def read(self, remote: BusInterface, name: str) -> Any:
        """Read a property. Raises BusError."""
        properties = BusInterface(remote.service, remote.path, "org.freedesktop.DBus.Properties")
        return self.call(properties, "Get", "ss", remote.interface, name)[0][1]

    @contextmanager
    def heard(self, remote: BusInterface, signal: str) -> Iterator[Any]:
        """A queue that receives this signal of an object until the block ends."""
        from jeepney import MatchRule, message_bus

        rule = MatchRule(type="signal", interface=remote.interface, member=signal, path=remote.path)
        with _bus_errors():
            self._connection.send_and_get_reply(message_bus.AddMatch(rule), timeout=PATIENCE)
        with self._connection.filter(rule, bufsize=8) as queue:
            yield queue

    def dispatch(self) -> None:
        """Process received messages without waiting."""
        with _bus_errors(), suppress(TimeoutError):
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
        """Send a portal request, which may show a dialog, and return its results.

        `options` follow `body` and are included in the signature; `seconds` is the time for the user to
        answer. Raises Interrupted if the user declines or does not answer, BusError, MissingRequirement.
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
            with _bus_errors():
                try:
                    answer = self._connection.recv_until_filtered(queue, timeout=seconds).body
                except TimeoutError as error:
                    raise Interrupted(
                        f"the desktop's screen sharing dialog was not answered within {seconds:.0f} s: "
                        "start again and answer it"
                    ) from error
        code, results = answer
        if code == DECLINED:
            raise Interrupted("screen sharing was declined: start again and allow it")
        if code != AGREED:
            raise BusError(f"{interface}.{method} ended without a result")
        return {name: value for name, (_, value) in results.items()}


@contextmanager
def _bus_errors() -> Iterator[None]:
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
    """Sapper's folder for machine-specific state."""
    import platformdirs

    return platformdirs.user_state_path("sapper")


@dataclass(frozen=True)
class ConsentTokens:
    """Consent tokens stored in a folder. An unreadable or unwritable file only causes another dialog."""

    folder: Path

    def get(self, kind: str) -> str | None:
        """The token for this kind of sharing, or None."""
        token = self._all().get(kind)
        return token if isinstance(token, str) else None

    def keep(self, kind: str, token: str | None) -> None:
        """Replace the stored token, which can be used only once; None removes it."""
        known = {name: each for name, each in self._all().items() if name != kind}
        if token:
            known[kind] = token
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            part = self.folder / f"{FILE}.part"
            part.touch(mode=0o600)
            part.write_text(json.dumps(known) + "\n", encoding="utf-8")
            part.replace(self.folder / FILE)

    def _all(self) -> dict[str, object]:
        try:
            data = parse_json(read_external_text(self.folder / FILE))
        except (OSError, ValueError):
            return {}
        return data if isinstance(data, dict) else {}


Kind = Literal["ScreenCast", "RemoteDesktop"]
CONSENT = 120.0  # seconds; for the user to answer the desktop's dialog
MONITOR = 1  # org.freedesktop.portal.ScreenCast: source type
WITHOUT_POINTER = 1  # org.freedesktop.portal.ScreenCast: cursor mode
KEYBOARD, POINTER = 1, 2  # org.freedesktop.portal.RemoteDesktop: device types
UNTIL_REVOKED = 2  # persist_mode: tokens remain valid after this run
PERSISTS = {"ScreenCast": 4, "RemoteDesktop": 2}  # first portal versions with tokens
STOPPED = "the screen is no longer shared with Sapper: start again to continue"


class ScreenShare(Closeable):
    """A screen shared by the user, with pointer and keyboard permission if `acts`.

    `node` is its PipeWire node, `size` its width and height and `place` its corner (points; None if unknown).
    Raises Interrupted if the user declines, MissingRequirement if the desktop lacks the portal.
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
                f"this desktop does not allow {'remote control' if acts else 'screen capture'} "
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
        persistence = self._persistence_options() if version >= PERSISTS[self._kind] else {}
        sources = {"types": ("u", MONITOR), "multiple": ("b", False), "cursor_mode": ("u", WITHOUT_POINTER)}
        if self._kind == "RemoteDesktop":
            devices = {"types": ("u", KEYBOARD | POINTER)} | persistence
            self._bus.request(self._kind, "SelectDevices", "oa{sv}", self._path, options=devices)
        else:
            sources |= persistence
        self._bus.request("ScreenCast", "SelectSources", "oa{sv}", self._path, options=sources)
        given = self._bus.request(self._kind, "Start", "osa{sv}", self._path, "", options={}, seconds=CONSENT)
        if persistence:
            self._tokens.keep(self._kind, given.get("restore_token"))
        if self._kind == "RemoteDesktop" and not given.get("devices", 0) & POINTER:
            raise Interrupted(
                "the screen is shared without input permission: start again and allow remote interaction in "
                "the desktop's dialog, or use `sapper advise`"
            )
        if not given.get("streams"):
            raise Interrupted("no screen was selected for sharing: start again and select one")
        self.node, about = given["streams"][0]
        size, place = about.get("size"), about.get("position")
        self.size: tuple[int, int] | None = size[1] if size else None
        self.place: tuple[int, int] | None = place[1] if place else None

    def _persistence_options(self) -> dict[str, Any]:
        """Options that make the desktop remember the consent, with the token of an earlier run."""
        token = self._tokens.get(self._kind)
        options: dict[str, Any] = {"persist_mode": ("u", UNTIL_REVOKED)}
        return options | ({"restore_token": ("s", token)} if token else {})

    def pipewire(self) -> int:
        """A new descriptor for the PipeWire connection, to be closed by the caller."""
        portal = BusInterface.portal("ScreenCast")
        (wrapped,) = self._bus.call(portal, "OpenPipeWireRemote", "oa{sv}", self._path, {})
        return int(wrapped.to_raw_fd())

    def check(self) -> None:
        """Raise Interrupted if the user has stopped sharing."""
        self._bus.dispatch()
        if self._closed:
            raise Interrupted(STOPPED)

    def point(self, x: float, y: float) -> None:
        """Move the pointer to a position on the shared screen, points. Raises Interrupted."""
        self._notify("NotifyPointerMotionAbsolute", "oa{sv}udd", self.node, float(x), float(y))

    def button(self, code: int, state: int) -> None:
        """Press (1) or release (0) a button code of linux/input-event-codes.h. Raises Interrupted."""
        self._notify("NotifyPointerButton", "oa{sv}iu", code, state)

    def key(self, code: int, state: int) -> None:
        """Press (1) or release (0) a key code of linux/input-event-codes.h. Raises Interrupted."""
        self._notify("NotifyKeyboardKeycode", "oa{sv}iu", code, state)

    def _notify(self, method: str, signature: str, *values: Any) -> None:
        try:
            self._bus.call(BusInterface.portal(self._kind), method, signature, self._path, {}, *values)
        except BusError as error:
            self.check()
            raise Interrupted(f"the desktop no longer accepts {method} ({error}): start again") from error

    def close(self) -> None:
        """Stop sharing; idempotent."""
        with suppress(MissingRequirement, BusError):
            if self._path:
                self._bus.call(BusInterface.portal("Session", self._path), "Close")
        self._path = ""
        self._ends.close()
