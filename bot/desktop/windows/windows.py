"""The top-level windows of a Windows desktop."""

from __future__ import annotations

import ctypes
import sys
from ctypes import wintypes
from typing import Any

assert sys.platform == "win32"

from bot.desktop.ports import Box, PressTarget, Window, Windows
from bot.desktop.windows.user32 import (
    CLOAKED,
    EXTENDED_FRAME_BOUNDS,
    EnumWindowsCallback,
    load_dwmapi,
    load_user32,
    pointer_position,
    virtual_screen,
)

ROOT = 2  # GA_ROOT
STYLE, EXTENDED_STYLE = -16, -20  # GWL_STYLE, GWL_EXSTYLE
POPUP, CAPTION = 0x80000000, 0x00C00000  # WS_POPUP, WS_CAPTION
CLICK_THROUGH = 0x00080000 | 0x00000020  # WS_EX_LAYERED and WS_EX_TRANSPARENT
CLOSE, NULL = 0x0010, 0x0000  # WM_CLOSE, WM_NULL
ABORT_IF_HUNG = 2  # SMTO_ABORTIFHUNG
PRESSED = 0x8000  # GetAsyncKeyState: held down now
KEYS = {"Escape": 0x1B, "Pause": 0x13, **{f"F{number}": 0x6F + number for number in range(1, 13)}}  # VK_
LONGEST_TITLE = 512  # characters
# Store apps: a window of ApplicationFrameHost contains the window of the app, which is another process
STORE_FRAME, STORE_APP = "ApplicationFrameWindow", "Windows.UI.Core.CoreWindow"


class DesktopWindows(Windows):
    """The windows of the desktop that this process runs on."""

    def __init__(self) -> None:
        self.user32: Any = load_user32()
        self._dwmapi: Any = load_dwmapi()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of all monitors together, pixels."""
        return virtual_screen(self.user32)[2:]

    @property
    def origin(self) -> tuple[int, int]:
        """The top left corner of all monitors together."""
        return virtual_screen(self.user32)[:2]

    def all(self) -> list[Window] | None:
        """All top-level windows that have an area and receive clicks, lowest first."""
        ids: list[int] = []

        def add(id: int, _: int) -> bool:
            ids.append(id)
            return True

        self.user32.EnumWindows(EnumWindowsCallback(add), 0)  # topmost first
        found = (self._describe(id, level) for level, id in enumerate(reversed(ids)))
        return [window for window in found if window is not None]

    def extent(self, id: int) -> tuple[int, int] | None:
        """Current width and height of the drawing area of one window; None if it is gone."""
        box = self._client_box(id)
        return box[2:] if box else None

    def target(self, id: int) -> PressTarget | None:
        """The current state of a window as a press target; None if it is gone."""
        box = self._client_box(id)
        return PressTarget(id, id, id, box) if box else None

    def is_under_pointer(self, place: tuple[int, int], target: PressTarget) -> bool:
        """Whether the pointer is at this position, over the unchanged target.

        Windows ignores click-through, hidden and disabled windows here, as it does for clicks.
        """
        under = self.user32.WindowFromPoint(wintypes.POINT(*place))
        return (
            pointer_position(self.user32) == place
            and bool(under)
            and self.user32.GetAncestor(under, ROOT) == target.top
            and self._client_box(target.id) == target.box
        )

    def same_program(self, id: int, other: int) -> bool:
        """Whether two windows belong to the same process."""
        pid = self._process(id)
        return id == other or (pid is not None and pid == self._process(other))

    def is_popup(self, id: int) -> bool:
        """Whether a window is a menu, drop-down list or tooltip: a pop-up window without a title bar."""
        style = self.user32.GetWindowLongW(id, STYLE)
        return bool(style & POPUP) and style & CAPTION != CAPTION

    def is_responsive(self, id: int, seconds: float) -> bool | None:
        """Whether a window's program has processed its messages within this time; None if it is gone."""
        answer = wintypes.DWORD()
        wait = round(seconds * 1000)
        if self.user32.SendMessageTimeoutW(id, NULL, 0, 0, ABORT_IF_HUNG, wait, ctypes.byref(answer)):
            return True
        return False if self.user32.IsWindow(id) else None

    def pressed_keys(self, *names: str) -> frozenset[str]:
        """Those of these keys (X names such as `Escape`) that are held down; shorter presses are missed."""
        states = {name: self.user32.GetAsyncKeyState(KEYS[name]) for name in names if name in KEYS}
        return frozenset(name for name, state in states.items() if state & PRESSED)

    def focus(self, id: int) -> None:
        """Bring this window to the front with the keyboard focus, if Windows permits."""
        self.user32.SetForegroundWindow(id)

    def dismiss(self, id: int) -> None:
        """Ask a window's program to close it."""
        self.user32.PostMessageW(id, CLOSE, 0, 0)

    def _describe(self, id: int, level: int) -> Window | None:
        """A visible window; None without an area, if clicks pass through it, or if it is gone."""
        box, outer = self._client_box(id), self._outer_box(id)
        if not self.user32.IsWindowVisible(id) or box is None or outer is None or not outer[2] * outer[3]:
            return None
        if self.user32.GetWindowLongW(id, EXTENDED_STYLE) & CLICK_THROUGH == CLICK_THROUGH:
            return None
        title = ctypes.create_unicode_buffer(LONGEST_TITLE)
        self.user32.GetWindowTextW(id, title, LONGEST_TITLE)
        is_shown = not self.user32.IsIconic(id) and not self._is_cloaked(id)
        return Window(id, title.value, self._process(id), box, outer, level, is_shown)

    def _process(self, id: int) -> int | None:
        """The process of a window; of the app in the frame window of a store app."""
        name = ctypes.create_unicode_buffer(len(STORE_FRAME) + 2)
        self.user32.GetClassNameW(id, name, len(name))
        app = self.user32.FindWindowExW(id, None, STORE_APP, None) if name.value == STORE_FRAME else None
        pid = wintypes.DWORD()
        self.user32.GetWindowThreadProcessId(app or id, ctypes.byref(pid))
        return pid.value or None

    def _client_box(self, id: int) -> Box | None:
        """The drawing area of a program; None if the window is gone."""
        area, corner = wintypes.RECT(), wintypes.POINT()
        if not self.user32.GetClientRect(id, ctypes.byref(area)):
            return None
        self.user32.ClientToScreen(id, ctypes.byref(corner))
        return corner.x, corner.y, area.right, area.bottom

    def _outer_box(self, id: int) -> Box | None:
        """The visible frame, without the invisible resize borders; None if the window is gone."""
        area = wintypes.RECT()
        if not self._query_dwm(id, EXTENDED_FRAME_BOUNDS, area) and not self.user32.GetWindowRect(
            id, ctypes.byref(area)
        ):
            return None
        return area.left, area.top, area.right - area.left, area.bottom - area.top

    def _is_cloaked(self, id: int) -> bool:
        """Whether a window is on another virtual desktop, or belongs to a suspended app."""
        reason = wintypes.DWORD()
        return self._query_dwm(id, CLOAKED, reason) and bool(reason.value)

    def _query_dwm(self, id: int, attribute: int, answer: Any) -> bool:
        """Whether the desktop window manager knows an attribute; it is written to `answer`."""
        size = ctypes.sizeof(answer)
        return not self._dwmapi.DwmGetWindowAttribute(id, attribute, ctypes.byref(answer), size)
