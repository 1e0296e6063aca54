"""A screen of its own for the bot: Xvfb, and a window manager where a program wants one."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bot.desktop.cookies import new_cookie, write_cookie
from bot.desktop.processes import Kept
from bot.desktop.windows import XWindows
from games.errors import MachineLacks

PATIENCE = 10.0  # seconds that a server or a window manager gets to start or to end


class VirtualScreen:
    """An X screen that nobody sees, open inside a `with` block.

    `width` x `height` pixels, 24 bits deep. `DISPLAY` is set while it is open and put back afterwards.
    One X screen for a process: pyautogui opens `DISPLAY` once, when it is first imported, and never lets go,
    so a second screen needs a second process. The server ends with the block, after an error too, and when
    this process is killed: it runs with `-terminate`, and the last to let go of it is this process. Raises
    MachineLacks when Xvfb (or the window manager) is not there.
    """

    def __init__(self, width: int = 1280, height: int = 900, window_manager: bool = False) -> None:
        self.width = width
        self.height = height
        self.display = ""
        self._wants_manager = window_manager
        self._server: Any = None
        self._windows: XWindows | None = None
        self._manager: Kept | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._cookies_before = os.environ.get("XAUTHORITY")

    def __enter__(self) -> Self:
        try:
            self._start_server()
            if self._wants_manager:
                self.start_window_manager()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def windows(self) -> XWindows:
        """The windows on this screen."""
        if self._windows is None:
            raise RuntimeError("the screen is not open")
        return self._windows

    def start_window_manager(self) -> None:
        """Start openbox on this screen unless one runs. Raises MachineLacks when it is not installed."""
        if self._manager is not None:
            return
        if shutil.which("openbox") is None:
            raise MachineLacks("openbox (a window manager) is not installed: apt-get install openbox")
        self._manager = Kept(["openbox", "--sm-disable"], dict(os.environ))
        deadline = time.monotonic() + PATIENCE
        while not self.windows.is_managed:
            if self._manager.poll() is not None or time.monotonic() > deadline:
                raise MachineLacks("openbox does not start: see what `openbox` says on a terminal")
            time.sleep(0.02)

    def close(self) -> None:
        """End the window manager and the server; a second time does nothing."""
        if self._manager is not None:
            self._manager.close()
            self._manager = None
        if self._windows is not None:
            self._windows.close()  # the last client: the server ends by itself
            self._windows = None
        if self._server is not None:
            self._end_server()
            self._server = None
            if self._cookies_before is None:
                os.environ.pop("XAUTHORITY", None)
            else:
                os.environ["XAUTHORITY"] = self._cookies_before
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _start_server(self) -> None:
        from pyvirtualdisplay.abstractdisplay import XStartError, XStartTimeoutError
        from pyvirtualdisplay.xvfb import XvfbDisplay

        class Server(XvfbDisplay):
            """Xvfb in a session of its own: Ctrl-C on the terminal is for the player, which tidies up."""

            def _cmd(self) -> list[str]:
                own_session = ["setsid"] if shutil.which("setsid") else []
                return [*own_session, *super()._cmd()]  # type: ignore[no-untyped-call]

        if shutil.which("Xvfb") is None:
            raise MachineLacks("Xvfb (a virtual screen) is not installed: apt-get install xvfb")
        self._cookies_before = os.environ.get("XAUTHORITY")
        self._folder = tempfile.TemporaryDirectory(prefix="sapper-screen-")
        file, cookie = Path(self._folder.name, "Xauthority"), new_cookie()
        write_cookie(file, cookie, "")
        try:
            server = Server(  # type: ignore[no-untyped-call]
                size=(self.width, self.height), color_depth=24, extra_args=["-terminate", "-auth", str(file)]
            )
            server.start()  # type: ignore[no-untyped-call]
        except (XStartError, XStartTimeoutError, OSError) as problem:
            raise MachineLacks(
                f"Xvfb does not start a {self.width}x{self.height} screen: see what `Xvfb :99 -screen 0 "
                f"{self.width}x{self.height}x24` says"
            ) from problem
        self._server = server
        self.display = f":{server.display}"
        write_cookie(file, cookie, str(server.display))
        os.environ["XAUTHORITY"] = str(file)
        self._windows = XWindows(self.display)

    def _end_server(self) -> None:
        """Ask first, so that the server takes its lock file away; what is left is killed."""
        if self._server.is_alive():
            os.kill(self._server.pid, signal.SIGTERM)
        deadline = time.monotonic() + PATIENCE
        while self._server.is_alive() and time.monotonic() < deadline:
            time.sleep(0.01)
        self._server.stop()
