"""The overlay of an X screen: a click-through window stacked directly above the board's window.

With a compositor, the overlay has an alpha channel; without one, its bounding shape is limited to the drawn
pixels. The board's window is redirected with the Composite extension: the server then renders it into
separate memory, from which frames without the overlay are captured.

The module also shows the pattern of the self-test (`X11PatternStage`).
"""

from __future__ import annotations

import contextlib
import select
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from Xlib import XK, X, Xatom, error
from Xlib.protocol import rq, structs

from bot.desktop.ports import Drawing, ScreenInfo, window_at
from bot.desktop.self_test import COLOURS, SIZE, SPLIT
from bot.desktop.x11.capture import X11Capture
from bot.desktop.x11.windows import X11Windows, open_display
from bot.shutdown import Closeable
from games.errors import MissingRequirement
from vision.frame import Capture, Frame, Region

BAND = 200_000  # bytes per request; servers accept at most 262,140
TRUE_COLOR = 4  # visual class without a palette
OPAQUE = 128  # minimum alpha (0-255) that is drawn without an alpha channel
ALPHA_DEPTH = 32
SET, BOUNDING, INPUT = 0, 0, 2  # SHAPE: an operation and two kinds of shape


class _Rectangles(rq.Request):  # type: ignore[misc] # python3-xlib does not support input shapes
    _request = rq.Struct(
        rq.Card8("opcode"), rq.Opcode(1), rq.RequestLength(),
        rq.Card8("operation"), rq.Card8("kind"), rq.Card8("ordering"), rq.Pad(1),
        rq.Window("window"), rq.Int16("x"), rq.Int16("y"), rq.List("rectangles", structs.Rectangle),
    )  # fmt: skip


def take_no_clicks(display: Any, window: Any) -> None:
    """Give a window an empty input shape, so that clicks pass through."""
    _Rectangles(
        display=display.display, opcode=display.display.get_extension_major("SHAPE"), operation=SET,
        kind=INPUT, ordering=0, window=window.id, x=0, y=0, rectangles=[],
    )  # fmt: skip


