"""The signals that ask Sapper to end: all become one exception, which every `with` and `finally` sees."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from bot.ends import BY_KEYBOARD, STOPS

PATIENCE = 10.0  # seconds in which a second signal does not cut short what the first one began


@contextmanager
def stoppable() -> Iterator[None]:
    """In here SIGINT, SIGTERM and SIGHUP raise KeyboardInterrupt, with words that say which it was.

    A signal that is ignored already (as under nohup) stays so.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    stopped = [-PATIENCE]

    def stop(number: int, frame: FrameType | None) -> None:
        if time.monotonic() - stopped[0] >= PATIENCE:
            stopped[0] = time.monotonic()
            raise KeyboardInterrupt(_words(number))

    before = {number: signal.getsignal(number) for number in STOPS}
    taken = {number: handler for number, handler in before.items() if handler not in {signal.SIG_IGN, None}}
    for number in taken:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in taken.items():
            signal.signal(number, handler)


def _words(number: int) -> str:
    if number == signal.SIGINT:
        return BY_KEYBOARD
    name = signal.Signals(number).name
    return f"the terminal was closed ({name})" if name == "SIGHUP" else f"stopped by {name}"
