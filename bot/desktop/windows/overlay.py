"""The overlay of a Windows desktop: a click-through layered window directly above the board's window.

Windows 10 2004 and newer leave the overlay out of all captures. Elsewhere, it is hidden during each capture.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ctypes import wintypes

assert sys.platform == "win32"

import numpy as np

from bot.desktop.ports import Drawing, PressTarget, window_at
from bot.desktop.windows.user32 import BitmapInfo, Blend, load_gdi32
from bot.desktop.windows.windows import CLICK_THROUGH, EXTENDED_STYLE, KEYS, POPUP, DesktopWindows
from bot.shutdown import Closeable
from games.errors import MissingRequirement
from vision.frame import Capture, Frame, Region

TOPMOST, OUT_OF_TASKBAR, NO_FOCUS = 0x8, 0x80, 0x08000000  # WS_EX_TOPMOST, _TOOLWINDOW, _NOACTIVATE
KEEP_PLACE, KEEP_FOCUS = 0x0001 | 0x0002, 0x0010  # SWP_NOSIZE and _NOMOVE, SWP_NOACTIVATE
ABOVE = 3  # GW_HWNDPREV
HIDE, SHOW = 0, 4  # SW_HIDE, SW_SHOWNOACTIVATE
EXCLUDED_FROM_CAPTURE = 0x11  # WDA_EXCLUDEFROMCAPTURE
WITH_ALPHA = 2  # ULW_ALPHA
NO_REPEAT, HOTKEY, REMOVE = 0x4000, 0x0312, 1  # MOD_NOREPEAT, WM_HOTKEY, PM_REMOVE
REPAINT = 0.1  # seconds; for the program below to draw itself again


class DesktopOverlay(Closeable):
    """See `bot.desktop.ports.Overlay`. Use it in one thread: its window and its keys belong to that thread.

    Raises MissingRequirement if Windows creates no window.
    """

    def __init__(self, windows: DesktopWindows, pictures: Capture, keys: Sequence[str] = ()) -> None:
        self._windows, self._user32, self._gdi32 = windows, windows.user32, load_gdi32()
        style = CLICK_THROUGH | OUT_OF_TASKBAR | NO_FOCUS
        self._id: int | None = self._user32.CreateWindowExW(
            style, "Static", "Sapper marks", POPUP, 0, 0, 1, 1, None, None, None, None
        )
        if not self._id:
            raise MissingRequirement("Windows creates no window for --overlay: leave it out")
        self._is_excluded = bool(self._user32.SetWindowDisplayAffinity(self._id, EXCLUDED_FROM_CAPTURE))
        self.clean_capture: Capture = _CleanCapture(pictures, self)
        self._under: PressTarget | None = None  # the board's window when attached
        self._is_shown = False
        self._keys = dict(enumerate(keys, 1))
        self.taken = tuple(
            name
            for number, name in self._keys.items()
            if not self._user32.RegisterHotKey(None, number, NO_REPEAT, KEYS[name])
        )

    def attach_at(self, x: float, y: float) -> None:
        """Stay directly above the window at this position."""
        window = window_at(self._windows, x, y)
        under = self._windows.target(window.id) if window is not None else None
        if under is None or self._under is None or under.id != self._under.id:
            self.hide()
        self._under = under

    def show(self, drawing: Drawing, left: int, top: int) -> None:
        """Show a drawing with its top left corner at this position."""
        self._draw(drawing, left, top)
        self._is_shown = True
        self._user32.ShowWindow(self._id, SHOW)
        self._stack()
        self.poll_keys()

    def hide(self) -> None:
        """Hide the drawing."""
        if self._is_shown:
            self._user32.ShowWindow(self._id, HIDE)
        self._is_shown = False

    def poll_keys(self) -> list[str]:
        """The keys pressed since the last call; hides the drawing if the window below moved."""
        pressed = []
        message = wintypes.MSG()
        while self._user32.PeekMessageW(ctypes.byref(message), None, 0, 0, REMOVE):
            if message.message == HOTKEY:
                pressed.append(self._keys[message.wParam])
            else:
                self._user32.DispatchMessageW(ctypes.byref(message))
        if self._is_shown and self._under is not None:
            if self._windows.target(self._under.id) != self._under:
                self.hide()
            else:
                self._stack()
        return pressed

    @contextmanager
    def hidden_drawing(self) -> Iterator[None]:
        """Keep the drawing out of captures until the block ends."""
        if self._is_excluded or not self._is_shown:
            yield
            return
        self._user32.ShowWindow(self._id, HIDE)
        if self._under is not None:
            self._windows.is_responsive(self._under.id, REPAINT)
        time.sleep(REPAINT)
        try:
            yield
        finally:
            self._user32.ShowWindow(self._id, SHOW)
            self._stack()

    def close(self) -> None:
        """Remove the overlay; idempotent."""
        id, self._id, self._is_shown = self._id, None, False
        if id is not None:
            for number in self._keys:
                self._user32.UnregisterHotKey(None, number)
            self._user32.DestroyWindow(id)

    def _stack(self) -> None:
        """Stack directly above the window below, so that windows covering that also cover the overlay."""
        above = self._user32.GetWindow(self._under.id, ABOVE) if self._under is not None else None
        if above == self._id:
            return
        if above and self._is_topmost(above) and self._under and not self._is_topmost(self._under.id):
            above = None  # behind it, the overlay would become topmost itself
        self._user32.SetWindowPos(self._id, above, 0, 0, 0, 0, KEEP_PLACE | KEEP_FOCUS)

    def _is_topmost(self, id: int) -> bool:
        return bool(self._user32.GetWindowLongW(id, EXTENDED_STYLE) & TOPMOST)

    def _draw(self, drawing: Drawing, left: int, top: int) -> None:
        height, width = drawing.shape[:2]
        pixels = drawing.copy()
        pixels[:, :, :3] = (drawing[:, :, :3].astype(np.uint16) * drawing[:, :, 3:] + 127) // 255
        memory = self._gdi32.CreateCompatibleDC(None)
        bits = ctypes.c_void_p()
        info = BitmapInfo(ctypes.sizeof(BitmapInfo), width, -height, 1, 32)  # rows from top to bottom
        bitmap = self._gdi32.CreateDIBSection(memory, ctypes.byref(info), 0, ctypes.byref(bits), None, 0)
        before = self._gdi32.SelectObject(memory, bitmap)
        try:
            if bits.value is not None:
                ctypes.memmove(bits.value, pixels.tobytes(), pixels.nbytes)
            self._user32.UpdateLayeredWindow(
                self._id, None, ctypes.byref(wintypes.POINT(left, top)),
                ctypes.byref(wintypes.SIZE(width, height)), memory, ctypes.byref(wintypes.POINT(0, 0)), 0,
                ctypes.byref(Blend(0, 0, 255, 1)), WITH_ALPHA,
            )  # fmt: skip
        finally:
            self._gdi32.SelectObject(memory, before)
            self._gdi32.DeleteObject(bitmap)
            self._gdi32.DeleteDC(memory)


class _CleanCapture(Closeable):
    """Captures the screen without the overlay; satisfies `vision.frame.Capture`."""

    def __init__(self, pictures: Capture, overlay: DesktopOverlay) -> None:
        self._pictures, self._overlay = pictures, overlay

    def grab(self, region: Region | None = None) -> Frame:
        with self._overlay.hidden_drawing():
            return self._pictures.grab(region)
