"""Interfaces that every desktop backend implements: windows, input and overlays.

Screen capture has its interface in `vision.frame.Capture`.
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

    `box` is the program's drawing area; `outer` includes the window manager's frame, if any. `level` is the
    stacking position, lowest first. `pid` is None if unknown.
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
    """Queries about the windows of a desktop and the keys that the user holds."""

    def all(self) -> list[Window] | None:
        """All top-level windows, lowest first; None if unknown."""

    def get(self, id: int) -> Window | None:
        """The current state of one window; None if it is gone or unknown."""

    def extent(self, id: int) -> tuple[int, int] | None:
        """Current width and height of one window; a fast query, only for comparisons. None if unknown."""

    def held_keys(self, *names: str) -> bool:
        """Whether one of these keys is held down; False if unknown."""

    def focus(self, id: int) -> None:
        """Give this window the keyboard focus, if possible."""

    def close(self) -> None:
        """Close the connection to the desktop."""


class UnknownWindows:
    """Windows of a desktop that does not report them."""

    def all(self) -> list[Window] | None:
        """Unknown."""
        return None

    def get(self, id: int) -> Window | None:
        """Unknown."""
        return None

    def extent(self, id: int) -> tuple[int, int] | None:
        """Unknown."""
        return None

    def held_keys(self, *names: str) -> bool:
        """Unknown, so False."""
        return False

    def focus(self, id: int) -> None:
        """Not supported; does nothing."""

    def close(self) -> None:
        """Does nothing."""


def window_at(windows: Windows, x: float, y: float) -> Window | None:
    """The topmost visible window at a screen position; None for the bare desktop or if unknown."""
    holding = [w for w in windows.all() or () if w.is_shown and w.contains(x, y)]
    return holding[-1] if holding else None


def find_windows(windows: Windows, title: str) -> list[Window]:
    """The visible windows whose title matches a regular expression, ignoring case; topmost first."""
    pattern = re.compile(title, re.IGNORECASE)
    return [w for w in reversed(windows.all() or ()) if w.is_shown and pattern.search(w.title)]


def windows_over(windows: Windows, id: int, box: Box) -> list[Window]:
    """The visible windows above window `id` that cover part of `box` (screen pixels), topmost first."""
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


# environment variables that make a program open its windows on a desktop; None removes a variable
Toolkits = Mapping[str, str | None]
X_TOOLKITS: Toolkits = {"GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb", "WAYLAND_DISPLAY": None}


class InputBackend(Protocol):
    """A mouse and a keyboard with the interface of the pyautogui module. Positions are points."""

    @property
    def FAILSAFE_POINTS(self) -> Sequence[tuple[int, int]]:  # noqa: N802
        """The corners of the screen: the user moves the pointer there to stop Sapper."""

    @property
    def FailSafeException(self) -> type[Exception]:  # noqa: N802
        """Raised by an act if the pointer is in a corner."""

    def size(self) -> tuple[int, int]:
        """Width and height of the screen."""

    def position(self) -> tuple[float, float] | None:
        """The pointer position; None if unknown, for example after user input."""

    def moveTo(self, x: float, y: float) -> object:  # noqa: N802
        """Move the pointer to a position."""

    def mouseDown(self, x: float, y: float, button: str) -> object:  # noqa: N802
        """Press a button at a position."""

    def mouseUp(self, x: float, y: float, button: str) -> object:  # noqa: N802
        """Release a button at a position."""

    def click(self, x: float, y: float, button: str) -> object:
        """Press and release a button at a position."""

    def hotkey(self, *keys: str) -> object:
        """Press keys together and release them."""


@runtime_checkable
class ScreenWindows(Windows, Protocol):
    """Windows of a desktop on which Sapper can start, observe and click programs."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the screen, in the unit of the window boxes."""


Drawing = NDArray[np.uint8]  # (rows, columns, BGRA), alpha not premultiplied


class Overlay(Protocol):
    """A window above the board's window. It receives no clicks or focus and appears in no captured frame."""

    @property
    def clean_capture(self) -> Capture:
        """Captures the desktop without the overlay."""

    @property
    def taken(self) -> Sequence[str]:
        """The requested keys that are unavailable because another program has bound them."""

    def attach_at(self, x: float, y: float) -> None:
        """Stay directly above the window at this position (points), below any window that covers it."""

    def show(self, drawing: Drawing, left: int, top: int) -> None:
        """Replace the shown drawing; its top left corner is at this position (points)."""

    def hide(self) -> None:
        """Hide the drawing."""

    def poll_keys(self) -> list[str]:
        """The keys pressed in any window since the last call; call it often.

        It also hides the drawing if the window below moved, changed its size or disappeared.
        """


# opens the overlay of a desktop, given its capture and the keys (X names) to receive from every window;
# no other program receives these keys while it is open
OpenOverlay = Callable[[Capture, Sequence[str]], AbstractContextManager[Overlay]]
