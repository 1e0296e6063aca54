"""The overlay of a sway desktop: a click-through layer-shell surface above all windows.

A Wayland capture includes all layers. While the drawing is visible, the screen is captured with it: as long
as that capture stays the same, so does everything below. When it changes, the drawing is outdated: it is
hidden, the screen is captured without it, and the drawing returns once two successive captures are equal.

The module also shows the pattern of the self-test (`WaylandPatternStage`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.desktop.ports import Box, Drawing, ScreenInfo, Windows, intersection, round_region, window_at
from bot.desktop.self_test import SIZE, pattern
from bot.desktop.wayland.capture import ShmBuffer, pixels_of
from bot.desktop.wayland.connection import WaylandConnection, WaylandOutput
from bot.desktop.wayland.sway import SwayKeyBindings
from bot.shutdown import Closeable
from games.errors import MissingRequirement
from vision.frame import Capture, Frame, Region

OVERLAY = 3  # zwlr_layer_shell_v1.layer: the topmost layer
TOP, LEFT = 1, 4  # zwlr_layer_surface_v1.anchor
EVERYWHERE = -1  # exclusive zone that extends over bars
ARGB8888 = 0  # wl_shm.format with premultiplied alpha


class LayerSurfaceWindow:
    """A layer-shell surface without keyboard input; `box` is its area on the desktop in points.

    `name` is its namespace. Raises MissingRequirement without a layer shell.
    """

    def __init__(self, connection: WaylandConnection, output: WaylandOutput, box: Box, name: str) -> None:
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
        """Let clicks pass through, starting with the next `show`."""
        nowhere = self._compositor.create_region()
        self.surface.set_input_region(nowhere)
        nowhere.destroy()

    def show(self, picture: ShmBuffer) -> None:
        """Show an image, which must not change while shown; later captures include it."""
        self.surface.attach(picture.buffer, 0, 0)
        self.surface.damage(0, 0, *self.box[2:])
        self.surface.commit()
        self._connection.roundtrip()

    def close(self) -> None:
        """Remove the surface."""
        self._placed.destroy()
        self.surface.destroy()
        self._connection.roundtrip()


class WaylandCanvas:
    """A click-through surface at `box` (points) that shows a drawing with alpha, or nothing.

    `scale` is the pixels per point of a drawing. Raises MissingRequirement.
    """

    def __init__(self, connection: WaylandConnection, box: Box, scale: float) -> None:
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
        self._layer = LayerSurfaceWindow(connection, (here or outputs)[0], box, "sapper-marks")
        self._layer.take_no_clicks()
        self._viewport = connection.bind(WpViewporter).get_viewport(self._layer.surface)
        self._viewport.set_destination(width, height)
        self._empty, self._drawn = self._new_picture(), self._new_picture()
        self._layer.show(self._empty)

    def draw(self, drawing: Drawing) -> None:
        """Show a drawing at the top left corner of the box."""
        before, self._drawn = self._drawn, self._new_picture()  # the server may still read the last one
        width, height = self._size
        fits = drawing[:height, :width].astype(np.uint16)
        fits[:, :, :3] = fits[:, :, :3] * fits[:, :, 3:] // 255
        whole = np.zeros((height, width, 4), np.uint8)
        whole[: fits.shape[0], : fits.shape[1]] = fits
        self._drawn.draw(whole)
        self.show(is_shown=True)
        before.close()

    def show(self, is_shown: bool) -> None:
        """Show or hide the last drawing; later captures reflect this."""
        self._layer.show(self._drawn if is_shown else self._empty)

    def close(self) -> None:
        """Remove the surface."""
        self._viewport.destroy()
        self._layer.close()
        self._empty.close()
        self._drawn.close()

    def _new_picture(self) -> ShmBuffer:
        width, height = self._size
        return ShmBuffer(self._connection, ARGB8888, width, height, 4 * width)


BLUR = np.ones((5, 5), np.uint8)  # dilation that covers the blur of fractional scales
EVERY = 0.05  # seconds between two checks of the window below
NEEDED = ("zwlr_layer_shell_v1", "wp_viewporter")


class WaylandOverlay(Closeable):
    """See `bot.desktop.ports.Overlay`. A context manager.

    `windows` are sway's; `keys` are XKB key names to receive. Raises MissingRequirement if the desktop lacks
    a protocol.
    """

    def __init__(
        self, connection: WaylandConnection, windows: Windows, pictures: Capture, keys: Sequence[str] = ()
    ) -> None:
        lacking = [name for name in NEEDED if not connection.offers(name)]
        if lacking:
            raise MissingRequirement(
                f"--overlay requires the Wayland protocol {' and '.join(lacking)}: leave out --overlay"
            )
        self._connection = connection
        self._windows = windows
        self._keys = SwayKeyBindings()
        self.taken = self._keys.bind(*keys)
        self.clean_capture = WaylandCleanCapture(pictures, self)
        self._canvas: WaylandCanvas | None = None
        self._mask = np.zeros((0, 0), np.bool_)  # drawn pixels
        self._is_wanted = self._is_aside = self._is_covered = False
        self.is_shown = False
        self._under: tuple[int, Box] | None = None  # the board's window and its position when attached
        self._asked = 0.0

    def attach_at(self, x: float, y: float) -> None:
        """Attach to the window at this position."""
        window = window_at(self._windows, x, y)
        under = (window.id, window.box) if window is not None else None
        if under != self._under:
            self.hide()
        self._under = under

    def show(self, drawing: Drawing, left: int, top: int) -> None:
        """Show a drawing with its top left corner at this position."""
        scale = max(output.scale for output in self._connection.outputs)
        height, width = drawing.shape[:2]
        box = (left, top, -int(-width // scale), -int(-height // scale))
        if self._canvas is None or self._canvas.box != box:
            self._drop_canvas()
            self._canvas = WaylandCanvas(self._connection, box, scale)
        self._mask = cv2.dilate((drawing[:, :, 3] > 0).astype(np.uint8), BLUR) > 0
        self._is_wanted, self._is_aside = True, False
        self._check_window_below()
        self.clean_capture.reset()
        self._canvas.draw(drawing)
        self.is_shown = True
        self._update_visibility()

    def hide(self) -> None:
        """Hide the drawing."""
        self._is_wanted = False
        self._update_visibility()

    def poll_keys(self) -> list[str]:
        """The keys pressed since the last call; hides the drawing if the window below changed."""
        if self._is_wanted and time.monotonic() - self._asked > EVERY:
            self._check_window_below()
            self._update_visibility()
        return self._keys.tapped()

    def put_aside(self, is_aside: bool) -> None:
        """Hide the drawing temporarily, or show it again."""
        self._is_aside = is_aside
        self._update_visibility()

    @property
    def is_aside(self) -> bool:
        """Whether the drawing is temporarily hidden."""
        return self._is_wanted and self._is_aside

    def meets(self, region: Region) -> bool:
        """Whether the drawing overlaps this region (points)."""
        if not self._is_wanted or self._canvas is None:
            return False
        return intersection(round_region(region), self._canvas.box) is not None

    def unmarked(self, frame: Frame) -> NDArray[np.bool_]:
        """Mask of the frame's pixels without drawing."""
        free = np.ones((frame.height, frame.width), np.bool_)
        if self._canvas is not None:
            x, y, _, _ = pixels_of(self._canvas.box, frame.scale)
            x, y = x - round(frame.left * frame.scale), y - round(frame.top * frame.scale)
            tall, wide = self._mask.shape
            common = intersection((0, 0, frame.width, frame.height), (x, y, wide, tall))
            if common is not None:
                left, top, width, height = common
                drawn = self._mask[top - y : top - y + height, left - x : left - x + width]
                free[top : top + height, left : left + width] = ~drawn
        return free

    def close(self) -> None:
        """Remove the overlay; idempotent."""
        self._is_wanted = False
        self._drop_canvas()
        self._keys.close()

    def _check_window_below(self) -> None:
        """Check whether the window below is unchanged, and whether others cover the drawing."""
        self._asked = time.monotonic()
        if self._under is None or self._canvas is None:
            return
        shown = [window for window in self._windows.all() or () if window.is_shown]
        own = next((window for window in shown if (window.id, window.box) == self._under), None)
        if own is None:
            self._is_wanted = False
            return
        box = self._canvas.box
        self._is_covered = any(each.level > own.level and intersection(each.outer, box) for each in shown)

    def _update_visibility(self) -> None:
        is_shown = self._is_wanted and not self._is_aside and not self._is_covered
        if is_shown != self.is_shown and self._canvas is not None:
            self._canvas.show(is_shown)
            self.clean_capture.reset()
            self.is_shown = is_shown

    def _drop_canvas(self) -> None:
        if self._canvas is not None:
            self._canvas.close()
            self._canvas = None
        self.is_shown = False


