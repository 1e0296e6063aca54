"""Open a desktop through portals: a shared screen, its frames, and input on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from bot.desktop.portals.capture import HOW, GStreamer, PipeWireStream, PortalCapture
from bot.desktop.portals.input import PortalInput, activity_monitor
from bot.desktop.portals.share import (
    BusError,
    BusInterface,
    ConsentTokens,
    ScreenShare,
    SessionBus,
    state_folder,
)
from bot.desktop.ports import Backend
from bot.desktop.wayland.backend import TAKEN, toolkits
from bot.desktop.wayland.connection import WaylandConnection
from games.errors import MissingRequirement

ELEMENTS = ("pipewiresrc", "videoconvert", "appsink")


def check_portals() -> None:
    """Raise MissingRequirement if screen sharing is unavailable; shows no dialog."""
    with SessionBus() as bus:
        for kind in ("ScreenCast", "RemoteDesktop"):
            try:
                bus.read(BusInterface.portal(kind), "version")
            except BusError as error:
                raise MissingRequirement(
                    f"its screen cannot be shared, because it has no {kind} portal ({error}): install "
                    "xdg-desktop-portal-gnome, or -kde on KDE, and log in again"
                ) from error
    missing = GStreamer().lacks(*ELEMENTS)
    if missing:
        raise MissingRequirement(f"GStreamer lacks {', '.join(missing)}: {HOW}")


def require_unscaled(points: tuple[int, int] | None, pixels: tuple[int, int]) -> None:
    """Raise MissingRequirement for a scaled screen, on which clicks are untested."""
    if points is not None and points != pixels:
        raise MissingRequirement(
            f"this screen shows {points[0]}x{points[1]} points in {pixels[0]}x{pixels[1]} pixels, and clicks "
            "are untested on scaled screens: set its scale to 100 %, or use --virtual or `sapper advise`"
        )


@contextmanager
def open_portals(connection: WaylandConnection, looks_only: bool) -> Iterator[Backend]:
    """The screen that the user agrees to share; with `looks_only`, without input permission.

    Raises MissingRequirement if the desktop lacks a requirement, Interrupted if the user denies permission.
    """
    with ExitStack() as stack:
        bus = stack.enter_context(SessionBus())
        sharing = stack.enter_context(ScreenShare(bus, not looks_only, ConsentTokens(state_folder())))
        stream = stack.enter_context(PipeWireStream(sharing.node, sharing.pipewire()))
        if not looks_only:
            require_unscaled(sharing.size, stream.size)
        gui = PortalInput(
            None if looks_only else sharing,
            lambda: sharing.size or stream.size,
            activity_monitor(bus, connection),
        )
        yield Backend(
            gui=gui,
            presser=gui,
            taken=TAKEN,
            open_grabber=lambda: PortalCapture(sharing, stream),
            toolkits=toolkits(),
        )
