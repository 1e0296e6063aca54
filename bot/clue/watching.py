"""Looking at a file again whenever it was saved."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

PAUSE = 0.3  # seconds between two looks


def saves(path: Path, sleep: Callable[[float], None] = time.sleep) -> Iterator[int]:
    """1, 2, … at once and then whenever the file holds something else; never ends by itself.

    A file that is away for a moment, as editors do it, is waited for; one that is not there at first is named
    by whoever reads it.
    """
    number, seen = 1, _content(path)
    yield number
    while True:
        sleep(PAUSE)
        content = _content(path)
        if content is not None and content != seen:
            number, seen = number + 1, content
            yield number


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