class WaylandCleanCapture(Closeable):
    """Captures without the overlay; satisfies `vision.frame.Capture`. `pictures` captures everything."""

    def __init__(self, pictures: Capture, overlay: WaylandOverlay) -> None:
        self._pictures = pictures
        self._overlay = overlay
        self._clean: dict[Region, Frame] = {}  # latest frames without the drawing
        self._marked: dict[Region, NDArray[np.uint8]] = {}  # the same with the drawing

    def grab(self, region: Region | None = None) -> Frame:
        """A frame of a region (points), or of the whole desktop. Raises MissingRequirement."""
        overlay = self._overlay
        if region is None:
            was_shown = overlay.is_shown
            overlay.put_aside(was_shown or overlay.is_aside)
            frame = self._pictures.grab()
            if was_shown:
                overlay.put_aside(False)
            return frame
        if overlay.is_shown and overlay.meets(region):
            clean = self._clean.get(region)
            if clean is not None and self._is_as_before(region, clean):
                return clean
            overlay.put_aside(True)
            self._clean.clear()
        return self._uncovered(region)

    def reset(self) -> None:
        """Discard the captures with the previous drawing."""
        self._marked.clear()

    def _is_as_before(self, region: Region, clean: Frame) -> bool:
        now = self._pictures.grab(region).pixels
        if region in self._marked:
            return np.array_equal(now, self._marked[region])
        free = self._overlay.unmarked(clean)
        if now.shape != clean.pixels.shape or not np.array_equal(now[free], clean.pixels[free]):
            return False
        self._marked[region] = now
        return True

    def _uncovered(self, region: Region) -> Frame:
        frame = self._pictures.grab(region)
        before = self._clean.get(region)
        self._clean[region] = frame
        is_still = before is not None and np.array_equal(before.pixels, frame.pixels)
        if is_still and self._overlay.is_aside and self._overlay.meets(region):
            self._overlay.put_aside(False)
        return frame


