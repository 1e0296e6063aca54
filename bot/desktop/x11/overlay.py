"""The overlay of an X screen: a window with an empty input shape, stacked just over that of the board.

Where a compositor runs it has an alpha channel; elsewhere its bounding shape is what is drawn. The window of
the board is kept apart from it by the Composite extension, which every program can ask for: the server then
draws it into memory of its own, and pictures are taken from there.
"""

from __future__ import annotations

import contextlib
import os
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bot.closing import Closing
from bot.desktop.overlay import Drawing
from bot.desktop.windows import window_at
from bot.desktop.x11.cookies import have_cookie_file
from bot.desktop.x11.image import XImageGrabber
from bot.desktop.x11.pixels import Canvas, take_no_clicks
from bot.desktop.x11.windows import XWindows
from games.errors import MachineLacks
from vision.capture import Capture, Region
from vision.frame import Frame

AUTOMATIC = 0  # Composite: the server goes on showing the window by itself
REPAINT = 0.1  # seconds that a compositor gets to draw the screen again
NEEDED = ("SHAPE", "Composite")


class XOverlay(Closing):
    """See `bot.desktop.overlay.Overlay`. A context manager.

    `keys` are X names. Raises MachineLacks where the server cannot do it.
    """

    def __init__(self, windows: XWindows, pictures: Capture, keys: Sequence[str] = ()) -> None:
        from Xlib import display

        have_cookie_file()
        with warnings.catch_warnings():  # python3-xlib leaves the file of cookies open
            warnings.simplefilter("ignore", ResourceWarning)
            self._display: Any = display.Display(os.environ.get("DISPLAY"))
        lacking = [name for name in NEEDED if not self._display.has_extension(name)]
        if lacking:
            self._display.close()
            raise MachineLacks(
                f"the X server has no {' and no '.join(lacking)} extension, which the overlay needs: "
                "play with --virtual, or leave out --overlay"
            )
        self._display.set_error_handler(lambda *_: None)  # windows go away while they are asked about
        self._screen: Any = self._display.screen()
        self._windows = windows
        self._alone = XImageGrabber()
        self.beneath: Capture = Beneath(pictures, self)
        self._under: Any = None  # the window on the screen itself in which the board lies
        self._place: tuple[int, int, int, int] | None = None  # where that was
        self._canvas: Canvas | None = None
        self._is_shown = False
        self._let_go_at: dict[int, int] = {}
        self._codes, self.taken = self._grab(keys)

    def lie_over(self, x: float, y: float) -> None:
        """From now on lie over the window at this place."""
        from Xlib import X

        window = window_at(self._windows, x, y)
        target = self._windows.target(window.id) if window is not None else None
        if target is None:
            self._leave()
            return
        if self._under is None or self._under.id != target.top:
            self._leave()
            self._under = self._display.create_resource_object("window", target.top)
            self._under.change_attributes(event_mask=X.StructureNotifyMask)
            self._under.composite_redirect_window(AUTOMATIC)
        self._place = self._place_now()
        if self._canvas is not None and self._canvas.has_alpha != self._is_composited:
            self._drop_canvas()

    def show(self, drawing: Drawing, left: int, top: int) -> None:
        """Show this, with its corner at this place."""
        if self._canvas is None:
            self._canvas = Canvas(self._display, self._is_composited)
            take_no_clicks(self._display, self._canvas.window)
            self._windows.ours.add(int(self._canvas.window.id))
        self._canvas.draw(drawing, left, top)
        self._raise()
        if not self._is_shown:
            self._canvas.window.map()
            self._is_shown = True
        self._display.flush()

    def hide(self) -> None:
        """Show nothing."""
        if self._is_shown and self._canvas is not None:
            self._canvas.window.unmap()
            self._display.sync()
        self._is_shown = False

    def attend(self) -> list[str]:
        """The keys that were pressed since."""
        from Xlib import X

        pressed = []
        is_disturbed = False
        while self._display.pending_events():
            event = self._display.next_event()
            if event.type == X.KeyRelease:
                self._let_go_at[event.detail] = event.time
            elif event.type == X.KeyPress:
                if self._let_go_at.get(event.detail) != event.time:  # else it repeats, being held
                    pressed.append(self._codes[event.detail])
            else:
                is_disturbed = True
        if is_disturbed and self._under is not None:
            if self._place_now() != self._place:
                self.hide()
            elif self._is_shown:
                self._raise()
                self._display.flush()
        return pressed

    def picture(self, region: Region) -> Frame | None:
        """A part of the screen as the window beneath draws it; None where that reaches beyond the window."""
        return None if self._under is None else self._alone.grab_window(int(self._under.id), region)

    @contextmanager
    def out_of_the_way(self) -> Iterator[None]:
        """Meanwhile nothing is shown."""
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
        """Take it away; a second time does nothing."""
        if self._display is None:
            return
        from Xlib import error

        display, self._display = self._display, None
        with contextlib.suppress(error.ConnectionClosedError, OSError):  # the screen may have gone first
            display.close()  # its window, its keys and what it asked of the server go with it
        self._alone.close()

    @property
    def _is_composited(self) -> bool:
        """Whether a compositor draws this screen (EWMH, _NET_WM_CM_Sn)."""
        name = f"_NET_WM_CM_S{self._display.get_default_screen()}"
        return bool(self._display.get_selection_owner(self._display.intern_atom(name)))

    def _raise(self) -> None:
        """Go directly above the window beneath: what lies over that lies over the overlay, too."""
        assert self._canvas is not None
        if self._under is None:
            self._canvas.window.configure(stack_mode=0)
        else:
            self._canvas.window.configure(sibling=self._under, stack_mode=0)

    def _place_now(self) -> tuple[int, int, int, int] | None:
        from Xlib import X, error

        try:
            shape = self._under.get_geometry()
            is_shown = self._under.get_attributes().map_state == X.IsViewable
        except error.XError:
            return None
        return (shape.x, shape.y, shape.width, shape.height) if is_shown else None

    def _leave(self) -> None:
        """Lie over no window."""
        self.hide()
        if self._under is not None:
            self._under.change_attributes(event_mask=0)
            self._under.composite_unredirect_window(AUTOMATIC)
            self._under = self._place = None

    def _drop_canvas(self) -> None:
        self.hide()
        assert self._canvas is not None
        self._canvas.window.destroy()
        self._windows.ours.discard(int(self._canvas.window.id))
        self._canvas = None

    def _grab(self, keys: Sequence[str]) -> tuple[dict[int, str], tuple[str, ...]]:
        """Have keys reported here, in whatever window they are pressed; codes, and names that others have."""
        from Xlib import XK, X, error

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


class Beneath(Closing):
    """Pictures without an overlay; satisfies `vision.capture.Capture`. `pictures` takes those of the screen.

    What lies wholly in the window beneath the overlay is taken from that window, whatever lies over it.
    Anything else is taken from the screen, and the overlay is not shown for as long as that takes.
    """

    def __init__(self, pictures: Capture, overlay: XOverlay) -> None:
        self._pictures = pictures
        self._overlay = overlay

    def grab(self, region: Region | None = None) -> Frame:
        """The picture of a region (points), or of the whole screen. Raises MachineLacks."""
        frame = self._overlay.picture(region) if region is not None else None
        if frame is not None:
            return frame
        with self._overlay.out_of_the_way():
            return self._pictures.grab(region)

    def close(self) -> None:
        """Nothing: others have what it uses."""
