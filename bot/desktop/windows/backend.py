"""Open the Windows desktop."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

assert sys.platform == "win32"

from bot.desktop.ports import Backend
from bot.desktop.windows.input import DesktopButtonPresser, DesktopInput
from bot.desktop.windows.overlay import DesktopOverlay
from bot.desktop.windows.windows import DesktopWindows


@contextmanager
def open_windows_desktop() -> Iterator[Backend]:
    """The desktop of this session."""
    with DesktopWindows() as windows:  # first: it sets the DPI awareness of the process
        presser = DesktopButtonPresser(windows)
        yield Backend(
            windows,
            DesktopInput(windows, presser),
            presser,
            toolkits={},
            open_overlay=partial(DesktopOverlay, windows),
        )
