"""What a desktop is made of, whatever it is: the ports that X11 and Wayland stand behind.

Pictures are `vision.capture.Capture`, windows and the keys that a person holds `bot.desktop.windows.Windows`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from bot.desktop.windows import Windows

# Variables that make a program open its windows on a desktop; None: unset.
Toolkits = Mapping[str, str | None]
X_TOOLKITS: Toolkits = {"GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb", "WAYLAND_DISPLAY": None}


class Gui(Protocol):
    """A mouse and a keyboard, under pyautogui's names: the module itself is one.

    Positions are points. `FailSafeException` is what an act raises that finds the pointer in a corner.
    """

    @property
    def FAILSAFE_POINTS(self) -> Sequence[tuple[int, int]]:  # noqa: N802
        """The corners of the screen: a person who puts the pointer there wants to stop."""

    @property
    def FailSafeException(self) -> type[Exception]:  # noqa: N802
        """What an act raises then."""

    def size(self) -> tuple[int, int]:
        """Width and height of the screen."""

    def position(self) -> tuple[float, float] | None:
        """Where the pointer is; None where the desktop does not say, and somebody may have moved it."""

    def moveTo(self, x: float, y: float) -> object:  # noqa: N802
        """Move the pointer to a place."""

    def mouseDown(self, x: float, y: float, button: str) -> object:  # noqa: N802
        """Press a button at a place."""

    def mouseUp(self, x: float, y: float, button: str) -> object:  # noqa: N802
        """Release a button at a place."""

    def click(self, x: float, y: float, button: str) -> object:
        """Press and release a button at a place."""

    def hotkey(self, *keys: str) -> object:
        """Press keys together and release them."""


@runtime_checkable
class ScreenWindows(Windows, Protocol):
    """Windows of a desktop on which programs can be started, watched and clicked."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the screen, in the measure of the windows."""
