"""A window manager as far as clicks go: it has every press held back until it has seen it, and is slow.

    python manager.py --slow 0.03 --log FILE

openbox and others do so (a synchronous passive grab), to raise a window that is clicked on. The log begins
with `up`.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from Xlib import X
from Xlib.display import Display

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--slow", type=float, default=0.03)
    parser.add_argument("--log", type=Path, required=True)
    options = parser.parse_args()
    display = Display()
    root = display.screen().root
    for button in (1, 3):
        root.grab_button(
            button, X.AnyModifier, False, X.ButtonPressMask, X.GrabModeSync, X.GrabModeAsync, X.NONE, X.NONE
        )
    display.sync()
    options.log.write_text("up\n")
    while True:
        event = display.next_event()
        time.sleep(options.slow)
        display.allow_events(X.ReplayPointer, X.CurrentTime)
        display.flush()
