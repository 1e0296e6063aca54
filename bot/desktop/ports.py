"""Interfaces of the desktop backends: windows, input, overlays and test patterns.

A backend is a `Backend`, registered in `bot.desktop.backends`. It may leave out everything that its desktop
does not support. Screen capture has its interface in `vision.frame.Capture`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from bot.shutdown import Closeable
from vision.frame import Capture, MssCapture, Region

Box = tuple[int, int, int, int]  # left, top, width, height
Button = Literal["left", "middle", "right"]


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


@dataclass(frozen=True)
class PressTiming:
    """Timing of a press, in seconds: pointer at rest before, button held, pause after the release."""

    hover: float = 0.0
    hold: float = 0.0
    rest: float = 0.0


QUICK = PressTiming()


@dataclass(frozen=True)
class PressTarget:
    """The window to press in, and its position when its board was located.

    `id` is the program's own window, `parent` its parent window, and `top` its ancestor directly below the
    root window (the window manager's frame, or the window itself without one). `box` is the screen area of
    `id` in pixels, including a shadow drawn by the program.
    """

    id: int
    parent: int
    top: int
    box: Box


class ButtonPresser(Protocol):
    """Presses mouse buttons at a screen position."""

    def press(
        self, x: float, y: float, buttons: Sequence[Button], target: PressTarget | None, touch: PressTiming
    ) -> bool:
        """Press buttons together at a position (points) and release them.

        False, with nothing pressed, if the target moved, changed its size or is covered at this position.
        """


GRABBED = "another program has grabbed the mouse, perhaps with an open menu"


class Windows(Closeable):
    """The windows of a desktop, the keys that the user holds, and checks of the window under the pointer.

    Base class of all backends. Each method defaults to "unknown" or "not supported", so a backend overrides
    only what its desktop can do, and `Windows()` describes a desktop that reports nothing.
    """

    @property
    def size(self) -> tuple[int, int] | None:
        """Width and height of the screen, in the unit of the window boxes; None if windows are unknown."""
        return None

    @property
    def origin(self) -> tuple[int, int]:
        """The top left corner of the screen; negative with a monitor left of or above the main one."""
        return 0, 0

    def all(self) -> list[Window] | None:
        """All top-level windows, lowest first; None if unknown."""
        return None

    def get(self, id: int) -> Window | None:
        """The current state of one window; None if it is gone or unknown."""
        return next((window for window in self.all() or () if window.id == id), None)

    def extent(self, id: int) -> tuple[int, int] | None:
        """Current width and height of one window, only for comparisons; None if it is gone or unknown."""
        window = self.get(id)
        return window.box[2:] if window else None

    def target(self, id: int) -> PressTarget | None:
        """The current state of a window as a press target; None if it is gone or cannot be checked."""
        return None

    def same_program(self, id: int, other: int) -> bool:
        """Whether two windows belong to the same program; False if unknown."""
        return False

    def is_popup(self, id: int) -> bool:
        """Whether a window is a menu, drop-down list or tooltip; False if unknown."""
        return False

    def is_responsive(self, id: int, seconds: float) -> bool | None:
        """Whether a window's program processes its events within this time; None if unknown."""
        return None

    @property
    def is_pointer_grabbed(self) -> bool:
        """Whether another program receives all mouse presses, as during an open menu; False if unknown."""
        return False

    def pressed_keys(self, *names: str) -> frozenset[str]:
        """Those of these keys (X names such as `Escape`) that are held or were pressed since the last call.

        Without the keys that Sapper pressed. Empty if unknown.
        """
        return frozenset()

    def focus(self, id: int) -> None:
        """Give this window the keyboard focus, if possible."""

    def dismiss(self, id: int) -> None:
        """Ask a window's program to close it, if possible."""


def window_ids(windows: Windows) -> frozenset[int]:
    """The ids of all windows; empty if unknown."""
    return frozenset(window.id for window in windows.all() or ())


def window_at(windows: Windows, x: float, y: float) -> Window | None:
    """The topmost visible window at a screen position; None for the bare desktop or if unknown."""
    holding = [w for w in windows.all() or () if w.is_shown and w.contains(x, y)]
    return holding[-1] if holding else None


MOST = 0.9  # share of a board that its window contains


def window_of(windows: Windows, box: Box) -> Window | None:
    """The topmost visible window that contains most of a board's box, unlike a dialog over a part of it.

    If there is none, the topmost window at the centre; None for the bare desktop or if unknown.
    """
    left, top, width, height = box
    for window in reversed(windows.all() or ()):
        common = intersection(window.outer, box) if window.is_shown else None
        if common is not None and common[2] * common[3] >= MOST * width * height:
            return window
    return window_at(windows, left + width / 2, top + height / 2)


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
    return intersection(a, b) is not None


def intersection(a: Box, b: Box) -> Box | None:
    """The common area of two boxes, or None."""
    left, top = max(a[0], b[0]), max(a[1], b[1])
    right, bottom = min(a[0] + a[2], b[0] + b[2]), min(a[1] + a[3], b[1] + b[3])
    return (left, top, right - left, bottom - top) if left < right and top < bottom else None


def round_region(region: Region) -> Box:
    """A region rounded to whole units, at least 1x1."""
    left, top, width, height = region
    return round(left), round(top), max(1, round(width)), max(1, round(height))


# environment variables that make a program open its windows on a desktop; None removes a variable
Toolkits = Mapping[str, str | None]
X_TOOLKITS: Toolkits = {"GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb", "WAYLAND_DISPLAY": None}


class InputBackend(Protocol):
    """A pointer and a keyboard with the interface of the pyautogui module. Positions are points."""

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

    def hotkey(self, *keys: str) -> object:
        """Press keys together and release them."""


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


@dataclass(frozen=True)
class ScreenInfo:
    """One screen: its box in points, and its pixels per point as reported by the desktop."""

    name: str
    box: Box
    scale: float


class TestPattern(Protocol):
    """The test pattern of `bot.desktop.self_test`, shown on the screen."""

    def pointer(self) -> tuple[float, float] | None:
        """The pointer position in points from the pattern's corner; None if outside."""


class PatternStage(Protocol):
    """Shows the test pattern on one kind of desktop."""

    def screens(self) -> Sequence[ScreenInfo]:
        """The screens of this desktop."""

    def patch(self, screen: ScreenInfo, left: int, top: int) -> AbstractContextManager[TestPattern]:
        """Show the pattern with its corner at this point until the block ends."""


@dataclass(frozen=True)
class Backend:
    """What a desktop backend provides; everything has a default that works through pyautogui and mss.

    `presser` presses buttons and `hotkey` presses keys in place of `gui` (None: pyautogui). `taken` is the
    message for a pointer that the user has moved. `toolkits` makes started programs open their windows on
    this desktop. `open_overlay` and `open_stage` (self-test patterns) are None where the desktop does not
    support them.
    """

    windows: Windows = field(default_factory=Windows)
    gui: InputBackend | None = None
    presser: ButtonPresser | None = None
    hotkey: Callable[..., object] | None = None
    taken: str = "you took the mouse"
    open_grabber: Callable[[], Capture] = MssCapture
    toolkits: Toolkits = field(default_factory=lambda: X_TOOLKITS)
    open_overlay: OpenOverlay | None = None
    open_stage: Callable[[], AbstractContextManager[PatternStage]] | None = None
