"""A screen of its own for the bot: Xvfb, and a window manager where a program wants one."""

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

PATIENCE = 10.0  # seconds that a server or a window manager gets to start or to end


class VirtualScreen(Closeable):
    """An X screen that nobody sees, open inside a `with` block.

    `width` x `height` pixels, `depth` bits deep. `DISPLAY` is set while it is open and put back afterwards.
    One X screen for a process: pyautogui opens `DISPLAY` once, when it is first imported, and never lets go,
    so a second screen needs a second process. The server ends with the block, after an error too, and when
    this process is killed, however early. Raises MachineLacks when Xvfb (or the window manager) is not there.
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
        """The windows on this screen."""
        if self._windows is None:
            raise RuntimeError("the screen is not open")
        return self._windows

    def start_window_manager(self) -> None:
        """Start openbox on this screen unless one runs. Raises MachineLacks when it is not installed."""
        if self._manager is not None:
            return
        if shutil.which("openbox") is None:
            raise MissingRequirement("openbox (a window manager) is not installed: apt-get install openbox")
        self._manager = SupervisedProcess(["openbox", "--sm-disable"], dict(os.environ))
        self._open.callback(self._manager.close)
        deadline = time.monotonic() + PATIENCE
        while not self.windows.is_managed:
            if self._manager.poll() is not None or time.monotonic() > deadline:
                raise MissingRequirement("openbox does not start: see what `openbox` says on a terminal")
            time.sleep(0.02)

    def close(self) -> None:
        """End the window manager and the server; a second time does nothing."""
        self._windows = self._manager = None
        self._open.close()

    def _start_server(self) -> None:
        if shutil.which("Xvfb") is None:
            raise MissingRequirement("Xvfb (a virtual screen) is not installed: apt-get install xvfb")
        folder = Path(self._open.enter_context(tempfile.TemporaryDirectory(prefix="sapper-screen-")))
        for name in ("XAUTHORITY", "DISPLAY"):
            self._open.callback(_put_back, name, os.environ.get(name))
        file, log, cookie = folder / "Xauthority", folder / "log", create_xauth_cookie()
        write_cookie(file, cookie, "")
        size = f"{self.width}x{self.height}x{self.depth}"
        command = ["Xvfb", "-displayfd", "1", "-screen", "0", size, "-nolisten", "tcp", "-auth", str(file)]
        try:
            server = SupervisedProcess(command, dict(os.environ), log)
            self._open.callback(server.close)
            number = _number_in(log, server)
        except OSError as problem:
            raise self._does_not_start(size) from problem
        if number is None:
            raise self._does_not_start(size)
        self.display = f":{number}"
        write_cookie(file, cookie, number)
        os.environ["XAUTHORITY"] = str(file)
        os.environ["DISPLAY"] = self.display
        self._windows = self._open.enter_context(X11Windows(self.display))

    @staticmethod
    def _does_not_start(size: str) -> MissingRequirement:
        return MissingRequirement(
            f"Xvfb does not start a {size.rpartition('x')[0]} screen: "
            f"see what `Xvfb :99 -screen 0 {size}` says"
        )


def _put_back(name: str, before: str | None) -> None:
    if before is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = before


def _number_in(log: Path, server: SupervisedProcess) -> str | None:
    """The number of its display, which the server writes once it is ready; None when it never does."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        has_ended = server.poll() is not None
        said = re.search(rb"^(\d+)\n", log.read_bytes(), re.MULTILINE)
        if said:
            return said[1].decode()
        if has_ended:
            return None
        time.sleep(0.01)
    return None
