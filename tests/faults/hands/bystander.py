"""A window that is not part of the game and logs every press and release.

    python bystander.py --box 0,0,1280,900 --log FILE [--below | --popup | --unseen]

`--below` puts it below all others, `--popup` makes it override-redirect (like notifications), and `--unseen`
makes it input-only. The log starts with `up`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from Xlib import X
from Xlib.display import Display

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--box", required=True)
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--title", default="in the way")
    for flag in ("--below", "--popup", "--unseen"):
        parser.add_argument(flag, action="store_true")
    options = parser.parse_args()
    left, top, width, height = (int(part) for part in options.box.split(","))
    display = Display()
    root = display.screen().root
    seen = {} if options.unseen else {"background_pixel": 0x336699}
    window = root.create_window(
        *(left, top, width, height, 0),
        0 if options.unseen else X.CopyFromParent,
        X.InputOnly if options.unseen else X.InputOutput,
        event_mask=X.ButtonPressMask | X.ButtonReleaseMask | X.StructureNotifyMask,
        override_redirect=options.popup or options.unseen or options.below,
        **seen,
    )
    window.set_wm_name(options.title)
    if options.below:
        window.configure(stack_mode=X.Below)
    window.map()
    with options.log.open("a", buffering=1) as log:
        while True:
            event = display.next_event()
            if event.type == X.MapNotify:
                log.write("up\n")
            elif event.type in (X.ButtonPress, X.ButtonRelease):
                what = "press" if event.type == X.ButtonPress else "release"
                log.write(f"{what} {event.detail} at {event.root_x} {event.root_y}\n")
