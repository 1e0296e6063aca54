"""Opens a desktop with portals: a screen that its person shares, its pictures, and hands on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from bot.desktop.input import Hands
from bot.desktop.portals.capture import HOW, GStreamer, PortalGrabber, Stream
from bot.desktop.portals.input import PortalGui, activity_on
from bot.desktop.portals.share import Bus, Refused, Remote, Sharing, Tokens, state_folder
from bot.desktop.ports import NoWindows
from bot.desktop.wayland.backend import TAKEN, Parts
from bot.desktop.wayland.connection import Connection
from games.errors import MachineLacks

ELEMENTS = ("pipewiresrc", "videoconvert", "appsink")


def check_portals() -> None:
    """Raise MachineLacks where this desktop, or this machine, lacks what sharing a screen takes.

    Nobody is asked anything.
    """
    with Bus() as bus:
        for kind in ("ScreenCast", "RemoteDesktop"):
            try:
                bus.read(Remote.portal(kind), "version")
            except Refused as error:
                raise MachineLacks(
                    f"its screen cannot be shared: it has no {kind} portal ({error}); install "
                    "xdg-desktop-portal-gnome, or -kde on KDE, and log in again"
                ) from error
    missing = GStreamer().lacks(*ELEMENTS)
    if missing:
        raise MachineLacks(f"GStreamer has no {', '.join(missing)} here: {HOW}")


def refuse_scaled(points: tuple[int, int] | None, pixels: tuple[int, int]) -> None:
    """Raise MachineLacks for a screen whose points are no pixels: nobody has seen where clicks land there."""
    if points is not None and points != pixels:
        raise MachineLacks(
            f"this screen shows {points[0]}x{points[1]} points in {pixels[0]}x{pixels[1]} pixels, and clicks "
            "were never tried on such a one: set its scale to 100 %, or use --virtual or `sapper advise`"
        )


@contextmanager
def open_portals(connection: Connection, looks_only: bool) -> Iterator[Parts]:
    """The screen that the person agrees to share; who only looks asks for no mouse.

    Raises MachineLacks where the desktop, or this machine, lacks something, Interrupted where the person says
    no.
    """
    with ExitStack() as stack:
        bus = stack.enter_context(Bus())
        sharing = stack.enter_context(Sharing(bus, not looks_only, Tokens(state_folder())))
        stream = stack.enter_context(Stream(sharing.node, sharing.pipewire()))
        if not looks_only:
            refuse_scaled(sharing.size, stream.size)
        windows = NoWindows()
        gui = PortalGui(
            None if looks_only else sharing,
            lambda: sharing.size or stream.size,
            activity_on(bus, connection),
        )
        yield Parts(windows, Hands(windows, gui, TAKEN, gui), lambda: PortalGrabber(sharing, stream))
