"""Shows the pattern of a trial on a Wayland desktop: a surface above all windows, of the layer shell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from bot.desktop.trial import SIZE, Screen, pattern
from bot.desktop.wayland.connection import Connection
from bot.desktop.wayland.layer import Layer
from bot.desktop.wayland.pixels import SharedPicture

XRGB8888 = 1


@dataclass
class WaylandPatch:
    """The pattern on a Wayland desktop. It asks for the seat's pointer when it is first asked for it."""

    connection: Connection
    surface: Any
    _pointer: Any = field(default=None, init=False)
    _at: tuple[float, float] | None = field(default=None, init=False)

    def pointer(self) -> tuple[float, float] | None:
        """Where the desktop has shown the surface that the pointer is."""
        if self._pointer is None:
            self._pointer = self._listen()
        self.connection.roundtrip()
        return self._at

    def close(self) -> None:
        """Stop listening: pywayland cannot take in that the pointer left a surface which is gone."""
        if self._pointer is not None:
            self._pointer.destroy()

    def _listen(self) -> Any:
        from pywayland.protocol.wayland import WlSeat

        pointer = self.connection.bind(WlSeat).get_pointer()
        pointer.dispatcher["enter"] = lambda _, serial, surface, x, y: self._is_at(x, y)
        pointer.dispatcher["motion"] = lambda _, time, x, y: self._is_at(x, y)
        pointer.dispatcher["leave"] = lambda *_: self._is_at(None, None)
        return pointer

    def _is_at(self, x: float | None, y: float | None) -> None:
        self._at = None if x is None or y is None else (float(x), float(y))


@dataclass(frozen=True)
class WaylandStage:
    """The screens of a desktop that has the layer shell."""

    connection: Connection

    def screens(self) -> list[Screen]:
        """The outputs."""
        return [
            Screen(each.name, (each.left, each.top, each.width, each.height), each.scale)
            for each in self.connection.outputs
        ]

    @contextmanager
    def patch(self, screen: Screen, left: int, top: int) -> Iterator[WaylandPatch]:
        """The pattern at a point of the desktop. Raises MachineLacks where there is no layer shell."""
        connection = self.connection
        output = next(each for each in connection.outputs if each.name == screen.name)
        scale = int(screen.scale) if screen.scale.is_integer() else 1
        shared = SharedPicture(connection, XRGB8888, SIZE * scale, SIZE * scale, SIZE * scale * 4)
        shared.draw(pattern().repeat(scale, axis=0).repeat(scale, axis=1))
        layer = Layer(connection, output, (left, top, SIZE, SIZE), "sapper-trial")
        layer.surface.set_buffer_scale(scale)
        layer.show(shared)
        patch = WaylandPatch(connection, layer.surface)
        try:
            yield patch
        finally:
            patch.close()
            layer.close()
            shared.close()
            connection.roundtrip()
