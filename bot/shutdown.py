"""End of a game or of the process: classify errors, check the memory limit, and handle stop signals.

Every `with` and `finally` sees the exception, so programs, overlays and recordings are closed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Self

from games.errors import Interrupted, InvalidFile, MissingRequirement, ProgramExited, SapperError

BY_KEYBOARD = "stopped by the keyboard"
TERMINAL_CLOSED = "the terminal was closed: start again in another"
NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGBREAK")
# SIGBREAK: Ctrl+Break, a closed console or a log-off on Windows
STOPS = tuple(getattr(signal, name) for name in NAMES if hasattr(signal, name))
LEAST_MEMORY = 1000 << 20  # bytes of address space, for reading images on two cores
MORE_MEMORY = "close other programs, or raise the limit to at least 1 GiB (ulimit -v)"
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG} if hasattr(errno, "EDQUOT") else {errno.ENOSPC, errno.EFBIG}
# errors of a path that is no readable file, also while its kind is determined
NO_FILE = {errno.EACCES, errno.EPERM, errno.ENAMETOOLONG, errno.ELOOP}
HELLO = b"l\0" + (11).to_bytes(2, "little") + bytes(8)  # X11 connection setup without authorization
DISPLAY = "the display went away: start again when it is there"


def classify_error(error: BaseException) -> BaseException:
    """The error that describes the cause; the same error if it does so already or is a bug in Sapper."""
    if isinstance(error, KeyboardInterrupt):
        return Interrupted(str(error) or BY_KEYBOARD)
    if _is_of_the_display(error) and not isinstance(error, ProgramExited):
        return ProgramExited(DISPLAY)
    if isinstance(error, MemoryError):
        return MissingRequirement(f"the memory is full: {MORE_MEMORY}")
    return (_file_error(error) or error) if isinstance(error, OSError) else error


def _file_error(error: OSError) -> SapperError | None:
    if error.errno in FULL:
        where = f"{error.filename}: " if error.filename else ""
        return MissingRequirement(f"{where}the disk is full ({error.strerror}): make room and start again")
    if error.errno in NO_FILE and error.filename is not None:
        return InvalidFile(f"{error.filename}: {error.strerror}: name a readable file")
    is_terminal = error.errno == errno.EIO and error.filename is None
    return Interrupted(TERMINAL_CLOSED) if is_terminal else None


def require_memory() -> None:
    """Check the memory limit before images are read. Raises MissingRequirement.

    NumPy and OpenCV crash without a message if their threads get no memory.
    """
    if sys.platform == "win32":
        return
    import resource  # not on Windows

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < LEAST_MEMORY:
        raise MissingRequirement(
            f"the memory limit of {limit >> 20} MiB is too low to read images: {MORE_MEMORY}"
        )


def error_line(error: BaseException) -> str:
    """The message of an error in one line."""
    if isinstance(error, SapperError):
        return " ".join(str(error).split())
    return f"a fault in Sapper ({type(error).__name__}: {' '.join(str(error).split())[:200]})"


def _is_of_the_display(error: BaseException) -> bool:
    """Whether a lost connection to the display is an error, or its cause.

    Libraries report it in many ways, even as failed assertions, so the display itself is queried.
    """
    cause: BaseException | None = error
    while cause is not None:
        if _went_through(cause, ("Xlib.", "mss.")):
            answers = _display_answers()
            if answers is not None:
                return not answers
            return type(cause).__name__ == "ConnectionClosedError" or isinstance(cause, ConnectionError)
        cause = cause.__cause__ or cause.__context__
    return False


def _went_through(error: BaseException, packages: tuple[str, ...]) -> bool:
    frames = traceback.walk_tb(error.__traceback__)
    return any(str(frame.f_globals.get("__name__")).startswith(packages) for frame, _ in frames)


def _display_answers() -> bool | None:
    """Whether the local X server of the display answers; None without a display or with a remote one."""
    local = re.fullmatch(r"(?:unix)?:(\d+)(?:\.\d+)?", os.environ.get("DISPLAY", ""))
    if local is None or not hasattr(socket, "AF_UNIX"):
        return None
    path = f"/tmp/.X11-unix/X{local[1]}"  # noqa: S108 - the socket of X servers
    for address in (path, f"\0{path}"):
        with socket.socket(socket.AF_UNIX) as asked, contextlib.suppress(OSError):
            asked.settimeout(1.0)
            asked.connect(address)
            return _is_answered(asked)
    return False


def _is_answered(asked: socket.socket) -> bool:
    """Whether an X server replies to a connection setup; a dying server still accepts connections."""
    asked.sendall(HELLO)
    try:
        return bool(asked.recv(1))
    except TimeoutError:
        return True  # busy or stopped


@contextmanager
def handle_stop_signals(
    handler: Callable[[int, FrameType | None], None], and_defaults: bool
) -> Iterator[None]:
    """Handle stop signals with `handler` inside the block; does nothing outside the main thread.

    Ignored signals (nohup) stay ignored. Without `and_defaults`, signals with the default action keep it.
    A handler that the block itself replaces stays.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in STOPS}
    taken = {n: was for n, was in before.items() if callable(was) or (and_defaults and was == signal.SIG_DFL)}
    for number in taken:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, was in taken.items():
            if signal.getsignal(number) == handler:
                signal.signal(number, was)


