"""The functions of Windows that the backend calls, with their types, through ctypes.

ctypes needs less code here than pywin32, which has neither SendInput nor the functions of DWM and of DPI
awareness.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping, Sequence
from ctypes import wintypes
from typing import Any, NamedTuple

assert sys.platform == "win32"

PER_MONITOR_AWARE_V2 = -4  # DPI_AWARENESS_CONTEXT
PER_MONITOR_AWARE = 2  # PROCESS_DPI_AWARENESS, Windows 8.1
VIRTUAL_SCREEN = 76, 77, 78, 79  # SM_XVIRTUALSCREEN, _YVIRTUALSCREEN, _CXVIRTUALSCREEN, _CYVIRTUALSCREEN
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


class BitmapInfo(ctypes.Structure):
    """BITMAPINFOHEADER; the omitted sizes and colours are 0."""

    _fields_ = (
        ("size", wintypes.DWORD),
        ("width", wintypes.LONG),
        ("height", wintypes.LONG),
        ("planes", wintypes.WORD),
        ("bits", wintypes.WORD),
        ("compression", wintypes.DWORD),
        ("other", wintypes.DWORD * 5),
    )


class Blend(ctypes.Structure):
    """BLENDFUNCTION: operation, flags, opacity, and whether the pixels have an alpha channel (1)."""

    _fields_ = tuple((name, wintypes.BYTE) for name in ("operation", "flags", "opacity", "format"))


class Rectangle(NamedTuple):
    """A box on the virtual screen, pixels; positions left of or above the main monitor are negative."""

    left: int
    top: int
    width: int
    height: int


_TYPES: dict[str, tuple[Any, Sequence[Any]]] = {
    "ClientToScreen": (wintypes.BOOL, (wintypes.HWND, ctypes.c_void_p)),
    "CreateWindowExW": (
        wintypes.HWND,
        (
            wintypes.DWORD, wintypes.LPCWSTR, wintypes.LPCWSTR, wintypes.DWORD, *4 * (ctypes.c_int,),
            wintypes.HWND, wintypes.HMENU, wintypes.HINSTANCE, ctypes.c_void_p,
        ),
    ),
    "DestroyWindow": (wintypes.BOOL, (wintypes.HWND,)),
    "DispatchMessageW": (wintypes.LPARAM, (ctypes.c_void_p,)),
    "EnumWindows": (wintypes.BOOL, (EnumWindowsCallback, wintypes.LPARAM)),
    "FindWindowExW": (wintypes.HWND, (wintypes.HWND, wintypes.HWND, wintypes.LPCWSTR, wintypes.LPCWSTR)),
    "GetAncestor": (wintypes.HWND, (wintypes.HWND, wintypes.UINT)),
    "GetAsyncKeyState": (wintypes.SHORT, (ctypes.c_int,)),
    "GetClassNameW": (ctypes.c_int, (wintypes.HWND, wintypes.LPWSTR, ctypes.c_int)),
    "GetClientRect": (wintypes.BOOL, (wintypes.HWND, ctypes.c_void_p)),
    "GetCursorPos": (wintypes.BOOL, (ctypes.c_void_p,)),
    "GetSystemMetrics": (ctypes.c_int, (ctypes.c_int,)),
    "GetWindow": (wintypes.HWND, (wintypes.HWND, wintypes.UINT)),
    "GetWindowLongW": (wintypes.LONG, (wintypes.HWND, ctypes.c_int)),
    "GetWindowRect": (wintypes.BOOL, (wintypes.HWND, ctypes.c_void_p)),
    "GetWindowTextW": (ctypes.c_int, (wintypes.HWND, wintypes.LPWSTR, ctypes.c_int)),
    "GetWindowThreadProcessId": (wintypes.DWORD, (wintypes.HWND, ctypes.c_void_p)),
    "IsIconic": (wintypes.BOOL, (wintypes.HWND,)),
    "IsWindow": (wintypes.BOOL, (wintypes.HWND,)),
    "IsWindowVisible": (wintypes.BOOL, (wintypes.HWND,)),
    "PeekMessageW": (wintypes.BOOL, (ctypes.c_void_p, wintypes.HWND, *3 * (wintypes.UINT,))),
    "PostMessageW": (wintypes.BOOL, (wintypes.HWND, wintypes.UINT, wintypes.WPARAM, wintypes.LPARAM)),
    "RegisterHotKey": (wintypes.BOOL, (wintypes.HWND, ctypes.c_int, wintypes.UINT, wintypes.UINT)),
    "SendInput": (wintypes.UINT, (wintypes.UINT, ctypes.c_void_p, ctypes.c_int)),
    "SendMessageTimeoutW": (
        wintypes.LPARAM,
        (
            wintypes.HWND, wintypes.UINT, wintypes.WPARAM, wintypes.LPARAM, wintypes.UINT, wintypes.UINT,
            ctypes.c_void_p,
        ),
    ),
    "SetForegroundWindow": (wintypes.BOOL, (wintypes.HWND,)),
    "SetWindowDisplayAffinity": (wintypes.BOOL, (wintypes.HWND, wintypes.DWORD)),
    "SetWindowPos": (wintypes.BOOL, (wintypes.HWND, wintypes.HWND, *4 * (ctypes.c_int,), wintypes.UINT)),
    "ShowWindow": (wintypes.BOOL, (wintypes.HWND, ctypes.c_int)),
    "UnregisterHotKey": (wintypes.BOOL, (wintypes.HWND, ctypes.c_int)),
    "UpdateLayeredWindow": (
        wintypes.BOOL,
        (
            wintypes.HWND, wintypes.HDC, ctypes.c_void_p, ctypes.c_void_p, wintypes.HDC, ctypes.c_void_p,
            wintypes.DWORD, ctypes.c_void_p, wintypes.DWORD,
        ),
    ),
    "WindowFromPoint": (wintypes.HWND, (wintypes.POINT,)),
}  # fmt: skip

_GDI_TYPES: dict[str, tuple[Any, Sequence[Any]]] = {
    "CreateCompatibleDC": (wintypes.HDC, (wintypes.HDC,)),
    "CreateDIBSection": (
        wintypes.HBITMAP,
        (wintypes.HDC, ctypes.c_void_p, wintypes.UINT, ctypes.c_void_p, wintypes.HANDLE, wintypes.DWORD),
    ),
    "DeleteDC": (wintypes.BOOL, (wintypes.HDC,)),
    "DeleteObject": (wintypes.BOOL, (wintypes.HGDIOBJ,)),
    "SelectObject": (wintypes.HGDIOBJ, (wintypes.HDC, wintypes.HGDIOBJ)),
}  # fmt: skip


def load_user32() -> Any:
    """user32.dll, after a request for positions in physical pixels on every monitor.

    Call it before any other code measures the screen: Windows accepts only the first request of a process.
    """
    user32 = ctypes.WinDLL("user32", use_last_error=True)
    _set_types(user32, _TYPES)
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


def load_gdi32() -> Any:
    """gdi32.dll, which draws."""
    gdi32 = ctypes.WinDLL("gdi32")
    _set_types(gdi32, _GDI_TYPES)
    return gdi32


def _set_types(library: Any, types: Mapping[str, tuple[Any, Sequence[Any]]]) -> None:
    for name, (result, arguments) in types.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments


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
