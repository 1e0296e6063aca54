"""The overlay of a sway desktop: a surface of the layer shell that clicks pass through.

Whatever is captured of such a desktop holds every layer. So while marks are shown, the screen is captured
with them: as long as that stays as it was, so does what lies beneath. Once it changes, the marks are out of
date: they go, the screen is captured without them, and they come back when two of these pictures are alike.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.closing import Closing
from bot.desktop.overlay import Drawing
from bot.desktop.wayland.boundkeys import BoundKeys
from bot.desktop.wayland.capture import intersection, pixels_of, whole_points
from bot.desktop.wayland.connection import Connection
from bot.desktop.wayland.layer import Box, Canvas
from bot.desktop.windows import Windows, window_at
from games.errors import MachineLacks
from vision.capture import Capture, Region
from vision.frame import Frame

BLUR = np.ones((5, 5), np.uint8)  # what a drawing may reach beyond itself where a scale is no whole number
EVERY = 0.05  # seconds between two questions where the window beneath is
NEEDED = ("zwlr_layer_shell_v1", "wp_viewporter")


class WaylandOverlay(Closing):
    """See `bot.desktop.overlay.Overlay`. A context manager.

    `windows` and `keys` (XKB's names) are sway's. Raises MachineLacks where the desktop cannot do it.
    """

    def __init__(
        self,
        connection: Connection,
        windows: Windows,
        pictures: Capture,
        keys: BoundKeys,
        names: Sequence[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        lacking = [name for name in NEEDED if not connection.offers(name)]
        if lacking:
            raise MachineLacks(
                f"this Wayland desktop has no {' and no '.join(lacking)}, which the overlay needs: "
                "leave out --overlay"
            )
        self._connection = connection
        self._windows = windows
        self._clock = clock
        self._keys = keys
        self.taken = keys.bind(*names)
        self._beneath = Beneath(pictures, self)
        self._canvas: Canvas | None = None
        self._mask = np.zeros((0, 0), np.bool_)  # where something is drawn
        self._is_wanted = self._is_aside = self._is_covered = False
        self.is_shown = False
        self._under: tuple[int, Box] | None = None  # the window in which the board lies, and where that was
        self._asked = 0.0

    @property
    def beneath(self) -> Capture:
        """Takes pictures of the desktop as it is without the overlay."""
        return self._beneath

    def lie_over(self, x: float, y: float) -> None:
        """From now on lie over the window at this place."""
        window = window_at(self._windows, x, y)
        under = (window.id, window.box) if window is not None else None
        if under != self._under:
            self.hide()
        self._under = under

    def show(self, drawing: Drawing, left: int, top: int) -> None:
        """Show this, with its corner at this place."""
        scale = max(output.scale for output in self._connection.outputs)
        height, width = drawing.shape[:2]
        box = (left, top, -int(-width // scale), -int(-height // scale))
        if self._canvas is None or self._canvas.box != box:
            self._drop_canvas()
            self._canvas = Canvas(self._connection, box, scale)
        self._mask = cv2.dilate((drawing[:, :, 3] > 0).astype(np.uint8), BLUR) > 0
        self._is_wanted, self._is_aside = True, False
        self._look_beneath()
        self._beneath.forget_marks()
        self._canvas.draw(drawing)
        self.is_shown = True
        self._settle()

    def hide(self) -> None:
        """Show nothing."""
        self._is_wanted = False
        self._settle()

    def attend(self) -> list[str]:
        """The keys that were pressed since."""
        if self._is_wanted and self._clock() - self._asked > EVERY:
            self._look_beneath()
            self._settle()
        return self._keys.tapped()

    def put_aside(self, is_aside: bool) -> None:
        """Show nothing for a while, or again what is wanted."""
        self._is_aside = is_aside
        self._settle()

    @property
    def is_aside(self) -> bool:
        """Whether something is wanted, and not shown for a while."""
        return self._is_wanted and self._is_aside

    def meets(self, region: Region) -> bool:
        """Whether what is wanted lies in this region (points), or in a part of it."""
        if not self._is_wanted or self._canvas is None:
            return False
        return intersection(whole_points(region), self._canvas.box) is not None

    def unmarked(self, frame: Frame) -> NDArray[np.bool_]:
        """Which pixels of a picture nothing is drawn on."""
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
        """Take it away; a second time does nothing."""
        self._is_wanted = False
        self._drop_canvas()
        self._keys.close()

    def _look_beneath(self) -> None:
        """See whether the window beneath is where it was, and whether others lie over the marks."""
        self._asked = self._clock()
        if self._under is None or self._canvas is None:
            return
        shown = [window for window in self._windows.all() or () if window.is_shown]
        own = next((window for window in shown if (window.id, window.box) == self._under), None)
        if own is None:
            self._is_wanted = False
            return
        box = self._canvas.box
        self._is_covered = any(each.level > own.level and intersection(each.outer, box) for each in shown)

    def _settle(self) -> None:
        is_shown = self._is_wanted and not self._is_aside and not self._is_covered
        if is_shown != self.is_shown and self._canvas is not None:
            self._canvas.show(is_shown)
            self._beneath.forget_marks()
            self.is_shown = is_shown

    def _drop_canvas(self) -> None:
        if self._canvas is not None:
            self._canvas.close()
            self._canvas = None
        self.is_shown = False


class Beneath(Closing):
    """Pictures without an overlay; satisfies `vision.capture.Capture`. `pictures` takes those with it."""

    def __init__(self, pictures: Capture, overlay: WaylandOverlay) -> None:
        self._pictures = pictures
        self._overlay = overlay
        self._clean: dict[Region, Frame] = {}  # the last ones without marks
        self._marked: dict[Region, NDArray[np.uint8]] = {}  # the same with them

    def grab(self, region: Region | None = None) -> Frame:
        """The picture of a region (points), or of the whole desktop. Raises MachineLacks."""
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

    def forget_marks(self) -> None:
        """What is drawn is another thing now, or none."""
        self._marked.clear()

    def _is_as_before(self, region: Region, clean: Frame) -> bool:
        """Whether the screen shows what it showed, with the marks over it."""
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

    def close(self) -> None:
        """Nothing: others have what it uses."""
