"""Mouse and keyboard of a wlroots desktop, with the interface of `bot.desktop.ports.InputBackend`.

The virtual keyboard has the US layout with the keycodes of linux/input-event-codes.h, so that programs that
evaluate keycodes and programs that evaluate characters both see the intended key.

User input is detected by the idle notification of the seat (ext-idle-notify or KDE's older protocol). It does
not name the device, so `SeatIdleMonitor.reset` attributes earlier input to Sapper.
"""

from __future__ import annotations

import contextlib
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from bot.desktop.ports import Box, Button, PressTarget, PressTiming
from bot.desktop.wayland.connection import WaylandConnection
from games.errors import UsageError

# the server resolves the includes from its own XKB data (Debian package xkb-data)
KEYMAP = """xkb_keymap {
    xkb_keycodes { include "evdev+aliases(qwerty)" };
    xkb_types { include "complete" };
    xkb_compat { include "complete" };
    xkb_symbols { include "pc+us+inet(evdev)" };
};
"""
ROWS = ((2, "1234567890-="), (16, "qwertyuiop[]"), (30, "asdfghjkl;'`"), (43, "\\zxcvbnm,./"))
SHIFTED = dict(zip('!@#$%^&*()_+{}:"~|<>?', "1234567890-=[];'`\\,./", strict=True))
NAMED: Mapping[str, int] = {
    "escape": 1, "esc": 1, "backspace": 14, "tab": 15, "enter": 28, "return": 28, "space": 57, " ": 57,
    "f1": 59, "f2": 60, "f3": 61, "f4": 62, "f5": 63, "f6": 64, "f7": 65, "f8": 66, "f9": 67, "f10": 68,
    "f11": 87, "f12": 88, "home": 102, "up": 103, "pageup": 104, "left": 105, "right": 106, "end": 107,
    "down": 108, "pagedown": 109, "insert": 110, "delete": 111, "pause": 119,
}  # fmt: skip
MODIFIERS: Mapping[str, tuple[int, int]] = {  # keycode, modifier bit in the keymap
    "shift": (42, 1),
    "ctrl": (29, 4),
    "alt": (56, 8),
    "win": (125, 64),
    "super": (125, 64),
}


def key_sequence(keys: tuple[str, ...]) -> tuple[list[int], int]:
    """The keycodes of a key combination in order, and its modifier bits.

    Raises UsageError for an unknown key.
    """
    codes: list[int] = []
    held = 0
    characters = {letter: first + place for first, row in ROWS for place, letter in enumerate(row)}
    for key in keys:
        name = key.lower()
        if name in MODIFIERS:
            code, bit = MODIFIERS[name]
            held |= bit
        elif key in SHIFTED or (len(key) == 1 and key != name):
            code, held = characters[SHIFTED.get(key, name)], held | MODIFIERS["shift"][1]
        elif name in NAMED:
            code = NAMED[name]
        elif name in characters:
            code = characters[name]
        else:
            raise UsageError(f"unknown key '{key}': use a key such as n, f2 or escape")
        codes.append(code)
    return codes, held


IDLE = 20  # milliseconds without input after which the next input is reported


class SeatIdleMonitor:
    """Reports user input on the seat; never any if the desktop does not support it."""

    def __init__(self, connection: WaylandConnection) -> None:
        from pywayland.protocol.ext_idle_notify_v1 import ExtIdleNotifierV1
        from pywayland.protocol.wayland import WlSeat

        from bot.desktop.wayland.protocols import Idle

        self._connection = connection
        self._is_used = False
        self._watcher: Any = None  # reports only while it is alive
        seat = connection.bind(WlSeat)
        if connection.offers(ExtIdleNotifierV1.name):
            self._watcher = connection.bind(ExtIdleNotifierV1).get_idle_notification(IDLE, seat)
        elif connection.offers(Idle.name):
            self._watcher = connection.bind(Idle).get_idle_timeout(seat, IDLE)
        if self._watcher is not None:
            self._watcher.dispatcher["resumed"] = self._resumed

    def is_foreign_input(self) -> bool:
        """Whether there was input since `reset`."""
        self._connection.dispatch()
        return self._is_used

    def reset(self) -> None:
        """Attribute all input up to now to Sapper."""
        self._is_used = False

    def _resumed(self, _: Any) -> None:
        self._is_used = True


BUTTONS = {"left": 0x110, "right": 0x111, "middle": 0x112}  # linux/input-event-codes.h
FINE = 64  # pointer steps per point, for fractional positions
POINTER, KEYBOARD = 1, 2  # wl_seat.capability
FIRST = 0.3  # seconds; for programs to register the first mouse or keyboard of a desktop
XKB_TEXT = 1  # wl_keyboard.keymap_format


class ActivityMonitor(Protocol):
    """Reports input by the user, as opposed to Sapper."""

    def is_foreign_input(self) -> bool:
        """Whether the user has used the mouse or keyboard since `reset`."""

    def reset(self) -> None:
        """Attribute all input up to now to Sapper."""


class FailSafeException(Exception):
    """Required by the interface, but never raised: `Input` checks the corners before every act."""


