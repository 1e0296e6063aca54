"""Mouse and keyboard of a desktop with portals, with the interface of `bot.desktop.ports.InputBackend`.

The desktop does not report the pointer position. It is assumed to be where Sapper put it, until an activity
monitor reports input by the user.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.desktop.portals.share import BusError, BusInterface, ScreenShare, SessionBus
from bot.desktop.wayland.connection import WaylandConnection
from bot.desktop.wayland.input import BUTTONS, ActivityMonitor, SeatIdleMonitor, TrackedPointer, key_sequence
from games.errors import MissingRequirement

IDLE_MONITOR = BusInterface(
    "org.gnome.Mutter.IdleMonitor", "/org/gnome/Mutter/IdleMonitor/Core", "org.gnome.Mutter.IdleMonitor"
)
TIMEOUT = 3.0  # seconds; for the desktop to process our input (slow with software rendering)
POLL = 0.002  # seconds between two queries of the idle time
LAG = 0.1  # seconds after our input in which its last part may still arrive


class GnomeIdleMonitor:
    """Detects user input from GNOME's idle time: the last input is newer than Sapper's last act.

    Portals forward an act, and the desktop may process it much later. `reset` waits for that, so that no
    press is pending when the next frame is captured. Input within LAG of an act is not detected.
    """

    def __init__(self, bus: SessionBus) -> None:
        self._bus = bus
        self._acted = time.monotonic()

    def is_foreign_input(self) -> bool:
        """Whether there was input after Sapper's last act."""
        until = self._acted + LAG
        return time.monotonic() > until and self._last_input() > until

    def reset(self) -> None:
        """Wait until the desktop has processed Sapper's last act."""
        asked = time.monotonic()
        while self._last_input() < asked - POLL and time.monotonic() < asked + TIMEOUT:
            time.sleep(POLL)
        self._acted = time.monotonic()

    def _last_input(self) -> float:
        """Time of the last input on the `time.monotonic` clock; never too late."""
        now = time.monotonic()
        return now - float(self._bus.call(IDLE_MONITOR, "GetIdletime")[0]) / 1000


def activity_monitor(bus: SessionBus, connection: WaylandConnection) -> ActivityMonitor:
    """The activity monitor of this desktop."""
    try:
        bus.call(IDLE_MONITOR, "GetIdletime")
    except BusError:
        return SeatIdleMonitor(connection)
    return GnomeIdleMonitor(bus)


FIRST = 0.5  # seconds; for the desktop and programs to register the virtual mouse of a new session


class PortalInput(TrackedPointer):
    """A pointer and a keyboard on the shared screen, whose corner is the point (0, 0).

    `size` returns the screen size in points. Without input permission, `sharing` is None and every act raises
    MissingRequirement.
    """

    def __init__(
        self, sharing: ScreenShare | None, size: Callable[[], tuple[int, int]], watches: ActivityMonitor
    ) -> None:
        super().__init__(lambda: (0, 0, *size()), watches)
        self._sharing = sharing
        self._watches = watches
        self._is_known = False  # whether the desktop and programs have registered our mouse

    def hotkey(self, *keys: str) -> None:
        """Press keys together and release them in reverse order. Raises UsageError for an unknown key."""
        codes, _ = key_sequence(keys)
        acts = self._input_share()
        for code in codes:
            acts.key(code, 1)
        for code in reversed(codes):
            acts.key(code, 0)
        self._settle()

    def _settle(self) -> None:
        self._watches.reset()

    def _point(self, x: float, y: float) -> None:
        acts = self._input_share()
        width, height = self.size()
        place = min(max(0.0, x), width - 1.0), min(max(0.0, y), height - 1.0)
        acts.point(*place)
        if not self._is_known:
            time.sleep(FIRST)
            acts.point(*place)
            self._is_known = True
        self._place = (x, y)

    def _turn_button(self, button: str, state: int) -> None:
        self._input_share().button(BUTTONS[button], state)

    def _input_share(self) -> ScreenShare:
        if self._sharing is None:
            raise MissingRequirement(
                "the screen is shared without input permission: start again and allow remote interaction"
            )
        return self._sharing
