"""Which windows are on the screen, where, and which lies above which: what is asked of every desktop."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

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

    def holds(self, x: float, y: float) -> bool:
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


class NoWindows:
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
    holding = [w for w in windows.all() or () if w.is_shown and w.holds(x, y)]
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
    return [w for w in reversed(everything) if w.level > own.level and w.is_shown and overlap(w.outer, box)]


def overlap(a: Box, b: Box) -> bool:
    """Whether two boxes share a pixel."""
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]