class X11Canvas:
    """An unmanaged window with an alpha channel, if `wants_alpha` and the screen supports it.

    Without an alpha channel, its bounding shape contains only the drawn pixels.
    """

    def __init__(self, display: Any, wants_alpha: bool) -> None:
        self._display = display
        screen = display.screen()
        visuals = {
            each.visual_id: (form.depth, each) for form in screen.allowed_depths for each in form.visuals
        }
        with_alpha = [
            (depth, each)
            for depth, each in visuals.values()
            if wants_alpha and depth == ALPHA_DEPTH and each.visual_class == TRUE_COLOR
        ]
        self.has_alpha = bool(with_alpha)
        depth, visual = with_alpha[0] if with_alpha else visuals[screen.root_visual]
        self._depth = depth
        self._drawing: Drawing | None = None
        self._pixmap: Any = None
        self._shape: Any = None
        form = next(each for each in display.display.info.pixmap_formats if each.depth == depth)
        order = "<" if display.display.info.image_byte_order == 0 else ">"
        self._pixel = np.dtype(f"{order}u{form.bits_per_pixel // 8}")
        self._masks = (visual.blue_mask, visual.green_mask, visual.red_mask)
        # a different visual requires its own colormap and border pixel
        self.window: Any = screen.root.create_window(
            0, 0, 1, 1, 0, depth, X.InputOutput, visual.visual_id, override_redirect=True,
            border_pixel=0, background_pixel=0,
            colormap=screen.root.create_colormap(visual.visual_id, X.AllocNone),
            event_mask=X.VisibilityChangeMask,
        )  # fmt: skip
        # the EWMH window type that compositors draw without a shadow
        kind, dragged = (display.get_atom(f"_NET_WM_WINDOW_TYPE{end}") for end in ("", "_DND"))
        self.window.change_property(kind, Xatom.ATOM, 32, [dragged])

    def draw(self, drawing: Drawing, left: int, top: int) -> None:
        """Show a drawing with its corner at this position (pixels); only changed rows are sent."""
        height, width = drawing.shape[:2]
        before, self._drawing = self._drawing, drawing
        if before is None or before.shape != drawing.shape:
            if before is not None:
                self._pixmap.free()
                self._shape.free()
            self._pixmap = self.window.create_pixmap(width, height, self._depth)
            self._shape = self.window.create_pixmap(width, height, 1)
            first, last = 0, height
        else:
            rows = np.flatnonzero((drawing != before).any(axis=(1, 2)))
            first, last = (rows[0], rows[-1] + 1) if len(rows) else (0, 0)
        if last > first:
            part = drawing[first:last]
            self._upload(self._pixmap, self._packed(part), self._depth, width, first)
            self.window.change_attributes(background_pixmap=self._pixmap)
            if not self.has_alpha:
                self._upload(self._shape, self._bits(part[:, :, 3] >= OPAQUE), 1, width, first)
                self.window.shape_mask(SET, BOUNDING, 0, 0, self._shape)
            self.window.clear_area(0, first, width, last - first)
        self.window.configure(x=left, y=top, width=width, height=height)

    def _packed(self, drawing: Drawing) -> NDArray[np.uint8]:
        """The pixels in the server's format: (rows, bytes)."""
        if self.has_alpha:
            alpha = drawing[:, :, 3].astype(np.uint32)
            pixels = alpha << np.uint32(24)
            parts = [(drawing[:, :, k] * alpha + 127) // 255 for k in range(3)]
        else:
            pixels = np.zeros(drawing.shape[:2], np.uint32)
            parts = [drawing[:, :, k].astype(np.uint32) for k in range(3)]
        for part, mask in zip(parts, self._masks, strict=True):
            lowest = (mask & -mask).bit_length() - 1
            most = mask >> lowest
            pixels |= ((part * np.uint32(most) + 127) // 255).astype(np.uint32) << np.uint32(lowest)
        rows = np.ascontiguousarray(pixels.astype(self._pixel)).view(np.uint8)
        return rows.reshape(len(drawing), -1)

    def _bits(self, mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
        is_little = self._display.display.info.bitmap_format_bit_order == 0
        return np.packbits(mask, axis=1, bitorder="little" if is_little else "big")

    def _upload(self, pixmap: Any, rows: NDArray[np.uint8], depth: int, width: int, top: int) -> None:
        form = next(each for each in self._display.display.info.pixmap_formats if each.depth == depth)
        pad = form.scanline_pad // 8
        rows = np.pad(rows, ((0, 0), (0, -rows.shape[1] % pad)))
        context = pixmap.create_gc()
        few = max(1, BAND // rows.shape[1])
        for start in range(0, len(rows), few):
            band = rows[start : start + few]
            pixmap.put_image(context, 0, top + start, width, len(band), X.ZPixmap, depth, 0, band.tobytes())
        context.free()


AUTOMATIC = 0  # Composite: the server keeps showing the redirected window
WAKE = 0.2  # seconds in which the thread ends


class StackFollower:
    """Keeps a window directly above another one, also when a click raises the lower one.

    A thread with its own connection answers at once, also while Sapper reads or reasons. Both windows are
    given by their ids.
    """

    def __init__(self, above: int, below: int) -> None:
        self._display: Any = open_display()
        self._display.set_error_handler(lambda *_: None)  # the windows may be gone
        self._above, self._below = (
            self._display.create_resource_object("window", each) for each in (above, below)
        )
        self._below.change_attributes(event_mask=X.StructureNotifyMask)
        self._display.sync()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread, which closes its connection."""
        self._is_over.set()
        self._thread.join(5 * WAKE)

    def _follow(self) -> None:
        with contextlib.suppress(error.ConnectionClosedError, OSError):  # the screen is gone
            while not self._is_over.is_set():
                select.select([self._display], [], [], WAKE)
                count = self._display.pending_events()
                kinds = [self._display.next_event().type for _ in range(count)]
                if X.ConfigureNotify in kinds:
                    self._above.configure(sibling=self._below, stack_mode=X.Above)
                    self._display.flush()
            self._display.close()


REPAINT = 0.1  # seconds; for a compositor to redraw the screen
NEEDED = ("SHAPE", "Composite")


class X11Overlay(Closeable):
    """See `bot.desktop.ports.Overlay`. A context manager.

    `keys` are X key names. Raises MissingRequirement if the server lacks an extension.
    """

    def __init__(self, windows: X11Windows, pictures: Capture, keys: Sequence[str] = ()) -> None:
        self._display: Any = open_display()
        lacking = [name for name in NEEDED if not self._display.has_extension(name)]
        if lacking:
            self._display.close()
            raise MissingRequirement(
                f"--overlay requires the X extension {' and '.join(lacking)}: "
                "use --virtual, or leave out --overlay"
            )
        self._display.set_error_handler(lambda *_: None)  # windows may close during a query
        self._screen: Any = self._display.screen()
        self._windows = windows
        self._alone = X11Capture()
        self.clean_capture: Capture = X11CleanCapture(pictures, self)
        self._under: Any = None  # the top-level window that contains the board
        self._place: tuple[int, int, int, int] | None = None  # position and size of that window when attached
        self._canvas: X11Canvas | None = None
        self._follower: StackFollower | None = None
        self._is_shown = False
        self._released: tuple[int, int] | None = None  # keycode and time of the last release
        self._pressed: list[str] = []  # keys since the last call of `poll_keys`
        self._codes, self.taken = self._grab(keys)

    def attach_at(self, x: float, y: float) -> None:
        """Stay directly above the window at this position."""
        window = window_at(self._windows, x, y)
        target = self._windows.target(window.id) if window is not None else None
        if target is None:
            self._detach()
            return
        if self._under is None or self._under.id != target.top:
            self._detach()
            self._under = self._display.create_resource_object("window", target.top)
            self._under.change_attributes(event_mask=X.StructureNotifyMask)
            self._under.composite_redirect_window(AUTOMATIC)
        self._place = self._place_now()
        if self._canvas is not None and self._canvas.has_alpha != self._is_composited:
            self._drop_canvas()

    def show(self, drawing: Drawing, left: int, top: int) -> None:
        """Show a drawing with its top left corner at this position."""
        if self._canvas is None:
            self._canvas = X11Canvas(self._display, self._is_composited)
            take_no_clicks(self._display, self._canvas.window)
            self._windows.ours.add(int(self._canvas.window.id))
        self._canvas.draw(drawing, left, top)
        self._raise()
        if not self._is_shown:
            self._canvas.window.map()
            self._is_shown = True
        self._display.flush()
        if self._under is not None and self._follower is None:
            self._display.sync()  # both windows must exist before another connection uses their ids
            self._follower = StackFollower(int(self._canvas.window.id), int(self._under.id))

    def hide(self) -> None:
        """Hide the drawing."""
        if self._is_shown and self._canvas is not None:
            self._canvas.window.unmap()
            self._display.sync()
        self._is_shown = False

    def poll_keys(self) -> list[str]:
        """The keys pressed since the last call; hides the drawing if the window below moved."""
        self.follow_window()
        pressed, self._pressed = self._pressed, []
        return pressed

    def follow_window(self) -> None:
        """Stay directly above the window below, which a click may raise; hide the drawing if it moved."""
        is_disturbed = False
        while self._display.pending_events():
            event = self._display.next_event()
            if event.type == X.KeyRelease:
                self._released = (event.detail, event.time)
            elif event.type == X.KeyPress:
                if self._released != (event.detail, event.time):  # not an auto-repeat
                    self._pressed.append(self._codes[event.detail])
            else:
                is_disturbed = True
        if is_disturbed and self._under is not None:
            if self._place_now() != self._place:
                self.hide()
            elif self._is_shown:
                self._raise()
                self._display.flush()

    def picture(self, region: Region) -> Frame | None:
        """A screen region captured from the window below; None if it extends beyond that window."""
        self.follow_window()
        return None if self._under is None else self._alone.grab_window(int(self._under.id), region)

    @contextmanager
    def hidden_drawing(self) -> Iterator[None]:
        """Hide the drawing until the block ends."""
        if not self._is_shown or self._canvas is None:
            yield
            return
        self._canvas.window.unmap()
        self._display.sync()
        if self._canvas.has_alpha:
            time.sleep(REPAINT)
        try:
            yield
        finally:
            self._canvas.window.map()
            self._display.sync()

    def close(self) -> None:
        """Remove the overlay; idempotent."""
        if self._display is None:
            return
        display, self._display = self._display, None
        self._stop_following()
        with contextlib.suppress(error.ConnectionClosedError, OSError):  # the screen may be gone
            display.close()  # this also ends the window, key grabs and redirection
        self._alone.close()

    @property
    def _is_composited(self) -> bool:
        """Whether a compositor runs on this screen (EWMH, _NET_WM_CM_Sn)."""
        name = f"_NET_WM_CM_S{self._display.get_default_screen()}"
        return bool(self._display.get_selection_owner(self._display.get_atom(name)))

    def _raise(self) -> None:
        """Stack directly above the board's window, so that its covers also cover the overlay."""
        assert self._canvas is not None
        if self._under is None:
            self._canvas.window.configure(stack_mode=0)
        else:
            self._canvas.window.configure(sibling=self._under, stack_mode=0)

    def _place_now(self) -> tuple[int, int, int, int] | None:
        try:
            shape = self._under.get_geometry()
            is_shown = self._under.get_attributes().map_state == X.IsViewable
        except error.XError:
            return None
        return (shape.x, shape.y, shape.width, shape.height) if is_shown else None

    def _stop_following(self) -> None:
        if self._follower is not None:
            self._follower.close()
            self._follower = None

    def _detach(self) -> None:
        self.hide()
        self._stop_following()
        if self._under is not None:
            self._under.change_attributes(event_mask=0)
            self._under.composite_unredirect_window(AUTOMATIC)
            self._under = self._place = None

    def _drop_canvas(self) -> None:
        self.hide()
        self._stop_following()
        assert self._canvas is not None
        self._canvas.window.destroy()
        self._windows.ours.discard(int(self._canvas.window.id))
        self._canvas = None

    def _grab(self, keys: Sequence[str]) -> tuple[dict[int, str], tuple[str, ...]]:
        """Grab keys in all windows; return names by keycode, and the names that could not be grabbed."""
        codes, taken = {}, []
        for name in keys:
            code = self._display.keysym_to_keycode(XK.string_to_keysym(name))
            caught = error.CatchError(error.BadAccess)
            self._screen.root.grab_key(
                code, X.AnyModifier, True, X.GrabModeAsync, X.GrabModeAsync, onerror=caught
            )
            self._display.sync()
            if not code or caught.get_error() is not None:
                taken.append(name)
            else:
                codes[code] = name
        return codes, tuple(taken)


class X11CleanCapture(Closeable):
    """Captures the screen without the overlay; satisfies `vision.frame.Capture`.

    Regions entirely inside the window below the overlay are captured from that window. Other regions are
    captured from the screen with `pictures` while the overlay is hidden.
    """

    def __init__(self, pictures: Capture, overlay: X11Overlay) -> None:
        self._pictures = pictures
        self._overlay = overlay

    def grab(self, region: Region | None = None) -> Frame:
        """A frame of a region (points), or of the whole screen. Raises MissingRequirement."""
        frame = self._overlay.picture(region) if region is not None else None
        if frame is not None:
            return frame
        with self._overlay.hidden_drawing():
            return self._pictures.grab(region)


class X11PatternStage:
    """The screens of DISPLAY, where one point is one pixel. Close it to end its connection."""

    def __init__(self) -> None:
        self._display: Any = open_display()
        self._screen: Any = self._display.screen()

    def close(self) -> None:
        """Close the connection."""
        self._display.close()

    def screens(self) -> list[ScreenInfo]:
        """The monitors of the X screen."""
        found = []
        if self._display.has_extension("XINERAMA"):
            found = [
                ScreenInfo(str(number), (each.x, each.y, each.width, each.height), 1.0)
                for number, each in enumerate(self._display.xinerama_query_screens().screens)
            ]
        root = self._screen.root.get_geometry()
        return found or [ScreenInfo("0", (0, 0, root.width, root.height), 1.0)]

    @contextmanager
    def patch(self, screen: ScreenInfo, left: int, top: int) -> Iterator[X11TestPattern]:
        """Show the pattern at a point of the screen."""
        window = self._screen.root.create_window(
            left, top, SIZE, SIZE, 0, self._screen.root_depth,
            background_pixmap=self._pattern(), override_redirect=True,
        )  # fmt: skip
        window.map()
        window.configure(stack_mode=0)  # above
        self._display.sync()
        try:
            yield X11TestPattern(self._screen.root, window)
        finally:
            window.destroy()
            self._display.sync()

    def _pattern(self) -> Any:
        across, down = SPLIT
        pixmap = self._screen.root.create_pixmap(SIZE, SIZE, self._screen.root_depth)
        boxes = (
            (0, 0, across, down),
            (across, 0, SIZE - across, down),
            (0, down, across, SIZE - down),
            (across, down, SIZE - across, SIZE - down),
        )
        for (blue, green, red), box in zip(COLOURS, boxes, strict=True):
            colour = self._screen.default_colormap.alloc_color(red * 257, green * 257, blue * 257)
            context = pixmap.create_gc(foreground=colour.pixel)
            pixmap.fill_rectangle(context, *box)
            context.free()
        return pixmap


@dataclass(frozen=True)
class X11TestPattern:
    """The pattern on an X screen."""

    root: Any
    window: Any

    def pointer(self) -> tuple[float, float] | None:
        """The pointer position in the pattern; None if outside or another window covers it."""
        here = self.window.query_pointer()
        over = self.root.query_pointer().child
        return (float(here.win_x), float(here.win_y)) if over == self.window else None
