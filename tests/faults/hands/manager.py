"""A slow window manager that delays every press until it has handled it.

    python manager.py --slow 0.03 --log FILE

openbox and others use such a synchronous passive grab to raise a clicked window. The log starts with `up`.
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
