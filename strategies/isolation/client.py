"""Client side of isolation: the fork server's control connection, and the process of one strategy.

A worker is asked over a socket within limits of time and answer size; exceeding one of them ends it.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any, TextIO

from strategies.isolation.protocol import LENGTH, send

SERVER_ENDS = 3.0  # seconds; time for the server to kill all descendants


def can_isolate() -> bool:
    """Whether Sapper can isolate strategies here: with fork and passed file descriptors, or on Windows."""
    return sys.platform == "win32" or (hasattr(os, "fork") and hasattr(socket, "send_fds"))


PASSED = re.compile(
    r"PATH|HOME|USER|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|VIRTUAL_ENV|LD_LIBRARY_PATH|\w+_NUM_THREADS|SYSTEMROOT"
    r"|PYTHON(?!PATH)\w+"
)


def worker_environment(environment: Mapping[str, str], path: Sequence[str]) -> dict[str, str]:
    """The environment variables that strategies see: no tokens or addresses of the desktop session."""
    passed = {name: value for name, value in environment.items() if PASSED.fullmatch(name)}
    return passed | {"PYTHONPATH": os.pathsep.join(folder for folder in path if folder)}


class ForkServer:
    """The process that workers are forked from (`strategies.isolation.server`); it ends with this process."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                # -P: files in the current folder must not hide modules of Sapper or Python
                [sys.executable, "-P", "-m", "strategies.isolation.server", str(theirs.fileno())],
                env=worker_environment(os.environ, sys.path),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._control = ours
        self._answers = ours.makefile("r")
        self._lock = Lock()
        weakref.finalize(self, _end_server, ours, self._answers, self._process)

    @property
    def is_there(self) -> bool:
        """Whether the server is running."""
        return self._process.poll() is None

    def begin(self, descriptors: list[int], wanted: dict[str, Any]) -> int:
        """Fork a worker; its process id. Raises OSError."""
        with self._lock:
            message = json.dumps({"begin": wanted}).encode()
            socket.send_fds(self._control, [message], descriptors)
            return int(json.loads(self._answers.readline() or "0"))

    def end(self, pid: int) -> str:
        """Kill a worker and its descendants; returns how it ended."""
        with self._lock, contextlib.suppress(OSError, ValueError):
            self._control.sendall(json.dumps({"end": pid}).encode())
            return str(json.loads(self._answers.readline()))
        return ""


def _end_server(control: socket.socket, answers: TextIO, process: subprocess.Popen[bytes]) -> None:
    """Close the socket, which makes the server end, and wait for it."""
    answers.close()
    control.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(SERVER_ENDS)


_servers: dict[int, ForkServer] = {}  # by the process that uses it: a fork needs its own
_lock = Lock()


def fork_server() -> ForkServer:
    """The server of this process, shared by all strategies; started on first use or if it has ended."""
    with _lock:
        server = _servers.get(os.getpid())
        if server is None or not server.is_there:
            _servers.clear()
            server = _servers[os.getpid()] = ForkServer()
        return server


LAST_WORDS = 0.3  # seconds; time for a late process to report its current line
IDLE = 0.05  # CPU share below which a process counts as idle; others may be starved by a busy machine …
STARVED = 5  # … and get this multiple of the wall-time limit
NO_ANSWER = "its process sent something that is no answer"


class NoReply(Exception):
    """No valid answer from the process; the message gives the reason, empty if the process ended."""


