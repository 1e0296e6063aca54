"""Whether a person uses the mouse or the keyboard, as GNOME's own service says it."""

from __future__ import annotations

import time
from typing import Protocol

from bot.desktop.portals.bus import Bus, Refused, Remote
from bot.desktop.wayland import Activity, Connection

IDLE_MONITOR = Remote(
    "org.gnome.Mutter.IdleMonitor", "/org/gnome/Mutter/IdleMonitor/Core", "org.gnome.Mutter.IdleMonitor"
)
COMES = 3.0  # seconds that the desktop gets to come to an act of Sapper's: it may be drawing, without a card
POLL = 0.002  # seconds between two looks whether it has
LAG = 0.1  # seconds behind that in which a last part of the act may still come


class Watches(Protocol):
    """Somebody who says whether the seat was used by others than Sapper."""

    def is_somebodys(self) -> bool:
        """Whether it was since `forget`."""

    def forget(self) -> None:
        """What was done up to now was Sapper's own doing."""


class IdleMonitor:
    """GNOME says for how long nobody has done anything: if Sapper's last act is older, it was somebody else.

    Portals take an act and pass it on, and the desktop may come to it much later. So that is waited for: no
    press is on its way when the next picture is looked at. Within LAG of an act nobody is heard.
    """

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._acted = time.monotonic()

    def is_somebodys(self) -> bool:
        """Whether anybody did anything since Sapper acted."""
        until = self._acted + LAG
        return time.monotonic() > until and self._last() > until

    def forget(self) -> None:
        """Sapper has just acted; back when the desktop has come to that."""
        asked = time.monotonic()
        while self._last() < asked - POLL and time.monotonic() < asked + COMES:
            time.sleep(POLL)
        self._acted = time.monotonic()

    def _last(self) -> float:
        """When something was done last, on the clock of `time.monotonic`; never later than it was."""
        now = time.monotonic()
        return now - float(self._bus.call(IDLE_MONITOR, "GetIdletime")[0]) / 1000


def activity_on(bus: Bus, connection: Connection) -> Watches:
    """What watches the seat of this desktop; one that reports nothing reports nobody."""
    try:
        bus.call(IDLE_MONITOR, "GetIdletime")
    except Refused:
        return Activity(connection)
    return IdleMonitor(bus)
