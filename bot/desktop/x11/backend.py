"""Open an X screen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial

from bot.desktop.ports import Backend
from bot.desktop.x11.capture import X11Capture
from bot.desktop.x11.overlay import X11Overlay, X11PatternStage
from bot.desktop.x11.windows import X11Windows
from vision.frame import MssCapture

MSS_DEPTHS = (24, 32)  # colour bits per pixel that mss supports


@contextmanager
def open_x11() -> Iterator[Backend]:
    """The screen that DISPLAY names. Raises MissingRequirement."""
    with X11Windows() as windows:
        yield x11_backend(windows)


def x11_backend(windows: X11Windows) -> Backend:
    """The backend for the screen of an open connection; DISPLAY must name the same screen."""
    return Backend(
        windows,
        presser=(presser := windows.presser()),
        hotkey=windows.hotkey if presser else None,
        open_grabber=MssCapture if windows.depth in MSS_DEPTHS else X11Capture,
        open_overlay=partial(X11Overlay, windows),
        open_stage=lambda: closing(X11PatternStage()),
    )
