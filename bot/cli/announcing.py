"""Names what takes a while, so that nobody sits before a silent terminal."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bot.cli.options import say

QUICK = 1.5  # seconds; what takes no longer is not named
ASKING = "waiting for the desktop: if it asks whether to share the screen, choose the one with the board"


@contextmanager
def announced(what: str, report: Callable[[str], object] = say) -> Iterator[None]:
    """Say once what is being done, such as "looking for a board", if it is not soon done."""
    timer = threading.Timer(QUICK, report, [what])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
