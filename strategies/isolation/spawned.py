"""The process of one strategy on Windows, which has no fork: a new Python process in a job of its own.

Run as a module, it is that process: it reads its instructions as JSON from standard input, and serves calls
on the socket that they describe.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

assert sys.platform == "win32"

from strategies.isolation.client import SERVER_ENDS, WorkerProcess, find_place, worker_environment
from strategies.isolation.jobs import Job, cpu_seconds
from strategies.isolation.worker import serve_plugin


class SpawnedWorker(WorkerProcess):
    """A worker that the job ends, with everything it has started. Raises OSError."""

    def __init__(self, wanted: dict[str, Any]) -> None:
        ours, theirs = socket.socketpair()
        self._temporary = tempfile.TemporaryDirectory(prefix="sapper-", ignore_cleanup_errors=True)
        folder = Path(self._temporary.name)
        self._words = folder / "last words"
        (folder / "files").mkdir()
        self._job = Job(wanted["memory"])
        self._child = self._job.start(
            # -P: files in the current folder must not hide modules of Sapper or Python
            [sys.executable, "-P", "-m", "strategies.isolation.spawned"],
            creationflags=subprocess.CREATE_NEW_PROCESS_GROUP,  # Ctrl+C reaches only Sapper
            env=worker_environment(os.environ, sys.path),
            stdin=subprocess.PIPE,
            stdout=sys.__stderr__ or subprocess.DEVNULL,
            stderr=sys.__stderr__ or subprocess.DEVNULL,
        )
        assert self._child.stdin is not None
        with theirs, self._child.stdin as instructions:
            shared = theirs.share(self._child.pid).hex()
            folders = {"last_words": str(self._words), "temporary": str(folder / "files")}
            instructions.write(json.dumps({**wanted, **folders, "socket": shared}).encode())
        self._process = self._last_words = -1
        self._connection = ours

    def place(self, file: str) -> str:
        """The current or crashed line of the process, in `file` (in any file if empty); empty if unknown."""
        try:
            words = self._words.read_text(encoding="utf-8", errors="replace")
        except OSError:  # the process ended before it created the file
            return ""
        return find_place(words.rpartition("Timeout (")[2], file)

    def end(self) -> str:
        """End the process and close the socket; returns its exit code if it has ended by itself."""
        if self._connection is None:
            return ""
        with contextlib.suppress(subprocess.TimeoutExpired):  # it may just be ending
            self._child.wait(0.2)
        code = self._child.returncode
        self.detach()
        return "" if code is None else f"exit code {code:#x}" if code > 0xFFFF else f"exit code {code}"

    def detach(self) -> bool:
        """End the process and close the socket; False if already closed."""
        if not super().detach():
            return False
        self._job.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(SERVER_ENDS)
        self._temporary.cleanup()
        return True

    def _used(self) -> float:
        return cpu_seconds(self._child.pid)


def main() -> None:
    """Serve the strategy that standard input describes."""
    wanted = json.loads(sys.stdin.buffer.read())
    with Path(wanted["last_words"]).open("wb") as last_words:
        connection = socket.fromshare(bytes.fromhex(wanted["socket"]))
        serve_plugin(connection, last_words.fileno(), wanted)


if __name__ == "__main__":
    main()
