"""Which windows are on the screen, where, and which lies above which: what is asked of every desktop.

What a desktop is made of, whatever it is: the ports that X11 and Wayland stand behind.

Pictures are `vision.frame.Capture`, windows and the keys that a person holds `bot.desktop.ports.Windows`.

A picture over a board that clicks pass through, and pictures of the screen without it: the port.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from vision.frame import Capture

Box = tuple[int, int, int, int]  # left, top, width, height


@dataclass(frozen=True)
class Window:
    """One top-level window.

    `box` is what the program draws in, `outer` includes the frame of a window manager (the same without one).
    `level` counts from the bottom of the stack. `pid` is None when the window does not say.
    """

    id: int
    title: str
    pid: int | None
    box: Box
    outer: Box
    level: int
    is_shown: bool

    def contains(self, x: float, y: float) -> bool:
        """Whether a screen position lies in the window or its frame."""
        left, top, width, height = self.outer
        return left <= x < left + width and top <= y < top + height


class Windows(Protocol):
    """What Sapper asks a desktop about its windows."""

    def all(self) -> list[Window] | None:
        """Every top-level window, lowest first; None when this desktop does not say."""

    def get(self, id: int) -> Window | None:
        """One window as it is now; None when it is gone or not known."""

    def extent(self, id: int) -> tuple[int, int] | None:
        """Width and height of one window now, quickly, only to be compared; None when that is not known."""

    def held_keys(self, *names: str) -> bool:
        """Whether one of these keys is held down now; False when this desktop does not say."""

    def focus(self, id: int) -> None:
        """Send the keys to this window from now on, where that is possible."""

    def close(self) -> None:
        """Let go of the desktop."""


class UnknownWindows:
    """A desktop that does not say which windows it has (no X11)."""

    def all(self) -> list[Window] | None:
        """None: not known."""
        return None

    def get(self, id: int) -> Window | None:
        """None: not known."""
        return None

    def extent(self, id: int) -> tuple[int, int] | None:
        """None."""
        return None

    def held_keys(self, *names: str) -> bool:
        """False: not known."""
        return False

    def focus(self, id: int) -> None:
        """Nothing: not known how."""

    def close(self) -> None:
        """Nothing to let go of."""


def window_at(windows: Windows, x: float, y: float) -> Window | None:
    """The uppermost shown window at a screen position; None for the bare desktop or when not known."""
    holding = [w for w in windows.all() or () if w.is_shown and w.contains(x, y)]
    return holding[-1] if holding else None


def find_windows(windows: Windows, title: str) -> list[Window]:
    """The shown windows whose title matches a regular expression (case does not count), uppermost first."""
    pattern = re.compile(title, re.IGNORECASE)
    return [w for w in reversed(windows.all() or ()) if w.is_shown and pattern.search(w.title)]


def windows_over(windows: Windows, id: int, box: Box) -> list[Window]:
    """The shown windows above window `id` that cover a part of `box` (screen pixels), uppermost first."""
    everything = windows.all() or []
    own = next((w for w in everything if w.id == id), None)
    if own is None:
        return []
    return [
        w for w in reversed(everything) if w.level > own.level and w.is_shown and boxes_overlap(w.outer, box)
    ]


def boxes_overlap(a: Box, b: Box) -> bool:
    """Whether two boxes share a pixel."""
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


# Variables that make a program open its windows on a desktop; None: unset.
Toolkits = Mapping[str, str | None]
X_TOOLKITS: Toolkits = {"GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb", "WAYLAND_DISPLAY": None}


class InputBackend(Protocol):
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


Drawing = NDArray[np.uint8]  # rows, columns, blue green red alpha; colours are not multiplied by alpha


class Overlay(Protocol):
    """A window over the window of a board. It takes neither clicks nor the keyboard, and is in no picture."""

    @property
    def clean_capture(self) -> Capture:
        """Takes pictures of the desktop as it is without the overlay."""

    @property
    def taken(self) -> Sequence[str]:
        """The keys that it was opened for and does not get: another program has them."""

    def attach_at(self, x: float, y: float) -> None:
        """From now on lie over the window at this place (points), and under whatever lies over that."""

    def show(self, drawing: Drawing, left: int, top: int) -> None:
        """Show this, with its corner at this place (points), in place of what was shown."""

    def hide(self) -> None:
        """Show nothing."""

    def poll_keys(self) -> list[str]:
        """The keys that were pressed since this was last asked, in any window; to be asked often.

        What is shown goes when the window beneath has moved, changed its size or gone.
        """


# Opens the overlay of a desktop: what takes its pictures, and keys (X names) that are heard in any window,
# which no other program gets meanwhile.
OpenOverlay = Callable[[Capture, Sequence[str]], AbstractContextManager[Overlay]]
