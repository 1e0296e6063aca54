"""An X screen: its windows, presses, pictures and overlay, by python3-xlib; `cookies` lets a process in."""

from bot.desktop.x11.cookies import have_cookie_file, new_cookie, write_cookie
from bot.desktop.x11.image import XImageGrabber
from bot.desktop.x11.windows import XWindows, belongs, dismiss, is_popup

__all__ = [
    "XImageGrabber",
    "XWindows",
    "belongs",
    "dismiss",
    "have_cookie_file",
    "is_popup",
    "new_cookie",
    "write_cookie",
]
