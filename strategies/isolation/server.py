"""Fork server: starts workers, and kills them on request or when Sapper ends.

This process never runs plugin code, so a new worker is a fork of a clean process and takes milliseconds. When
Sapper ends in any way, the system closes the control socket; then this process kills all descendants of all
workers, including those that tried to detach.

A request is one line of JSON: `{"begin": …}`, with the descriptors of the worker's socket, a pipe for its
last words, and its output; or `{"end": PID}`. The answer is one line: the process id, or how the process
ended.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import sys
import time
from pathlib import Path
from typing import Any

from strategies.isolation.worker import serve_plugin

PR_SET_PDEATHSIG = 1  # linux/prctl.h
PR_SET_CHILD_SUBREAPER = 36
GRACE = 2.0  # seconds; wait for killed processes
MOST_REQUEST = 1 << 20  # bytes


def serve(control: socket.socket) -> None:
    """Serve requests until the other end closes; then kill all workers."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    sapper = os.getppid()
    workers: dict[int, str] = {}  # process id -> how it ended, empty while it runs
    try:
        while True:
            readable, _, _ = select.select([control], [], [], 1.0)
            _reap(workers)
            if os.getppid() != sapper:  # Sapper ended, but a fork of it may still hold the socket
                return
            if not readable:
                continue
            message, descriptors, _, _ = socket.recv_fds(control, MOST_REQUEST, 3)
            if not message:
                return
            request: dict[str, Any] = json.loads(message)
            if "begin" in request:
                answer: object = _fork_worker(control, descriptors, request["begin"])
                workers[int(str(answer))] = ""
            else:
                answer = _kill_worker(workers, request["end"])
            control.sendall(json.dumps(answer).encode() + b"\n")
    except OSError:
        return
    finally:
        _end_all()


def _fork_worker(control: socket.socket, descriptors: list[int], wanted: dict[str, Any]) -> int:
    """Fork a worker; returns its process id."""
    parent = os.getpid()
    pid = os.fork()
    if pid:
        for descriptor in descriptors:
            os.close(descriptor)
        return pid
    try:  # from here on in the worker: nothing below may return
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)
        control.close()
        os.setsid()
        connection, last_words, prints = descriptors
        os.dup2(prints, 1)
        os.dup2(prints, 2)
        os.close(prints)
        serve_plugin(socket.socket(fileno=connection), last_words, wanted)
    finally:
        os._exit(0)


def _kill_worker(workers: dict[int, str], pid: int) -> str:
    """Kill a worker and its descendants; returns its exit code or signal."""
    _reap(workers)
    if workers.get(pid) == "":
        _kill(pid)
        deadline = time.monotonic() + GRACE
        while not workers[pid] and time.monotonic() < deadline:
            _reap(workers)
            time.sleep(0.001)
    how = workers.pop(pid, "")
    _reap(workers)
    return how


def _reap(workers: dict[int, str]) -> None:
    """Record the workers that have ended, and kill orphaned descendants."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] in workers:
                code = os.waitstatus_to_exitcode(ended[1])
                workers[ended[0]] = f"exit code {code}" if code >= 0 else f"signal {-code}"
    for pid in _children():
        if pid not in workers:
            _kill(pid)


def _end_all() -> None:
    deadline = time.monotonic() + GRACE
    while time.monotonic() < deadline:
        for pid in _children():
            _kill(pid)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.005)


def _children() -> list[int]:
    """The child processes of this one; empty if the system does not list them."""
    try:
        listed = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [int(pid) for pid in listed.split()]


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    for number in (
        signal.SIGINT,
        signal.SIGHUP,
        signal.SIGTERM,
    ):  # Sapper handles these and closes the socket
        signal.signal(number, signal.SIG_IGN)
    serve(socket.socket(fileno=int(sys.argv[1])))
