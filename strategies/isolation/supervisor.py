"""Process supervision: list processes, adopt orphans, and end everything that a process has started.

`SupervisedProcess` starts this file as a script, which runs a command and reads a pipe from Sapper. When the
pipe closes, because Sapper has ended in any way, the script ends the command and all its descendants. The
fork server uses the same functions for its workers. Standard library only, so that the script starts fast.
"""

from __future__ import annotations

import contextlib
import math
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

GRACE = 2.0  # seconds for processes to end after a signal
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h


class SupervisedProcess:
    """A running command that ends, with its descendants, on `close` or when this process ends.

    Its output goes to `log`. Raises OSError if the supervisor process cannot be started.
    """

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], log: Path | None = None
    ) -> None:
        output = log.open("wb") if log else None
        try:
            options: dict[str, Any] = {
                "stdin": subprocess.PIPE,
                "stdout": output or subprocess.DEVNULL,
                "stderr": output or subprocess.DEVNULL,
                "env": dict(environment),
            }
            if sys.platform == "win32":  # a job takes the place of the supervisor process
                from strategies.isolation.jobs import Job

                self._job = Job()
                self._process = self._job.start(command, **options)
            else:
                supervisor = [sys.executable, "-I", "-S", str(Path(__file__).resolve()), *command]
                self._process = subprocess.Popen(supervisor, start_new_session=True, **options)
        finally:
            if output:
                output.close()
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """The command's exit code, or 128 + the signal that ended it; None while it runs."""
        return self._process.poll()

    def pids(self) -> set[int]:
        """The current processes of the command, and of the supervisor's other descendants."""
        if sys.platform == "win32":
            return self._job.pids()
        return descendants(self.pid)

    def close(self) -> None:
        """End the command and its descendants; idempotent."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        if sys.platform == "win32":
            self._job.close()
        try:
            self._process.wait(3 * GRACE)
        except subprocess.TimeoutExpired:
            for pid in descendants(self.pid) | {self.pid}:
                send_signal(pid, signal.SIGKILL)
            self._process.wait()


def children(pid: int) -> set[int]:
    """The child processes of a process, including ended ones; empty if the system does not list them."""
    found: set[int] = set()
    with contextlib.suppress(OSError):  # the process, or a thread of it, has ended
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):
                listed = (thread / "children").read_text(encoding="ascii")
                found.update(map(int, listed.split()))
    return found


def descendants(pid: int) -> set[int]:
    """The running child processes of a process, and recursively theirs."""
    found: set[int] = set()
    waiting = children(pid)
    while waiting:
        child = waiting.pop()
        found.add(child)
        waiting |= children(child) - found
    return {each for each in found if process_state(each) not in ("", "Z")}


def process_state(pid: int | None) -> str:
    """The state in /proc/PID/stat: R running, S sleeping, T stopped, Z zombie; "" if unknown.

    Windows does not tell whether a process waits: R for every process.
    """
    if sys.platform == "win32":
        from strategies.isolation.jobs import is_running

        return "R" if pid is not None and is_running(pid) else ""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[0]


# system calls that wait for events, with the position of their timeout in /proc/PID/syscall (a C int of
# milliseconds; negative: none), by machine (asm/unistd.h): poll, epoll_wait and epoll_pwait
TIMED_WAITS = {"x86_64": {"7": 3, "232": 4, "281": 4}, "aarch64": {"22": 4}}


def sleep_time(pid: int) -> float:
    """The seconds for which every thread of a process waits for an event; 0.0 if one is awake or unknown.

    The whole time from falling asleep to waking up by itself counts, if the system reports it.
    """
    try:
        return min(map(_thread_sleep_time, Path(f"/proc/{pid}/task").iterdir()), default=0.0)
    except OSError:
        return 0.0


def _thread_sleep_time(thread: Path) -> float:
    if (thread / "stat").read_bytes().rpartition(b")")[2].split()[0] != b"S":
        return 0.0
    try:
        wait = (thread / "syscall").read_text(encoding="ascii").split()
    except OSError:  # not supported, or not permitted
        return math.inf
    position = TIMED_WAITS.get(os.uname().machine, {}).get(wait[0])
    if position is None:
        return 0.0 if wait[0] == "running" else math.inf
    timeout = int(wait[position], 16) & 0xFFFFFFFF
    return math.inf if timeout >= 1 << 31 else timeout / 1000


def process_name(pid: int | None) -> str | None:
    """The name of the program that a process executes; None if unknown."""
    if sys.platform == "win32":
        from strategies.isolation.jobs import program_name

        return None if pid is None else program_name(pid)
    try:
        return Path(f"/proc/{pid}/comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return None


def prctl(option: int, value: int) -> None:
    """Set an attribute of this process (`man prctl`); does nothing on systems other than Linux."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def send_signal(pid: int, number: int) -> None:
    """Send a signal to a process that may have ended."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def reap(codes: dict[int, int]) -> bool:
    """Collect ended children and add their exit codes (negative for a signal); whether any child is left."""
    try:
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            codes[ended[0]] = os.waitstatus_to_exitcode(ended[1])
    except ChildProcessError:
        return False
    return True


def end_descendants(codes: dict[int, int], known: set[int], *signals: int) -> None:
    """Send each signal to all descendants, and wait up to GRACE seconds after each for them to end.

    `known` are children to signal where the system does not list them. Requires
    PR_SET_CHILD_SUBREAPER, so that this process has children as long as it has descendants. Adds the exit
    codes to `codes`.
    """
    for number in signals:
        deadline = time.monotonic() + GRACE
        signalled: set[int] = set()
        while reap(codes):
            if time.monotonic() > deadline:
                break
            running = descendants(os.getpid()) | known - codes.keys()
            for pid in running - signalled:
                send_signal(pid, number)
            signalled |= running
            time.sleep(0.005)
        else:
            return


def supervise(command: Sequence[str]) -> int:
    """Run the command until it ends or the pipe on standard input closes; end its descendants.

    Returns its exit code.
    """
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    signal.signal(signal.SIGTERM, lambda *_: os.close(0))
    try:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL).pid
    except OSError as problem:
        sys.stderr.write(f"{command[0]}: {problem.strerror}\n")
        return 127
    codes: dict[int, int] = {}
    while reap(codes) and child not in codes and not _sapper_is_gone():
        pass
    end_descendants(codes, {child}, signal.SIGTERM, signal.SIGKILL)
    code = codes.get(child, -signal.SIGKILL)
    return 128 - code if code < 0 else code


def _sapper_is_gone() -> bool:
    """Whether the other end of the pipe is closed; waits briefly."""
    try:
        readable, _, _ = select.select([0], [], [], 0.05)
        return bool(readable) and not os.read(0, 1)
    except OSError:
        return True


if __name__ == "__main__":
    sys.exit(supervise(sys.argv[1:]))
