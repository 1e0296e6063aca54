"""A window that shows a drawing with transparent parts, for python3-xlib."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from Xlib import X, Xatom
from Xlib.protocol import rq, structs

from bot.desktop.overlay import Drawing

BAND = 200_000  # bytes of one request; servers take 262,140 at most
TRUE_COLOR = 4  # the visual class whose pixels are their colours
OPAQUE = 128  # of 255: what is at least so opaque is shown where there is no alpha channel
ALPHA_DEPTH = 32
SET, BOUNDING, INPUT = 0, 0, 2  # SHAPE: an operation and two kinds of shape


class _Rectangles(rq.Request):  # type: ignore[misc] # python3-xlib's own knows no input shapes
    _request = rq.Struct(
        rq.Card8("opcode"), rq.Opcode(1), rq.RequestLength(),
        rq.Card8("operation"), rq.Card8("kind"), rq.Card8("ordering"), rq.Pad(1),
        rq.Window("window"), rq.Int16("x"), rq.Int16("y"), rq.List("rectangles", structs.Rectangle),
    )  # fmt: skip


def take_no_clicks(display: Any, window: Any) -> None:
    """Give a window an empty input shape: the pointer is never over it."""
    _Rectangles(
        display=display.display, opcode=display.display.get_extension_major("SHAPE"), operation=SET,
        kind=INPUT, ordering=0, window=window.id, x=0, y=0, rectangles=[],
    )  # fmt: skip


class Canvas:
    """A window that no window manager touches, with an alpha channel where `wants_alpha` can be had.

    Without one, its bounding shape is what is drawn.
    """

    def __init__(self, display: Any, wants_alpha: bool) -> None:
        self._display = display
        screen = display.screen()
        depth, visual = _alpha_visual(screen) if wants_alpha else (0, None)
        self.has_alpha = visual is not None
        if visual is None:
            depth = screen.root_depth
            visual = next(
                each
                for form in screen.allowed_depths
                for each in form.visuals
                if each.visual_id == screen.root_visual
            )
        self._depth = depth
        self._drawing: Drawing | None = None
        self._pixmap: Any = None
        self._shape: Any = None
        form = next(each for each in display.display.info.pixmap_formats if each.depth == depth)
        order = "<" if display.display.info.image_byte_order == 0 else ">"
        self._pixel = np.dtype(f"{order}u{form.bits_per_pixel // 8}")
        self._masks = (visual.blue_mask, visual.green_mask, visual.red_mask)
        # a visual of its own needs a map of colours and a border of its own
        self.window: Any = screen.root.create_window(
            0, 0, 1, 1, 0, depth, X.InputOutput, visual.visual_id, override_redirect=True,
            border_pixel=0, background_pixel=0,
            colormap=screen.root.create_colormap(visual.visual_id, X.AllocNone),
            event_mask=X.VisibilityChangeMask,
        )  # fmt: skip
        # of the types of windows (EWMH) the one to which compositors give no shadow
        kind, dragged = (display.intern_atom(f"_NET_WM_WINDOW_TYPE{end}") for end in ("", "_DND"))
        self.window.change_property(kind, Xatom.ATOM, 32, [dragged])

    def draw(self, drawing: Drawing, left: int, top: int) -> None:
        """Show a drawing with its corner at this place; the server draws it again whenever that is needed.

        Only the rows that have changed are sent.
        """
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
        """The bytes of the pixels: rows, bytes."""
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


def _alpha_visual(screen: Any) -> tuple[int, Any]:
    """The depth and the visual of windows with an alpha channel, (0, None) where there are none."""
    for form in screen.allowed_depths:
        if form.depth == ALPHA_DEPTH:
            for visual in form.visuals:
                if visual.visual_class == TRUE_COLOR:
                    return ALPHA_DEPTH, visual
    return 0, None
