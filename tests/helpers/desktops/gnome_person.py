"""A simulated user of a headless GNOME desktop, who answers the dialogs of the portals.

It sees the screen and uses the mouse through mutter's own interfaces, which require no consent.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from headless_gnome import Gnome
from numpy.typing import NDArray
from waiting import stays, wait_for

from bot.desktop.portals.capture import PipeWireStream
from bot.desktop.portals.share import BusInterface, SessionBus

MUTTER = "org.gnome.Mutter"
LEFT = 0x110
# colours (blue green red) of the Share button
ACCENT = (228, 132, 53)  # enabled
PALE = (232, 181, 145)  # disabled
# positions in points, from the middle of the Share button
SWITCH = (-22, 199)  # "Allow remote interaction"
CANCEL = (-422, 0)
SCREEN = (-252, 153)  # the first screen of the list


@dataclass
class Person:
    """The user. Positions are points of the screen."""

    bus: SessionBus
    session: BusInterface
    cast: str
    stream: PipeWireStream

    def sees(self) -> NDArray[np.uint8]:
        """Capture the screen: (rows, columns, 3), blue green red."""
        return self.stream.rows(0, 1 << 16)[:, :, :3]

    def moves(self, x: float, y: float) -> None:
        """Move the mouse."""
        self.bus.call(self.session, "NotifyPointerMotionAbsolute", "sdd", self.cast, float(x), float(y))

    def clicks(self, x: float, y: float) -> None:
        """Click slowly with the left button."""
        self.moves(x, y)
        time.sleep(0.2)
        for is_down in (True, False):
            self.bus.call(self.session, "NotifyPointerButton", "ib", LEFT, is_down)
            time.sleep(0.05)

    def presses(self, code: int) -> None:
        """Press a key of linux/input-event-codes.h."""
        for is_down in (True, False):
            self.bus.call(self.session, "NotifyKeyboardKeycode", "ub", code, is_down)

    def agrees(self, with_mouse: bool = True) -> None:
        """Wait for the dialog and press Share; `with_mouse` also allows remote interaction."""
        x, y = self._open_dialog()
        across, down = SWITCH if with_mouse else SCREEN
        self.clicks(x + across, y + down)
        wait_for(lambda: self._button(ready=True) is not None)
        self.clicks(x, y)
        wait_for(lambda: self._button() is None)

    def declines(self) -> None:
        """Wait for the dialog and cancel it."""
        x, y = self._open_dialog()
        self.clicks(x + CANCEL[0], y + CANCEL[1])

    def _open_dialog(self) -> tuple[float, float]:
        """Wait for the dialog and the end of its animation; return the position of its Share button."""
        places: list[tuple[float, float]] = []

        def is_open() -> bool:
            place = self._button()
            places[:] = [place] if place else []
            return place is not None and stays(lambda: self._button() == place, 0.5)

        wait_for(is_open)
        return places[0]

    def _button(self, ready: bool = False) -> tuple[float, float] | None:
        """The position of the Share button; None if it is missing, or with `ready` if it is disabled."""
        seen = self.sees().astype(int)
        is_blue = np.abs(seen - ACCENT).max(axis=2) < 12
        if not ready:
            is_blue |= np.abs(seen - PALE).max(axis=2) < 12
        rows, columns = np.nonzero(is_blue)
        if len(rows) < 800:
            return None
        top = rows < rows.min() + 40
        return float(np.median(columns[top])), float(np.median(rows[top]))


@contextmanager
def person_on(gnome: Gnome, monkeypatch: Any) -> Iterator[Person]:
    """A user of this desktop; the environment variables of this process point to the desktop."""
    for name in ("XDG_RUNTIME_DIR", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, gnome.variables[name])
    monkeypatch.delenv("DISPLAY", raising=False)
    with SessionBus() as bus:
        maker = BusInterface(
            f"{MUTTER}.RemoteDesktop", "/org/gnome/Mutter/RemoteDesktop", f"{MUTTER}.RemoteDesktop"
        )
        wait_for(lambda: _is_there(bus, maker))
        (path,) = bus.call(maker, "CreateSession")
        session = BusInterface(maker.service, path, f"{maker.interface}.Session")
        number = bus.read(session, "SessionId")
        casts = BusInterface(f"{MUTTER}.ScreenCast", "/org/gnome/Mutter/ScreenCast", f"{MUTTER}.ScreenCast")
        (made,) = bus.call(casts, "CreateSession", "a{sv}", {"remote-desktop-session-id": ("s", number)})
        cast = BusInterface(casts.service, made, f"{casts.interface}.Session")
        (stream,) = bus.call(cast, "RecordMonitor", "sa{sv}", "Meta-0", {"cursor-mode": ("u", 0)})
        added = BusInterface(casts.service, stream, f"{casts.interface}.Stream")
        with bus.heard(added, "PipeWireStreamAdded") as queue:
            bus.call(session, "Start")
            wait_for(lambda: _has_come(bus, queue))
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as wire:
            wire.connect(f"{gnome.folder}/pipewire-0")
            descriptor = wire.detach()
        with PipeWireStream(queue[0].body[0], descriptor) as pictures:
            yield Person(bus, session, stream, pictures)


def _has_come(bus: SessionBus, queue: Any) -> bool:
    bus.dispatch()
    return bool(queue)


def _is_there(bus: SessionBus, remote: BusInterface) -> bool:
    owns = BusInterface("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
    return bool(bus.call(owns, "NameHasOwner", "s", remote.service)[0])
