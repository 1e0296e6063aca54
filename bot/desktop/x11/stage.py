"""Shows the pattern of a trial on an X screen, in a window that no window manager touches."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from bot.desktop.trial import COLOURS, SIZE, SPLIT, Screen
from bot.desktop.x11.cookies import have_cookie_file


class XStage:
    """The screens that DISPLAY names; a point is a pixel there. For one connection; close it at the end."""

    def __init__(self) -> None:
        from Xlib import display

        have_cookie_file()
        with warnings.catch_warnings():  # python3-xlib leaves the file of cookies open
            warnings.simplefilter("ignore", ResourceWarning)
            self._display: Any = display.Display(os.environ.get("DISPLAY"))
        self._screen: Any = self._display.screen()

    def close(self) -> None:
        """Hang up."""
        self._display.close()

    def screens(self) -> list[Screen]:
        """The monitors of the screen."""
        found = []
        if self._display.has_extension("XINERAMA"):
            found = [
                Screen(str(number), (each.x, each.y, each.width, each.height), 1.0)
                for number, each in enumerate(self._display.xinerama_query_screens().screens)
            ]
        root = self._screen.root.get_geometry()
        return found or [Screen("0", (0, 0, root.width, root.height), 1.0)]

    @contextmanager
    def patch(self, screen: Screen, left: int, top: int) -> Iterator[XPatch]:
        """The pattern at a point of the screen."""
        window = self._screen.root.create_window(
            left, top, SIZE, SIZE, 0, self._screen.root_depth,
            background_pixmap=self._pattern(), override_redirect=True,
        )  # fmt: skip
        window.map()
        window.configure(stack_mode=0)  # above
        self._display.sync()
        try:
            yield XPatch(self._screen.root, window)
        finally:
            window.destroy()
            self._display.sync()

    def _pattern(self) -> Any:
        """The pattern as a pixmap: the server draws it by itself whenever it is needed."""
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
class XPatch:
    """The pattern on an X screen."""

    root: Any
    window: Any

    def pointer(self) -> tuple[float, float] | None:
        """Where the pointer is on it; None where another window lies between."""
        here = self.window.query_pointer()
        over = self.root.query_pointer().child
        return (float(here.win_x), float(here.win_y)) if over == self.window else None
