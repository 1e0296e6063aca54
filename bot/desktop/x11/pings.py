"""Asks a program on an X screen whether it has come to what was sent to it: _NET_WM_PING (EWMH)."""

from __future__ import annotations

import time
from typing import Any

POLL = 0.002  # seconds between two looks whether the answer is there


def answers(display: Any, id: int, seconds: float) -> bool | None:
    """Whether the program of a window has come, within so many seconds, to all that was sent to it before.

    None where it takes no part in that, or its window is gone. `display` is a connection (python-xlib's) of
    which nobody else wants to see events.
    """
    from Xlib import X, error
    from Xlib.protocol.event import ClientMessage

    window, root = display.create_resource_object("window", id), display.screen().root
    kind, ping = (display.intern_atom(name) for name in ("WM_PROTOCOLS", "_NET_WM_PING"))
    try:
        known = window.get_full_property(kind, X.AnyPropertyType)
        if known is None or ping not in known.value:
            return None
        root.change_attributes(event_mask=X.SubstructureNotifyMask)  # who answers sends it there
        stamp = time.monotonic_ns() // 1000 & 0x7FFFFFFF
        window.send_event(ClientMessage(window=window, client_type=kind, data=(32, [ping, stamp, id, 0, 0])))
        display.sync()
        deadline = time.monotonic() + seconds
        while True:
            while display.pending_events():
                event = display.next_event()
                if (
                    event.type == X.ClientMessage
                    and event.client_type == kind
                    and [*event.data[1][:2]] == [ping, stamp]
                ):
                    return True
            if time.monotonic() > deadline:
                return False
            time.sleep(POLL)
    except error.XError:
        return None
    finally:
        root.change_attributes(event_mask=0)
