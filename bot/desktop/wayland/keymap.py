"""What the keys of the virtual keyboard mean: the American layout, keycodes of linux/input-event-codes.h.

Programs that look at keycodes and programs that look at characters both get what a person would send.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.errors import Usage

# The server fills the parts in from its own copy of the X keyboard extension's data (Debian's xkb-data).
KEYMAP = """xkb_keymap {
    xkb_keycodes { include "evdev+aliases(qwerty)" };
    xkb_types { include "complete" };
    xkb_compat { include "complete" };
    xkb_symbols { include "pc+us+inet(evdev)" };
};
"""
ROWS = ((2, "1234567890-="), (16, "qwertyuiop[]"), (30, "asdfghjkl;'`"), (43, "\\zxcvbnm,./"))
SHIFTED = dict(zip('!@#$%^&*()_+{}:"~|<>?', "1234567890-=[];'`\\,./", strict=True))
NAMED: Mapping[str, int] = {
    "escape": 1, "esc": 1, "backspace": 14, "tab": 15, "enter": 28, "return": 28, "space": 57, " ": 57,
    "f1": 59, "f2": 60, "f3": 61, "f4": 62, "f5": 63, "f6": 64, "f7": 65, "f8": 66, "f9": 67, "f10": 68,
    "f11": 87, "f12": 88, "home": 102, "up": 103, "pageup": 104, "left": 105, "right": 106, "end": 107,
    "down": 108, "pagedown": 109, "insert": 110, "delete": 111, "pause": 119,
}  # fmt: skip
MODIFIERS: Mapping[str, tuple[int, int]] = {  # keycode, bit in the keymap's modifiers
    "shift": (42, 1),
    "ctrl": (29, 4),
    "alt": (56, 8),
    "win": (125, 64),
    "super": (125, 64),
}


def stroke(keys: tuple[str, ...]) -> tuple[list[int], int]:
    """The keycodes of keys that are pressed together, in order, and the bits of the modifiers among them.

    Raises Usage for a name that is no key.
    """
    codes: list[int] = []
    held = 0
    characters = {letter: first + place for first, row in ROWS for place, letter in enumerate(row)}
    for key in keys:
        name = key.lower()
        if name in MODIFIERS:
            code, bit = MODIFIERS[name]
            held |= bit
        elif key in SHIFTED or (len(key) == 1 and key != name):
            code, held = characters[SHIFTED.get(key, name)], held | MODIFIERS["shift"][1]
        elif name in NAMED:
            code = NAMED[name]
        elif name in characters:
            code = characters[name]
        else:
            raise Usage(f"'{key}' is no key that can be pressed here: name one such as n, f2 or escape")
        codes.append(code)
    return codes, held
