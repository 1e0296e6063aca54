"""Presses on an X screen: asking what is under the pointer and pressing are one, the server held meanwhile.

While a client holds the server (XGrabServer), no other one can move, cover, hide or close a window, so what
was asked is still so when the button goes down. The hold lasts one round trip; the server ends it by itself
when this process dies.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bot.desktop.input import Button, PressTarget, PressTiming
from bot.desktop.ports import Box

NUMBERS = {"left": 1, "middle": 2, "right": 3}  # X's names of the buttons
SLOWEST_MANAGER = 0.3  # seconds that a window manager gets to let a press through
POLL = 0.0005  # seconds between two questions whether it has


class X11ButtonPresser:
    """Presses buttons on the screen of a connection (python-xlib's), through the XTEST extension."""

    def __init__(self, display: Any) -> None:
        self._display = display
        self._wire = display.display  # requests that are sent together and answered together
        self._root = int(display.screen().root.id)

    def press(
        self, x: float, y: float, buttons: Sequence[Button], target: PressTarget | None, touch: PressTiming
    ) -> bool:
        """Press buttons together at a place (pixels) and release them; see `ButtonPresser`."""
        place = int(x), int(y)
        numbers = [NUMBERS[button] for button in buttons]
        if touch.hover:
            self.move(x, y)
            time.sleep(touch.hover)
        down: list[int] = []
        try:
            with self._grabbed_server():
                if not self._is_there(place, target):
                    return False
                for number in numbers:
                    down.append(number)
                    self._fake("ButtonPress", number)
            if touch.hold:
                self._display.flush()
                time.sleep(touch.hold)
        finally:
            for number in reversed(down):
                self._fake("ButtonRelease", number)
            self._display.flush()
        self._wait_until_up(numbers)
        time.sleep(touch.rest)
        return True

    def move(self, x: float, y: float) -> None:
        """Move the pointer to a place (pixels)."""
        self._fake("MotionNotify", place=(int(x), int(y)))
        self._display.sync()

    def _is_there(self, place: tuple[int, int], target: PressTarget | None) -> bool:
        """Move to a place, and see whether it is the target's: one round trip for all that is asked."""
        from Xlib import error
        from Xlib.protocol import request

        x, y = place
        self._fake("MotionNotify", place=place)
        pointer = request.QueryPointer(display=self._wire, defer=1, window=self._root)
        if target is None:
            pointer.reply()
            return True
        within = request.TranslateCoords(
            display=self._wire, defer=1, src_wid=self._root, dst_wid=target.parent, src_x=x, src_y=y
        )
        corner = request.TranslateCoords(
            display=self._wire, defer=1, src_wid=target.id, dst_wid=self._root, src_x=0, src_y=0
        )
        shape = request.GetGeometry(display=self._wire, defer=1, drawable=target.id)
        try:
            for asked in (pointer, within, corner, shape):
                asked.reply()
        except (error.BadWindow, error.BadDrawable):
            return False  # it is closed
        box: Box = (corner.x, corner.y, shape.width, shape.height)
        return (
            (pointer.root_x, pointer.root_y) == place
            and _id(pointer.child) == target.top
            and _id(within.child) == target.id
            and box == target.box
        )

    def _wait_until_up(self, numbers: Sequence[int]) -> None:
        """Until the release has come through.

        A window manager may have the server hold a press back until it has seen it (a passive grab). What
        follows waits behind it, and a release is then reported to the program at the place to which the
        pointer has been moved meanwhile: so it is not moved before.
        """
        from Xlib.protocol import request

        held = sum(256 << (number - 1) for number in numbers)
        deadline = time.monotonic() + SLOWEST_MANAGER
        while request.QueryPointer(display=self._wire, window=self._root).mask & held:
            if time.monotonic() > deadline:
                return
            time.sleep(POLL)

    @contextmanager
    def _grabbed_server(self) -> Iterator[None]:
        self._display.grab_server()
        try:
            yield
        finally:
            self._display.ungrab_server()
            self._display.flush()

    def _fake(self, kind: str, detail: int = 0, place: tuple[int, int] = (0, 0)) -> None:
        from Xlib import X
        from Xlib.ext.xtest import fake_input

        fake_input(self._display, getattr(X, kind), detail, x=place[0], y=place[1])


def _id(window: Any) -> int:
    """A window in a reply as a number; 0 for none."""
    return int(getattr(window, "id", window))


def press_target(display: Any, id: int) -> PressTarget | None:
    """The window as it is now, to be pressed on; None when it is gone."""
    from Xlib import error

    try:
        window = display.create_resource_object("window", id)
        shape = window.get_geometry()
        root = shape.root
        corner = root.translate_coords(window, 0, 0)
        line = [window]
        while line[-1] != root:
            line.append(line[-1].query_tree().parent)
    except error.XError:
        return None
    box = int(corner.x), int(corner.y), int(shape.width), int(shape.height)
    return PressTarget(id, int(line[1].id), int(line[-2].id), box)
