"""Runs a command and ends it, with all its descendants, when Sapper ends in any way.

`SupervisedProcess` starts this file as a script, which runs the command and reads a pipe from Sapper; when
the pipe closes, the script ends the command and everything that it started, by process id. Standard library
only, so that the script starts fast.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

GRACE = 2.0  # seconds between asking a process to end and ending it
PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h


class SupervisedProcess:
    """A running command that ends with this object, or with this process.

    Raises OSError when the keeper cannot be started. What the command prints goes to `log`.
    """

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], log: Path | None = None
    ) -> None:
        output = log.open("wb") if log else None
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(Path(__file__).resolve()), *command],
                stdin=subprocess.PIPE,
                stdout=output or subprocess.DEVNULL,
                stderr=output or subprocess.DEVNULL,
                env=dict(environment),
                start_new_session=True,
            )
        finally:
            if output:
                output.close()
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """The command's exit code, None while it runs (128 + the signal when a signal ended it)."""
        return self._process.poll()

    def pids(self) -> set[int]:
        """The processes that belong to the command now."""
        return descendants(self.pid)

    def close(self) -> None:
        """End the command and all that it started; a second time does nothing."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(3 * GRACE)
        except subprocess.TimeoutExpired:
            for pid in descendants(self.pid) | {self.pid}:
                _signal(pid, signal.SIGKILL)
            self._process.wait()


def descendants(pid: int) -> set[int]:
    """The ids of all processes below a process; empty where /proc does not exist."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = entry.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile
        if after_name[0] != "Z":
            children.setdefault(int(after_name[1]), []).append(int(entry.parent.name))
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        for child in children.get(waiting.pop(), []):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


def process_state(pid: int | None) -> str:
    """What a process does, as a letter of /proc/PID/stat (R runs, S sleeps, T stopped); "" if not known."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[0]


def process_name(pid: int | None) -> str | None:
    """The name of the program that a process runs; None where that is not known."""
    try:
        return Path(f"/proc/{pid}/comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return None


def supervise(command: Sequence[str]) -> int:
    """Run the command until it ends or the pipe on standard input closes; end what is left; its exit code."""
    _adopt_orphans()
    signal.signal(signal.SIGTERM, lambda *_: os.close(0))
    try:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    except OSError as problem:
        sys.stderr.write(f"{command[0]}: {problem.strerror}\n")
        return 127
    while child.poll() is None and not _sapper_is_gone():
        pass
    _end_all(child)
    code = child.returncode
    return 128 - code if code < 0 else code


def _sapper_is_gone() -> bool:
    """Whether the other end of the pipe is closed; waits a moment for that."""
    try:
        readable, _, _ = select.select([0], [], [], 0.05)
        return bool(readable) and not os.read(0, 1)
    except OSError:
        return True


def _adopt_orphans() -> None:
    """What the command starts and leaves behind becomes a child of this process (Linux)."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _end_all(child: subprocess.Popen[bytes]) -> None:
    for number, grace in ((signal.SIGTERM, GRACE), (signal.SIGKILL, GRACE)):
        deadline = time.monotonic() + grace
        for pid in descendants(os.getpid()):
            _signal(pid, number)
        if not Path("/proc").exists() and child.poll() is None:
            child.send_signal(number)
        while time.monotonic() < deadline:
            child.poll()
            _reap()
            if child.returncode is not None and not descendants(os.getpid()):
                return
            time.sleep(0.01)


def _reap() -> None:
    """Collect ended orphans; the command itself has been polled before."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _signal(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):  # it ended by itself
        os.kill(pid, number)


if __name__ == "__main__":
    sys.exit(supervise(sys.argv[1:]))
