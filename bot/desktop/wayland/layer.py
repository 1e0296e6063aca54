"""Surfaces above all windows of a Wayland desktop, each at a place of one screen."""

from __future__ import annotations

from typing import Any

import numpy as np

from bot.desktop.overlay import Drawing
from bot.desktop.wayland.connection import Connection, Output
from bot.desktop.wayland.pixels import SharedPicture

OVERLAY = 3  # zwlr_layer_shell_v1.layer: above everything
TOP, LEFT = 1, 4  # zwlr_layer_surface_v1.anchor
EVERYWHERE = -1  # an exclusive zone: over bars, too
ARGB8888 = 0  # wl_shm.format; its colours are multiplied by alpha

Box = tuple[int, int, int, int]


class Layer:
    """A surface of the layer shell; `box` is its place on the desktop, points, `name` says whose it is.

    It takes no keys. Raises MachineLacks where there is no layer shell.
    """

    def __init__(self, connection: Connection, output: Output, box: Box, name: str) -> None:
        from pywayland.protocol.wayland import WlCompositor

        from bot.desktop.wayland.protocols import LayerShell

        left, top, width, height = box
        self.box = box
        self._connection = connection
        self._compositor = connection.bind(WlCompositor, 4)
        self.surface: Any = self._compositor.create_surface()
        shell = connection.bind(LayerShell)
        self._placed = shell.get_layer_surface(self.surface, output.proxy, OVERLAY, name)
        configured: list[int] = []
        self._placed.dispatcher["configure"] = lambda _, serial, width, height: configured.append(serial)
        self._placed.set_size(width, height)
        self._placed.set_anchor(TOP | LEFT)
        self._placed.set_exclusive_zone(EVERYWHERE)
        self._placed.set_margin(top - output.top, 0, 0, left - output.left)
        self.surface.commit()
        connection.wait(lambda: bool(configured))
        self._placed.ack_configure(configured[-1])

    def take_no_clicks(self) -> None:
        """From the next picture on clicks go to what lies beneath."""
        nowhere = self._compositor.create_region()
        self.surface.set_input_region(nowhere)
        nowhere.destroy()

    def show(self, picture: SharedPicture) -> None:
        """Show a picture, which must stay as it is meanwhile; it is in what is captured afterwards."""
        self.surface.attach(picture.buffer, 0, 0)
        self.surface.damage(0, 0, *self.box[2:])
        self.surface.commit()
        self._connection.roundtrip()

    def close(self) -> None:
        """Take it away."""
        self._placed.destroy()
        self.surface.destroy()
        self._connection.roundtrip()


class Canvas:
    """Drawings with transparent parts, or nothing, in one place (points) that clicks pass through.

    `scale` is how many pixels of a drawing are a point. Raises what Layer raises.
    """

    def __init__(self, connection: Connection, box: Box, scale: float) -> None:
        from pywayland.protocol.viewporter import WpViewporter

        left, top, width, height = self.box = box
        x, y = left + width / 2, top + height / 2
        outputs = connection.outputs
        here = [
            each
            for each in outputs
            if each.left <= x < each.left + each.width and each.top <= y < each.top + each.height
        ]
        self._connection = connection
        self._size = round(width * scale), round(height * scale)
        self._layer = Layer(connection, (here or outputs)[0], box, "sapper-marks")
        self._layer.take_no_clicks()
        self._viewport = connection.bind(WpViewporter).get_viewport(self._layer.surface)
        self._viewport.set_destination(width, height)
        self._empty, self._drawn = self._new_picture(), self._new_picture()
        self._layer.show(self._empty)

    def draw(self, drawing: Drawing) -> None:
        """Show this, its corner in the corner of the box."""
        before, self._drawn = self._drawn, self._new_picture()  # the server may still look at the last one
        width, height = self._size
        fits = drawing[:height, :width].astype(np.uint16)
        fits[:, :, :3] = fits[:, :, :3] * fits[:, :, 3:] // 255
        whole = np.zeros((height, width, 4), np.uint8)
        whole[: fits.shape[0], : fits.shape[1]] = fits
        self._drawn.draw(whole)
        self.show(is_shown=True)
        before.close()

    def show(self, is_shown: bool) -> None:
        """Show what was drawn last, or nothing; it is so in what is captured afterwards."""
        self._layer.show(self._drawn if is_shown else self._empty)

    def close(self) -> None:
        """Take it away."""
        self._viewport.destroy()
        self._layer.close()
        self._empty.close()
        self._drawn.close()

    def _new_picture(self) -> SharedPicture:
        width, height = self._size
        return SharedPicture(self._connection, ARGB8888, width, height, 4 * width)