class WorkerProcess:
    """A process that loads the strategy described by `wanted` and then answers calls."""

    def __init__(self, wanted: dict[str, Any]) -> None:
        ours, theirs = socket.socketpair()
        self._last_words, last_words = os.pipe()
        with theirs:
            self._pid = fork_server().begin([theirs.fileno(), last_words, _prints()], wanted)
        os.close(last_words)
        # a descriptor that becomes readable when the process ends
        self._process = os.pidfd_open(self._pid) if hasattr(os, "pidfd_open") else -1
        self._connection: socket.socket | None = ours

    @property
    def is_open(self) -> bool:
        """Whether the connection is open."""
        return self._connection is not None

    def exchange(self, message: bytes, most: float, by_clock: float, largest: int) -> dict[str, Any]:
        """Send a message and read the answer.

        Limits: `most` seconds of CPU time, `by_clock` seconds of wall time, `largest` bytes. Raises NoReply.
        An interrupt ends the process and is raised again.
        """
        connection = self._connection
        assert connection is not None
        began = self._used()
        try:
            if message:
                connection.settimeout(by_clock)
                send(connection, message)
            asked = time.monotonic()

            def is_late() -> bool:
                seconds = time.monotonic() - asked
                if seconds <= min(most, by_clock):
                    return False
                used = self._used() - began
                is_idle = seconds > by_clock and used < IDLE * seconds
                return used > most or is_idle or seconds > STARVED * by_clock

            (size,) = LENGTH.unpack(self._read(connection, LENGTH.size, is_late))
            if size > largest:
                raise NoReply(f"its answer of {size // 1000} kB is too long")
            answer = json.loads(self._read(connection, size, is_late))
        except TimeoutError as error:
            is_busy = self._used() - began > most
            late = f"{most:g} s of processor time" if is_busy else f"{by_clock:g} s"
            raise NoReply(f"no answer after {late}") from error
        except (ValueError, RecursionError) as error:
            raise NoReply(NO_ANSWER) from error
        except OSError as error:
            raise NoReply from error
        except NoReply:
            raise
        except BaseException:
            self.end()  # the pending answer must not be taken for a later one
            raise
        if not isinstance(answer, dict):
            raise NoReply(NO_ANSWER)
        return answer

    def _read(self, connection: socket.socket, count: int, is_late: Callable[[], bool]) -> bytes:
        """The next bytes; `is_late` is asked at least four times a second.

        Another process may keep the socket open, so the end of the process counts as well. Raises NoReply if
        it has ended, TimeoutError, OSError.
        """
        data = bytearray()
        while len(data) < count:
            ready = _wait(connection, self._process)
            if connection.fileno() in ready:
                piece = connection.recv(min(count - len(data), 1 << 20))
                if not piece:
                    raise NoReply
                data += piece
            elif self._process in ready:
                raise NoReply
            if len(data) < count and is_late():
                raise TimeoutError
        return bytes(data)

    def place(self, file: str) -> str:
        """The current or crashed line of the process, in `file` (in any file if empty); empty if unknown."""
        with contextlib.suppress(OSError):
            signal.pidfd_send_signal(self._process, signal.SIGUSR2)
        text = b""
        deadline = time.monotonic() + LAST_WORDS
        poll = select.poll()
        poll.register(self._last_words, select.POLLIN)
        while (left := deadline - time.monotonic()) > 0 and poll.poll(1000 * left):
            piece = os.read(self._last_words, 1 << 16)
            if not piece:
                break
            text += piece
            deadline = min(deadline, time.monotonic() + 0.05)  # seconds; the rest follows at once
        return find_place(text.decode(errors="replace"), file)

    def end(self) -> str:
        """Kill the process and close its descriptors; returns how it ended."""
        return fork_server().end(self._pid) if self.detach() else ""

    def detach(self) -> bool:
        """Close the descriptors, after which the process ends by itself; False if already closed."""
        if self._connection is None:
            return False
        self._connection.close()
        self._connection = None
        for descriptor in (self._process, self._last_words):
            if descriptor >= 0:
                os.close(descriptor)
        self._process = self._last_words = -1
        return True

    def _used(self) -> float:
        """CPU time used so far, seconds; 0 if the system does not provide it."""
        try:
            return time.clock_gettime(~self._pid << 3 | 2)  # clock id as in clock_getcpuclockid(3) on Linux
        except OSError:
            return 0.0


def _wait(connection: socket.socket, process: int) -> list[int]:
    """Wait up to 250 ms; the descriptors that are readable. `process` is -1 if it has no descriptor."""
    if not hasattr(select, "poll"):  # Windows
        return [each.fileno() for each in select.select([connection], [], [], 0.25)[0]]
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    if process >= 0:
        poll.register(process, select.POLLIN)
    return [descriptor for descriptor, _ in poll.poll(250)]


def find_place(traceback: str, file: str) -> str:
    """The first line of a traceback of faulthandler in `file` (in any file if empty); empty if none."""
    for name, line in re.findall(r'File "([^"\n]+)", line (\d+)', traceback):
        if name == file or (not file and name.endswith(".py")):
            return f"{name}, line {line}"
    return ""


def _prints() -> int:
    """The descriptor for a strategy's output: standard error, or /dev/null if that is closed."""
    try:
        os.fstat(2)
    except OSError:
        return os.open(os.devnull, os.O_WRONLY)
    return 2
