"""Chooses what stands behind the ports of a desktop: X11, Wayland with wlroots or portals, or others."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field
from typing import Literal, get_args

from bot.desktop.hands import Hands
from bot.desktop.overlay import OpenOverlay, Overlay
from bot.desktop.ports import X_TOOLKITS, Toolkits
from bot.desktop.trial import Stage
from bot.desktop.windows import NoWindows, Windows
from bot.desktop.x11 import XWindows
from games.errors import MachineLacks
from vision.capture import Capture, Grabber

Kind = Literal["x11", "wayland", "system"]  # system: macOS and Windows
NO_DISPLAY = "there is no display: use --virtual, or run from a desktop session"


@dataclass(frozen=True)
class Backend:
    """One desktop: `windows` answers what is where, `hands` act, `open_grabber` begins to take pictures.

    `toolkits` are the variables that make a program that is started open its windows there (None: unset);
    `open_stage` shows the pattern of a trial, `open_overlay` marks over a board; None where nobody has tried
    how.
    """

    kind: Kind
    windows: Windows
    hands: Hands
    open_grabber: Callable[[], Capture] = Grabber
    toolkits: Toolkits = field(default_factory=lambda: X_TOOLKITS)
    open_stage: Callable[[], AbstractContextManager[Stage]] | None = None
    open_overlay: OpenOverlay | None = None


def kind_of(environment: Mapping[str, str], platform: str = sys.platform) -> Kind | None:
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
def open_backend(wanted: Kind | None = None, looks_only: bool = False) -> Iterator[Backend]:
    """The person's own desktop, of the wanted kind or of that which `kind_of` finds.

    Who `looks_only` is given no mouse where the desktop asks its person about that. Raises MachineLacks when
    there is none, or it lacks what Sapper needs, and Interrupted where the person says no.
    """
    assert wanted is None or wanted in get_args(Kind)
    kind = wanted or kind_of(os.environ)
    if kind is None:
        raise MachineLacks(NO_DISPLAY)
    if kind == "wayland":
        with _open_wayland(looks_only) as backend:
            yield backend
        return
    windows: Windows = XWindows() if kind == "x11" else NoWindows()
    try:
        stage = _x_stage if isinstance(windows, XWindows) else None
        yield Backend(
            kind, windows, Hands(windows), grabber_for(windows), X_TOOLKITS, stage, overlay_for(windows)
        )
    finally:
        windows.close()


@contextmanager
def _open_wayland(looks_only: bool) -> Iterator[Backend]:
    """A desktop that shows its screen to every program, or one that shares it through portals."""
    from bot.desktop.portals import open_portals
    from bot.desktop.wayland import Connection, open_wlroots, shows_itself, toolkits

    with Connection() as connection:
        shows = shows_itself(connection)
        opened = open_wlroots(connection) if shows else open_portals(connection, looks_only)
        with opened as parts:
            yield Backend(
                "wayland", parts.windows, parts.hands, parts.open_grabber, toolkits(), parts.open_stage,
                parts.open_overlay,
            )  # fmt: skip


def _x_stage() -> AbstractContextManager[Stage]:
    from bot.desktop.x11.stage import XStage

    return closing(XStage())


def overlay_for(windows: Windows) -> OpenOverlay | None:
    """What opens overlays on this screen; None where it is no X screen."""
    if not isinstance(windows, XWindows):
        return None

    def opened(pictures: Capture, keys: Sequence[str]) -> AbstractContextManager[Overlay]:
        from bot.desktop.x11.overlay import XOverlay

        return XOverlay(windows, pictures, keys)

    return opened


def grabber_for(windows: Windows) -> Callable[[], Capture]:
    """What takes the pictures of a screen: mss, and for colours that it does not know, the X server."""
    if isinstance(windows, XWindows) and windows.depth not in (24, 32):
        from bot.desktop.x11 import XImageGrabber

        return XImageGrabber
    return Grabber
