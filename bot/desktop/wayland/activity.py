"""Whether a person uses the mouse or the keyboard, as far as a Wayland desktop says it to everybody.

It says when a seat becomes idle and when somebody uses it again (ext-idle-notify, or KDE's older protocol);
not who, nor what was done. Sapper's own acts count, too, but it knows when it acted.
"""

from __future__ import annotations

from typing import Any

from bot.desktop.wayland.connection import Connection

IDLE = 20  # milliseconds without an act after which the next one is reported


class Activity:
    """Watches the seat; a desktop that reports nothing reports nobody."""

    def __init__(self, connection: Connection) -> None:
        from pywayland.protocol.ext_idle_notify_v1 import ExtIdleNotifierV1
        from pywayland.protocol.wayland import WlSeat

        from bot.desktop.wayland.protocols import Idle

        self._connection = connection
        self._is_used = False
        self._watcher: Any = None  # kept: it reports as long as it is there
        seat = connection.bind(WlSeat)
        if connection.offers(ExtIdleNotifierV1.name):
            self._watcher = connection.bind(ExtIdleNotifierV1).get_idle_notification(IDLE, seat)
        elif connection.offers(Idle.name):
            self._watcher = connection.bind(Idle).get_idle_timeout(seat, IDLE)
        if self._watcher is not None:
            self._watcher.dispatcher["resumed"] = self._resumed

    @property
    def is_reported(self) -> bool:
        """Whether this desktop says it at all."""
        return self._watcher is not None

    def is_somebodys(self) -> bool:
        """Whether the seat was used since `forget`."""
        self._connection.take_in()
        return self._is_used

    def forget(self) -> None:
        """What was reported up to now was Sapper's own doing."""
        self._is_used = False

    def _resumed(self, _: Any) -> None:
        self._is_used = True
