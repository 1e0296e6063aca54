"""Print the position of every button press on a Windows desktop, one `x y` per line, until it is ended."""

from __future__ import annotations

import ctypes
import sys
from ctypes import wintypes

assert sys.platform == "win32"

LOW_LEVEL_MOUSE = 14  # WH_MOUSE_LL
PRESSES = (0x0201, 0x0204, 0x0207)  # WM_LBUTTONDOWN, WM_RBUTTONDOWN, WM_MBUTTONDOWN


def main() -> None:
    """Print presses."""
    user32 = ctypes.WinDLL("user32")
    user32.SetProcessDpiAwarenessContext(ctypes.c_void_p(-4))
    user32.CallNextHookEx.argtypes = (ctypes.c_void_p, ctypes.c_int, wintypes.WPARAM, wintypes.LPARAM)
    user32.SetWindowsHookExW.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, wintypes.DWORD)
    kind = ctypes.WINFUNCTYPE(ctypes.c_ssize_t, ctypes.c_int, wintypes.WPARAM, wintypes.LPARAM)

    def hear(code: int, message: int, event: int) -> int:
        if message in PRESSES:
            point = wintypes.POINT.from_address(event)
            sys.stdout.write(f"{point.x} {point.y}\n")
            sys.stdout.flush()
        return int(user32.CallNextHookEx(None, code, message, event))

    hook = kind(hear)
    assert user32.SetWindowsHookExW(LOW_LEVEL_MOUSE, hook, None, 0)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    user32.GetMessageW(ctypes.byref(wintypes.MSG()), None, 0, 0)  # returns never; it calls the hook


if __name__ == "__main__":
    main()
