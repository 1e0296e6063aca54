"""Whether a person uses the mouse or the keyboard, as GNOME's own service says it.

The mouse and the keyboard of a desktop with portals, under the names of `bot.desktop.ports.Gui`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol, cast

from bot.desktop.input import QUICK, Button, PressTarget, PressTiming
from bot.desktop.portals.share import BusError, BusInterface, ScreenShare, SessionBus
from bot.desktop.wayland.connection import WaylandConnection
from bot.desktop.wayland.input import BUTTONS, FailSafeException, SeatIdleMonitor, key_sequence
from games.errors import MissingRequirement

IDLE_MONITOR = BusInterface(
    "org.gnome.Mutter.IdleMonitor", "/org/gnome/Mutter/IdleMonitor/Core", "org.gnome.Mutter.IdleMonitor"
)
COMES = 3.0  # seconds that the desktop gets to come to an act of Sapper's: it may be drawing, without a card
POLL = 0.002  # seconds between two looks whether it has
LAG = 0.1  # seconds behind that in which a last part of the act may still come


class ActivityMonitor(Protocol):
    """Somebody who says whether the seat was used by others than Sapper."""

    def is_foreign_input(self) -> bool:
        """Whether it was since `forget`."""

    def reset(self) -> None:
        """What was done up to now was Sapper's own doing."""


class GnomeIdleMonitor:
    """GNOME says for how long nobody has done anything: if Sapper's last act is older, it was somebody else.

    Portals take an act and pass it on, and the desktop may come to it much later. So that is waited for: no
    press is on its way when the next picture is looked at. Within LAG of an act nobody is heard.
    """

    def __init__(self, bus: SessionBus) -> None:
        self._bus = bus
        self._acted = time.monotonic()

    def is_foreign_input(self) -> bool:
        """Whether anybody did anything since Sapper acted."""
        until = self._acted + LAG
        return time.monotonic() > until and self._last() > until

    def reset(self) -> None:
        """Sapper has just acted; back when the desktop has come to that."""
        asked = time.monotonic()
        while self._last() < asked - POLL and time.monotonic() < asked + COMES:
            time.sleep(POLL)
        self._acted = time.monotonic()

    def _last(self) -> float:
        """When something was done last, on the clock of `time.monotonic`; never later than it was."""
        now = time.monotonic()
        return now - float(self._bus.call(IDLE_MONITOR, "GetIdletime")[0]) / 1000


def activity_monitor(bus: SessionBus, connection: WaylandConnection) -> ActivityMonitor:
    """What watches the seat of this desktop; one that reports nothing reports nobody."""
    try:
        bus.call(IDLE_MONITOR, "GetIdletime")
    except BusError:
        return SeatIdleMonitor(connection)
    return GnomeIdleMonitor(bus)


FIRST = 0.5  # seconds that programs, and the desktop, get to listen to the first mouse of a sharing


class PortalInput:
    """A pointer and a keyboard on the screen that is shared, whose corner is the point (0, 0).

    It is its own `bot.desktop.input.Presses`: one move and two messages for a click.

    The desktop does not say where the pointer is. It is where it was put until somebody else uses the mouse
    or the keyboard. `size` gives the screen in points. Who only looks has `sharing` None, and every act
    raises MissingRequirement.
    """

    FailSafeException = FailSafeException

    def __init__(
        self,
        sharing: ScreenShare | None,
        size: Callable[[], tuple[int, int]],
        watches: ActivityMonitor,
    ) -> None:
        self._sharing = sharing
        self._size = size
        self._watches = watches
        self._place: tuple[float, float] | None = None
        self._is_known = False  # whether the desktop has made our mouse, and programs listen to it

    @property
    def FAILSAFE_POINTS(self) -> list[tuple[int, int]]:  # noqa: N802 - pyautogui's name
        """The corners of the screen, points."""
        width, height = self._size()
        return [(x, y) for x in (0, width - 1) for y in (0, height - 1)]

    def size(self) -> tuple[int, int]:
        """Width and height of the screen, points."""
        return self._size()

    def position(self) -> tuple[float, float] | None:
        """Where the pointer was put; None where it has not been put, or somebody may have moved it since."""
        if self._place is not None and self._watches.is_foreign_input():
            self._place = None
        return self._place

    def moveTo(self, x: float, y: float) -> None:  # noqa: N802 - pyautogui's name
        """Move the pointer to a place."""
        self._point(x, y)
        self._watches.reset()

    def mouseDown(self, x: float, y: float, button: str = "left") -> None:  # noqa: N802 - pyautogui's name
        """Press a button at a place."""
        self._point(x, y)
        self._acts().button(BUTTONS[button], 1)

    def mouseUp(self, x: float, y: float, button: str = "left") -> None:  # noqa: N802 - pyautogui's name
        """Release a button at a place."""
        self._point(x, y)
        self._acts().button(BUTTONS[button], 0)
        self._watches.reset()

    def click(self, x: float, y: float, button: str = "left") -> None:
        """Press and release a button at a place."""
        self.press(x, y, [cast("Button", button)], None, QUICK)

    def press(
        self, x: float, y: float, buttons: Sequence[Button], target: PressTarget | None, touch: PressTiming
    ) -> bool:
        """Press buttons together at a place and release them; True. What is there cannot be asked here."""
        acts = self._acts()
        self._point(x, y)
        time.sleep(touch.hover)
        down: list[Button] = []
        try:
            for button in buttons:
                down.append(button)
                acts.button(BUTTONS[button], 1)
            time.sleep(touch.hold)
        finally:
            for button in reversed(down):
                acts.button(BUTTONS[button], 0)
            self._watches.reset()
        time.sleep(touch.rest)
        return True

    def hotkey(self, *keys: str) -> None:
        """Press keys together and release them, the last first. Raises UsageError for what is no key."""
        codes, _ = key_sequence(keys)
        acts = self._acts()
        for code in codes:
            acts.key(code, 1)
        for code in reversed(codes):
            acts.key(code, 0)
        self._watches.reset()

    def _point(self, x: float, y: float) -> None:
        acts = self._acts()
        width, height = self._size()
        place = min(max(0.0, x), width - 1.0), min(max(0.0, y), height - 1.0)
        acts.point(*place)
        if not self._is_known:
            time.sleep(FIRST)
            acts.point(*place)
            self._is_known = True
        self._place = (x, y)

    def _acts(self) -> ScreenShare:
        if self._sharing is None:
            raise MissingRequirement("the screen is shared for looking only: nothing can be clicked")
        return self._sharing
