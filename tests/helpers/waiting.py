"""Waiting, in tests, for what happens in another process or thread."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_for(what: Callable[[], bool], seconds: float = 5.0) -> None:
    """Ask again and again until it is so; AssertionError when it is not so after that many seconds."""
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, f"not within {seconds:g} s"
        time.sleep(0.02)
