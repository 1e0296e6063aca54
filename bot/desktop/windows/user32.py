"""The functions of Windows that the backend calls, with their types, through ctypes.

ctypes needs less code here than pywin32, which has neither SendInput nor the functions of DWM and of DPI
awareness.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from ctypes import wintypes
from typing import Any, NamedTuple

assert sys.platform == "win32"

PER_MONITOR_AWARE_V2 = -4  # DPI_AWARENESS_CONTEXT
PER_MONITOR_AWARE = 2  # PROCESS_DPI_AWARENESS, Windows 8.1
VIRTUAL_SCREEN = (
    76,
    77,
    78,
    79,
)  # SM_XVIRTUALSCREEN, SM_YVIRTUALSCREEN, SM_CXVIRTUALSCREEN, SM_CYVIRTUALSCREEN
SWAPPED_BUTTONS = 23  # SM_SWAPBUTTON
EXTENDED_FRAME_BOUNDS, CLOAKED = 9, 14  # DWMWINDOWATTRIBUTE

EnumWindowsCallback = ctypes.WINFUNCTYPE(wintypes.BOOL, wintypes.HWND, wintypes.LPARAM)


class MouseInput(ctypes.Structure):
    """MOUSEINPUT."""

    _fields_ = (
        ("dx", wintypes.LONG),
        ("dy", wintypes.LONG),
        ("data", wintypes.DWORD),
        ("flags", wintypes.DWORD),
        ("time", wintypes.DWORD),
        ("extra", ctypes.c_size_t),
    )


class MouseEvent(ctypes.Structure):
    """INPUT with a MOUSEINPUT, the largest member of its union; type 0 is INPUT_MOUSE."""

    _fields_ = (("type", wintypes.DWORD), ("mouse", MouseInput))


class Rectangle(NamedTuple):
    """A box on the virtual screen, pixels; positions left of or above the main monitor are negative."""

    left: int
    top: int
    width: int
    height: int


_TYPES: dict[str, tuple[Any, Sequence[Any]]] = {
    "ClientToScreen": (wintypes.BOOL, (wintypes.HWND, ctypes.c_void_p)),
    "EnumWindows": (wintypes.BOOL, (EnumWindowsCallback, wintypes.LPARAM)),
    "FindWindowExW": (wintypes.HWND, (wintypes.HWND, wintypes.HWND, wintypes.LPCWSTR, wintypes.LPCWSTR)),
    "GetAncestor": (wintypes.HWND, (wintypes.HWND, wintypes.UINT)),
    "GetAsyncKeyState": (wintypes.SHORT, (ctypes.c_int,)),
    "GetClassNameW": (ctypes.c_int, (wintypes.HWND, wintypes.LPWSTR, ctypes.c_int)),
    "GetClientRect": (wintypes.BOOL, (wintypes.HWND, ctypes.c_void_p)),
    "GetCursorPos": (wintypes.BOOL, (ctypes.c_void_p,)),
    "GetSystemMetrics": (ctypes.c_int, (ctypes.c_int,)),
    "GetWindowLongW": (wintypes.LONG, (wintypes.HWND, ctypes.c_int)),
    "GetWindowRect": (wintypes.BOOL, (wintypes.HWND, ctypes.c_void_p)),
    "GetWindowTextW": (ctypes.c_int, (wintypes.HWND, wintypes.LPWSTR, ctypes.c_int)),
    "GetWindowThreadProcessId": (wintypes.DWORD, (wintypes.HWND, ctypes.c_void_p)),
    "IsIconic": (wintypes.BOOL, (wintypes.HWND,)),
    "IsWindow": (wintypes.BOOL, (wintypes.HWND,)),
    "IsWindowVisible": (wintypes.BOOL, (wintypes.HWND,)),
    "PostMessageW": (wintypes.BOOL, (wintypes.HWND, wintypes.UINT, wintypes.WPARAM, wintypes.LPARAM)),
    "SendInput": (wintypes.UINT, (wintypes.UINT, ctypes.c_void_p, ctypes.c_int)),
    "SendMessageTimeoutW": (
        wintypes.LPARAM,
        (
            wintypes.HWND, wintypes.UINT, wintypes.WPARAM, wintypes.LPARAM, wintypes.UINT, wintypes.UINT,
            ctypes.c_void_p,
        ),
    ),
    "SetForegroundWindow": (wintypes.BOOL, (wintypes.HWND,)),
    "WindowFromPoint": (wintypes.HWND, (wintypes.POINT,)),
}  # fmt: skip


def load_user32() -> Any:
    """user32.dll, after a request for positions in physical pixels on every monitor.

    Call it before any other code measures the screen: Windows accepts only the first request of a process.
    """
    user32 = ctypes.WinDLL("user32", use_last_error=True)
    for name, (result, arguments) in _TYPES.items():
        function = getattr(user32, name)
        function.restype, function.argtypes = result, arguments
    try:
        user32.SetProcessDpiAwarenessContext(ctypes.c_void_p(PER_MONITOR_AWARE_V2))
    except AttributeError:  # before Windows 10 1703
        ctypes.WinDLL("shcore").SetProcessDpiAwareness(PER_MONITOR_AWARE)
    return user32


def load_dwmapi() -> Any:
    """dwmapi.dll, the desktop window manager."""
    dwmapi = ctypes.WinDLL("dwmapi")
    dwmapi.DwmGetWindowAttribute.argtypes = (wintypes.HWND, wintypes.DWORD, ctypes.c_void_p, wintypes.DWORD)
    return dwmapi


def virtual_screen(user32: Any) -> Rectangle:
    """All monitors together."""
    return Rectangle(*(user32.GetSystemMetrics(number) for number in VIRTUAL_SCREEN))


def pointer_position(user32: Any) -> tuple[int, int]:
    """The pointer position."""
    point = wintypes.POINT()
    user32.GetCursorPos(ctypes.byref(point))
    return point.x, point.y


def is_wine() -> bool:
    """Whether this is Wine, whose X11 driver moves the pointer back when it handles X events late."""
    return hasattr(ctypes.WinDLL("ntdll"), "wine_get_version")