class TrackedPointer(ABC):
    """A pointer on a desktop that does not report its position, and a `bot.desktop.ports.ButtonPresser`.

    It is assumed to be where Sapper put it until there is user input. `_bounds` returns the box of the
    desktop, points.
    """

    FailSafeException = FailSafeException

    @abstractmethod
    def _point(self, x: float, y: float) -> None:
        """Move the pointer to a position, and remember it."""

    @abstractmethod
    def _turn_button(self, button: str, state: int) -> None:
        """Press (1) or release (0) a button."""

    @abstractmethod
    def _settle(self) -> None:
        """Wait until the desktop has processed our input, and attribute it to Sapper."""

    def __init__(self, bounds: Callable[[], Box], activity: ActivityMonitor | None = None) -> None:
        self._bounds = bounds
        self._activity = activity
        self._place: tuple[float, float] | None = None

    @property
    def FAILSAFE_POINTS(self) -> list[tuple[int, int]]:  # noqa: N802 - pyautogui's name
        """The corners of the desktop, points."""
        left, top, width, height = self._bounds()
        return [(x, y) for x in (left, left + width - 1) for y in (top, top + height - 1)]

    def size(self) -> tuple[int, int]:
        """Width and height of the desktop, from its origin to its far corner, points."""
        left, top, width, height = self._bounds()
        return left + width, top + height

    def position(self) -> tuple[float, float] | None:
        """The last position set by Sapper; None before that and after user input."""
        if self._place is not None and self._activity is not None and self._activity.is_foreign_input():
            self._place = None
        return self._place

    def moveTo(self, x: float, y: float) -> None:  # noqa: N802 - pyautogui's name
        """Move the pointer to a position."""
        self._point(x, y)
        self._settle()

    def press(
        self, x: float, y: float, buttons: Sequence[Button], target: PressTarget | None, touch: PressTiming
    ) -> bool:
        """Press buttons together at a position and release them; always True, because nothing is checked."""
        self._point(x, y)
        time.sleep(touch.hover)
        down: list[Button] = []
        try:
            for button in buttons:
                down.append(button)
                self._turn_button(button, 1)
            time.sleep(touch.hold)
        finally:
            for button in reversed(down):
                self._turn_button(button, 0)
            self._settle()
        time.sleep(touch.rest)
        return True


class WaylandInput(TrackedPointer):
    """A virtual pointer and keyboard, created on first use.

    Inside `letting_through`, pressed keys pass Sapper's own key bindings. Raises MissingRequirement if the
    desktop does not support virtual devices or goes away.
    """

    def __init__(
        self,
        connection: WaylandConnection,
        letting_through: Callable[[], AbstractContextManager[None]] = contextlib.nullcontext,
    ) -> None:
        super().__init__(lambda: connection.bounds)
        self._connection = connection
        self._letting_through = letting_through
        self._pointer: Any = None
        self._keyboard: Any = None

    def _point(self, x: float, y: float) -> None:
        if self._pointer is None:
            self._pointer = self._new_pointer()
        left, top, width, height = self._connection.bounds
        across = min(max(0, round((x - left) * FINE)), width * FINE - 1)
        down = min(max(0, round((y - top) * FINE)), height * FINE - 1)
        self._pointer.motion_absolute(_now(), across, down, width * FINE, height * FINE)
        self._pointer.frame()
        self._connection.roundtrip()
        self._place = (x, y)

    def _turn_button(self, button: str, state: int) -> None:
        self._pointer.button(_now(), BUTTONS[button], state)
        self._pointer.frame()
        self._connection.roundtrip()

    def hotkey(self, *keys: str) -> None:
        """Press keys together and release them in reverse order. Raises UsageError for an unknown key."""
        codes, held = key_sequence(keys)
        if self._keyboard is None:
            self._keyboard = self._new_keyboard()
        with self._letting_through():
            self._keyboard.modifiers(held, 0, 0, 0)
            for code in codes:
                self._keyboard.key(_now(), code, 1)
            for code in reversed(codes):
                self._keyboard.key(_now(), code, 0)
            self._keyboard.modifiers(0, 0, 0, 0)
            self._settle()

    def _settle(self) -> None:
        self._connection.roundtrip()
        if self._activity is None:
            self._activity = SeatIdleMonitor(self._connection)
        self._activity.reset()

    def _new_pointer(self) -> Any:
        from bot.desktop.wayland.protocols import VirtualPointerManager

        with self._seat_for(POINTER) as seat:
            return self._connection.bind(VirtualPointerManager).create_virtual_pointer(seat)

    def _new_keyboard(self) -> Any:
        from bot.desktop.wayland.protocols import VirtualKeyboardManager

        text = KEYMAP.encode() + b"\0"
        descriptor = os.memfd_create("sapper-keymap", os.MFD_CLOEXEC)
        try:
            with self._seat_for(KEYBOARD) as seat:
                keyboard = self._connection.bind(VirtualKeyboardManager).create_virtual_keyboard(seat)
                os.write(descriptor, text)
                keyboard.keymap(XKB_TEXT, descriptor, len(text))
                self._connection.roundtrip()
        finally:
            os.close(descriptor)
        return keyboard

    @contextlib.contextmanager
    def _seat_for(self, kind: int) -> Iterator[Any]:
        """The seat for a new device; after the first of its kind, wait until programs have registered it.

        Programs miss events sent before they respond to the seat's new capability.
        """
        from pywayland.protocol.wayland import WlSeat

        heard: list[int] = []
        seat = self._connection.bind(WlSeat)
        seat.dispatcher["capabilities"] = lambda _, kinds: heard.append(kinds)
        self._connection.roundtrip()
        is_first = not (heard and heard[0] & kind)
        yield seat
        self._connection.roundtrip()
        if is_first:
            time.sleep(FIRST)


def _now() -> int:
    return int(time.monotonic() * 1000) & 0xFFFFFFFF
