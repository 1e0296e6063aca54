"""Select the desktop backend: X11, Wayland (wlroots or portals), or the system desktop of macOS and Windows.

`open_desktop` returns the place to play on: the user's own desktop or a virtual screen.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field
from typing import Literal, get_args

from bot.desktop.input import Input
from bot.desktop.ports import X_TOOLKITS, OpenOverlay, Overlay, Toolkits, UnknownWindows, Windows
from bot.desktop.self_test import PatternStage
from bot.desktop.virtual import VirtualScreen
from bot.desktop.x11.windows import X11Windows
from games.errors import MissingRequirement, UsageError
from vision.frame import Capture, MssCapture

Kind = Literal["x11", "wayland", "system"]  # system: macOS and Windows
NO_DISPLAY = "there is no display: use --virtual, or run from a desktop session"


@dataclass(frozen=True)
class DesktopBackend:
    """The parts of one desktop: window queries, input, and functions that open the other parts.

    `toolkits` contains the environment variables that make started programs open their windows on this
    desktop. `open_stage` (self-test patterns) and `open_overlay` are None where they are not supported.
    """

    kind: Kind
    windows: Windows
    hands: Input
    open_grabber: Callable[[], Capture] = MssCapture
    toolkits: Toolkits = field(default_factory=lambda: X_TOOLKITS)
    open_stage: Callable[[], AbstractContextManager[PatternStage]] | None = None
    open_overlay: OpenOverlay | None = None


def detect_backend(environment: Mapping[str, str], platform: str = sys.platform) -> Kind | None:
    """The kind of desktop that these environment variables name, or None.

    WAYLAND_DISPLAY has precedence: most Wayland sessions also set DISPLAY, but only for X11 programs.
    """
    if platform in ("darwin", "win32"):
        return "system"
    if environment.get("WAYLAND_DISPLAY"):
        return "wayland"
    return "x11" if environment.get("DISPLAY") else None


@contextmanager
def open_backend(wanted: Kind | None = None, looks_only: bool = False) -> Iterator[DesktopBackend]:
    """The user's own desktop, of the given kind or the kind that `detect_backend` finds.

    With `looks_only`, Sapper does not request input permission. Raises MissingRequirement without a usable
    desktop, Interrupted if the user denies permission.
    """
    assert wanted is None or wanted in get_args(Kind)
    kind = wanted or detect_backend(os.environ)
    if kind is None:
        raise MissingRequirement(NO_DISPLAY)
    if kind == "wayland":
        with _open_wayland(looks_only) as backend:
            yield backend
        return
    windows: Windows = X11Windows() if kind == "x11" else UnknownWindows()
    try:
        stage = _x_stage if isinstance(windows, X11Windows) else None
        yield DesktopBackend(
            kind, windows, Input(windows), open_capture(windows), X_TOOLKITS, stage, overlay_for(windows)
        )
    finally:
        windows.close()


@contextmanager
def _open_wayland(looks_only: bool) -> Iterator[DesktopBackend]:
    from bot.desktop.portals.backend import open_portals
    from bot.desktop.wayland.backend import open_wlroots, supports_screencopy, toolkits
    from bot.desktop.wayland.connection import WaylandConnection

    with WaylandConnection() as connection:
        shows = supports_screencopy(connection)
        opened = open_wlroots(connection) if shows else open_portals(connection, looks_only)
        with opened as parts:
            yield DesktopBackend(
                "wayland", parts.windows, parts.hands, parts.open_grabber, toolkits(), parts.open_stage,
                parts.open_overlay,
            )  # fmt: skip


def _x_stage() -> AbstractContextManager[PatternStage]:
    from bot.desktop.x11.overlay import X11PatternStage

    return closing(X11PatternStage())


def overlay_for(windows: Windows) -> OpenOverlay | None:
    """The function that opens overlays on an X screen; None for other windows."""
    if not isinstance(windows, X11Windows):
        return None

    def opened(pictures: Capture, keys: Sequence[str]) -> AbstractContextManager[Overlay]:
        from bot.desktop.x11.overlay import X11Overlay

        return X11Overlay(windows, pictures, keys)

    return opened


def open_capture(windows: Windows) -> Callable[[], Capture]:
    """The capture for a screen: mss, or the X server itself for colour depths that mss does not support."""
    if isinstance(windows, X11Windows) and windows.depth not in (24, 32):
        from bot.desktop.x11.capture import X11Capture

        return X11Capture
    return MssCapture


@dataclass(frozen=True)
class Desktop:
    """The place to play on; a virtual one has no other user.

    `open_grabber` opens a screen capture, `overlays` opens an overlay (None if unsupported), and `toolkits`
    contains environment variables for started programs.
    """

    windows: Windows
    hands: Input
    is_virtual: bool
    open_grabber: Callable[[], Capture] = MssCapture
    toolkits: Toolkits = field(default_factory=lambda: X_TOOLKITS)
    overlays: OpenOverlay | None = None

    def open_overlay(self, pictures: Capture, keys: Sequence[str] = ()) -> AbstractContextManager[Overlay]:
        """An overlay that receives these keys. Raises MissingRequirement if the desktop supports none."""
        if self.overlays is None:
            raise MissingRequirement("--overlay requires an X11 or sway desktop: leave it out")
        return self.overlays(pictures, keys)


def has_display() -> bool:
    """Whether a desktop is available without starting a virtual screen."""
    return detect_backend(os.environ) is not None


def parse_screen(text: str) -> tuple[int, int]:
    """Width and height in pixels of a text such as `1920x1080`. Raises UsageError."""
    width, _, height = text.partition("x")
    if not (
        width.isdigit() and height.isdigit() and 200 <= int(width) <= 8192 and 200 <= int(height) <= 8192
    ):
        raise UsageError(
            f"'{text}' is not a screen size: use WIDTHxHEIGHT such as 1280x900 (200 to 8192 pixels each)"
        )
    return int(width), int(height)


@contextmanager
def open_desktop(
    virtual: bool = False,
    size: tuple[int, int] = (1280, 900),
    window_manager: bool = False,
    backend: Kind | None = None,
    looks_only: bool = False,
) -> Iterator[Desktop]:
    """The user's own desktop, or a virtual screen of this size (pixels) that closes with the block.

    `backend` skips the detection of the desktop kind; with `looks_only`, Sapper does not request input
    permission. Raises MissingRequirement without a screen, Xvfb or a usable mouse, Interrupted if the user
    does not share the screen.
    """
    if virtual:
        with VirtualScreen(*size, window_manager=window_manager) as screen:
            overlays = overlay_for(screen.windows)
            yield Desktop(screen.windows, Input(screen.windows), is_virtual=True, overlays=overlays)
        return
    with open_backend(backend, looks_only) as own:
        yield Desktop(own.windows, own.hands, False, own.open_grabber, own.toolkits, own.open_overlay)
