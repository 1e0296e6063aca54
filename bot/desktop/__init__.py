"""The desktop: its windows, its mouse and keyboard (`hands`), virtual screens, processes that are kept.

`backends` chooses what stands behind the ports (`ports`, `windows`, `vision.capture`): X11 in `x11/`,
Wayland in `wayland/`. `trial` tries it out.
"""

from bot.desktop.backends import Kind, kind_of, open_backend, overlay_for
from bot.desktop.hands import Hands
from bot.desktop.overlay import Drawing, OpenOverlay, Overlay
from bot.desktop.ports import X_TOOLKITS, ScreenWindows, Toolkits
from bot.desktop.presses import QUICK, Target, Touch
from bot.desktop.processes import Kept, command_of, state_of
from bot.desktop.trial import try_out
from bot.desktop.virtual import VirtualScreen
from bot.desktop.windows import Box, Window, Windows, find_windows, overlap, window_at, windows_over

__all__ = [
    "QUICK",
    "X_TOOLKITS",
    "Box",
    "Drawing",
    "Hands",
    "Kept",
    "Kind",
    "OpenOverlay",
    "Overlay",
    "ScreenWindows",
    "Target",
    "Toolkits",
    "Touch",
    "VirtualScreen",
    "Window",
    "Windows",
    "command_of",
    "find_windows",
    "kind_of",
    "open_backend",
    "overlap",
    "overlay_for",
    "state_of",
    "try_out",
    "window_at",
    "windows_over",
]
