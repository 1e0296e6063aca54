"""Opens a desktop with portals: a screen that its person shares, its pictures, and hands on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from bot.desktop.input import Input
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
from bot.desktop.ports import UnknownWindows
from bot.desktop.wayland.backend import TAKEN, BackendParts
from bot.desktop.wayland.connection import WaylandConnection
from games.errors import MissingRequirement

ELEMENTS = ("pipewiresrc", "videoconvert", "appsink")


def check_portals() -> None:
    """Raise MissingRequirement where this desktop, or this machine, lacks what sharing a screen takes.

    Nobody is asked anything.
    """
    with SessionBus() as bus:
        for kind in ("ScreenCast", "RemoteDesktop"):
            try:
                bus.read(BusInterface.portal(kind), "version")
            except BusError as error:
                raise MissingRequirement(
                    f"its screen cannot be shared: it has no {kind} portal ({error}); install "
                    "xdg-desktop-portal-gnome, or -kde on KDE, and log in again"
                ) from error
    missing = GStreamer().lacks(*ELEMENTS)
    if missing:
        raise MissingRequirement(f"GStreamer has no {', '.join(missing)} here: {HOW}")


def require_unscaled(points: tuple[int, int] | None, pixels: tuple[int, int]) -> None:
    """Raise MissingRequirement for a screen whose points are no pixels: nobody has seen where clicks land there."""
    if points is not None and points != pixels:
        raise MissingRequirement(
            f"this screen shows {points[0]}x{points[1]} points in {pixels[0]}x{pixels[1]} pixels, and clicks "
            "were never tried on such a one: set its scale to 100 %, or use --virtual or `sapper advise`"
        )


@contextmanager
def open_portals(connection: WaylandConnection, looks_only: bool) -> Iterator[BackendParts]:
    """The screen that the person agrees to share; who only looks asks for no mouse.

    Raises MissingRequirement where the desktop, or this machine, lacks something, Interrupted where the person says
    no.
    """
    with ExitStack() as stack:
        bus = stack.enter_context(SessionBus())
        sharing = stack.enter_context(ScreenShare(bus, not looks_only, ConsentTokens(state_folder())))
        stream = stack.enter_context(PipeWireStream(sharing.node, sharing.pipewire()))
        if not looks_only:
            require_unscaled(sharing.size, stream.size)
        windows = UnknownWindows()
        gui = PortalInput(
            None if looks_only else sharing,
            lambda: sharing.size or stream.size,
            activity_monitor(bus, connection),
        )
        yield BackendParts(windows, Input(windows, gui, TAKEN, gui), lambda: PortalCapture(sharing, stream))
