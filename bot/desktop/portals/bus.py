"""A line to the session bus (D-Bus): calls with a deadline, and the signals that answer a request."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from bot.closing import Closing
from games.errors import Interrupted, MachineLacks

PATIENCE = 20.0  # seconds that a service gets to answer: a desktop without a graphics card draws meanwhile
PORTAL = "org.freedesktop.portal"
DESKTOP = "/org/freedesktop/portal/desktop"
AGREED, DECLINED = 0, 1  # a portal's answer; everything else: it could not


@dataclass(frozen=True)
class Remote:
    """One interface of an object of a service."""

    service: str
    path: str
    interface: str

    @classmethod
    def portal(cls, interface: str, path: str = DESKTOP) -> Remote:
        """A portal, such as `ScreenCast`."""
        return cls(f"{PORTAL}.Desktop", path, f"{PORTAL}.{interface}")


class Refused(Exception):
    """A service answered with an error; its text is that of the service."""


class Bus(Closing):
    """An open connection to the session bus. Used by one thread only.

    Everything raises MachineLacks when the bus cannot be reached, does not answer, or goes away.
    """

    def __init__(self) -> None:
        try:
            from jeepney.io.blocking import open_dbus_connection
        except ImportError as error:
            raise MachineLacks(
                "this Wayland desktop needs the Python package jeepney: pip install 'sapper[wayland]'"
            ) from error
        if not os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
            raise MachineLacks(
                "there is no session bus (DBUS_SESSION_BUS_ADDRESS is not set): run from a terminal of the "
                "desktop itself"
            )
        with _named():
            self._connection: Any = open_dbus_connection(enable_fds=True)

    def close(self) -> None:
        """Hang up; a second time does nothing."""
        self._connection.close()

    def call(self, remote: Remote, method: str, signature: str = "", *body: Any) -> tuple[Any, ...]:
        """What a method answers. Raises Refused."""
        from jeepney import DBusAddress, MessageType, new_method_call

        address = DBusAddress(remote.path, remote.service, remote.interface)
        message = new_method_call(address, method, signature or None, body)
        with _named():
            reply = self._connection.send_and_get_reply(message, timeout=PATIENCE)
        if reply.header.message_type == MessageType.error:
            raise Refused(" ".join(map(str, reply.body)) or "no reason is given")
        answer: tuple[Any, ...] = reply.body
        return answer

    def read(self, remote: Remote, name: str) -> Any:
        """A property. Raises Refused."""
        properties = Remote(remote.service, remote.path, "org.freedesktop.DBus.Properties")
        return self.call(properties, "Get", "ss", remote.interface, name)[0][1]

    @contextmanager
    def heard(self, remote: Remote, signal: str) -> Iterator[Any]:
        """The queue into which this signal of an object goes as long as the block lasts."""
        from jeepney import MatchRule, message_bus

        rule = MatchRule(type="signal", interface=remote.interface, member=signal, path=remote.path)
        with _named():
            self._connection.send_and_get_reply(message_bus.AddMatch(rule), timeout=PATIENCE)
        with self._connection.filter(rule, bufsize=8) as queue:
            yield queue

    def take_in(self) -> None:
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
        no, or nothing; Refused; MachineLacks.
        """
        token = f"sapper{secrets.token_hex(8)}"
        me = self._connection.unique_name[1:].replace(".", "_")
        path = f"{DESKTOP}/request/{me}/{token}"
        with self.heard(Remote.portal("Request", path), "Response") as queue:
            self.call(
                Remote.portal(interface), method, signature, *body, options | {"handle_token": ("s", token)}
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
            raise Refused(f"{interface}.{method} ended without a result")
        return {name: value for name, (_, value) in results.items()}


@contextmanager
def _named() -> Iterator[None]:
    """What goes wrong with the connection, as MachineLacks."""
    from jeepney.auth import AuthenticationError

    try:
        yield
    except (OSError, EOFError, RuntimeError, KeyError, AuthenticationError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise MachineLacks(f"the session bus (D-Bus) does not answer ({reason}): start again") from error
