"""Waits for another process or thread."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from bot.desktop.ports import Box
from strategies.isolation.supervisor import process_state
from vision.frame import Capture, Pixels


def wait_for(condition: Callable[[], bool], seconds: float = 5.0) -> None:
    """Poll until a condition holds. Raises AssertionError after this many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds:g} s"
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    return process_state(pid) not in {"", "Z"}


def stays(condition: Callable[[], bool], seconds: float = 0.3) -> bool:
    """Whether a condition holds all the time."""
    deadline = time.monotonic() + seconds
    while condition():
        if time.monotonic() > deadline:
            return True
        time.sleep(0.01)
    return False


def wait_until_still(screen: Capture, box: Box, seconds: float = 15.0) -> Pixels:
    """Wait until this part of the screen (points) does not change for 0.3 s; its pixels."""
    latest = [screen.grab(box).pixels]

    def is_still() -> bool:
        latest[:] = [screen.grab(box).pixels]
        return stays(lambda: np.array_equal(screen.grab(box).pixels, latest[0]))

    wait_for(is_still, seconds)
    return latest[0]
