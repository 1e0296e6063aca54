"""A virtual screen of one's own with one program on it: start, click, type, resize, look. For tools only."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from vision.frame import Frame

SETTLED = 0.12  # seconds without a change, after which the picture counts as still
PATIENCE = 10.0  # seconds to wait for anything at most


class Desk:
    """One program on one virtual screen. Positions are pixels of that screen."""

    def __init__(self, display: str, process: subprocess.Popen[bytes]) -> None:
        import mss
        from Xlib import display as xdisplay

        os.environ.setdefault(
            "XAUTHORITY", os.devnull
        )  # python3-xlib insists on a file; this server asks for none
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            self._x: Any = xdisplay.Display(display)
        self._camera: Any = mss.MSS(display=display)
        self._process = process

    def look(self) -> Frame:
        """The whole screen, once it has been still for a moment."""
        last, still_since, start = self._grab(), time.monotonic(), time.monotonic()
        while time.monotonic() - still_since < SETTLED and time.monotonic() - start < PATIENCE:
            time.sleep(0.05)
            now = self._grab()
            if not np.array_equal(now, last):
                last, still_since = now, time.monotonic()
        return Frame(last)

    def click(self, x: int, y: int, button: int = 1) -> None:
        """Press and release a mouse button there."""
        from Xlib import X
        from Xlib.ext import xtest

        xtest.fake_input(self._x, X.MotionNotify, x=x, y=y)
        xtest.fake_input(self._x, X.ButtonPress, button)
        xtest.fake_input(self._x, X.ButtonRelease, button)
        self._x.sync()
        time.sleep(0.02)

    def park(self, x: int, y: int) -> None:
        """Move the pointer there, where it does not light up a cell."""
        from Xlib import X
        from Xlib.ext import xtest

        xtest.fake_input(self._x, X.MotionNotify, x=x, y=y)
        self._x.sync()

    def type(self, *keys: str) -> None:
        """Hold these keys down together, then let go: `type("Control_L", "n")`."""
        from Xlib import XK, X
        from Xlib.ext import xtest

        codes = [self._x.keysym_to_keycode(XK.string_to_keysym(key)) for key in keys]
        for code in codes:
            xtest.fake_input(self._x, X.KeyPress, code)
        for code in reversed(codes):
            xtest.fake_input(self._x, X.KeyRelease, code)
        self._x.sync()
        time.sleep(0.05)

    def window(self) -> Any:
        """The largest window on the screen, waited for. Raises TimeoutError when none appears."""
        start = time.monotonic()
        while time.monotonic() - start < PATIENCE:
            shown = []
            for window in self._x.screen().root.query_tree().children:
                geometry = window.get_geometry()
                if window.get_attributes().map_state == 2 and geometry.width > 50:
                    shown.append((geometry.width * geometry.height, window.id, window))
            if shown:
                return max(shown)[2]
            time.sleep(0.05)
        raise TimeoutError("the program showed no window")

    def box(self) -> tuple[int, int, int, int]:
        """(left, top, width, height) of the largest window."""
        geometry = self.window().get_geometry()
        return geometry.x, geometry.y, geometry.width, geometry.height

    def focus(self) -> None:
        """Give the keyboard to the largest window (there is no window manager to do it)."""
        from Xlib import X

        self.window().set_input_focus(X.RevertToParent, X.CurrentTime)
        self._x.sync()

    def dismiss(self) -> bool:
        """Press Escape in every smaller window, such as a dialog; returns whether there was one."""
        from Xlib import X

        largest, found = self.window().id, False
        for window in self._x.screen().root.query_tree().children:
            geometry = window.get_geometry()
            if window.get_attributes().map_state == 2 and geometry.width > 50 and window.id != largest:
                window.set_input_focus(X.RevertToParent, X.CurrentTime)
                self.type("Escape")
                time.sleep(0.3)
                found = True
        return found

    def place(self, x: int, y: int, width: int, height: int) -> None:
        """Move and resize the largest window."""
        self.window().configure(x=x, y=y, width=width, height=height)
        self._x.sync()

    def _grab(self) -> Any:
        shot = self._camera.grab(self._camera.monitors[0])
        return np.ascontiguousarray(
            np.frombuffer(shot.raw, np.uint8).reshape(shot.height, shot.width, -1)[:, :, :3]
        )


@contextlib.contextmanager
def desk(
    command: Sequence[str],
    environment: Mapping[str, str] | None = None,
    files: Mapping[str, str] | None = None,
    screen: tuple[int, int] = (1920, 1200),
) -> Iterator[Desk]:
    """Run a program on a fresh virtual screen with an empty home that holds `files`; clean up afterwards."""
    from pyvirtualdisplay.display import Display

    with (
        tempfile.TemporaryDirectory() as home,
        Display(visible=False, size=screen, manage_global_env=False) as shown,
    ):
        for name, text in (files or {}).items():
            path = Path(home) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        runtime = Path(home) / "run"
        runtime.mkdir(mode=0o700)
        own = {
            "DISPLAY": shown.new_display_var,
            "HOME": home,
            "XDG_CONFIG_HOME": f"{home}/.config",
            "XDG_DATA_HOME": f"{home}/.local/share",
            "XDG_CACHE_HOME": f"{home}/.cache",
            "XDG_RUNTIME_DIR": str(runtime),
        }
        # importing cv2 sets QT_QPA_*, which point Qt programs to plugins that they cannot load
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("QT_QPA")}
        process = subprocess.Popen(
            list(command),
            env={**inherited, **own, **(environment or {})},
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield Desk(shown.new_display_var, process)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait()
