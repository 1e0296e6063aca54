"""Virtual screens: Xvfb, with a window manager if a program needs one."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bot.desktop.x11.windows import X11Windows, create_xauth_cookie, write_cookie
from games.errors import MissingRequirement
from strategies.isolation.supervisor import SupervisedProcess

DEPTH = 24  # bits per pixel
PATIENCE = 10.0  # seconds for a server or a window manager to start


@contextmanager
def virtual_screen(
    width: int = 1280, height: int = 900, window_manager: bool = False
) -> Iterator[X11Windows]:
    """The windows of a virtual X screen of this size (pixels).

    `DISPLAY` is set while the screen is open and restored afterwards. A process can use only one X screen,
    because pyautogui opens `DISPLAY` on its first import and keeps the connection. The server ends with the
    block, and also if this process is killed. Raises MissingRequirement without Xvfb or the window manager.
    """
    with ExitStack() as stack:
        windows = _start_server(stack, f"{width}x{height}x{DEPTH}")
        if window_manager:
            _start_window_manager(stack, windows)
        yield windows


def _start_server(stack: ExitStack, size: str) -> X11Windows:
    if shutil.which("Xvfb") is None:
        raise MissingRequirement("Xvfb (a virtual screen) is not installed: apt-get install xvfb")
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sapper-screen-")))
    for name in ("XAUTHORITY", "DISPLAY"):
        stack.callback(_restore_variable, name, os.environ.get(name))
    file, log, cookie = folder / "Xauthority", folder / "log", create_xauth_cookie()
    write_cookie(file, cookie, "")
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", size, "-nolisten", "tcp", "-auth", str(file)]
    number, problem = None, None
    try:
        server = SupervisedProcess(command, dict(os.environ), log)
        stack.callback(server.close)
        number = _display_number(log, server)
    except OSError as error:
        problem = error
    if number is None:
        raise MissingRequirement(
            f"Xvfb cannot start a {size.rpartition('x')[0]} screen: "
            f"run `Xvfb :99 -screen 0 {size}` to see its error"
        ) from problem
    write_cookie(file, cookie, number)
    os.environ["XAUTHORITY"] = str(file)
    os.environ["DISPLAY"] = f":{number}"
    return stack.enter_context(X11Windows(f":{number}"))


def _start_window_manager(stack: ExitStack, windows: X11Windows) -> None:
    """Start openbox. Raises MissingRequirement."""
    if shutil.which("openbox") is None:
        raise MissingRequirement("openbox (a window manager) is not installed: apt-get install openbox")
    manager = SupervisedProcess(["openbox", "--sm-disable"], dict(os.environ))
    stack.callback(manager.close)
    deadline = time.monotonic() + PATIENCE
    while not windows.is_managed:
        if manager.poll() is not None or time.monotonic() > deadline:
            raise MissingRequirement("openbox does not start: run `openbox` in a terminal to see its error")
        time.sleep(0.02)


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
