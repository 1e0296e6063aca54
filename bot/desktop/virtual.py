"""Virtual screens: Xvfb, with a window manager if a program needs one."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from bot.desktop.x11.windows import X11Windows, create_xauth_cookie, write_cookie
from bot.shutdown import Closeable
from games.errors import MissingRequirement
from strategies.isolation.supervisor import SupervisedProcess

PATIENCE = 10.0  # seconds for a server or a window manager to start


class VirtualScreen(Closeable):
    """A virtual X screen of `width` x `height` pixels and `depth` bits, open inside a `with` block.

    `DISPLAY` is set while the screen is open and restored afterwards. A process can use only one X screen,
    because pyautogui opens `DISPLAY` on its first import and keeps the connection. The server ends with the
    block, and also if this process is killed. Raises MissingRequirement without Xvfb or the window manager.
    """

    def __init__(
        self, width: int = 1280, height: int = 900, window_manager: bool = False, depth: int = 24
    ) -> None:
        self.width = width
        self.height = height
        self.depth = depth
        self.display = ""
        self._wants_manager = window_manager
        self._windows: X11Windows | None = None
        self._manager: SupervisedProcess | None = None
        self._open = ExitStack()

    def __enter__(self) -> Self:
        try:
            self._start_server()
            if self._wants_manager:
                self.start_window_manager()
        except BaseException:
            self.close()
            raise
        return self

    @property
    def windows(self) -> X11Windows:
        """The windows of this screen."""
        if self._windows is None:
            raise RuntimeError("the screen is not open")
        return self._windows

    def start_window_manager(self) -> None:
        """Start openbox on this screen, unless it is running. Raises MissingRequirement."""
        if self._manager is not None:
            return
        if shutil.which("openbox") is None:
            raise MissingRequirement("openbox (a window manager) is not installed: apt-get install openbox")
        self._manager = SupervisedProcess(["openbox", "--sm-disable"], dict(os.environ))
        self._open.callback(self._manager.close)
        deadline = time.monotonic() + PATIENCE
        while not self.windows.is_managed:
            if self._manager.poll() is not None or time.monotonic() > deadline:
                raise MissingRequirement(
                    "openbox does not start: run `openbox` in a terminal to see its error"
                )
            time.sleep(0.02)

    def close(self) -> None:
        """Stop the window manager and the server; idempotent."""
        self._windows = self._manager = None
        self._open.close()

    def _start_server(self) -> None:
        if shutil.which("Xvfb") is None:
            raise MissingRequirement("Xvfb (a virtual screen) is not installed: apt-get install xvfb")
        folder = Path(self._open.enter_context(tempfile.TemporaryDirectory(prefix="sapper-screen-")))
        for name in ("XAUTHORITY", "DISPLAY"):
            self._open.callback(_restore_variable, name, os.environ.get(name))
        file, log, cookie = folder / "Xauthority", folder / "log", create_xauth_cookie()
        write_cookie(file, cookie, "")
        size = f"{self.width}x{self.height}x{self.depth}"
        command = ["Xvfb", "-displayfd", "1", "-screen", "0", size, "-nolisten", "tcp", "-auth", str(file)]
        try:
            server = SupervisedProcess(command, dict(os.environ), log)
            self._open.callback(server.close)
            number = _display_number(log, server)
        except OSError as problem:
            raise self._start_error(size) from problem
        if number is None:
            raise self._start_error(size)
        self.display = f":{number}"
        write_cookie(file, cookie, number)
        os.environ["XAUTHORITY"] = str(file)
        os.environ["DISPLAY"] = self.display
        self._windows = self._open.enter_context(X11Windows(self.display))

    @staticmethod
    def _start_error(size: str) -> MissingRequirement:
        return MissingRequirement(
            f"Xvfb cannot start a {size.rpartition('x')[0]} screen: "
            f"run `Xvfb :99 -screen 0 {size}` to see its error"
        )


def _restore_variable(name: str, before: str | None) -> None:
    if before is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = before


def _display_number(log: Path, server: SupervisedProcess) -> str | None:
    """The display number that the server prints once it is ready; None if it ends or times out first."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        has_ended = server.poll() is not None
        number = re.search(rb"^(\d+)\n", log.read_bytes(), re.MULTILINE)
        if number:
            return number[1].decode()
        if has_ended:
            return None
        time.sleep(0.01)
    return None
