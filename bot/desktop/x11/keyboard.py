"""Key presses on an X screen that do not depend on the keyboard layout.

A program receives keycodes and translates them with the current layout, so in a Russian layout the key `n`
types another letter. A key that the layout does not have gets a keycode that the layout leaves unused. It
keeps this keycode until `restore`, because programs read a changed layout late.

`X11KeyLog` notices the stop and pause keys that the user presses between two queries.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from typing import Any

from Xlib import XK, X
from Xlib.ext import record
from Xlib.ext.xtest import fake_input
from Xlib.protocol import rq

from games.errors import UsageError

MODIFIERS: Mapping[str, str] = {
    "ctrl": "Control_L", "shift": "Shift_L", "alt": "Alt_L", "win": "Super_L", "super": "Super_L",
}  # fmt: skip
NAMED: Mapping[str, str] = {  # pyautogui's names and those of X
    "escape": "Escape", "esc": "Escape", "enter": "Return", "return": "Return", "space": "space",
    "tab": "Tab", "backspace": "BackSpace", "delete": "Delete", "del": "Delete", "insert": "Insert",
    "pause": "Pause", "home": "Home", "end": "End",
    "up": "Up", "down": "Down", "left": "Left", "right": "Right",
    "pageup": "Page_Up", "pgup": "Page_Up", "pagedown": "Page_Down", "pgdn": "Page_Down", "apps": "Menu",
    **{f"f{number}": f"F{number}" for number in range(1, 25)},
    **{f"num{digit}": f"KP_{digit}" for digit in range(10)},
}  # fmt: skip
GROUP_SHIFT = 13  # position of the layout's number in the pointer's state (XKB protocol, 2.2.2)
COLUMNS = 2  # columns of a layout in the keyboard mapping: without and with Shift


class X11Keyboard:
    """Presses keys through the XTEST extension of a python3-xlib connection."""

    def __init__(self, display: Any) -> None:
        self._display = display
        self.added: dict[int, int] = {}  # keycode that the layout left unused -> keysym
        self.ours: Counter[int] = Counter()  # presses by keycode, less those that the key log has seen

    def press(self, keys: Sequence[str]) -> None:
        """Press keys together and release them. Raises UsageError for an unknown key."""
        codes = [self._keycode(key) for key in keys]
        self.ours.update(codes)
        for code in codes:
            fake_input(self._display, X.KeyPress, code)
        for code in reversed(codes):
            fake_input(self._display, X.KeyRelease, code)
        self._display.sync()

    def restore(self, display: Any) -> None:
        """Remove the added keys from the layout, through this connection."""
        mapping = _mapping_of(display)
        for code, keysym in self.added.items():
            if mapping[code][0] == keysym:  # otherwise the user has changed the layout
                display.change_keyboard_mapping(code, [[X.NoSymbol]])
        self.added.clear()
        display.sync()

    def _keycode(self, key: str) -> int:
        mapping = _mapping_of(self._display)
        if key in MODIFIERS:
            modifier = XK.string_to_keysym(MODIFIERS[key])
            return next((code for code, keysyms in mapping.items() if modifier in keysyms), 0)
        keysym = ord(key) if len(key) == 1 else XK.string_to_keysym(NAMED.get(key.lower(), ""))
        if not keysym:
            raise UsageError(f"unknown key '{key}': use a key such as n, f2 or escape")
        group = self._display.screen().root.query_pointer().mask >> GROUP_SHIFT & 3
        for code, keysyms in mapping.items():
            # the columns of a third and fourth layout are not in order
            means = keysyms[COLUMNS * group] if group < 2 <= len(keysyms) // COLUMNS else keysyms[0]
            if means == keysym and (group < 2 or self.added.get(code) == keysym):
                return code
        return self._add(keysym, mapping)

    def _add(self, keysym: int, mapping: Mapping[int, Sequence[int]]) -> int:
        """Give a keysym an unused keycode in all layouts."""
        for code in sorted(mapping, reverse=True):
            if not any(mapping[code]):
                self._display.change_keyboard_mapping(code, [[keysym, keysym]])
                self._display.sync()
                self.added[code] = keysym
                return code
        raise UsageError("the keyboard layout has no unused keycode: choose a Latin layout")


RECENT = 10.0  # seconds; older presses were not meant for the present move
DEVICE_EVENTS = (X.KeyPress, X.KeyPress)  # first and last kind


class X11KeyLog:
    """The keys of these `codes` that the user presses on a screen, from the RECORD extension.

    A thread receives them, and keeps no other keys. `ours` counts the presses by Sapper, which are left out.
    `control` and `data` are two connections to the same screen that nothing else uses.
    """

    def __init__(self, control: Any, data: Any, codes: frozenset[int], ours: Counter[int]) -> None:
        self._control, self._data, self._codes, self._ours = control, data, codes, ours
        self._presses: deque[tuple[float, int]] = deque(maxlen=1000)
        nothing = dict.fromkeys(("core_requests", "core_replies", "delivered_events", "errors"), (0, 0))
        extensions = dict.fromkeys(("ext_requests", "ext_replies"), (0, 0, 0, 0))
        clients = {"client_started": False, "client_died": False, "device_events": DEVICE_EVENTS}
        self._context = data.record_create_context(
            0, [record.AllClients], [{**nothing, **extensions, **clients}]
        )
        self._begun = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        self._begun.wait()  # the server reports no press from before

    def take(self) -> set[int]:
        """The keycodes pressed since the last call, without those older than RECENT."""
        found, now = set(), time.monotonic()
        while self._presses:
            at, code = self._presses.popleft()
            if now - at <= RECENT:
                found.add(code)
        return found

    def close(self) -> None:
        """End the thread and the connections."""
        with contextlib.suppress(Exception):  # the screen may be gone
            self._control.record_disable_context(self._context)
            self._control.flush()
            self._thread.join(1.0)
        for connection in (self._control, self._data):
            with contextlib.suppress(Exception):
                connection.close()

    def _listen(self) -> None:
        with contextlib.suppress(Exception):  # the screen is gone
            self._data.record_enable_context(self._context, self._hear)
        self._begun.set()

    def _hear(self, reply: Any) -> None:
        self._begun.set()  # the first reply has no events
        rest = reply.data if reply.category == record.FromServer else b""
        while rest:
            event, rest = rq.EventField(None).parse_binary_value(rest, self._data.display, None, None)
            if self._ours[event.detail] > 0:
                self._ours[event.detail] -= 1
            elif event.detail in self._codes:
                self._presses.append((time.monotonic(), event.detail))


def _mapping_of(display: Any) -> dict[int, Sequence[int]]:
    """The keysyms of each keycode, read now: the user may have changed the layout."""
    first, last = display.display.info.min_keycode, display.display.info.max_keycode
    return dict(enumerate(display.get_keyboard_mapping(first, last - first + 1), first))
