"""Sapper's end of the process that workers are forked from: asks it to begin and to end them."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import weakref
from functools import lru_cache
from threading import Lock
from typing import Any, TextIO

SERVER_ENDS = 3.0  # seconds that the server has to end all that came from it


def can_isolate() -> bool:
    """Whether this system has what it takes: forking, limits, and passing open files on (Linux, macOS)."""
    return hasattr(os, "fork") and hasattr(socket, "send_fds")


class Server:
    """The process that workers are forked from. It ends with this one; see `strategies.isolated.server`."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        paths = os.pathsep.join(path for path in sys.path if path)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "strategies.isolated.server", str(theirs.fileno())],
                env=os.environ | {"PYTHONPATH": paths},
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
        """Whether it can be asked."""
        return self._process.poll() is None

    def begin(self, descriptors: list[int], wanted: dict[str, Any]) -> int:
        """Fork a worker; its process id. Raises OSError."""
        with self._lock:
            message = json.dumps({"begin": wanted}).encode()
            socket.send_fds(self._control, [message], descriptors)
            return int(json.loads(self._answers.readline() or "0"))

    def end(self, pid: int) -> str:
        """End a worker and all that came from it; how it ended."""
        with self._lock, contextlib.suppress(OSError, ValueError):
            self._control.sendall(json.dumps({"end": pid}).encode())
            return str(json.loads(self._answers.readline()))
        return ""


def _end_server(control: socket.socket, answers: TextIO, process: subprocess.Popen[bytes]) -> None:
    """Close the socket, upon which the server ends, and wait for that."""
    answers.close()
    control.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(SERVER_ENDS)


class _Servers:
    """The server of this process, one for all strategies; another where it went away, or after a fork."""

    def __init__(self) -> None:
        self._server: Server | None = None
        self._pid = 0
        self._lock = Lock()

    def current(self) -> Server:
        with self._lock:
            if self._server is None or self._pid != os.getpid() or not self._server.is_there:
                self._server, self._pid = Server(), os.getpid()
            return self._server


@lru_cache(maxsize=1)
def _servers() -> _Servers:
    return _Servers()


def current_server() -> Server:
    """The server of this process, started when it is first needed."""
    return _servers().current()
