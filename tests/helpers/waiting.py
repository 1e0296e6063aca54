"""Waits for other processes and threads."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection

import numpy as np

from bot.desktop.ports import Box
from strategies.isolation.supervisor import process_state
from vision.frame import Capture, Pixels

PATIENCE = 60.0  # seconds; only a failing test waits as long, so a busy machine makes no test fail


def wait_for(condition: Callable[[], bool], seconds: float = PATIENCE) -> None:
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


def wait_until_still(screen: Capture, box: Box) -> Pixels:
    """Wait until this part of the screen (points) is drawn and does not change for 0.3 s; its pixels.

    One colour means that it is not drawn yet: a busy machine shows new windows in black.
    """
    latest = [screen.grab(box).pixels]

    def is_still() -> bool:
        latest[:] = [screen.grab(box).pixels]
        is_drawn = bool((latest[0] != latest[0][0, 0]).any())
        return is_drawn and stays(lambda: np.array_equal(screen.grab(box).pixels, latest[0]))

    wait_for(is_still)
    return latest[0]


def wait_until_ended(pids: Collection[int]) -> None:
    """Wait until none of these processes runs; zombies do not run."""
    wait_for(lambda: not any(map(is_running, pids)))
