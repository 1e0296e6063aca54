"""Mouse input on Windows, with a check of the window under the pointer immediately before each press.

No program can hold the desktop, so a window may still appear between the check and the press: the time of two
function calls. The press itself is one SendInput call that moves and presses; no input of the user comes
between the two.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Sequence
from typing import Any

assert sys.platform == "win32"

from bot.desktop.input import load_pyautogui
from bot.desktop.ports import Button, PressTarget, PressTiming
from bot.desktop.windows.user32 import (
    SWAPPED_BUTTONS,
    MouseEvent,
    MouseInput,
    is_wine,
    pointer_position,
    virtual_screen,
)
from bot.desktop.windows.windows import DesktopWindows
from games.errors import MissingRequirement

FLAGS = {
    "left": (0x02, 0x04),
    "right": (0x08, 0x10),
    "middle": (0x20, 0x40),
}  # MOUSEEVENTF_: pressed, released
SWAPPED: dict[Button, Button] = {"left": "right", "right": "left", "middle": "middle"}
# MOUSEEVENTF_MOVE, _ABSOLUTE and _VIRTUALDESK: positions in 65536ths of all monitors
MOVE = 0x0001 | 0x8000 | 0x4000
LATE = 0.3  # seconds; maximum delay of the pointer behind a move
POLL = 0.004  # seconds between two checks of the pointer


class DesktopButtonPresser:
    """Presses buttons through SendInput. Raises MissingRequirement if Windows blocks all input."""

    def __init__(self, windows: DesktopWindows) -> None:
        self._windows = windows
        self._user32: Any = windows.user32
        self._is_wine = is_wine()

    def press(
        self, x: float, y: float, buttons: Sequence[Button], target: PressTarget | None, touch: PressTiming
    ) -> bool:
        """Press buttons together at a position (pixels) and release them; see `ButtonPresser`."""
        place = int(x), int(y)
        flags = [FLAGS[self._physical(button)] for button in buttons]
        self.move(x, y, target)
        time.sleep(touch.hover)
        if target is not None and not self._windows.is_under_pointer(place, target):
            return False
        try:
            self._send([MOVE, *(pressed for pressed, _ in flags)], place)
            time.sleep(touch.hold)
        finally:
            self._send([released for _, released in reversed(flags)], place)
        if self._is_wine:
            self._let_pointer_settle(target)
        time.sleep(touch.rest)
        return True

    def move(self, x: float, y: float, target: PressTarget | None = None) -> None:
        """Move the pointer to a position (pixels), and wait until it is there.

        Wine may move it back when it handles a late X event. There, the move is repeated until the pointer is
        still in place after the target has processed its events, twice.
        """
        place = int(x), int(y)
        deadline = time.monotonic() + LATE
        checks = 2 if self._is_wine else 1
        self._place_pointer(place)
        while time.monotonic() < deadline:
            if self._is_wine:
                self._let_pointer_settle(target)
            if pointer_position(self._user32) == place:
                checks -= 1
                if not checks:
                    return
            elif self._is_wine:
                checks = 2
                self._place_pointer(place)
            else:
                time.sleep(POLL)

    def _place_pointer(self, place: tuple[int, int]) -> None:
        if self._is_wine:  # SendInput does not move the pointer of the X server, which Wine restores later
            self._user32.SetCursorPos(*place)
        else:
            self._send([MOVE], place)

    def _let_pointer_settle(self, target: PressTarget | None) -> None:
        """Wait until the target has processed its events, and Wine the X events that follow."""
        if target is not None:
            self._windows.is_responsive(target.id, LATE)
        time.sleep(POLL)

    def _physical(self, button: Button) -> Button:
        """The physical button: SendInput ignores that buttons are swapped for left-handed users."""
        return SWAPPED[button] if self._user32.GetSystemMetrics(SWAPPED_BUTTONS) else button

    def _send(self, flags: Sequence[int], place: tuple[int, int]) -> None:
        """Send mouse events that no other input separates; MOVE events go to `place` (pixels)."""
        left, top, width, height = virtual_screen(self._user32)
        # the middle of the pixel: exact for every way of rounding
        x, y = ((2 * (place[0] - left) + 1) << 15) // width, ((2 * (place[1] - top) + 1) << 15) // height
        events = (MouseEvent * len(flags))(
            *(MouseEvent(0, MouseInput(x, y, 0, each, 0, 0)) for each in flags)
        )
        if not self._user32.SendInput(len(flags), events, ctypes.sizeof(MouseEvent)):
            raise MissingRequirement(
                "Windows blocks the mouse: unlock the screen, or start the game without administrator rights"
            )


class DesktopInput:
    """pyautogui for all monitors: its size and its fail-safe corners are those of the main monitor."""

    def __init__(self, windows: DesktopWindows, presser: DesktopButtonPresser) -> None:
        self._gui = gui = load_pyautogui()
        self._windows = windows
        self.moveTo = presser.move
        self.hotkey = gui.hotkey
        self.FailSafeException: type[Exception] = gui.FailSafeException
        self.platformModule = gui.platformModule

    @property
    def FAILSAFE_POINTS(self) -> list[tuple[int, int]]:  # noqa: N802 - the name in pyautogui
        """The corners of the main monitor and of all monitors together."""
        left, top, width, height = virtual_screen(self._windows.user32)
        columns, rows = (left, left + width - 1), (top, top + height - 1)
        return [*self._gui.FAILSAFE_POINTS, *((x, y) for x in columns for y in rows)]

    def size(self) -> tuple[int, int]:
        """Width and height of all monitors together."""
        return self._windows.size

    def position(self) -> tuple[float, float] | None:
        """The pointer position."""
        return pointer_position(self._windows.user32)