XRGB8888 = 1


@dataclass
class WaylandTestPattern:
    """The pattern on a Wayland desktop. It subscribes to the seat's pointer on first use."""

    connection: WaylandConnection
    surface: Any
    _pointer: Any = field(default=None, init=False)
    _at: tuple[float, float] | None = field(default=None, init=False)

    def pointer(self) -> tuple[float, float] | None:
        """The pointer position reported to the pattern's surface."""
        if self._pointer is None:
            self._pointer = self._listen()
        self.connection.roundtrip()
        return self._at

    def close(self) -> None:
        """Unsubscribe, because pywayland fails on a leave event for a destroyed surface."""
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
class WaylandPatternStage:
    """Shows the pattern on a desktop with the layer shell."""

    connection: WaylandConnection

    def screens(self) -> list[ScreenInfo]:
        """The outputs of the desktop."""
        return [
            ScreenInfo(each.name, (each.left, each.top, each.width, each.height), each.scale)
            for each in self.connection.outputs
        ]

    @contextmanager
    def patch(self, screen: ScreenInfo, left: int, top: int) -> Iterator[WaylandTestPattern]:
        """Show the pattern at a point of the desktop. Raises MissingRequirement without a layer shell."""
        connection = self.connection
        output = next(each for each in connection.outputs if each.name == screen.name)
        scale = int(screen.scale) if screen.scale.is_integer() else 1
        shared = ShmBuffer(connection, XRGB8888, SIZE * scale, SIZE * scale, SIZE * scale * 4)
        shared.draw(pattern().repeat(scale, axis=0).repeat(scale, axis=1))
        layer = LayerSurfaceWindow(connection, output, (left, top, SIZE, SIZE), "sapper-trial")
        layer.surface.set_buffer_scale(scale)
        layer.show(shared)
        patch = WaylandTestPattern(connection, layer.surface)
        try:
            yield patch
        finally:
            patch.close()
            layer.close()
            shared.close()
            connection.roundtrip()
