"""Open the place to play on: the user's own desktop or a virtual screen.

A new desktop backend needs a case in `_open_backend`, and its name in `Kind` and in the option `--backend`
(`bot/cli/common_options.py`; then run `python -m tools.command_reference`). A case in `detect_backend`
selects it automatically. The backend is a `Backend` (`bot/desktop/ports.py`); `Backend()` without arguments
uses pyautogui and mss for everything.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Literal

from bot.desktop.input import Input, InputMonitor
from bot.desktop.ports import Backend, Overlay, Windows
from games.errors import MissingRequirement, UsageError
from vision.frame import Capture

Kind = Literal["x11", "wayland", "system"]  # system: macOS and Windows
NO_DISPLAY = "there is no display: use --virtual, or run from a desktop session"


def detect_backend(environment: Mapping[str, str], platform: str = sys.platform) -> Kind | None:
    """The kind of desktop that these environment variables name, or None.

    WAYLAND_DISPLAY has precedence: most Wayland sessions also set DISPLAY, but only for X11 programs.
    """
    if platform in ("darwin", "win32"):
        return "system"
    if environment.get("WAYLAND_DISPLAY"):
        return "wayland"
    return "x11" if environment.get("DISPLAY") else None


def _open_backend(kind: Kind, looks_only: bool) -> AbstractContextManager[Backend]:
    match kind:
        case "x11":
            from bot.desktop.x11.backend import open_x11

            return open_x11()
        case "wayland":
            return _open_wayland(looks_only)
        case "system":
            return _open_system()


def _open_system() -> AbstractContextManager[Backend]:
    desktop: AbstractContextManager[Backend]
    if sys.platform == "win32":
        from bot.desktop.windows.backend import open_windows_desktop

        desktop = open_windows_desktop()
    else:
        desktop = nullcontext(Backend())  # macOS
    return desktop


@contextmanager
def _open_wayland(looks_only: bool) -> Iterator[Backend]:
    from bot.desktop.portals.backend import open_portals
    from bot.desktop.wayland.backend import open_wlroots, supports_screencopy
    from bot.desktop.wayland.connection import WaylandConnection

    with WaylandConnection() as connection:
        shows = supports_screencopy(connection)
        with open_wlroots(connection) if shows else open_portals(connection, looks_only) as backend:
            yield backend


@dataclass(frozen=True)
class Desktop:
    """The place to play on; a virtual one has no other user."""

    backend: Backend
    controls: Input
    is_virtual: bool

    @property
    def windows(self) -> Windows:
        """The windows of this desktop."""
        return self.backend.windows

    def open_grabber(self) -> Capture:
        """A capture of the screen."""
        return self.backend.open_grabber()

    def open_overlay(self, pictures: Capture, keys: Sequence[str] = ()) -> AbstractContextManager[Overlay]:
        """An overlay that receives these keys. Raises MissingRequirement if the desktop supports none."""
        if self.backend.open_overlay is None:
            raise MissingRequirement("--overlay requires X11, sway or Windows: leave it out")
        return self.backend.open_overlay(pictures, keys)


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
    kind: Kind | None = None,
    looks_only: bool = False,
    monitor: InputMonitor | None = None,
) -> Iterator[Desktop]:
    """The user's own desktop, or a virtual screen of this size (pixels) that closes with the block.

    `kind` skips the detection of the desktop kind; with `looks_only`, Sapper does not request input
    permission. Raises MissingRequirement without a screen, Xvfb or a usable mouse, Interrupted if the user
    does not share the screen.
    """
    if virtual:
        from bot.desktop.virtual import virtual_screen
        from bot.desktop.x11.backend import x11_backend

        with virtual_screen(*size, window_manager) as windows:
            backend = x11_backend(windows)
            yield Desktop(backend, Input(backend, monitor), is_virtual=True)
        return
    kind = kind or detect_backend(os.environ)
    if kind is None:
        raise MissingRequirement(NO_DISPLAY)
    with _open_backend(kind, looks_only) as backend:
        yield Desktop(backend, Input(backend, monitor), is_virtual=False)
