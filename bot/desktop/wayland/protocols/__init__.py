"""The requests and events of wlroots' protocols that Sapper uses, as pywayland wants them described.

pywayland brings the protocols of Wayland itself, and not these: one file each, as
https://wayland.app/protocols lists them. The number in each request is its place in its interface, and every
request and event up to the last that is used must be there, in order. What a Resource or a Global would be is
a server's affair, and is left out.
"""

from bot.desktop.wayland.protocols.idle import Idle
from bot.desktop.wayland.protocols.layershell import LayerShell
from bot.desktop.wayland.protocols.screencopy import ScreencopyManager
from bot.desktop.wayland.protocols.virtualinput import VirtualKeyboardManager, VirtualPointerManager

__all__ = ["Idle", "LayerShell", "ScreencopyManager", "VirtualKeyboardManager", "VirtualPointerManager"]
