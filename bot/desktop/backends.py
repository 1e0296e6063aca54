"""Chooses what stands behind the ports of a desktop: X11, Wayland with wlroots or portals, or others.

The desktop that a session plays on: the person's own, or a virtual screen; its windows and its hands.
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
    """One desktop: `windows` answers what is where, `hands` act, `open_grabber` begins to take pictures.

    `toolkits` are the variables that make a program that is started open its windows there (None: unset);
    `open_stage` shows the pattern of a trial, `open_overlay` marks over a board; None where nobody has tried
    how.
    """

    kind: Kind
    windows: Windows
    hands: Input
    open_grabber: Callable[[], Capture] = MssCapture
    toolkits: Toolkits = field(default_factory=lambda: X_TOOLKITS)
    open_stage: Callable[[], AbstractContextManager[PatternStage]] | None = None
    open_overlay: OpenOverlay | None = None


def detect_backend(environment: Mapping[str, str], platform: str = sys.platform) -> Kind | None:
    """Which kind of desktop these variables name; None for none.

    WAYLAND_DISPLAY goes first: a Wayland session mostly has a DISPLAY, too, on which only those programs are
    that speak X11.
    """
    if platform in ("darwin", "win32"):
        return "system"
    if environment.get("WAYLAND_DISPLAY"):
        return "wayland"
    return "x11" if environment.get("DISPLAY") else None


@contextmanager
def open_backend(wanted: Kind | None = None, looks_only: bool = False) -> Iterator[DesktopBackend]:
    """The person's own desktop, of the wanted kind or of that which `detect_backend` finds.

    Who `looks_only` is given no mouse where the desktop asks its person about that. Raises MachineLacks when
    there is none, or it lacks what Sapper needs, and Interrupted where the person says no.
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
    """A desktop that shows its screen to every program, or one that shares it through portals."""
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
    """What opens overlays on this screen; None where it is no X screen."""
    if not isinstance(windows, X11Windows):
        return None

    def opened(pictures: Capture, keys: Sequence[str]) -> AbstractContextManager[Overlay]:
        from bot.desktop.x11.overlay import X11Overlay

        return X11Overlay(windows, pictures, keys)

    return opened


def open_capture(windows: Windows) -> Callable[[], Capture]:
    """What takes the pictures of a screen: mss, and for colours that it does not know, the X server."""
    if isinstance(windows, X11Windows) and windows.depth not in (24, 32):
        from bot.desktop.x11.capture import X11Capture

        return X11Capture
    return MssCapture


@dataclass(frozen=True)
class Desktop:
    """A place to play: `windows` answers what is where, `hands` act. `is_virtual`: nobody else uses it.

    `open_grabber` begins to take pictures; `toolkits` are variables for programs that are started here;
    `overlays` opens an overlay, None where none can be.
    """

    windows: Windows
    hands: Input
    is_virtual: bool
    open_grabber: Callable[[], Capture] = MssCapture
    toolkits: Toolkits = field(default_factory=lambda: X_TOOLKITS)
    overlays: OpenOverlay | None = None

    def open_overlay(self, pictures: Capture, keys: Sequence[str] = ()) -> AbstractContextManager[Overlay]:
        """An overlay on this desktop, which hears these keys. Raises MachineLacks where none can be."""
        if self.overlays is None:
            raise MissingRequirement(
                "marks over the board need an X11 or a sway desktop: leave out --overlay"
            )
        return self.overlays(pictures, keys)


def has_display() -> bool:
    """Whether there is a screen to play on without making a virtual one."""
    return detect_backend(os.environ) is not None


def parse_screen(text: str) -> tuple[int, int]:
    """`1920x1080` as width and height in pixels. Raises Usage."""
    width, _, height = text.partition("x")
    if not (
        width.isdigit() and height.isdigit() and 200 <= int(width) <= 8192 and 200 <= int(height) <= 8192
    ):
        raise UsageError(f"'{text}' is no screen size: write it as 1280x900 (200 to 8192 each way)")
    return int(width), int(height)


@contextmanager
def open_desktop(
    virtual: bool = False,
    size: tuple[int, int] = (1280, 900),
    window_manager: bool = False,
    backend: Kind | None = None,
    looks_only: bool = False,
) -> Iterator[Desktop]:
    """The person's own desktop, or a virtual screen of this size that ends with the block.

    `backend` is the kind of the person's desktop, where it is not to be found out; who `looks_only` does not
    ask its person for the mouse. Raises MachineLacks when there is no screen, Xvfb is missing, or the mouse
    cannot be used, and Interrupted when the person does not share the screen.
    """
    if virtual:
        with VirtualScreen(*size, window_manager=window_manager) as screen:
            overlays = overlay_for(screen.windows)
            yield Desktop(screen.windows, Input(screen.windows), is_virtual=True, overlays=overlays)
        return
    with open_backend(backend, looks_only) as own:
        yield Desktop(own.windows, own.hands, False, own.open_grabber, own.toolkits, own.open_overlay)
