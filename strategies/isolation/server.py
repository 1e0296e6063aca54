"""Fork server: starts workers, and kills them on request or when Sapper ends.

This process never runs plugin code, so a new worker is a fork of a clean process and takes milliseconds. When
Sapper ends in any way, the system closes the control socket; then this process kills all descendants of all
workers, including those that tried to detach.

A request is one line of JSON: `{"begin": …}`, with the descriptors of the worker's socket, a pipe for its
last words, and its output; or `{"end": PID}`. The answer is one line: the process id, or how the process
ended.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import sys
import time
from tempfile import TemporaryDirectory
from typing import Any

from strategies.isolation import supervisor
from strategies.isolation.worker import serve_plugin

MOST_REQUEST = 1 << 20  # bytes


def serve(control: socket.socket) -> None:
    """Serve requests until the other end closes; then kill all workers."""
    supervisor.prctl(supervisor.PR_SET_CHILD_SUBREAPER, 1)
    sapper = os.getppid()
    workers: set[int] = set()
    codes: dict[int, int] = {}  # exit codes by process id
    temporary = TemporaryDirectory(prefix="sapper-", ignore_cleanup_errors=True)
    try:
        while True:
            readable, _, _ = select.select([control], [], [], 1.0)
            _reap(workers, codes)
            if os.getppid() != sapper:  # Sapper ended, but a fork of it may still hold the socket
                return
            if not readable:
                continue
            message, descriptors, _, _ = socket.recv_fds(control, MOST_REQUEST, 3)
            if not message:
                return
            request: dict[str, Any] = json.loads(message)
            if "begin" in request:
                worker = _fork_worker(control, descriptors, request["begin"] | {"temporary": temporary.name})
                workers.add(worker)
                codes.pop(worker, None)  # of an earlier process with this id
                answer: object = worker
            else:
                answer = _kill_worker(workers, codes, request["end"])
            control.sendall(json.dumps(answer).encode() + b"\n")
    except OSError:
        return
    finally:
        supervisor.end_descendants(codes, workers, signal.SIGKILL)
        temporary.cleanup()


def _fork_worker(control: socket.socket, descriptors: list[int], wanted: dict[str, Any]) -> int:
    parent = os.getpid()
    pid = os.fork()
    if pid:
        for descriptor in descriptors:
            os.close(descriptor)
        return pid
    try:  # in the worker, which must not return
        supervisor.prctl(supervisor.PR_SET_PDEATHSIG, signal.SIGKILL)
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


def _kill_worker(workers: set[int], codes: dict[int, int], pid: int) -> str:
    """Kill a worker and its descendants; returns its exit code or signal."""
    if pid not in workers:
        return ""
    _reap(workers, codes)
    if pid not in codes:
        supervisor.send_signal(pid, signal.SIGKILL)
        deadline = time.monotonic() + supervisor.GRACE
        while pid not in codes and time.monotonic() < deadline:
            _reap(workers, codes)
            time.sleep(0.001)
    workers.remove(pid)
    _reap(workers, codes)
    code = codes.get(pid)
    return "" if code is None else f"exit code {code}" if code >= 0 else f"signal {-code}"


def _reap(workers: set[int], codes: dict[int, int]) -> None:
    """Collect ended processes, and kill orphaned descendants of workers."""
    supervisor.reap(codes)
    for pid in supervisor.children(os.getpid()) - workers:
        supervisor.send_signal(pid, signal.SIGKILL)


if __name__ == "__main__":
    # Sapper handles these and closes the socket
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    serve(socket.socket(fileno=int(sys.argv[1])))
