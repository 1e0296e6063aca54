"""A Wayland window that fills the screen and logs every click on it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bot.desktop.wayland.capture import ShmBuffer
from bot.desktop.wayland.connection import WaylandConnection

XRGB8888 = 1
COLOUR = (96, 80, 64)  # blue green red


@dataclass
class LoggingWindow:
    """The window. A thread answers the pings of the desktop."""

    connection: WaylandConnection
    at: tuple[float, float] = (-1.0, -1.0)
    heard: list[tuple[float, float, int]] = field(default_factory=list)
    talking: threading.Lock = field(default_factory=threading.Lock)
    is_over: threading.Event = field(default_factory=threading.Event)

    @property
    def clicks(self) -> list[tuple[float, float, int]]:
        """The clicks so far: x, y, button."""
        time.sleep(1)  # software rendering delays events
        with self.talking:
            self.connection.dispatch()
            return list(self.heard)

    def listen(self) -> None:
        """Answer the desktop until the window closes."""
        while not self.is_over.wait(0.02):
            with self.talking:
                self.connection.dispatch()

    def entered(self, x: Any, y: Any) -> None:
        """Store the position of the pointer."""
        self.at = float(x), float(y)

    def pressed(self, button: int, state: int) -> None:
        """Log a pressed button."""
        if state:
            self.heard.append((*self.at, button))


@contextmanager
def logging_window(socket: str, title: str = "log") -> Iterator[LoggingWindow]:
    """Show the window full-screen."""
    from pywayland.protocol.wayland import WlCompositor, WlSeat
    from pywayland.protocol.xdg_shell import XdgWmBase

    with WaylandConnection(socket) as connection:
        window = LoggingWindow(connection)
        base = connection.bind(XdgWmBase)
        base.dispatcher["ping"] = lambda proxy, serial: proxy.pong(serial)
        pointer = connection.bind(WlSeat).get_pointer()
        pointer.dispatcher["enter"] = lambda _, serial, surface, x, y: window.entered(x, y)
        pointer.dispatcher["motion"] = lambda _, time, x, y: window.entered(x, y)
        pointer.dispatcher["button"] = lambda _, serial, time, button, state: window.pressed(button, state)
        surface = connection.bind(WlCompositor).create_surface()
        shell = base.get_xdg_surface(surface)
        configured: list[int] = []

        def configure(proxy: Any, serial: int) -> None:
            proxy.ack_configure(serial)
            configured.append(serial)

        shell.dispatcher["configure"] = configure
        toplevel = shell.get_toplevel()
        toplevel.set_title(title)
        toplevel.set_fullscreen(None)
        surface.commit()
        connection.wait(lambda: bool(configured))
        _, _, width, height = connection.bounds
        picture = ShmBuffer(connection, XRGB8888, width, height, width * 4)
        picture.draw(np.full((height, width, 3), COLOUR, np.uint8))
        surface.attach(picture.buffer, 0, 0)
        surface.damage(0, 0, width, height)
        drawn: list[int] = []
        surface.frame().dispatcher["done"] = lambda _, milliseconds: drawn.append(milliseconds)
        surface.commit()
        connection.wait(lambda: bool(drawn))
        listener = threading.Thread(target=window.listen, daemon=True)
        listener.start()
        try:
            yield window
        finally:
            window.is_over.set()
            listener.join()
            pointer.destroy()
            toplevel.destroy()
            shell.destroy()
            surface.destroy()
            picture.close()
            connection.roundtrip()
