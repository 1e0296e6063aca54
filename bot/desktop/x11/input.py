"""Mouse presses on an X screen, with an atomic check of the window under the pointer.

While a client holds a server grab (XGrabServer), no other client can move, cover, hide or close a window, so
the result of the check still holds when the button goes down. The grab lasts one round trip; the server
releases it if this process dies. While another client holds a pointer grab, it would receive the press, so
nothing is pressed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from Xlib import X, error
from Xlib.ext.xtest import fake_input
from Xlib.protocol import request

from bot.desktop.ports import Box, Button, PressTarget, PressTiming
from games.errors import MissingRequirement

NUMBERS = {"left": 1, "middle": 2, "right": 3}  # X button numbers
MAX_MANAGER_DELAY = 0.3  # seconds; maximum time that a window manager may hold back a press
POLL = 0.0005  # seconds between two queries of the button state


class X11ButtonPresser:
    """Presses buttons through the XTEST extension of a python3-xlib connection.

    The buttons may be swapped, as for left-handed users; the mapping is read once.
    """

    def __init__(self, display: Any) -> None:
        self._display = display
        self._wire = display.display  # for requests sent as one batch
        self._root = int(display.screen().root.id)
        self._grab = PointerGrabQuery(display)
        self._mapping = list(display.get_pointer_mapping())  # button that each physical one acts as

    def press(
        self, x: float, y: float, buttons: Sequence[Button], target: PressTarget | None, touch: PressTiming
    ) -> bool:
        """Press buttons together at a position (pixels) and release them; see `ButtonPresser`."""
        place = int(x), int(y)
        numbers = [NUMBERS[button] for button in buttons]
        if not set(numbers) <= set(self._mapping):
            raise MissingRequirement(f"this mouse has no {' and '.join(buttons)} button: see 'xmodmap -pp'")
        if touch.hover:
            self.move(x, y)
            time.sleep(touch.hover)
        down: list[int] = []
        try:
            with self._grabbed_server():
                if not self._move_onto(place, target):
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
        """Move the pointer to a position (pixels)."""
        self._fake("MotionNotify", place=(int(x), int(y)))
        self._display.sync()

    def _move_onto(self, place: tuple[int, int], target: PressTarget | None) -> bool:
        """Move the pointer and check that it is over the unchanged target, in one round trip.

        Without a target, the press may go to a menu, which holds a pointer grab itself.
        """
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
        grab = self._grab.send()
        try:
            for query in (pointer, within, corner, shape, grab):
                query.reply()
        except (error.BadWindow, error.BadDrawable):
            return False  # the window is closed
        box: Box = (corner.x, corner.y, shape.width, shape.height)
        return (
            (pointer.root_x, pointer.root_y) == place
            and _id(pointer.child) == target.top
            and _id(within.child) == target.id
            and box == target.box
            and grab.status != X.AlreadyGrabbed
        )

    def _wait_until_up(self, numbers: Sequence[int]) -> None:
        """Wait until the server has processed the release.

        A window manager with a passive grab can make the server hold back a press and everything after it.
        The release would then be reported at the pointer's new position, so the pointer must not move yet.
        """
        held = sum(256 << (number - 1) for number in numbers)
        deadline = time.monotonic() + MAX_MANAGER_DELAY
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

    def _fake(self, kind: str, button: int = 0, place: tuple[int, int] = (0, 0)) -> None:
        detail = self._mapping.index(button) + 1 if button else 0  # XTEST expects physical buttons
        fake_input(self._display, getattr(X, kind), detail, x=place[0], y=place[1])


class PointerGrabQuery:
    """Asks whether another client holds a pointer grab (XGrabPointer, or an open menu).

    X has no query for this. A grab request on an invisible window always fails, and the error names a grab of
    another client first.
    """

    def __init__(self, display: Any) -> None:
        self._wire = display.display
        self._window = display.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)

    def send(self) -> Any:
        """Send the query; its reply has a `status`."""
        return request.GrabPointer(
            display=self._wire,
            defer=1,
            owner_events=False,
            grab_window=self._window,
            event_mask=0,
            pointer_mode=X.GrabModeAsync,
            keyboard_mode=X.GrabModeAsync,
            confine_to=X.NONE,
            cursor=X.NONE,
            time=X.CurrentTime,
        )

    @property
    def is_held(self) -> bool:
        """Whether another client holds a pointer grab now."""
        query = self.send()
        query.reply()
        return bool(query.status == X.AlreadyGrabbed)


def _id(window: Any) -> int:
    return int(getattr(window, "id", window))


def press_target(display: Any, id: int) -> PressTarget | None:
    """The current state of a window as a press target; None if it is gone."""
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
