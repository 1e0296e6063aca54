"""The signals that ask Sapper to end: all become one exception, which every `with` and `finally` sees."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from bot.ends import BY_KEYBOARD, stops_go_to

IMPORTING = "<frozen importlib"  # the file of Python's own import code
SOON = 0.01  # seconds after which a signal that came while that ran is looked at again
PATIENCE = 10.0  # seconds in which a second signal does not cut short what the first one began


@contextmanager
def stoppable() -> Iterator[None]:
    """In here SIGINT, SIGTERM and SIGHUP raise KeyboardInterrupt, with words that say which it was.

    A signal that is ignored already (as under nohup) stays so.
    """
    stopped = [-PATIENCE]

    def stop(number: int, frame: FrameType | None) -> None:
        if frame is not None and frame.f_code.co_filename.startswith(IMPORTING):
            # cut off there, Python may keep a lock that a thread which imports something waits for
            again = threading.Timer(SOON, _send, [number])
            again.daemon = True
            again.start()
        elif time.monotonic() - stopped[0] >= PATIENCE:
            stopped[0] = time.monotonic()
            raise KeyboardInterrupt(_words(number))

    with stops_go_to(stop, and_defaults=True):
        yield


def _send(number: int) -> None:
    """Send the main thread a signal, which ends what it waits for."""
    if sys.platform == "win32":
        signal.raise_signal(number)
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, number)


def _words(number: int) -> str:
    if number == signal.SIGINT:
        return BY_KEYBOARD
    name = signal.Signals(number).name
    return f"the terminal was closed ({name})" if name == "SIGHUP" else f"stopped by {name}"