@contextmanager
def defer_stop_signals() -> Iterator[None]:
    """Defer stop signals until the block ends."""
    waiting: list[int] = []
    try:
        with handle_stop_signals(lambda number, _: waiting.append(number), and_defaults=False):
            yield
    finally:
        for number in waiting[:1]:
            signal.raise_signal(number)


IMPORTING = "<frozen importlib"  # file name of Python's import code
SOON = 0.01  # seconds after which a signal during an import is sent again
PATIENCE = 10.0  # seconds after a signal in which further signals are ignored


@contextmanager
def raise_on_stop_signals() -> Iterator[None]:
    """Raise KeyboardInterrupt with a message on the stop signals (`STOPS`) inside the block.

    Ignored signals (nohup) stay ignored. If one of them ends the block, the process ignores all of them from
    then on: a second Ctrl+C does not change its exit code.
    """
    stopped = [-PATIENCE]

    def stop(number: int, frame: FrameType | None) -> None:
        if frame is not None and frame.f_code.co_filename.startswith(IMPORTING):
            # an interrupted import may leave a lock held that other importing threads wait for
            again = threading.Timer(SOON, _send, [number])
            again.daemon = True
            again.start()
        elif time.monotonic() - stopped[0] >= PATIENCE:
            stopped[0] = time.monotonic()
            raise KeyboardInterrupt(_words(number))

    with handle_stop_signals(stop, and_defaults=True):
        try:
            yield
        finally:
            if stopped[0] >= 0:
                for number in STOPS:
                    if signal.getsignal(number) == stop:
                        signal.signal(number, signal.SIG_IGN)
                # Python notes a KeyboardInterrupt that leaves `exec` of a string, as in `dataclass`, and ends
                # `python -m` with SIGINT even if it was handled; the next `exec` deletes the note
                exec("")  # noqa: S102 - constant


def _send(number: int) -> None:
    """Send a signal to the main thread, which interrupts its system calls."""
    if sys.platform == "win32":
        signal.raise_signal(number)
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, number)


def _words(number: int) -> str:
    if number == signal.SIGINT:
        return BY_KEYBOARD
    name = signal.Signals(number).name
    if name == "SIGBREAK":
        return "stopped by Ctrl+Break, or the console was closed"
    return f"the terminal was closed ({name})" if name == "SIGHUP" else f"stopped by {name}"


class Closeable:
    """A context manager that calls `close`; the default does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Release all resources; idempotent."""
