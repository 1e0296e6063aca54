"""Open a wlroots desktop, and provide the variables for programs on any Wayland desktop."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from functools import partial
from pathlib import Path

from bot.desktop.ports import Backend, Toolkits, Windows
from bot.desktop.wayland.capture import WaylandCapture
from bot.desktop.wayland.connection import WaylandConnection
from bot.desktop.wayland.input import WaylandInput
from bot.desktop.wayland.overlay import WaylandOverlay, WaylandPatternStage
from bot.desktop.wayland.sway import SwayWindows

PICTURES = "zwlr_screencopy_manager_v1"
TAKEN = "you took the mouse, or pressed a key"


@contextmanager
def open_wlroots(connection: WaylandConnection) -> Iterator[Backend]:
    """The desktop of a connection; with SWAYSOCK set, including sway's windows. Raises MissingRequirement."""
    with ExitStack() as stack:
        sway = stack.enter_context(SwayWindows()) if os.environ.get("SWAYSOCK") else None
        gui = WaylandInput(connection, sway.keys.let_through if sway else nullcontext)
        yield Backend(
            sway or Windows(),
            gui,
            presser=gui,
            taken=TAKEN,
            open_grabber=lambda: WaylandCapture(connection),
            toolkits=toolkits(),
            open_overlay=partial(WaylandOverlay, connection, sway) if sway else None,
            open_stage=lambda: nullcontext(WaylandPatternStage(connection)),
        )


def supports_screencopy(connection: WaylandConnection) -> bool:
    """Whether programs can capture this desktop directly, without portals."""
    return connection.offers(PICTURES)


def toolkits() -> Toolkits:
    """Variables that make programs open their windows on this desktop, if necessary through XWayland."""
    name = os.environ.get("WAYLAND_DISPLAY") or "wayland-0"
    socket = Path(os.environ.get("XDG_RUNTIME_DIR", "/run"), name)  # an absolute name is kept
    return {"GDK_BACKEND": "wayland,x11", "QT_QPA_PLATFORM": "wayland;xcb", "WAYLAND_DISPLAY": str(socket)}
