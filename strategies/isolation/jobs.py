"""Process trees of Windows: job objects, and the state, name and CPU time of processes.

A job ends all its processes when its last handle closes, which Windows does when Sapper ends in any way.
"""

from __future__ import annotations

import contextlib
import ctypes
import subprocess
import sys
from collections.abc import Iterator, Sequence
from ctypes import wintypes
from pathlib import PureWindowsPath
from typing import Any

assert sys.platform == "win32"

CREATE_SUSPENDED = 0x4
EXTENDED_LIMITS, PROCESS_LIST = 9, 3  # JOBOBJECTINFOCLASS
KILL_ON_CLOSE, PROCESS_MEMORY = 0x2000, 0x100  # JOB_OBJECT_LIMIT_
QUERY_LIMITED, RESUME, JOB_ACCESS = 0x1000, 0x0800, 0x0101  # PROCESS_; the last: _SET_QUOTA and _TERMINATE
STILL_ACTIVE = 259
MOST_PROCESSES = 1024  # of one job


class _BasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION."""

    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", wintypes.DWORD),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("active_processes", wintypes.DWORD),
        ("affinity", ctypes.c_size_t),
        ("priority", wintypes.DWORD),
        ("scheduling", wintypes.DWORD),
    )


class _Limits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("basic", _BasicLimits),
        ("io", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process", ctypes.c_size_t),
        ("peak_job", ctypes.c_size_t),
    )


class _ProcessList(ctypes.Structure):
    """JOBOBJECT_BASIC_PROCESS_ID_LIST."""

    _fields_ = (
        ("assigned", wintypes.DWORD),
        ("listed", wintypes.DWORD),
        ("pids", ctypes.c_size_t * MOST_PROCESSES),
    )


def _kernel32() -> Any:
    kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel32.CreateJobObjectW.restype = kernel32.OpenProcess.restype = wintypes.HANDLE
    return kernel32


class Job:
    """A group of processes that end together. `memory` limits each process, in bytes. Raises OSError."""

    def __init__(self, memory: int | None = None) -> None:
        self._kernel32 = _kernel32()
        handle = self._kernel32.CreateJobObjectW(None, None)
        if not handle:
            raise ctypes.WinError(ctypes.get_last_error())
        self._job: wintypes.HANDLE | None = wintypes.HANDLE(handle)
        limits = _Limits()
        limits.basic.flags = KILL_ON_CLOSE
        if memory is not None:
            limits.basic.flags |= PROCESS_MEMORY
            limits.process_memory = memory
        self._check(
            self._kernel32.SetInformationJobObject(
                self._job, EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)
            )
        )

    def start(
        self, command: Sequence[str], creationflags: int = 0, **options: Any
    ) -> subprocess.Popen[bytes]:
        """Start a process in this job; `options` are those of `Popen`.

        The process is suspended until it is in the job, so it cannot start another one outside the job.
        """
        process = subprocess.Popen(command, creationflags=creationflags | CREATE_SUSPENDED, **options)
        try:
            with _open(self._kernel32, process.pid, JOB_ACCESS | RESUME) as handle:
                self._check(handle and self._kernel32.AssignProcessToJobObject(self._job, handle))
                ctypes.WinDLL("ntdll").NtResumeProcess(handle)
        except BaseException:
            process.kill()
            raise
        return process

    def pids(self) -> set[int]:
        """The ids of its running processes."""
        found = _ProcessList()
        if self._job is None or not self._kernel32.QueryInformationJobObject(
            self._job, PROCESS_LIST, ctypes.byref(found), ctypes.sizeof(found), None
        ):
            return set()
        return set(found.pids[: found.listed])

    def close(self) -> None:
        """End all processes; idempotent."""
        if self._job is not None:
            self._kernel32.TerminateJobObject(self._job, 1)
            self._kernel32.CloseHandle(self._job)
            self._job = None

    def _check(self, is_done: object) -> None:
        if not is_done:
            raise ctypes.WinError(ctypes.get_last_error())


@contextlib.contextmanager
def _open(kernel32: Any, pid: int, access: int) -> Iterator[wintypes.HANDLE | None]:
    handle = kernel32.OpenProcess(access, False, pid)
    try:
        yield wintypes.HANDLE(handle) if handle else None
    finally:
        if handle:
            kernel32.CloseHandle(wintypes.HANDLE(handle))


def is_running(pid: int) -> bool:
    """Whether a process has not ended."""
    kernel32, code = _kernel32(), wintypes.DWORD()
    with _open(kernel32, pid, QUERY_LIMITED) as handle:
        return bool(
            handle and kernel32.GetExitCodeProcess(handle, ctypes.byref(code)) and code.value == STILL_ACTIVE
        )


def program_name(pid: int) -> str | None:
    """The file name of the program that a process executes, without `.exe`; None if unknown."""
    kernel32, length = _kernel32(), wintypes.DWORD(32768)
    path = ctypes.create_unicode_buffer(length.value)
    with _open(kernel32, pid, QUERY_LIMITED) as handle:
        if not handle or not kernel32.QueryFullProcessImageNameW(handle, 0, path, ctypes.byref(length)):
            return None
    return PureWindowsPath(path.value).stem


def cpu_seconds(pid: int) -> float:
    """CPU time that a process has used; 0 if unknown."""
    kernel32 = _kernel32()
    created, ended, system, user = (ctypes.c_uint64() for _ in range(4))
    with _open(kernel32, pid, QUERY_LIMITED) as handle:
        if not handle or not kernel32.GetProcessTimes(
            handle, *map(ctypes.byref, (created, ended, system, user))
        ):
            return 0.0
    return (system.value + user.value) / 1e7  # units of 100 nanoseconds
